"""Which type bytes are of: tl.identify over 1,000 types. python3 bench/python/unknown.py

CPU time of this process, median of the repetitions; there is no peer."""

import statistics
import time

import thriftlens as tl

TYPES = 1000
KINDS = ["i32", "i64", "string", "double", "bool", "list<string>", "map<string, i64>", "list<i32>"]


def schema_of(types):
    """Structs of 3 to 22 fields of varying types."""
    structs = []
    for number in range(types):
        fields = (
            f"  {index + 1}: {KINDS[(number * 7 + index * (1 + number % 5)) % len(KINDS)]} f{index}"
            for index in range(3 + number % 20)
        )
        structs.append(f"struct T{number} {{\n" + "\n".join(fields) + "\n}")
    return tl.loads("\n".join(structs))


def filled(of):
    values = {
        "i32": 7,
        "i64": 1 << 40,
        "string": "a text",
        "double": 0.5,
        "bool": True,
        "list": ["a", "b"],
        "map": {"a": 1},
    }
    return of.encode(
        {
            field.name: [1, 2]
            if field.type.kind == "list" and field.type.parameters[0].kind == "i32"
            else values[field.type.kind]
            for field in of.fields.values()
        }
    )


def main():
    schema = schema_of(TYPES)
    types = [schema[name] for name in schema.types]
    data = filled(schema["T19"])
    matches = tl.identify(data, types, protocol="binary")
    assert matches[0].type.name == "T19", matches[0]
    times = []
    for _ in range(25):
        begin = time.process_time()
        tl.identify(data, types, protocol="binary")
        times.append(time.process_time() - begin)
    taken = statistics.median(times)
    print(
        f"{TYPES} types, {len(data)} bytes: {taken * 1e3:.1f} ms, {taken / TYPES * 1e6:.1f} us a "
        "type"
    )


main()
