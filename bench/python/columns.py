"""100,000 messages Small to columns: ours, ptars on the same values as Protobuf, thriftpy2's
objects to a table. python3 bench/python/columns.py [COUNT]

All columns, then one of six; the tables are compared first. CPU time of this process, median of the
repetitions, contestants in turns. Also the way back, and two threads by the clock. Limits:
pyarrow's from_pylist of dicts that are there, and a copy of the bytes. Needs pyarrow; ptars with
protobuf, and thriftpy2, where the peers shall run.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import thriftlens as tl

IDL = (
    "struct Simple { 1: byte ByteField, 2: i64 I64Field, 3: double DoubleField, 4: "
    "i32 I32Field, 5: string StringField, 6: binary BinaryField }"
)
KINDS = {
    "ByteField": 5,
    "I64Field": 3,
    "DoubleField": 1,
    "I32Field": 5,
    "StringField": 9,
    "BinaryField": 12,
}  # of FieldDescriptorProto


def values(count):
    return [
        {
            "ByteField": n % 127 + 1, "I64Field": n * 1_000_003 + 1, "DoubleField": (n + 1) / 7,
            "I32Field": n + 1, "StringField": f"the text of {n % 1000}",
            "BinaryField": b"some bytes of %d" % n,
        }
        for n in range(count)
    ]  # fmt: skip


def by_ptars(rows):
    """What makes a record batch of the same values as Protobuf, and the names of its columns."""
    import ptars
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    file = descriptor_pb2.FileDescriptorProto(name="simple.proto", syntax="proto3")
    message = file.message_type.add(name="Simple")
    for number, (name, kind) in enumerate(KINDS.items(), 1):
        message.field.add(name=name, number=number, type=kind, label=1)
    pool = descriptor_pool.DescriptorPool()
    file_descriptor = pool.AddSerializedFile(file.SerializeToString()) or pool.FindFileByName(
        "simple.proto"
    )
    descriptor = file_descriptor.message_types_by_name["Simple"]
    kind = message_factory.GetMessageClass(descriptor)
    payloads = [kind(**row).SerializeToString() for row in rows]
    handler = ptars.HandlerPool([file_descriptor]).get_for_message(descriptor)
    return lambda: handler.list_to_record_batch(payloads)


def by_thriftpy2(records, folder):
    """Objects, then the columns of them."""
    import thriftpy2
    from thriftpy2.protocol.binary import TBinaryProtocolFactory
    from thriftpy2.utils import deserialize

    (folder / "simple.thrift").write_text(IDL)
    module = thriftpy2.load(str(folder / "simple.thrift"), module_name="simple_thrift")
    factory = TBinaryProtocolFactory()

    def run():
        objects = [deserialize(module.Simple(), record, factory) for record in records]
        return pa.table({name: [getattr(object_, name) for object_ in objects] for name in KINDS})

    return run


def timed(tasks, times, clock=time.process_time):
    """Medians of tasks that take turns."""
    taken = {name: [] for name in tasks}
    for _ in range(times):
        for name, run in tasks.items():
            begin = clock()
            run()
            taken[name].append(clock() - begin)
    return {name: statistics.median(samples) for name, samples in taken.items()}


def with_peer(tasks, name, make):
    try:
        tasks[name] = make()
    except ImportError as error:
        print(f"{name}: not here ({error})")


def main(count):
    rows = values(count)
    of = tl.loads(IDL)["Simple"]
    records = [of.encode(row) for row in rows]
    total = sum(map(len, records))
    table = pa.table(of.columns(records))
    tasks = {"thriftlens": lambda: pa.table(of.columns(records))}
    with_peer(tasks, "ptars (Protobuf)", lambda: by_ptars(rows))
    with tempfile.TemporaryDirectory() as folder:
        with_peer(
            tasks,
            "thriftpy2's objects, columns of them",
            lambda: by_thriftpy2(records, Path(folder)),
        )
        tasks["decode, from_pylist"] = lambda: pa.Table.from_pylist(
            [of.decode(record) for record in records]
        )
        tasks["(limit) from_pylist alone"] = lambda: pa.Table.from_pylist(rows)
        tasks["(limit) copy of the bytes"] = lambda: b"".join(records)
        for name, run in tasks.items():
            if name != "(limit) copy of the bytes":
                result = run()
                assert [result.column(kind).to_pylist() for kind in KINDS] == [
                    table.column(kind).to_pylist() for kind in KINDS
                ], name
        tasks["thriftlens, one column"] = lambda: pa.table(of.columns(records, "{ I32Field }"))
        tasks["thriftlens, from_columns"] = lambda: of.from_columns(table)
        assert list(of.from_columns(table)) == records
        medians = timed(tasks, 7)
    ours = medians["thriftlens"]
    print(f"{count} messages, {total / 1e6:.1f} MB")
    for name, taken in medians.items():
        print(f"{name:40} {taken * 1e3:8.2f} ms {taken / ours:7.2f}x")
    clocks = timed(
        {
            threads: lambda threads=threads: pa.table(of.columns(records, threads=threads))
            for threads in (1, 2)
        },
        9,
        time.perf_counter,
    )
    print(f"two threads by the clock: {clocks[1] / clocks[2]:.2f}x")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
