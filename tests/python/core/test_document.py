"""Document: a value as an editable tree."""

import pytest
import thriftlens as tl

IDL = """
enum Size { S = 1, L = 2 }
struct Item { 1: required string sku, 2: i32 count, 3: bool gift }
union Payment { 1: string card, 2: i64 invoice }
struct Order {
  1: required i64 id, 2: list<Item> items, 3: map<string, Item> parts, 4: set<i32> tags,
  5: Payment payment, 6: Size size, 7: list<i32> numbers, 8: Item first, 9: Item last, 10: bool done
}
struct Other { 1: i32 x }
"""
Order, Other = (tl.loads(IDL)[name] for name in ("Order", "Other"))
VALUE = {
    "id": 7,
    "items": [{"sku": "b", "count": 2, "gift": True}, {"sku": "a", "count": 1}],
    "parts": {"z": {"sku": "z"}, "y": {"sku": "y"}},
    "tags": {3, 1},
    "numbers": [3, 1, 2],
}


@pytest.fixture
def document(protocol):
    return tl.Document(Order, Order.encode(VALUE, protocol=protocol), protocol=protocol)


def value_of(document, protocol):
    return Order.decode(document.to_bytes(), protocol=protocol)


def test_reads_values(document, protocol):
    assert document.get("$.id") == 7 and document.get("") == VALUE
    assert document.get("$.items[1]") == {"sku": "a", "count": 1}
    assert document.get('$.parts{"z"}.sku') == "z" and document.get("$.items[0].gift") is True
    assert document.get("$.first.sku") is None and document.get("$.size", 5) == 5
    assert not document.changed and document.to_bytes() == Order.encode(VALUE, protocol=protocol)
    assert repr(document) == "<thriftlens.Document of Order>"


def test_sets_and_erases_values(document, protocol):
    document.set("$.id", 8)
    document.set("$.items[0].count", 5)
    document.set("$.items[-1]", {"sku": "c"})
    document.set('$.parts{"new"}', {"sku": "n"})
    document.set("$.size", "L")
    document.set("$.done", True)
    document.append("$.numbers", 4)
    document.append("$.items", Order.view(Order.encode({"id": 1, "first": {"sku": "v"}})).first)
    assert document.erase("$.tags") and not document.erase("$.tags")
    assert document.changed and repr(document).endswith(", changed>")
    assert value_of(document, protocol) == {
        "id": 8,
        "items": [{"sku": "b", "count": 5, "gift": True}, {"sku": "c"}, {"sku": "v"}],
        "parts": {**VALUE["parts"], "new": {"sku": "n"}},
        "size": 2,
        "numbers": [3, 1, 2, 4],
        "done": True,
    }
    document.set("", {"id": 1})
    document.append("$.numbers", 1)  # an absent list is created
    assert value_of(document, protocol) == {"id": 1, "numbers": [1]}


def test_a_union_has_one_member(document, protocol):
    document.set("$.payment", {"card": "visa"})
    document.set("$.payment.invoice", 3)
    assert document.get("$.payment") == {"invoice": 3}


def test_moves_values(document, protocol):
    document.move("$.items[0]", "$.last")
    document.move('$.parts{"z"}', '$.parts{"x"}')
    document.move("$.numbers[0]", "$.numbers[3]")
    assert value_of(document, protocol) == {
        "id": 7,
        "items": [{"sku": "a", "count": 1}],
        "parts": {"y": {"sku": "y"}, "x": {"sku": "z"}},
        "tags": {1, 3},
        "numbers": [1, 2, 3],
        "last": {"sku": "b", "count": 2, "gift": True},
    }
    with pytest.raises(tl.UsageError, match="into itself"):
        document.move("$.items", "$.items[0]")


def test_moves_an_element_below_its_neighbour(protocol):
    Node = tl.loads("struct Node { 1: string name, 2: list<Node> nodes, 3: Node inner }").Node
    data = Node.encode({"nodes": [{"name": "a"}, {"name": "b"}]}, protocol=protocol)
    document = tl.Document(Node, data, protocol=protocol)
    document.move("$.nodes[0]", "$.nodes[1].inner")
    assert document.get("") == {"nodes": [{"name": "b", "inner": {"name": "a"}}]}


@pytest.mark.parametrize("options, items, parts", [
    ({}, ["n"], ["z", "y", "q"]), ({"append_lists": True}, ["b", "a", "n"], ["z", "y", "q"]),
    ({"replace_maps": True}, ["n"], ["q"]),
])  # fmt: skip
def test_merges_documents(document, protocol, options, items, parts):
    other = tl.Document(Order, Order.encode(
        {"id": 9, "items": [{"sku": "n"}], "parts": {"q": {"sku": "q"}}}))  # fmt: skip
    document.merge(other, **options)
    merged = value_of(document, protocol)
    assert merged["id"] == 9 and [item["sku"] for item in merged["items"]] == items
    assert [*merged["parts"]] == parts and merged["tags"] == {1, 3}
    encoded = document.to_bytes()
    document.merge(document)
    assert document.to_bytes() == encoded
    with pytest.raises(TypeError, match="same type"):
        document.merge(tl.Document(Other, b"\0"))


