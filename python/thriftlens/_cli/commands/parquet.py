"""`thriftlens parquet`: shows a footer as text or JSON, and changes it."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, Iterator, Optional

import click

from ... import parquet
from ..._errors import Error
from ..._parquet.pages import extent_of
from ..._parquet.tree import Name
from ..._text import escaped_lines
from ..report import reporting
from ..sink import writing

_MAX_VALUE = 60  # characters of a value in the summary


def run(
    file: str,
    output: Optional[str],
    in_place: bool,
    atomic: bool,
    views: dict[str, Any],
    changes: dict[str, Any],
    write: Callable[[bytes], None],
) -> None:
    """Applies and saves the changes, if there are any; else writes the requested views."""
    if output and in_place:
        raise click.UsageError("-o and --in-place are mutually exclusive")
    parquet_file = parquet.open(sys.stdin.buffer.read() if file == "-" else file)
    if file == "-" and in_place:
        raise click.UsageError("--in-place needs a file")
    changed = [name for name, value in changes.items() if value]
    if changed and not output and not in_place:
        raise click.UsageError("changes need -o OUT or --in-place")
    if not changed and (output or in_place):
        raise click.UsageError(
            "no changes to save: -o and --in-place need --set, --rename or another change"
        )
    if changed:
        _apply_changes(parquet_file, **changes)
        if output == "-":
            with writing("-") as sink:
                return parquet_file._footer.write_to(sink.write)
        return parquet_file.save(output, atomic=atomic)
    for line in _output_lines(parquet_file, **views):
        write(escaped_lines(line).encode() + b"\n")


def _name(column: str) -> Name:
    """A column's dotted path, or #N for the column of that number."""
    return int(column[1:]) if column[:1] == "#" and column[1:].isdecimal() else column


def _pair(argument: str, option: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"invalid {option} {argument!r}; expected NAME=VALUE")
    return name, value


def _apply_changes(
    parquet_file: parquet.File, set_: tuple[str, ...], delete: tuple[str, ...],
    rename: tuple[str, ...], drop_statistics: bool, scrub: tuple[str, ...],
    keep_columns: tuple[str, ...], keep_row_groups: tuple[int, ...]
) -> None:  # fmt: skip
    for key in delete:
        parquet_file.delete_key_value(key)
    for argument in set_:
        parquet_file.set_key_value(*_pair(argument, "--set"))
    if keep_columns:
        parquet_file.keep_columns(*map(_name, keep_columns))
    if keep_row_groups:
        try:
            parquet_file.keep_row_groups(*keep_row_groups)
        except IndexError as error:
            raise Error(str(error), code="bad_index") from None
    if drop_statistics:
        parquet_file.drop_statistics()
    if scrub:
        parquet_file.redact(paths=dict.fromkeys(scrub, "drop"))
    for argument in rename:
        column, name = _pair(argument, "--rename")
        parquet_file.rename(_name(column), name)


def _output_lines(
    parquet_file: parquet.File,
    as_json: bool,
    row_groups: bool,
    statistics: tuple[str, ...],
    pages: Optional[str],
    get: tuple[str, ...],
    check: bool,
) -> Iterator[str]:
    """The output of the view options; without any, the summary."""
    footer = parquet.schema.FileMetaData
    if check:
        parquet_file.validate()
        yield f"{parquet_file.num_rows} rows, {len(parquet_file.columns)} columns, {len(parquet_file.row_groups)} row groups: fine"
    if as_json:
        yield footer.to_json(
            parquet_file.footer, protocol="compact", enums="name", invalid_utf8="replace"
        ).decode()
    for path in get:
        yield from _values_at(parquet_file, path)
    if row_groups:
        yield from _row_group_lines(parquet_file)
    for name in statistics:
        column = parquet_file.column(_name(name))
        for row_group, values in enumerate(column.statistics()):
            yield _json(
                {
                    "column": column.name,
                    "row_group": row_group,
                    "min": values.min,
                    "max": values.max,
                    "null_count": values.null_count,
                    "distinct_count": values.distinct_count,
                }
            )
    if pages is not None:
        yield from _page_lines(parquet_file, pages)
    if not (check or as_json or get or row_groups or statistics or pages is not None):
        yield from _summary(parquet_file)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(
        value,
        ensure_ascii=False,
        default=lambda value: value.hex() if isinstance(value, bytes) else str(value),
    )


def _values_at(parquet_file: parquet.File, path: str) -> Iterator[str]:
    footer = parquet.schema.FileMetaData
    type_ = footer.at(path)
    match = footer.view(parquet_file.footer, protocol="compact").get(path)
    values = match if isinstance(match, list) else [] if match is None else [match]
    if not values:
        raise Error(f"no value at {path}", code="absent", path=path)
    for value in values:
        data = bytes(value) if hasattr(value, "type") else type_.encode(value, protocol="compact")
        yield type_.to_json(
            data, protocol="compact", enums="name", invalid_utf8="replace", nonfinite="string"
        ).decode()


