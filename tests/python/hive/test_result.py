"""Results: batches, rows as tuples and as Arrow arrays, replies that cannot be decoded."""

from pathlib import Path

import hive_statements
import pytest
import thriftlens as tl
from hive_servers import FINE, Server
from thriftlens import hive
from thriftlens._hive import idl


def test_nulls_batches_and_duplicate_names(served):
    numbers = list(range(10))
    batches = [
        (numbers, b"\x01\x02", [str(n) for n in numbers], b""),
        ([7], b"\xff\xff", ["x"], b"\0"),
        ([], b"", [], b""),
    ]
    handler = Server(batches, states=(0, 7, 1, 1, 2))
    with served(handler, database="db", configuration={"k": "v"}) as session:
        assert handler.opened["configuration"] == {"k": "v", "use:database": "db"}
        with session.execute("select", configuration={"x": "y"}) as result:
            assert result.columns == (hive.Column("a", "bigint"), hive.Column("a", "varchar(5)"))
            assert repr(result) == "<thriftlens.hive.Result (a bigint, a varchar(5))>"
            rows = result.fetch_all()
        assert handler.executed["confOverlay"] == {"x": "y"}
    assert rows == {
        "a": [None, 1, 2, 3, 4, 5, 6, 7, 8, None, None],
        "a_2": [*map(str, numbers), "x"],
    }
    assert handler.calls.count("GetOperationStatus") == 5
    assert handler.calls[-2:] == ["CloseOperation", "CloseSession"]


def test_rows_as_tuples_and_partial_fetches(served):
    handler = Server([([1, 2], b"\0", ["a", "b"], b"\2")])
    session = served(handler)
    result = session.execute("select")
    assert list(result) == [(1, "a"), (2, None)]
    assert result.fetch() == {"a": [], "a_2": []}
    result.close()
    result.close()
    session.close()
    session.close()
    for late in (lambda: session.execute("select"),):
        with pytest.raises(tl.Error, match="closed"):
            late()


def test_mismatched_columns(served):
    columns = [
        {"i64Val": {"values": [1, 2], "nulls": b""}},
        {"i64Val": {"values": [1], "nulls": b""}},
    ]
    wrong = {"status": FINE, "results": {"startRowOffset": 0, "columns": columns}}
    with (
        served(Server(FetchResults=wrong)) as session,
        session.execute("select") as result,
        pytest.raises(hive.HiveError, match="column 'a_2'"),
    ):
        result.fetch_all()


def test_rows_as_arrow(mock, served):
    """The recording of a real server and a mock with nulls as columns."""
    pa = pytest.importorskip("pyarrow")
    host, port = mock("thriftlens")
    with (
        hive.connect(f"{host}:{port}", user="ann", fetch_size=20) as session,
        session.execute(hive_statements.ROWS) as result,
    ):
        table = pa.table(result)
    table.validate(full=True)
    actual = [str(type_) for type_ in table.schema.types]
    assert actual == ["int64", "string", "double", "bool", "string"]
    assert [tuple(row.values()) for row in table.to_pylist()] == hive_statements.expected_rows()
    numbers = list(range(10))
    batches = [
        (numbers, b"\x01\x02", [str(n) for n in numbers], b""),
        ([7], b"\xff\xff", ["x"], b"\0"),
        ([], b"", [], b""),
    ]
    with served(Server(batches)) as session, session.execute("select") as result:
        table = pa.table(result)
        table.validate(full=True)
        assert table.schema == pa.schema([("a", pa.int64()), ("a_2", pa.string())])
        assert table.to_pydict() == {
            "a": [None, 1, 2, 3, 4, 5, 6, 7, 8, None, None],
            "a_2": [*map(str, numbers), "x"],
        }
        assert result.fetch_arrow().num_rows == 0


def test_partial_fetches_as_arrow(served):
    pa = pytest.importorskip("pyarrow")
    with (
        served(Server([([1, 2], b"\2", ["a", "é"], b"")])) as session,
        session.execute("select") as result,
    ):
        rows = result.fetch_arrow(2)
        assert repr(rows) == "<thriftlens.hive.ArrowRows, 2 rows>"
        batch = pa.record_batch(rows)
        del rows
        assert batch.to_pydict() == {"a": [1, None], "a_2": ["a", "é"]}
        assert pa.record_batch(result.fetch_arrow()).num_rows == 0
        assert pa.table(result).num_rows == 0


@pytest.mark.parametrize("batch", [([1, 2], b"", ["a"], b""), ([], b"", ["a"], b"")])
def test_inconsistent_replies_cannot_become_arrow(served, batch):
    with served(Server([batch])) as session, session.execute("select") as result:
        with pytest.raises(hive.HiveError, match="column 'a_2' has 1 rows, 'a' has"):
            result.fetch_arrow()


def test_results_in_a_form_that_was_not_requested_are_an_error(served):
    sent = {
        "status": FINE,
        "results": {"startRowOffset": 0, "binaryColumns": b"\x01", "columnCount": 2},
    }
    for read in (hive.Result.fetch, hive.Result.fetch_arrow):
        with (
            served(Server(FetchResults=sent)) as session,
            session.execute("select") as result,
            pytest.raises(hive.HiveError, match="binaryColumns"),
        ):
            read(result)


RAW_IDL = tl.loads(
    Path(idl.__file__)
    .with_name("server.thrift")
    .read_text()
    .replace(
        "struct TStringColumn { 1: required list<string>",
        "struct TStringColumn { 1: required list<binary>",
    )
)


@pytest.mark.parametrize("read", ["fetch", "fetch_arrow"])
def test_rows_with_a_string_that_is_not_utf8_are_not_lost(served, read):
    pyarrow = pytest.importorskip("pyarrow")
    handler = Server([([1, 2], b"\0", [b"ok", b"a\xff"], b""), ([3], b"\0", [b"z"], b"")])

    def rows(result):
        batch = getattr(result, read)()
        return batch if read == "fetch" else pyarrow.record_batch(batch).to_pydict()

    with served(handler, idl_of_server=RAW_IDL) as session, session.execute("select") as result:
        for _ in range(2):
            with pytest.raises(tl.DecodeError) as caught:
                rows(result)
            assert caught.value.code == "invalid_utf8"
            assert 'accepted with invalid_utf8="replace"' in str(caught.value)
        session.invalid_utf8 = "replace"
        assert rows(result) == {"a": [1, 2], "a_2": ["ok", "a\ufffd"]}
        assert rows(result) == {"a": [3], "a_2": ["z"]}
    assert handler.calls.count("FetchResults") == 2
    handler = Server([([1, 2], b"\0", [b"ok", b"a\xff"], b"")])
    with (
        served(handler, idl_of_server=RAW_IDL, invalid_utf8="surrogateescape") as session,
        session.execute("select") as result,
    ):
        assert rows(result)["a_2"] == (["ok", "a\udcff"] if read == "fetch" else [b"ok", b"a\xff"])
    with pytest.raises(ValueError, match="invalid_utf8"):
        served(Server(), invalid_utf8="ignore")
