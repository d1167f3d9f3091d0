"""Keys of maps and elements of sets are equal by one rule in every operation; the expected outcome
comes from a model of that rule."""

import contextlib
import functools
import json
import math
import re
import struct
from dataclasses import dataclass

import pytest
import thriftlens as tl
from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.protocol.TJSONProtocol import TJSONProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

IDL = """
struct P { 1: optional i32 x, 2: optional i32 y, 3: optional double d }
enum Kind { NEW = 1, OLD = 2 }
struct I32 { 1: optional map<i32, i32> m, 2: optional set<i32> s }
struct Enum { 1: optional map<Kind, i32> m, 2: optional set<Kind> s }
struct Double { 1: optional map<double, i32> m, 2: optional set<double> s }
struct String { 1: optional map<string, i32> m, 2: optional set<string> s }
struct Struct { 1: optional map<P, i32> m, 2: optional set<P> s }
struct List { 1: optional map<list<double>, i32> m, 2: optional set<list<double>> s }
struct Set { 1: optional map<set<i32>, i32> m, 2: optional set<set<i32>> s }
struct Map { 1: optional map<map<i32, double>, i32> m, 2: optional set<map<i32, double>> s }
"""


@dataclass(frozen=True)
class Value:
    """A value on the wire. Doubles are their bits, fields, elements and entries tuples in the order
    of the wire."""

    kind: str
    payload: object

    def norm(self):
        if self.kind == "double":
            return 0 if self.payload == 1 << 63 else self.payload
        if self.kind == "list":
            return tuple(item.norm() for item in self.payload)
        if self.kind == "set":
            return frozenset(item.norm() for item in self.payload)
        if self.kind in ("struct", "map"):
            return frozenset(
                (key if self.kind == "struct" else key.norm(), item.norm())
                for key, item in self.payload
            )
        return self.payload


i32, bits, text = (functools.partial(Value, kind) for kind in ("i32", "double", "string"))


def double(number):
    return bits(struct.unpack(">Q", struct.pack(">d", number))[0])


def fields(**values):
    return Value("struct", tuple(values.items()))


def listed(*items):
    return Value("list", items)


def unordered(*items):
    return Value("set", items)


def mapped(*entries):
    return Value("map", entries)


NAN = 0x7FF8000000000000
OTHER_NAN = 0x7FF8000000000001
# fmt: off
PAIRS = {
    "I32": [(i32(1), i32(1)), (i32(1), i32(2)), (i32(-1), i32(1))],
    "Enum": [(i32(1), i32(1)), (i32(1), i32(2)), (i32(7), i32(7))],
    "Double": [(double(0.0), double(-0.0)), (double(-0.0), double(0.0)), (double(1.5),
        double(-1.5)), (bits(NAN), bits(NAN)), (bits(NAN), bits(OTHER_NAN))],
    "String": [(text("a"), text("a")), (text("a"), text("b")), (text(""), text("ä"))],
    "Struct": [(fields(x=i32(1), y=i32(2)), fields(y=i32(2), x=i32(1))), (fields(x=i32(1),
        y=i32(2)), fields(x=i32(2), y=i32(1))), (fields(x=i32(1)), fields(x=i32(1), y=i32(1))),
        (fields(x=i32(1), d=double(0.0)), fields(d=double(-0.0), x=i32(1))), (fields(d=bits(NAN)),
        fields(d=bits(NAN)))],
    "List": [(listed(double(0.0), double(1)), listed(double(-0.0), double(1))), (listed(double(1),
        double(2)), listed(double(2), double(1)))],
    "Set": [(unordered(i32(1), i32(2)), unordered(i32(2), i32(1))), (unordered(i32(1), i32(2)),
        unordered(i32(1), i32(3)))],
    "Map": [(mapped((i32(1), double(1)), (i32(2), double(-0.0))), mapped((i32(2), double(0.0)),
        (i32(1), double(1)))), (mapped((i32(1), double(1))), mapped((i32(1), double(2))))],
}
# fmt: on
FILLERS = {
    "I32": lambda n: i32(1000 + n),
    "Enum": lambda n: i32(1000 + n),
    "Double": lambda n: double(1000.0 + n),
    "String": lambda n: text(f"f{n}"),
    "Struct": lambda n: fields(x=i32(1000 + n), y=i32(0)),
    "List": lambda n: listed(double(1000.0 + n)),
    "Set": lambda n: unordered(i32(1000 + n)),
    "Map": lambda n: mapped((i32(1000 + n), double(0.5))),
}
CASES = [
    pytest.param(name, pair, fill, id=f"{name}-{at}-{fill}")
    for name, pairs in PAIRS.items()
    for at, pair in enumerate(pairs)
    for fill in (0, 70)
]
EVERY = pytest.mark.parametrize("name, pair, fill", CASES)
BOTH = pytest.mark.parametrize("protocol", ["binary", "compact"])


