"""`thriftlens trim`, `redact` and `rewrite`."""

import collections
import functools
from typing import Any, Callable, Mapping, MutableMapping, Optional

import click

from ..._core import Rewrite
from ..._errors import Error, UnknownNameError
from ..._records.cuts import Cut
from ..._rpc import message as _message
from ..._schema.results import RedactReport
from ..._schema.services import Service
from ..._text import escaped
from .. import completion as _complete
from .. import options as opt
from ..input import Input, load_schema, take_input, typed, typed_in
from ..records import Tally, rewrite_records
from ..report import fail, print_text
from ..rules import (
    RULES,
    apply_rewrite,
    exempt_option,
    fail_of_rules,
    is_without_drops,
    redaction_options,
    say_tally,
    take_rules,
    warn_of_annotations,
    with_json,
)


@click.command()
@opt.value_options
@click.argument("selection")
@opt.file_argument()
@opt.bytes_output_option
@opt.choice(
    "trim", "unknown", help="Fields that are not in the IDL, in structs whose fields are selected."
)
@opt.choice(
    "trim", "defaults", help="Selected fields that are absent and have a default in the IDL."
)
@opt.output_size_option
def trim(
    idl: str, type_name: str, selection: str, file: str, output: Optional[str], **options: Any
) -> None:
    """Keep only the parts in SELECTION: '{ id user { name } }', '{ * -debug }'."""
    spec, type_ = typed(take_input(file, options), idl, type_name, options)
    rewrite_records(spec, output, options, lambda data: type_.trim(data, selection, **options))


@click.command()
@opt.value_options
@opt.file_argument()
@opt.bytes_output_option
@click.option("--select", metavar="SELECTION", help="Parts to keep, as for trim.")
@redaction_options
@click.option(
    "--set",
    "sets",
    type=(str, str),
    multiple=True,
    metavar="PATH JSON",
    help="Set the value at PATH.",
    shell_complete=_complete.paths_of_pairs,
)
@click.option(
    "--delete",
    "deleted",
    multiple=True,
    metavar="PATH",
    help="Remove the value at PATH.",
    shell_complete=_complete.paths,
)
@opt.output_size_option
def rewrite(
    idl: str, type_name: str, file: str, output: Optional[str], select: Optional[str],
    sets: tuple[tuple[str, str], ...], deleted: tuple[str, ...], **options: Any
) -> None:  # fmt: skip
    """Trim, redact and edit in one pass over the bytes, in this order. A step is skipped without
    its options.

    Without a redaction option nothing is redacted, and fields not in the IDL are copied."""
    spec, schema = take_input(file, options), load_schema(idl, options)
    spec, type_ = typed_in(schema, spec, type_name)
    # Any redaction option counts, so that options without a rule are an error, as in redact.
    is_redaction = any(opt.is_explicit(name) for name in RULES)
    unredacted = options.pop("unredacted")
    if is_redaction:
        spec = spec._replace(unredacted=unredacted)
    rules = take_rules(options)

    def change(data: Any) -> Rewrite:
        plan = type_.rewrite(data, **options)
        if select is not None:
            plan.trim(select)
        if is_redaction:
            plan.redact(**rules)
        for path, json in sets:
            with_json(plan.set, path, json)
        for path in deleted:
            plan.erase(path)
        return plan

    try:
        change(b"")
    except Error as error:  # rules or edits that do not match TYPE
        fail_of_rules(error)
    warn_of_annotations(idl, schema, rules)
    apply_rewrite(spec, output, options, change)


