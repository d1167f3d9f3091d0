"""Reads records from files, pipes, topics and chunks of bytes."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Callable, Literal, Optional, TypeVar, Union, overload

from .. import _core
from .._core import StructView
from .._errors.bounds import IntegerRange
from .._rpc.message import Message, message_of, read_message, services_of
from .._schema.models import Partial
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from .._text import did_you_mean, not_one_of, shown
from .._typing import AnyProtocol, JsonOptions, Selection, Value, WireProtocol
from .compression import COMPRESSIONS
from .cuts import Converter, Cut, Options, TypeReader, bytes_of
from .framing import FRAMINGS, TEXT_FRAMINGS
from .scan_state import OnError
from .scanner import Scan
from .sources import Layers, Source, inputs_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

_M = TypeVar("_M")
RecordType = Union[Type, Service, Schema, None]
ValueOptions = dict[str, Any]
"""Options of view, decode, to_json or trim."""


def converter(
    type_: RecordType, to: str, select: Selection, options: ValueOptions, is_lines: bool = False
) -> Converter:
    """A function that makes the value of a record. is_lines: the records are texts of Apache's JSON
    protocol."""
    if to == "message":
        _refuse_options(select, options, to)
        return _message_converter(None if isinstance(type_, Type) else type_, is_lines)
    if to == "bytes" and select is None:
        _refuse_options(None, options, to)
        return bytes_of
    if type_ is None:
        raise TypeError(f"scan(): to={to!r} needs a type")
    if not isinstance(type_, Type):
        raise TypeError(
            f"scan(): type must be a Type, such as tl.load(path)['Order'], not {shown(type_)}"
        )
    _check_names(
        options, to, {"json": "to_json", "dict": "decode", "bytes": "trim"}.get(to, "view")
    )
    convert = _value_converter(type_, to, select, options)
    return _line_converter(type_, convert, options.get("depth", 64)) if is_lines else convert


def _message_converter(source: Union[Service, Schema, None], is_lines: bool) -> Converter:
    services = services_of(source)
    if is_lines:
        return lambda cut, protocol: read_message(bytes(cut.bytes()), services)
    return lambda cut, protocol: message_of(cut.message, bytes(cut.bytes()), services, cut.data)


def _value_converter(type_: Type, to: str, select: Selection, options: ValueOptions) -> Converter:
    if to == "json":
        return TypeReader(
            type_.to_json, options if select is None else {"select": select, **options}
        )
    decode: Callable[..., Value] = type_.view if to == "view" else type_.decode
    if select is None:
        return TypeReader(decode, options, gives_views=to == "view")
    selection = select
    if to == "bytes":
        return lambda cut, protocol: type_.trim(
            cut.bytes(), selection, protocol=protocol, **options
        )
    options.setdefault("missing_required", "omit")
    if options.get("into") is not None:
        options["into"] = Partial(options["into"])
    return lambda cut, protocol: decode(
        type_.trim(cut.bytes(), selection, protocol=protocol), protocol=protocol, **options
    )


def _line_converter(type_: Type, convert: Converter, depth: int) -> Converter:
    """A converter of texts of Apache's JSON protocol, which are converted to Binary first."""

    def convert_line(cut: Cut, protocol: WireProtocol) -> Value:
        data = _core.convert(cut.bytes(), source="tjson", target="binary", type=type_, depth=depth)
        return convert(cut._replace(data=data, value=(0, len(data))), "binary")

    return convert_line


def _refuse_options(select: Selection, options: ValueOptions, to: str) -> None:
    names = ", ".join(options if select is None else ["select", *options])
    if names:
        raise TypeError(f'scan(): {names} cannot be used with to="{to}"')


def _check_names(options: ValueOptions, to: str, method: str) -> None:
    """Raises TypeError for a name that is not an option of the method."""
    known = _core.signatures()[method] if options else {}
    for name in options:
        if name not in known:
            hint = did_you_mean(name, [*known, *ScanOptions.__annotations__])
            raise TypeError(f'scan(): unknown option {name!r} with to="{to}"{hint}')


