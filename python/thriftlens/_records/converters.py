"""The values of the records of a scan: views, dicts, JSON, bytes or messages."""

from __future__ import annotations

from typing import Any, Callable, Union

from .. import _core
from .._rpc.message import message_of, read_message, services_of
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from .cuts import Cut

Converter = Callable[[Cut, Any], Any]
"""Makes the value of a record in a protocol."""
RecordType = Union[Type, Service, Schema, None]


def converter(
    type_: RecordType, to: str, select: Any, options: dict[str, Any], is_lines: bool = False
) -> Converter:
    """A function that makes the value of a record. is_lines: the records are texts of Apache's JSON
    protocol."""
    if to == "message":
        _refuse_options(options if select is None else {"select": select, **options}, to)
        return _message_converter(None if isinstance(type_, Type) else type_, is_lines)
    if to == "bytes" and select is None:
        _refuse_options(options, to)
        return bytes_of
    if not isinstance(type_, Type):
        raise TypeError(f"scan(): to={to!r} needs a type")
    convert = _value_converter(type_, to, select, options)
    return _line_converter(type_, convert, options.get("depth", 64)) if is_lines else convert


def bytes_of(cut: Cut, protocol: Any) -> bytes:
    """The bytes of a record."""
    return bytes(cut.bytes())


def _message_converter(source: Union[Service, Schema, None], is_lines: bool) -> Converter:
    services = services_of(source)
    if is_lines:
        return lambda cut, protocol: read_message(bytes(cut.bytes()), services)
    return lambda cut, protocol: message_of(cut.message, bytes(cut.bytes()), services, cut.data)


def _value_converter(type_: Type, to: str, select: Any, options: dict[str, Any]) -> Converter:
    if to == "json":
        return lambda cut, protocol: type_.to_json(
            cut.bytes(), protocol=protocol, select=select, **options
        )
    if to == "bytes":
        return lambda cut, protocol: type_.trim(cut.bytes(), select, protocol=protocol, **options)
    decode: Callable[..., Any] = {"view": type_.view, "dict": type_.decode}[to]
    if select is None:
        return lambda cut, protocol: decode(cut.bytes(), protocol=protocol, **options)
    options.setdefault("missing_required", "omit")
    return lambda cut, protocol: decode(
        type_.trim(cut.bytes(), select, protocol=protocol), protocol=protocol, **options
    )


def _line_converter(type_: Type, convert: Converter, depth: int) -> Converter:
    """A converter of texts of Apache's JSON protocol, which are converted to Binary first."""

    def convert_line(cut: Cut, protocol: Any) -> Any:
        data = _core.convert(cut.bytes(), source="tjson", target="binary", type=type_, depth=depth)
        return convert(cut._replace(data=data, value=(0, len(data))), "binary")

    return convert_line


def _refuse_options(options: dict[str, Any], to: str) -> None:
    if options:
        names = ", ".join(options)
        raise TypeError(f'scan(): {names}: not supported with to="{to}"')