def _row_group_lines(parquet_file: parquet.File) -> Iterator[str]:
    codecs = {number: name for name, number in parquet.schema.CompressionCodec.members.items()}
    names = list(parquet_file.columns)
    for row_group, metadata in enumerate(parquet_file._footer.chunk_locations()):
        for column, chunk in enumerate(metadata["columns"]):
            row: dict[str, Any] = {
                "row_group": row_group,
                "column": names[column] if column < len(names) else None,
                "rows": metadata["num_rows"],
            }
            meta = chunk.get("meta_data")
            if meta is None:
                row["encrypted"] = True
            else:
                row["offset"], row["size"] = extent_of(meta)
                row["codec"] = codecs.get(meta["codec"], meta["codec"])
            if "file_path" in chunk:
                row["file"] = chunk["file_path"]
            yield _json(row)


def _page_lines(parquet_file: parquet.File, name: str) -> Iterator[str]:
    header = parquet.schema.PageHeader
    for chunk in parquet_file.column(_name(name)).chunks:
        for page in chunk.pages():
            text = header.to_json(
                bytes(page.header), protocol="compact", enums="name", invalid_utf8="replace"
            ).decode()
            yield f'{{"row_group": {chunk.group}, "offset": {page.offset}, "header": {text}}}'


def _summary(parquet_file: parquet.File) -> Iterator[str]:
    yield f"{parquet_file.num_rows} rows, {len(parquet_file.columns)} columns, {len(parquet_file.row_groups)} row groups, written by {parquet_file.created_by or '?'}"
    yield parquet_file.tree().rstrip("\n")
    for key, value in parquet_file.key_value.items():
        text = (
            "(none)"
            if value is None
            else value
            if len(value) <= _MAX_VALUE
            else f"{value[:_MAX_VALUE]}… ({len(value)} characters)"
        )
        yield f"{key} = {text!r}"


@click.command("parquet")
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the footer as JSON.")
@click.option(
    "--row-groups", is_flag=True, help="Print column chunks: offset, size, encodings, compression."
)
@click.option(
    "--statistics",
    multiple=True,
    metavar="COLUMN",
    help="Print the statistics of all row groups (repeatable).",
)
@click.option("--pages", metavar="COLUMN", help="Print page headers.")
@click.option(
    "--get",
    multiple=True,
    metavar="PATH",
    help="Print the value at PATH in FileMetaData: $.row_groups[*].num_rows (repeatable).",
)
@click.option(
    "--check", is_flag=True, help="Check the footer, and that its offsets are inside the file."
)
@click.option(
    "--set",
    "set_",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an entry of the key/value metadata (repeatable).",
)
@click.option(
    "--delete",
    multiple=True,
    metavar="KEY",
    help="Remove an entry of the key/value metadata (repeatable).",
)
@click.option(
    "--rename", multiple=True, metavar="COLUMN=NAME", help="Rename a column or group (repeatable)."
)
@click.option(
    "--drop-statistics",
    is_flag=True,
    help="Remove statistics and the offsets of page indexes and Bloom filters.",
)
@click.option(
    "--scrub",
    multiple=True,
    metavar="PATH",
    help="Drop the value at PATH in FileMetaData, as redact does (repeatable).",
)
@click.option(
    "--keep-column",
    "keep_columns",
    multiple=True,
    metavar="COLUMN",
    help="Keep only these columns in the footer (repeatable).",
)
@click.option(
    "--keep-row-group",
    "keep_row_groups",
    multiple=True,
    type=int,
    metavar="N",
    help="Keep only these row groups in the footer (repeatable).",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    metavar="OUT",
    help="Output file for the changed Parquet file, written atomically.",
)
@click.option("--in-place", is_flag=True, help="Overwrite the footer of FILE.")
@click.option("--atomic", is_flag=True, help="With --in-place: write a new file and rename it.")
def parquet_command(
    file: str, output: Optional[str], in_place: bool, atomic: bool, **options: Any
) -> None:
    """Show or change the footer of a Parquet file. Data pages are not read or changed: data removed
    from the footer stays in the file.

    COLUMN is a dotted path, or #N for column number N if several have the same name."""
    views = {
        name: options.pop(name)
        for name in ("as_json", "row_groups", "statistics", "pages", "get", "check")
    }
    with reporting(file), writing("-") as sink:
        run(file, output, in_place, atomic, views, options, sink.write)
