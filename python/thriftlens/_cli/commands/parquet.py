"""`thriftlens parquet`: what a footer says, as text or JSON, and changes to it."""

from __future__ import annotations

import json
import sys
from typing import Any, Callable, Iterator, Optional

import click

from .. import io as _files
from ..report import reporting
from ... import parquet
from ..._errors import Error
from ..._text import escaped_lines

_CUT = 60  # characters of a value in the summary


def run(file: str, output: Optional[str], in_place: bool, atomic: bool, shown: dict[str, Any], changes: dict[str, Any], write: Callable[[bytes], None]) -> None:
    """Applies the changes, if there are any, and saves; else writes what is to be shown."""
    if output and in_place:
        raise click.UsageError("-o and --in-place exclude each other")
    of = parquet.open(sys.stdin.buffer.read() if file == "-" else file)
    if file == "-" and in_place:
        raise click.UsageError("--in-place needs a file")
    asked = [name for name, given in changes.items() if given]
    if asked and not output and not in_place:
        raise click.UsageError("changes need -o OUT or --in-place")
    if not asked and (output or in_place):
        raise click.UsageError("there is nothing to change: -o and --in-place go with --set, --rename and the like")
    if asked:
        _change(of, **changes)
        return of.save(output, atomic=atomic)
    for line in _lines(of, **shown):
        write(escaped_lines(line).encode() + b"\n")


def _name(given: str) -> parquet.Name:
    """A column's dotted path, or #N for the column of that number."""
    return int(given[1:]) if given[:1] == "#" and given[1:].isdecimal() else given


def _pair(given: str, option: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals:
        raise click.UsageError(f"{option} takes NAME=VALUE, not {given!r}")
    return name, value


def _change(
    of: parquet.File, set_: tuple[str, ...], delete: tuple[str, ...], rename: tuple[str, ...],
    drop_statistics: bool, scrub: tuple[str, ...], keep_columns: tuple[str, ...],
    keep_row_groups: tuple[int, ...]
) -> None:  # fmt: skip
    for key in delete:
        of.delete_key_value(key)
    for each in set_:
        of.set_key_value(*_pair(each, "--set"))
    if keep_columns:
        of.keep_columns(*map(_name, keep_columns))
    if keep_row_groups:
        try:
            of.keep_row_groups(*keep_row_groups)
        except IndexError as error:
            raise Error(str(error), code="bad_index") from None
    if drop_statistics:
        of.drop_statistics()
    if scrub:
        of.redact(paths=dict.fromkeys(scrub, "drop"))
    for each in rename:
        column, name = _pair(each, "--rename")
        of.rename(_name(column), name)


def _lines(of: parquet.File, as_json: bool, row_groups: bool, statistics: tuple[str, ...], pages: Optional[str], get: tuple[str, ...], check: bool) -> Iterator[str]:
    """What was asked for; the summary where nothing was."""
    footer = parquet.schema.FileMetaData
    if check:
        of.validate()
        yield f"{of.num_rows} rows, {len(of.columns)} columns, {len(of.row_groups)} row groups: fine"
    if as_json:
        yield footer.to_json(of.footer, protocol="compact", enums="name", invalid_utf8="replace").decode()
    for path in get:
        yield from _got(of, path)
    if row_groups:
        yield from _groups(of)
    for name in statistics:
        column = of.column(_name(name))
        for group, each in enumerate(column.statistics()):
            yield _json({"column": column.name, "row_group": group, "min": each.min, "max": each.max, "null_count": each.null_count, "distinct_count": each.distinct_count})
    if pages is not None:
        yield from _pages(of, pages)
    if not (check or as_json or get or row_groups or statistics or pages is not None):
        yield from _summary(of)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=lambda each: each.hex() if isinstance(each, bytes) else str(each))


def _got(of: parquet.File, path: str) -> Iterator[str]:
    footer = parquet.schema.FileMetaData
    to = footer.at(path)
    found = footer.view(of.footer, protocol="compact").get(path)
    values = found if isinstance(found, list) else [] if found is None else [found]
    if not values:
        raise Error(f"nothing at {path}", code="absent", path=path)
    for each in values:
        part = bytes(each) if hasattr(each, "type") else to.encode(each, protocol="compact")
        yield to.to_json(part, protocol="compact", enums="name", invalid_utf8="replace", nonfinite="string").decode()


