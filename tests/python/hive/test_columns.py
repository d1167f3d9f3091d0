"""Columns: their SQL types, names and values."""

import pytest
import thriftlens as tl
from hive_servers import OneColumn
from thriftlens import hive
from thriftlens._hive.columns import described_columns, unique_names

DESCRIBED = {  # TTypeId and the member that holds its values
    0: ("boolVal", True), 1: ("byteVal", 1), 2: ("i16Val", 1), 3: ("i32Val", 1),
    4: ("i64Val", 1), 5: ("doubleVal", 1.0), 6: ("doubleVal", 1.0), 7: ("stringVal", "x"),
    8: ("stringVal", "x"), 9: ("binaryVal", b"x"), 15: ("stringVal", "1"), 16: ("stringVal", "x"),
    17: ("stringVal", "x"),
}  # fmt: skip
SENT = {**dict(DESCRIBED.values()), "binaryVal": b"\xff"}


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


def test_repeated_names_are_numbered_in_linear_time(served):
    class Counted(str):
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    names = unique_names([Counted("a")] * 2000)
    assert len(set(names)) == 2000 and Counted.compared < 20_000
    assert unique_names(["a", "a_2", "a", "a"]) == ["a", "a_2", "a_3", "a_4"]
    with (
        served(OneColumn(4, {"i64Val": {"values": [1], "nulls": b""}}, ["c"] * 2000)) as session,
        session.execute("select") as result,
    ):
        row = result.fetch_all()
    assert list(row) == ["c", *(f"c_{number}" for number in range(2, 2001))]


@pytest.mark.parametrize(
    "entry, sql_type",
    [
        ({"type": 4}, "bigint"),
        ({"type": 99}, "type_99"),
        (
            {
                "type": 15,
                "typeQualifiers": {
                    "qualifiers": {"precision": {"i32Value": 10}, "scale": {"i32Value": 2}}
                },
            },
            "decimal(10,2)",
        ),
    ],
)
def test_sql_types_of_descriptions(entry, sql_type):
    description = {
        "columnName": "c",
        "position": 1,
        "typeDesc": {"types": [{"primitiveEntry": entry}]},
    }
    assert described_columns({"columns": [description]}) == (hive.Column("c", sql_type),)
