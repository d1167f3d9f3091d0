"""Data arguments: every bytes-like object, held exactly as long as needed."""

import array
import ctypes
import gc
import mmap
import sys
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import pytest
import thriftlens as tl


def kinds(data, tmp_path):
    file = tmp_path / "data"
    file.write_bytes(data)
    with open(file, "rb") as stream:
        mapped = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    return {
        "bytes": data,
        "bytearray": bytearray(data),
        "memoryview": memoryview(data),
        "part": memoryview(b"xx" + data + b"yy")[2:-2],
        "array": array.array("B", data),
        "mmap": mapped,
        "ctypes": (ctypes.c_ubyte * len(data)).from_buffer_copy(data),
        "bytes subclass": type("Bytes", (bytes,), {})(data),
    }


@pytest.mark.parametrize(
    "kind",
    ["bytes", "bytearray", "memoryview", "part", "array", "mmap", "ctypes", "bytes subclass"],
)
def test_every_kind_decodes(shop, order_bytes, tmp_path, kind):
    data = kinds(order_bytes, tmp_path)[kind]
    assert shop.Order.decode(data) == shop.Order.decode(order_bytes)
    text = shop.Order.to_json(data)
    assert text == shop.Order.to_json(order_bytes)
    assert shop.Order.from_json(kinds(text, tmp_path)[kind]) == order_bytes


def test_from_json_takes_str(shop, order_bytes):
    text = shop.Order.to_json(order_bytes)
    assert shop.Order.from_json(text.decode()) == order_bytes
    with pytest.raises(tl.JSONError) as caught:
        shop.Order.from_json('"\ud800"')
    assert caught.value.code == "json_syntax"


def test_arguments_other_than_bytes(shop):
    for call in (shop.Order.decode, shop.Order.to_json):
        for value in ("text", 5, None, [1]):
            with pytest.raises(TypeError, match="data must be a bytes-like object, not "):
                call(value)
    with pytest.raises(TypeError):
        shop.Order.from_json(5)


def test_bytes_with_gaps(shop, order_bytes):
    for call in (shop.Order.decode, shop.Order.to_json, shop.Order.from_json):
        with pytest.raises(BufferError, match=r"this memoryview has gaps; pass bytes\(view\)"):
            call(memoryview(order_bytes)[::2])


def test_the_buffer_is_released(shop, order_bytes):
    data = bytearray(order_bytes)
    shop.Order.decode(data)
    shop.Order.to_json(data)
    with pytest.raises(tl.DecodeError):
        shop.Order.decode(memoryview(data)[:-1])
    data.append(0)  # a BufferError if the buffer were still exported
    with pytest.raises(tl.DecodeError):
        shop.Order.to_json(data)
    data.append(0)


def test_the_input_is_not_changed(shop, order_bytes):
    data = bytearray(order_bytes)
    shop.Order.decode(data), shop.Order.to_json(data)
    assert data == order_bytes


def test_decoded_values_outlive_the_data(shop, order_bytes):
    data = bytearray(order_bytes)
    value = shop.Order.decode(data)
    data[:] = bytes(len(data))
    assert value == shop.Order.decode(order_bytes)


def test_many_threads_on_one_type(shop, order_bytes):
    """Inputs large enough to be handled without the GIL, and small ones, from eight threads at
    once."""
    of = tl.loads("struct L { 1: list<string> words }").L
    large = of.encode({"words": [f"word {n} é" for n in range(2000)]})
    text = of.to_json(large)
    order = shop.Order.decode(order_bytes)

    def work(number):
        for _ in range(20):
            assert of.to_json(large) == text and of.from_json(text) == large
            assert shop.Order.decode(order_bytes) == order
            assert shop.Order.encode(order) == order_bytes
            with pytest.raises(tl.DecodeError):
                of.to_json(large[: -1 - number])
        return number

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == list(range(8))


LONG = tl.loads("struct L { 1: list<string> words }").L
LONG_BYTES = LONG.encode({"words": ["word é"] * 50000})
LONG_JSON = LONG.to_json(LONG_BYTES)


@pytest.mark.parametrize(
    "work",
    [
        lambda: LONG.to_json(LONG_BYTES),
        lambda: LONG.from_json(LONG_JSON),
        lambda: LONG.trim(LONG_BYTES, "{ * }"),
        lambda: LONG.findings(LONG_BYTES),
        lambda: LONG.redact(LONG_BYTES, paths={"$.words[*]": "keep_last(1)"}),
        lambda: LONG.diff(LONG_BYTES, LONG_BYTES),
        lambda: LONG.edit(LONG_BYTES).erase("$.words[1]").apply(),
        lambda: tl.Document(LONG, LONG_BYTES).to_bytes(protocol="compact"),
        lambda: tl.inspect(LONG_BYTES),
        lambda: tl.convert(LONG_BYTES, source="binary", target="compact"),
    ],
)
def test_long_operations_release_the_gil(work):
    """Another thread makes progress although the interpreter never switches threads."""
    turns, finished = [0], threading.Event()

    def count():
        while not finished.is_set():
            turns[0] += 1
            time.sleep(0)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    other = threading.Thread(target=count)
    try:
        other.start()
        for _ in range(200):
            last_turn = turns[0]
            work()
            if turns[0] != last_turn:
                break
        else:
            pytest.fail("no turn for another thread")
    finally:
        finished.set()
        sys.setswitchinterval(usual)
        other.join()


