"""Objects of classes that declare their fields: a field that the IDL does not have is an error, and
msgspec.UNSET is absent."""

import dataclasses

import pytest
import thriftlens as tl

User = tl.loads("struct User { 1: i64 id, 2: string name, 3: optional list<User> friends }")["User"]


def classes():
    @dataclasses.dataclass
    class Right:
        id: int
        name: str = "Ann"

    @dataclasses.dataclass
    class Wrong:
        id: int
        nmae: str = "Ann"

    yield Right, Wrong


def msgspec_classes():
    msgspec = pytest.importorskip("msgspec")
    return msgspec.defstruct("Right", [("id", int), ("name", str, "Ann")]), msgspec.defstruct(
        "Wrong", [("id", int), ("nmae", str, "Ann")]
    )


def attrs_classes():
    attrs = pytest.importorskip("attrs")
    return tuple(
        attrs.make_class(
            "Model", {"id": attrs.field(), name: attrs.field(default="Ann")}, slots=slots
        )
        for name, slots in (("name", True), ("nmae", False))
    )


def pydantic_classes():
    pydantic = pytest.importorskip("pydantic")
    return pydantic.create_model("Right", id=(int, ...), name=(str, "Ann")), pydantic.create_model(
        "Wrong", id=(int, ...), nmae=(str, "Ann")
    )


@pytest.mark.parametrize(
    "make",
    [lambda: next(classes()), msgspec_classes, attrs_classes, pydantic_classes],
    ids=["dataclass", "msgspec", "attrs", "pydantic"],
)
def test_a_field_that_the_idl_does_not_have_is_an_error(make):
    right, wrong = make()
    for _ in range(3):  # a class that is already in the cache
        assert User.decode(User.encode(right(id=1))) == {"id": 1, "name": "Ann"}
        result = User.decode(User.encode({"id": 2, "friends": [right(id=1)]}))
        assert result["friends"] == [{"id": 1, "name": "Ann"}]
        with pytest.raises(tl.EncodeError, match="no field 'nmae' in User; did you mean 'name'"):
            User.encode(wrong(id=1))
        with pytest.raises(tl.EncodeError, match="nmae") as caught:
            User.encode({"id": 2, "friends": [right(id=1), wrong(id=1)]})
        assert caught.value.path == "$.friends[1]"
        assert User.decode(User.encode(wrong(id=1), unknown="drop")) == {"id": 1}


def test_extra_fields_of_a_pydantic_model():
    pydantic = pytest.importorskip("pydantic")

    class Open(pydantic.BaseModel, extra="allow"):
        id: int

    for _ in range(2):
        assert User.decode(User.encode(Open(id=1, name="Ann"))) == {"id": 1, "name": "Ann"}
        assert User.decode(User.encode(Open(id=1))) == {"id": 1}
        with pytest.raises(tl.EncodeError, match="nmae"):
            User.encode(Open(id=1, nmae="Ann"))


def test_unset_is_absent():
    msgspec = pytest.importorskip("msgspec")
    model = msgspec.defstruct(
        "Model", [("id", int), ("name", object, msgspec.UNSET), ("friends", object, msgspec.UNSET)]
    )
    for _ in range(3):
        assert User.decode(User.encode(model(id=1))) == {"id": 1}
    assert User.decode(User.encode({"id": 1, "name": msgspec.UNSET})) == {"id": 1}
    assert User.decode(User.encode({"id": 1, "name": msgspec.UNSET}, unknown="keep")) == {"id": 1}
    assert User.decode(
        User.edit(User.encode({"id": 1, "name": "x"})).replace("$", lambda _: model(id=2)).apply()
    ) == {"id": 2}
    with pytest.raises(tl.EncodeError):
        User.encode({"friends": [msgspec.UNSET]})
    required = tl.loads("struct R { 1: required i64 id }")["R"]
    with pytest.raises(tl.EncodeError) as caught:
        required.encode({"id": msgspec.UNSET})
    assert caught.value.code == "missing_required"


def test_a_plain_object_may_have_other_attributes():
    class Plain:
        def __init__(self):
            self.id, self.other = 1, 2

    assert User.decode(User.encode(Plain())) == {"id": 1}
