"""Decoding to objects of users' classes, and what does not fit."""

import dataclasses
import enum
import gc
import importlib.util
import random
import sys
import weakref
from decimal import Decimal
from typing import Any, Dict, FrozenSet, List, Literal, NamedTuple, Optional, Set, Tuple, Union

import pytest
import thriftlens as tl

IDL = tl.loads("""
enum Color { RED = 1, BLUE = 5 }
struct Item { 1: required string sku, 2: i32 count = 1, 3: optional list<Item> parts }
union Either { 1: i64 number, 2: list<string> texts, 3: Item item }
struct Order {
  1: required i64 id,
  2: list<Item> items,
  3: map<string, Item> by_sku,
  4: set<string> tags,
  5: Color color,
  6: Either either,
  7: optional double weight,
  8: bool gift,
  9: binary raw,
  10: map<Color, list<i32>> sizes,
  11: set<list<i32>> groups,
}
""")
Order, Item, Either = IDL.Order, IDL.Item, IDL.Either
VALUE = {
    "id": 7, "items": [{"sku": "cup", "count": 2}, {"sku": "pot", "parts": [{"sku": "lid"}]}],
    "by_sku": {"cup": {"sku": "cup", "count": 2}}, "tags": {"new", "old"}, "color": 5,
    "either": {"texts": ["a", "b"]}, "gift": True, "raw": b"\xff\0", "sizes": {1: [1, 2], 5: []},
    "groups": {(1, 2), (3,)},
}  # fmt: skip


class Color(enum.IntEnum):
    RED = 1
    BLUE = 5


def fields(item, either):
    """Names, annotations and defaults of a class for Order."""
    return [
        ("id", int),
        ("items", List[item]),
        ("by_sku", Dict[str, item]),
        ("tags", FrozenSet[str]),
        ("color", Color),
        ("either", Optional[either]),
        ("gift", bool),
        ("raw", bytes),
        ("sizes", Dict[Color, Tuple[int, ...]]),
        ("groups", Set[Tuple[int, ...]]),
        ("weight", Optional[float], None),
    ]


@dataclasses.dataclass
class DataItem:
    sku: str
    count: int = 1
    parts: Optional[List["DataItem"]] = None


@dataclasses.dataclass
class DataEither:
    number: Optional[int] = None
    texts: Optional[List[str]] = None
    item: Optional[DataItem] = None


class TupleItem(NamedTuple):
    sku: str
    count: int = 1
    parts: Optional[List[Any]] = None


class TupleEither(NamedTuple):
    number: Optional[int] = None
    texts: Optional[List[str]] = None
    item: Optional[TupleItem] = None


class PlainItem:
    sku: str
    count: int = 1
    parts: Optional[List["PlainItem"]] = None


class PlainEither:
    number: Optional[int] = None
    texts: Optional[List[str]] = None
    item: Optional[PlainItem] = None


class InitItem:
    def __init__(self, sku: str, count: int = 1, parts: "Optional[List[InitItem]]" = None):
        self.sku, self.count, self.parts = sku, count, parts


class InitEither:
    def __init__(
        self,
        number: Optional[int] = None,
        texts: Optional[List[str]] = None,
        item: Optional[InitItem] = None,
    ):
        self.number, self.texts, self.item = number, texts, item


def dataclass_model():
    return dataclasses.make_dataclass("Model", fields(DataItem, DataEither))


def named_tuple_model():
    rows = fields(TupleItem, TupleEither)
    model = NamedTuple("Model", [row[:2] for row in rows])
    model.__new__.__defaults__ = (None,)
    model._field_defaults = {"weight": None}
    return model


def plain_model():
    rows = fields(PlainItem, PlainEither)
    return type("Model", (), {"__annotations__": {row[0]: row[1] for row in rows}, "weight": None})


def slots_model():
    rows = fields(PlainItem, PlainEither)
    names = {row[0]: row[1] for row in rows}
    return type("Model", (), {"__annotations__": names, "__slots__": tuple(names)})


def init_model():
    rows = fields(InitItem, InitEither)

    class Model:
        def __init__(self, **values):
            self.__dict__.update(values)

    Model.__annotations__ = {row[0]: row[1] for row in rows}
    parameters = "".join(f", {row[0]}" for row in rows[:-1])
    text = f"def __init__(self{parameters}, weight=None): self.__dict__.update(locals())"
    names: Dict[str, Any] = {}
    exec(text, names)
    Model.__init__ = names["__init__"]
    Model.__init__.__annotations__ = dict(Model.__annotations__)
    return Model


