"""Objects as values: the location of a class's fields is determined once, with the same results as
getattr."""

import collections
import dataclasses
import gc
import sys
import typing

import pytest
import thriftlens as tl

IDL = (
    "struct Part { 1: i32 n } struct T { 1: i32 a, 2: optional string b, 3: "
    "list<Part> parts, 4: Part part }"
)


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@dataclasses.dataclass
class Part:
    n: int


@dataclasses.dataclass
class Data:
    a: int
    b: typing.Optional[str] = None
    parts: list = dataclasses.field(default_factory=list)
    part: typing.Optional[Part] = None


class Slots:
    __slots__ = ("a", "b", "parts", "part")

    def __init__(self, a, b=None, parts=(), part=None):
        self.a, self.parts = a, parts
        if b is not None:  # a slot may be empty
            self.b = b
        self.part = part


class Both(Slots):
    """Slots above, a dict below."""


class Late:
    part = None

    def __init__(self, a, b=None, parts=(), part=None):
        self.part, self.parts, self.b, self.a, self.extra = part, parts, b, a, 1


class Computed:
    def __init__(self, a, b=None, parts=(), part=None):
        self.__dict__.update(a="hidden by the property", parts=parts, part=part)
        self._a, self._b = a, b

    @property
    def a(self):
        return self._a

    def __getattr__(self, name):
        if name == "b":
            return self._b
        raise AttributeError(name)


class Dynamic:
    def __init__(self, *values):
        self.values = dict(zip(("a", "b", "parts", "part"), values))

    def __getattribute__(self, name):
        value = object.__getattribute__(self, "values").get(name)
        if value is None:
            raise AttributeError(name)
        return value


class Named(typing.NamedTuple):
    a: int
    b: typing.Optional[str] = None
    parts: list = []
    part: typing.Optional[Part] = None


Short = collections.namedtuple("Short", "parts a")
CLASSES = [Data, Slots, Both, Late, Computed, Dynamic, Named]
if sys.version_info >= (3, 10):
    CLASSES.append(
        dataclasses.make_dataclass(
            "Tight",
            [("a", int), ("b", str, None), ("parts", list, ()), ("part", object, None)],
            slots=True,
        )
    )
try:
    import msgspec

    CLASSES.append(
        msgspec.defstruct(
            "Packed",
            [("a", int), ("b", str, None), ("parts", list, []), ("part", typing.Any, None)],
        )
    )
except ImportError:
    pass


@pytest.mark.parametrize("of", CLASSES)
def test_objects_are_written_as_their_dicts(idl, of):
    values = [
        (1, None, [Part(1), Part(2)], Part(3)),
        (2, "text", [], None),
        (3, "x", [Part(4)], Part(5)),
        (4,),
    ] * 3
    for value in values:
        plain = dict(zip(("a", "b", "parts", "part"), value))
        plain["parts"] = [{"n": part.n} for part in plain.get("parts", [])]
        plain["part"] = {"n": plain["part"].n} if plain.get("part") else None
        if of is Dynamic and len(value) == 1:
            del plain["parts"]
        assert idl.T.encode(of(*value)) == idl.T.encode(plain), value


def test_short_named_tuples(idl):
    for _ in range(3):
        assert idl.T.decode(idl.T.encode(Short([Part(1)], 5))) == {"a": 5, "parts": [{"n": 1}]}


def test_changes_of_a_class_are_noticed(idl):
    class Changing:
        def __init__(self):
            self.a = 1

    value = Changing()
    for _ in range(3):
        assert idl.T.decode(idl.T.encode(value)) == {"a": 1}
    Changing.b = "of the class"
    assert idl.T.decode(idl.T.encode(value)) == {"a": 1, "b": "of the class"}
    Changing.a = property(lambda self: 7)
    assert idl.T.decode(idl.T.encode(value)) == {"a": 7, "b": "of the class"}
    Changing.__getattr__ = lambda self, name: [Part(9)] if name == "parts" else None
    assert idl.T.decode(idl.T.encode(value)) == {"a": 7, "b": "of the class", "parts": [{"n": 9}]}
    Changing.__getattribute__ = lambda self, name: 8 if name == "a" else None
    assert idl.T.decode(idl.T.encode(value)) == {"a": 8}
    del Changing.__getattribute__, Changing.__getattr__, Changing.a, Changing.b
    assert idl.T.decode(idl.T.encode(value)) == {"a": 1}
    value.b, value.c = "late", "unknown to the IDL"
    assert idl.T.decode(idl.T.encode(value)) == {"a": 1, "b": "late"}
    Changing.__slots__ = ()
    value.__class__ = type("Other", (), {"parts": [Part(2)]})
    assert idl.T.decode(idl.T.encode(value)) == {"a": 1, "b": "late", "parts": [{"n": 2}]}