def repeated(keys):
    """The index of the first key that equals an earlier one, or None."""
    seen = set()
    for index, key in enumerate(keys):
        if key.norm() in seen:
            return index
        seen.add(key.norm())
    return None


def keys_of(name, pair, fill):
    """Fillers around the first key; the second is the last."""
    fillers = [FILLERS[name](n) for n in range(fill)]
    return [*fillers[: fill // 2], pair[0], *fillers[fill // 2 :], pair[1]]


IDS = {"x": 1, "y": 2, "d": 3, "m": 1, "s": 2}
TYPES = {
    "i32": TType.I32, "double": TType.DOUBLE, "string": TType.STRING, "struct": TType.STRUCT,
    "map": TType.MAP, "set": TType.SET, "list": TType.LIST,
}  # fmt: skip
PROTOCOLS = {"binary": TBinaryProtocol, "compact": TCompactProtocol, "tjson": TJSONProtocol}


def write(out, value):
    """By Apache's protocol classes."""
    kind, payload = value.kind, value.payload
    if kind == "struct":
        out.writeStructBegin("")
        for name, item in payload:
            out.writeFieldBegin(name, TYPES[item.kind], IDS[name])
            write(out, item)
            out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
    elif kind == "map":
        out.writeMapBegin(TYPES[payload[0][0].kind], TYPES[payload[0][1].kind], len(payload))
        for part in (part for entry in payload for part in entry):
            write(out, part)
        out.writeMapEnd()
    elif kind in ("list", "set"):
        (out.writeListBegin if kind == "list" else out.writeSetBegin)(
            TYPES[payload[0].kind], len(payload)
        )
        for item in payload:
            write(out, item)
        (out.writeListEnd if kind == "list" else out.writeSetEnd)()
    else:
        {"i32": out.writeI32, "double": out.writeDouble, "string": out.writeString}[kind](
            python(value)
        )


def encoded(protocol, value):
    memory = TMemoryBuffer()
    write(PROTOCOLS[protocol](memory), value)
    return memory.getvalue()


def wire_key(protocol, key):
    """The bytes of a key: those of the only element of a list in a struct."""
    return encoded(protocol, fields(m=listed(key)))[8 if protocol == "binary" else 2 : -1]


def entries(keys):
    return mapped(*((key, i32(index)) for index, key in enumerate(keys)))


def record(protocol, container):
    """The bytes of a struct that has the map as field 1 or the set as field 2."""
    return encoded(protocol, fields(**{"m" if container.kind == "map" else "s": container}))


def number_text(value):
    number = python(value)
    return '"NaN"' if math.isnan(number) else repr(number)


def json_text(value):
    kind, payload = value.kind, value.payload
    if kind == "double":
        return number_text(value)
    if kind == "struct":
        return "{" + ",".join(f'"{name}":{json_text(item)}' for name, item in payload) + "}"
    if kind == "map":
        if payload[0][0].kind in ("i32", "double", "string"):
            return (
                "{"
                + ",".join(
                    '"' + json_text(key).strip('"') + '":' + json_text(item)
                    for key, item in payload
                )
                + "}"
            )
        return (
            "[" + ",".join(f"[{json_text(key)},{json_text(item)}]" for key, item in payload) + "]"
        )
    if kind in ("list", "set"):
        return "[" + ",".join(map(json_text, payload)) + "]"
    return json.dumps(payload)


def python(value):
    kind, payload = value.kind, value.payload
    if kind == "double":
        return struct.unpack(">d", struct.pack(">Q", payload))[0]
    if kind == "struct":
        return {name: python(item) for name, item in payload}
    if kind == "map":
        return [(python(key), python(item)) for key, item in payload]
    return [python(item) for item in payload] if kind in ("list", "set") else payload


def is_text(value):
    """Whether text formats can express it: they have one NaN."""
    if value.kind == "double":
        return value.payload != OTHER_NAN
    parts = value.payload if isinstance(value.payload, tuple) else ()
    return all(
        is_text(part)
        for item in parts
        for part in (item if isinstance(item, tuple) else (item,))
        if isinstance(part, Value)
    )


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@contextlib.contextmanager
def refuses(at, is_set=False):
    """The body must raise duplicate_key if there is such a key, else nothing."""
    if at is None:
        yield
        return
    with pytest.raises(
        Exception, match="duplicate element in a set at" if is_set else "duplicate key in a map at"
    ) as caught:
        yield
    assert (
        getattr(caught.value, "code", "duplicate_key") == "duplicate_key"
    )  # pyarrow has its own exceptions


@BOTH
@EVERY
def test_bytes_in(idl, name, pair, fill, protocol):
    of = idl[name]
    keys = keys_of(name, pair, fill)
    at, size = repeated(keys), len({key.norm() for key in keys})
    for container, field in ((entries(keys), "m"), (unordered(*keys), "s")):
        is_set = field == "s"
        data = record(protocol, container)
        with refuses(at, is_set):
            assert len(of.decode(data, protocol=protocol)[field]) == len(keys)
        with refuses(at, is_set):
            of.validate(data, keys="unique", enum_numbers="any", protocol=protocol)
        with refuses(at, is_set):
            collected = (
                set(of.view(data, protocol=protocol)[field])
                if is_set
                else dict(of.view(data, protocol=protocol)[field])
            )
            assert len(collected) == len(keys)
        if not is_set:
            with refuses(at):
                assert len(list(of.view(data, protocol=protocol)[field].items())) == len(keys)
        last = of.decode(data, protocol=protocol, duplicates="last")[field]
        assert len(last) == size
        if not is_set:
            expected = sorted(set(range(len(keys))) - ({fill // 2} if at is not None else set()))
            assert sorted(last.values()) == expected


@BOTH
@EVERY
def test_text_out(idl, name, pair, fill, protocol):
    of = idl[name]
    keys = keys_of(name, pair, fill)
    for container, field in ((entries(keys), "m"), (unordered(*keys), "s")):
        is_set = field == "s"
        data = record(protocol, container)
        at = repeated(keys)
        if not is_set and not all(map(is_text, keys)):
            at = len(keys) - 1  # two keys of one text
        with refuses(at, is_set):
            written = json.loads(of.to_json(data, protocol=protocol, nonfinite="string"))
            assert len(written[field]) == len(keys)
        text = of.to_json(data, protocol=protocol, nonfinite="string", duplicates="last")
        written = json.loads(text)
        assert len(written[field]) == len(keys) - (at is not None)
        with refuses(at, is_set):
            converted = tl.convert(data, source=protocol, target="tjson", type=of)
            if all(map(is_text, keys)):
                assert tl.convert(converted, source="tjson", target=protocol, type=of) == data


@BOTH
@EVERY
def test_text_in(idl, name, pair, fill, protocol):
    of = idl[name]
    keys = keys_of(name, pair, fill)
    if not all(map(is_text, keys)):
        pytest.skip("text has one NaN")
    at = repeated(keys)
    for container, field in ((entries(keys), "m"), (unordered(*keys), "s")):
        is_set = field == "s"
        source = f'{{"{field}":{json_text(container)}}}'
        with refuses(at, is_set):
            result = of.from_json(source, protocol=protocol, nonfinite="string")
            assert result == record(protocol, container)
        last = of.from_json(source, protocol=protocol, nonfinite="string", duplicates="last")
        rest = keys if at is None else [key for index, key in enumerate(keys) if index != fill // 2]
        retained = (
            unordered(*rest)
            if is_set
            else mapped(
                *(
                    (
                        key,
                        i32(
                            keys.index(key) if at is None else len(keys) - 1 - keys[::-1].index(key)
                        ),
                    )
                    for key in rest
                )
            )
        )
        assert last == record(protocol, retained)
        source = re.sub(b'"?nan"?', b'"NaN"', record("tjson", container))
        with refuses(at, is_set):
            result = tl.convert(source, source="tjson", target=protocol, type=of)
            assert result == record(protocol, container)


@BOTH
@EVERY
def test_objects_in(idl, name, pair, fill, protocol):
    of = idl[name]
    keys = keys_of(name, pair, fill)
    at = repeated(keys)
    with refuses(at):
        of.encode({"m": [(python(key), 0) for key in keys]}, protocol=protocol)
    with refuses(at, True):
        of.encode({"s": [python(key) for key in keys]}, protocol=protocol)


@BOTH
@EVERY
def test_lookups_and_edits(idl, name, pair, fill, protocol):
    of = idl[name]
    keys = keys_of(name, pair, fill)[:-1]
    expected_index = {key.norm(): index for index, key in enumerate(keys)}.get(pair[1].norm())
    data = record(protocol, entries(keys))
    path = '$.m{x"' + wire_key(protocol, pair[1]).hex() + '"}'
    assert of.get(data, path, protocol=protocol) == expected_index
    assert of.get_many(data, [path, "$.s"], protocol=protocol)[0] == expected_index
    view, key = of.view(data, protocol=protocol).m, python(pair[1])
    assert view.at(path.replace("$.m", "$"), None) == expected_index
    for _ in range(12):  # often enough for an index
        assert view.get(key) == expected_index and (key in view) == (expected_index is not None)
    rest = [key for index, key in enumerate(keys) if index != expected_index]
    erased = of.edit(data, protocol=protocol).erase(path).apply()
    retained = mapped(*((key, i32(keys.index(key))) for key in rest))
    assert erased == (
        record(protocol, retained) if rest else of.encode({"m": {}}, protocol=protocol)
    )
    changed = of.edit(data, protocol=protocol).create(path, 99).apply()
    values = [
        (key, i32(99 if index == expected_index else index)) for index, key in enumerate(keys)
    ]
    assert changed == record(
        protocol, mapped(*values, *([] if expected_index is not None else [(pair[1], i32(99))]))
    )


@BOTH
@EVERY
def test_columns(idl, name, pair, fill, protocol):
    pa = pytest.importorskip("pyarrow")
    of = idl[name]
    keys = keys_of(name, pair, fill)
    at = repeated(keys)
    data = record(protocol, entries(keys))
    with refuses(at):
        table = pa.table(of.columns([data], "{ m }", protocol=protocol))
        assert of.from_columns(table, protocol=protocol)[0] == data
    if at is None:
        return
    written = of.columns([record(protocol, unordered(*keys))], "{ s }", protocol=protocol)
    with refuses(at, True):
        of.from_columns(pa.table(written), protocol=protocol)


@BOTH
@EVERY
def test_differences(idl, name, pair, fill, protocol):
    of = idl[name]
    keys = keys_of(name, pair, fill)[:-1]
    other = [*keys[: fill // 2], pair[1], *keys[fill // 2 + 1 :]]
    is_equal = pair[0].norm() == pair[1].norm()
    for lhs, rhs in ((entries(keys), entries(other)), (unordered(*keys), unordered(*other))):
        assert (
            not of.diff(record(protocol, lhs), record(protocol, rhs), protocol=protocol)
        ) == is_equal


def test_enum_members_by_name_and_number(idl):
    with refuses(1):
        idl.Enum.encode({"m": {"NEW": 1, 1: 2}})
    with refuses(1, True):
        idl.Enum.encode({"s": {"NEW", 1}})
    assert idl.Enum.decode(idl.Enum.encode({"m": {"NEW": 1, 2: 2}})) == {"m": {1: 1, 2: 2}}
    for source in ('{"m":{"NEW":1,"1":2}}', '{"m":{"1":1,"NEW":2}}'):
        with refuses(1):
            idl.Enum.from_json(source)
    with refuses(1, True):
        idl.Enum.from_json('{"s":["NEW",1]}')


def test_dict_keys_that_equal_as_doubles(idl):
    with refuses(1):
        idl.Double.encode({"m": {2**53: 1, 2**53 + 1: 2}})
    with refuses(1):
        idl.Double.encode({"m": {float("nan"): 1, float("nan"): 2}})


def test_strings_of_a_class_with_its_own_equality(idl):
    class Text(str):
        __hash__ = str.__hash__

        def __eq__(self, other):
            return self is other

    with refuses(1):
        idl.String.encode({"m": {Text("a"): 1, Text("a"): 2}})


def test_true_keys_of_any_byte():
    of = tl.loads("struct T { 1: map<bool, i8> m }").T
    data = b"\r\0\1\2\3\0\0\0\1\2\7\0"  # the key is the byte 2
    view = of.view(data).m
    assert view[True] == 7 and True in view and False not in view
    assert of.get_many(data, ['$.m{x"01"}']) == of.get_many(data, ["$.m{true}"]) == [7]
    assert of.decode(of.edit(data).set('$.m{x"01"}', 8).apply()) == {"m": {True: 8}}
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(pyarrow.ArrowInvalid, match="duplicate key"):
        pyarrow.table(of.columns([data[:8] + b"\2\1\5" + data[9:]]))