@click.command()
@opt.value_options
@opt.file_argument()
@opt.bytes_output_option
@redaction_options
@exempt_option
@opt.output_size_option
@click.option(
    "--explain",
    is_flag=True,
    help="Print the fields that would be redacted: path, action and reason. FILE is not read.",
)
def redact(
    idl: str, type_name: str, file: str, output: Optional[str], explain: bool, **options: Any
) -> None:
    """Remove or mask data by rules. ACTION: keep, drop, blank, hash, keep_last(4) or
    constant(text).

    If TYPE is a service, FILE holds RPC messages: the arguments, results and exceptions of all its
    functions are redacted, and PATH is
    FUNCTION.arguments.FIELD or FUNCTION.result.FIELD; FUNCTION may be SERVICE.FUNCTION or '*'.
    Messages of functions without a rule are copied and counted; if all rules are paths, such a
    function is an error unless --exempt names it. A rule that matches nothing is an error. Data
    that no rule can apply to is dropped and counted on stderr: fields that are not in the IDL,
    other messages, bytes before records."""
    schema = load_schema(idl, options)
    is_service = type_name in schema.services
    if is_service:
        _expect_messages(options)
    spec = take_input(file, options)._replace(unredacted=options.pop("unredacted"))
    exempt = options.pop("exempt")
    if is_service:
        warn = functools.partial(warn_of_annotations, idl, schema)
        return _redact_service(
            spec, schema.service(type_name), output, explain, options, exempt, warn
        )
    if exempt:
        raise click.UsageError("--exempt needs a service as TYPE")
    spec, type_ = typed_in(schema, spec, type_name)
    rules = take_rules(options)
    try:
        listing = type_.redactions(**rules)
    except Error as error:  # rules that do not match TYPE
        fail_of_rules(error)
    if (
        not any(row.action != "keep" and row.path != "#*" for row in listing)
        and rules["missing"] == "error"
    ):
        fail("nothing to redact: the action of all rules is keep", status=2)
    warn_of_annotations(idl, schema, rules)
    if explain:
        return print_text("".join("\t".join(map(escaped, row)) + "\n" for row in listing))
    apply_rewrite(
        spec,
        output,
        options,
        lambda data: type_.rewrite(data, **options).redact(**rules),
        is_without_drops(listing),
    )


def _expect_messages(options: MutableMapping[str, Any]) -> None:
    """Sets --framing message for a service as TYPE; other framings and --protocol are errors."""
    if options["framing"] not in (None, "message") or options["lead"] or options["lines"]:
        raise click.UsageError(
            "TYPE is a service: FILE must hold messages (--framing message); decode base64 or hex "
            "lines first, for example with base64 -d"
        )
    if opt.is_explicit("protocol"):
        raise click.UsageError(
            "TYPE is a service: messages declare their protocol; remove --protocol"
        )
    options["framing"] = "message"


def _redact_service(
    spec: Input, service: Service, output: Optional[str], explain: bool, options: dict[str, Any],
    exempt: tuple[str, ...], warn: Callable[[Mapping[str, Any]], None]
) -> None:  # fmt: skip
    """Redacts messages of all functions of a service."""
    from ..._records.redaction import PathRule, Redactor

    rules = take_rules(options)
    paths, missing = rules.pop("paths"), rules.pop("missing")
    try:
        redact = Redactor(
            [service],
            rules,
            [PathRule.parse(path, action) for path, action in paths.items()],
            missing,
            exempt,
        )
    except Error as error:
        fail_of_rules(error)
    warn(rules)
    if explain:
        return print_text("".join("\t".join(map(escaped, row)) + "\n" for row in redact.listing()))
    tally: Tally = collections.Counter()
    counts_merged = is_without_drops(redact.listing())

    def report(counts: RedactReport) -> None:
        tally["unknown field"] += counts.unknown
        tally["merged"] += counts_merged * (counts.dropped - counts.unknown)

    def redacted(cut: Cut) -> Optional[bytes]:
        message = _message.message_of(cut.message, cut.bytes(), None, cut.data)
        try:
            data = bytes(redact(message, report=report).data)
            if not redact.has_rule(message):
                tally["uncovered"] += 1
            return data
        except UnknownNameError as error:
            if spec.unredacted == "error":
                raise Error(
                    f"{error}; drop it with --unredacted drop",
                    code="not_redacted",
                    offset=cut.begin,
                ) from None
            tally["unknown"] += 1
            if spec.unredacted == "drop":
                return None
            tally["kept"] += 1
            return bytes(message.data)

    rewrite_records(spec, output, options, lambda data: bytes(data), tally, redacted)
    say_tally(spec, tally)
