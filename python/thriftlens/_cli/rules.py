"""Options of redactions, and rewrites of records by rules."""

from __future__ import annotations

import collections
import dataclasses
import re
from typing import Callable, Iterable, Literal, NoReturn, Optional, Protocol, Sequence, TypedDict

import click

from .._core import Rewrite
from .._errors import Error, JSONError, without_option
from .._records.redaction import PathRule, Redactor
from .._schema.results import RewriteReport
from .._schema.schemas import Schema
from .._schema.services import Service
from .._schema.types import Type
from . import completion as _complete
from . import options as opt
from .configuration import read_key
from .input import Input
from .options import StructDecoding
from .records import Tally
from .report import display_name, fail, plural, say
from .rewriting import OTHER_MESSAGES, rewrite_records
from .source import Data

_Pairs = tuple[tuple[str, str], ...]


class CommonRules(TypedDict):
    """Arguments of Type.redactions that apply to all types."""

    annotation: str
    values: dict[str, str]
    default_action: str
    types: dict[str, str]
    key: bytes
    unknown: Literal["drop", "keep", "error"]
    missing_required: Literal["error", "omit"]


class Rules(CommonRules):
    """Arguments of Type.redactions."""

    paths: dict[str, str]
    unmatched: Literal["error", "ignore"]


@dataclasses.dataclass(frozen=True)
class RuleOptions:
    """Options of redactions."""

    annotation: str
    values: _Pairs
    default_action: str
    types: _Pairs
    key_file: Optional[str]
    unknown: Literal["drop", "keep", "error"]
    missing_required: Literal["error", "omit"]
    paths: _Pairs
    unredacted: Literal["drop", "error", "keep"] = "drop"
    unmatched: Literal["error", "ignore"] = "error"
    exempt: tuple[str, ...] = ()

    def common(self) -> CommonRules:
        """The rules without paths."""
        return {
            "annotation": self.annotation,
            "values": unique_pairs("--value", self.values),
            "default_action": self.default_action,
            "types": unique_pairs("--redact-type", self.types),
            "key": key_of(self.key_file),
            "unknown": self.unknown,
            "missing_required": self.missing_required,
        }

    def rules(self) -> Rules:
        """All rules."""
        paths = unique_pairs("--redact-path", self.paths)
        return {**self.common(), "paths": paths, "unmatched": self.unmatched}


RULES = tuple(
    "annotation values default_action paths types key_file unknown unmatched "
    "missing_required".split()
)
annotation_options = opt.group(
    opt.annotation_options("Redact fields with this annotation; its value can be the action."),
    opt.pair_option(
        "--redact-type",
        "types",
        "TYPE[.FIELD] ACTION",
        "Redact a field, or all values of a type, everywhere.",
    ),
    click.option(
        "--key-file", type=click.Path(), help="File with the secret key of hash, 1 to 16 bytes."
    ),
    opt.choice("redact", "unknown", help="Handling of fields that are not in the IDL."),
    opt.choice("redact", "missing_required", help="Handling of missing required fields."),
)
redaction_options = opt.grouped(
    "redaction",
    RuleOptions,
    annotation_options,
    opt.pair_option(
        "--redact-path",
        "paths",
        "PATH ACTION",
        "Redact the value at PATH.",
        _complete.paths_of_pairs,
    ),
    opt.keyword_option(
        "--unredacted",
        "drop",
        "error",
        "keep",
        help="Handling of other messages, and of bytes before records: text, prefixes, headers.",
    ),
    opt.choice("redact", "unmatched", help="Handling of rules that match nothing in TYPE."),
)
exempt_option = opt.repeatable("--exempt", "FUNCTION", "Function without a rule; '*' for all.")


def warn_of_annotations(idl: str, schema: Schema, rules: CommonRules) -> None:
    """Reports annotations of a redaction that contradict each other or have no effect, as check
    does."""
    if rules["annotation"]:
        for warning in schema._core.check_annotations(
            rules["annotation"], list(rules["values"].items()), rules["default_action"]
        ):
            say(f"{idl}: warning: {warning}")


def unique_pairs(option: str, values: _Pairs) -> dict[str, str]:
    """The pairs as a dict. Duplicates are an error: their order decides which rule applies."""
    pairs: dict[str, str] = {}
    for name, action in values:
        if name in pairs:
            raise click.UsageError(f"duplicate {option} {name!r}")
        if not name and option == "--redact-path":
            raise click.UsageError("--redact-path: empty path; the path of the root value is '$'")
        pairs[name] = action
    return pairs


def key_of(file: Optional[str]) -> bytes:
    try:
        return b"" if file is None else read_key(file)
    except ValueError as error:
        raise click.UsageError(f"--key-file: {error}") from None


