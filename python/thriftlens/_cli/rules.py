"""Options of redactions, and rewrites of records by rules."""

import collections
import re
from typing import Any, Callable, Iterable, Mapping, NoReturn, Optional

import click

from .._core import Rewrite
from .._errors import Error, JSONError
from .._schema.results import RewriteReport
from .._schema.schemas import Schema
from . import completion as _complete
from . import options as opt
from .configuration import read_key
from .input import Input
from .records import OTHER_MESSAGES, Tally, rewrite_records
from .report import display_name, fail, plural, say

annotation_options = opt.group(
    click.option(
        "--annotation",
        default="",
        metavar="KEY",
        help="Redact fields with this annotation; its value may be the action.",
    ),
    click.option(
        "--value",
        "values",
        type=(str, str),
        multiple=True,
        metavar="VALUE ACTION",
        help="Action for a value of the annotation.",
    ),
    click.option(
        "--otherwise",
        default="blank",
        metavar="ACTION",
        show_default=True,
        help="Action for other values of the annotation.",
    ),
    click.option(
        "--type",
        "types",
        type=(str, str),
        multiple=True,
        metavar="TYPE[.FIELD] ACTION",
        help="Redact a field, or all values of a type, everywhere.",
    ),
    click.option(
        "--key-file", type=click.Path(), help="File with the secret key of hash, 1 to 16 bytes."
    ),
    opt.choice("redact", "unknown", help="Fields that are not in the IDL."),
    opt.choice("redact", "missing_required", help="Missing required fields."),
)
redaction_options = opt.group(
    annotation_options,
    click.option(
        "--path",
        "paths",
        type=(str, str),
        multiple=True,
        metavar="PATH ACTION",
        help="Redact the value at PATH.",
        shell_complete=_complete.paths_of_pairs,
    ),
    opt.keyword_option(
        "--unredacted",
        "drop",
        "error",
        "keep",
        help="Messages of other types, and bytes before records (text, --lead, Finagle's header).",
    ),
    opt.choice("redact", "missing", help="Rules that match nothing in TYPE."),
)
exempt_option = click.option(
    "--exempt",
    multiple=True,
    metavar="FUNCTION",
    help="Function that needs no rule; '*' for all (repeatable).",
)
RULES = tuple(
    "annotation values otherwise paths types key_file unknown missing missing_required".split()
)


def take_rules(options: dict[str, Any]) -> dict[str, Any]:
    """Removes the redaction options from `options`; returns arguments of Type.redactions."""
    rules = {name: options.pop(name) for name in RULES}
    pairs = {
        name: unique_pairs(option, rules[name])
        for name, option in (("values", "--value"), ("paths", "--path"), ("types", "--type"))
    }
    rules.update(pairs, key=key_of(rules.pop("key_file")))
    return rules


def warn_of_annotations(idl: str, schema: Schema, rules: Mapping[str, Any]) -> None:
    """Reports annotations of a redaction that contradict each other or have no effect, as check
    does."""
    if rules["annotation"]:
        for warning in schema._core.check_annotations(
            rules["annotation"], list(rules["values"].items()), rules["otherwise"]
        ):
            say(f"{idl}: warning: {warning}")


def unique_pairs(option: str, values: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The pairs as a dict. Duplicates are an error: their order decides which rule applies."""
    pairs: dict[str, str] = {}
    for name, action in values:
        if name in pairs:
            raise click.UsageError(f"duplicate {option} {name!r}")
        if not name and option == "--path":
            raise click.UsageError("--path: empty path; the path of the root value is '$'")
        pairs[name] = action
    return pairs


def key_of(file: Optional[str]) -> bytes:
    try:
        return b"" if file is None else read_key(file)
    except ValueError as error:
        raise click.UsageError(f"--key-file {error}") from None


def fail_of_rules(error: Error) -> NoReturn:
    """Exits with the error of rules or edits that do not match the type."""
    if str(error).startswith("hash needs a key"):
        error.hint = "--key-file"
    fail(error, status=2)


def with_json(change: Callable[..., Any], path: str, json: str, unknown: str = "error") -> Any:
    """Calls `change` with JSON from the command line. Exits on invalid JSON, naming the path."""
    try:
        return change(path, json=json, unknown=unknown)
    except JSONError as error:
        is_bare = error.code == "json_syntax" and re.fullmatch(r"""[^\W\d][^"'\\]*""", json)
        fail(
            f"JSON for {path}: {error}"
            + (f"; write a string with its own quotes: '\"{json}\"'" if is_bare else ""),
            status=2,
        )


def is_without_drops(listing: Iterable[tuple[str, str, str]]) -> bool:
    """Whether values are dropped only if they become equal to others, or are not in the IDL."""
    return all(action != "drop" or path.endswith("#*") for path, action, _ in listing)


def apply_rewrite(
    spec: Input, output: Optional[str], decoding: dict[str, Any], change: Callable[[Any], Rewrite],
    counts_merged: bool = False
) -> None:  # fmt: skip
    """Applies a rewrite to the input's bytes, or to each of its records, and reports what was
    dropped."""
    tally: Tally = collections.Counter()

    def rewrite_record(data: Any) -> bytes:
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
        verb = "kept unredacted" if spec.unredacted == "keep" else "dropped"
        outcomes = [
            (tally["uncovered"], UNCOVERED, "copied"),
            *((tally[name], nouns, verb) for name, nouns in _SKIPPED_MESSAGES.items()),
        ]
        parts = [f"{count} {nouns[count != 1]} {verb}" for count, nouns, verb in outcomes if count]
        redacted = tally["message"] - tally["uncovered"] - tally["kept"]
        say(f"{file}: {'; '.join([plural(redacted, 'message') + ' redacted', *parts])}")
    if tally["prefix"]:
        if spec.unredacted == "keep":
            action = "kept unredacted"
        else:
            action = "dropped; keep them with --unredacted keep"
        say(f"{file}: bytes before {plural(tally['prefix'], 'record')} {action}")
    if tally["merged"]:
        say(
            f"{file}: {plural(tally['merged'], 'element')} of maps and sets dropped: redaction "
            "made them equal to others"
        )
    if tally["unknown field"]:
        say(f"{file}: {plural(tally['unknown field'], 'unknown field')} dropped")
