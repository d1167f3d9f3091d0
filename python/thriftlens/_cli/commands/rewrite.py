"""`thriftlens trim`, `redact` and `rewrite`."""

from __future__ import annotations

import collections
import dataclasses
from typing import TYPE_CHECKING, Iterable, Literal, Optional, TypedDict

import click

from ..._core import Rewrite
from ..._errors import Error, UnknownNameError
from ..._records.cuts import Cut
from ..._records.redaction import Redactor
from ..._rpc import message as _message
from ..._schema.results import Redaction, RedactReport
from ..._schema.schemas import Schema
from ..._schema.types import Type
from ..._text import escaped
from .. import completion as _complete
from .. import options as opt
from ..input import RecordOptions, StructInput, input_of, typed_in, value_options
from ..records import Tally
from ..report import fail, print_text
from ..rewriting import rewrite_messages, rewrite_records
from ..rules import (
    RULES,
    RuleOptions,
    Rules,
    apply_rewrite,
    exempt_option,
    fail_of_rules,
    is_without_drops,
    redaction_options,
    redactor_of,
    say_tally,
    warn_of_annotations,
    with_json,
)
from ..source import Data

if TYPE_CHECKING:
    from typing_extensions import Unpack


class TrimOptions(TypedDict):
    """Options of Type.trim."""

    unknown: Literal["selected", "keep", "drop", "error"]
    defaults: Literal["omit", "write"]
    output_size: int


@opt.command()
@value_options(click.argument("selection"))
@opt.bytes_output_option
@opt.choice(
    "trim", "unknown", help="Handling of fields that are not in the IDL, in selected structs."
)
@opt.choice("trim", "defaults", help="Whether to write absent selected fields that have a default.")
@opt.output_size_option
def trim(
    data: StructInput, selection: str, output: Optional[str], **options: Unpack[TrimOptions]
) -> None:
    """Keep only the parts in SELECTION: '{ id user { name } }', '{ * -debug }'."""
    spec, type_ = data.load()
    decoding = data.decoding

    def trimmed(record: Data) -> bytes:
        protocol, depth = decoding.protocol, decoding.depth
        return type_.trim(record, selection, protocol=protocol, depth=depth, **options)

    rewrite_records(spec, output, decoding, trimmed)


@dataclasses.dataclass(frozen=True)
class Changes:
    """The changes of `rewrite` besides redaction."""

    select: Optional[str]
    sets: tuple[tuple[str, str], ...]
    deleted: tuple[str, ...]
    output_size: int

    def edit(self, plan: Rewrite, type_: Type) -> Rewrite:
        """Adds the edits to a rewrite."""
        for path, json in self.sets:
            with_json(plan.set, path, type_.at(path), json)
        for path in self.deleted:
            plan.erase(path)
        return plan


@opt.command()
@value_options()
@opt.bytes_output_option
@opt.grouped(
    "changes",
    Changes,
    click.option("--select", metavar="SELECTION", help="Parts to keep, as in trim."),
    redaction_options,
    opt.pair_option(
        "--set", "sets", "PATH JSON", "Set the value at PATH.", _complete.paths_of_pairs
    ),
    opt.repeatable("--delete", "PATH", "Remove the value at PATH.", "deleted", _complete.paths),
    opt.output_size_option,
)
def rewrite(
    data: StructInput, output: Optional[str], redaction: RuleOptions, changes: Changes
) -> None:
    """Trim, redact and edit in one pass over the bytes, in this order. Steps without
    options are skipped.

    Without a redaction option nothing is redacted, and fields not in the IDL are copied."""
    spec, schema = data.spec(), data.idl.load()
    spec, type_ = typed_in(schema, spec, data.type_name)
    # Any redaction option counts, so that options without a rule are an error, as in redact.
    is_redaction = any(opt.is_explicit(name) for name in RULES)
    if is_redaction:
        spec = spec._replace(unredacted=redaction.unredacted)
    rules = redaction.rules()
    decoding = data.decoding

    def change(record: Data) -> Rewrite:
        plan = type_.rewrite(
            record,
            protocol=decoding.protocol,
            depth=decoding.depth,
            output_size=changes.output_size,
        )
        if changes.select is not None:
            plan.trim(changes.select)
        if is_redaction:
            plan.redact(**rules)
        return changes.edit(plan, type_)

    try:
        change(b"")
    except Error as error:  # rules or edits that do not match TYPE
        fail_of_rules(error)
    warn_of_annotations(data.idl.path, schema, rules)
    apply_rewrite(spec, output, decoding, change)


