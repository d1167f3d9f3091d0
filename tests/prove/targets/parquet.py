"""Footers of Parquet files, read and changed."""

from __future__ import annotations

import copy
import random
import struct
from tempfile import TemporaryDirectory
from typing import Any

import thriftlens as tl
from proving import wire
from proving.case import expect, expect_true
from proving.registry import target

from targets.shell import run_command

TYPES = {1: "<i", 2: "<q", 5: "<d", 6: ""}  # INT32, INT64, DOUBLE, BYTE_ARRAY
GROUPS, ENTRIES = 4, 5  # fields of FileMetaData


def row(*values: Any) -> wire.Struct:
    """Fields (id, wire type, value); absent ones are None."""
    return wire.Struct([list(value) for value in values if value[2] is not None])


def texts(*items: str) -> wire.Sequence:
    return wire.Sequence("string", [item.encode() for item in items])


class Footer:
    """A generated FileMetaData: leaves (path, type) and statistics by group and leaf."""

    def __init__(self, choices: random.Random):
        self.leaves: list[tuple[tuple[str, ...], int]] = []
        self.schema: list[wire.Struct] = []
        tops = choices.randint(1, 4)
        self.add_node("root", None, tops)
        for number in range(tops):
            name = f"{choices.choice('abc')}{number}"
            if choices.random() < 0.3:
                inner = [f"{choices.choice('xyz')}{at}" for at in range(choices.randint(1, 3))]
                self.add_node(name, None, len(inner))
            else:
                inner = []
            for path in [(name, leaf) for leaf in inner] or [(name,)]:
                self.leaves.append((path, choices.choice([*TYPES])))
                self.add_node(path[-1], self.leaves[-1][1], None)
        self.values: list[list[Any]] = []
        groups = [self.group(choices) for _ in range(choices.randint(0, 3))]
        self.entries = [(f"key{at}", choices.choice((None, "v", "Zoë " * 9)))
                        for at in range(choices.randint(0, 3))]  # fmt: skip
        pairs = [
            row((1, "string", key.encode()), (2, "string", value and value.encode()))
            for key, value in self.entries
        ]
        self.rows = sum(group.fields[2][2] for group in groups)
        self.payload = row(
            (1, "i32", 2), (2, "list", wire.Sequence("struct", self.schema)), (3, "i64", self.rows),
            (4, "list", wire.Sequence("struct", groups)),
            (5, "list", wire.Sequence("struct", pairs) if pairs else None),
            (6, "string", b"generated"), (999, "i32", choices.choice((None, 7))),
        )  # fmt: skip

    def add_node(self, name: str, kind: Any, children: Any) -> None:
        self.schema.append(
            row((1, "i32", kind), (3, "i32", 1), (4, "string", name.encode()), (5, "i32", children))
        )

    def group(self, choices: random.Random) -> wire.Struct:
        statistics = [self.statistics(choices, kind) for _, kind in self.leaves]
        self.values.append([values for values, _ in statistics])
        chunks = []
        for (path, kind), (_, limits) in zip(self.leaves, statistics):
            data = row(
                (1, "i32", kind), (2, "list", wire.Sequence("i32", [0])), (3, "list", texts(*path)),
                (4, "i32", 0), (5, "i64", 1), (6, "i64", 1), (7, "i64", 1), (9, "i64", 4),
                (12, "struct", limits), (777, "string", b"new"),
            )  # fmt: skip
            chunks.append(row((2, "i64", 0), (3, "struct", data)))
        return row(
            (1, "list", wire.Sequence("struct", chunks)), (2, "i64", len(chunks)),
            (3, "i64", choices.randrange(1000)),
        )  # fmt: skip

    @staticmethod
    def statistics(choices: random.Random, kind: int) -> tuple[Any, Any]:
        """(min, max, nulls) and their struct, or None."""
        if choices.random() < 0.3:
            return None, None
        drawn: Any = sorted(choices.choices(range(-(2**31), 2**31), k=2))
        values = [str(item).encode() for item in drawn] if kind == 6 else drawn
        encoded = values if kind == 6 else [struct.pack(TYPES[kind], item) for item in drawn]
        nulls = choices.randrange(100)
        limits = row((3, "i64", nulls), (5, "string", encoded[1]), (6, "string", encoded[0]))
        return (*(float(item) if kind == 5 else item for item in values), nulls), limits

    def file(self) -> bytes:
        data = wire.write("compact", "struct", self.payload)
        return b"PAR1data" + data + struct.pack("<I", len(data)) + b"PAR1"


