"""`thriftlens diff`: differences of two values or of records."""

import contextlib
import itertools
import sys
from typing import Any, Iterator, Optional

import click

from ..._errors import Error
from ..._schema.types import Type
from ..._text import escaped
from .. import options as opt
from ..input import Input, find_type, load_schema, take_input
from ..records import scan_records
from ..report import display_name, fail, print_text, say
from ..source import open_source


@click.command()
@opt.idl_argument
@opt.protocol_options
@opt.framing_options
@opt.type_argument
@click.argument("left_file", metavar="A", type=click.Path(allow_dash=True))
@opt.file_argument("right_file", metavar="[B]")
@click.option(
    "--right-protocol",
    type=click.Choice(opt.SIGNATURES["diff"]["right_protocol"][0] or ()),
    help="Protocol of B; default: that of A.",
)
@click.option(
    "--most",
    "max_differences",
    type=click.IntRange(1, 1_000_000),
    default=1000,
    show_default=True,
    help="Maximum number of differences shown per record.",
)
@opt.choice("diff", "order", help="Order of sets and maps.")
@opt.output_size_option
def diff(
    idl: str, type_name: str, left_file: str, right_file: str, protocol: Any, depth: int,
    right_protocol: Any, max_differences: int, order: Any, output_size: int, **options: Any
) -> None:  # fmt: skip
    """Print the changes from the value in A to the value in B, one per line: - removed, + added, ~
    changed.

    With --lines, records are compared in pairs. Exit status as for diff: 0 equal, 1 different, 2
    error or invalid data."""
    left_spec, right_spec = take_input(left_file, dict(options)), take_input(right_file, options)
    if left_spec.framing == "message":
        raise click.UsageError("diff does not support --framing message")
    if left_file == right_file == "-":
        raise click.UsageError("only one of A and B can be standard input")
    try:
        type_ = find_type(load_schema(idl, options), type_name)
    except Error as error:
        fail(error, status=2)
    other_protocol = right_protocol or protocol

    def differences(left_data: Any, right_data: Any) -> list[bytes]:
        options = {
            "protocol": protocol,
            "right_protocol": other_protocol,
            "order": order,
            "depth": depth,
            "output_size": output_size,
        }
        rows = type_._difference_rows(left_data, right_data, most=max_differences + 1, **options)
        if len(rows) > max_differences:
            say(f"more than {max_differences} differences")
        return [
            format_difference(type_, *row, protocols=(protocol, other_protocol), depth=depth)
            for row in rows[:max_differences]
        ]

    is_different = False
    decoding = {"protocol": protocol, "depth": depth}
    with _open_pairs(left_spec, right_spec, decoding, other_protocol) as pairs:
        for record, (left_data, right_data) in enumerate(pairs):
            prefix = f"record {record}: " if left_spec.lines else ""
            try:
                if left_data is None or right_data is None:
                    lines = [f"{'+' if left_data is None else '-'} the whole record".encode()]
                else:
                    lines = differences(left_data, right_data)
            except Error as error:
                fail(
                    f"{display_name(left_file)}, {display_name(right_file)}: {prefix}{error}",
                    status=2,
                )
            for line in lines:
                print_text(prefix + escaped(line.decode("utf-8", "replace")) + "\n")
            is_different = is_different or bool(lines)
    sys.exit(1 if is_different else 0)


@contextlib.contextmanager
def _open_pairs(
    left_spec: Input, right_spec: Input, decoding: dict[str, Any], right_protocol: Any
) -> Iterator[Iterator[tuple[Any, Any]]]:
    """The pairs to compare: two values, or the records of both files, None after the end of the
    shorter one."""
    with (
        open_source(left_spec.file, left_spec.max_size) as left_source,
        open_source(right_spec.file, right_spec.max_size) as right_source,
    ):
        try:
            if left_spec.lines:
                yield itertools.zip_longest(
                    scan_records(left_spec, left_source, decoding),
                    scan_records(
                        right_spec, right_source, {**decoding, "protocol": right_protocol}
                    ),
                )
            else:
                yield iter([(left_source.read_all(), right_source.read_all())])
        except Error as error:  # a truncated file
            fail(
                f"{display_name(left_spec.file)}, {display_name(right_spec.file)}: {error}",
                status=2,
            )


def format_difference(
    type_: Type,
    kind: str,
    path: str,
    *sides: Optional[bytes],
    protocols: tuple[Any, Any],
    depth: int,
) -> bytes:
    mark = {"added": "+", "removed": "-", "changed": "~"}[kind]
    values = [
        _side_json(type_, path, side, protocol, depth)
        for side, protocol in zip(sides, protocols)
        if side is not None
    ]
    return f"{mark} {path}: ".encode() + b" -> ".join(values)


def _side_json(type_: Type, path: str, data: bytes, protocol: Any, depth: int) -> bytes:
    """Wire bytes as JSON; those of a field that is not in the IDL as x"hex"."""
    try:
        return type_.at(path).to_json(
            data, protocol=protocol, depth=depth, nonfinite="string", invalid_utf8="replace"
        )
    except Error:
        return b'x"' + data.hex().encode() + b'"'
