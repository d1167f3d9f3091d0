"""`thriftlens table`: records of files as Parquet, Arrow, CSV and lines of JSON."""

import functools
import json
import os
import signal
import struct
import subprocess
import sys
import textwrap
import uuid

import pytest
import thriftlens as tl

IDL = """
enum Status { NEW = 1, PAID = 3 }
struct User { 1: i32 id, 2: string name }
struct Order { 1: i64 id, 2: User user, 3: Status status, 4: list<double> prices, 5: binary blob,
  6: uuid key }
service Shop { Order get(1: i32 id) }
"""
Order = tl.loads(IDL)["Order"]


def values(count, begin=0):
    return [
        {
            "id": i,
            "user": {"id": i * 2, "name": f"n{i}"},
            "status": 3 if i % 2 else 1,
            "prices": [i / 2],
        }
        for i in range(begin, begin + count)
    ]


def framed(record):
    return struct.pack(">I", len(record)) + record


@pytest.fixture
def files(tmp_path):
    """The IDL, and two files of framed records."""
    (tmp_path / "shop.thrift").write_text(IDL)
    for name, rows in (("a.bin", values(300)), ("b.bin", values(50, 300))):
        (tmp_path / name).write_bytes(b"".join(framed(Order.encode(row)) for row in rows))
    return tmp_path


@pytest.fixture
def tabulate(files, run):
    return functools.partial(run, "table", files / "shop.thrift", "Order")


