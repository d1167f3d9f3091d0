#!/usr/bin/env python3
"""Measures how steps and memory of the C++ operations grow with amplifying inputs.

usage: resources.py [OPERATION...] [--size N] [--write docs/proof.md]

Compiles tests/prove/driver.cpp so that it counts the branch targets it enters and the bytes of the
heap (no clock is read), and runs each operation on each input at three sizes, each twice the one
before. Input and result may double, and so may the cost. Fails if it grows by more than 2.5.
"""

import argparse
import random
import struct
import subprocess
import sys
from pathlib import Path
from typing import Callable, Iterator, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "prove"))
from coverage import write_block  # noqa: E402
from proving import wire  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "resources"
LIMIT = 2.5
IDL = """struct Row { 1: optional i32 a, 2: optional string s, 3: optional list<Row> rows }
union Either { 1: i32 number, 2: string text }
struct Root {
  1: list<i32> numbers, 2: list<string> texts, 3: list<Row> rows, 4: map<string, Row> by_name,
  5: map<Row, i32> by_row, 6: set<Row> row_set, 7: set<string> names, 8: map<i32, Row> by_id,
  9: list<list<i32>> lists, 10: string text, 11: binary blob, 12: set<set<i32>> sets,
  13: map<map<i32, i32>, i32> by_map, 14: list<double> doubles, 15: list<Either> unions,
}
"""


class Input(NamedTuple):
    """Data of the type Root, paths into it, and a path of many values."""

    payload: wire.Struct
    paths: list[str]
    many: str


def row(number: int, kind: int = 3) -> wire.Struct:
    fields = [[1, "i32", number]] if kind & 1 else []
    return wire.Struct(fields + ([[2, "string", b"%06d" % number]] if kind & 2 else []))


def one_field(number: int, kind: str, payload: object) -> wire.Struct:
    return wire.Struct([[number, kind, payload]])


def items(number: int, of: str, values: list, kind: str = "list") -> wire.Struct:
    return one_field(number, kind, wire.Sequence(of, values))


def entries(number: int, key: str, value: str, pairs: list) -> wire.Struct:
    return one_field(number, "map", wire.Mapping(key, value, [list(pair) for pair in pairs]))


def indexes(name: str, size: int, suffix: str = "") -> list[str]:
    return [f"$.{name}[{at}]{suffix}" for at in range(0, size, 8)]


def nested(size: int, depth: int = 25) -> wire.Struct:
    """Lists in structs in lists, with `size` rows in the innermost."""
    inner = [row(at) for at in range(size)]
    for _ in range(depth):
        inner = [wire.Struct([[3, "list", wire.Sequence("struct", inner)]])]
    return items(3, "struct", inner)


def spelled(protocol: str, kind: str, key: object) -> str:
    return f'{{x"{wire.write(protocol, kind, key).hex()}"}}'


def inputs(size: int, protocol: str) -> Iterator[tuple[str, Input]]:
    dice = random.Random(1)
    some = range(0, size, 8)
    rows = [row(at) for at in range(size)]
    mixed = [row(at, dice.choice((0, 1, 2, 3))) for at in range(size)]
    yield (
        "numbers",
        Input(items(1, "i32", [*range(size)]), indexes("numbers", size), "$.numbers[*]"),
    )
    yield (
        "empty strings",
        Input(items(2, "string", [b""] * size), indexes("texts", size), "$.texts[*]"),
    )
    yield "equal rows", Input(items(3, "struct", rows), indexes("rows", size, ".a"), "$.rows[*].a")
    yield "mixed rows", Input(items(3, "struct", mixed), indexes("rows", size, ".s"), "$.rows[*].s")
    empty = [wire.Struct()] * size
    yield "empty rows", Input(items(3, "struct", empty), indexes("rows", size), "$.rows[*].s")
    yield "nested rows", Input(nested(size), ["$.rows[0].rows[0].rows[0]"], "$.rows[*].rows[*]")
    texts = [(b"%06d" % at, row(at)) for at in range(size)]
    paths = [f'$.by_name{{"{at:06}"}}.a' for at in some]
    yield "text keys", Input(entries(4, "string", "struct", texts), paths, "$.by_name{*}.a")
    keys = [(row(at), at) for at in range(size)]
    paths = ["$.by_row" + spelled(protocol, "struct", row(at)) for at in some]
    yield "struct keys", Input(entries(5, "struct", "i32", keys), paths, "$.by_row{*}")
    yield "set of rows", Input(items(6, "struct", rows, "set"), ["$.row_set[0]"], "$.row_set[*].a")
    names = [b"%06d" % at for at in reversed(range(size))]
    yield "set of texts", Input(items(7, "string", names, "set"), ["$.names[0]"], "$.names[*]")
    numbers = [(at, row(at)) for at in range(size)]
    paths = [f"$.by_id{{{at}}}.a" for at in some]
    yield "number keys", Input(entries(8, "i32", "struct", numbers), paths, "$.by_id{*}.a")
    lists = [wire.Sequence("i32", [])] * size
    yield "empty lists", Input(items(9, "list", lists), indexes("lists", size), "$.lists[*]")
    text = one_field(10, "string", b'\x01"' * 8 * size)
    yield "escapes", Input(text, ["$.text"], "$.text")
    yield "binary", Input(one_field(11, "string", b"\xff" * 16 * size), ["$.blob"], "$.blob")
    sets = [wire.Sequence("i32", [at, -at - 1]) for at in range(size)]
    yield "set of sets", Input(items(12, "set", sets, "set"), ["$.sets[0]"], "$.sets[*][*]")
    maps = [(wire.Mapping("i32", "i32", [[at, 1], [-at - 1, 2]]), at) for at in range(size)]
    paths = ["$.by_map" + spelled(protocol, "map", maps[at][0]) for at in some]
    yield "map keys", Input(entries(13, "map", "i32", maps), paths, "$.by_map{*}")
    doubles = [dice.random() for _ in range(size)]
    yield "doubles", Input(items(14, "double", doubles), indexes("doubles", size), "$.doubles[*]")
    unions = [one_field(2, "string", b"") for _ in range(size)]
    yield (
        "unions",
        Input(items(15, "struct", unions), indexes("unions", size, ".text"), "$.unions[*].text"),
    )
    unknown = wire.Struct([[30000 - at, "bool", True] for at in range(size)])
    yield "unknown fields", Input(unknown, ["$.text"], "$.rows[*]")
    repeated = wire.Struct([[10, "string", b"x"] for _ in range(size)])
    yield "repeated field", Input(repeated, ["$.text"], "$.rows[*]")
    same = entries(4, "string", "struct", [(b"k", row(1))] * size)
    yield "equal keys", Input(same, ['$.by_name{"k"}'], "$.by_name{*}")


