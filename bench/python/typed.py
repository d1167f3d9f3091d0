"""Typed decoding and encoding beside msgspec.msgpack's, of the same values in the same classes:
nanoseconds of CPU a call and the ratio to msgspec; medians of interleaved rounds.

usage: typed.py [PAYLOADS]   the folder that `thriftlens_bench --dump` wrote, or values of the same
sizes
"""

import dataclasses
import gc
import statistics
import sys
import time
from pathlib import Path
from typing import Dict, List

import msgspec
import thriftlens as tl

ROUNDS = 15
LEAST = 0.02  # seconds of CPU a measurement
schema = tl.load(Path(__file__).resolve().parents[2] / "idl/bench.thrift")
SIMPLE = [
    ("ByteField", int), ("I64Field", int), ("DoubleField", float), ("I32Field", int),
    ("StringField", str), ("BinaryField", bytes),
]  # fmt: skip


def nesting(simple):
    return [
        ("String", str), ("ListSimple", List[simple]), ("Double", float), ("I32", int),
        ("ListI32", List[int]), ("I64", int), ("MapStringString", Dict[str, str]),
        ("SimpleStruct", simple), ("MapI32I64", Dict[int, int]), ("ListString", List[str]),
        ("Binary", bytes), ("MapI64String", Dict[int, str]), ("ListI64", List[int]),
        ("Byte", int), ("MapStringSimple", Dict[str, simple]),
    ]  # fmt: skip


def classes(make):
    simple = make("Simple", SIMPLE)
    return {"small": simple, "medium": make("Nesting", nesting(simple))}


def values(folder):
    """The values of both sizes as dicts."""
    if folder is not None:
        for name, type_ in (("small", "Simple"), ("medium", "Nesting")):
            yield name, schema[type_].decode((folder / f"{name}.bin").read_bytes())
        return
    simple = {
        "ByteField": 127, "I64Field": 2**40, "DoubleField": 1.5, "I32Field": 2**20,
        "StringField": "thriftlens " * 19, "BinaryField": b"\x01" * 209,
    }  # fmt: skip
    yield "small", simple
    yield "medium", {
        "String": "x" * 20, "ListSimple": [simple] * 6, "Double": 2.5, "I32": 7,
        "ListI32": [*range(1000, 1016)], "I64": 2**50, "SimpleStruct": simple,
        "MapStringString": {f"k{i}": "value" * 4 for i in range(16)},
        "MapI32I64": {i: i << 33 for i in range(16)}, "Binary": b"b" * 200,
        "ListString": ["text " * 4] * 16, "MapI64String": {i << 33: "value" for i in range(16)},
        "ListI64": [*range(2**40, 2**40 + 16)], "Byte": 3,
        "MapStringSimple": {f"key {i}": simple for i in range(8)},
    }  # fmt: skip


def seconds(call, times):
    begin = time.process_time()
    for _ in range(times):
        call()
    return time.process_time() - begin


def measure(calls):
    counts = {}
    for name, call in calls.items():
        counts[name] = 1
        while seconds(call, counts[name]) < LEAST:
            counts[name] *= 2
    rounds = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            gc.collect()
            rounds[name].append(seconds(call, counts[name]) / counts[name] * 1e9)
    return {name: statistics.median(taken) for name, taken in rounds.items()}


def report(title, results):
    base = results["msgspec"]
    for name, ns in results.items():
        print(f"{title}/{name}: {ns:.0f} ns, {ns / base:.2f}")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    structs = classes(msgspec.defstruct)
    datas = classes(dataclasses.make_dataclass)
    slotted = classes(lambda name, rows: dataclasses.make_dataclass(name, rows, slots=True))
    for size, value in values(folder):
        type_ = schema["Simple" if size == "small" else "Nesting"]
        generated = schema.classes[type_.name]
        data, packed = type_.encode(value), msgspec.msgpack.encode(value)
        unpack, pack = (
            msgspec.msgpack.Decoder(structs[size]).decode,
            msgspec.msgpack.Encoder().encode,
        )
        unpack_data = msgspec.msgpack.Decoder(datas[size]).decode
        into = {
            "thriftlens struct": structs[size], "thriftlens dataclass": datas[size],
            "thriftlens slots": slotted[size], "thriftlens idl.classes": generated,
        }  # fmt: skip
        decoders = {name: tl.Decoder(type_, into=class_).decode for name, class_ in into.items()}
        objects = {name: decode(data) for name, decode in decoders.items()}
        encode = tl.Encoder(type_).encode
        own = unpack(packed)
        assert objects["thriftlens struct"] == own
        assert [encode(object_) for object_ in objects.values()] == [data] * len(objects)
        calls = {
            "msgspec": lambda: unpack(packed),
            "msgspec dataclass": lambda: unpack_data(packed),
        }
        calls["thriftlens dict"] = lambda plain=tl.Decoder(type_).decode: plain(data)
        calls.update((name, lambda d=decode: d(data)) for name, decode in decoders.items())
        report(f"decode {size} ({len(data)} B)", measure(calls))
        calls = {"msgspec": lambda: pack(own), "thriftlens dict": lambda: encode(value)}
        calls.update((name, lambda o=object_: encode(o)) for name, object_ in objects.items())
        report(f"encode {size}", measure(calls))


main()