def _groups(of: parquet.File) -> Iterator[str]:
    codecs = {number: name for name, number in parquet.schema.CompressionCodec.members.items()}
    names = list(of.columns)
    for group, said in enumerate(of._places()):
        for index, chunk in enumerate(said["columns"]):
            row: dict[str, Any] = {"row_group": group, "column": names[index] if index < len(names) else None, "rows": said["num_rows"]}
            meta = chunk.get("meta_data")
            if meta is None:
                row["encrypted"] = True
            else:
                row["offset"], row["size"] = parquet._extent_of(meta)
                row["codec"] = codecs.get(meta["codec"], meta["codec"])
            if "file_path" in chunk:
                row["file"] = chunk["file_path"]
            yield _json(row)


def _pages(of: parquet.File, name: str) -> Iterator[str]:
    header = parquet.schema.PageHeader
    for chunk in of.column(_name(name)).chunks:
        for page in chunk.pages():
            text = header.to_json(bytes(page.header), protocol="compact", enums="name", invalid_utf8="replace").decode()
            yield f'{{"row_group": {chunk.group}, "offset": {page.offset}, "header": {text}}}'


def _summary(of: parquet.File) -> Iterator[str]:
    yield f"{of.num_rows} rows, {len(of.columns)} columns, {len(of.row_groups)} row groups, written by {of.created_by or '?'}"
    yield of.tree().rstrip("\n")
    for key, value in of.key_value.items():
        text = "(none)" if value is None else value if len(value) <= _CUT else f"{value[:_CUT]}… ({len(value)} characters)"
        yield f"{key} = {text!r}"


@click.command("parquet")
@click.argument("file", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="Print the footer as JSON.")
@click.option("--row-groups", is_flag=True, help="Print column chunks: offset, size, encodings, compression.")
@click.option("--statistics", multiple=True, metavar="COLUMN", help="Print the statistics of each row group (repeatable).")
@click.option("--pages", metavar="COLUMN", help="Print page headers.")
@click.option("--get", multiple=True, metavar="PATH", help="Print the value at PATH in FileMetaData: $.row_groups[*].num_rows (repeatable).")
@click.option("--check", is_flag=True, help="Check the footer, and that its offsets are inside the file.")
@click.option("--set", "set_", multiple=True, metavar="KEY=VALUE", help="Set an entry of the key/value metadata (repeatable).")
@click.option("--delete", multiple=True, metavar="KEY", help="Remove an entry of the key/value metadata (repeatable).")
@click.option("--rename", multiple=True, metavar="COLUMN=NAME", help="Rename a column or group (repeatable).")
@click.option("--drop-statistics", is_flag=True, help="Remove statistics and the offsets of page indexes and Bloom filters.")
@click.option("--scrub", multiple=True, metavar="PATH", help="Drop the value at PATH in FileMetaData, as redact does (repeatable).")
@click.option("--keep-column", "keep_columns", multiple=True, metavar="COLUMN", help="Keep only these columns in the footer (repeatable).")
@click.option("--keep-row-group", "keep_row_groups", multiple=True, type=int, metavar="N", help="Keep only these row groups in the footer (repeatable).")
@click.option("-o", "--output", type=click.Path(), metavar="OUT", help="Output file for the changed Parquet file, written atomically.")
@click.option("--in-place", is_flag=True, help="Overwrite the footer of FILE.")
@click.option("--atomic", is_flag=True, help="With --in-place: write a new file and rename it.")
def parquet_command(file: str, output: Optional[str], in_place: bool, atomic: bool, **options: Any) -> None:
    """Show or change the footer of a Parquet file. Data pages are not read or changed; data that is removed from the footer stays in the file.

    COLUMN is a dotted path, or #N for column number N if several have the same name."""
    shown = {name: options.pop(name) for name in ("as_json", "row_groups", "statistics", "pages", "get", "check")}
    with reporting(file), _files.writing("-") as sink:
        run(file, output, in_place, atomic, shown, options, sink.write)
