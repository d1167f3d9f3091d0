"""Conditions on rows: Type.columns(…, where=…) selects the same rows as Python."""

import pytest
import thriftlens as tl
from hypothesis import given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

IDL = """
enum Status { NEW = 1, PAID = 2, SENT = 7 }
struct User { 1: i64 id, 2: string name, 3: double rate }
struct Order { 1: i32 id, 2: User user, 3: Status status, 4: bool open, 5: list<i16> sizes,
  6: map<string, i32> tags }
"""
Order = tl.loads(IDL)["Order"]
names = {name: number for name, number in Order.fields["status"].type.members.items()}

small = st.integers(-3, 3)
texts = st.sampled_from(["", "a", "b", "ab", "é", "'q\"\\"])


def some(**fields):
    return st.fixed_dictionaries({}, optional=fields)


orders = some(
    id=small, status=st.sampled_from([1, 2, 7, 9]), open=st.booleans(),
    sizes=st.lists(small, max_size=2), tags=st.dictionaries(texts, small, max_size=2),
    user=some(id=small, name=texts, rate=st.sampled_from([-1.5, 0.0, 2.0, float("nan"),
    float("inf")])),
)  # fmt: skip


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


# (text, the value in Python, literals as (text, value))
# fmt: off
paths = {
    "id": (lambda v: v.get("id"), small.map(lambda n: (str(n), n))),
    "user.id": (lambda v: v.get("user", {}).get("id"), small.map(lambda n: (str(n), n))),
    "$.user.name": (lambda v: v.get("user", {}).get("name"), texts.map(lambda t: (quoted(t), t))),
    "user.rate": (lambda v: v.get("user", {}).get("rate"), st.sampled_from([("0", 0.0), ("-1.5",
        -1.5), ("2e0", 2.0)])),
    "status": (lambda v: v.get("status"), st.sampled_from([*names.items(), ("9", 9), ("Status.PAID",
        2)])),
    "open": (lambda v: v.get("open"), st.sampled_from([("true", True), ("FALSE", False)])),
    "sizes[0]": (lambda v: (v.get("sizes") or [None])[0], small.map(lambda n: (str(n), n))),
    "sizes[-1]": (lambda v: (v.get("sizes") or [None])[-1], small.map(lambda n: (str(n), n))),
    'tags{"a"}': (lambda v: v.get("tags", {}).get("a"), small.map(lambda n: (str(n), n))),
}
# fmt: on
orders_of = {
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}  # fmt: skip


def as_bytes(value):
    return value.encode() if isinstance(value, str) else value


@st.composite
def comparisons(draw):
    path = draw(st.sampled_from(list(paths)))
    get, literals = paths[path]
    operator = draw(st.sampled_from(["compare", "in", "not in", "null", "not null", "exists"]))
    if operator in ("null", "not null", "exists"):
        text = f"exists {path}" if operator == "exists" else f"{path} is {operator}"
        return text, (lambda v: (get(v) is None) == (operator == "null"))
    if operator == "compare":
        sign = draw(st.sampled_from(["=", "==", "!=", "<>"] if path == "open" else list(orders_of)))
        text, literal = draw(literals)
        return f"{path} {sign} {text}", (
            lambda v: (
                None if get(v) is None else orders_of[sign](as_bytes(get(v)), as_bytes(literal))
            )
        )
    listed = draw(st.lists(literals, min_size=1, max_size=3))

    def is_in(v):
        return None if get(v) is None else get(v) in [value for _, value in listed]

    negated = lambda v: None if is_in(v) is None else not is_in(v)  # noqa: E731
    return (
        f"{path} {operator} ({', '.join(text for text, _ in listed)})",
        is_in if operator == "in" else negated,
    )


def both(lhs, rhs):
    return lambda v: (
        False if False in (lhs(v), rhs(v)) else None if None in (lhs(v), rhs(v)) else True
    )


def either(lhs, rhs):
    return lambda v: (
        True if True in (lhs(v), rhs(v)) else None if None in (lhs(v), rhs(v)) else False
    )


