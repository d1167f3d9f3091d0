"""`thriftlens get`, `set` and `delete`: the value at a path."""

from __future__ import annotations

import re
from typing import Callable, Literal, Optional

import click

from ... import _core
from ..._core import Edit
from ..._errors import AbsentError
from ..._schema.types import Type
from ..._typing import Value
from .. import completion as _complete
from .. import options as opt
from ..input import StructInput, reading, value_options
from ..options import StructDecoding
from ..records import Processor
from ..report import display_name, fail
from ..rewriting import rewrite_records
from ..rules import with_json
from ..sink import writing
from ..source import Data

_path_argument = click.argument("path", shell_complete=_complete.paths)


@opt.command()
@value_options(_path_argument)
@opt.choices("to_json", "enums")
@opt.choices("decode", "unknown")
@opt.missing_required_option
def get(
    data: StructInput,
    path: str,
    enums: Literal["number", "name"],
    unknown: Literal["drop", "error", "keep"],
    missing_required: Literal["error", "omit"],
) -> None:
    """Print the value at PATH ($.items[3].price) as JSON; with a wildcard, one value per line. Exit
    status 1: there is no value. The bytes after the value are not checked.

    With --lines, one line per record: the value or null, or an array if PATH has a wildcard."""
    spec, type_ = data.load()
    path = path or "$"
    reader = _ValueReader(type_, path, data.decoding, enums, unknown, missing_required)
    with reading(spec, data.decoding) as (spec, source), writing("-") as sink:
        if spec.lines:
            Processor(spec, source, sink, data.decoding).run(reader.line)
            return
        texts, _ = reader.texts(source.read_all())
        if not texts:
            fail(f"{display_name(spec.file)}: no value at {path}")
        for text in texts:
            sink.write(text + b"\n")


class _ValueReader:
    """Reads the values at a path as JSON."""

    def __init__(
        self,
        type_: Type,
        path: str,
        decoding: StructDecoding,
        enums: Literal["number", "name"],
        unknown: Literal["drop", "error", "keep"],
        missing_required: Literal["error", "omit"],
    ):
        self._type, self._field_type = type_, type_.at(path)
        self._path = path
        self._decoding = decoding
        self._enums, self._unknown = enums, unknown
        self._missing_required = missing_required

    def texts(self, data: Data) -> tuple[list[bytes], bool]:
        """The values, and whether the path has a wildcard."""
        view = self._type.view(
            data,
            protocol=self._decoding.protocol,
            depth=self._decoding.depth,
            missing_required=self._missing_required,
        )
        matches = view.get(self._path)
        has_wildcard = isinstance(matches, list)
        values = matches if has_wildcard else [] if matches is None else [matches]
        return [self._json(value) for value in values], has_wildcard

    def line(self, record: Data) -> bytes:
        texts, has_wildcard = self.texts(record)
        if has_wildcard:
            return b"[" + b",".join(texts) + b"]\n"
        return (texts[0] if texts else b"null") + b"\n"

    def _json(self, value: Value) -> bytes:
        protocol = self._decoding.protocol
        if isinstance(value, _core.View):
            data = bytes(value)
        else:
            data = self._field_type.encode(value, protocol=protocol)
        return self._field_type.to_json(
            data,
            enums=self._enums,
            unknown=self._unknown,
            nonfinite="string",
            protocol=protocol,
            depth=self._decoding.depth,
            missing_required=self._missing_required,
        )


def _edit(
    data: StructInput,
    path: str,
    output: Optional[str],
    change: Callable[[Edit, Type], Edit],
    unknown: Literal["drop", "keep", "error"],
    output_size: int,
) -> None:
    spec, type_ = data.load()
    target = type_.at(path)
    decoding = data.decoding

    def apply(record: Data) -> bytes:
        protocol, depth = decoding.protocol, decoding.depth
        edit = type_.edit(record, protocol=protocol, depth=depth, output_size=output_size)
        try:
            result = change(edit, target).apply()
        except AbsentError as error:
            if error.code == "absent":
                error.hint = "--create creates missing structs and maps"
            raise
        if unknown == "keep":
            return result
        return type_.redact(
            result,
            paths={"$": "keep"},
            unknown=unknown,
            missing_required="omit",
            protocol=protocol,
            depth=depth,
        )

    rewrite_records(spec, output, decoding, apply)


class _SetCommand(opt.Command):
    """A command that takes a negative number as an argument."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        is_number = re.compile(r"-\d[\d.eE+-]*").fullmatch
        spaced = [f" {argument}" if is_number(argument) else argument for argument in arguments]
        return super().parse_args(context, spaced)


@opt.command("set", cls=_SetCommand)
@value_options(_path_argument, click.argument("json"))
@opt.bytes_output_option
@click.option("--create", is_flag=True, help="Create missing structs and maps along PATH.")
@opt.unknown_option
@opt.output_size_option
def set_(
    data: StructInput,
    path: str,
    json: str,
    output: Optional[str],
    create: bool,
    unknown: Literal["drop", "keep", "error"],
    output_size: int,
) -> None:
    """Set the value at PATH to JSON; all other bytes are copied unchanged.

    An enum may be set to a number without a member; `thriftlens check` reports it."""
    keeps = opt.is_explicit("unknown") and unknown == "keep"
    path = path or "$"

    def change(edit: Edit, target: Type) -> Edit:
        verb = edit.create if create else edit.set
        with_json(verb, path, target, json, "keep" if keeps else "error")
        return edit

    _edit(data, path, output, change, unknown, output_size)


@opt.command()
@value_options(_path_argument)
@opt.bytes_output_option
@opt.unknown_option
@opt.output_size_option
def delete(
    data: StructInput,
    path: str,
    output: Optional[str],
    unknown: Literal["drop", "keep", "error"],
    output_size: int,
) -> None:
    """Remove the field, element or entry at PATH; all other bytes are copied unchanged."""
    _edit(data, path, output, lambda edit, _: edit.erase(path), unknown, output_size)
