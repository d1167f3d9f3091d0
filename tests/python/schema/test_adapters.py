"""Conversions of values: dates, decimals, UUIDs, enums, adapters and units."""

import dataclasses
import datetime as dt
import decimal
import enum
import sys
import uuid
from fractions import Fraction
from typing import Dict, List, Optional, Set, Union

import pytest
import thriftlens as tl

if sys.version_info >= (3, 9):
    from typing import Annotated

Row = tl.loads("""
struct Row {
  1: string text, 2: i64 number, 3: binary data, 4: uuid id, 5: list<string> texts,
  6: map<string, i64> map, 7: set<string> set
}
""").Row
UTC = dt.timezone.utc
ID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")


class Level(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Code(enum.IntEnum):
    GOOD = 0
    BAD = 7


def model(field, annotation):
    return dataclasses.make_dataclass("Model", [(field, annotation)])


@pytest.mark.parametrize(
    "field, annotation, wire, value",
    [
        ("text", decimal.Decimal, "1.50", decimal.Decimal("1.50")),
        ("text", uuid.UUID, str(ID), ID),
        ("text", dt.datetime, "2026-01-02T03:04:05+00:00",
         dt.datetime(2026, 1, 2, 3, 4, 5, 0, UTC)),
        ("text", dt.date, "2026-01-02", dt.date(2026, 1, 2)),
        ("text", dt.time, "03:04:05", dt.time(3, 4, 5)),
        ("text", Level, "high", Level.HIGH),
        ("number", Code, 7, Code.BAD),
        ("data", uuid.UUID, ID.bytes, ID),
        ("data", bytearray, b"ab", bytearray(b"ab")),
        ("id", uuid.UUID, ID, ID),
        ("id", str, ID, str(ID)),
        ("number", Annotated[dt.datetime, tl.Unix("ms")], 1500,
         dt.datetime(1970, 1, 1, 0, 0, 1, 500000, UTC)),
        ("number", Annotated[dt.datetime, tl.Unix("s")], -1,
         dt.datetime(1969, 12, 31, 23, 59, 59, 0, UTC)),
        ("number", Annotated[Optional[dt.timedelta], tl.Unix("us")], 7,
         dt.timedelta(microseconds=7)),
        ("number", Annotated[dt.date, tl.Unix("days")], 1, dt.date(1970, 1, 2)),
        ("text", Annotated[Fraction, tl.Adapter(Fraction, str)], "1/3", Fraction(1, 3)),
        ("texts", List[decimal.Decimal], ["1", "2.0"],
         [decimal.Decimal(1), decimal.Decimal("2.0")]),
        ("map", Dict[Level, Annotated[dt.timedelta, tl.Unix("s")]], {"low": 60},
         {Level.LOW: dt.timedelta(minutes=1)}),
        ("set", Set[dt.date], {"2026-01-02"}, {dt.date(2026, 1, 2)}),
    ],
)  # fmt: skip
def test_values_become_objects_and_are_encoded_again(field, annotation, wire, value):
    class_ = model(field, annotation)
    data = Row.encode({field: wire})
    for _ in range(2):
        decoded = getattr(Row.decode(data, into=class_), field)
        assert decoded == value and type(decoded) is type(value)
        assert Row.encode(class_(value)) == data


@pytest.mark.parametrize(
    "field, annotation, wire, cause",
    [
        ("text", decimal.Decimal, "x", decimal.InvalidOperation),
        ("text", dt.datetime, "yesterday", ValueError),
        ("text", Level, "medium", ValueError),
        ("number", Code, 1, ValueError),
        ("data", uuid.UUID, b"short", ValueError),
        ("number", Annotated[dt.datetime, tl.Unix("s")], 2**62, OverflowError),
        ("number", Annotated[dt.date, tl.Unix("days")], 2**40, OverflowError),
    ],
)
def test_values_that_do_not_convert_are_errors_at_their_field(field, annotation, wire, cause):
    with pytest.raises(tl.DecodeError) as caught:
        Row.decode(Row.encode({field: wire}), into=model(field, annotation))
    assert (caught.value.code, caught.value.path) == ("unfit_value", f"$.{field}")
    assert isinstance(caught.value.__cause__, cause) and cause.__name__ in str(caught.value)


@pytest.mark.parametrize(
    "field, annotation, value",
    [
        ("text", decimal.Decimal, "1.5"),
        ("text", Level, "high"),
        ("number", Annotated[dt.datetime, tl.Unix("ms")], 5),
        ("number", Annotated[dt.datetime, tl.Unix("ms")], dt.datetime(2026, 1, 1)),  # no time zone
    ],
)
def test_mistyped_attributes_are_errors(field, annotation, value):
    class_ = model(field, annotation)
    with pytest.raises(tl.EncodeError) as caught:
        Row.encode(class_(value))
    assert (caught.value.code, caught.value.path) == ("value_type", f"$.{field}")


def test_exceptions_of_an_adapter_that_no_value_causes_are_passed_on():
    def fail(value):
        raise LookupError(value)

    class_ = model("text", Annotated[str, tl.Adapter(str, fail)])
    with pytest.raises(LookupError):
        Row.encode(class_("x"))


def test_a_number_that_is_a_date_needs_its_unit():
    with pytest.raises(TypeError, match=r'write Annotated\[datetime, tl\.Unix\("ms"\)\]'):
        Row.decoder(into=model("number", dt.datetime))
    for unit, class_, needed in (
        ("ms", dt.date, "a datetime or timedelta"),
        ("days", int, "a date"),
    ):
        with pytest.raises(TypeError, match=f"needs {needed}"):
            Row.decoder(into=model("number", Annotated[class_, tl.Unix(unit)]))
    with pytest.raises(TypeError, match="Row.text is string, but .*: tl.Unix converts integers"):
        Row.decoder(into=model("text", Annotated[dt.datetime, tl.Unix("ms")]))
    with pytest.raises(ValueError, match="unit must be"):
        tl.Unix("minutes")


def validating_classes(annotation, default):
    """Classes with an attribute `number`, that convert or check it themselves."""
    attrs, pydantic = pytest.importorskip("attrs"), pytest.importorskip("pydantic")
    options = {"type": annotation, "default": default}
    yield pydantic.create_model("Model", number=(annotation, default))
    yield attrs.make_class("Own", {"number": attrs.field(converter=lambda x: x, **options)})
    checks = attrs.validators.optional(attrs.validators.instance_of((dt.date, dt.timedelta)))
    yield attrs.make_class("Checked", {"number": attrs.field(validator=checks, **options)})


@pytest.mark.parametrize(
    "class_, unit, wire, value",
    [
        (dt.datetime, "ms", 5, dt.datetime(1970, 1, 1, 0, 0, 0, 5000, UTC)),
        (dt.timedelta, "ms", 1500, dt.timedelta(seconds=1.5)),
        (dt.date, "days", 20_000, dt.date(2024, 10, 4)),
    ],
)
def test_a_unit_applies_to_optional_attributes_that_a_class_validates(class_, unit, wire, value):
    for optional in (Optional[class_], Union[None, class_]):
        for model_ in validating_classes(Annotated[optional, tl.Unix(unit)], None):
            decoded = Row.decode(Row.encode({"number": wire}), into=model_)
            assert decoded.number == value and Row.encode(decoded) == Row.encode({"number": wire})
            assert Row.decode(Row.encode({}), into=model_).number is None


def test_a_class_that_validates_does_not_guess_units():
    attrs, pydantic = pytest.importorskip("attrs"), pytest.importorskip("pydantic")
    with pytest.raises(TypeError, match=r'write Annotated\[datetime, tl\.Unix\("ms"\)\]'):
        Row.decoder(into=pydantic.create_model("Model", number=(Optional[dt.datetime], None)))
    doubles = tl.loads("struct D { 1: double x, 2: list<double> y }").D
    for fields in ({"x": (decimal.Decimal, ...)}, {"y": (List[decimal.Decimal], ...)}):
        with pytest.raises(TypeError, match="is double, but Model.[xy] is Decimal"):
            doubles.decoder(into=pydantic.create_model("Model", **fields))
    convert = attrs.field(type=dt.date, converter=dt.date.fromordinal)
    own = attrs.make_class("Own", {"number": convert})
    assert Row.decode(Row.encode({"number": 5}), into=own).number == dt.date(1, 1, 5)
    seen = []
    for type_ in (Level, dt.date):  # converted first
        convert = attrs.field(type=type_, converter=seen.append)
        data = Row.encode({"text": "low" if type_ is Level else "2026-01-02"})
        Row.decode(data, into=attrs.make_class("Own", {"text": convert}))
    assert seen == [Level.LOW, dt.date(2026, 1, 2)]


def test_many_equal_hashes_of_converted_keys_are_refused():
    idl = tl.loads("struct S { 1: set<string> keys }")

    class Same:
        def __init__(self, text):
            self.text = text

        def __hash__(self):
            return 1

    class_ = model("keys", Set[Annotated[Same, tl.Adapter(Same, str)]])
    data = idl.S.encode({"keys": {str(i) for i in range(200)}})
    with pytest.raises(tl.DecodeError) as caught:
        idl.S.decode(data, into=class_)
    assert caught.value.code == "hash_flood"
    equal = idl.S.encode({"keys": ["1.0", "1.00"]})
    with pytest.raises(tl.DecodeError) as caught:
        idl.S.decode(equal, into=model("keys", Set[decimal.Decimal]))
    assert caught.value.code == "duplicate_key"


def test_a_datetime_without_a_time_zone_is_refused():
    idl = tl.loads("struct E { 1: i64 at }")

    @dataclasses.dataclass
    class Event:
        at: Annotated[dt.datetime, tl.Unix("ms")]

    for value, text in (
        (dt.datetime(2026, 1, 1), "expected a datetime with a time zone"),
        ("x", "expected datetime, got str"),
    ):
        with pytest.raises(tl.EncodeError, match=text) as caught:
            idl.E.encode(Event(value))
        assert caught.value.path == "$.at"


@pytest.mark.parametrize("kind", ["map<string, i32>", "set<string>"])
def test_a_key_without_a_hash_is_an_error_of_the_data(kind):
    S = tl.loads(f"struct S {{ 1: {kind} values }}").S
    annotation = Dict[decimal.Decimal, int] if "map" in kind else Set[decimal.Decimal]
    decoder = tl.Decoder(S, into=dataclasses.make_dataclass("Model", [("values", annotation)]))
    for size in (1, 100):  # many equal hashes are counted
        texts = [str(number) for number in range(size - 1)] + ["sNaN"]
        data = S.encode({"values": dict.fromkeys(texts, 1) if "map" in kind else set(texts)})
        with pytest.raises(tl.DecodeError) as raised:
            decoder.decode(data)
        assert raised.value.code == "unfit_value" and raised.value.path.startswith("$.values")
        assert isinstance(raised.value.__cause__, TypeError)
