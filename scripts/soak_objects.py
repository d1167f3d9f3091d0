"""A soak of typed objects, scans, documents and clients: a million calls of each operation; memory
must stay flat.

Run: python scripts/soak_objects.py [CALLS]; default 1000000. Exit status 1 where the memory of an
operation grew by more than 1 MiB from the first tenth of its calls to the last.
"""

import copy
import dataclasses
import io
import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import List, NamedTuple, Optional

import thriftlens as tl

IDL = tl.loads("""
enum Size { S = 1, L = 2 }
struct Item { 1: required string sku, 2: Size size = Size.S }
struct Order { 1: required i64 id, 2: list<Item> items, 3: string note }
service Shop { Order get(1: i64 id) }
""")
VALUE = {"id": 1 << 40, "items": [{"sku": "cup", "size": 2}, {"sku": "pot", "size": 1}]}
DATA = IDL.Order.encode(VALUE)
RECORDS = (len(DATA).to_bytes(4, "big") + DATA) * 4


@dataclasses.dataclass
class Item:
    sku: str
    size: int = 1


@dataclasses.dataclass
class Order:
    id: int
    items: List[Item]
    note: Optional[str] = None


class Head(NamedTuple):
    id: int


class Wrong(NamedTuple):
    id: int
    note: str


def models():
    yield "dataclass", Order
    yield "named tuple", Head
    yield "idl.classes", IDL.classes.Order
    try:
        import msgspec
    except ImportError:
        return
    yield "msgspec", msgspec.defstruct("Order", [("id", int), ("note", Optional[str], None)])


def fails(decode):
    try:
        decode(DATA)
    except tl.DecodeError:
        return
    raise AssertionError("no error")


def change():
    document = tl.Document(IDL.Order, DATA)
    document.set("$.note", "changed")
    document.move("$.items[0]", "$.items[2]")
    document.merge(tl.Document(IDL.Order, DATA), append_lists=True)
    document.sort("$.items", key=lambda item: item["sku"])
    document.filter("$.items", lambda item: item["sku"] == "cup")
    return document.to_bytes()


def reload(store, path, number=iter(range(1 << 40))):
    """A new version of the schema at every 1000th call, which is slower than the others."""
    count = next(number)
    if count % 1000 == 0:
        path.write_text(f"struct Order {{ 1: i64 id, 2: i32 field{count} }}")
        store.reload()
    return store.current.Order.decode(b"\0")


def operations(client, folder):
    for name, class_ in models():
        decode, encode = tl.Decoder(IDL.Order, into=class_).decode, IDL.Order.encode
        yield f"decode to {name}", lambda decode=decode: decode(DATA)
        order = decode(DATA)
        yield f"encode {name}", lambda encode=encode, order=order: encode(order)
    wrong = tl.Decoder(IDL.Order, into=Wrong).decode
    yield "a value that does not fit", lambda: fails(wrong)
    order = IDL.classes.Order.decode(DATA)
    yield "copy", lambda: copy.copy(order)
    yield "pickle", lambda: pickle.loads(pickle.dumps(order))
    yield "encode", lambda: IDL.Order.encode(VALUE)
    yield "decode", lambda: IDL.Order.decode(DATA)
    yield "view", lambda: IDL.Order.view(DATA)["items"][0].sku
    yield "pickle of a view", lambda: pickle.loads(pickle.dumps(IDL.Order.view(DATA)))
    yield "text of a view", lambda: str(IDL.Order.view(DATA))
    for to in ("view", "dict", "json"):
        yield f"scan to {to}", lambda to=to: list(tl.scan(RECORDS, IDL.Order, framing="u32", to=to))
    yield "document", change
    path = Path(folder, "soak.thrift")
    path.write_text("struct Order { 1: i64 id }")
    store = tl.Store(path)
    yield "store", lambda: reload(store, path)
    yield "using", lambda: IDL.Order.using(enums="name").decode(DATA)
    yield "writer", lambda: tl.Writer(io.BytesIO(), IDL.Order, framing="u32").close()
    yield "call", lambda: client.get(1)


def resident():
    """Bytes of memory that the process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(call, calls):
    for _ in range(max(calls // 10, 1000)):
        call()
    start = resident()
    for _ in range(calls):
        call()
    return resident() - start


def main(calls=1_000_000):
    grown = []
    folder = tempfile.TemporaryDirectory()
    options = {"models": IDL.classes, "background": True, "threads": 0}
    with folder, tl.serve(IDL, "Shop", {"get": lambda id: VALUE}, **options) as server:
        with tl.connect(server.address, IDL, models=IDL.classes) as client:
            for name, call in operations(client, folder.name):
                size = growth(call, calls)
                print(f"{name:28} {size >> 10:6} KiB", flush=True)
                if size > 1 << 20:
                    grown.append(name)
    print("sound" if not grown else f"grown: {', '.join(grown)}")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