def test_merges_unknown_containers_of_other_types(protocol):
    sources = [
        tl.loads(f"struct S {{ 9: {kind} x }}").S for kind in ("map<i16, i8>", "map<i64, i8>")
    ]
    own, other = (source.encode({"x": {300: 1}}, protocol=protocol) for source in sources)
    document = tl.Document(Other, own, protocol=protocol)
    document.merge(tl.Document(Other, other, protocol=protocol))
    assert document.to_bytes() == other


def test_sorts_and_filters(document, protocol):
    document.sort("$.numbers")
    document.sort("$.items", key=lambda item: item["sku"])
    document.sort("$.parts")
    assert document.filter("$.tags", lambda tag: tag > 1) == 1
    result = value_of(document, protocol)
    assert result["numbers"] == [1, 2, 3] and [*result["parts"]] == ["y", "z"]
    assert [item["sku"] for item in result["items"]] == ["a", "b"] and result["tags"] == {3}


def test_functions_must_not_use_the_document(document):
    with pytest.raises(RuntimeError, match="in use"):
        document.filter("$.numbers", lambda number: document.set("$.id", 1))
    with pytest.raises(ZeroDivisionError):
        document.sort("$.numbers", key=lambda number: number / 0)
    assert document.get("$.numbers") == [3, 1, 2] and document.get("$.id") == 7


def test_errors_leave_the_document_unchanged(document, protocol):
    for change, error, text in (
        (lambda: document.set("$.id", "x"), tl.EncodeError, r"expected i64.* at \$\.id$"),
        (lambda: document.append("$.tags", "x"), tl.EncodeError, r"at \$\.tags$"),
        (lambda: document.set("$.first.count", 1), tl.AbsentError, "set the parent first$"),
        (lambda: document.erase("$.id"), tl.UsageError, r"required and cannot be erased at \$\.id"),
        (lambda: document.filter("", lambda value: value != 7), tl.UsageError, r"at \$\.id$"),
        (lambda: document.filter("$.items[0]", lambda value: 0), tl.UsageError, r"\[0\]\.sku$"),
        (lambda: document.set("$.nope", 1), tl.UnknownNameError, "nope"),
        (lambda: document.set("$.items[9].count", 1), tl.AbsentError, "9"),
        (lambda: document.set("$.items[*].count", 1), tl.UsageError, "several values"),
        (lambda: document.append("$.id", 1), TypeError, "needs a list or set"),
        (lambda: document.sort("$.id"), tl.Error, "id"),
        (lambda: document.move("$.id", "$.numbers[0]"), tl.UsageError, "id is required and"),
        (lambda: document.move("$.tags", ""), ValueError, "cannot replace"),
        (lambda: document.get(5), TypeError, "str"),
    ):
        with pytest.raises(error, match=text):
            change()
    assert value_of(document, protocol) == VALUE


@pytest.mark.parametrize("call", [
    lambda document, data: document.merge(data), lambda document, data: document.sort(data),
    lambda document, data: document.sort("$.tags", data=data),
    lambda document, data: document.to_bytes(data),
    lambda document, data: document.to_bytes(protocol=data),
    lambda document, data: document.get(data, 1, 2), lambda document, data: tl.Document(data, data),
    lambda document, data: tl.Document(Order, data, depth=data),
    lambda document, data: tl.Document(Order, str(data)),
])  # fmt: skip
def test_errors_do_not_quote_the_data(document, call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(document, Order.encode({"id": 1, "parts": {"secret": {"sku": "s"}}}))
    assert "secret" not in str(caught.value) and "incompatible" not in str(caught.value)


def test_equal_elements_of_a_set_are_not_written(document, protocol):
    document.append("$.tags", 3)
    with pytest.raises(tl.Error, match="duplicate element in a set") as raised:
        document.to_bytes()
    assert (raised.value.code, raised.value.path) == ("duplicate_key", "$.tags")
    document.erase("$.tags[2]")
    assert value_of(document, protocol) == VALUE


def test_writes_the_other_protocol(document, protocol):
    for target in ("binary", "compact"):
        assert Order.decode(document.to_bytes(protocol=target), protocol=target) == VALUE
    with pytest.raises(ValueError, match="protocol"):
        document.to_bytes(protocol="json")


def test_the_bytes_are_kept_and_checked(protocol):
    data = bytearray(Order.encode(VALUE, protocol=protocol))
    document = tl.Document(Order, data, protocol=protocol)
    data[:] = bytes(len(data))
    assert document.get("") == VALUE
    for size in range(len(data)):
        with pytest.raises(tl.DecodeError):
            tl.Document(Order, Order.encode(VALUE, protocol=protocol)[:size], protocol=protocol)
    with pytest.raises(TypeError, match="expected a thriftlens.Type"):
        tl.Document("Order", b"")
    with pytest.raises(tl.DecodeError, match="deeper"):
        tl.Document(Order, Order.encode(VALUE, protocol=protocol), protocol=protocol, depth=1)
