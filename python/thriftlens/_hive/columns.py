"""Columns of results: their descriptions, their values in TColumn, and Arrow arrays of them."""

from __future__ import annotations

import functools
from typing import Literal, NamedTuple, Sequence, Union

from .. import _core
from .._rpc.options import WireProtocol
from .._schema.types import Type
from .._typing import Value, Values
from .errors import HiveError
from .idl import server_idl

# Unions of single literals, see _rpc/options.py.
InvalidUTF8 = Union[Literal["error"], Literal["replace"], Literal["surrogateescape"]]
_UTF8_IN_COLUMNS: dict[str, Literal["error", "replace", "keep"]] = {
    "error": "error",
    "replace": "replace",
    "surrogateescape": "keep",
}


# The member of TColumn with the values of a type; stringVal for other types.
_MEMBERS = {
    "boolean": "boolVal", "tinyint": "byteVal", "smallint": "i16Val", "int": "i32Val",
    "bigint": "i64Val", "float": "doubleVal", "double": "doubleVal", "binary": "binaryVal",
}  # fmt: skip
_SIZES = ("characterMaximumLength", "precision", "scale")


class Column(NamedTuple):
    """Name, SQL type (`bigint`, `decimal(10,2)`) and comment of a result column."""

    name: str
    type: str
    comment: str = ""


class EncodedColumn(NamedTuple):
    """A column of a reply: the member of TColumn that is set, and its encoded struct."""

    member: str
    data: bytes


class ArrowRows:
    """Rows as Arrow arrays, for consumers of Arrow's C interface. Can be read once."""

    def __init__(self, schema: object, array: object):
        self._schema = schema
        self._array = array
        self.num_rows: int = _core.arrow_length(array)

    def __arrow_c_schema__(self) -> object:
        """A capsule of the ArrowSchema: a struct whose children are the columns."""
        return self._schema

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Capsules of the schema, and of all rows as one struct array."""
        return self._schema, self._array

    def __repr__(self) -> str:
        return f"<thriftlens.hive.ArrowRows, {self.num_rows} rows>"


def described_columns(schema: Values) -> tuple[Column, ...]:
    """The columns of a TTableSchema by position."""
    descriptions = sorted(schema["columns"], key=lambda item: item["position"])
    return tuple(
        Column(item["columnName"], _sql_type(item["typeDesc"]), item.get("comment") or "")
        for item in descriptions
    )


def _sql_type(description: Values) -> str:
    """The SQL type of a TTypeDesc."""
    entry = (description["types"] or [{}])[0].get("primitiveEntry")
    if entry is None:
        return "user_defined"
    name = _type_name(entry["type"])
    qualifiers = (entry.get("typeQualifiers") or {"qualifiers": {}})["qualifiers"]
    sizes = [
        str(qualifiers[size]["i32Value"])
        for size in _SIZES
        if "i32Value" in qualifiers.get(size, {})
    ]
    return f"{name}({','.join(sizes)})" if sizes else name


def _type_name(number: int) -> str:
    names = {value: name for name, value in server_idl()["TTypeId"].members.items()}
    return names.get(number, f"type_{number}").lower()


def unique_names(names: Sequence[str]) -> list[str]:
    """The names without duplicates: a second `a` becomes `a_2`. Linear in the number of names."""
    used: set[str] = set()
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        candidate, count = name, counts.get(name, 1)
        while candidate in used:
            count += 1
            candidate = f"{name}_{count}"
        counts[name] = count
        used.add(candidate)
        unique.append(candidate)
    return unique


def check_member(name: str, sql_type: str, column: Values) -> None:
    """Raises HiveError unless one member of the TColumn is set, one that fits the SQL type."""
    members = sorted(column)
    expected = _members_of(sql_type)
    if len(members) != 1 or members[0] not in expected:
        raise HiveError(
            f"column {name!r} is described as {sql_type}: expected "
            f"{' or '.join(expected)}, found {', '.join(members) or 'no values'}"
        )


def values_of(column: Values, sql_type: str) -> list[Value]:
    """The values of a TColumn, None for NULL by its bitmap: bit 0 of byte 0 is the first row."""
    ((_, member),) = column.items()
    values: list[Value] = member["values"]
    if sql_type == "null":
        return [None] * len(values)
    for index, byte in enumerate(member["nulls"]):
        if byte:
            for row in range(index * 8, min(index * 8 + 8, len(values))):
                if byte >> (row & 7) & 1:
                    values[row] = None
    return values


def arrow_rows(
    names: Sequence[str],
    types: Sequence[str],
    columns: Sequence[EncodedColumn],
    protocol: WireProtocol,
    invalid_utf8: InvalidUTF8,
) -> ArrowRows:
    """Arrow arrays of columns with these SQL types."""
    parts = []
    for sql_type, (member, data) in zip(types, columns):
        expected = _members_of(sql_type)[0]
        if member != expected:
            data = _nulls_as(expected, member, data, protocol)
        converted = _column_type(expected).columns(
            [data],
            "{ values nulls }",
            protocol=protocol,
            invalid_utf8=_UTF8_IN_COLUMNS[invalid_utf8],
            output_size=max(1 << 24, 16 * len(data)),
        )
        (batch,) = converted.batches()
        parts.append((converted.__arrow_c_schema__(), batch))
    return ArrowRows(*_core.arrow_of_lists(names, parts))


def empty_rows(names: Sequence[str], types: Sequence[str], invalid_utf8: InvalidUTF8) -> ArrowRows:
    """Arrow arrays without rows."""
    members = [_members_of(sql_type)[0] for sql_type in types]
    empty = {"values": [], "nulls": b""}
    columns = [EncodedColumn(member, _column_type(member).encode(empty)) for member in members]
    return arrow_rows(names, types, columns, "binary", invalid_utf8)


def _members_of(sql_type: str) -> tuple[str, ...]:
    """The members of TColumn for an SQL type; the first one is that of the Arrow column. Impala
    sends NULL as boolVal."""
    name = sql_type.partition("(")[0]
    return ("stringVal", "boolVal") if name == "null" else (_MEMBERS.get(name, "stringVal"),)


@functools.lru_cache(maxsize=None)
def _column_type(member: str) -> Type:
    """The struct of a member of TColumn."""
    return server_idl()["TColumn"].fields[member].type


def _nulls_as(expected: str, member: str, data: bytes, protocol: WireProtocol) -> bytes:
    """The struct of member `expected` with the same number of values, all null."""
    count = len(_column_type(member).view(data, protocol=protocol)["values"])
    values = {"values": [""] * count, "nulls": b"\xff" * ((count + 7) // 8)}
    return _column_type(expected).encode(values, protocol=protocol)


ArrowRows.__module__ = Column.__module__ = "thriftlens.hive"
