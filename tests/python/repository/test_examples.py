"""The programs of examples/python, run on small inputs."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
import thriftlens as tl

ROOT = Path(__file__).resolve().parents[3]


def printed(name, *arguments, **options):
    command = [sys.executable, str(ROOT / "examples" / "python" / name), *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, **options)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_kafka_to_parquet(tmp_path):
    pytest.importorskip("confluent_kafka")
    parquet = pytest.importorskip("pyarrow.parquet")
    out = tmp_path / "orders.parquet"
    lines = printed("kafka_to_parquet.py", "--demo", out).splitlines()
    expected = ["10000 records, 2 of them broken", "partition, offset, id, user, items, fault"]
    assert lines[:2] == expected
    assert lines[2].startswith(
        "partition 1, offset 8: the data ends in the middle of a value at $.items[1]"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["orders.parquet"]
    table = parquet.read_table(out)
    ids = sorted(id_ for id_ in table.column("id").to_pylist() if id_ is not None)
    assert ids == [i for i in range(10_000) if i not in (17, 4711)]
    rows = {row["id"]: row for row in table.to_pylist()}
    assert rows[5]["user"] == {"name": "Zoë"}
    assert rows[5]["items"] == [{"sku": "socks", "price": 4.5}] * 2


def test_privacy_filter(tmp_path):
    source, safe = tmp_path / "orders", tmp_path / "safe"
    result = printed("privacy_filter.py", "--make", 300, source)
    assert result == f"300 records, {source.stat().st_size} bytes\n"
    lines = printed("privacy_filter.py", source, safe, "--key", "k").splitlines()
    assert lines[0] == '$.user.name -> keep_last(2): field User.name (pii = "name")'
    assert lines[-1] == "300 records passed, 0 refused; 900 values replaced, 300 dropped"
    data = safe.read_bytes()
    assert b"Zo" not in data and b"zoe" not in data and b"4711" not in data
    assert b"x" * 40 not in data
    Order = tl.load(ROOT / "idl" / "shop.thrift")["Order"]
    originals, redacted = (
        list(tl.scan(path, Order, framing="u32", to="dict")) for path in (source, safe)
    )
    actual = [(order["id"], order["items"]) for order in redacted]
    assert actual == [(order["id"], order["items"]) for order in originals]
    assert len({order["user"]["email"] for order in redacted}) == 300 and {
        order["payment"]["card"][-2:] for order in redacted[:100]
    } == {f"{n:02}" for n in range(100)}
    broken = Order.encode(originals[0])[:-1] + b"\x63"  # its end is no end
    source.write_bytes(struct.pack(">I", len(broken)) + broken + source.read_bytes())
    lines = printed("privacy_filter.py", source, safe, "--key", "k").splitlines()
    assert lines[-1] == "300 records passed, 1 refused; 900 values replaced, 300 dropped"
    assert safe.read_bytes() == data
    assert sorted(path.name for path in tmp_path.iterdir()) == ["orders", "safe"]


def test_footer_scrubber(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "t.parquet"
    lines = printed("footer_scrubber.py", "--demo", file).splitlines()
    assert lines[0] == "before: 0..39900 40000..79900 80000..99900"
    assert lines[1].endswith("statistics of 6 column chunks, keys query, columns none")
    assert lines[2:] == ["after: None..None None..None None..None", "the same rows: True"]
    footer = parquet.read_metadata(file)
    assert [
        footer.row_group(group).column(column).statistics
        for group in range(3)
        for column in range(2)
    ] == [None] * 6
    assert footer.metadata is not None and set(footer.metadata) == {b"ARROW:schema"}
    assert b"query" not in file.read_bytes()
    assert printed("footer_scrubber.py", file, "--drop", "salary").endswith(
        "statistics of 0 column chunks, keys ARROW:schema, columns salary\n"
    )
    assert parquet.read_table(file).to_pydict() == {"id": list(range(1000))}
    original = file.read_bytes()
    result = subprocess.run(
        [
            sys.executable,
            str(ROOT / "examples" / "python" / "footer_scrubber.py"),
            str(file),
            "--drop",
            "salry",
        ],
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1 and "salry" in result.stderr and file.read_bytes() == original


def shown(cell):
    """Printed output and result of a cell, as text."""
    return [
        output.get("text") or output["data"]["text/plain"] for output in cell.get("outputs", [])
    ]


def test_the_notebook_has_its_current_output(monkeypatch):
    """A new kernel executes every cell; the output equals that in the file."""
    pytest.importorskip("pyarrow")
    nbformat = pytest.importorskip("nbformat", reason="needs nbclient and ipykernel")
    client = pytest.importorskip("nbclient", reason="needs nbclient and ipykernel")
    pytest.importorskip("ipykernel", reason="needs nbclient and ipykernel")
    joined = os.pathsep.join([str(Path(tl.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", joined)
    notebook = nbformat.read(ROOT / "examples" / "python" / "records.ipynb", as_version=4)
    stored = [shown(cell) for cell in notebook.cells]
    client.NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    assert [shown(cell) for cell in notebook.cells] == stored and sum(map(len, stored)) == 7
