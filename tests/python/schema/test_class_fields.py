"""What classes declare, and which are created without calling them."""

import abc
import dataclasses
from typing import ClassVar, List, Optional

import pytest
import thriftlens as tl
from thriftlens._schema.class_fields import annotation_text, class_fields

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

    with pytest.raises(TypeError, match="Plain.seen: no field 'seen' in Pair"):
        Pair.decoder(into=Plain)
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


def test_annotations_are_named_as_in_source():
    assert annotation_text(int) == "int"
    assert annotation_text(Optional[List[int]]) == "Optional[List[int]]"
