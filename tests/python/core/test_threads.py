"""Objects that threads may share: schemas, types, decoders, views, edits, columns, clients.

All threads start at once, so that several create lazy parts."""

import dataclasses
import sys
import threading

import pytest
import thriftlens as tl

IDL = """
enum Color { RED = 1, BLUE = 5 }
struct Key { 1: i32 a, 2: list<string> b }
struct Item { 1: required i32 id, 2: string name, 3: optional double price, 4: Color color }
struct Order {
  1: required i64 id, 2: string note, 3: list<Item> items, 4: map<string, i32> stock,
  5: map<Key, i32> odd, 6: set<i32> numbers, 7: list<string> words,
}
exception NotFound { 1: i64 id }
service Shop { Order get(1: i64 id) throws (1: NotFound missing), i32 add(1: i32 a, 2: i32 b) }
"""
THREADS = 8
# Python's lists and dicts are changed under the reader: with a GIL a turn of another thread is
# rare.
ORDER = {
    "id": 7,
    "note": "é fragile",
    "items": [{"id": n, "name": f"item {n}", "price": n / 2, "color": "BLUE"} for n in range(100)],
    "stock": {f"key {n}": n for n in range(100)},
    "odd": {(("a", n), ("b", (str(n),))): n for n in range(20)},
    "numbers": set(range(50)),
    "words": [f"word {n}" for n in range(200)],
}


@pytest.fixture
def idl():
    """An unused schema."""
    return tl.loads(IDL)


def together(*works, rounds=20):
    """Runs the works in threads at once, `rounds` times with thread number and round; raises an
    error of any of them."""
    begin, faults = threading.Barrier(THREADS), []

    def run(number):
        try:
            begin.wait(600)
            for round_ in range(rounds):
                works[number % len(works)](number, round_)
        except BaseException as fault:  # noqa: B036
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(600)
    finally:
        sys.setswitchinterval(usual)
    assert not any(thread.is_alive() for thread in threads)
    if faults:
        raise faults[0]


def test_a_schema_and_its_types(idl):
    def work(number, round_):
        assert idl.Order is idl["Order"]
        assert idl.Order.fields["items"].type.parameters[0] is idl.Item
        result = [field.name for field in idl.Item.fields.values()]
        assert result == ["id", "name", "price", "color"]
        assert idl.enum("Color").BLUE == 5 and idl.Color.enum_class is idl.enum("Color")
        assert idl.service("Shop").function("add").name == "add"
        assert "struct Item" in idl.describe("Item")

    together(work)


def test_decode_and_encode(idl):
    data = tl.loads(IDL).Order.encode(ORDER)

    def work(number, round_):
        protocol = "compact" if number % 2 else "binary"
        assert idl.Order.decode(data, enums="name") == ORDER
        packed = idl.Order.encode(ORDER, protocol=protocol)
        assert idl.Order.decode(packed, protocol=protocol, enums="name") == ORDER
        member = idl.Order.decode(data, enums="member")["items"][round_]["color"]
        assert type(member) is idl.Color.enum_class and member == 5
        text = idl.Order.to_json(data)
        assert idl.Order.decode(idl.Order.from_json(text)) == idl.Order.decode(data)

    together(work)


def test_decoders_and_encoders(idl):
    decoder, encoder = idl.Order.decoder(enums="name"), idl.Order.encoder()
    data = encoder.encode(ORDER)

    def work(number, round_):
        assert encoder.encode(ORDER) == data and decoder.decode(data) == ORDER

    together(work)


def test_options_of_every_kind(idl):
    """The caches of calls have fewer places than there are calls here."""
    item = idl.Item.encode({"id": 1, "name": "secret", "price": 2.5, "color": "RED"})

    def work(number, round_):
        replacement = f"hide {number} {round_ % 5}"
        redacted = idl.Item.decode(
            idl.Item.redact(item, paths={"$.name": f"constant({replacement})"})
        )
        assert redacted["name"] == replacement and redacted["id"] == 1
        for enums, expected in (("number", 1), ("name", "RED")):
            for unknown in ("keep", "drop", "error"):
                assert idl.Item.decode(item, enums=enums, unknown=unknown)["color"] == expected

    together(work)


def test_paths_plans_and_selections(idl):
    data = idl.Order.encode(ORDER)

    def work(number, round_):
        order = idl.Order.view(data)
        at = (number * 31 + round_ * 7) % 100
        assert order.get(f"$.items[{at}].name") == f"item {at}"
        result = idl.Order.get_many(data, [f"$.items[{at}].id", "$.id", f'$.stock{{"key {at}"}}'])
        assert result == [at, 7, at]
        actual = idl.Order.decode(
            idl.Order.trim(data, "{ id note items { id } }" if round_ % 2 else "{ id }")
        )
        assert actual["id"] == 7
        result = idl.Item.decode(idl.Item.trim(idl.Item.encode({"id": at, "name": "x"}), idl.Item))
        assert result == {"id": at, "name": "x"}

    together(work)


def test_threads_share_a_view(idl):
    """All threads create and replace its indices."""
    order = idl.Order.view(idl.Order.encode(ORDER), enums="name")

    def work(number, round_):
        at = (number * 13 + round_ * 3) % 100
        assert order["items"][at]["id"] == at and order["words"][at * 2] == f"word {at * 2}"
        assert order["words"][-1] == "word 199"
        assert order["stock"][f"key {at}"] == at and "no key" not in order["stock"]
        assert order["odd"][(("a", at % 20), ("b", (str(at % 20),)))] == at % 20
        assert order == ORDER and list(order["words"]) == ORDER["words"]
        assert len(order["items"]) == 100

    together(work)