def msgspec_model():
    msgspec = pytest.importorskip("msgspec")
    item = msgspec.defstruct(
        "Item", [("sku", str), ("count", int, 1), ("parts", Optional[List[Any]], None)]
    )
    either = msgspec.defstruct(
        "Either",
        [
            ("number", Optional[int], None),
            ("texts", Optional[List[str]], None),
            ("item", Optional[item], None),
        ],
    )
    return msgspec.defstruct("Model", fields(item, either))


def attrs_model():
    attrs = pytest.importorskip("attrs")

    def make(name, rows, **options):
        body = {
            row[0]: attrs.field(type=row[1], **({"default": row[2]} if len(row) > 2 else {}))
            for row in rows
        }
        return attrs.make_class(name, body, **options)

    item = make("Item", [("sku", str), ("count", int, 1), ("parts", Optional[List[Any]], None)])
    rows = [("number", Optional[int], None), ("texts", Optional[List[str]], None)]
    either = make("Either", [*rows, ("item", Optional[item], None)])
    return make("Model", fields(item, either), slots=True)


def pydantic_model():
    pydantic = pytest.importorskip("pydantic")
    item = pydantic.create_model(
        "Item", sku=(str, ...), count=(int, 1), parts=(Optional[List[Any]], None)
    )
    either = pydantic.create_model(
        "Either",
        number=(Optional[int], None),
        texts=(Optional[List[str]], None),
        item=(Optional[item], None),
    )
    rows = {row[0]: (row[1], row[2] if len(row) > 2 else ...) for row in fields(item, either)}
    return pydantic.create_model("Model", **rows)


MODELS = [
    dataclass_model, named_tuple_model, plain_model, slots_model, init_model, msgspec_model,
    attrs_model, pydantic_model,
]  # fmt: skip


@pytest.mark.parametrize("make", MODELS, ids=[make.__name__ for make in MODELS])
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_every_kind_of_class_round_trips(make, protocol):
    model = make()
    data = Order.encode(VALUE, protocol=protocol)
    decoder = tl.Decoder(Order, into=model, protocol=protocol)
    for _ in range(3):  # layouts of classes are cached
        order = decoder.decode(data)
        assert type(order) is model and order.id == 7 and order.weight is None
        assert order.items[0].sku == "cup" and order.items[0].count == 2
        assert type(order.items[1]) is type(order.by_sku["cup"]) and order.items[1].count == 1
        assert order.tags == frozenset(("new", "old")) and type(order.tags) is frozenset
        assert order.color is Color.BLUE and order.gift is True and order.raw == b"\xff\0"
        assert order.either.texts == ["a", "b"] and order.either.number is None
        assert order.sizes == {Color.RED: (1, 2), Color.BLUE: ()}
        assert all(type(key) is Color for key in order.sizes)
        assert order.groups == {(1, 2), (3,)}
        repeated = Order.decode(Order.encode(order))
        assert repeated == {**VALUE, "items": repeated["items"]}
        assert repeated["items"][1] == {"sku": "pot", "count": 1, "parts": [{"sku": "lid"}]} or (
            repeated["items"][1]["parts"] == [{"sku": "lid", "count": 1}]
        )


@pytest.mark.parametrize("make", MODELS, ids=[make.__name__ for make in MODELS])
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_hostile_bytes_raise_errors_only(make, protocol):
    decoder = tl.Decoder(Order, into=make(), protocol=protocol)
    data = Order.encode(VALUE, protocol=protocol)
    choices = random.Random(7)
    rejected = 0
    for _ in range(1000):
        broken = bytearray(data[: choices.choice((len(data), choices.randrange(len(data))))])
        for _ in range(choices.randint(0, 4)):
            if broken:
                broken[choices.randrange(len(broken))] = choices.randrange(256)
        try:
            decoder.decode(bytes(broken))
        except tl.Error as error:
            rejected += 1
            assert error.code and str(error)
    assert rejected > 500