def extended(inner):
    return st.one_of(
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]}) AND ({p[1][0]})", both(p[0][1], p[1][1]))
        ),
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]}) or ({p[1][0]})", either(p[0][1], p[1][1]))
        ),
        inner.map(lambda p: (f"not ({p[0]})", lambda v: None if p[1](v) is None else not p[1](v))),
    )


conditions = st.recursive(comparisons(), extended, max_leaves=6)


@settings(max_examples=300, deadline=None)
@given(
    values=st.lists(orders, max_size=6),
    condition=comparisons() | conditions,
    protocol=st.sampled_from(["binary", "compact"]),
)
def test_rows_equal_a_filter_in_python(values, condition, protocol):
    text, keeps = condition
    records = [Order.encode(value, protocol=protocol) for value in values]
    table = pa.table(Order.columns(records, "{ id }", where=text, record="n", protocol=protocol))
    result = table.column("n").to_pylist()
    assert result == [number for number, value in enumerate(values) if keeps(value) is True]


def test_and_binds_before_or():
    records = [Order.encode({"id": n}) for n in range(4)]

    def ids_where(where):
        return pa.table(Order.columns(records, "{ id }", where=where)).column("id").to_pylist()

    assert ids_where("id = 0 or id = 1 and id = 2") == [0]
    assert ids_where("not id = 0 and id < 3") == [1, 2]
    assert ids_where(None) == [0, 1, 2, 3]


def test_records_that_do_not_match_are_not_decoded():
    """Invalid UTF-8 is an error only in records that match."""
    broken = (
        Order.encode({"id": 1}).replace(b"\0\1\0\0\0\1\0", b"\0\1\0\0\0\1")
        + b"\x0c\0\2\x0b\0\2\0\0\0\1\xff\0\0"
    )
    assert pa.table(Order.columns([broken], where="id = 2")).num_rows == 0
    with pytest.raises(tl.DecodeError, match="UTF-8"):
        Order.columns([broken], where="id = 1").num_rows


def test_null_records_invalid_records_and_threads():
    records = [Order.encode({"id": n % 5}) for n in range(3000)]
    records[7], records[11] = None, b"\x08\0\1\0"
    columns = Order.columns(
        records, "{ id }", where="id > 2", on_error="null", threads=2, record="n"
    )
    table = pa.table(columns)
    assert [rejected.record for rejected in columns.rejected] == [11]
    assert 7 not in table.column("n").to_pylist()
    assert table.num_rows == 1 + sum(n % 5 > 2 and n not in (7, 11) for n in range(3000))
    assert pa.table(Order.columns([None, records[0]], where="id is null")).num_rows == 1
    with pytest.raises(tl.DecodeError) as caught:
        Order.columns(records, where="id > 2").num_rows
    assert (caught.value.record, caught.value.path) == (11, "$.id")


def test_rows_of_lists():
    idl = tl.loads("struct P { 1: i32 x } struct L { 1: list<P> all }")
    of = idl.L.fields["all"].type
    record = of.encode([{"x": n} for n in range(6)])
    assert pa.table(of.columns([record], where="x in (1, 4)")).column("x").to_pylist() == [1, 4]


def test_defaults_count_on_request():
    idl = tl.loads("enum S { A = 1, B = 2 } struct D { 1: S s = S.B, 2: i32 x }")
    records = [idl.D.encode({"x": 1}), idl.D.encode({"x": 2, "s": 1})]

    def matches(**options):
        table = pa.table(idl.D.columns(records, "{ x }", where="s = B", **options))
        return table.column("x").to_pylist()

    assert matches() == [] and matches(defaults="write") == [1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("idd = 1", "no field 'idd' in Order; did you mean 'id'"),
        ("status = PIAD", "no member 'PIAD' in Status; did you mean 'PAID'"),
        ("id = 'x'", "expected an integer to compare with i32"),
        ("id > 5 and", "expected a path"),
        ("user = 1", "can only be tested with 'is null'"),
        ("id = 5000000000", "outside the range of i32"),
        ("sizes[*] = 1", "must select a single value"),
    ],
)
def test_invalid_conditions(text, message):
    with pytest.raises(tl.Error, match=message) as caught:
        Order.columns([], where=text)
    assert caught.value.offset is not None and caught.value.source == "condition"
    with pytest.raises(TypeError, match="where must be a condition"):
        Order.columns([], where=5)
