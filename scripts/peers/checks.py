"""The calls of scripts/peers.sh to a server: python checks.py NAME PORT.

Prints a line per passed check; raises on a failed one.
"""

import base64
import json
import socket
import subprocess
import sys
import tempfile
import time
import tracemalloc
import urllib.error
import urllib.request
from pathlib import Path

import thriftlens as tl
from echo import IDL, VALUE

HERE = Path(__file__).resolve().parent


def holds(description, condition=True):
    assert condition, description
    print(f"  {description}")


def single(address, **options):
    """The service that every server here has."""
    with tl.connect(address, tl.load(IDL), "Single", timeout=20, **options) as client:
        assert client.echo(VALUE) == VALUE
        assert client.hello("Zoe") == "hello Zoe"
        try:
            client.crash("why")
            raise AssertionError("no error")
        except tl.ApplicationError as error:
            assert "why" in str(error), error
        client.note("a")
        assert [client.hello(str(n)) for n in range(3)] == ["hello 0", "hello 1", "hello 2"]
        result = client.echo(VALUE, select="{ text points { x } }")
        assert result == {"text": "größer", "points": [{"x": 1}, {"x": 3}]}
        holds(
            f"{client.transport} {client.protocol}{' (found out)' if not options else ''}: echo, "
            "hello, crash, note, select"
        )


def full(address, **options):
    """What Apache's servers have besides."""
    single(address, **options)
    idl = tl.load(IDL)
    with tl.connect(address, idl, "Full", timeout=20, **options) as client:
        assert (client.add(2, 40), client.nothing()) == (42, None)
        try:
            client.refuse("no", 7)
            raise AssertionError("no exception")
        except idl.exceptions["Refused"] as error:
            assert (error.reason, error.code) == ("no", 7)
        holds("add, nothing, refuse")


def through_gateway(address, **client_options):
    """HTTP in front of it: `thriftlens serve`, functions without annotations as POST
    /Single/function.
    """
    options = [
        argument for name, value in client_options.items() for argument in (f"--{name}", value)
    ]
    command = [
        sys.executable,
        "-m",
        "thriftlens",
        "serve",
        IDL,
        "--upstream",
        address,
        "--service",
        "Single",
        "--routes",
        "all",
        "--listen",
        ":0",
        "--no-log",
        *options,
    ]
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as process:
        try:
            base = process.stdout.readline().split()[-1]

            def post(function, value):
                request = urllib.request.Request(
                    f"{base}/Single/{function}",
                    json.dumps(value).encode(),
                    {"Content-Type": "application/json"},
                )
                with urllib.request.urlopen(request, timeout=20) as answer:
                    return answer.status, answer.read()

            value = {**VALUE, "raw": base64.b64encode(VALUE["raw"]).decode(), "numbers": [1, 2, 3]}
            status, body = post("echo", value)
            assert status == 200 and json.loads(body) == value, body
            result = json.loads(post("echo?fields=text,points.x", value)[1])
            assert result == {"text": "größer", "points": [{"x": 1}, {"x": 3}]}
            assert post("hello", {"name": "Zoe"}) == (200, b'"hello Zoe"')
            assert post("note", {"text": "a"}) == (202, b"")
            try:
                post("crash", {"reason": "why"})
                raise AssertionError("no error")
            except urllib.error.HTTPError as error:
                assert error.code == 502 and "why" in json.load(error)["detail"]
        finally:
            process.terminate()
    holds(
        f"a gateway in front of it{''.join(f', {value}' for value in client_options.values())}: "
        "echo, fields, hello, note, crash"
    )


def command(*arguments):
    result = subprocess.run(
        [sys.executable, "-m", "thriftlens", *map(str, arguments)], capture_output=True, timeout=120
    )
    return result.returncode, result.stdout.decode().strip(), result.stderr.decode().strip()


def apache_go(port, transport, protocol):
    address = f"127.0.0.1:{port}"
    full(address)
    full(address, transport=transport, protocol=protocol)
    assert command("call", address, IDL, "Full.add", "a=2", "b=40") == (0, "42", "")
    assert command("call", address, IDL, "refuse", "reason=no")[0] == 3
    holds("thriftlens call")
    through_gateway(address, transport=transport, protocol=protocol)


def kitex(port):
    address = f"127.0.0.1:{port}"
    single(address)
    for transport in ("buffered", "framed", "ttheader", "ttheader_framed"):
        single(address, transport=transport, protocol="binary")
    status, printed, _ = command(
        "call",
        address,
        IDL,
        "Single.hello",
        "name=Zoe",
        "--transport",
        "ttheader",
        "--header",
        "k=v",
    )
    assert (status, printed) == (0, '"hello Zoe"')
    holds("thriftlens call")
    for transport in ("auto", "ttheader"):
        through_gateway(address, transport=transport, protocol="binary")