def test_a_typed_dict_has_the_entries_of_its_keys():
    typing = pytest.importorskip("typing_extensions")
    part = typing.TypedDict("part", {"sku": str, "count": typing.NotRequired[int]})
    model = typing.TypedDict("model", {"id": int, "items": List[part], "color": Color})
    order = Order.decode(Order.encode(VALUE), into=model)
    assert order == {"id": 7, "items": [{"sku": "cup", "count": 2}, {"sku": "pot"}], "color": 5}
    assert order["color"] is Color.BLUE
    assert Order.decode(Order.encode(order)) == {**order, "color": 5}
    converted = typing.TypedDict("part", {"sku": Decimal})
    with pytest.raises(TypeError, match="no names or conversions: use a dataclass or msgspec.Str"):
        Item.decoder(into=converted)


def test_absent_fields_take_the_default_of_the_class_then_of_the_idl():
    @dataclasses.dataclass
    class Own:
        sku: str
        count: int = 9
        parts: List[DataItem] = dataclasses.field(default_factory=list)

    @dataclasses.dataclass
    class Idl:
        sku: str
        count: int
        parts: Optional[List[DataItem]]

    data = Item.encode({"sku": "cup"})
    assert Item.decode(data, into=Own) == Own("cup", 9, [])
    first, second = (Item.decode(data, into=Own).parts for _ in range(2))
    assert first is not second
    assert Item.decode(data, into=Own, defaults="write") == Own("cup", 1, [])
    assert Item.decode(data, into=Idl) == Idl("cup", 1, None)


def test_containers_and_structs_as_idl_defaults():
    idl = tl.loads("""
      struct Part { 1: i32 size = 3, 2: list<i32> cuts = [1, 2] }
      struct Whole { 1: Part part = {}, 2: map<string, Part> parts = {"a": {"size": 4}} }
      struct Endless { 1: i32 x = 1, 2: optional list<Endless> more = [{}] }
    """)

    @dataclasses.dataclass
    class Part:
        size: int
        cuts: List[int]

    @dataclasses.dataclass
    class Whole:
        part: Part
        parts: Dict[str, Part]

    @dataclasses.dataclass
    class Endless:
        x: int
        more: "List[Endless]"

    whole = idl.Whole.decode(b"\0", into=Whole)
    assert whole == Whole(Part(3, [1, 2]), {"a": Part(4, [1, 2])})
    Endless.__annotations__["more"] = List[Endless]
    with pytest.raises(tl.DecodeError) as caught:
        idl.Endless.decode(b"\0", into=Endless)
    assert caught.value.code == "depth_limit"


def test_an_absent_field_without_a_default_is_an_error():
    idl = tl.loads("struct A { 1: i32 x, 2: required i32 y }")

    @dataclasses.dataclass
    class Model:
        x: int
        y: int

    with pytest.raises(tl.DecodeError, match=r"Model\.x has no default at \$\.x") as caught:
        idl.A.decode(idl.A.encode({"y": 1}), into=Model)
    assert (caught.value.code, caught.value.path) == ("missing_required", "$.x")
    assert caught.value.option is None
    with pytest.raises(tl.DecodeError, match=r"a required field is missing at \$\.y"):
        idl.A.decode(b"\0", into=Model)


def test_fields_that_the_idl_does_not_sort_by_id():
    idl = tl.loads("struct A { 7: i32 x, 2: string y, 5: i64 z } union B { 9: i32 x, 1: string y }")

    @dataclasses.dataclass
    class Model:
        z: int
        number: int
        y: str
        __thrift_names__ = {"number": "x"}

    data = idl.A.encode({"x": 1, "y": "a", "z": 3})
    assert idl.A.decode(data, into=Model) == Model(3, 1, "a")
    assert idl.A.encode(Model(3, 1, "a")) == data
    assert idl.B.decode(idl.B.encode({"x": 1}), into=Union[int, str]) == 1


def test_a_class_may_leave_out_fields_which_are_skipped():
    class Small(NamedTuple):
        id: int

    assert Order.decode(Order.encode(VALUE), into=Small) == Small(7)
    twice = Order.encode({"id": 1, "gift": True})
    doubled = twice[:-1] + twice[-5:]
    with pytest.raises(tl.DecodeError) as caught:
        Order.decode(doubled, into=Small)
    assert caught.value.code == "duplicate_field"
    assert Order.decode(doubled, into=Small, duplicates="last") == Small(1)


def test_a_class_that_lacks_a_member_of_a_union_is_named():
    either = dataclasses.make_dataclass("Either", [("number", Optional[int], None)])
    order = dataclasses.make_dataclass("Mine", [("either", either)])
    with pytest.raises(TypeError) as caught:
        IDL.Order.decoder(into=order)
    text = "Order.either is Either (union), but Mine.either is Either: the class lacks the member"
    assert type(caught.value) is TypeError and str(caught.value) == f"{text} 'texts'"


