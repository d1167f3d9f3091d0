"""Calls of one function: options, encoding of arguments, decoding of replies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Callable, NamedTuple, Optional, Union

from .._errors import EncodeError, Error, without_option
from .._schema.models import Partial
from .._typing import Value
from .arguments import Arguments
from .call_models import Models, exception_class, values_model
from .message import Message
from .options import RESULTS, TIMEOUT, DecodeOptions, WireProtocol, check_mapping, check_word
from .replies import business_error, read_application_error, result_field
from .target import ResultSelection

if TYPE_CHECKING:
    from .. import _core
    from .._schema.services import Function

Selection = Union[str, Sequence[str]]


class CallOptions(NamedTuple):
    """Options of a call; a client holds the defaults."""

    result: str = "dict"
    timeout: Optional[float] = 60.0
    headers: Optional[Mapping[str, str]] = None
    select: Optional[Selection] = None

    def updated(self, options: Mapping[str, Value]) -> CallOptions:
        """With the options of one call; their headers are added. Raises for invalid options."""
        if "result" in options:
            check_word("result", options["result"], RESULTS)
        if "timeout" in options:
            TIMEOUT.check("timeout", options["timeout"])
        headers = options.get("headers")
        check_mapping("headers", headers)
        if headers is not None and self.headers:
            options = {**options, "headers": {**self.headers, **headers}}
        return self._replace(**options)


class Prepared:
    """Encodes the arguments and decodes the replies of one function, in the protocol of a
    client."""

    def __init__(
        self,
        function: Function,
        protocol: WireProtocol,
        prefix: str = "",
        decode: Optional[DecodeOptions] = None,
        models: Optional[Models] = None,
    ):
        streaming = getattr(function, "streaming", "none")
        if streaming not in (None, "none"):
            raise Error(
                f"unsupported streaming function {function.name} ({streaming})", code="streaming"
            )
        self.function = function
        self.protocol = protocol
        self.name = prefix + function.name
        self.oneway = function.oneway
        self.returns = function.returns
        self._options = dict(decode or {})
        self._model = values_model(function.result, models)
        self._decoders: dict[WireProtocol, Callable[[bytes], Value]] = {}
        self._set_codecs()
        self.throws = {
            name: exception_class(field.type, models)
            for name, field in function.result.fields.items()
            if field.id != 0 and field.type.kind == "exception"
        }
        self._arguments = arguments = Arguments(function)
        self.parameters = arguments.parameters
        self.bind = arguments.bind

    def use(self, protocol: WireProtocol) -> None:
        """Uses the protocol for further calls."""
        if protocol != self.protocol:
            self.protocol = protocol
            self._set_codecs()

    def _set_codecs(self) -> None:
        self.encode = self.function.arguments.encoder(protocol=self.protocol).encode
        self._decoder(self.protocol)  # raises for invalid options

    def data_of(self, arguments: Value) -> bytes:
        """The encoded argument struct. arguments: by name; or that struct as bytes in the protocol
        of the client, which are validated."""
        if not isinstance(arguments, (bytes, bytearray, memoryview)):
            if arguments is None or (
                isinstance(arguments, (tuple, list, str, int, float))
                and not hasattr(arguments, "_fields")
            ):
                arguments = self._arguments.check_named(arguments)
            return self.encode(arguments)
        return self._validated(bytes(arguments))

    def _validated(self, data: bytes) -> bytes:
        try:
            self.function.arguments.validate(data, protocol=self.protocol)
        except Error as error:
            raise EncodeError(
                f"invalid encoded arguments of {self.function.name}: {without_option(error)}",
                code=error.code,
                path=error.path,
                offset=error.offset,
            ) from None
        return data

    def selection(self, select: Optional[Selection]) -> Optional[ResultSelection]:
        """The selection on the result struct, to which the declared exceptions are added: they are
        never cut away."""
        if select is None:
            return None
        selected = self._selected(select)
        # Raises for an invalid selection.
        self.function.result.trim(b"\0", selected, protocol=self.protocol)
        return self.function.result, selected

    def _selected(self, select: Selection) -> Selection:
        if isinstance(select, str):
            is_unchanged = (
                not self.throws
                or re.match(r"\s*\{\s*[*-]", select)
                or not select.rstrip().endswith("}")
            )
            return select if is_unchanged else f"{select.rstrip()[:-1]} {' '.join(self.throws)} }}"
        if isinstance(select, Iterable):
            return [*select, *(f"$.{name}" for name in self.throws)]
        return select

    def success_selection(self, select: Optional[Selection]) -> Optional[Selection]:
        """Converts a selection on the success value to one on the result struct."""
        if select is None:
            return None
        if isinstance(select, str):
            return on_success(self.function, select)
        if self.returns is None:
            raise _nothing_to_select(self.function)
        if isinstance(select, Iterable):
            return [
                "$.success" + (path[1:] if path.startswith("$") else f".{path}") for path in select
            ]
        raise TypeError("select must be a str or a list of paths")

    def outcome(self, event: _core.SessionEvent, options: CallOptions) -> Value:
        """The result of a call in the requested form. Raises the exceptions of the server."""
        if event.error is not None:  # the selection failed; the connection is still usable
            raise event.error
        # Apache's THeader servers may answer in Binary.
        protocol = event.protocol if event.protocol != "binary_old" else "binary"
        if options.result == "message":
            return self._message(event, protocol)
        if event.kind == "exception":
            raise read_application_error(event.data, protocol)
        if event.headers and (
            business := business_error(event.name, event.headers, event.transport)
        ):
            raise business
        field = result_field(self.function, event.data, protocol)
        if field in self.throws or options.result == "dict":
            if options.select is not None:
                value = self._partial_decode(event.data, protocol, field in self.throws)
            else:
                value = (self._decoders.get(protocol) or self._decoder(protocol))(event.data)
            if field in self.throws:
                error = value[field]
                raise error if isinstance(error, BaseException) else self.throws[field](**error)
            return None if field is None else value[field]
        return self._formed(event.data, protocol, options)

    def _message(self, event: _core.SessionEvent, protocol: WireProtocol) -> Message:
        fields = event.name, event.kind, event.sequence_id, event.data
        return Message(*fields, protocol, True, self.function, headers=event.headers)

    def _decoder(self, protocol: WireProtocol) -> Callable[[bytes], Value]:
        if protocol not in self._decoders:
            self._decoders[protocol] = self.function.result.decoder(
                protocol=protocol, into=self._model, **self._options
            ).decode
        return self._decoders[protocol]

    def _partial_decode(self, data: bytes, protocol: WireProtocol, is_exception: bool) -> Value:
        """is_exception: selections do not cut exceptions."""
        options = {"missing_required": "omit", **self._options}
        into = self._model if self._model is None or is_exception else Partial(self._model)
        return self.function.result.decode(data, protocol=protocol, into=into, **options)

    def _formed(self, data: bytes, protocol: WireProtocol, options: CallOptions) -> Value:
        """The success value as a view, JSON or bytes."""
        missing = "error" if options.select is None else "omit"
        decode_options = {"missing_required": missing, **self._options}
        view = self.function.result.view(data, protocol=protocol, **decode_options)
        if self.returns is None:
            return {"json": b"null", "bytes": b""}.get(options.result)
        if options.result == "json":
            text = self.function.result.to_json(data, protocol=protocol, **decode_options)
            return text[len(b'{"success":') : -1]
        success = view["success"]
        if options.result == "view":
            return success
        if self.returns.kind in _VIEWED and protocol == self.protocol:
            return bytes(success)
        return self.returns.encode(success, protocol=self.protocol)


_VIEWED = ("list", "set", "map", "struct", "union", "exception")


def on_success(function: Function, select: str) -> str:
    """Converts a selection on the success value to one on the result struct.

    Error offsets are those in `select`."""
    if function.returns is None:
        raise _nothing_to_select(function)
    selected = f"{{ success {select} }}"
    try:
        function.result.trim(b"\0", selected)
    except Error:
        function.returns.trim(b"", select)
        raise
    return selected


def _nothing_to_select(function: Function) -> TypeError:
    return TypeError(f"{function.name} returns void: no fields to select")
