"""`thriftlens messages`: RPC messages as JSON."""

import binascii
import json
from typing import Any, Optional

import click

from ..._records.cuts import Cut
from ..._rpc import message as _message
from .. import options as opt
from ..input import Input, load_schema, reading
from ..records import process_cuts
from ..report import say
from ..sink import writing


@click.command()
@opt.idl_argument
@opt.file_argument()
@opt.output_option
@click.option(
    "--service",
    "service_name",
    metavar="NAME",
    help="Service of the functions; default: all services of the IDL.",
)
@opt.integer("decode", "depth", help="Maximum nesting depth.")
@click.option(
    "--framed",
    is_flag=True,
    help="All messages are framed: reading continues after an invalid one. Set when the first message is framed.",
)
@opt.record_options
@opt.jobs_option
@opt.choices("to_json", "enums=name", "unknown", "invalid_utf8=replace")
def messages(
    idl: str,
    file: str,
    output: str,
    service_name: Optional[str],
    depth: int,
    framed: bool,
    **options: Any,
) -> None:
    """Print the RPC messages in FILE as lines of JSON: name, kind, sequence id, protocol and value.

    FILE holds messages with or without frames, or lines of Apache's JSON protocol. The value is the
    arguments of a call, the result of a reply (success or a declared exception), or an application
    exception. For a function that is not in the IDL it is null, and `data` has the bytes in base64.
    """
    spec = Input(
        file,
        "message",
        *(
            options.pop(name)
            for name in ("max_size", "on_error", "start", "limit", "jobs", "cut_end")
        ),
    )
    spec = spec._replace(framed=framed)
    schema = load_schema(idl, options)
    if not schema.services:
        say(f"{idl}: warning: no service declared; the values of messages are not decoded")
    services = (
        list(schema.services.values()) if service_name is None else [schema.service(service_name)]
    )

    def line(cut: Cut) -> bytes:
        if cut.message is None:
            message = _message.read_message(bytes(cut.bytes()))  # a line of text
        else:
            message = _message.message_of(cut.message, bytes(cut.bytes()), None, cut.data)
        message = message._replace(function=_message.function_in(services, message.name))
        head: dict[str, Any] = {
            "record": cut.number,
            "offset": cut.begin,
            "name": message.name,
            "kind": message.kind,
        }
        head.update(sequence_id=message.sequence_id, protocol=message.protocol)
        if message.trace is not None:
            head["trace"] = message.trace.to_dict()
        value = b"null"
        if message.is_known:
            value = message.to_json(depth=depth, nonfinite="string", **options)
        else:
            head["data"] = binascii.b2a_base64(message.data, newline=False).decode()
        return (
            json.dumps(head, ensure_ascii=False, default=_text_of)[:-1].encode()
            + b', "value": '
            + value
            + b"}\n"
        )

    with reading(spec, None) as (spec, source), writing(output) as sink:
        if source.begins_with_text():
            spec = spec._replace(framing="lines")
        process_cuts(spec, source, sink, {"depth": depth}, line, b"null\n", [])


def _text_of(data: bytes) -> str:
    """Bytes of a header as base64 text."""
    return binascii.b2a_base64(data, newline=False).decode()
