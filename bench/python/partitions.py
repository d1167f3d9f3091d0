"""get_partitions of a metastore, 1,000 partitions x 200 columns (11 MB): their values and
locations, by thriftlens and by Apache's and thriftpy2's clients.

All ask one server in another process, which answers every call with the same bytes; answers are
compared first. Milliseconds of the client's CPU time and of wall time, medians of the rounds, and
how many times less than Apache's; the contestants take turns. The limits do less than the task: no
client can do without the first, and the second is one pass over the reply in memory.
Run: python bench/python/partitions.py [ROUNDS]; needs thriftlens, thriftpy2, thrift with its C
extension, and Apache's compiler `thrift` in PATH.
"""

import contextlib
import importlib
import socket
import socketserver
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import thriftlens as tl
import thriftpy2
from thrift.protocol import fastbinary  # noqa: F401  makes Apache's client fast
from thrift.protocol.TBinaryProtocol import TBinaryProtocolAccelerated
from thrift.transport import TSocket, TTransport
from thriftpy2.rpc import client_context

IDL = """
struct Column { 1: string name, 2: string type, 3: string comment }
struct Serde { 1: string name, 2: string serializationLib, 3: map<string, string> parameters }
struct Storage { 1: list<Column> cols, 2: string location, 3: string inputFormat,
  4: string outputFormat, 5: bool compressed, 6: i32 numBuckets, 7: Serde serdeInfo }
struct Partition { 1: list<string> values, 2: string dbName, 3: string tableName, 4: i32 createTime,
  5: i32 lastAccessTime, 6: Storage sd, 7: map<string, string> parameters }
service Metastore { list<Partition> get_partitions(1: string db_name, 2: string tbl_name,
  3: i16 max_parts) }
"""
PARTITIONS, COLUMNS = 1000, 200
ARGUMENTS = {"db_name": "shop", "tbl_name": "orders", "max_parts": -1}
SELECTION = "{ success { values sd { location } } }"


def partition(number):
    columns = [
        {"name": f"a_column_of_orders_{at:03}", "type": "string", "comment": "from deserial."}
        for at in range(COLUMNS)
    ]
    storage = {
        "cols": columns,
        "location": f"hdfs://nameservice/warehouse/shop.db/orders/day={number}",
        "inputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
        "outputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
        "compressed": False,
        "numBuckets": -1,
        "serdeInfo": {
            "name": "orders",
            "serializationLib": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
            "parameters": {"serialization.format": "1"},
        },
    }
    return {
        "values": [str(number)],
        "dbName": "shop",
        "tableName": "orders",
        "createTime": 1_700_000_000,
        "lastAccessTime": 0,
        "sd": storage,
        "parameters": {"numRows": str(number * 7), "totalSize": str(number * 4711)},
    }


def reply_bytes():
    """The result struct."""
    result = tl.loads(IDL).service("Metastore").function("get_partitions").result
    return result.encode(
        {"success": [partition(number) for number in range(PARTITIONS)]}, protocol="binary"
    )


class Answers(socketserver.StreamRequestHandler):
    """Buffered Binary: every call gets the reply, with its sequence id."""

    reply = b""

    def handle(self):
        session = tl._core.Session("server", transport="buffered", protocol="binary")
        while data := self.connection.recv(65536):
            session.feed(data)
            while (event := session.next()) is not None:
                name = event.name.encode()
                self.connection.sendall(
                    struct.pack(">ii", -2147418110, len(name))
                    + name
                    + struct.pack(">i", event.sequence_id)
                    + self.reply
                )


def serve():
    Answers.reply = reply_bytes()
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answers) as server:
        print(server.server_address[1], len(Answers.reply), flush=True)
        server.serve_forever()


def apache_client(folder, port, opened):
    subprocess.run(
        ["thrift", "-out", folder, "--gen", "py", f"{folder}/metastore.thrift"], check=True
    )
    sys.path.insert(0, folder)
    transport = TTransport.TBufferedTransport(TSocket.TSocket("127.0.0.1", port))
    client = importlib.import_module("metastore.Metastore").Client(
        TBinaryProtocolAccelerated(transport, fallback=False)
    )
    transport.open()
    opened.callback(transport.close)
    return client


def receive(port, size, opened):
    """Calls over a socket and reads the replies into one buffer without parsing them."""
    stream = opened.enter_context(socket.create_connection(("127.0.0.1", port)))
    call = tl._core.Session("client", transport="buffered").call("get_partitions", b"\0")[1]
    head = len(tl._core.Session("client", transport="buffered").call("get_partitions", b"")[1])
    buffer = bytearray(262144)

    def work():
        stream.sendall(call)
        remaining = head + size
        while remaining:
            remaining -= stream.recv_into(buffer)

    return work


def pairs(partitions):
    return [(partition.values, partition.sd.location) for partition in partitions]


def timed(work):
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - cpu, time.perf_counter() - wall


def compare(port, size, rounds, opened):
    folder = opened.enter_context(tempfile.TemporaryDirectory())
    path = Path(folder, "metastore.thrift")
    path.write_text(IDL)
    arguments = tuple(ARGUMENTS.values())
    apache = apache_client(folder, port, opened)
    service = thriftpy2.load(str(path), module_name="partitions_thrift").Metastore
    pure = opened.enter_context(client_context(service, "127.0.0.1", port, socket_timeout=60000))
    idl = tl.loads(IDL)
    ours = opened.enter_context(
        tl.connect(f"127.0.0.1:{port}", idl, transport="buffered", protocol="binary")
    )
    result, reply = idl.service("Metastore").function("get_partitions").result, reply_bytes()

    def selected(form):
        return ours.call("get_partitions", ARGUMENTS, select=SELECTION, result=form)

    works = {
        "thriftlens select=, dict": lambda: [
            (partition["values"], partition["sd"]["location"]) for partition in selected("dict")
        ],
        "thriftlens select=, bytes": lambda: selected("bytes"),
        "Apache, C extension": lambda: pairs(apache.get_partitions(*arguments)),
        "thriftpy2": lambda: pairs(pure.get_partitions(*arguments)),
        "limit: receive": receive(port, size, opened),
        "limit: trim in memory": lambda: result.trim(reply, SELECTION, protocol="binary"),
    }
    answers = [
        works[name]()
        for name in works
        if not name.startswith(("thriftlens select=, bytes", "limit"))
    ]
    assert len(answers[0]) == PARTITIONS and all(answer == answers[0] for answer in answers)
    figures = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            figures[name].append(timed(work))
    return {
        name: [statistics.median(sample[index] for sample in row) * 1e3 for index in (0, 1)]
        for name, row in figures.items()
    }


def main(rounds=7):
    with subprocess.Popen(
        [sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            port, size = map(int, server.stdout.readline().split())
            with contextlib.ExitStack() as opened:
                medians = compare(port, size, rounds, opened)
        finally:
            server.terminate()
    print(
        f"a reply of {size:,} bytes\n{'contestant':28} {'cpu ms':>9} {'wall ms':>9} {'x cpu':>7} "
        f"{'x wall':>7}"
    )
    baseline = medians["Apache, C extension"]
    for name, (cpu, wall) in medians.items():
        print(
            f"{name:28} {cpu:9.2f} {wall:9.2f} {baseline[0] / cpu:7.1f} {baseline[1] / wall:7.1f}"
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve()
    else:
        main(*map(int, sys.argv[1:2]))
