"""Changes to the serialized Arrow schema."""

import base64

import pytest
from thriftlens._parquet.arrow_metadata import BrokenSchema, Field, changed_metadata, renamed_fields

pa = pytest.importorskip("pyarrow")

SCHEMA = pa.schema(
    [
        pa.field("a", pa.int64(), metadata={"owner": "zoe", "unit": "ms"}),
        pa.field("s", pa.struct([pa.field("in", pa.int32(), metadata={"owner": "max"})])),
        pa.field("l", pa.list_(pa.struct([pa.field("in", pa.int32())]))),
        pa.field("m", pa.map_(pa.string(), pa.int32())),
    ],
    metadata={"owner": "eve", "x": "1"},
)


def text_of(schema):
    return base64.b64encode(schema.serialize().to_pybytes()).decode()


def schema_of(text):
    return pa.ipc.read_schema(pa.py_buffer(base64.b64decode(text)))


def fields(**new_names):
    """The fields of SCHEMA with new names."""
    inner = [Field("in", new_names.get("inner", "in"), "value")]
    element = Field("element", "element", "struct", inner)
    pair = [Field("key", "key", "value"), Field("value", "value", "value")]
    return [
        Field("a", new_names.get("a", "a"), "value"),
        Field("s", new_names.get("s", "s"), "struct", inner),
        Field("l", new_names.get("l", "l"), "list", [element]),
        Field("m", new_names.get("m", "m"), "map", pair),
    ]


def test_entries_are_removed_and_replaced():
    def keep(key, value, is_field):
        return (value == "max" or not is_field and "new") if key == "owner" else True

    changed = changed_metadata(text_of(SCHEMA), keep)
    schema = schema_of(changed)
    assert schema.metadata == {b"owner": b"new", b"x": b"1"}
    assert schema.field("a").metadata == {b"unit": b"ms"}
    assert schema.field("s").type.field("in").metadata == {b"owner": b"max"}
    assert b"zoe" not in base64.b64decode(changed) and b"eve" not in base64.b64decode(changed)
    assert schema.equals(SCHEMA) and schema.types == SCHEMA.types


def test_without_changes_the_text_is_the_same():
    text = text_of(SCHEMA)
    assert changed_metadata(text, lambda key, value, is_field: True) == text
    assert renamed_fields(text, fields(), {"x": "1"}) == text


def test_fields_are_renamed_and_removed():
    schema = schema_of(renamed_fields(text_of(SCHEMA), fields(a="b", inner="i", m=None), {}))
    assert schema.names == ["b", "s", "l"]
    assert [field.name for field in schema.field("s").type] == ["i"]
    assert [field.name for field in schema.field("l").type.value_type] == ["i"]


def test_missing_metadata_is_added():
    schema = schema_of(renamed_fields(text_of(SCHEMA), fields(), {"y": "2", "x": "other"}))
    assert schema.metadata == {b"owner": b"eve", b"x": b"1", b"y": b"2"}
    assert schema.equals(SCHEMA)


def test_fields_of_another_type_are_an_error():
    other = [Field("a", "a", "struct", [Field("in", "inner", "value")]), *fields()[1:]]
    with pytest.raises(BrokenSchema, match="'a' has a different type"):
        renamed_fields(text_of(SCHEMA), other, {})


@pytest.mark.parametrize("text", ["", "!!!!", "AAAA", base64.b64encode(b"\xff" * 40).decode()])
def test_invalid_schema_texts(text):
    with pytest.raises(BrokenSchema):
        changed_metadata(text, lambda key, value, is_field: True)
