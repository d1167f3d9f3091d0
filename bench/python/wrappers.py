"""What Python's wrappers cost: nanoseconds of CPU a call, and the same of other builds beside it.

usage: wrappers.py [FOLDER...]   a FOLDER holds a built package `thriftlens`; they take turns,
medians of the rounds are shown
"""

import dataclasses
import gc
import io
import json
import os
import statistics
import subprocess
import sys
import time

ROUNDS = int(os.environ.get("ROUNDS", "5"))
LEAST = 0.02  # seconds of CPU per measurement
IDL = """
struct Item { 1: required string sku, 2: double price, 3: i32 count }
struct User { 1: i64 id, 2: string name (pii = "name"), 3: optional string mail (pii = "mail") }
struct Order { 1: required i64 id, 2: User user, 3: list<Item> items, 4: map<string, string> notes,
  5: bool paid, 6: optional string x }
"""
FOOTER = """
struct Statistics { 1: optional binary max, 2: optional binary min, 3: optional i64 null_count }
struct ColumnMeta { 1: required i32 type, 2: required list<i32> encodings,
                    3: required list<string> path, 4: required i32 codec,
                    5: required i64 num_values, 6: required i64 uncompressed,
                    7: required i64 compressed, 9: required i64 data_page,
                    12: optional Statistics statistics }
struct ColumnChunk { 1: optional string file_path, 2: required i64 file_offset,
  3: optional ColumnMeta meta }
struct RowGroup { 1: required list<ColumnChunk> columns, 2: required i64 size,
  3: required i64 rows }
struct Footer { 1: required i32 version, 3: required i64 rows, 4: required list<RowGroup> groups,
  6: optional string created_by }
"""
OPTIONS = {
    "enums": "name", "int64": "string", "nonfinite": "string", "unknown": "drop",
    "defaults": "omit", "names": "field",
    "invalid_utf8": "replace", "mismatch": "error", "duplicates": "error", "pretty": False,
    "depth": 32,
}  # fmt: skip


def takes_options(
    data,
    *,
    enums,
    int64,
    nonfinite,
    unknown,
    defaults,
    names,
    invalid_utf8,
    mismatch,
    duplicates,
    pretty,
    depth,
):
    """What CPython takes to give eleven options from a dict: no wrapper can be below it."""


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


def footer(tl):
    """The type and the bytes, 1.2 MB, of a footer of 120 groups of 100 columns."""
    of = tl.loads(FOOTER).Footer
    statistics = {"max": b"\xff" * 8, "min": b"\0" * 8, "null_count": 0}
    meta = {
        "type": 2,
        "encodings": [0, 3, 4],
        "codec": 1,
        "num_values": 100_000,
        "uncompressed": 800_000,
        "compressed": 300_000,
        "data_page": 4,
    }
    columns = [
        {"file_offset": 4 + i, "meta": {**meta, "path": [f"column_{i}"], "statistics": statistics}}
        for i in range(100)
    ]
    groups = [{"columns": columns, "size": 80_000_000, "rows": 100_000} for _ in range(120)]
    value = {"version": 2, "rows": 12_000_000, "groups": groups, "created_by": "wrappers.py"}
    return of, of.encode(value, protocol="compact")


def without_collector(call):
    def run():
        gc.disable()
        try:
            return call()
        finally:
            gc.enable()

    return run


def footer_tasks(tl):
    of, data = footer(tl)
    yield "decode a footer of 1.2 MB", lambda: of.decode(data, protocol="compact")
    yield (
        "the same with the collector off",
        without_collector(lambda: of.decode(data, protocol="compact")),
    )


def peer_tasks(hundred):
    """What thriftpy2 takes for the same hundred structs, where it is installed."""
    try:
        import thriftpy2
        from thriftpy2.protocol import TCyBinaryProtocolFactory
        from thriftpy2.utils import deserialize, serialize
    except ImportError:
        return
    source = IDL.replace("required ", "") + "struct Items { 1: list<Item> items }"
    module = thriftpy2.load_fp(io.StringIO(source), module_name="peer_thrift")
    factory = TCyBinaryProtocolFactory()
    items = module.Items(items=[module.Item(**values) for values in hundred])
    data = serialize(items, factory)
    yield "thriftpy2: encode 100 of its own", lambda: serialize(items, factory)
    yield "thriftpy2: decode 100", lambda: deserialize(module.Items(), data, factory)