def fail_of_rules(error: Error) -> NoReturn:
    """Exits with the error of rules or edits that do not match the type."""
    if error.code == "missing_key":
        error.hint = "--key-file names a file with it"
    fail(error, status=2)


class JsonChange(Protocol):
    """A change of the value at a path to JSON."""

    def __call__(self, path: str, *, json: str, unknown: Literal["error", "keep"]) -> object: ...


def redactor_of(
    services: Sequence[Service], redaction: RuleOptions, rules: CommonRules
) -> Redactor:
    """The redactor of messages. Exits if the rules do not match the services."""
    paths = unique_pairs("--redact-path", redaction.paths)
    try:
        path_rules = [PathRule.parse(path, action) for path, action in paths.items()]
        return Redactor(services, {**rules}, path_rules, redaction.unmatched, redaction.exempt)
    except Error as error:
        fail_of_rules(error)


def with_json(
    change: JsonChange,
    path: str,
    target: Type,
    json: str,
    unknown: Literal["error", "keep"] = "error",
) -> None:
    """Calls `change` with JSON from the command line for a value of the type `target`. Exits on
    invalid JSON, naming the path."""
    try:
        change(path, json=json, unknown=unknown)
    except JSONError as error:
        without_option(error)  # the options of the command are those of the data
        fail(f"JSON for {path}: {error}{_json_advice(error, target, json)}", status=2)


def _json_advice(error: JSONError, target: Type, json: str) -> str:
    """How to write a bare word as JSON."""
    if error.code != "json_syntax" or re.fullmatch(r"""[^\W\d][^"'\\]*""", json) is None:
        return ""
    if target.kind == "bool":
        return "; a bool is true or false"
    if target.kind in ("string", "binary", "uuid", "enum"):
        return f"; write a string with its own quotes: '\"{json}\"'"
    return ""


def is_without_drops(listing: Iterable[tuple[str, str, str]]) -> bool:
    """Whether values are dropped only if they become equal to others, or are not in the IDL."""
    return all(action != "drop" or path.endswith("#*") for path, action, _ in listing)


def apply_rewrite(
    spec: Input,
    output: Optional[str],
    decoding: StructDecoding,
    change: Callable[[Data], Rewrite],
    counts_merged: bool = False,
) -> None:
    """Applies a rewrite to the input's bytes, or to each of its records, and reports what was
    dropped."""
    tally: Tally = collections.Counter()

    def rewrite_record(data: Data) -> bytes:
        reports: list[RewriteReport] = []
        rewritten = change(data).apply(report=reports.append)
        tally["unknown field"] += reports[0].unknown
        tally["merged"] += counts_merged * (reports[0].dropped - reports[0].unknown)
        return rewritten

    rewrite_records(spec, output, decoding, rewrite_record, tally)
    say_tally(spec, tally)


_SKIPPED_MESSAGES = {
    "other": OTHER_MESSAGES,
    "unknown": ("message of an unknown function", "messages of unknown functions"),
}
UNCOVERED = ("message of a function without a rule", "messages of functions without a rule")


def say_tally(spec: Input, tally: Tally) -> None:
    """Reports dropped and unredacted data of a redaction."""
    file = display_name(spec.file)
    if spec.framing == "message" and spec.unredacted is not None:
        say(f"{file}: {_message_counts(tally, spec.unredacted)}")
    if tally["prefix"]:
        say(f"{file}: bytes before {_prefix_counts(tally, spec.unredacted)}")
    if tally["merged"]:
        say(
            f"{file}: {plural(tally['merged'], 'element')} of maps and sets dropped: duplicates "
            "after redaction"
        )
    if tally["unknown field"]:
        say(f"{file}: {plural(tally['unknown field'], 'unknown field')} dropped")


def _prefix_counts(tally: Tally, unredacted: Optional[str]) -> str:
    is_kept = unredacted == "keep"
    outcome = "kept unredacted" if is_kept else "dropped; keep them with --unredacted keep"
    return f"{plural(tally['prefix'], 'record')} {outcome}"


def _message_counts(tally: Tally, unredacted: str) -> str:
    verb = "kept unredacted" if unredacted == "keep" else "dropped"
    outcomes = [
        (tally["uncovered"], UNCOVERED, "copied"),
        *((tally[name], nouns, verb) for name, nouns in _SKIPPED_MESSAGES.items()),
    ]
    parts = [f"{count} {nouns[count != 1]} {verb}" for count, nouns, verb in outcomes if count]
    redacted = tally["message"] - tally["uncovered"] - tally["kept"]
    return "; ".join([f"{plural(redacted, 'message')} redacted", *parts])
