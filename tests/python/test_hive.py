"""tl.hive against mock servers that answer from recordings of a real HiveServer2, and against
servers that misbehave; PyHive and impyla against the former."""

import pickle
import sys
from decimal import Decimal
from pathlib import Path

import pytest
import thriftlens as tl

DATA = Path(__file__).resolve().parents[1] / "data"
sys.path.insert(0, str(DATA))

import hive_statements  # noqa: E402

hive = pytest.importorskip("thriftlens.hive")
IDL = hive.server_idl()


@pytest.fixture
def mock():
    """Serves a recording; yields host and port."""
    servers = []

    def serve(name, **options):
        recording = tl.Recording(DATA / "hive" / f"{name}.tlrec")
        servers.append(tl.serve(IDL, "TCLIService", recording, background=True, **options))
        host, _, port = servers[-1].address.rpartition(":")
        return host, int(port)

    yield serve
    for server in servers:
        server.close()


def rows_of(batches):
    return [row for batch in batches for row in zip(*batch.values())]


def test_a_session_against_the_recording_of_a_real_server(mock):
    columns, batches, error = hive_statements.ask_thriftlens(*mock("thriftlens"))
    assert [(column.name, column.type) for column in columns] == [
        ("id", "bigint"),
        ("s", "string"),
        ("d", "double"),
        ("b", "boolean"),
        ("x", "decimal(10,2)"),
    ]
    assert [len(batch["id"]) for batch in batches] == [20, 20, 10]
    assert rows_of(batches) == hive_statements.expected_rows()
    assert "TABLE_OR_VIEW_NOT_FOUND" in str(error) and error.code == "hive_error"
    assert error.sql_state == "42P01"


@pytest.mark.parametrize(
    "transport, protocol", [("framed", "binary"), ("framed", "compact"), ("buffered", "compact")]
)
def test_other_framings_of_the_same_recording(mock, transport, protocol):
    address = mock("thriftlens", transport=transport, protocol=protocol)
    _, batches, _ = hive_statements.ask_thriftlens(*address, transport=transport, protocol=protocol)
    assert rows_of(batches) == hive_statements.expected_rows()


def test_pyhive_against_the_mock_server(mock):
    pytest.importorskip("pyhive.hive", reason="PyHive is not installed")
    rows, error = hive_statements.ask_pyhive(*mock("pyhive"))
    assert rows == [(*row[:4], Decimal(row[4])) for row in hive_statements.expected_rows()]
    assert "TABLE_OR_VIEW_NOT_FOUND" in str(error)


def test_impyla_against_the_mock_server(mock):
    pytest.importorskip("impala.dbapi", reason="impyla is not installed")
    rows, error = hive_statements.ask_impyla(*mock("impyla"))
    assert [(*row[:4], Decimal(row[4])) for row in rows] == [
        (*row[:4], Decimal(row[4])) for row in hive_statements.expected_rows()
    ]
    assert "TABLE_OR_VIEW_NOT_FOUND" in str(error)


HANDLE = {"guid": b"g" * 16, "secret": b"s" * 16}
FINE = {"statusCode": 0}


class Server:
    """A HiveServer2 with two columns and the given number of batches."""

    def __init__(self, batches=(), states=(2,), version=9, **faults):
        self.batches, self.states, self.version, self.faults = (
            list(batches),
            list(states),
            version,
            faults,
        )
        self.calls = []

    def serve(self, name, arguments, context):
        self.calls.append(name)
        if name in self.faults:
            return self.faults[name]
        return {"status": FINE, **getattr(self, name)(arguments["req"])}

    def OpenSession(self, request):
        self.opened = request
        return {"serverProtocolVersion": self.version, "sessionHandle": {"sessionId": HANDLE}}

    def ExecuteStatement(self, request):
        self.executed = request
        return {
            "operationHandle": {"operationId": HANDLE, "operationType": 0, "hasResultSet": True}
        }

    def GetOperationStatus(self, request):
        return {"operationState": self.states.pop(0) if len(self.states) > 1 else self.states[0]}

    def GetResultSetMetadata(self, request):
        described = [
            ("a", {"type": 4}),
            (
                "a",
                {
                    "type": 18,
                    "typeQualifiers": {"qualifiers": {"characterMaximumLength": {"i32Value": 5}}},
                },
            ),
        ]
        columns = [
            {
                "columnName": name,
                "typeDesc": {"types": [{"primitiveEntry": type_entry}]},
                "position": number + 1,
            }
            for number, (name, type_entry) in enumerate(described)
        ]
        return {"schema": {"columns": columns[::-1]}}

    def FetchResults(self, request):
        batch = self.batches.pop(0) if self.batches else ([], b"", [], b"")
        numbers, no_number, texts, no_text = batch
        columns = [
            {"i64Val": {"values": numbers, "nulls": no_number}},
            {"stringVal": {"values": texts, "nulls": no_text}},
        ]
        return {"hasMoreRows": False, "results": {"startRowOffset": 0, "columns": columns}}

    def CloseOperation(self, request):
        return {}

    CloseSession = CancelOperation = CloseOperation


