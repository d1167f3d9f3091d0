"""`thriftlens parquet`: shows a footer as text or JSON, and changes it."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Iterator, Literal, Optional, TypedDict

import click

from ... import parquet
from ..._errors import Error
from ..._parquet.pages import extent_of
from ..._parquet.tree import Name
from ..._text import escaped_lines
from .. import options as opt
from ..report import reporting
from ..sink import writing

_MAX_VALUE = 60  # characters of a value in the summary


class _JsonOptions(TypedDict):
    protocol: Literal["compact"]
    enums: Literal["name"]
    invalid_utf8: Literal["replace"]


_JSON_OPTIONS: _JsonOptions = {"protocol": "compact", "enums": "name", "invalid_utf8": "replace"}


@dataclasses.dataclass(frozen=True)
class Views:
    """What to print of a footer."""

    as_json: bool = False
    row_groups: bool = False
    statistics: tuple[str, ...] = ()
    pages: Optional[str] = None
    get: tuple[str, ...] = ()
    check: bool = False


_NO_VIEWS = Views()


@dataclasses.dataclass(frozen=True)
class Changes:
    """Changes of a footer."""

    set_metadata: tuple[str, ...]
    delete_metadata: tuple[str, ...]
    rename: tuple[str, ...]
    drop_statistics: bool
    scrub: tuple[str, ...]
    keep_columns: tuple[str, ...]
    keep_row_groups: tuple[int, ...]

    def apply(self, parquet_file: parquet.File) -> None:
        for key in self.delete_metadata:
            parquet_file.delete_key_value(key)
        for argument in self.set_metadata:
            parquet_file.set_key_value(*_pair(argument, "--set-metadata"))
        if self.keep_columns:
            parquet_file.keep_columns(*map(_name, self.keep_columns))
        if self.keep_row_groups:
            self._keep_row_groups(parquet_file)
        if self.drop_statistics:
            parquet_file.drop_statistics()
        if self.scrub:
            parquet_file.redact(paths=dict.fromkeys(self.scrub, "drop"))
        self._rename(parquet_file)

    def _rename(self, parquet_file: parquet.File) -> None:
        for argument in self.rename:
            column, name = _pair(argument, "--rename")
            parquet_file.rename(_name(column), name)

    def _keep_row_groups(self, parquet_file: parquet.File) -> None:
        try:
            parquet_file.keep_row_groups(*self.keep_row_groups)
        except IndexError as error:
            raise Error(str(error), code="bad_index") from None


@dataclasses.dataclass(frozen=True)
class Target:
    """Where to save a changed file."""

    output: Optional[str]
    in_place: bool
    atomic: bool

    def check(self, file: str, has_changes: bool) -> None:
        """Raises if the options contradict each other."""
        is_saved = self.output or self.in_place
        if self.output and self.in_place:
            raise click.UsageError("-o and --in-place are mutually exclusive")
        if file == "-" and self.in_place:
            raise click.UsageError("--in-place needs a file")
        if has_changes and not is_saved:
            raise click.UsageError("changes need -o OUT or --in-place")
        if is_saved and not has_changes:
            raise click.UsageError(
                "no changes to save: -o and --in-place need a change such as --rename"
            )

    def save(self, parquet_file: parquet.File) -> None:
        if self.output == "-":
            with writing("-") as sink:
                parquet_file._footer.write_to(sink.write)
        else:
            parquet_file.save(self.output, atomic=self.atomic)


def _name(column: str) -> Name:
    """A column's dotted path, or #N for the column of that number."""
    return int(column[1:]) if column[:1] == "#" and column[1:].isdecimal() else column


