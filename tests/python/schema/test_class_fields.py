"""What classes declare, and which are created without calling them."""

import abc
import dataclasses
import sys
from typing import ClassVar, List, Optional

import pytest
import thriftlens as tl
from thriftlens._schema.class_fields import class_fields

Pair = tl.loads("struct Pair { 1: i32 x, 2: string y }").Pair
DATA = Pair.encode({"x": 3, "y": "a"})


def test_a_dataclass_with_its_own_init_or_initvar_is_called():
    calls = []

    @dataclasses.dataclass
    class Base:
        x: int

    class Derived(Base):
        def __init__(self, x: int):
            calls.append(x)
            self.x = x + 1

    @dataclasses.dataclass
    class WithExtra:
        x: int
        extra: dataclasses.InitVar[int] = 5

        def __post_init__(self, extra):
            self.x += extra

    assert class_fields(Base).form == "instance" and class_fields(Derived).form == "call"
    assert Pair.decode(DATA, into=Derived).x == 4 and calls == [3]
    assert Pair.decode(DATA, into=WithExtra).x == 8


def test_frozen_and_slotted_dataclasses_are_filled():
    @dataclasses.dataclass(frozen=True)
    class Frozen:
        x: int
        y: str = "b"
        kind: ClassVar[str] = "frozen"

    assert Pair.decode(DATA, into=Frozen) == Frozen(3, "a")
    assert Pair.decode(DATA, into=Frozen).__dict__ == {"x": 3, "y": "a"}


def test_attrs_with_converters_or_validators_is_called():
    attrs = pytest.importorskip("attrs")

    @attrs.define
    class Plain:
        x: int
        y: str = "b"
        seen: bool = attrs.field(init=False, default=True)

    @attrs.define
    class Checked:
        x: int = attrs.field(converter=lambda value: value + 1, validator=attrs.validators.ge(0))

    assert Pair.decode(DATA, into=Plain) == Plain(3, "a")
    assert Pair.decode(DATA, into=Checked).x == 4
    with pytest.raises(tl.DecodeError, match=r"ValueError: 'x' must be >= 0.*\(byte"):
        Pair.decode(Pair.encode({"x": -5}), into=Checked)


def test_pydantic_validates_and_its_aliases_are_names():
    pydantic = pytest.importorskip("pydantic")

    class Model(pydantic.BaseModel):
        number: int = pydantic.Field(alias="x", ge=0)
        label: Optional[str] = pydantic.Field(default=None, alias="y")

    assert Pair.decode(DATA, into=Model) == Model(x=3, y="a")
    assert Pair.encode(Model(x=3, y="a")) == DATA
    with pytest.raises(tl.DecodeError, match="greater than or equal to 0") as caught:
        Pair.decode(Pair.encode({"x": -1}), into=Model)
    assert isinstance(caught.value.__cause__, pydantic.ValidationError)


def test_msgspec_renames_and_hooks():
    msgspec = pytest.importorskip("msgspec")

    class Model(msgspec.Struct, rename={"number": "x", "label": "y"}):
        number: int
        label: str = "none"
        seen: ClassVar[list] = []

        def __post_init__(self):
            self.seen.append(self.number)

    assert Pair.decode(DATA, into=Model) == Model(3, "a") and Model.seen[0] == 3
    assert Pair.encode(Model(3, "a")) == DATA
    idl = tl.loads("struct L { 1: list<i32> items, 2: string name }")
    holder = msgspec.defstruct("Holder", [("items", List[int]), ("name", str, "")])
    import gc

    plain = Pair.decode(DATA, into=msgspec.defstruct("Plain", [("x", int), ("y", str)]))
    assert not gc.is_tracked(plain)
    assert gc.is_tracked(idl.L.decode(idl.L.encode({"items": [1]}), into=holder))


def test_names_by_annotation_mapping_and_underscore():
    from typing import Annotated

    idl = tl.loads("struct U { 1: i64 userId, 2: string from, 3: i32 class_ }")

    @dataclasses.dataclass
    class User:
        user_id: Annotated[int, tl.Name("userId")]
        from_: str
        kind: int
        __thrift_names__ = {"kind": "class_"}

    user = User(7, "here", 3)
    data = idl.U.encode(user)
    assert idl.U.decode(data) == {"userId": 7, "from": "here", "class_": 3}
    assert idl.U.decode(data, into=User) == user