def schemas(size: int) -> Iterator[tuple[str, str]]:
    """IDL whose parsing may amplify."""
    lines = range(size)
    yield "structs", "".join(f"struct S{at} {{ 1: i32 a }}\n" for at in lines)
    yield "fields", "struct S {" + "".join(f"{at + 1}: i32 f{at}\n" for at in lines) + "}"
    yield "enum", "enum E {" + "".join(f"M{at}\n" for at in lines) + "}"
    chain = "".join(f"typedef T{at} T{at + 1}\n" for at in lines)
    yield "typedefs", "typedef i32 T0\n" + chain
    backwards = "".join(f"typedef T{at} T{at + 1}\n" for at in reversed(lines))
    yield "typedefs backwards", backwards + "typedef i32 T0\n"
    yield (
        "constants",
        "const i32 C0 = 1\n" + "".join(f"const i32 C{at + 1} = C{at}\n" for at in lines),
    )
    elements = ",".join(map(str, lines))
    yield "constant list", f"const list<i32> C = [{elements}]"
    yield (
        "defaults",
        "const list<i32> C = [1, 2, 3]\nstruct S {"
        + "".join(f"{at + 1}: list<i32> f{at} = C\n" for at in lines)
        + "}",
    )
    yield (
        "services",
        "service S0 {}\n"
        + "".join(f"service S{at + 1} extends S{at} {{ void m{at}() }}\n" for at in lines),
    )
    yield "annotations", "struct S { 1: i32 a (" + "".join(f'k{at} = "v"\n' for at in lines) + ")}"
    yield "errors", "".join(f"struct S{at} {{ 1: Unknown{at} a }}\n" for at in lines)
    yield "comments", "/* " + "* / " * size + "*/ struct S { 1: i32 a }"


Program = Callable[[str, Input, bytes], list[bytes]]


def edit_program(protocol: str, of: Input, _: bytes) -> list[bytes]:
    parts = []
    for path in of.paths:
        parts += [b"erase", path.encode(), b""]
    return parts


OPERATIONS: dict[str, Program] = {
    "compare": lambda protocol, of, data: [data],
    "convert": lambda protocol, of, data: [],
    "document": lambda protocol, of, data: [],
    "edit": edit_program,
    "for_each": lambda protocol, of, data: [of.many.encode()],
    "from_json": lambda protocol, of, data: [],
    "get_many": lambda protocol, of, data: [path.encode() for path in of.paths],
    "infer": lambda protocol, of, data: [],
    "inspect": lambda protocol, of, data: [],
    "parse": lambda protocol, of, data: [],
    "redact": lambda protocol, of, data: [of.many.encode(), b"blank"],
    "to_json": lambda protocol, of, data: [],
    "trim": lambda protocol, of, data: [
        b"{ numbers rows { a } by_name { s } row_set }", b"64", b"omit",
    ],  # fmt: skip
    "validate": lambda protocol, of, data: [],
    "write_tjson": lambda protocol, of, data: [],
}  # fmt: skip


class Cost(NamedTuple):
    code: str
    steps: int
    allocations: int
    peak: int
    volume: int  # bytes of data, arguments and result


