"""`thriftlens describe` and `check`."""

import sys
from typing import Any, Optional

import click

from .. import completion as _complete, options as opt
from ..input import load_schema, reading, take_input, typed
from ..records import process_records
from ..report import display_name, plural, print_text, say
from ..._errors import Error
from ..._schema.schema import Type
from ..._text import escaped, escaped_lines


@click.command()
@opt.idl_argument
@click.argument("type_name", metavar="[TYPE]", required=False, shell_complete=_complete.types)
@click.option("--json", is_flag=True, help="Print a JSON object (thriftlens.describe/1).")
def describe(idl: str, type_name: Optional[str], json: bool, **options: Any) -> None:
    """Show the declarations of an IDL file, or one TYPE."""
    text = load_schema(idl, options).describe(type_name, json=json)
    print_text(text if text.endswith("\n") else text + "\n")


_MAX_WARNINGS = 10  # of values whose structs are foreign, in each process


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
    """Check an IDL file, or that FILE holds a valid value of TYPE, including vt.* rules. Findings go to stderr.

    For an IDL file, also reports conflicting routes, and redaction annotations that conflict or have no effect."""
    given = take_input(file, options)
    if type_name is None:
        from . import routes as _routes_command

        schema = load_schema(idl, options)
        found = [
            *_routes_command.warnings(schema),
            *schema._core.check_annotations(annotation, list(values), otherwise),
        ]
        routes = [f"{idl}: warning: {each}" for each in found]
        for warning in [*schema.warnings, *routes]:
            click.echo(
                escaped(warning) if isinstance(warning, str) else escaped_lines(warning), err=True
            )
        count = len(schema.warnings) + len(routes)
        return print_text(
            f"{idl}: fine, {plural(len(schema.types), 'type')}, {plural(count, 'warning')}\n"
        )
    given, of = typed(given, idl, type_name, options)
    earlier: list[Error] = []

    warned = [0]

    def accept(record: Any) -> bytes:
        foreign, found = _foreign_and_findings(of, record, options)
        if foreign and warned[0] < _MAX_WARNINGS:
            warned[0] += 1
            more = f", and {len(foreign) - 1} more" if len(foreign) > 1 else ""
            say(f"{display_name(file)}: warning: {foreign[0]}{more}")
            if warned[0] == _MAX_WARNINGS:
                say(f"{display_name(file)}: further warnings of this kind are not shown")
        if found:
            earlier.extend(found[:-1])
            raise found[-1]
        return b""

    checked = 1
    with reading(given, options, earlier) as (given, source):
        if given.lines:
            checked, rejected = process_records(given, source, None, options, accept, b"", earlier)
            if rejected:
                sys.exit(1)
        else:
            accept(source.whole())
    print_text(f"{display_name(file)}: fine, {plural(checked, 'value')} of {of.name}\n")


def _foreign_and_findings(
    of: Type, record: Any, options: dict[str, Any]
) -> tuple[list[Error], list[Error]]:
    """The structs of which the IDL knows no field, and what is wrong, which may be all there is."""
    found = of.findings(record, foreign="error", **options)
    foreign = [each for each in found if each.code == "foreign_struct"]
    if len(found) == int(
        opt.SIGNATURES["findings"]["most"][1]
    ):  # they may have left no room for what is worse
        return foreign, of.findings(record, **options)
    return foreign, [each for each in found if each.code != "foreign_struct"]