def test_schemas_load_in_many_threads(idl_folder):
    with ThreadPoolExecutor(8) as pool:
        schemas = list(pool.map(lambda _: tl.load(idl_folder / "shop.thrift"), range(32)))
    assert len({schema.describe() for schema in schemas}) == 1


# Without a GIL a collection retains up to four blocks of 2 KiB and one more per run; those do not
# belong to the calls.
COLLECTIONS = 0 if getattr(sys, "_is_gil_enabled", lambda: True)() else 4


def growth(call, rounds=300):
    """Bytes that `rounds` further calls leak."""
    for _ in range(50):
        call()
    gc.collect()
    tracemalloc.start()
    try:
        call()
        for _ in range(COLLECTIONS):
            gc.collect()
        start_size = tracemalloc.get_traced_memory()[0]
        for _ in range(rounds):
            call()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - start_size
    finally:
        tracemalloc.stop()


def leaks(call):
    """A leak recurs in every round; memory that the interpreter retains does not."""
    return all(growth(call) >= 4000 for _ in range(3))


def swallow(call):
    def attempt():
        try:
            call()
        except (ValueError, TypeError, BufferError):
            pass

    return attempt


def test_nothing_leaks(shop, order_bytes):
    order = shop.Order.decode(order_bytes)
    text = shop.Order.to_json(order_bytes)
    broken = {**order, "items": [*order["items"], {"sku": "x", "price": "1"}]}
    view = shop.Order.view(order_bytes)
    calls = [
        lambda: shop.Order.decode(order_bytes), lambda: shop.Order.encode(order),
        lambda: shop.Order.to_json(order_bytes), lambda: shop.Order.from_json(text),
        lambda: shop.Order.decode(order_bytes, enums="name", names="alias", defaults="write",
        duplicates="last"),
        swallow(lambda: shop.Order.decode(order_bytes[:-9])),
        swallow(lambda: shop.Order.encode(broken)),
        swallow(lambda: shop.Order.from_json(text[:-9])),
        swallow(lambda: shop.Order.decode(memoryview(order_bytes)[::2])),
        swallow(lambda: shop.Order.decode(order_bytes, enums="neither")),
        lambda: shop.Order.get(order_bytes, "$.items[1].sku"),
        lambda: shop.Order.get_many(order_bytes, ["$.items[*].sku", "$.user.name",
        "$.nothing".replace("nothing", "debug")]),
        lambda: shop.Order.trim(order_bytes, "{ id items { sku } }"),
        lambda: shop.Order.edit(order_bytes).set("$.user", {"id": 1,
        "name": "x"}).replace("$.debug", str.upper).apply(),
        lambda: shop.Order.view(order_bytes)["items"][0].to_dict(),
        lambda: [list(item.items()) for item in shop.Order.view(order_bytes)["items"]],
        swallow(lambda: shop.Order.view(order_bytes)["items"][9]),
        swallow(lambda: shop.Order.view(order_bytes).nothing),
        swallow(lambda: shop.Order.get(order_bytes, "$.nothing")),
        swallow(lambda: shop.Order.trim(order_bytes, "{ nothing }")),
        swallow(lambda: shop.Order.edit(order_bytes).set("$.user", {"id": "x"})),
        lambda: shop.Order.redact(order_bytes, annotation="pii", paths={"$.debug": "drop"}),
        swallow(lambda: shop.Order.redact(order_bytes, paths={"$.id": "drop"})),
        swallow(lambda: shop.Order.redact(order_bytes[:-9], annotation="pii")),
        lambda: shop.Order.findings(order_bytes),
        swallow(lambda: shop.Order.validate(order_bytes[:-9])),
        lambda: shop.Order.diff(order_bytes, shop.Order.edit(order_bytes).set("$.id",
        5).erase("$.debug").apply()),
        swallow(lambda: shop.Order.diff(order_bytes, order_bytes[:-9])),
        lambda: tl.inspect(order_bytes),
        lambda: tl.convert(order_bytes, source="binary", target="compact"),
        lambda: shop.Order.fields,
        lambda: [list(part) for part in (view.keys(), view.values(), view.items(), reversed(view))],
        lambda: (view["items"].count(1), view["items"].index(view["items"][1]),
        view.get("user.name"), view.get("nothing")),
        lambda: shop.Order.decode(order_bytes, enums="member"),
        lambda: shop.Order.decoder(enums="name").decode(order_bytes),
        lambda: shop.Order.encoder().encode(view),
        lambda: repr(shop.Order.edit(order_bytes).set("$.id", 5).erase("$.debug")),
        lambda: view._repr_html_(), lambda: tl.loads("struct P { 1: i32 x }").P.decode(b"\0"),
    ]  # fmt: skip
    for number, call in enumerate(calls):
        assert not leaks(call), number


def test_references_are_counted(shop, order_bytes):
    order = shop.Order.decode(order_bytes)
    key = next(iter(order))
    values = [None, True, key, order["user"], order["items"], order_bytes]
    counts_before = [sys.getrefcount(value) for value in values]
    for _ in range(200):
        shop.Order.decode(order_bytes)
        shop.Order.encode(order)
        with pytest.raises(tl.EncodeError):
            shop.Order.encode({**order, "tags": [None]})
    counts_after = [sys.getrefcount(value) for value in values]
    assert all(abs(then - current) < 100 for then, current in zip(counts_before, counts_after))