@pytest.fixture
def served():
    servers = []

    def serve(handler, idl_of_server=IDL, **options):
        servers.append(tl.serve(idl_of_server, "TCLIService", handler.serve, background=True))
        return hive.connect(servers[-1].address, **options)

    yield serve
    for server in servers:
        server.close()


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


def test_rows_as_tuples_and_fetches_of_some(served):
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


@pytest.mark.parametrize(
    "state, message", [(3, "canceled"), (4, "closed"), (5, "failed"), (8, "timed out")]
)
def test_statements_that_fail_or_are_cancelled(served, state, message):
    handler = Server(states=(1, state))
    with served(handler) as session, pytest.raises(hive.HiveError, match=message):
        session.execute("select")
    assert "CancelOperation" not in handler.calls and "CloseOperation" in handler.calls


def test_a_statement_that_takes_too_long_is_cancelled(served):
    handler = Server(states=(1,))
    with (
        served(handler) as session,
        pytest.raises(tl.Error, match="did not finish in time") as caught,
    ):
        session.execute("select", timeout=0.0)
    assert caught.value.code == "timeout"
    assert handler.calls[-3:] == ["CancelOperation", "CloseOperation", "CloseSession"]


def test_refused_requests_raise(served):
    status = {
        "statusCode": 3,
        "sqlState": "08S01",
        "errorCode": 9,
        "errorMessage": "no more sessions",
        "infoMessages": ["a", "b"],
    }
    refused = {"status": status, "serverProtocolVersion": 9}
    with pytest.raises(hive.HiveError, match="no more sessions") as caught:
        served(Server(OpenSession=refused))
    assert (caught.value.sql_state, caught.value.error_code, caught.value.information) == (
        "08S01",
        9,
        ("a", "b"),
    )
    unpickled = pickle.loads(pickle.dumps(caught.value))
    assert (str(unpickled), unpickled.sql_state, unpickled.information) == (
        "no more sessions",
        "08S01",
        ("a", "b"),
    )
    with pytest.raises(hive.HiveError, match="speaks protocol V5"):
        served(Server(version=4))
    lost = Server(FetchResults={"status": {"statusCode": 4}})
    with (
        served(lost) as session,
        session.execute("select") as result,
        pytest.raises(hive.HiveError, match="invalid handle"),
    ):
        result.fetch()


def test_columns_that_do_not_fit(served):
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


def test_the_metastore_client():
    idl = hive.metastore_idl()

    def answer(name, arguments, context):
        if name == "get_partitions":
            return [
                {
                    "values": [str(n)],
                    "sd": {"location": f"/{n}", "cols": [{"name": "c", "type": "int"}] * 20},
                }
                for n in range(100)
            ]
        raise idl.exceptions["NoSuchObjectException"](f"no {arguments['tbl_name']}")

    with (
        tl.serve(idl, "ThriftHiveMetastore", answer, background=True) as server,
        hive.metastore(server.address) as client,
    ):
        request = {"db_name": "d", "tbl_name": "t"}
        partitions = client.call(
            "get_partitions", request, select="{ success { values sd { location } } }"
        )
        assert partitions == [{"values": [str(n)], "sd": {"location": f"/{n}"}} for n in range(100)]
        with pytest.raises(idl.exceptions["NoSuchObjectException"], match="no t"):
            client.get_table(dbname="d", tbl_name="t")


def test_rows_as_arrow(mock, served):
    """The recording of a real server, and a mock with nulls, through the columns room."""
    pa = pytest.importorskip("pyarrow")
    host, port = mock("thriftlens")
    with (
        hive.connect(f"{host}:{port}", user="ann", fetch_size=20) as session,
        session.execute(hive_statements.ROWS) as result,
    ):
        table = pa.table(result)
    table.validate(full=True)
    assert [str(type_) for type_ in table.schema.types] == [
        "int64",
        "string",
        "double",
        "bool",
        "string",
    ]
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