def hive_metastore(port):
    address = f"127.0.0.1:{port}"
    name = f"t{time.time_ns()}"
    columns = [
        {"name": f"column_{n:03}", "type": "string", "comment": f"what column {n} holds"}
        for n in range(200)
    ]
    storage = {
        "cols": columns,
        "location": f"file:{tempfile.gettempdir()}/{name}",
        "inputFormat": "org.apache.hadoop.mapred.TextInputFormat",
        "outputFormat": "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
        "serdeInfo": {
            "serializationLib": "org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe",
            "parameters": {},
        },
        "parameters": {},
    }
    idl = tl.hive.metastore_idl()
    with tl.hive.metastore(address, timeout=300) as client:
        assert "default" in client.get_all_databases()
        keys = [{"name": "day", "type": "string"}]
        client.create_table(
            {
                "tableName": name,
                "dbName": "default",
                "sd": storage,
                "partitionKeys": keys,
                "parameters": {},
                "tableType": "MANAGED_TABLE",
            }
        )
        assert len(client.get_table("default", name)["sd"]["cols"]) == 200
        try:
            client.get_table("default", "nowhere")
            raise AssertionError("no exception")
        except idl.exceptions["NoSuchObjectException"] as error:
            assert "nowhere" in str(error)
        holds("create_table, get_table (200 columns), a declared exception")
        for begin in range(0, 1000, 250):
            days = range(begin, begin + 250)
            parts = [
                {
                    "values": [str(n)],
                    "dbName": "default",
                    "tableName": name,
                    "sd": {**storage, "location": f"{storage['location']}/day={n}"},
                }
                for n in days
            ]
            assert client.add_partitions(parts) == 250
        _partitions(client, name)
        client.drop_table("default", name, True)
    status, printed, _ = command(
        "call",
        address,
        HERE.parents[1] / "python/thriftlens/_hive/metastore.thrift",
        "get_all_databases",
    )
    assert status == 0 and "default" in json.loads(printed)
    holds("thriftlens call")


def _partitions(client, name):
    """The large reply: all of it, and what a selection leaves while it arrives."""
    request = {"db_name": "default", "tbl_name": name, "max_parts": -1}
    selection = "{ success { values sd { location } } }"
    reply = client.call("get_partitions", request, result="message")
    size = len(reply.data)
    assert size > 11_000_000
    taken = {}
    for mode, options in (
        ("whole", {"result": "bytes"}),
        ("selected", {"result": "bytes", "select": selection}),
    ):
        tracemalloc.start()
        began = time.process_time()
        got = client.call("get_partitions", request, **options)
        taken[mode] = time.process_time() - began, tracemalloc.get_traced_memory()[1], len(got)
        tracemalloc.stop()
    trimmed = reply.type.trim(reply.data, selection)
    result = client.call("get_partitions", request, result="message", select=selection)
    assert result.data == trimmed
    for mode, (seconds, memory, received) in taken.items():
        holds(
            f"get_partitions, {size:,} bytes, {mode}: {received:,} bytes, {seconds * 1000:.0f} ms "
            f"of CPU time, {memory / 1e6:.1f} MB of Python memory at most"
        )


def hiveserver2(address):
    with tl.hive.connect(address, timeout=120, fetch_size=5000) as session:
        columns = (
            "id, cast(id as string) s, if(id % 2 = 0, null, id * 1.5D) d, cast(1.5 "
            "as decimal(10,2)) x, cast('ab' as binary) y"
        )
        with session.execute(f"select {columns} from range(12000)") as result:
            rows = result.fetch_all()
        expected = [("x", "decimal(10,2)"), ("y", "binary")]
        assert [(column.name, column.type) for column in result.columns][3:] == expected
        assert rows["id"] == list(range(12000)) and rows["s"][-1] == "11999"
        assert rows["y"][0] == b"ab"
        assert rows["d"][:4] == [None, 1.5, None, 4.5]
        try:
            session.execute("select nope from nowhere")
            raise AssertionError("no error")
        except tl.hive.HiveError as error:
            assert "nowhere" in str(error)
        holds(
            f"{session.client.transport} {session.client.protocol}, "
            f"V{session.protocol_version + 1}: 12,000 rows of 5 columns, NULLs, an error of SQL"
        )


