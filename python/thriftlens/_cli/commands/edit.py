"""`thriftlens get`, `set` and `delete`: the value at a path."""

from typing import Any, Callable, Optional

import click

from .. import io as _files, options as opt
from ..input import reading, take_input, typed
from ..records import process_records, rewrite_records
from ..report import display_name, fail
from ..rules import with_json
from ... import _core
from ..._core import Edit


@click.command()
@opt.value_options
@opt.path_argument
@opt.file_argument()
@opt.choices("to_json", "enums")
@opt.choices("decode", "unknown")
@opt.missing_required_option
def get(
    idl: str, type_name: str, path: str, file: str, enums: Any, unknown: Any, **options: Any
) -> None:
    """Print the value at PATH ($.items[3].price) as JSON; with a wildcard, one value a line. Exit status 1 if there is none.

    With --lines, one line for each record: the value, null if there is none, or an array if PATH has a wildcard."""
    given, of = typed(take_input(file, options), idl, type_name, options)
    to = of.at(path)

    def texts(data: Any) -> tuple[list[bytes], bool]:
        """The values as JSON, and whether the path may lead to many."""
        found = of.view(data, **options).get(path)
        many = isinstance(found, list)
        values = found if many else [] if found is None else [found]
        return [text(value) for value in values], many

    def text(value: Any) -> bytes:
        part = (
            bytes(value)
            if isinstance(value, _core.View)
            else to.encode(value, protocol=options["protocol"])
        )
        return to.to_json(part, enums=enums, unknown=unknown, nonfinite="string", **options)

    def line(record: Any) -> bytes:
        found, many = texts(record)
        if many:
            return b"[" + b",".join(found) + b"]\n"
        return (found[0] if found else b"null") + b"\n"

    with reading(given, options) as (given, source), _files.writing("-") as sink:
        if given.lines:
            process_records(given, source, sink, options, line, b"null\n")
            return
        found, _ = texts(source.whole())
        if not found:
            fail(f"{display_name(file)}: nothing at {path}")
        for each in found:
            sink.write(each + b"\n")


def _edit(
    idl: str, type_name: str, path: str, file: str, output: Optional[str],
    change: Callable[[Edit], Edit], unknown: Any, output_size: int, **options: Any
) -> None:  # fmt: skip
    given, of = typed(take_input(file, options), idl, type_name, options)
    of.at(path)

    def changed(data: Any) -> bytes:
        edited = change(of.edit(data, output_size=output_size, **options)).apply()
        if unknown == "keep":
            return edited
        return of.redact(
            edited, paths={"$": "keep"}, unknown=unknown, missing_required="omit", **options
        )

    rewrite_records(given, output, options, changed)


@click.command("set")
@opt.value_options
@opt.path_argument
@click.argument("json")
@opt.file_argument()
@opt.bytes_output_option
@click.option("--create", is_flag=True, help="Create missing structs and maps along PATH.")
@opt.unknown_option
@opt.output_size_option
def set_(path: str, json: str, create: bool, **options: Any) -> None:
    """Set the value at PATH to JSON; all other bytes are copied unchanged."""
    keeps = opt.is_given("unknown") and options["unknown"] == "keep"
    _edit(
        path=path,
        change=lambda edit: with_json(
            edit.create if create else edit.set, path, json, "keep" if keeps else "error"
        ),
        **options,
    )


@click.command()
@opt.value_options
@opt.path_argument
@opt.file_argument()
@opt.bytes_output_option
@opt.unknown_option
@opt.output_size_option
def delete(path: str, **options: Any) -> None:
    """Remove the field, element or entry at PATH; all other bytes are copied unchanged."""
    _edit(path=path, change=lambda edit: edit.erase(path), **options)