class Meter:
    """The program that measures."""

    def __init__(self) -> None:
        program = BUILD / "driver"
        BUILD.mkdir(parents=True, exist_ok=True)
        counter, sources = BUILD / "step_count.o", [ROOT / "tests/prove/driver.cpp"]
        sources.append(ROOT / "tests/memory/allocator.cpp")
        flags = ["-std=c++20", "-w", "-I", str(ROOT / "include"), "-I", str(ROOT / "tests")]
        flags += ["-DTHRIFTLENS_PROVE_ALLOCATOR", "-DTHRIFTLENS_PROVE_STEPS"]
        compiler = ["ccache", "g++"] if (Path("/usr/bin/ccache")).exists() else ["g++"]
        run([*compiler, *flags, "-O2", "-fno-builtin", "-c",
             str(ROOT / "tests/support/step_count.cpp"), "-o", str(counter)])  # fmt: skip
        objects = [str(counter)]
        for source in sources:
            objects.append(str(BUILD / f"{source.stem}.o"))
            run([*compiler, *flags, "-O0", "-fsanitize-coverage=trace-pc", "-c", str(source),
                 "-o", objects[-1]])  # fmt: skip
        run(["g++", *objects, "-o", str(program), "-Wl,--wrap=malloc,--wrap=realloc,--wrap=free",
             "-lsimdjson"])  # fmt: skip
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, *parts: bytes) -> list[bytes]:
        assert self.process.stdin and self.process.stdout
        message = struct.pack("<I", len(parts))
        for part in parts:
            message += struct.pack("<I", len(part)) + part
        self.process.stdin.write(message)
        self.process.stdin.flush()
        return [self.take(self.number()) for _ in range(self.number())]

    def number(self) -> int:
        (number,) = struct.unpack("<I", self.take(4))
        return int(number)

    def take(self, size: int) -> bytes:
        assert self.process.stdout
        data = self.process.stdout.read(size)
        if len(data) != size:
            sys.exit(f"the program ended: {self.process.wait()}")
        return data

    def cost(self, name: str, protocol: str, data: bytes, arguments: list[bytes]) -> Cost:
        answer = self.ask(b"measured " + name.encode(), protocol.encode(), IDL.encode(), b"Root",
                          data, *arguments)  # fmt: skip
        code, steps, allocations, peak, size = answer
        volume = len(data) + sum(map(len, arguments)) + int(size)
        return Cost(code.decode(), int(steps), int(allocations), int(peak), volume)

    def costs_of(self, name: str, size: int) -> Iterator[tuple[str, Cost]]:
        """The cost with each input of that size."""
        if name == "parse":
            for label, text in schemas(size):
                yield label, self.cost(name, "binary", text.encode(), [])
            return
        for protocol in wire.PROTOCOLS:
            for label, of in inputs(size, protocol):
                if name == "convert" and label in ("repeated field", "equal keys"):
                    continue  # the driver compares with a document, which rejects them
                data = wire.write(protocol, "struct", of.payload)
                arguments = OPERATIONS[name](protocol, of, data)
                if name == "from_json":
                    answer = self.ask(b"to_json", protocol.encode(), IDL.encode(), b"Root", data)
                    if answer[0] != b"ok":
                        continue
                    data = answer[1]
                yield f"{label}, {protocol}", self.cost(name, protocol, data, arguments)


def run(command: list[str]) -> None:
    subprocess.run(command, check=True)


class Growth(NamedTuple):
    steps: float
    peak: float
    memory: float  # peak for each byte of data, arguments and result
    label: str
    code: str


def growth(costs: list[Cost], label: str) -> Growth:
    """The growth at a doubling, as the mean of two. Memory below 64 KB does not count."""
    first, *_, last = costs
    steps = (last.steps / first.steps) ** 0.5
    peak = (max(last.peak, 1 << 16) / max(first.peak, 1 << 16)) ** 0.5
    return Growth(steps, peak, last.peak / last.volume, label, last.code)


def table(rows: dict[str, list[Growth]]) -> str:
    lines = [
        "| operation | inputs | steps | input | memory | input | memory per byte | input |",
        "|---|--:|--:|---|--:|---|--:|---|",
    ]
    for name, growths in rows.items():
        steps = max(growths, key=lambda entry: entry.steps)
        peak = max(growths, key=lambda entry: entry.peak)
        memory = max(growths, key=lambda entry: entry.memory)
        lines.append(
            f"| `{name}` | {len(growths)} | {steps.steps:.2f} | {steps.label} | {peak.peak:.2f} "
            f"| {peak.label} | {memory.memory:.1f} | {memory.label} |"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("operations", nargs="*")
    parser.add_argument("--size", type=int, default=2000)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    options = parser.parse_args()
    meter = Meter()
    rows: dict[str, list[Growth]] = {}
    for name in options.operations or OPERATIONS:
        sizes = [dict(meter.costs_of(name, options.size << at)) for at in range(3)]
        rows[name] = [growth([costs[label] for costs in sizes], label) for label in sizes[0]]
        for entry in rows[name]:
            if max(entry.steps, entry.peak) > LIMIT:
                print(f"{name}: {entry}", flush=True)
    text = table(rows)
    print(text)
    if options.write:
        write_block(options.write, "resources", text)
    above = [entry for row in rows.values() for entry in row if max(entry[:2]) > LIMIT]
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
