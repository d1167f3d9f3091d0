"""`thriftlens diff`: differences of two values or of records."""

import contextlib
import itertools
import sys
from typing import Any, Iterator, Optional

import click

from .. import io as _files, options as opt
from ..input import Input, find_type, load_schema, take_input
from ..records import scan_records
from ..report import display_name, fail, print_text, say
from ..._errors import Error
from ..._schema.schema import Type
from ..._text import escaped


@click.command()
@opt.idl_argument
@opt.protocol_options
@opt.framing_options
@opt.type_argument
@click.argument("left", metavar="A", type=click.Path(allow_dash=True))
@opt.file_argument("right", metavar="[B]")
@click.option("--right-protocol", type=click.Choice(opt.SIGNATURES["diff"]["right_protocol"][0] or ()), help="Protocol of B; default: that of A.")
@click.option("--most", type=click.IntRange(1, 1_000_000), default=1000, show_default=True, help="Maximum number of differences shown for each record.")
@opt.choice("diff", "order", help="Order of sets and maps.")
@opt.output_size_option
def diff(
    idl: str, type_name: str, left: str, right: str, protocol: Any, depth: int, right_protocol: Any,
    most: int, order: Any, output_size: int, **options: Any
) -> None:  # fmt: skip
    """Print the changes from the value in A to the value in B, one a line: - removed, + added, ~ changed.

    With --lines, records are compared in pairs. Exit status as for diff: 0 equal, 1 different, 2 error or invalid data."""
    one, other = take_input(left, dict(options)), take_input(right, options)
    if one.framing == "message":
        raise click.UsageError("diff does not take --framing message")
    if left == right == "-":
        raise click.UsageError("only one of A and B can be standard input")
    try:
        of = find_type(load_schema(idl, options), type_name)
    except Error as error:
        fail(error, status=2)
    second = right_protocol or protocol

    def differences(first: Any, last: Any) -> list[bytes]:
        options = {"protocol": protocol, "right_protocol": second, "order": order, "depth": depth, "output_size": output_size}
        found = of._difference_rows(first, last, most=most + 1, **options)
        if len(found) > most:
            say(f"more than {most} differences")
        return [format_difference(of, *each, protocols=(protocol, second), depth=depth) for each in found[:most]]

    different = False
    with _compared(one, other, {"protocol": protocol, "depth": depth}, second) as pairs:
        for record, (first, last) in enumerate(pairs):
            about = f"record {record}: " if one.lines else ""
            try:
                if first is None or last is None:
                    lines = [f"{'+' if first is None else '-'} the whole record".encode()]
                else:
                    lines = differences(first, last)
            except Error as error:
                fail(f"{display_name(left)}, {display_name(right)}: {about}{error}", status=2)
            for line in lines:
                print_text(about + escaped(line.decode("utf-8", "replace")) + "\n")
            different = different or bool(lines)
    sys.exit(1 if different else 0)


@contextlib.contextmanager
def _compared(one: Input, other: Input, how: dict[str, Any], right_protocol: Any) -> Iterator[Iterator[tuple[Any, Any]]]:
    """What is to be compared: two values, or records side by side, None where one file has no more."""
    with _files.reading(one.file, one.max_size) as left, _files.reading(other.file, other.max_size) as right:
        try:
            if one.lines:
                yield itertools.zip_longest(scan_records(one, left, how), scan_records(other, right, {**how, "protocol": right_protocol}))
            else:
                yield iter([(left.whole(), right.whole())])
        except Error as error:  # a file that ends in the middle of a record
            fail(f"{display_name(one.file)}, {display_name(other.file)}: {error}", status=2)


def format_difference(of: Type, kind: str, path: str, *sides: Optional[bytes], protocols: tuple[Any, Any], depth: int) -> bytes:
    mark = {"added": "+", "removed": "-", "changed": "~"}[kind]
    shown = [_shown(of, path, side, spoken, depth) for side, spoken in zip(sides, protocols) if side is not None]
    return f"{mark} {path}: ".encode() + b" -> ".join(shown)


def _shown(of: Type, path: str, data: bytes, protocol: Any, depth: int) -> bytes:
    """Wire bytes as JSON; those of what the IDL does not know as x"hex"."""
    try:
        return of.at(path).to_json(data, protocol=protocol, depth=depth, nonfinite="string", invalid_utf8="replace")
    except Error:
        return b'x"' + data.hex().encode() + b'"'
