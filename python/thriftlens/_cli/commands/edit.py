"""`thriftlens get`, `set` and `delete`: the value at a path."""

from typing import Any, Callable, Optional

import click

from ... import _core
from ..._core import Edit
from .. import options as opt
from ..input import reading, take_input, typed
from ..records import process_records, rewrite_records
from ..report import display_name, fail
from ..rules import with_json
from ..sink import writing


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
    """Print the value at PATH ($.items[3].price) as JSON; with a wildcard, one value per line. Exit
    status 1 without a value.

    With --lines, one line per record: the value or null, or an array if PATH has a wildcard."""
    spec, type_ = typed(take_input(file, options), idl, type_name, options)
    field_type = type_.at(path)

    def values_at(data: Any) -> tuple[list[bytes], bool]:
        """The values as JSON, and whether the path has a wildcard."""
        matches = type_.view(data, **options).get(path)
        has_wildcard = isinstance(matches, list)
        values = matches if has_wildcard else [] if matches is None else [matches]
        return [json_of(value) for value in values], has_wildcard

    def json_of(value: Any) -> bytes:
        if isinstance(value, _core.View):
            part = bytes(value)
        else:
            part = field_type.encode(value, protocol=options["protocol"])
        return field_type.to_json(part, enums=enums, unknown=unknown, nonfinite="string", **options)

    def line(record: Any) -> bytes:
        texts, has_wildcard = values_at(record)
        if has_wildcard:
            return b"[" + b",".join(texts) + b"]\n"
        return (texts[0] if texts else b"null") + b"\n"

    with reading(spec, options) as (spec, source), writing("-") as sink:
        if spec.lines:
            process_records(spec, source, sink, options, line, b"null\n")
            return
        texts, _ = values_at(source.read_all())
        if not texts:
            fail(f"{display_name(file)}: no value at {path}")
        for text in texts:
            sink.write(text + b"\n")


def _edit(
    idl: str, type_name: str, path: str, file: str, output: Optional[str],
    change: Callable[[Edit], Edit], unknown: Any, output_size: int, **options: Any
) -> None:  # fmt: skip
    spec, type_ = typed(take_input(file, options), idl, type_name, options)
    type_.at(path)

    def apply(data: Any) -> bytes:
        result = change(type_.edit(data, output_size=output_size, **options)).apply()
        if unknown == "keep":
            return result
        return type_.redact(
            result, paths={"$": "keep"}, unknown=unknown, missing_required="omit", **options
        )

    rewrite_records(spec, output, options, apply)


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
    keeps = opt.is_explicit("unknown") and options["unknown"] == "keep"
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
