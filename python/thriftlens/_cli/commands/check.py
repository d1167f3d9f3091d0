"""`thriftlens describe` and `check`."""

import sys
from typing import Any, Optional

import click

from ..._errors import Error
from ..._schema.types import Type
from ..._text import escaped, escaped_lines
from .. import completion as _complete
from .. import options as opt
from ..input import load_schema, reading, take_input, typed
from ..records import process_records
from ..report import display_name, plural, print_text, say


@click.command()
@opt.idl_argument
@click.argument("type_name", metavar="[TYPE]", required=False, shell_complete=_complete.types)
@click.option("--json", is_flag=True, help="Print a JSON object (thriftlens.describe/1).")
def describe(idl: str, type_name: Optional[str], json: bool, **options: Any) -> None:
    """Show the declarations of an IDL file, or one TYPE."""
    text = load_schema(idl, options).describe(type_name, json=json)
    print_text(text if text.endswith("\n") else text + "\n")


_MAX_WARNINGS = 10  # about foreign structs, per process


@click.command()
@opt.idl_argument
@click.argument("type_name", metavar="[TYPE", required=False, shell_complete=_complete.types)
@opt.file_argument(metavar="[FILE]]")
@opt.protocol_options
@opt.framing_options
@opt.jobs_option
@opt.choices("findings", "unknown", "invalid_utf8")
@opt.choice("findings", "enums", help="Enum values that are not in the IDL.")
@opt.choice("findings", "keys", help="Duplicate map keys and set elements.")
@opt.choice("findings", "rules", help="The vt.* annotations of the IDL.")
@opt.missing_required_option
@click.option(
    "--annotation",
    default="",
    metavar="KEY",
    help="Annotation of redactions; default: all annotations whose value is an action.",
)
@click.option(
    "--value",
    "values",
    type=(str, str),
    multiple=True,
    metavar="VALUE ACTION",
    help="Action for a value of the annotation.",
)
@click.option(
    "--otherwise",
    default="blank",
    metavar="ACTION",
    show_default=True,
    help="Action for other values of the annotation.",
)
def check(
    idl: str, type_name: Optional[str], file: str, annotation: str,
    values: tuple[tuple[str, str], ...], otherwise: str, **options: Any
) -> None:  # fmt: skip
    """Check an IDL file, or that FILE holds a valid value of TYPE, including vt.* rules. Findings
    go to stderr.

    For an IDL file, also reports conflicting routes, and redaction annotations that conflict or
    have no effect."""
    spec = take_input(file, options)
    if type_name is None:
        from . import routes as _routes_command

        schema = load_schema(idl, options)
        faults = [
            *_routes_command.warnings(schema),
            *schema._core.check_annotations(annotation, list(values), otherwise),
        ]
        routes = [f"{idl}: warning: {fault}" for fault in faults]
        for warning in [*schema.warnings, *routes]:
            click.echo(
                escaped(warning) if isinstance(warning, str) else escaped_lines(warning), err=True
            )
        count = len(schema.warnings) + len(routes)
        return print_text(
            f"{idl}: fine, {plural(len(schema.types), 'type')}, {plural(count, 'warning')}\n"
        )
    spec, type_ = typed(spec, idl, type_name, options)
    earlier: list[Error] = []

    warning_count = [0]

    def check_record(record: Any) -> bytes:
        foreign, faults = _foreign_and_findings(type_, record, options)
        if foreign and warning_count[0] < _MAX_WARNINGS:
            warning_count[0] += 1
            more = f", and {len(foreign) - 1} more" if len(foreign) > 1 else ""
            say(f"{display_name(file)}: warning: {foreign[0]}{more}")
            if warning_count[0] == _MAX_WARNINGS:
                say(f"{display_name(file)}: further warnings of this kind are not shown")
        if faults:
            earlier.extend(faults[:-1])
            raise faults[-1]
        return b""

    count = 1
    with reading(spec, options, earlier) as (spec, source):
        if spec.lines:
            count, rejected = process_records(
                spec, source, None, options, check_record, b"", earlier
            )
            if rejected:
                sys.exit(1)
        else:
            check_record(source.read_all())
    print_text(f"{display_name(file)}: fine, {plural(count, 'value')} of {type_.name}\n")


def _foreign_and_findings(
    type_: Type, record: Any, options: dict[str, Any]
) -> tuple[list[Error], list[Error]]:
    """Structs that have no field in common with the IDL, and the other findings."""
    findings = type_.findings(record, foreign="error", **options)
    foreign = [finding for finding in findings if finding.code == "foreign_struct"]
    if len(findings) == int(
        opt.SIGNATURES["findings"]["most"][1]
    ):  # they may have left no room for what is worse
        return foreign, type_.findings(record, **options)
    return foreign, [finding for finding in findings if finding.code != "foreign_struct"]