def tasks():
    """Pairs of a name and a call."""
    import thriftlens as tl

    idl = tl.loads(IDL)
    order = idl.Order
    items = [{"sku": f"sku {i}", "price": i * 0.5, "count": i} for i in range(3)]
    data = order.encode(
        {
            "id": 7,
            "user": {"id": 1, "name": "Ann"},
            "items": items,
            "notes": {"a": "b"},
            "paid": True,
        }
    )
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
    edit = order.edit(data).set("$.id", 8)
    yield "apply of a kept edit", lambda: edit.apply()
    yield "order.edit(data) alone", lambda: order.edit(data)
    yield "to_json", lambda: order.to_json(data)
    yield "to_json, 11 options", lambda: order.to_json(data, **OPTIONS)
    yield "to_json, 11 options written out", lambda: order.to_json(
        data, enums="name", int64="string", nonfinite="string", unknown="drop", defaults="omit",
        names="field",
        invalid_utf8="replace", mismatch="error", duplicates="error", pretty=False, depth=32,
    )  # fmt: skip
    tiny = tl.loads("struct Tiny { 1: i32 x }").Tiny
    yield "to_json of nothing", lambda: tiny.to_json(b"\0")
    yield "to_json of nothing, 11 options", lambda: tiny.to_json(b"\0", **OPTIONS)
    yield "to_json of nothing, 11 options written out", lambda: tiny.to_json(
        b"\0", enums="name", int64="string", nonfinite="string", unknown="drop", defaults="omit",
        names="field",
        invalid_utf8="replace", mismatch="error", duplicates="error", pretty=False, depth=32,
    )  # fmt: skip
    yield "Python alone: a function called with 11 options", lambda: takes_options(b"\0", **OPTIONS)
    yield "get, literal path", lambda: order.get(data, "$.items[2].count")
    yield (
        "get, path made at run time",
        lambda: order.get(data, "$.items[%d].count" % (next(number) % 3)),
    )
    yield "Python alone: the text of that path", lambda: "$.items[%d].count" % (next(number) % 3)
    yield "view.get", lambda: view.get("$.items[2].count")
    yield "hasattr, absent", lambda: hasattr(view, "x")
    yield "hasattr, present", lambda: hasattr(view, "paid")
    yield "Type.fields", lambda: order.fields
    of = tl.loads(IDL + "struct Items { 1: list<Item> items }").Items
    hundred = large[:100]
    yield "encode 100 dicts", lambda: of.encode({"items": hundred})
    for name, make in classes():
        models = [make(**values) for values in hundred]
        yield f"encode 100 of {name}", lambda models=models: of.encode({"items": models})
    yield from peer_tasks(hundred)
    encoded = of.encode({"items": hundred})
    yield "decode 100 structs", lambda: of.decode(encoded)
    yield from footer_tasks(tl)
    yield "decode 100,000 structs", lambda: order.decode(wide)
    yield "view.items[:3] of 100,000", lambda: wide_items[:3]
    notes = order.view(order.encode({"id": 7, "notes": {f"key {i}": "x" for i in range(1000)}}))[
        "notes"
    ]
    yield "dict() of a map view, 1,000", lambda: dict(notes)
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
    answer = subprocess.run(
        [sys.executable, __file__, "--one"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(answer.stdout)


def main():
    if sys.argv[1:] == ["--one"]:
        print(json.dumps({name: nanoseconds(call) for name, call in tasks()}))
        return
    folders = sys.argv[1:] or [os.environ.get("PYTHONPATH", "")]
    rounds = [[measured(folder) for folder in folders] for _ in range(ROUNDS)]
    print(
        "| ns | "
        + " | ".join(os.path.basename(folder.rstrip("/")) or "installed" for folder in folders)
        + " |"
    )
    print("| --- |" + " --- |" * len(folders))
    for name in rounds[0][0]:
        print(
            f"| {name} | "
            + " | ".join(
                f"{statistics.median(round_[k][name] for round_ in rounds):,.0f}"
                for k in range(len(folders))
            )
            + " |"
        )


main()
