"""Shared types: they exist at run time, and describe what modules pass."""

import re
import typing
from pathlib import Path

import pytest
import thriftlens as tl
from thriftlens import _typing

ROOT = Path(__file__).resolve().parents[2]
Point = tl.loads("struct Point { 1: i32 x }")["Point"]


@pytest.mark.parametrize(
    "name", [name for name, value in vars(_typing).items() if hasattr(value, "_is_protocol")]
)
def test_protocols_can_be_evaluated(name):
    for method in vars(getattr(_typing, name)).values():
        if callable(method) and not method.__name__.startswith("_no_init"):
            assert isinstance(typing.get_type_hints(method, vars(_typing)), dict)


def test_columns_are_arrow_streams_and_schemas():
    columns = Point.columns([Point.encode({"x": 1})])
    for protocol in (_typing.ArrowStream, _typing.ArrowSchema):
        methods = [name for name in vars(protocol) if name.startswith("__arrow")]
        assert methods and all(callable(getattr(columns, name)) for name in methods)


def test_literals_are_the_words_of_the_library():
    for protocol in typing.get_args(_typing.WireProtocol):
        data = Point.encode({"x": 1}, protocol=protocol)
        assert Point.decode(data, protocol=protocol) == {"x": 1}
    assert {*typing.get_args(_typing.AnyProtocol)} == {
        *typing.get_args(_typing.WireProtocol),
        "tjson",
    }


def test_error_codes_are_those_of_the_library():
    table = (ROOT / "include/thriftlens/core/errc.hpp").read_text()
    codes = re.findall(r"^  X\((\w+),", table, re.MULTILINE)
    listed = typing.get_args(_typing.ErrorCode)
    assert codes[0] == "ok" and [*listed[: len(codes) - 1]] == codes[1:]
    assert len({*listed}) == len(listed)
