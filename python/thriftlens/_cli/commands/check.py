"""`thriftlens describe` and `check`."""

from __future__ import annotations

import dataclasses
import functools
import sys
from typing import TYPE_CHECKING, Optional

import click

from ..._errors import Error
from ..._http.route_list import warnings
from ..._records.redaction import check_annotation
from ..._schema.schemas import Schema
from ..._schema.types import Type
from ..._text import escaped, escaped_lines
from ..._typing import CheckOptions
from .. import completion as _complete
from .. import options as opt
from ..idl import IdlFile, idl_argument
from ..input import (
    Input,
    RecordOptions,
    file_argument,
    framing_options,
    input_of,
    reading,
    typed_in,
)
from ..options import StructDecoding
from ..records import Processor
from ..report import display_name, plural, print_text, say
from ..source import Data

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MAX_WARNINGS = 10  # about foreign structs, per process
_MAX_FINDINGS = int(opt.SIGNATURES["findings"]["max_findings"][1])


@dataclasses.dataclass(frozen=True)
class OptionalInput:
    """An IDL file, and values to check if TYPE is given."""

    idl: IdlFile
    type_name: Optional[str]
    file: str
    records: RecordOptions
    decoding: StructDecoding


@opt.command()
@idl_argument
@click.argument("type_name", metavar="[TYPE]", required=False, shell_complete=_complete.types)
@click.option("--json", is_flag=True, help="Print a JSON object (thriftlens.describe/1).")
def describe(idl: IdlFile, type_name: Optional[str], json: bool) -> None:
    """Show the declarations of an IDL file, or one TYPE."""
    text = idl.load().describe(type_name, json=json)
    print_text(text if text.endswith("\n") else text + "\n")


@opt.command()
@opt.grouped(
    "data",
    OptionalInput,
    idl_argument,
    click.argument("type_name", metavar="[TYPE", required=False, shell_complete=_complete.types),
    file_argument(metavar="[FILE]]"),
    opt.protocol_options,
    framing_options,
)
@opt.jobs_option
@opt.choices("findings", "unknown", "invalid_utf8")
@opt.choice("findings", "enum_numbers", help="Handling of enum values that are not in the IDL.")
@opt.choice("findings", "keys", help="Handling of duplicate map keys and set elements.")
@opt.choice("findings", "rules", help="Whether to check the vt.* annotations of the IDL.")
@opt.missing_required_option
@opt.annotation_options(
    "Annotation of redactions to check; default: all annotations whose value is an action."
)
def check(
    data: OptionalInput,
    annotation: str,
    values: tuple[tuple[str, str], ...],
    default_action: str,
    **options: Unpack[CheckOptions],
) -> None:
    """Check an IDL file, or check FILE against TYPE, including vt.* rules. Findings go to stderr.

    For an IDL file, also reports conflicting routes, and redaction annotations that conflict or
    have no effect."""
    spec, schema = input_of(data.file, data.records), data.idl.load()
    if data.type_name is None:
        faults = schema._core.check_annotations(annotation, list(values), default_action)
        faults += _unused(schema, annotation, dict(values))
        return _report_schema(schema, data.idl.path, [*warnings(schema), *faults])
    spec, type_ = typed_in(schema, spec, data.type_name)
    checker = _Checker(type_, data.file, data.decoding, options)
    count = _check_values(spec, checker, data.decoding)
    print_text(f"{display_name(data.file)}: fine, {plural(count, 'value')} of {type_.name}\n")


def _unused(schema: Schema, annotation: str, values: dict[str, str]) -> list[str]:
    """The annotation or value that the IDL lacks."""
    try:
        if annotation:
            check_annotation(list(schema.types.values()), annotation, values)
    except Error as error:
        return [str(error)]
    return []


def _check_values(spec: Input, checker: _Checker, decoding: StructDecoding) -> int:
    """Checks the input; returns the number of values. Exits if there are invalid records."""
    with reading(spec, decoding, checker.earlier) as (spec, source):
        if not spec.lines:
            checker.check(source.read_all())
            return 1
        processor = Processor(spec, source, None, decoding, b"", checker.earlier)
        count, rejected = processor.run(checker.check)
        if rejected:
            sys.exit(1)
        return count


def _report_schema(schema: Schema, path: str, faults: list[str]) -> None:
    """Prints the warnings about an IDL file, and their count."""
    for warning in schema.warnings:
        click.echo(escaped_lines(warning), err=True)
    for fault in faults:
        click.echo(escaped(f"{path}: warning: {fault}"), err=True)
    count = plural(len(schema.warnings) + len(faults), "warning")
    print_text(f"{path}: fine, {plural(len(schema.types), 'type')}, {count}\n")


class _Checker:
    """Checks the values of a file. Raises the last finding; the others are in `earlier`."""

    def __init__(self, type_: Type, file: str, decoding: StructDecoding, options: CheckOptions):
        self._type = type_
        self._file = display_name(file)
        self._decoding = decoding
        self._options = options
        self._warnings = 0
        self.earlier: list[Error] = []

    def check(self, record: Data) -> bytes:
        foreign, findings = self._findings(record)
        if foreign:
            self._warn(foreign)
        if findings:
            self.earlier.extend(findings[:-1])
            raise findings[-1]
        return b""

    def _findings(self, record: Data) -> tuple[list[Error], list[Error]]:
        """Structs that have no field in common with the IDL, and the other findings."""
        find = functools.partial(
            self._type.findings,
            record,
            protocol=self._decoding.protocol,
            depth=self._decoding.depth,
            **self._options,
        )
        findings = find(foreign="error")
        foreign = [finding for finding in findings if finding.code == "foreign_struct"]
        if len(findings) == _MAX_FINDINGS:  # there may be other ones after the foreign structs
            return foreign, find()
        return foreign, [finding for finding in findings if finding.code != "foreign_struct"]

    def _warn(self, foreign: list[Error]) -> None:
        if self._warnings == _MAX_WARNINGS:
            return
        self._warnings += 1
        more = f", and {len(foreign) - 1} more" if len(foreign) > 1 else ""
        say(f"{self._file}: warning: {foreign[0]}{more}")
        if self._warnings == _MAX_WARNINGS:
            say(f"{self._file}: further warnings of this kind are not shown")