def test_a_union_of_classes_is_the_member_that_is_set():
    class Number(NamedTuple):
        number: int

    class TextList(NamedTuple):
        texts: List[str]

    choice = Union[Number, TextList, DataItem]

    @dataclasses.dataclass
    class Model:
        id: int
        either: Optional[choice] = None

    for value, expected in (
        ({"number": 3}, Number(3)),
        ({"texts": ["a"]}, TextList(["a"])),
        ({"item": {"sku": "x", "count": 1}}, DataItem("x")),
    ):
        data = Order.encode({"id": 1, "either": value})
        order = Order.decode(data, into=Model)
        assert order.either == expected and type(order.either) is type(expected)
        assert Order.decode(Order.encode(order)) == {"id": 1, "either": value}
        assert Either.decode(Either.encode(value), into=choice) == expected
    with pytest.raises(tl.DecodeError, match="no member of the union is set"):
        Either.decode(b"\0", into=choice)
    with pytest.raises(TypeError, match="no class matches the member 'item'"):
        Either.decode(b"\0", into=Union[Number, TextList])


def test_enums_by_number_name_and_value():
    class Names(enum.Enum):
        RED = "red"
        BLUE = "blue"

    class Texts(str, enum.Enum):
        A = "RED"
        B = "BLUE"

    paint = tl.loads("enum Color { RED = 1, BLUE = 5 } struct Paint { 1: Color color }").Paint

    def model(annotation):
        return dataclasses.make_dataclass("Model", [("color", annotation)])

    data, unknown = paint.encode({"color": 5}), paint.encode({"color": 6})
    for annotation, expected in (
        (int, 5), (str, "BLUE"), (Names, Names.BLUE), (Texts, Texts.B), (Color, Color.BLUE),
        (Literal["RED", "BLUE"], "BLUE"), (Union[Color, int], Color.BLUE), (Any, 5),
    ):  # fmt: skip
        value = paint.decode(data, into=model(annotation))
        assert value.color is expected or value.color == expected
        assert type(value.color) is type(expected)
        assert paint.encode(value) == data
        if annotation in (int, Any, Union[Color, int]):
            assert paint.decode(unknown, into=model(annotation)).color == 6
        else:
            with pytest.raises(tl.DecodeError) as caught:
                paint.decode(unknown, into=model(annotation))
            assert (caught.value.code, caught.value.path) == ("unknown_enum_value", "$.color")
    Single = enum.IntEnum("Single", {"RED": 1})
    for annotation, text in ((Single, "Single"), (Union[Single, int], r"Union\[Single, int\]")):
        expected = (
            f"Model.color is {text}: the enum lacks the member BLUE = 5: add it, or write int"
        )
        with pytest.raises(TypeError, match=expected):
            paint.decode(data, into=model(annotation))


def test_lists_and_other_annotations_are_results():
    data = Order.encode(VALUE)
    assert Order.decode(data, into=Any) == VALUE == Order.decode(data, into=Dict[str, Any])
    numbers = tl.loads("typedef list<i32> Numbers")["Numbers"]
    encoded = numbers.encode([1, 2])
    assert numbers.decode(encoded, into=Tuple[int, ...]) == (1, 2)
    assert numbers.decode(encoded, into=List[int]) == [1, 2]
    assert numbers.decoder(into=tuple).decode(encoded) == (1, 2)


@pytest.mark.parametrize(
    "annotation, text",
    [
        (("id", str), r"Order\.id is i64, but Model\.id is str"),
        (("id", bool), r"Order\.id is i64, but Model\.id is bool"),
        (("usre", int), r"Model\.usre: no field 'usre' in Order"),
        (("itms", list), r"no field 'itms' in Order; did you mean 'items'\?"),
        (("items", List[int]), r"Order\.items\[\*\] is Item \(struct\), but Model\.items is int"),
        (("items", set), r"Order\.items is list<Item> \(list\), but Model\.items is set"),
        (("by_sku", Dict[int, DataItem]), r"Order\.by_sku\{key \*\} is string, but Model\.by_sku"),
        (("groups", Set[List[int]]), r"write tuple\[X, \.\.\.\]"),
        (("weight", float), r"Order\.weight is optional, but Model\.weight has no default"),
        (("raw", str), r"Order\.raw is binary, but Model\.raw is str"),
        (("either", DataItem), r"Either"),
        (("items", List[object()]), r"Model\.items"),
    ],
)
def test_mismatches_name_both_sides(annotation, text):
    model = dataclasses.make_dataclass("Model", [annotation])
    for call in (
        lambda: tl.Decoder(Order, into=model),
        lambda: Order.decode(Order.encode(VALUE), into=model),
    ):
        with pytest.raises(TypeError, match=text):
            call()


