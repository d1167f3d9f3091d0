"""Conversions between decoded values and objects of other classes: dates, decimals, UUIDs."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import uuid
from dataclasses import dataclass
from typing import Callable, Literal, Optional

from .._typing import Value

Convert = Callable[[Value], Value]


@dataclass(frozen=True)
class Adapter:
    """Converts a field of a class: `price: Annotated[Money, tl.Adapter(Money.parse, str)]`.

    decode: called with the decoded value; returns the attribute. Its exceptions become a
        DecodeError at the field.
    encode: called with the attribute; returns a value of the IDL type.

    >>> from dataclasses import dataclass
    >>> from fractions import Fraction
    >>> from typing import Annotated
    >>> import thriftlens as tl
    >>> @dataclass
    ... class Share:
    ...     part: Annotated[Fraction, tl.Adapter(Fraction, str)]
    >>> Type = tl.loads("struct Share { 1: string part }").Share
    >>> Type.decode(Type.encode(Share(Fraction(1, 3))), into=Share)
    Share(part=Fraction(1, 3))
    """

    decode: Convert
    encode: Convert

    def __post_init__(self) -> None:
        if not (callable(self.decode) and callable(self.encode)):
            raise TypeError("tl.Adapter takes two functions")


@dataclass(frozen=True)
class Name:
    """The IDL name of an attribute with another name: `user_id: Annotated[int, tl.Name("userId")]`.

    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> import thriftlens as tl
    >>> @dataclass
    ... class User:
    ...     user_id: Annotated[int, tl.Name("userId")]
    >>> Type = tl.loads("struct User { 1: i64 userId }").User
    >>> Type.decode(Type.encode(User(7)), into=User)
    User(user_id=7)
    """

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise TypeError(f"tl.Name takes the name of a field, not {self.name!r}")


class UnixAdapter(Adapter):
    """Converts integers."""


_UNITS = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
_EPOCH_DAY = dt.date(1970, 1, 1)


@dataclass(frozen=True)
class Unix:
    """The unit of an integer that is a datetime (in UTC, since 1970), a date (days since 1970) or a
    timedelta: `at: Annotated[datetime, tl.Unix("ms")]`.

    Digits below a microsecond are cut off. A datetime without a time zone is an error.

    >>> from dataclasses import dataclass
    >>> from datetime import datetime
    >>> from typing import Annotated
    >>> import thriftlens as tl
    >>> @dataclass
    ... class Event:
    ...     at: Annotated[datetime, tl.Unix("ms")]
    >>> Type = tl.loads("struct Event { 1: i64 at }").Event
    >>> Type.decode(Type.encode({"at": 1_000}), into=Event).at.isoformat()
    '1970-01-01T00:00:01+00:00'
    """

    unit: Literal["s", "ms", "us", "ns", "days"]

    def __post_init__(self) -> None:
        if self.unit not in (*_UNITS, "days"):
            raise ValueError(f"unit must be 's', 'ms', 'us', 'ns' or 'days', not {self.unit!r}")

    def adapter(self, class_: object) -> Optional[Adapter]:
        """The conversion to a class; None if the unit does not apply to it."""
        if self.unit == "days":
            is_date = class_ is dt.date
            return UnixAdapter(_date_of_days, checked(dt.date, _days_of_date)) if is_date else None
        per_second = _UNITS[self.unit]

        def span_of(count: int) -> dt.timedelta:
            return dt.timedelta(microseconds=count * 1_000_000 // per_second)

        def count_of(span: dt.timedelta) -> int:
            return (span // dt.timedelta(microseconds=1)) * per_second // 1_000_000

        def moment_of(count: int) -> dt.datetime:
            return _EPOCH + span_of(count)

        def count_since(moment: dt.datetime) -> int:
            if moment.utcoffset() is None:
                raise TypeError("expected a datetime with a time zone, such as timezone.utc")
            return count_of(moment - _EPOCH)

        if class_ is dt.timedelta:
            return UnixAdapter(span_of, checked(dt.timedelta, count_of))
        if class_ is dt.datetime:
            return UnixAdapter(moment_of, checked(dt.datetime, count_since))
        return None


def _date_of_days(days: int) -> dt.date:
    return _EPOCH_DAY + dt.timedelta(days=days)


def _days_of_date(date: dt.date) -> int:
    return (date - _EPOCH_DAY).days


def checked(class_: type, convert: Convert) -> Convert:
    """The conversion, with a TypeError for objects of another class."""

    def convert_instance(value: Value) -> Value:
        if not isinstance(value, class_):
            raise TypeError(f"expected {class_.__name__}, got {type(value).__name__}")
        return convert(value)

    return convert_instance


def _iso_datetime(text: str) -> dt.datetime:
    # Python 3.11 is the first that reads a Z.
    return dt.datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)


def _isoformat(value: Value) -> str:
    return str(value.isoformat())


def _uuid_of_bytes(data: bytes) -> uuid.UUID:
    return uuid.UUID(bytes=data)


def _bytes_of_uuid(value: uuid.UUID) -> bytes:
    return value.bytes


_OF_TEXT: dict[object, tuple[Convert, Convert]] = {
    decimal.Decimal: (decimal.Decimal, str),
    uuid.UUID: (uuid.UUID, str),
    dt.datetime: (_iso_datetime, _isoformat),
    dt.date: (dt.date.fromisoformat, _isoformat),
    dt.time: (dt.time.fromisoformat, _isoformat),
}
_OF_BYTES: dict[object, tuple[Convert, Convert]] = {
    uuid.UUID: (_uuid_of_bytes, _bytes_of_uuid),
    bytearray: (bytearray, bytes),
    memoryview: (memoryview, bytes),
}
_OF_UUID: dict[object, tuple[Convert, Convert]] = {str: (str, uuid.UUID)}
_CLASSES = {"string": _OF_TEXT, "binary": _OF_BYTES, "uuid": _OF_UUID}
CONVERTED = {*_OF_TEXT, *_OF_BYTES, dt.timedelta}
"""Classes of the standard library that some type is converted to."""
INTEGERS = ("i8", "i16", "i32", "i64")


def adapter_of(kind: str, class_: object) -> Optional[Adapter]:
    """The conversion of a value of that kind to a class, if the class alone determines it."""
    if isinstance(class_, type) and issubclass(class_, enum.Enum):
        return _adapter_of_enum(kind, class_)
    pair = _CLASSES.get(kind, {}).get(class_)
    if pair is None or not isinstance(class_, type):
        return None
    return Adapter(pair[0], checked(class_, pair[1]))


def _adapter_of_enum(kind: str, class_: type[enum.Enum]) -> Optional[Adapter]:
    values = [member.value for member in class_]
    value_type: type = str if kind == "string" else int
    if kind not in ("string", *INTEGERS) or not all(type(v) is value_type for v in values):
        return None
    return Adapter(class_, checked(class_, _value_of_member))


def _value_of_member(member: enum.Enum) -> Value:
    return member.value


Adapter.__module__ = Name.__module__ = Unix.__module__ = "thriftlens"
