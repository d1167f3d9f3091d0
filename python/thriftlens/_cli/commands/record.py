"""`thriftlens record`: a proxy that forwards bytes unchanged and writes the messages to a file."""

from __future__ import annotations

from typing import Optional

import click

from ..._capture.proxy import Recorder, run
from ..._records.redaction import Redactor
from ..._schema.schemas import Schema
from .. import options as opt
from ..connection import listen_option, read_address
from ..idl import LoadOptions, idl_list_options, load_schemas, services_of
from ..report import plural, say
from ..rules import (
    UNCOVERED,
    RuleOptions,
    annotation_options,
    exempt_option,
    redactor_of,
    warn_of_annotations,
)

_RULES = (
    "annotation values default_action types unknown missing_required key_file paths exempt".split()
)


@opt.command()
@click.argument("server", metavar="HOST:PORT", callback=read_address)
@click.argument("file", metavar="FILE", type=click.Path())
@listen_option("127.0.0.1:0")
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Maximum number of calls; then it exits."
)
@idl_list_options
@opt.grouped(
    "redaction",
    RuleOptions,
    annotation_options,
    opt.pair_option(
        "--redact-path",
        "paths",
        "PATH ACTION",
        "Redact the value at PATH: get.result.success.mail.",
    ),
    exempt_option,
)
def record(
    server: tuple[str, int],
    file: str,
    listen: tuple[str, int],
    limit: Optional[int],
    idls: tuple[str, ...],
    loading: LoadOptions,
    redaction: RuleOptions,
) -> None:
    """Forward connections to the server at HOST:PORT, and write the messages of both directions to
    FILE until Ctrl-C.

    Bytes are forwarded unchanged. IDL is only needed for redaction of FILE by --annotation,
    --redact-type and --redact-path, as by redact for a service.
    With redaction, messages that cannot be read and fields that are not in the IDL are not written;
    a message that matches several services is redacted by the rules of all of them. Passwords of
    SASL and HTTP are never written."""
    schemas = load_schemas(idls, loading)
    redactor = _redactor(schemas, redaction)
    result = run(listen, server, file, redactor, limit, say)
    say(f"{file}: {_counts(result)}")


def _redactor(schemas: dict[str, Schema], redaction: RuleOptions) -> Optional[Redactor]:
    """The redactor by the options; None without a redaction option."""
    if not any(opt.is_explicit(name) for name in _RULES):
        return None
    services = services_of(schemas)
    if not services:
        raise click.UsageError("redaction needs --idl")
    rules = redaction.common()
    redactor = redactor_of(services, redaction, rules)
    for idl, schema in schemas.items():
        warn_of_annotations(idl, schema, rules)
    return redactor


def _counts(recorder: Recorder) -> str:
    parts = f"{plural(recorder.messages, 'message')}, {plural(recorder.calls, 'call')}"
    if recorder.lost:
        parts += f"; {plural(recorder.lost, 'byte range')} skipped"
    if recorder.uncovered:
        nouns = UNCOVERED[recorder.uncovered != 1]
        parts += f"; {recorder.uncovered} {nouns} recorded unchanged"
    return parts