_PROBES: dict[str, dict[str, str]] = {
    "lines": {"framing": "hex", "protocol": "binary"},
    "list": {"framing": "none"},
}
"""Options of cut_records in place of those that it does not know."""


class ScanOptions(JsonOptions, total=False):
    """Options of scan that do not change the type of its records, for type checkers."""

    protocol: AnyProtocol
    enums: Literal["number", "name", "member"]
    depth: int
    select: Selection
    compression: str
    truncated: Literal["error", "drop"]
    start: int
    number: int
    limit: Optional[int]
    record_size: int
    prefix_size: int


_OnError = Literal["raise", "skip"]
_Messages = Literal["message", "framed"]


class _FramedOptions(ScanOptions, total=False):
    framing: str
    on_error: _OnError


@overload
def scan(  # type: ignore[overload-overlap, unused-ignore]
    source: Source,
    type: RecordType = ...,
    *,
    to: Literal["message"] = ...,
    framing: _Messages,
    on_error: _OnError = ...,
    **options: Unpack[ScanOptions],
) -> Scan[Message]: ...
@overload
def scan(
    source: Source, type: Type, *, to: Literal["view"] = ..., **options: Unpack[_FramedOptions]
) -> Scan[StructView]: ...
@overload
def scan(
    source: Source, type: Type, *, to: Literal["json"], **options: Unpack[_FramedOptions]
) -> Scan[bytes]: ...
@overload
def scan(
    source: Source,
    type: RecordType = ...,
    *,
    to: Literal["bytes"],
    **options: Unpack[_FramedOptions],
) -> Scan[bytes]: ...
@overload
def scan(
    source: Source, type: Type, *, to: Literal["dict"], **options: Unpack[_FramedOptions]
) -> Scan[dict[str, Value]]: ...
@overload
def scan(
    source: Source,
    type: Type,
    *,
    to: Literal["dict"],
    into: type[_M],
    **options: Unpack[_FramedOptions],
) -> Scan[_M]: ...
@overload
def scan(
    source: Source,
    type: RecordType = ...,
    *,
    to: Optional[str] = ...,
    framing: str = ...,
    on_error: OnError = ...,
    **options: Unpack[ScanOptions],
) -> Scan[Value]: ...
def scan(
    source: Source,
    type: RecordType = None,
    *,
    framing: str = "none",
    protocol: str = "binary",
    to: Optional[str] = None,
    select: Selection = None,
    compression: str = "auto",
    on_error: OnError = "raise",
    truncated: str = "error",
    start: int = 0,
    number: int = 0,
    limit: Optional[int] = None,
    **options: Any,
) -> Scan:
    """Iterates over the records of a source. Keeps one piece of the source and one record in
    memory.

    source: a path or a pattern such as "logs/*.bin"; bytes; a file object; or an iterable of paths,
        or of bytes, which are chunks of one stream.
    type: the type of the records; for messages their service, or the schema of their services.
        Optional for to="bytes" and to="message".
    framing: the name of a framing, listed below. Null records are returned as None. Text before the
        last word of a line, such as a log's time, is ignored. The record of a message is the struct
        after its header. "lines" requires protocol="tjson", and the reverse.
    to: "view"; "dict", as from decode; "json", as from to_json; "bytes"; or "message", the default
        for messages.
    select: a selection to apply to every record.
    prefix_size: bytes to skip before every value: 5 for Confluent's serializers, which write a
        zero byte and a schema id.
    compression: "auto" detects it, also in several layers; or "none", "gzip", "bzip2", "xz",
        "zstd", "zlib", or for a complete text "base64" (wrapped or not) or "hex". Records that are
        compressed individually are always decompressed.
    on_error: "raise"; "skip" drops invalid records; "null" returns None for them; a function is
        called with a Rejected, and its result, unless None, replaces the record. If the end of a
        record is unknown (framing "none", or a truncated frame), the error is always raised.
    truncated: "error" raises if the source ends inside a record or a compressed block; "drop" stops
        there (see Scan.truncations).
    start, number: the offset to start at, and the number of the record there (Scan.offset and
        Scan.number of an earlier scan).
    limit: maximum number of records. record_size: maximum size of a record. options: those of view,
        decode (`into` too), to_json or trim.

    Errors: DecodeError and the errors of view, decode, to_json and trim, with `record`,
        `record_offset` and the `offset` in the source.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point
    >>> data = b"".join(Point.encode({"x": x}) for x in range(3))
    >>> [point.x for point in tl.scan(data, Point)]
    [0, 1, 2]
    >>> list(tl.scan(data, Point, to="json", start=8, number=1))
    [b'{"x":1}', b'{"x":2}']
    """
    if isinstance(source, Type):
        raise TypeError("scan(): the source comes before the type: scan(source, type)")
    if to is None:
        to = "message" if framing in ("message", "framed") else "view"
    _check_framing(framing, protocol, to)
    _check_handling(compression, on_error, truncated)
    _check_positions(start=start, number=number, limit=limit)
    cut_options = _cut_options(framing, protocol, options)
    if to in ("bytes", "message") or options.get("depth") == 64:
        options.pop("depth", None)
    if to == "view" and "into" in options:
        raise TypeError('scan(): into= needs to="dict"')
    layers = Layers(compression, texts=framing not in (*TEXT_FRAMINGS, "lines"))
    convert = converter(type, to, select, options, framing == "lines")
    inputs = inputs_of(source, layers)
    return Scan(inputs, convert, cut_options, on_error, start, number, limit, truncated)


