"""Hive: tables and partitions of a metastore; SQL through HiveServer2 and compatible servers
(Spark's Thrift server, Impala, Kyuubi)."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from typing import Any, Iterator, Literal, Mapping, NamedTuple, NoReturn, Optional, Sequence, Union

from . import _core
from ._errors import DecodeError, Error, ServerError
from ._rpc.address import parse_address
from ._rpc.client import Client
from ._rpc.client import connect as _connect
from ._rpc.options import check_word
from ._schema.loading import load
from ._schema.schemas import Schema

# As in options.py, for stubtest.
InvalidUTF8 = Union[Literal["error"], Literal["replace"], Literal["surrogateescape"]]
_UTF8_IN_COLUMNS = {"error": "error", "replace": "replace", "surrogateescape": "keep"}
_PROTOCOL = 9  # the requested version: V10
_OLDEST = 5  # V6: the first that returns rows as columns
_FINAL_STATES = {2: "", 3: "was canceled", 4: "was closed", 5: "failed", 8: "was timed out"}
# Seconds between status requests; servers delay their answers too.
_PAUSES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)

__all__ = [
    "ArrowRows", "Column", "HiveError", "Result", "Session", "connect", "metastore",
    "metastore_idl", "server_idl",
]  # fmt: skip


class HiveError(ServerError):
    """A request that HiveServer2 could not execute.

    message: the server's text, unchanged. sql_state, error_code: from the server, or None.
    information: further lines, such as a stack trace."""

    def __init__(
        self,
        message: str,
        *,
        sql_state: Optional[str] = None,
        error_code: Optional[int] = None,
        information: tuple[str, ...] = (),
    ):
        super().__init__(message, code="hive_error")
        self.sql_state = sql_state
        self.error_code = error_code
        self.information = information


@functools.lru_cache(maxsize=None)
def metastore_idl() -> Schema:
    """The IDL of a metastore in this package: its most used functions.

    >>> import thriftlens as tl
    >>> tl.hive.metastore_idl().service("ThriftHiveMetastore").functions["get_table"].returns
    <thriftlens.Type struct Table>
    """
    return load(os.path.join(os.path.dirname(__file__), "hive_metastore.thrift"))


@functools.lru_cache(maxsize=None)
def server_idl() -> Schema:
    """The IDL of HiveServer2 in this package: the functions that Session and Result call."""
    return load(os.path.join(os.path.dirname(__file__), "hive_server.thrift"))


def metastore(address: str, *, idl: Optional[Schema] = None, **options: Any) -> Client:
    """Connects to a metastore and returns a client of its service: `get_table(dbname="a",
    tbl_name="b")`.

    address: "host:9083"; "user:password@host:9083" selects SASL PLAIN. idl: Hive's full IDL, for
        functions and fields that metastore_idl() lacks.
    options: as for tl.connect. A selection trims large replies while they arrive:
        `call("get_partitions", {…}, select="{ success { values sd { location } } }")`."""
    return _connect(address, idl or metastore_idl(), "ThriftHiveMetastore", **options)


def connect(
    address: str,
    *,
    idl: Optional[Schema] = None,
    user: Optional[str] = None,
    database: Optional[str] = None,
    configuration: Optional[Mapping[str, str]] = None,
    fetch_size: int = 10_000,
    invalid_utf8: InvalidUTF8 = "error",
    **options: Any,
) -> Session:
    """Connects to HiveServer2 and opens a session.

    address: "host:10000" (NOSASL, or SASL PLAIN as "anonymous", detected),
        "user:password@host:10000" (SASL PLAIN), "http://user:password@host:10001/cliservice",
        "https://…".
    user: the session's user; default: the user of the address. database: the initial database.
    configuration: settings of the session.
    fetch_size: rows per batch. idl: Hive's full IDL; default: server_idl(). options: as for
        tl.connect.
    invalid_utf8: handling of strings that are not UTF-8. "replace" inserts U+FFFD,
        "surrogateescape" lone surrogates, which makes string columns binary in Arrow. After an
        error of fetch no rows are lost: set Session.invalid_utf8 and fetch again. Raises HiveError
        if the server rejects the session, TransportError if the connection fails."""
    check_word("invalid_utf8", invalid_utf8, ("error", "replace", "surrogateescape"))
    decode = {"invalid_utf8": invalid_utf8, **(options.pop("decode", None) or {})}
    client = _connect(address, idl or server_idl(), "TCLIService", decode=decode, **options)
    try:
        user = user or parse_address(address).user
        session = Session(client, user, database, configuration, fetch_size)
        session.invalid_utf8, session._decode = decode["invalid_utf8"], decode
        return session
    except BaseException:
        client.close()
        raise


class Session:
    """A session of HiveServer2, created by connect. Not thread-safe."""

    def __init__(
        self,
        client: Client,
        user: Optional[str],
        database: Optional[str],
        configuration: Optional[Mapping[str, str]],
        fetch_size: int,
    ):
        request: dict[str, Any] = {
            "client_protocol": _PROTOCOL,
            "configuration": {**(configuration or {})},
        }
        if user is not None:
            request["username"] = user
        if database is not None:
            request["configuration"]["use:database"] = database
        self.client = client
        """The client of TCLIService, for other functions."""
        self.fetch_size = fetch_size
        self.invalid_utf8: InvalidUTF8 = "error"
        """Handling of strings that are not UTF-8; see connect."""
        self._decode: dict[str, Any] = {}
        self._handle: Optional[dict[str, Any]] = None
        answer = self._call("OpenSession", request)
        self.protocol_version: int = answer["serverProtocolVersion"]
        """0 is V1, 9 is V10."""
        if self.protocol_version < _OLDEST:
            raise HiveError(
                f"the server speaks protocol V{self.protocol_version + 1}; expected V{_OLDEST + 1} "
                "or later"
            )
        self._handle = answer["sessionHandle"]

    def execute(
        self,
        statement: str,
        *,
        configuration: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Result:
        """Executes a statement and waits until it has finished.

        timeout: seconds until it is cancelled (Error with code "timeout"). Raises HiveError if it
            fails."""
        request = {"sessionHandle": self._open(), "statement": statement, "runAsync": True}
        if configuration:
            request["confOverlay"] = {**configuration}
        answer = self._call("ExecuteStatement", request)
        result = Result(self, answer["operationHandle"])
        try:
            result._wait(None if timeout is None else time.monotonic() + timeout)
            result._describe()
        except BaseException as error:
            result._abandon(cancel=not isinstance(error, HiveError))
            raise
        return result

    def close(self) -> None:
        """Closes the session and the connection. Has no effect if closed."""
        handle, self._handle = self._handle, None
        try:
            if handle is not None:
                self._call("CloseSession", {"sessionHandle": handle})
        finally:
            self.client.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._handle is None else f"V{self.protocol_version + 1}"
        return f"<thriftlens.hive.Session at {self.client.address}, {state}>"

    def _open(self) -> dict[str, Any]:
        if self._handle is None:
            raise Error("the session is closed", code="closed")
        return self._handle

    def _call(self, name: str, request: dict[str, Any], as_view: bool = False) -> Any:
        """The reply. Raises HiveError for a failure status."""
        answer = self.client.call(name, {"req": request}, result="view" if as_view else "dict")
        status = answer["status"].to_dict() if as_view else answer["status"]
        if status["statusCode"] > 2:
            _raise(status, f"{name} failed")
        return answer


def _raise(status: Mapping[str, Any], default: str) -> NoReturn:
    message = status.get("errorMessage") or (
        "invalid handle" if status.get("statusCode") == 4 else default
    )
    raise HiveError(
        message,
        sql_state=status.get("sqlState"),
        error_code=status.get("errorCode"),
        information=tuple(status.get("infoMessages") or ()),
    )


class Column(NamedTuple):
    """Name, SQL type (`bigint`, `decimal(10,2)`) and comment of a result column."""

    name: str
    type: str
    comment: str = ""


class Result:
    """The result of a statement, created by Session.execute. Rows are fetched in batches on
    request.

    Numbers, booleans and strings are Python objects; decimals, dates, timestamps and nested values
    are strings, as sent; NULL becomes None."""

    def __init__(self, session: Session, handle: dict[str, Any]):
        self.columns: tuple[Column, ...] = ()
        """Columns of the rows; empty for a statement without rows."""
        self._session = session
        self._handle: Optional[dict[str, Any]] = handle
        self._has_rows = bool(handle["hasResultSet"])
        self._names: list[str] = []
        self._is_exhausted = False
        self._reply: Optional[_core.View] = None
        """A reply of FetchResults whose rows could not be decoded."""

    def fetch(self, most: Optional[int] = None) -> dict[str, list[Any]]:
        """The next rows, at most `most`, as a list per column; the lists are empty after the last
        row.

        Raises HiveError if the reply contradicts the column descriptions."""
        if self._is_exhausted or not self._has_rows:
            return {name: [] for name in self._names}
        session = self._session
        options = {**session._decode, "protocol": session.client.protocol}
        decoder = server_idl()["TRowSet"].decoder(
            **{**options, "invalid_utf8": session.invalid_utf8}
        )
        with self._results(most) as results:
            rows = None if results is None else decoder.decode(bytes(results))
        columns = self._checked_columns(rows)
        values = [
            _values(column, description.type) for description, column in zip(self.columns, columns)
        ]
        self._is_exhausted = not values or not values[0]  # hasMoreRows is unreliable
        self._check_lengths(list(map(len, values)))
        return dict(zip(self._names, values)) if values else self.fetch()

    def fetch_arrow(self, most: Optional[int] = None) -> ArrowRows:
        """The next rows, at most `most`, as Arrow arrays, in one pass over the reply:
        `pyarrow.record_batch(rows)`, `polars.DataFrame(rows)`.

        Columns that fetch returns as strings are strings. `num_rows` is 0 after the last row.
        Raises as fetch does."""
        if self._is_exhausted or not self._has_rows:
            return self._empty_rows()
        with self._results(most) as results:
            columns = self._checked_columns(results)
            parts = [(next(iter(column)), next(iter(column.values()))) for column in columns]
            self._check_lengths([len(part["values"]) for _, part in parts])
            # hasMoreRows is unreliable.
            self._is_exhausted = not parts or not len(parts[0][1]["values"])
            arrays = [(member, bytes(part)) for member, part in parts]
            if self._is_exhausted:
                return self._empty_rows()
            return self._rows(arrays, self._session.client.protocol)

    @contextlib.contextmanager
    def _results(self, most: Optional[int]) -> Iterator[Any]:
        """The next TRowSet as a view; the same one again after a DecodeError."""
        reply, self._reply = self._reply, None
        if reply is None:
            count = self._session.fetch_size if most is None else most
            request = {"operationHandle": self._open(), "orientation": 0, "maxRows": count}
            reply = self._session._call("FetchResults", request, as_view=True)
        try:
            yield reply.get("results")
        except DecodeError:
            self._reply = reply
            raise

    def _checked_columns(self, results: Any) -> list[Any]:
        """The columns of a TRowSet, checked against their descriptions; empty after the last
        row."""
        columns = [] if results is None else list(results.get("columns") or ())
        if not columns:
            if results is not None and results.get("binaryColumns"):
                raise HiveError(
                    "expected rows as columns, found binaryColumns: "
                    "the server must not compact its results"
                )
            return columns
        if len(columns) != len(self.columns):
            raise HiveError(
                f"expected {len(self.columns)} columns as described, found {len(columns)}"
            )
        for name, description, column in zip(self._names, self.columns, columns):
            members = sorted(column)
            expected = _members_of(description.type)
            if len(members) != 1 or members[0] not in expected:
                raise HiveError(
                    f"column {name!r} is described as {description.type}: expected "
                    f"{' or '.join(expected)}, found {', '.join(members) or 'no values'}"
                )
        return columns

    def _check_lengths(self, lengths: Sequence[int]) -> None:
        for name, length in zip(self._names, lengths):
            if length != lengths[0]:
                raise HiveError(
                    f"column {name!r} has {length} rows, {self._names[0]!r} has {lengths[0]}"
                )

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The remaining rows in batches of fetch_size, for Arrow consumers:
        `pyarrow.table(result)`, `polars.DataFrame(result)`."""
        return _core.arrow_stream(
            lambda: self._empty_rows().__arrow_c_schema__(), self._arrow_batches()
        )

    def _arrow_batches(self) -> Iterator[Any]:
        while (rows := self.fetch_arrow()).num_rows:
            yield rows.__arrow_c_array__()[1]

    def _empty_rows(self) -> ArrowRows:
        """Empty arrays of the columns."""
        members = [_members_of(column.type)[0] for column in self.columns]
        empty = {"values": [], "nulls": b""}
        return self._rows([(name, _column_type(name).encode(empty)) for name in members], "binary")

    def _rows(self, columns: Sequence[tuple[str, bytes]], protocol: Any) -> ArrowRows:
        """Arrow arrays of columns, from pairs of TColumn member and encoded struct."""
        parts = []
        for description, (member, data) in zip(self.columns, columns):
            expected = _members_of(description.type)[0]
            if member != expected:
                member, data = expected, _nulls_as(expected, member, data, protocol)
            converted = _column_type(member).columns(
                [data], "{ values nulls }", protocol=protocol, invalid_utf8=_UTF8_IN_COLUMNS[self._session.invalid_utf8],
                output_size=max(1 << 24, 16 * len(data)),
            )  # fmt: skip
            (batch,) = converted.batches()
            parts.append((converted.__arrow_c_schema__(), batch))
        return ArrowRows(*_core.arrow_of_lists(self._names, parts))

    def batches(self) -> Iterator[dict[str, list[Any]]]:
        """The remaining rows in batches of fetch_size."""
        while True:
            batch = self.fetch()
            if self._is_exhausted or not self._has_rows:
                return
            yield batch

    def fetch_all(self) -> dict[str, list[Any]]:
        """The remaining rows, as a list per column.

        Duplicate column names get a number: `a`, `a_2`."""
        columns: dict[str, list[Any]] = {name: [] for name in self._names}
        for batch in self.batches():
            for name, values in batch.items():
                columns[name] += values
        return columns

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The remaining rows as tuples."""
        for batch in self.batches():
            yield from zip(*batch.values())

    def close(self) -> None:
        """Frees the result on the server. Has no effect if closed."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._session._call("CloseOperation", {"operationHandle": handle})

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        columns = ", ".join(f"{column.name} {column.type}" for column in self.columns)
        return f"<thriftlens.hive.Result ({columns})>"

    def _open(self) -> dict[str, Any]:
        if self._handle is None:
            raise Error("the result is closed", code="closed")
        return self._handle

    def _wait(self, deadline: Optional[float]) -> None:
        """Waits until the statement has finished."""
        count = 0
        while True:
            answer = self._session._call("GetOperationStatus", {"operationHandle": self._open()})
            state = answer.get("operationState", 2)
            if state in _FINAL_STATES:
                if _FINAL_STATES[state]:
                    _raise(answer, f"the statement {_FINAL_STATES[state]}")
                self._has_rows = answer.get("hasResultSet", self._has_rows)
                return
            if deadline is not None and time.monotonic() >= deadline:
                text = "the statement did not finish in time and was cancelled"
                raise Error(text, code="timeout")
            time.sleep(_PAUSES[min(count, len(_PAUSES) - 1)])
            count += 1

    def _describe(self) -> None:
        """Fetches the column descriptions."""
        if not self._has_rows:
            return
        answer = self._session._call("GetResultSetMetadata", {"operationHandle": self._open()})
        schema = answer.get("schema") or {"columns": []}
        descriptions = sorted(schema["columns"], key=lambda item: item["position"])
        self.columns = tuple(
            Column(item["columnName"], _type_of(item["typeDesc"]), item.get("comment") or "")
            for item in descriptions
        )
        self._names = _unique_names([column.name for column in self.columns])

    def _abandon(self, cancel: bool) -> None:
        """Frees the statement after an error. Ignores further errors."""
        handle = self._handle
        try:
            if cancel and handle is not None:
                self._session._call("CancelOperation", {"operationHandle": handle})
            self.close()
        except Exception:
            pass