def read(path):
    pa = pytest.importorskip("pyarrow")
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet")
        return parquet.read_table(path)
    with pa.ipc.open_file(path) as file:
        return file.read_all()


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_files_become_one_table(files, tabulate, ending):
    pytest.importorskip("pyarrow")
    out = files / f"out.{ending}"
    result = tabulate(
        files / "a.bin",
        files / "b.bin",
        "--framing u32 --select",
        "{ id user { name } status }",
        "-o",
        out,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr.decode() == f"thriftlens: {out}: 350 rows\n"
    table = read(out)
    table.validate(full=True)
    assert table.to_pylist() == [
        {"id": value["id"], "user": {"name": value["user"]["name"]}, "status": value["status"]}
        for value in values(350)
    ]
    assert [name for name in os.listdir(files) if name.endswith(".part")] == []


def test_flat_names_and_numbers_of_records(files, tabulate):
    pytest.importorskip("pyarrow")
    out = files / "out.parquet"
    result = tabulate(files / "b.bin", "--framing u32 --select",
        "{ user status }", "--flat --enums name --record n --limit", 3, "-o", out,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert read(out).to_pylist() == [
        {"user.id": 2 * i, "user.name": f"n{i}", "status": ["NEW", "PAID"][i % 2], "n": i - 300}
        for i in (300, 301, 302)
    ]


def test_where(files, tabulate):
    pytest.importorskip("pyarrow")
    arguments = (files / "a.bin", "--framing u32 --where",
        "user.id >= 10 and status = PAID", "--select", "{ id }",
    )  # fmt: skip
    expected = [
        value["id"] for value in values(300) if value["user"]["id"] >= 10 and value["status"] == 3
    ]
    result = tabulate(*arguments, "-o", files / "out.parquet", "--threads", 2)
    assert result.returncode == 0, result.stderr
    assert read(files / "out.parquet").column("id").to_pylist() == expected
    assert [json.loads(line)["id"] for line in tabulate(*arguments).stdout.splitlines()] == expected
    wrong = tabulate(files / "a.bin", "--framing u32 --where", "user.idd > 1")
    assert wrong.returncode == 2 and b"idd" in wrong.stderr
    actual = tabulate(files / "a.bin", "--framing u32 --where", 'id > "5"')
    assert actual.returncode == 2


def test_records_are_counted_in_their_file(files, tabulate):
    broken(files)
    offset = len(framed(Order.encode(values(1)[0])))
    result = tabulate(files / "a.bin", files / "broken.bin", "--framing u32 --on-error skip")
    assert (
        f"thriftlens: {files}/broken.bin: record 1: the data ends in the middle of a value (byte "
        f"{offset + 7})\n" in result.stderr.decode()
    )


@pytest.mark.parametrize("data,options,status", [
    (b"\x7f\xff\xff\xffabcd", [], 1), (b"\0\0\1\0abcd", [], 1),
    (b"\0\0\1\0abcd", ["--truncated", "drop"], 0),
])  # fmt: skip
def test_start_is_suggested_only_where_it_helps(files, tabulate, data, options, status):
    (files / "cut.bin").write_bytes(data)
    result = tabulate(files / "cut.bin", "--framing u32", *options)
    assert result.returncode == status and b"record 0: " in result.stderr, result.stderr
    assert b"--start" not in result.stderr, result.stderr


def test_output_to_a_pipe_by_its_name(files, run):
    result = run(
        "to-json", files / "shop.thrift", "Order", files / "b.bin", "--framing u32 -o /dev/stdout"
    )
    assert result.returncode == 0 and len(result.stdout.splitlines()) == 50, result.stderr


def test_csv(files, tabulate):
    pytest.importorskip("pyarrow")
    data = Order.encode(
        {
            "id": 1,
            "user": {"name": 'a "b"'},
            "blob": b"\xff\0",
            "status": 3,
            "key": uuid.UUID("00112233-4455-6677-8899-aabbccddeeff"),
        }
    )
    (files / "one.bin").write_bytes(data)
    result = tabulate(files / "one.bin", "--format csv --flat --enums name --select", "{ -prices }")
    assert result.returncode == 0, result.stderr
    head, line = result.stdout.decode().splitlines()
    assert head == '"id","user.id","user.name","status","blob","key"'
    assert line == '1,,"a ""b""","PAID","/wA=","00112233-4455-6677-8899-aabbccddeeff"'
    refused = tabulate(files / "one.bin", "-o", files / "x.csv")
    assert refused.returncode == 2 and b"CSV cannot hold column 'user'" in refused.stderr
    assert b"--flat" in refused.stderr
    refused = tabulate(files / "one.bin", "--flat --format csv")
    assert refused.returncode == 2 and b"'prices'" in refused.stderr
    assert b"--flat" not in refused.stderr and b"another format" in refused.stderr
    assert not (files / "x.csv").exists()


def test_lines_of_json_are_those_of_to_json(files, run, tabulate):
    arguments = (files / "b.bin", "--framing u32 --select", "{ id user { name } }")
    assert (
        tabulate(*arguments).stdout
        == run("to-json", files / "shop.thrift", "Order", *arguments).stdout
    )
    assert tabulate(*arguments, "--record", "n").returncode == 2


def test_the_default_framing_is_back_to_back(files, tabulate):
    (files / "plain.bin").write_bytes(b"".join(Order.encode(value) for value in values(5)))
    assert len(tabulate(files / "plain.bin").stdout.splitlines()) == 5
    piped = tabulate(input=(files / "plain.bin").read_bytes())
    assert [json.loads(line)["id"] for line in piped.stdout.splitlines()] == [0, 1, 2, 3, 4]


def broken(files):
    good = [framed(Order.encode(value)) for value in values(3)]
    bad = framed(b"\x08\x00\x01\x00\x00")
    (files / "broken.bin").write_bytes(good[0] + bad + good[1] + bad + good[2])
    return bad


def test_on_error(files, tabulate):
    pytest.importorskip("pyarrow")
    bad = broken(files)
    arguments = (files / "broken.bin", "--framing u32", "-o", files / "out.arrow")
    stopped = tabulate(*arguments)
    assert stopped.returncode == 1 and not (files / "out.arrow").exists()
    offset = len(framed(Order.encode(values(1)[0])))
    assert (
        f"broken.bin: record 1: the data ends in the middle of a value (byte {offset + 7})"
        in stopped.stderr.decode()
    )
    skipped = tabulate(*arguments, "--on-error", "skip")
    assert skipped.returncode == 0 and b"2 records rejected" in skipped.stderr
    assert b"3 rows" in skipped.stderr
    assert read(files / "out.arrow").column("id").to_pylist() == [0, 1, 2]
    null = tabulate(*arguments, "--on-error", "null", "--reason", "why", "--record", "n")
    assert null.returncode == 0, null.stderr
    table = read(files / "out.arrow")
    assert table.column("id").to_pylist() == [0, None, 1, None, 2]
    assert table.column("n").to_pylist() == [0, 1, 2, 3, 4]
    reason = "the data ends in the middle of a value"
    assert table.column("why").to_pylist() == [None, reason, None, reason, None]
    assert tabulate(*arguments, "--on-error", f"file={files / 'rejected.bin'}").returncode == 0
    assert (files / "rejected.bin").read_bytes() == bad + bad
    lines = tabulate(*arguments[:-2], "--on-error", "null").stdout.splitlines()
    assert [line == b"null" for line in lines] == [False, True, False, True, False]


@pytest.mark.parametrize("kind", ["arrow", "jsonl"])
def test_a_window_shows_the_bytes_around_a_fault(files, tabulate, kind):
    pytest.importorskip("pyarrow")
    broken(files)
    result = tabulate(files / "broken.bin", "--framing u32 --format", kind, "--window 8")
    offset = len(framed(Order.encode(values(1)[0]))) + 7
    assert result.returncode == 1 and f"^^ byte {offset}\n" in result.stderr.decode()


def test_unknown_fields_are_a_column(files, run):
    pytest.importorskip("pyarrow")
    (files / "old.thrift").write_text("struct Order { 1: i64 id }")
    arguments = (
        files / "old.thrift",
        "Order",
        files / "b.bin",
        "--framing u32 --unknown-fields rest",
    )
    result = run("table", *arguments, "-o", files / "out.arrow")
    assert result.returncode == 0, result.stderr
    rest = read(files / "out.arrow").column("rest").to_pylist()
    for record, value in zip(rest, values(50, 300)):
        del value["id"]
        assert Order.decode(record, missing_required="omit") == value
    refused = run("table", *arguments)
    assert refused.returncode == 2 and b"--unknown" in refused.stderr


def test_messages_and_text(files, run):
    pytest.importorskip("pyarrow")
    result = tl.loads(IDL).service("Shop").function("get").result
    messages = b""
    for number, protocol in ((1, "binary"), (2, "compact")):
        data = result.encode({"success": values(1, number)[0]}, protocol=protocol)
        messages += (
            tl._core.message_head("get", kind="reply", sequence_id=number, protocol=protocol) + data
        )
        messages += tl._core.message_head("other", kind="reply", protocol=protocol) + data
    (files / "messages.bin").write_bytes(messages)
    completed = run(
        "table", files / "shop.thrift", "Shop.get.result", files / "messages.bin",
        "--framing message --select", "{ success { id } }", "-o", files / "m.arrow",
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    assert read(files / "m.arrow").to_pylist() == [{"success": {"id": 1}}, {"success": {"id": 2}}]


def test_lines_of_apaches_json(files, tabulate):
    pytest.importorskip("pyarrow")
    texts = [
        tl.convert(Order.encode(order), source="binary", target="tjson") for order in values(3)
    ]
    (files / "text.json").write_bytes(b"\n".join(texts))
    result = tabulate(
        files / "text.json", "--lines --protocol tjson --select", "{ id }", "-o", files / "t.arrow"
    )
    assert result.returncode == 0, result.stderr
    assert read(files / "t.arrow").column("id").to_pylist() == [0, 1, 2]


def test_usage(files, tabulate):
    unknown = tabulate(files / "a.bin", "-o", files / "out.txt")
    assert unknown.returncode == 2 and b"unknown format" in unknown.stderr
    twice = tabulate(files / "a.bin", files / "b.bin", "--start", 4, "--framing u32")
    assert twice.returncode == 2 and b"--start needs a single FILE" in twice.stderr
    column = tabulate(
        files / "a.bin", "--framing u32 --select", "{ nam }", "-o", files / "out.arrow"
    )
    assert column.returncode == 2 and not (files / "out.arrow").exists()


def test_without_pyarrow(files):
    """Missing packages are named; lines of JSON need none."""
    code = (
        "import sys; sys.modules['pyarrow'] = None; from thriftlens._cli.main import main; main()"
    )
    table = [sys.executable, "-c", code, "table", str(files / "shop.thrift"), "Order"]

    def run(*more):
        command = [*table, str(files / "b.bin"), "--framing", "u32", *more]
        return subprocess.run(command, capture_output=True)

    result = run("-o", str(files / "out.parquet"))
    assert result.returncode == 2 and b"pip install 'thriftlens[arrow]'" in result.stderr
    assert not (files / "out.parquet").exists()
    assert len(run().stdout.splitlines()) == 50


def test_memory_does_not_grow_with_the_input(files):
    """What pyarrow has allocated at its highest is less than a third of the columns, which are read
    from a pipe."""
    pytest.importorskip("pyarrow")
    record = framed(Order.encode({"id": 1, "user": {"name": "x" * 1000}}))
    code = textwrap.dedent("""
        import sys, pyarrow
        from thriftlens._cli import tables as _tables
        from thriftlens._records import table_files as _table_files
        _table_files._GROUP_BYTES = 1 << 20
        highest = [0]
        class Counting(_tables.Parquet):
            def write(self, batch):
                super().write(batch)
                highest[0] = max(highest[0], self._bytes)
        _tables.Parquet = Counting
        from thriftlens._cli.main import main
        try:
            main()
        finally:
            print(highest[0], file=sys.stderr)
    """)
    arguments = [
        "table", str(files / "shop.thrift"), "Order", "--framing", "u32", "-o",
        str(files / "out.parquet"),
    ]  # fmt: skip
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments], input=record * 40000, capture_output=True
    )
    assert result.returncode == 0, result.stderr
    assert int(result.stderr.split()[-1]) < 12_000_000 < 40000 * 1000
    assert read(files / "out.parquet").num_rows == 40000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_ends_early_leaves_the_old_file(files, signal_number):
    pytest.importorskip("pyarrow")
    out = files / "out.parquet"
    out.write_bytes(b"old")
    command = [
        sys.executable, "-m", "thriftlens", "table", str(files / "shop.thrift"), "Order",
        "--framing", "u32", "-o", str(out),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write((files / "a.bin").read_bytes() * 200)
    process.stdin.flush()
    while not [name for name in os.listdir(files) if name.endswith(".part")]:
        assert process.poll() is None
    process.send_signal(signal_number)
    process.stdin.close()
    status = process.wait()
    assert status == (130 if signal_number == signal.SIGINT else -signal_number), (
        process.stderr.read()
    )
    assert out.read_bytes() == b"old"
    process.stderr.close()


LATE = """
enum E { A = 1, B = 2 }
struct In { 1: E e, 2: map<E, list<E>> m }
struct Row { 1: i32 x, 2: E e, 3: In i, 4: list<In> l }
"""


@pytest.mark.parametrize("ending", ["arrow", "parquet", "csv"])
@pytest.mark.parametrize("threads", [1, 2])
def test_an_unnamed_enum_value_in_a_later_batch_keeps_the_type(tmp_path, run, ending, threads):
    """A later batch has numbers that the enum does not name, at every depth."""
    pytest.importorskip("pyarrow")
    of = tl.loads(LATE)["Row"]
    count = (1 << 16) * threads + 2
    rows = [
        {"x": 1, "e": 1, "i": {"e": 1, "m": {1: [2]}}, "l": [{"e": 2}]},
        {"x": 2, "e": 7, "i": {"e": -1, "m": {8: [9]}}, "l": [{"e": 10}]},
    ]
    (tmp_path / "late.thrift").write_text(LATE)
    (tmp_path / "rows").write_bytes(of.encode(rows[0]) * (count - 1) + of.encode(rows[1]))
    out = tmp_path / f"out.{ending}"
    select = ["--select", "{ x e }"] if ending == "csv" else []
    result = run(
        "table", tmp_path / "late.thrift", "Row", tmp_path / "rows", "--enums name --threads",
        threads, "-o", out, *select,
    )  # fmt: skip
    assert (result.returncode, result.stderr.decode()) == (0, f"thriftlens: {out}: {count} rows\n")
    if ending == "csv":
        lines = out.read_text().splitlines()
        assert (lines[1], lines[-1], len(lines)) == ('1,"A"', '2,"7"', count + 1)
        return
    table = read(out)
    table.validate(full=True)
    first, last = table.slice(0, 1).to_pylist(), table.slice(count - 1).to_pylist()
    assert first == [
        {"x": 1, "e": "A", "i": {"e": "A", "m": [("A", ["B"])]}, "l": [{"e": "B", "m": None}]}
    ]
    assert last == [
        {"x": 2, "e": "7", "i": {"e": "-1", "m": [("8", ["9"])]}, "l": [{"e": "10", "m": None}]}
    ]


@pytest.mark.parametrize("field, name", [
    ("Empty e", "e"), ("list<Empty> l", "l.item"), ("map<i32, Empty> m", "m.entries.value"),
    ("Outer o", "o.e"),
])  # fmt: skip
def test_a_struct_without_fields_is_refused_by_parquet_in_one_line(tmp_path, run, field, name):
    pytest.importorskip("pyarrow")
    (tmp_path / "a.thrift").write_text(
        f"struct Empty {{}} struct Outer {{ 1: Empty e }} struct Row {{ 1: i32 x, 2: {field} }}"
    )
    (tmp_path / "rows").write_bytes(b"\0" * 3)
    out = tmp_path / "out.parquet"
    result = run("table", tmp_path / "a.thrift", "Row", tmp_path / "rows", "-o", out)
    assert result.returncode == 2 and not out.exists()
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(
        f"thriftlens: Parquet cannot hold column '{name}', a struct without fields"
    )
    result = run(
        "table", tmp_path / "a.thrift", "Row", tmp_path / "rows", "--select", "{ x }", "-o", out
    )
    assert result.returncode == 0 and read(out).num_rows == 3
    actual = run(
        "table", tmp_path / "a.thrift", "Row", tmp_path / "rows", "-o", tmp_path / "out.arrow"
    )
    assert actual.returncode == 0


@pytest.mark.parametrize("fault, message", [
    ("pa.ArrowNotImplementedError('no such\\n  type')", "ArrowNotImplementedError: no such type"),
    ("pa.ArrowInvalid('bad')", "ArrowInvalid: bad"),
    ("pa.ArrowMemoryError('malloc')", "out of memory"),
    ("OSError(28, 'No space left on device')", "No space left on device"),
])  # fmt: skip
@pytest.mark.parametrize(
    "ending, method",
    [
        ("parquet", "pyarrow.parquet.ParquetWriter.write_table"),
        ("arrow", "pa.ipc.RecordBatchFileWriter.write_batch"),
    ],
)
def test_an_error_of_a_library_is_one_line(files, fault, message, ending, method):
    pytest.importorskip("pyarrow.parquet")
    code = textwrap.dedent(f"""
        import sys, pyarrow as pa, pyarrow.parquet
        def fail(*_, **__): raise {fault}
        fail.__globals__["__name__"] = "library"
        {method} = fail
        from thriftlens._cli.main import main
        main()
    """)
    out = files / f"out.{ending}"
    arguments = [
        "table", str(files / "shop.thrift"), "Order", str(files / "a.bin"), "--framing", "u32",
        "-o", str(out),
    ]  # fmt: skip
    result = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True)
    assert result.returncode in (1, 2) and not out.exists()
    assert result.stderr.decode() in (f"thriftlens: {message}\n", f"thriftlens: {out}: {message}\n")


def test_a_bug_in_thriftlens_shows_a_traceback(files):
    code = textwrap.dedent("""
        import thriftlens._cli.idl, thriftlens._cli.main
        def fail(*_, **__): raise RuntimeError("a bug")
        fail.__globals__["__name__"] = "thriftlens._records.scan"
        thriftlens._cli.idl.load_idl = fail
        thriftlens._cli.main.main()
    """)
    result = subprocess.run(
        [sys.executable, "-c", code, "describe", str(files / "shop.thrift")],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1 and result.stderr.startswith("Traceback"), result.stderr
    assert result.stderr.endswith("RuntimeError: a bug\n"), result.stderr