def zipkin(port):
    idl = tl.loads("""struct Endpoint { 1: i32 ipv4, 2: i16 port, 3: string service_name }
        struct Annotation { 1: i64 timestamp, 2: string value, 3: optional Endpoint host }
        struct Span { 1: i64 trace_id, 3: string name, 4: i64 id, 6: list<Annotation> annotations,
          10: optional i64 timestamp, 11: optional i64 duration }
        typedef list<Span> Spans
        enum ResultCode { OK = 0, TRY_LATER = 1 }
        struct LogEntry { 1: string category, 2: string message }
        service Scribe { ResultCode Log(1: list<LogEntry> messages) }""")
    timestamp = time.time_ns() // 1000
    annotation = {"timestamp": timestamp, "value": "sr", "host": {"service_name": "peers"}}
    spans = [
        {
            "trace_id": timestamp + n,
            "id": timestamp + n,
            "name": "find",
            "annotations": [annotation],
            "timestamp": timestamp,
            "duration": 10,
        }
        for n in range(2)
    ]
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/spans",
        idl["Spans"].encode(spans[:1]),
        {"Content-Type": "application/x-thrift"},
    )
    assert urllib.request.urlopen(request, timeout=60).status in (200, 202)
    holds("POST of list<Span>")
    with tl.connect(f"127.0.0.1:{port + 1}", idl, "Scribe", timeout=60) as client:
        text = base64.b64encode(idl["Span"].encode(spans[1])).decode()
        assert client.Log([{"category": "zipkin", "message": text}]) == 0
        holds(f"{client.transport} {client.protocol} (found out): Scribe Log")
    for span in spans:
        url = f"http://127.0.0.1:{port}/api/v2/trace/{span['trace_id']:016x}"
        assert json.load(urllib.request.urlopen(url, timeout=60))[0]["name"] == "find"
    holds("both spans are there")


def jaeger(port):
    """Spans by HTTP (a struct in Binary) and by datagrams (oneway messages in Compact or Binary);
    then read from the query API.
    """
    idl = tl.loads("""struct Process { 1: required string serviceName }
        struct Span { 1: required i64 traceIdLow, 2: required i64 traceIdHigh,
          3: required i64 spanId, 4: required i64 parentSpanId,
          5: required string operationName, 7: required i32 flags, 8: required i64 startTime,
          9: required i64 duration }
        struct Batch { 1: required Process process, 2: required list<Span> spans }
        service Agent { oneway void emitBatch(1: Batch batch) }""")
    timestamp = time.time_ns() // 1000

    def batch(number):
        span = {
            "traceIdLow": timestamp + number,
            "traceIdHigh": 0,
            "spanId": timestamp,
            "parentSpanId": 0,
            "operationName": f"find {number}",
            "flags": 1,
            "startTime": timestamp,
            "duration": 10,
        }
        return {"process": {"serviceName": "peers"}, "spans": [span]}

    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/traces",
        idl["Batch"].encode(batch(0)),
        {"Content-Type": "application/x-thrift"},
    )
    assert urllib.request.urlopen(request, timeout=60).status == 202
    holds("POST of a Batch")
    emit = idl.service("Agent").functions["emitBatch"]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as agent:
        for number, protocol in enumerate(("compact", "binary"), 1):
            arguments = emit.arguments.encode({"batch": batch(number)}, protocol=protocol)
            agent.sendto(
                tl.Message("emitBatch", "oneway", number, arguments, protocol).to_bytes(),
                ("127.0.0.1", port + 1 + number),
            )
    for number, transport in enumerate(("HTTP", "a datagram, Compact", "a datagram, Binary")):
        url = f"http://127.0.0.1:{port + 1}/api/traces/{timestamp + number:x}"
        assert read_json(url)["data"][0]["spans"][0]["operationName"] == f"find {number}"
        holds(f"the span by {transport} is there")


def read_json(url):
    """The JSON at a URL, once it is available."""
    for _ in range(100):
        try:
            return json.load(urllib.request.urlopen(url, timeout=60))
        except urllib.error.URLError:
            time.sleep(0.1)
    raise AssertionError(f"{url} has nothing")


def go_check(transport, protocol):
    return lambda port: apache_go(port, transport, protocol)


CHECKS = {
    "apache-go-framed-compact": go_check("framed", "compact"),
    "apache-go-framed-binary": go_check("framed", "binary"),
    "apache-go-buffered-binary": go_check("buffered", "binary"),
    "apache-go-buffered-compact": go_check("buffered", "compact"),
    "apache-go-header": go_check("header", "binary"),
    "kitex": kitex,
    "jaeger": jaeger,
    "hive-metastore": hive_metastore,
    "hiveserver2": lambda port: hiveserver2(f"127.0.0.1:{port}"),
    "hiveserver2-sasl": lambda port: [
        hiveserver2(f"127.0.0.1:{port}"),
        hiveserver2(f"ann:secret@127.0.0.1:{port}"),
    ],
    "hiveserver2-http": lambda port: hiveserver2(f"http://ann:secret@127.0.0.1:{port}/cliservice"),
    "zipkin": zipkin,
}

if __name__ == "__main__":
    CHECKS[sys.argv[1]](int(sys.argv[2]))
