"""Error messages of changes that fail."""

import pytest
import thriftlens as tl


def test_the_error_of_a_new_value_names_the_changed_path():
    idl = tl.loads(
        "struct U { 1: i32 age; 2: list<string> tags; } struct O { 1: i64 id; 2: U user; 3: "
        "list<U> more; }"
    )
    data = idl["O"].encode({"id": 1, "user": {"age": 2, "tags": ["a"]}, "more": [{"age": 3}]})
    edit = idl["O"].edit
    for change, path in (
        (lambda: edit(data).set("$.user.age", "x"), "$.user.age"),
        (lambda: edit(data).set("$.user", {"age": 1, "tags": ["a", 2]}), "$.user.tags[1]"),
        (lambda: edit(data).append("$.user.tags", 2), "$.user.tags"),
        (lambda: edit(data).set("$", {"id": "x"}), "$.id"),
        (lambda: edit(data).set("$.more[*].age", 1 << 40), "$.more[*].age"),
        (lambda: edit(data).replace("$.more[*].age", str).apply(), "$.more[*].age"),
    ):
        with pytest.raises(tl.EncodeError) as caught:
            change()
        assert caught.value.path == path
        assert str(caught.value).endswith(" at " + path)
    with pytest.raises(tl.JSONError) as of_json:
        edit(data).set("$.user", json='{"age":1,"tags":[2]}')
    assert of_json.value.path == "$.user.tags[0]" and of_json.value.offset == 17
    assert of_json.value.line == 1
    assert of_json.value.source == "JSON text"


def test_views_are_read_only():
    idl = tl.loads("struct O { 1: i64 id; 2: list<i32> n; }")
    view = idl["O"].view(idl["O"].encode({"id": 1, "n": [1]}))

    def set_attribute():
        view.id = 2

    def delete_attribute():
        del view.id

    def set_item():
        view.n[0] = 2

    def delete_item():
        del view["id"]

    for change, kind in (
        (set_attribute, AttributeError),
        (delete_attribute, AttributeError),
        (set_item, TypeError),
        (delete_item, TypeError),
    ):
        with pytest.raises(
            kind, match=r"read-only; Type\.edit\(data\)\.set\(path, value\)\.apply\(\)"
        ):
            change()
    assert view.id == 1
