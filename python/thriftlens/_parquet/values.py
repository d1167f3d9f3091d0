"""Values in a Parquet footer: statistics as Python values."""

from __future__ import annotations

import datetime
import decimal
import struct
import uuid
from typing import Callable, NamedTuple, Optional, Union

from .._core import View
from .._typing import Value, Values


class Statistics(NamedTuple):
    """Statistics of a column chunk or a page: Python values, None if not written. raw: the
    Statistics struct."""

    min: Value
    max: Value
    null_count: Optional[int]
    distinct_count: Optional[int]
    raw: Union[View, Values, None] = None


NO_VALUES = Statistics(None, None, None, None)


def _logical(element: Values) -> str:
    return str(next(iter(element.get("logicalType", ())), element.get("converted_type", "")))


def is_signed_order(element: Values) -> bool:
    """Whether the old fields min and max are usable: they compare as signed numbers."""
    return element.get("type") in ("BOOLEAN", "INT32", "INT64", "FLOAT", "DOUBLE") and not str(
        element.get("converted_type", "")
    ).startswith("UINT")


_NUMBERS = {"BOOLEAN": "<?", "INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d"}
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def value_of(element: Values, raw: bytes) -> Value:
    """A plain-encoded value as a Python value: bool, int, float, str, date, time, datetime,
    Decimal, UUID; else its bytes. element: its SchemaElement, decoded with enums="name"."""
    return converter_of(element)(raw)


def converter_of(element: Values) -> Callable[[bytes], Value]:
    """A function like value_of for the values of one column."""
    kind, logical = element.get("type"), _logical(element)
    if kind in _NUMBERS:
        return _number_converter(struct.Struct(_NUMBERS[kind]), _number_meaning(element, logical))
    if logical in ("STRING", "UTF8", "ENUM", "JSON"):
        return lambda raw: raw.decode("utf-8", "replace")
    if logical == "DECIMAL":
        return lambda raw: _decimal(element, int.from_bytes(raw, "big", signed=True))
    if logical == "UUID":
        return lambda raw: uuid.UUID(bytes=raw) if len(raw) == 16 else raw
    return _number_converter(struct.Struct("<e"), None) if logical == "FLOAT16" else lambda raw: raw


def _number_converter(
    layout: struct.Struct, meaning: Optional[Callable[[int], Value]]
) -> Callable[[bytes], Value]:
    size, unpack = layout.size, layout.unpack
    if meaning is None:
        return lambda raw: unpack(raw)[0] if len(raw) == size else raw
    return lambda raw: meaning(unpack(raw)[0]) if len(raw) == size else raw


def _number_meaning(element: Values, logical: str) -> Optional[Callable[[int], Value]]:
    """A function that converts the numbers of a column to its logical type; None for plain
    numbers."""
    if logical == "DECIMAL":
        return lambda number: _decimal(element, number)
    if logical == "DATE":
        return lambda number: _in_range(
            lambda: datetime.date(1970, 1, 1) + datetime.timedelta(days=number), number
        )
    if logical.startswith("TIMESTAMP"):
        return lambda number: _in_range(lambda: _timestamp(element, logical, number), number)
    if logical.startswith("TIME"):
        return lambda number: _time(element, logical, number)
    if logical.startswith("UINT") or (
        logical == "INTEGER" and not element["logicalType"]["INTEGER"].get("isSigned", True)
    ):
        modulus = 1 << (32 if element.get("type") == "INT32" else 64)
        return lambda number: number % modulus
    return None


def _in_range(convert: Callable[[], Value], number: int) -> Value:
    """The converted value, or the number if it is out of range for Python."""
    try:
        return convert()
    except OverflowError:
        return number


def _decimal(element: Values, unscaled: int) -> decimal.Decimal:
    decimal_type = element.get("logicalType", {}).get("DECIMAL", {})
    return decimal.Decimal(unscaled).scaleb(
        -decimal_type.get("scale", element.get("scale", 0)), decimal.Context(prec=100)
    )


def _micros(time_type: Values, logical: str, number: int) -> Optional[int]:
    """Microseconds of a time; None for nanoseconds that are not a multiple of a microsecond."""
    unit = next(
        iter(time_type.get("unit", ())), "MILLIS" if logical.endswith("_MILLIS") else "MICROS"
    )
    if unit == "NANOS" and number % 1000:
        return None
    return {"MILLIS": number * 1000, "MICROS": number, "NANOS": number // 1000}[unit]


def _time(element: Values, logical: str, number: int) -> Value:
    """A time of day; a number out of range stays a number."""
    micros = _micros(element.get("logicalType", {}).get("TIME", {}), logical, number)
    if micros is None or not 0 <= micros < 86_400_000_000:
        return number
    return (_EPOCH + datetime.timedelta(microseconds=micros)).time()


def _timestamp(element: Values, logical: str, number: int) -> Value:
    """A datetime, aware if the column is in UTC; nanoseconds that datetime cannot represent stay a
    number."""
    timestamp_type = element.get("logicalType", {}).get("TIMESTAMP", {})
    micros = _micros(timestamp_type, logical, number)
    if micros is None:
        return number
    value = _EPOCH + datetime.timedelta(microseconds=micros)
    return value if timestamp_type.get("isAdjustedToUTC", True) else value.replace(tzinfo=None)