@opt.command()
@value_options()
@opt.bytes_output_option
@redaction_options
@exempt_option
@opt.output_size_option
@click.option(
    "--explain",
    is_flag=True,
    help="Print the fields that would be redacted: path, action (or `as` a path with the same "
    "actions) and reason. FILE is not read.",
)
def redact(
    data: StructInput,
    output: Optional[str],
    redaction: RuleOptions,
    output_size: int,
    explain: bool,
) -> None:
    """Remove or mask data by rules. ACTION: keep, drop, blank, hash, keep_last(4) or
    constant(text).

    If TYPE is a service, FILE contains RPC messages: the arguments, results and exceptions of all
    its functions are redacted, and PATH is
    FUNCTION.arguments.FIELD or FUNCTION.result.FIELD; FUNCTION may be SERVICE.FUNCTION or '*'.
    Messages of functions without a rule are copied and counted; if all rules are paths, such a
    function must be listed in --exempt. A rule that matches nothing is an error. Data
    that no rule can apply to is dropped and counted on stderr: fields that are not in the IDL,
    other messages, bytes before records."""
    schema = data.idl.load()
    if data.type_name in schema.services:
        return _redact_service(data, schema, output, redaction, explain)
    spec = data.spec()._replace(unredacted=redaction.unredacted)
    if redaction.exempt:
        raise click.UsageError("--exempt needs a service as TYPE")
    spec, type_ = typed_in(schema, spec, data.type_name)
    rules = redaction.rules()
    listing = _listing(type_, rules)
    warn_of_annotations(data.idl.path, schema, rules)
    if explain:
        return _explain(listing)
    decoding = data.decoding

    def change(record: Data) -> Rewrite:
        protocol, depth = decoding.protocol, decoding.depth
        plan = type_.rewrite(record, protocol=protocol, depth=depth, output_size=output_size)
        return plan.redact(**rules)

    apply_rewrite(spec, output, decoding, change, is_without_drops(listing))


def _listing(type_: Type, rules: Rules) -> list[Redaction]:
    """The redactions of a type. Exits if the rules do not match it or redact nothing."""
    try:
        listing = type_.redactions(**rules)
    except Error as error:
        fail_of_rules(error)
    is_any = any(row.action != "keep" and row.path != "#*" for row in listing)
    if not is_any and rules["unmatched"] == "error":
        fail("nothing to redact: every rule has the action keep", status=2)
    return listing


def _explain(listing: Iterable[tuple[str, str, str]]) -> None:
    """Prints a listing of redactions."""
    print_text("".join("\t".join(map(escaped, row)) + "\n" for row in listing))


def _message_options(records: RecordOptions) -> RecordOptions:
    """The options of reading messages for a service as TYPE; other framings and --protocol are
    errors."""
    if records.framing not in (None, "message") or records.prefix_size or records.lines:
        raise click.UsageError(
            "TYPE is a service: FILE must contain messages (--framing message); decode base64 or "
            "hex lines first, for example with base64 -d"
        )
    if opt.is_explicit("protocol"):
        raise click.UsageError(
            "TYPE is a service: messages declare their protocol; remove --protocol"
        )
    return dataclasses.replace(records, framing="message")


def _redact_service(
    data: StructInput, schema: Schema, output: Optional[str], redaction: RuleOptions, explain: bool
) -> None:
    """Redacts messages of all functions of a service."""
    spec = input_of(data.file, _message_options(data.records))
    spec = spec._replace(unredacted=redaction.unredacted)
    rules = redaction.common()
    redactor = redactor_of([schema.service(data.type_name)], redaction, rules)
    warn_of_annotations(data.idl.path, schema, rules)
    if explain:
        return _explain(redactor.listing())
    messages = _MessageRedactor(redactor, redaction.unredacted)
    rewrite_messages(spec, output, data.decoding, messages.redact, messages.tally)
    say_tally(spec, messages.tally)


class _MessageRedactor:
    """Redacts messages and counts the outcomes."""

    def __init__(self, redactor: Redactor, unredacted: Literal["drop", "error", "keep"]):
        self._redactor = redactor
        self._unredacted = unredacted
        self._counts_merged = is_without_drops(redactor.listing())
        self.tally: Tally = collections.Counter()

    def redact(self, cut: Cut) -> Optional[bytes]:
        """The redacted message; None to drop it."""
        message = _message.message_of(cut.message, cut.bytes(), None, cut.data)
        try:
            data = bytes(self._redactor(message, report=self._report).data)
        except UnknownNameError as error:
            return self._unknown(message, error, cut.begin)
        if not self._redactor.has_rule(message):
            self.tally["uncovered"] += 1
        return data

    def _unknown(self, message: _message.Message, error: Error, offset: int) -> Optional[bytes]:
        """A message of an unknown function."""
        if self._unredacted == "error":
            text = f"{error}; drop it with --unredacted drop"
            raise Error(text, code="not_redacted", offset=offset) from None
        self.tally["unknown"] += 1
        if self._unredacted == "drop":
            return None
        self.tally["kept"] += 1
        return bytes(message.data)

    def _report(self, counts: RedactReport) -> None:
        self.tally["unknown field"] += counts.unknown
        self.tally["merged"] += self._counts_merged * (counts.dropped - counts.unknown)