def test_aliases_of_the_idl():
    idl = tl.loads('struct U { 1: i64 user_id (api.key = "userId") }')
    model = dataclasses.make_dataclass("Model", [("userId", int)])
    data = idl.U.encode({"user_id": 7})
    assert idl.U.decode(data, into=model, names="alias") == model(7)
    assert idl.U.encode(model(7), names="alias") == data
    with pytest.raises(TypeError, match="no field 'userId' in U; did you mean 'user_id'"):
        idl.U.decoder(into=model)


def test_classes_without_fields_or_with_unresolved_annotations():
    class Empty:
        pass

    class Broken:
        x: "Missing"  # noqa: F821

    class Abstract(abc.ABC):
        x: int

        @abc.abstractmethod
        def run(self): ...

    with pytest.raises(TypeError, match="the class declares no fields"):
        Pair.decoder(into=Empty)
    with pytest.raises(TypeError, match="cannot evaluate the annotations of Broken"):
        Pair.decoder(into=Broken)
    with pytest.raises(TypeError, match="the class is abstract"):
        Pair.decoder(into=Abstract)
    assert class_fields(int) is None and class_fields(tuple) is None


@pytest.mark.parametrize("slots", [False, True])
def test_attributes_that_are_no_parameters_need_no_field(slots):
    """Of attrs and dataclasses alike: they take their defaults, and are not encoded."""
    attrs = pytest.importorskip("attrs")

    def finish(self, scale=1):
        self.total = self.x + scale

    def fields(field, factory):
        rest = {"y": (str, {}), "seen": (list, {factory: list}), "total": (int, {})}
        return [("x", int)] + [
            (name, type_, field(init=False, **how)) for name, (type_, how) in rest.items()
        ]

    made = attrs.make_class(
        "Attrs",
        {
            name: attrs.field(type=type_) if not own else own[0]
            for name, type_, *own in fields(attrs.field, "factory")
        },
        slots=slots,
        class_body={"__attrs_post_init__": finish},
    )
    slotted = {"slots": True} if slots and sys.version_info >= (3, 10) else {}
    plain = dataclasses.make_dataclass(
        "Plain",
        fields(dataclasses.field, "default_factory"),
        namespace={"__post_init__": finish},
        **slotted,
    )
    for class_ in (made, plain):
        decoded = Pair.decode(DATA, into=class_)
        assert (decoded.x, decoded.y, decoded.seen, decoded.total) == (3, "a", [], 4)
        assert Pair.encode(decoded) == DATA


def test_init_and_class_variables_are_no_attributes():
    @dataclasses.dataclass
    class Scaled:
        x: int
        y: str = dataclasses.field(init=False, default="a")
        scale: dataclasses.InitVar[int] = 2
        kind: ClassVar[str] = "scaled"

        def __post_init__(self, scale):
            self.x *= scale

    decoded = Pair.decode(DATA, into=Scaled)
    assert decoded.x == 6 and Pair.encode(decoded) == Pair.encode({"x": 6, "y": "a"})


def test_an_initvar_without_a_default_is_a_misfit():
    @dataclasses.dataclass
    class Needs:
        x: int
        y: dataclasses.InitVar[str]

    with pytest.raises(TypeError, match="into is Needs: the InitVar 'y' has no default"):
        Pair.decoder(into=Needs)


def test_a_private_attribute_of_attrs_is_the_field_of_its_parameter():
    attrs = pytest.importorskip("attrs")
    Private = attrs.make_class("Private", {"_x": attrs.field(type=int)})
    assert Pair.encode(Pair.decode(DATA, into=Private)) == Pair.encode({"x": 3})


def test_pydantic_is_called_by_the_names_that_it_accepts():
    pydantic = pytest.importorskip("pydantic")

    class Named(pydantic.BaseModel, alias_generator=str.upper, validate_by_name=True):
        x: int

    class Choices(pydantic.BaseModel):
        number: int = pydantic.Field(
            validation_alias=pydantic.AliasChoices("x", "n"), serialization_alias="x"
        )

    assert Pair.decode(DATA, into=Named).x == Pair.decode(DATA, into=Choices).number == 3
