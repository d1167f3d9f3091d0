"""`thriftlens record`: a proxy that forwards bytes unchanged and writes the messages to a file."""

from __future__ import annotations

from typing import Any, Callable, Optional

import click

from ..._capture.proxy import run
from ..._errors import Error
from ..._records.redaction import PathRule, Redactor
from .. import options as opt
from .. import report
from ..input import services_of, take_schemas
from ..rules import (
    UNCOVERED,
    annotation_options,
    exempt_option,
    fail_of_rules,
    key_of,
    unique_pairs,
    warn_of_annotations,
)

Say = Callable[[str], None]


@click.command()
@click.argument("server", metavar="HOST:PORT", callback=opt.read_address)
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "--listen",
    callback=opt.read_address,
    default="127.0.0.1:0",
    show_default=True,
    metavar="HOST:PORT",
    help="Address to listen on; port 0: any free port.",
)
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="Exit after this number of answered calls."
)
@opt.idl_list_options
@annotation_options
@click.option(
    "--path",
    "paths",
    type=(str, str),
    multiple=True,
    metavar="PATH ACTION",
    help="Redact the value at PATH, such as find.result.success.mail.",
)
@exempt_option
def record(
    server: tuple[str, int],
    file: str,
    listen: tuple[str, int],
    limit: Optional[int],
    **options: Any,
) -> None:
    """Forward connections to the server at HOST:PORT, and write the messages of both directions to
    FILE until Ctrl-C.

    Bytes are forwarded unchanged. IDL is only needed for redaction of FILE by --annotation, --type
    and --path, as by redact for a service.
    With redaction, messages that cannot be read and fields that are not in the IDL are not written;
    a message that may be of several services is redacted by the rules of all of them. Passwords of
    SASL and HTTP are never written."""
    rules = {
        name: options.pop(name)
        for name in ("annotation", "values", "otherwise", "types", "unknown", "missing_required")
    }
    paths, key_file, exempt = options.pop("paths"), options.pop("key_file"), options.pop("exempt")
    schemas = take_schemas(options)
    services = services_of(schemas)
    redact = None
    if paths or exempt or any(opt.is_explicit(name) for name in ("key_file", *rules)):
        if not services:
            raise click.UsageError("redaction needs --idl")
        rules.update(
            values=unique_pairs("--value", rules["values"]),
            types=unique_pairs("--type", rules["types"]),
            key=key_of(key_file),
        )
        try:
            path_rules = [PathRule.parse(*pair) for pair in unique_pairs("--path", paths).items()]
            redact = Redactor(services, rules, path_rules, exempt=exempt)
        except Error as error:
            fail_of_rules(error)
        for idl, schema in schemas.items():
            warn_of_annotations(idl, schema, rules)
    result = run(listen, server, file, redact, limit, report.say)
    lost = f"; {report.plural(result.lost, 'piece')} skipped" if result.lost else ""
    if result.uncovered:
        uncovered = f"; {result.uncovered} {UNCOVERED[result.uncovered != 1]} recorded unchanged"
    else:
        uncovered = ""
    report.say(
        f"{file}: {report.plural(result.messages, 'message')}, "
        f"{report.plural(result.calls, 'call')}{lost}{uncovered}"
    )