def test_classes_of_one_name_are_distinguished(idl):
    """More of them than are remembered; many are freed, and others take their place in memory."""
    for turn in range(3):
        for i in range(300):
            of = type(f"C{i}", (), {"b": str(i)} if i % 2 else {"__slots__": ("a", "b")})
            value = of()
            value.a = i
            expected = {"a": i, "b": str(i)} if i % 2 else {"a": i}
            assert idl.T.decode(idl.T.encode(value)) == expected
            assert idl.T.decode(idl.T.encode(value)) == expected


def test_an_undeclared_attribute_is_always_an_error(idl):
    more = dataclasses.make_dataclass("More", [("a", int), ("z", int, 0)])
    for _ in range(3):
        with pytest.raises(tl.EncodeError, match="no field 'z'"):
            idl.T.encode(more(1))
        assert idl.T.decode(idl.T.encode(more(1), unknown="drop")) == {"a": 1}
    for _ in range(3):
        with pytest.raises(tl.EncodeError, match="expected T, got Nothing"):
            idl.T.encode(type("Nothing", (), {})())
    empty = type("Empty", (), {"__slots__": ("a",)})
    for _ in range(3):
        with pytest.raises(tl.EncodeError, match="expected T, got Empty"):
            idl.T.encode(empty())


def test_errors_of_attributes_propagate(idl):
    class Angry:
        @property
        def a(self):
            raise RuntimeError("its own")

    for _ in range(3):
        with pytest.raises(RuntimeError, match="its own"):
            idl.T.encode(Angry())


def test_names_and_aliases_are_distinguished():
    of = tl.loads('struct T { 1: i32 a (api.key = "x"), 2: i32 b (api.key = "a") }').T
    value = type("One", (), {})()
    value.a, value.x = 1, 2
    for _ in range(2):
        assert of.decode(of.encode(value)) == {"a": 1}
        assert of.decode(of.encode(value, names="alias")) == {"a": 2, "b": 1}


def test_an_attribute_getter_may_call_encode(idl):
    class Nested:
        @property
        def a(self):
            for i in range(200):
                idl.T.encode(type(f"N{i}", (), {"a": 1})())
            return 5

        b = "after"

    assert idl.T.decode(idl.T.encode([Nested()][0])) == {"a": 5, "b": "after"}


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="the collector waits for the interpreter there"
)
def test_the_collector_does_not_run_while_containers_are_created(idl):
    data = idl.T.encode({"parts": [{"n": i} for i in range(5000)]})
    runs = []
    gc.callbacks.append(lambda phase, info: runs.append(phase))
    try:
        gc.collect()
        runs.clear()
        decoded = idl.T.decode(data)
        during = len(runs)
        assert gc.isenabled() and len(decoded["parts"]) == 5000
        runs.clear()
        with pytest.raises(tl.DecodeError):
            idl.T.decode(data[:-1])
        assert gc.isenabled()
        gc.disable()
        idl.T.decode(data)
        assert not gc.isenabled()
    finally:
        gc.enable()
        gc.callbacks.clear()
    assert during <= 2  # one run that begins and ends after the call


@pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="the collector waits for the interpreter there"
)
def test_the_collector_state_is_restored_for_python_code(monkeypatch):
    import uuid

    of = tl.loads("struct T { 1: list<uuid> ids }").T
    data = of.encode({"ids": [uuid.UUID(int=i) for i in range(1000)]})
    seen = set()
    make = uuid.UUID.__init__
    monkeypatch.setattr(
        uuid.UUID,
        "__init__",
        lambda self, *rest, **options: (seen.add(gc.isenabled()), make(self, *rest, **options))[1],
    )
    of.decode(data)
    assert seen == {True} and gc.isenabled()