if scan.__doc__ is not None:  # python -OO
    scan.__doc__ += "\n    Framings:\n\n" + "".join(
        f"    - {name}: {description}\n" for name, description in FRAMINGS.items()
    )


def _cut_options(framing: str, protocol: str, options: ValueOptions) -> Options:
    """The options of cut_records, checked; removes those that are not for values."""
    cut_options = {
        "framing": "message" if framing == "framed" else framing,
        "protocol": protocol,
        "depth": options.get("depth", 64),
        "record_size": options.pop("record_size", 1 << 28),
        "prefix_size": options.pop("prefix_size", 0),
    }
    _core.cut_records(b"", **{**cut_options, **_PROBES.get(framing, {})})
    return {**cut_options, "framed": True} if framing == "framed" else cut_options


def _check_framing(framing: str, protocol: str, to: str) -> None:
    """Raises ValueError for an unknown framing or kind of values, and for those that do not go
    together."""
    _check_choice("framing", framing, FRAMINGS)
    is_lines = framing == "lines"
    if is_lines != (protocol == "tjson"):
        raise ValueError('scan(): framing="lines" and protocol="tjson" must be used together')
    if to == "message" and framing not in ("message", "framed", "lines"):
        raise ValueError('scan(): to="message" needs framing="message", "framed" or "lines"')
    _check_choice("to", to, ("view", "dict", "json", "bytes", "message"))


def _check_handling(compression: str, on_error: OnError, truncated: str) -> None:
    """Raises ValueError for unknown words."""
    _check_choice("compression", compression, COMPRESSIONS)
    if not callable(on_error):
        _check_choice("on_error", on_error, ("raise", "skip", "null"))
    _check_choice("truncated", truncated, ("error", "drop"))


def _check_positions(**positions: Optional[int]) -> None:
    for name, value in positions.items():
        if value is not None:
            IntegerRange(0, 1 << 62).check(name, value)


def _check_choice(name: str, value: object, values: Collection[str]) -> None:
    if value not in values:
        advice = "; or a function" if name == "on_error" else ""
        raise ValueError(f"scan(): {name} {not_one_of(value, values)}{advice}")
