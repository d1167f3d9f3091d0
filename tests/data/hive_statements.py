"""Statements of three clients to HiveServer2 and the results."""

import os
from unittest import mock

ROWS = (
    "select id, cast(id as string) s, if(id % 3 = 0, null, id * 0.5D) d, id % 2 = 0 "
    "b, cast(1.5 as decimal(10,2)) x from range(50)"
)
BROKEN = "select nope from nowhere"


def expected_rows():
    return [(n, str(n), None if n % 3 == 0 else n * 0.5, n % 2 == 0, "1.50") for n in range(50)]


def ask_thriftlens(host, port, **options):
    import thriftlens as tl

    with tl.hive.connect(f"{host}:{port}", user="ann", fetch_size=20, **options) as session:
        with session.execute(ROWS) as result:
            columns, batches = result.columns, list(result.batches())
        try:
            session.execute(BROKEN)
        except tl.hive.HiveError as error:
            return columns, batches, error
    raise AssertionError("no error")


def ask_pyhive(host, port):
    from pyhive import exc, hive

    with hive.connect(host=host, port=port, username="ann", auth="NOSASL") as connection:
        cursor = connection.cursor()
        cursor.execute(ROWS)
        rows = cursor.fetchall()
        try:
            cursor.execute(BROKEN)
        except exc.OperationalError as error:
            return rows, error
    raise AssertionError("no error")


def ask_impyla(host, port):
    from impala.dbapi import connect
    from impala.error import OperationalError

    connection = connect(host=host, port=port, auth_mechanism="NOSASL")
    with mock.patch.dict(os.environ, LOGNAME="ann"):  # whom impyla opens the session for
        cursor = connection.cursor()
    try:
        cursor.execute(ROWS)
        rows = cursor.fetchall()
        try:
            cursor.execute(BROKEN)
        except OperationalError as error:
            return rows, error
    finally:
        cursor.close()
        connection.close()
    raise AssertionError("no error")