def test_fetches_of_some_rows_as_arrow(served):
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
        assert (
            pa.record_batch(result.fetch_arrow()).num_rows == 0 and pa.table(result).num_rows == 0
        )


@pytest.mark.parametrize("batch", [([1, 2], b"", ["a"], b""), ([], b"", ["a"], b"")])
def test_replies_that_contradict_themselves_are_no_arrow(served, batch):
    with served(Server([batch])) as session, session.execute("select") as result:
        with pytest.raises(hive.HiveError, match="column 'a_2' has 1 rows, 'a' has"):
            result.fetch_arrow()


DESCRIBED = {  # TTypeId and the member that holds its values
    0: ("boolVal", True), 1: ("byteVal", 1), 2: ("i16Val", 1), 3: ("i32Val", 1), 4: ("i64Val", 1), 5: ("doubleVal", 1.0), 6: ("doubleVal", 1.0),
    7: ("stringVal", "x"), 8: ("stringVal", "x"), 9: ("binaryVal", b"x"), 15: ("stringVal", "1"), 16: ("stringVal", "x"), 17: ("stringVal", "x"),
}  # fmt: skip
SENT = {**dict(DESCRIBED.values()), "binaryVal": b"\xff"}


class OneColumn(Server):
    """Describes a column as one type and sends the members of another."""

    def __init__(self, described, column, names=("c",)):
        super().__init__()
        self.described, self.column, self.names = described, column, names

    def GetResultSetMetadata(self, request):
        described = {"types": [{"primitiveEntry": {"type": self.described}}]}
        return {
            "schema": {
                "columns": [
                    {"columnName": name, "typeDesc": described, "position": at + 1}
                    for at, name in enumerate(self.names)
                ]
            }
        }

    def FetchResults(self, request):
        columns, self.column = (
            [self.column] * len(self.names),
            {member: {"values": [], "nulls": b""} for member in self.column},
        )
        return {"results": {"startRowOffset": 0, "columns": columns}}


@pytest.mark.parametrize("described", DESCRIBED)
@pytest.mark.parametrize("sent", SENT)
def test_a_column_of_another_type_than_described_is_an_error_and_never_read_as_that_type(
    served, described, sent
):
    pa = pytest.importorskip("pyarrow")
    expected = DESCRIBED[described][0]
    column = {sent: {"values": [SENT[sent]] * 1000, "nulls": b""}}
    reads = {
        "fetch": lambda result: result.fetch(),
        "rows": list,
        "arrow": lambda result: result.fetch_arrow(),
        "stream": lambda result: pa.table(result).validate(full=True),
    }
    for read in reads.values():
        with served(OneColumn(described, column)) as session, session.execute("select") as result:
            if sent == expected or (described, sent) == (16, "boolVal"):
                read(result)
                continue
            with pytest.raises(
                (tl.Error, pa.ArrowInvalid),
                match=f"column 'c' is described as .*expected {expected}.*found {sent}",
            ):
                read(result)


def test_a_null_column_of_booleans_is_all_null(served):
    pa = pytest.importorskip("pyarrow")
    column = {"boolVal": {"values": [False] * 9, "nulls": b"\xff\x01"}}
    with served(OneColumn(16, column)) as session, session.execute("select null") as result:
        assert pa.table(result).to_pydict() == {"c": [None] * 9}
    with served(OneColumn(16, column)) as session, session.execute("select null") as result:
        assert result.fetch_all() == {"c": [None] * 9}


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


def test_repeated_names_are_numbered_in_linear_time(served):
    class Counted(str):
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    names = hive._unique_names([Counted("a")] * 2000)
    assert len(set(names)) == 2000 and Counted.compared < 20_000
    assert hive._unique_names(["a", "a_2", "a", "a"]) == ["a", "a_2", "a_3", "a_4"]
    with (
        served(OneColumn(4, {"i64Val": {"values": [1], "nulls": b""}}, ["c"] * 2000)) as session,
        session.execute("select") as result,
    ):
        row = result.fetch_all()
    assert list(row) == ["c", *(f"c_{number}" for number in range(2, 2001))]


SOURCE = (Path(hive.__file__).parent / "hive_server.thrift").read_text()
RAW_IDL = tl.loads(
    SOURCE.replace(
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
            assert (
                caught.value.code == "invalid_utf8"
                and 'relaxed by invalid_utf8="replace"' in str(caught.value)
            )
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