def _pair(argument: str, option: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise click.UsageError(f"invalid {option} {argument!r}; expected NAME=VALUE")
    return name, value


def _output_lines(parquet_file: parquet.File, views: Views) -> Iterator[str]:
    """The output of the view options; without any, the summary."""
    footer = parquet.schema.FileMetaData
    if views.check:
        yield _check(parquet_file)
    if views.as_json:
        yield footer.to_json(parquet_file.footer, **_JSON_OPTIONS).decode()
    for path in views.get:
        yield from _values_at(parquet_file, path)
    if views.row_groups:
        yield from _row_group_lines(parquet_file)
    for name in views.statistics:
        yield from _statistics_lines(parquet_file, name)
    if views.pages is not None:
        yield from _page_lines(parquet_file, views.pages)
    if views == _NO_VIEWS:
        yield from _summary(parquet_file)


def _check(parquet_file: parquet.File) -> str:
    parquet_file.validate()
    return f"{_size(parquet_file)}: fine"


def _size(parquet_file: parquet.File) -> str:
    columns, row_groups = len(parquet_file.columns), len(parquet_file.row_groups)
    return f"{parquet_file.num_rows} rows, {columns} columns, {row_groups} row groups"


def _statistics_lines(parquet_file: parquet.File, name: str) -> Iterator[str]:
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


def _json(value: dict[str, object]) -> str:
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
        yield type_.to_json(data, nonfinite="string", **_JSON_OPTIONS).decode()


def _row_group_lines(parquet_file: parquet.File) -> Iterator[str]:
    codecs = {number: name for name, number in parquet.schema.CompressionCodec.members.items()}
    names = list(parquet_file.columns)
    for row_group, metadata in enumerate(parquet_file._footer.chunk_locations()):
        for column, chunk in enumerate(metadata["columns"]):
            row: dict[str, object] = {
                "row_group": row_group,
                "column": names[column] if column < len(names) else None,
                "rows": metadata["num_rows"],
            }
            if (meta := chunk.get("meta_data")) is None:
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
            text = header.to_json(bytes(page.header), **_JSON_OPTIONS).decode()
            yield f'{{"row_group": {chunk.group}, "offset": {page.offset}, "header": {text}}}'


def _summary(parquet_file: parquet.File) -> Iterator[str]:
    yield f"{_size(parquet_file)}, written by {parquet_file.created_by or '?'}"
    yield parquet_file.tree().rstrip("\n")
    for key, value in parquet_file.key_value.items():
        text = "(none)" if value is None else value
        if len(text) > _MAX_VALUE:
            text = f"{text[:_MAX_VALUE]}… ({len(text)} characters)"
        yield f"{key} = {text!r}"


@opt.command("parquet")
@click.argument("file", type=click.Path())
@opt.grouped(
    "views",
    Views,
    click.option("--json", "as_json", is_flag=True, help="Print the footer as JSON."),
    click.option(
        "--row-groups",
        is_flag=True,
        help="Print column chunks: offset, size, encodings, compression.",
    ),
    opt.repeatable("--statistics", "COLUMN", "Print the statistics of all row groups."),
    click.option("--pages", metavar="COLUMN", help="Print page headers."),
    opt.repeatable(
        "--get", "PATH", "Print the value at PATH in FileMetaData: $.row_groups[*].num_rows."
    ),
    click.option(
        "--check", is_flag=True, help="Check the footer, and that its offsets are inside the file."
    ),
)
@opt.grouped(
    "changes",
    Changes,
    opt.repeatable("--set-metadata", "KEY=VALUE", "Set an entry of the key/value metadata."),
    opt.repeatable("--delete-metadata", "KEY", "Remove an entry of the key/value metadata."),
    opt.repeatable("--rename", "COLUMN=NAME", "Rename a column or group."),
    click.option(
        "--drop-statistics",
        is_flag=True,
        help="Remove statistics and the offsets of page indexes and Bloom filters.",
    ),
    opt.repeatable("--scrub", "PATH", "Drop the value at PATH in FileMetaData, as redact does."),
    opt.repeatable(
        "--keep-column", "COLUMN", "Keep only these columns in the footer.", name="keep_columns"
    ),
    click.option(
        "--keep-row-group",
        "keep_row_groups",
        multiple=True,
        type=int,
        metavar="N",
        help="Keep only these row groups in the footer (repeatable).",
    ),
)
@opt.grouped(
    "target",
    Target,
    click.option(
        "-o",
        "--output",
        type=click.Path(),
        metavar="OUT",
        help="Output file for the changed Parquet file, written atomically.",
    ),
    click.option("--in-place", is_flag=True, help="Overwrite the footer of FILE."),
    click.option("--atomic", is_flag=True, help="With --in-place: write a new file and rename it."),
)
def parquet_command(file: str, views: Views, changes: Changes, target: Target) -> None:
    """Show or change the footer of a Parquet file. Data pages are not read or changed: data removed
    from the footer stays in the file.

    COLUMN is a dotted path, or #N for column number N if several have the same name."""
    has_changes = any(dataclasses.astuple(changes))
    with reporting(file), writing("-") as sink:
        target.check(file, has_changes)
        parquet_file = parquet.open(sys.stdin.buffer.read() if file == "-" else file)
        if has_changes:
            changes.apply(parquet_file)
            return target.save(parquet_file)
        for line in _output_lines(parquet_file, views):
            sink.write(escaped_lines(line).encode() + b"\n")
