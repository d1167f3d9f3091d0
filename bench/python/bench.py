"""thriftlens's Python calls beside thriftpy2 (Cython), Apache Thrift's C extension, msgspec and
orjson; see run.sh.

Answers are compared first; what differs is reported and not timed. CPU time, median of the
repetitions.
"""

import base64
import json
import statistics
import sys
import time
from pathlib import Path

import msgspec
import orjson
import thriftlens
import thriftpy2
from thrift.protocol import fastbinary  # noqa: F401  makes the protocol fast
from thrift.protocol.TBinaryProtocol import TBinaryProtocolAcceleratedFactory
from thrift.TSerialization import deserialize, serialize
from thriftlens_bench import ttypes as generated
from thriftpy2.protocol.cybin import TCyBinaryProtocolFactory
from thriftpy2.utils import deserialize as py2_deserialize
from thriftpy2.utils import serialize as py2_serialize

IDL = str(Path(__file__).resolve().parent.parent.parent / "idl/bench.thrift")
APACHE = TBinaryProtocolAcceleratedFactory()
CYTHON = TCyBinaryProtocolFactory()
parsed = thriftpy2.load(IDL, module_name="bench_thrift")
schema = thriftlens.load(IDL)


def plain(value):
    """Objects of any contestant as comparable dicts; text and bytes are one."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, dict):
        return {plain(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return plain(vars(value)) if hasattr(value, "__dict__") else value


def as_json(value):
    """What orjson calls for values it does not know: generated objects and bytes."""
    return base64.b64encode(value).decode() if isinstance(value, bytes) else vars(value)


def filled(make, name, value):
    """A generated object from parsed JSON; maps and lists of structs too."""
    object_ = make[name]()
    for key, item in value.items():
        if key in ("BinaryField", "Binary"):
            item = base64.b64decode(item)
        elif key == "SimpleStruct":
            item = filled(make, "Simple", item)
        elif key == "ListSimple":
            item = [filled(make, "Simple", element) for element in item]
        elif key == "MapStringSimple":
            item = {k: filled(make, "Simple", element) for k, element in item.items()}
        elif key in ("MapI32I64", "MapI64String"):
            item = {int(k): element for k, element in item.items()}
        setattr(object_, key, item)
    return object_


def contestants(payload, data, text):
    """{task: [(name, call, canonical form of its answer)]}; the first is what the others are held
    against.
    """
    name = "Simple" if payload == "small" else "Nesting"
    own, apache_class, py2_class = schema[name], getattr(generated, name), getattr(parsed, name)
    apache_make = {n: getattr(generated, n) for n in ("Simple", "Nesting")}
    py2_make = {n: getattr(parsed, n) for n in ("Simple", "Nesting")}
    value, apache_object, py2_object = (
        own.decode(data),
        deserialize(apache_class(), data, APACHE),
        py2_deserialize(py2_class(), data, CYTHON),
    )
    packed, unpack, pack = (
        msgspec.msgpack.encode(value),
        msgspec.msgpack.Decoder().decode,
        msgspec.msgpack.Encoder().encode,
    )
    path = "$.BinaryField" if payload == "small" else '$.MapStringSimple{"15"}.BinaryField'

    def late(of):
        return (of if payload == "small" else of.MapStringSimple["15"]).BinaryField

    def of_bytes(object_):
        return plain(own.decode(object_))

    return {
        "python_decode": [
            ("thriftpy2_cython", lambda: py2_deserialize(py2_class(), data, CYTHON), plain),
            ("thriftlens", lambda: own.decode(data), plain),
            ("apache_c_extension", lambda: deserialize(apache_class(), data, APACHE), plain),
            ("limit_msgspec_msgpack", lambda: unpack(packed), None),
        ],
        "python_encode": [
            ("thriftpy2_cython", lambda: py2_serialize(py2_object, CYTHON), of_bytes),
            ("thriftlens", lambda: own.encode(value), of_bytes),
            ("apache_c_extension", lambda: serialize(apache_object, APACHE), of_bytes),
            ("limit_msgspec_msgpack", lambda: pack(value), None),
        ],
        "python_get_one": [
            ("thriftpy2_cython", lambda: late(py2_deserialize(py2_class(), data, CYTHON)), plain),
            ("thriftlens", lambda: own.get(data, path), plain),
            ("apache_c_extension", lambda: late(deserialize(apache_class(), data, APACHE)), plain),
        ],
        "python_to_json": [
            (
                "apache_c_extension_orjson",
                lambda: orjson.dumps(
                    deserialize(apache_class(), data, APACHE),
                    default=as_json,
                    option=orjson.OPT_NON_STR_KEYS,
                ),
                json.loads,
            ),
            ("thriftlens", lambda: own.to_json(data), json.loads),
        ],
        "python_from_json": [
            (
                "apache_c_extension_orjson",
                lambda: serialize(filled(apache_make, name, orjson.loads(text)), APACHE),
                of_bytes,
            ),
            ("thriftlens", lambda: own.from_json(text), of_bytes),
            (
                "thriftpy2_cython_orjson",
                lambda: py2_serialize(filled(py2_make, name, orjson.loads(text)), CYTHON),
                of_bytes,
            ),
            ("limit_orjson", lambda: orjson.loads(text), None),
        ],
    }


def seconds(call, times):
    begin = time.process_time()
    for _ in range(times):
        call()
    return time.process_time() - begin


def measure(calls, repetitions, least):
    """Nanoseconds per call; contestants take turns."""
    times = []
    for call in calls:
        count = 1
        while seconds(call, count) < least:
            count *= 4
        times.append(count)
    taken = [[] for _ in calls]
    for _ in range(repetitions):
        for call, count, results in zip(calls, times, taken):
            results.append(seconds(call, count) / count * 1e9)
    return [statistics.median(results) for results in taken]


def main():
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    repetitions, least = (3, 0.005) if "--quick" in sys.argv else (9, 0.05)
    results = []
    for payload in ("small", "medium"):
        for task, entries in contestants(
            payload,
            (folder / f"{payload}.bin").read_bytes(),
            (folder / f"{payload}.json").read_bytes(),
        ).items():
            expected = entries[0][2](entries[0][1]())
            agreeing = [
                (name, call)
                for name, call, form in entries
                if form is None or form(call()) == expected
            ]
            for name in {name for name, _, _ in entries} - {name for name, _ in agreeing}:
                print(f"NOT TIMED {task}/{payload}/{name}: its answer differs", file=sys.stderr)
            for (name, _), ns in zip(
                agreeing, measure([call for _, call in agreeing], repetitions, least)
            ):
                results.append(
                    {
                        "name": f"{task}/{payload}/{name}",
                        "cpu_time": ns,
                        "real_time": ns,
                        "time_unit": "ns",
                    }
                )
                print(f"{task}/{payload}/{name}: {ns:.0f} ns")
    out.write_text(json.dumps({"benchmarks": results}, indent=1))


main()
