"""`thriftlens messages`: RPC messages as JSON."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Optional, Sequence

import click

from ..._records.cuts import Cut
from ..._rpc import message as _message
from ..._schema.services import Service
from ..._typing import MessageJsonOptions
from .. import options as opt
from ..idl import IdlFile, idl_argument
from ..input import RecordOptions, file_argument, framed_input, reading, record_options
from ..options import Decoding
from ..records import Processor
from ..report import say
from ..sink import writing

if TYPE_CHECKING:
    from typing_extensions import Unpack


@opt.command()
@idl_argument
@file_argument()
@opt.output_option
@click.option(
    "--service",
    "service_name",
    metavar="NAME",
    help="Service of the functions; default: all services of the IDL.",
)
@opt.depth_option
@click.option(
    "--framed",
    is_flag=True,
    help="All messages are framed: reading continues after an invalid one. Implied if the first "
    "message is framed.",
)
@record_options
@opt.jobs_option
@opt.choices("to_json", "enums=name", "unknown", "invalid_utf8=replace")
def messages(
    idl: IdlFile,
    file: str,
    output: str,
    service_name: Optional[str],
    framed: bool,
    records: RecordOptions,
    **options: Unpack[MessageJsonOptions],
) -> None:
    """Print the RPC messages in FILE as lines of JSON: name, kind, sequence id, protocol and value.

    FILE contains messages with or without frames, or lines of Apache's JSON protocol. The value is
    the arguments of a call, the result of a reply (success or a declared exception), or an
    application exception. For unknown functions it is null, and `data` has the bytes in base64.
    """
    spec = framed_input(file, "message", records)._replace(framed=framed)
    writer = _MessageWriter(_services(idl, service_name), options)
    with reading(spec, None) as (spec, source), writing(output) as sink:
        if source.begins_with_text():
            spec = spec._replace(framing="lines")
        decoding = Decoding("binary", options["depth"])
        Processor(spec, source, sink, decoding).run_cuts(writer.line)


def _services(idl: IdlFile, name: Optional[str]) -> list[Service]:
    """The service of that name, or all services of the IDL."""
    schema = idl.load()
    if not schema.services:
        say(f"{idl.path}: warning: no service declared; the values of messages are not decoded")
    return list(schema.services.values()) if name is None else [schema.service(name)]


class _MessageWriter:
    """Converts messages to lines of JSON."""

    def __init__(self, services: Sequence[Service], options: MessageJsonOptions):
        self._services = services
        self._options: MessageJsonOptions = {**options, "nonfinite": "string"}

    def line(self, cut: Cut) -> bytes:
        message = self._message(cut)
        members = self._members(message, cut)
        text = json.dumps(members, ensure_ascii=False, default=_base64)[:-1].encode()
        return text + b', "value": ' + self._value(message) + b"}\n"

    def _members(self, message: _message.Message, cut: Cut) -> dict[str, object]:
        members: dict[str, object] = {
            "record": cut.number,
            "offset": cut.begin,
            "name": message.name,
            "kind": message.kind,
            "sequence_id": message.sequence_id,
            "protocol": message.protocol,
        }
        if message.trace is not None:
            members["trace"] = message.trace.to_dict()
        if not message.is_known:
            members["data"] = message.data
        return members

    def _value(self, message: _message.Message) -> bytes:
        if not message.is_known:
            return b"null"
        return message.to_json(**self._options)

    def _message(self, cut: Cut) -> _message.Message:
        data = bytes(cut.bytes())
        if cut.message is None:  # a line of text
            message = _message.read_message(data)
        else:
            message = _message.message_of(cut.message, data, None, cut.data)
        return message._replace(function=_message.function_in(self._services, message.name))


def _base64(data: _message.BytesLike) -> str:
    return base64.b64encode(data).decode()
