"""What Python's wrappers cost: nanoseconds of CPU a call, and the same of other builds beside it.

usage: wrappers.py [FOLDER...]   each FOLDER holds a built package `thriftlens`; they take turns, medians of the rounds are shown
"""

import dataclasses
import json
import os
import statistics
import subprocess
import sys
import time

ROUNDS = 5
LEAST = 0.02  # seconds of CPU a measurement
IDL = """
struct Item { 1: required string sku, 2: double price, 3: i32 count }
struct User { 1: i64 id, 2: string name (pii = "name"), 3: optional string mail (pii = "mail") }
struct Order { 1: required i64 id, 2: User user, 3: list<Item> items, 4: map<string, string> notes, 5: bool paid, 6: optional string x }
"""
OPTIONS = {
    "enums": "name", "int64": "string", "nonfinite": "string", "unknown": "skip", "defaults": "omit", "names": "field",
    "invalid_utf8": "replace", "mismatch": "error", "duplicates": "error", "pretty": False, "depth": 32,
}  # fmt: skip


def classes():
    """Makers of an Item by kind of class; those that are not installed are left out."""
    names = [("sku", str), ("price", float), ("count", int)]
    yield "dataclass", dataclasses.make_dataclass("Item", names)
    try:
        import msgspec

        yield "msgspec", msgspec.defstruct("Item", names)
    except ImportError:
        pass
    try:
        import pydantic

        yield "pydantic", pydantic.create_model("Item", **{name: (of, ...) for name, of in names})
    except ImportError:
        pass


def tasks():
    """Pairs of a name and a call."""
    import thriftlens as tl

    idl = tl.loads(IDL)
    order = idl.Order
    items = [{"sku": f"sku {i}", "price": i * 0.5, "count": i} for i in range(3)]
    data = order.encode({"id": 7, "user": {"id": 1, "name": "Ann"}, "items": items, "notes": {"a": "b"}, "paid": True})
    view = order.view(data)
    number = iter(range(10**9))
    large = [{"sku": f"sku {i}", "price": i * 0.5, "count": i} for i in range(100_000)]
    wide = order.encode({"id": 7, "items": large})
    wide_view = order.view(wide)
    wide_items = wide_view["items"]
    yield "redact", lambda: order.redact(data, annotation="pii", values={"mail": "drop"})
    yield "validate", lambda: order.validate(data)
    yield "diff, equal", lambda: order.diff(data, data)
    yield "edit, one set", lambda: order.edit(data).set("$.id", 8).apply()
    yield "to_json", lambda: order.to_json(data)
    yield "to_json, 11 options", lambda: order.to_json(data, **OPTIONS)
    yield "get, literal path", lambda: order.get(data, "$.items[2].count")
    yield "get, path made at run time", lambda: order.get(data, "$.items[%d].count" % (next(number) % 3))
    yield "view.get", lambda: view.get("$.items[2].count")
    yield "hasattr, absent", lambda: hasattr(view, "x")
    yield "hasattr, present", lambda: hasattr(view, "paid")
    yield "Type.fields", lambda: order.fields
    of = tl.loads(IDL + "struct Items { 1: list<Item> items }").Items
    hundred = large[:100]
    yield "encode 100 dicts", lambda: of.encode({"items": hundred})
    for name, make in classes():
        made = [make(**each) for each in hundred]
        yield f"encode 100 of {name}", lambda made=made: of.encode({"items": made})
    yield "decode 100,000 structs", lambda: order.decode(wide)
    yield "view.items[:3] of 100,000", lambda: wide_items[:3]
    yield "first of iter(view.items)", lambda: next(iter(wide_items))
    yield "items[i], 1,000 in a row", lambda: [wide_items[i] for i in range(50_000, 51_000)]


def nanoseconds(call):
    call()
    count = 1
    while True:
        begin = time.process_time()
        for _ in range(count):
            call()
        taken = time.process_time() - begin
        if taken >= LEAST:
            return taken / count * 1e9
        count = max(count * 2, int(count * LEAST / max(taken, 1e-6)))


def measured(folder):
    """The tasks of one build, in a process of its own."""
    environment = dict(os.environ, PYTHONPATH=folder)
    answer = subprocess.run([sys.executable, __file__, "--one"], env=environment, capture_output=True, text=True, check=True)
    return json.loads(answer.stdout)


def main():
    if sys.argv[1:] == ["--one"]:
        print(json.dumps({name: nanoseconds(call) for name, call in tasks()}))
        return
    folders = sys.argv[1:] or [os.environ.get("PYTHONPATH", "")]
    rounds = [[measured(folder) for folder in folders] for _ in range(ROUNDS)]
    print("| ns | " + " | ".join(os.path.basename(folder.rstrip("/")) or "installed" for folder in folders) + " |")
    print("| --- |" + " --- |" * len(folders))
    for name in rounds[0][0]:
        print(f"| {name} | " + " | ".join(f"{statistics.median(each[k][name] for each in rounds):,.0f}" for k in range(len(folders))) + " |")


main()