def member(payload: wire.Struct, number: int) -> Any:
    return next((value for at, _, value in payload.fields if at == number), None)


def chunks_of(payload: wire.Struct) -> list[wire.Struct]:
    """The metadata of all column chunks."""
    groups = member(payload, GROUPS).items
    return [member(chunk, 3) for group in groups for chunk in member(group, 1).items]


@target("parquet", "parquet.open", "parquet.File", "parquet.Column", "parquet.Chunk",
        "parquet.RowGroup", "parquet.Statistics", "parquet.ByName", "parquet.value_of",
        "thriftlens parquet", cost=2)  # fmt: skip
def parquet_footers(seed: int) -> None:
    choices = random.Random(seed)
    footer = Footer(choices)
    file = tl.parquet.open(footer.file())
    names = [".".join(path) for path, _ in footer.leaves]
    expect([*file.columns], names)
    expect((file.num_rows, file.version, file.created_by), (footer.rows, 2, "generated"))
    expect(dict(file.key_value), dict(footer.entries))
    expect(len(file.row_groups), len(footer.values))
    for group, values in zip(file.row_groups, footer.values):
        for name, expected in zip(names, values):
            actual = group.columns[name].statistics
            found = None if actual.min is None else (actual.min, actual.max, actual.null_count)
            expect(found, expected, name)
    by_name = file.statistics()
    for at, name in enumerate(names):
        expect([item.null_count for item in by_name[name]],
               [values[at] and values[at][2] for values in footer.values])  # fmt: skip
    expect(file.to_bytes(), footer.file())
    change(choices, footer, file)
    written = file.to_bytes()
    expect(wire.read("compact", file.footer), footer.payload)
    expect_true(written.endswith(file.footer + struct.pack("<I", len(file.footer)) + b"PAR1"))
    with TemporaryDirectory() as folder:
        path = f"{folder}/f.parquet"
        file.save(path)
        expect(run_command("parquet", path, "--get", "$.num_rows"), (0, b"%d\n" % file.num_rows))


def change(choices: random.Random, footer: Footer, file: tl.parquet.File) -> None:
    """A change of the file and of the payload."""
    payload = footer.payload
    verb = choices.choice(("rename", "set", "delete", "statistics", "groups", "redact"))
    if verb == "rename":
        path, _ = choices.choice(footer.leaves)
        file.rename(".".join(path), "renamed")
        at = next(at for at, (leaf, _) in enumerate(footer.leaves) if leaf == path)
        nodes = [node for node in footer.schema if member(node, 1) is not None]
        next(field for field in nodes[at].fields if field[0] == 4)[2] = b"renamed"
        for data in chunks_of(payload):
            names = member(data, 3).items
            if names == [name.encode() for name in path]:
                names[-1] = b"renamed"
    elif verb == "statistics":
        file.drop_statistics()
        for data in chunks_of(payload):
            data.fields[:] = [field for field in data.fields if field[0] != 12]
    elif verb == "groups" and footer.values:
        count = choices.randint(1, len(footer.values))
        numbers = sorted(choices.sample(range(len(footer.values)), k=count))
        file.keep_row_groups(*numbers)
        groups = member(payload, GROUPS)
        groups.items[:] = [groups.items[number] for number in numbers]
        payload.fields[2][2] = sum(member(group, 3) for group in groups.items)
    elif verb == "redact":
        file.redact(paths={"$.created_by": "drop"})
        payload.fields[:] = [field for field in payload.fields if field[0] != 6]
    elif verb == "delete" and footer.entries:
        file.delete_key_value(footer.entries[0][0])
        del member(payload, ENTRIES).items[0]
    elif verb == "set" and footer.entries:
        file.set_key_value(footer.entries[-1][0], "changed")
        entry = member(payload, ENTRIES).items[-1]
        entry.fields[:] = copy.copy(entry.fields[:1]) + [[2, "string", b"changed"]]