def test_threads_share_an_iterator(idl):
    """Every child is returned to one thread."""
    texts = idl.Order.view(idl.Order.encode(ORDER))["words"]
    for _ in range(20):
        shared, collected = iter(texts), []
        together(lambda number, round_: collected.extend(shared), rounds=1)
        assert sorted(collected) == sorted(ORDER["words"])


def test_containers_changed_concurrently(idl):
    """The output is a state that existed at some time, or an error reports the change."""
    value = {"id": 7, "words": ["a"] * 50, "stock": {"a": 1}, "numbers": {1, 2}}

    def change(number, round_):
        value["words"].append("b")
        value["stock"][f"{number} {round_}"] = round_
        value["note"] = "there"
        del value["words"][:3]
        value.pop("note", None)
        value["stock"].pop(f"{number} {round_}", None)

    def read(number, round_):
        try:
            decoded = idl.Order.decode(idl.Order.encode(value))
        except RuntimeError as fault:
            assert "changed" in str(fault)
            return
        assert decoded["id"] == 7 and set(decoded["words"]) <= {"a", "b"}
        assert decoded["stock"]["a"] == 1

    together(change, read, rounds=200)


def test_objects_changed_concurrently(idl):
    @dataclasses.dataclass
    class Plain:
        id: int
        name: str

    class Slots:
        __slots__ = ("id", "name")

    plain, slots = Plain(1, "n0"), Slots()
    slots.id, slots.name = 1, "n0"

    def change(number, round_):
        plain.name = slots.name = f"n{round_}"

    def read(number, round_):
        for of in (plain, slots):
            decoded = idl.Item.decode(idl.Item.encode(of))
            assert decoded["id"] == 1 and decoded["name"].startswith("n")

    together(change, read, rounds=200)


def test_threads_share_an_edit(idl):
    """Changes are serialized; they are refused while the edit is applied."""
    edit = idl.Item.edit(idl.Item.encode({"id": 1, "name": "a"}))

    def work(number, round_):
        try:
            edit.set("$.name", f"{number} {round_}")
            name = idl.Item.decode(edit.apply())["name"]
            assert [part.isdigit() for part in name.split()] == [True, True]
        except RuntimeError as fault:
            assert "being applied" in str(fault)

    together(work)


def test_rewrites_of_each_thread(idl):
    data = idl.Order.encode(ORDER)

    def work(number, round_):
        rewrite = (
            idl.Order.rewrite(data)
            .set("$.note", str(number))
            .redact(paths={"$.words[*]": "keep_last(1)"})
        )
        decoded = idl.Order.decode(rewrite.apply())
        assert decoded["note"] == str(number)
        assert [text[-1] for text in decoded["words"]] == [text[-1] for text in ORDER["words"]]
        assert decoded["words"] != ORDER["words"]

    together(work)


def test_errors(idl):
    """The first error imports the module of its message."""

    def work(number, round_):
        with pytest.raises(tl.DecodeError, match=r"\$\.name"):
            idl.Item.decode(b"\x0b\x00\x02\x00\x00\x00\x05ab")
        with pytest.raises(tl.EncodeError, match=r"expected i32, got str at \$\.id"):
            idl.Item.encode({"id": "x"})
        with pytest.raises(AttributeError):
            idl.Order.view(b"\x00").nothing

    together(work)


def test_threads_share_a_column_reader(idl):
    items = [idl.Item.encode({"id": n, "name": f"item {n}"}) for n in range(2000)]
    reader = idl.Item._column_reader(None)
    used_memory = tl._core.column_memory()[0]

    def work(number, round_):
        batches, rejected = reader.read(items, 0)
        assert sum(tl._core.arrow_length(batch) for batch in batches) == len(items)
        assert rejected == []

    together(work)
    assert tl._core.column_memory()[0] == used_memory


def test_threads_share_a_router():
    router = tl.http.Router()

    def work(number, round_):
        router.add("GET", f"/{number}/{round_}/:id", number)
        assert router.find("GET", f"/{number}/{round_}/5")[0] == number

    together(work)


def test_threads_share_a_plan():
    idl = tl.loads(
        'struct Ask { 1: i32 id (api.query = "id"), 2: string name (api.body = "name") }'
    )
    plan = tl.http.plan(idl.Ask)

    def work(number, round_):
        data = plan.request(
            method="POST",
            url=f"/?id={number}",
            body=b'{"name": "n%d"}' % round_,
            headers={"Content-Type": "application/json"},
        )
        assert idl.Ask.decode(data) == {"id": number, "name": f"n{round_}"}

    together(work)


def test_threads_share_a_client(idl):
    with tl.serve(
        idl,
        "Shop",
        {"get": lambda id: {**ORDER, "id": id}, "add": lambda a, b: a + b},
        background=True,
    ) as server:
        with tl.connect(server.address, idl, "Shop") as client:

            def work(number, round_):
                assert client.add(number, round_) == number + round_
                assert client.get(round_)["id"] == round_

            together(work, rounds=5)


def test_threads_loading_one_text_share_a_schema():
    schemas = []
    together(lambda number, round_: schemas.append(tl.loads(IDL)), rounds=3)
    assert len({id(schema) for schema in schemas}) == 1
