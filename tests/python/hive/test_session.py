"""Sessions: statements, refused requests, foreign clients."""

import pickle
from decimal import Decimal

import hive_statements
import pytest
import thriftlens as tl
from hive_servers import Server
from thriftlens import hive


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
    with served(handler) as session, pytest.raises(tl.Error, match="timed out") as caught:
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
    assert caught.value.sql_state == "08S01" and caught.value.error_code == 9
    assert caught.value.information == ("a", "b")
    unpickled = pickle.loads(pickle.dumps(caught.value))
    assert str(unpickled) == "no more sessions" and unpickled.sql_state == "08S01"
    assert unpickled.information == ("a", "b")
    with pytest.raises(hive.HiveError, match="speaks protocol V5"):
        served(Server(version=4))
    lost = Server(FetchResults={"status": {"statusCode": 4}})
    with (
        served(lost) as session,
        session.execute("select") as result,
        pytest.raises(hive.HiveError, match="invalid handle"),
    ):
        result.fetch()


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