# The member of TColumn with the values of a type; stringVal for other types.
_MEMBERS = {
    "boolean": "boolVal", "tinyint": "byteVal", "smallint": "i16Val", "int": "i32Val", "bigint": "i64Val",
    "float": "doubleVal", "double": "doubleVal", "binary": "binaryVal",
}  # fmt: skip


def _members_of(sql_type: str) -> tuple[str, ...]:
    """The members of TColumn for an SQL type; the first one is that of the Arrow column. Impala
    sends NULL as boolVal."""
    name = sql_type.partition("(")[0]
    return ("stringVal", "boolVal") if name == "null" else (_MEMBERS.get(name, "stringVal"),)


@functools.lru_cache(maxsize=None)
def _column_type(member: str) -> Any:
    """The struct of a member of TColumn."""
    return server_idl()["TColumn"].fields[member].type


def _nulls_as(expected: str, member: str, data: bytes, protocol: Any) -> bytes:
    """The struct of member `expected` with the same number of values, all null."""
    count = len(_column_type(member).view(data, protocol=protocol)["values"])
    values = {"values": [""] * count, "nulls": b"\xff" * ((count + 7) // 8)}
    return bytes(_column_type(expected).encode(values, protocol=protocol))


def _unique_names(names: Sequence[str]) -> list[str]:
    """The names without duplicates: a second `a` becomes `a_2`. Linear in the number of names."""
    used: set[str] = set()
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        candidate, count = name, counts.get(name, 1)
        while candidate in used:
            count += 1
            candidate = f"{name}_{count}"
        counts[name] = count
        used.add(candidate)
        unique.append(candidate)
    return unique


class ArrowRows:
    """Rows as Arrow arrays, for consumers of Arrow's C interface. Can be read once."""

    def __init__(self, schema: Any, array: Any):
        self._schema = schema
        self._array = array
        self.num_rows: int = _core.arrow_length(array)

    def __arrow_c_schema__(self) -> Any:
        """A capsule of the ArrowSchema: a struct whose children are the columns."""
        return self._schema

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]:
        """Capsules of the schema, and of all rows as one struct array."""
        return self._schema, self._array

    def __repr__(self) -> str:
        return f"<thriftlens.hive.ArrowRows, {self.num_rows} rows>"


def _values(column: Mapping[str, Any], sql_type: str) -> list[Any]:
    """The values of a TColumn, None for NULL by its bitmap: bit 0 of byte 0 is the first row."""
    ((_, member),) = column.items()
    values: list[Any] = member["values"]
    if sql_type == "null":
        return [None] * len(values)
    for index, byte in enumerate(member["nulls"]):
        if byte:
            for row in range(index * 8, min(index * 8 + 8, len(values))):
                if byte >> (row & 7) & 1:
                    values[row] = None
    return values


def _type_of(description: Mapping[str, Any]) -> str:
    """The SQL type of a TTypeDesc."""
    entry = (description["types"] or [{}])[0].get("primitiveEntry")
    if entry is None:
        return "user_defined"
    names = {number: type_name for type_name, number in server_idl()["TTypeId"].members.items()}
    type_name = names.get(entry["type"], f"type_{entry['type']}").lower()
    qualifiers = (entry.get("typeQualifiers") or {"qualifiers": {}})["qualifiers"]
    sizes = [
        qualifiers[name]["i32Value"]
        for name in ("characterMaximumLength", "precision", "scale")
        if "i32Value" in qualifiers.get(name, {})
    ]
    return f"{type_name}({','.join(map(str, sizes))})" if sizes else type_name