def test_options_that_contradict_a_class():
    with pytest.raises(ValueError, match="unknown='keep' needs dicts"):
        Order.decoder(into=DataItem, unknown="keep")
    with pytest.raises(ValueError, match="annotations of the class select"):
        Order.decoder(into=DataItem, enums="name")
    assert Item.decode(Item.encode({"sku": "a"}), into=None) == {"sku": "a"}


def test_hooks_of_classes_run_and_may_refuse_values():
    class Refused(Exception):
        pass

    @dataclasses.dataclass
    class Model:
        sku: str

        def __post_init__(self):
            if self.sku == "bad":
                raise Refused("no\nsuch item")
            self.sku = self.sku.upper()

    data = tl.loads("struct L { 1: list<Item> items } struct Item { 1: string sku }")
    holder = dataclasses.make_dataclass("Holder", [("items", List[Model])])
    decoder = data.L.decoder(into=holder)
    good = data.L.encode({"items": [{"sku": "a"}]})
    assert decoder.decode(good).items == [Model("A")]
    with pytest.raises(tl.DecodeError, match=r"Refused: no such item at \$\.items\[1\]") as caught:
        decoder.decode(data.L.encode({"items": [{"sku": "a"}, {"sku": "bad"}]}))
    assert caught.value.code == "unfit_value" and isinstance(caught.value.__cause__, Refused)


def test_errors_that_no_value_causes_are_passed_on():
    @dataclasses.dataclass
    class Model:
        sku: str

        def __post_init__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Item.decode(Item.encode({"sku": "a"}), into=Optional[Model])


def test_a_recursive_class_and_its_depth():
    tree = tl.loads("struct Tree { 1: i32 n, 2: optional list<Tree> children }").Tree

    class Node:
        n: int
        children: "Optional[List[Node]]" = None

    Node.__annotations__["children"] = Optional[List[Node]]
    value = {"n": 1, "children": [{"n": 2, "children": []}, {"n": 3}]}
    node = tree.decode(tree.encode(value), into=Node)
    assert node.children[0].children == [] and node.children[1].children is None
    assert tree.decode(tree.encode(node)) == value
    deep = {"n": 0}
    for _ in range(40):
        deep = {"n": 0, "children": [deep]}
    with pytest.raises(tl.DecodeError) as caught:
        tree.decode(tree.encode(deep, depth=200), into=Node)
    assert caught.value.code == "depth_limit"


def test_memory_is_flat_and_cycles_are_collected():
    data = Order.encode(VALUE)
    broken = data[:-9]
    models = [dataclass_model(), msgspec_model() if importable("msgspec") else named_tuple_model()]
    decoders = [tl.Decoder(Order, into=model) for model in models]

    def run(times):
        for _ in range(times):
            for decoder in decoders:
                Order.encode(decoder.decode(data))

    def fail(times):
        for _ in range(times):
            for decoder in decoders:
                with pytest.raises(tl.DecodeError):
                    decoder.decode(broken)

    blocks = []
    for times in (100, 50_000):
        run(times)
        fail(times // 50)
        gc.collect()
        blocks.append(sys.getallocatedblocks())
    assert blocks[1] - blocks[0] < 200


def importable(name):
    return importlib.util.find_spec(name) is not None


def test_classes_are_released_with_their_schema():
    def use():
        idl = tl.loads("struct A { 1: i32 only_here }")
        model = dataclasses.make_dataclass("Model", [("only_here", int)])
        model.type_ = idl.A
        model.decoder = idl.A.decoder(into=model)
        assert idl.A.decode(idl.A.encode(model(3)), into=model) == model(3)
        return weakref.ref(model)

    reference = use()
    gc.collect()
    assert reference() is None


def test_an_object_is_not_a_class():
    Point = tl.loads("struct Point { 1: i32 x }").Point
    model = dataclasses.make_dataclass("Model", [("x", int)])
    for wrong in (model(1), [], "Model"):
        with pytest.raises(TypeError, match="into must be a class or an annotation, not"):
            Point.decode(b"\0", into=wrong)
