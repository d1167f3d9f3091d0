"""`thriftlens diff`: differences of two values or of records."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import sys
from typing import Iterator, Literal, Optional

import click

from ..._errors import Error
from ..._records.differences import DiffOptions, difference_lines
from ..._schema.types import Type
from ..._text import escaped
from .. import options as opt
from ..idl import IdlFile, find_type, idl_argument
from ..input import Input, RecordOptions, file_argument, framing_options, input_of, type_argument
from ..options import Decoding, StructDecoding
from ..records import scan_records
from ..report import display_name, fail, print_text, say
from ..source import Data, StructProtocol, open_source

_Pair = tuple[Optional[Data], Optional[Data]]


@dataclasses.dataclass(frozen=True)
class Comparison:
    """How two values are compared."""

    decoding: StructDecoding
    right_protocol: Optional[StructProtocol]
    max_differences: int
    order: Literal["ignore", "keep"]
    output_size: int

    def options(self) -> DiffOptions:
        return {
            "protocol": self.decoding.protocol,
            "right_protocol": self.right_protocol or self.decoding.protocol,
            "order": self.order,
            "depth": self.decoding.depth,
            "output_size": self.output_size,
        }


@opt.command()
@opt.grouped(
    "comparison",
    Comparison,
    idl_argument,
    opt.protocol_options,
    framing_options,
    type_argument,
    click.argument("left_file", metavar="A", type=click.Path(allow_dash=True)),
    file_argument("right_file", metavar="[B]"),
    click.option(
        "--right-protocol",
        type=click.Choice(opt.SIGNATURES["diff"]["right_protocol"][0] or ()),
        help="Protocol of B; default: that of A.",
    ),
    opt.count(
        "--max-differences", 1, 1_000_000, 1000, "Maximum number of differences shown per record."
    ),
    opt.choice("diff", "order", help="Whether to compare the order of sets and maps."),
    opt.integer(
        "to_json",
        "output_size",
        help="Maximum output size in bytes; 0: 16 MiB plus 64 times the input size.",
    ),
)
def diff(
    idl: IdlFile,
    type_name: str,
    left_file: str,
    right_file: str,
    records: RecordOptions,
    comparison: Comparison,
) -> None:
    """Print the changes from the value in A to the value in B, one per line: - removed, + added, ~
    changed.

    With --lines, records are compared in pairs. Exit status as for diff: 0 equal, 1 different, 2
    error or invalid data."""
    left_spec, right_spec = input_of(left_file, records), input_of(right_file, records)
    if left_spec.framing == "message":
        raise click.UsageError("diff does not support --framing message")
    if left_file == right_file == "-":
        raise click.UsageError("only one of A and B can be standard input")
    with _failing(""):
        type_ = find_type(idl.load(), type_name)
    sys.exit(1 if _print_differences(type_, left_spec, right_spec, comparison) else 0)


def _print_differences(
    type_: Type, left_spec: Input, right_spec: Input, comparison: Comparison
) -> bool:
    """Prints the differences; returns whether there are any."""
    is_different = False
    files = f"{display_name(left_spec.file)}, {display_name(right_spec.file)}: "
    with _open_pairs(left_spec, right_spec, comparison, files) as pairs:
        for record, pair in enumerate(pairs):
            prefix = f"record {record}: " if left_spec.lines else ""
            with _failing(files + prefix):
                lines = _lines(type_, pair, comparison)
            for line in lines:
                print_text(prefix + escaped(line.decode("utf-8", "replace")) + "\n")
            is_different = is_different or bool(lines)
    return is_different


@contextlib.contextmanager
def _failing(prefix: str) -> Iterator[None]:
    """Exits with status 2 on errors, after a prefix for the message."""
    try:
        yield
    except Error as error:
        fail(f"{prefix}{error}" if prefix else error, status=2)


def _lines(type_: Type, pair: _Pair, comparison: Comparison) -> list[bytes]:
    """The differences of two values, or a line for a missing record."""
    old, new = pair
    if old is None or new is None:
        return [b"+ the whole record" if old is None else b"- the whole record"]
    count = comparison.max_differences
    lines = difference_lines(type_, old, new, count + 1, comparison.options())
    if len(lines) > count:
        say(f"more than {count} differences")
    return lines[:count]


@contextlib.contextmanager
def _open_pairs(
    left_spec: Input, right_spec: Input, comparison: Comparison, files: str
) -> Iterator[Iterator[_Pair]]:
    """The pairs to compare: two values, or the records of both files, None after the end of the
    shorter one."""
    options = comparison.options()
    right_decoding = Decoding(options["right_protocol"], options["depth"])
    with (
        open_source(left_spec.file, left_spec.max_size) as left_source,
        open_source(right_spec.file, right_spec.max_size) as right_source,
        _failing(files),  # a truncated file
    ):
        if left_spec.lines:
            yield itertools.zip_longest(
                scan_records(left_spec, left_source, comparison.decoding),
                scan_records(right_spec, right_source, right_decoding),
            )
        else:
            yield iter([(left_source.read_all(), right_source.read_all())])
