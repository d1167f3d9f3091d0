"""Results of statements: waiting for them, and fetching their rows in batches."""

from __future__ import annotations

import contextlib
import itertools
import time
from typing import Iterator, Optional, Protocol, Sequence

from .. import _core
from .._errors import DecodeError, Error
from .._rpc.options import WireProtocol
from .._typing import Value, Values
from .columns import (
    ArrowRows,
    Column,
    EncodedColumn,
    InvalidUTF8,
    arrow_rows,
    check_member,
    described_columns,
    empty_rows,
    unique_names,
    values_of,
)
from .errors import HiveError, error_of
from .idl import server_idl

# TOperationState
_FINISHED = 2
_FAILURES = {3: "was canceled", 4: "was closed", 5: "failed", 8: "timed out"}
# Seconds between status requests; servers delay their answers too.
_PAUSES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


class Requests(Protocol):
    """The part of Session that a result uses."""

    fetch_size: int
    invalid_utf8: InvalidUTF8
    _decode: dict[str, Value]

    @property
    def _protocol(self) -> WireProtocol: ...

    def _call(self, name: str, request: Values, as_view: bool = False) -> Value: ...


class Result:
    """The result of a statement, created by Session.execute. Rows are fetched in batches on
    request.

    Numbers, booleans and strings are Python objects; decimals, dates, timestamps and nested values
    are strings, as sent; NULL becomes None."""

    def __init__(self, session: Requests, handle: Values):
        self.columns: tuple[Column, ...] = ()
        """Columns of the rows; empty for a statement without rows."""
        self._session = session
        self._handle: Optional[Values] = handle
        self._has_rows = bool(handle["hasResultSet"])
        self._names: list[str] = []
        self._is_exhausted = False
        self._reply: Optional[_core.StructView] = None
        """A reply of FetchResults whose rows could not be decoded."""

    def fetch(self, max_rows: Optional[int] = None) -> dict[str, list[Value]]:
        """The next rows, at most `max_rows`, as a list per column; empty lists after the last row.

        Raises HiveError if the reply contradicts the column descriptions."""
        if self._is_exhausted or not self._has_rows:
            return {name: [] for name in self._names}
        decoder = self._row_decoder()
        with self._results(max_rows) as results:
            rows = None if results is None else decoder.decode(bytes(results))
        columns = self._checked_columns(rows)
        values = [values_of(column, sql_type) for sql_type, column in zip(self._types, columns)]
        self._check_lengths(list(map(len, values)))
        return dict(zip(self._names, values)) if values else self.fetch()

    def fetch_arrow(self, max_rows: Optional[int] = None) -> ArrowRows:
        """The next rows, at most `max_rows`, as Arrow arrays, in one pass over the reply:
        `pyarrow.record_batch(rows)`, `polars.DataFrame(rows)`.

        Columns that fetch returns as strings are strings. `num_rows` is 0 after the last row.
        Raises as fetch does."""
        if self._is_exhausted or not self._has_rows:
            return self._empty_rows()
        with self._results(max_rows) as results:
            parts = [next(iter(column.items())) for column in self._checked_columns(results)]
            self._check_lengths([len(part["values"]) for _, part in parts])
            if self._is_exhausted:
                return self._empty_rows()
            columns = [EncodedColumn(member, bytes(part)) for member, part in parts]
            protocol, invalid_utf8 = self._session._protocol, self._session.invalid_utf8
            return arrow_rows(self._names, self._types, columns, protocol, invalid_utf8)

    def batches(self) -> Iterator[dict[str, list[Value]]]:
        """The remaining rows in batches of fetch_size."""
        while True:
            batch = self.fetch()
            if self._is_exhausted or not self._has_rows:
                return
            yield batch

    def fetch_all(self) -> dict[str, list[Value]]:
        """The remaining rows, as a list per column.

        Duplicate column names get a number: `a`, `a_2`."""
        columns: dict[str, list[Value]] = {name: [] for name in self._names}
        for batch in self.batches():
            for name, values in batch.items():
                columns[name] += values
        return columns

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        """The remaining rows as tuples."""
        for batch in self.batches():
            yield from zip(*batch.values())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The remaining rows in batches of fetch_size, for Arrow consumers:
        `pyarrow.table(result)`, `polars.DataFrame(result)`."""
        return _core.arrow_stream(
            lambda: self._empty_rows().__arrow_c_schema__(), self._arrow_batches()
        )

    def close(self) -> None:
        """Frees the result on the server. Has no effect if closed."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._session._call("CloseOperation", {"operationHandle": handle})

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        columns = ", ".join(f"{column.name} {column.type}" for column in self.columns)
        return f"<thriftlens.hive.Result ({columns})>"

    @property
    def _types(self) -> list[str]:
        return [column.type for column in self.columns]

    def _row_decoder(self) -> _core.Decoder[Value]:
        session = self._session
        options = {**session._decode, "invalid_utf8": session.invalid_utf8}
        return server_idl()["TRowSet"].decoder(protocol=session._protocol, **options)

    @contextlib.contextmanager
    def _results(self, max_rows: Optional[int]) -> Iterator[Value]:
        """The next TRowSet as a view; the same one again after a DecodeError."""
        reply, self._reply = self._reply, None
        if reply is None:
            count = self._session.fetch_size if max_rows is None else max_rows
            request = {"operationHandle": self._open(), "orientation": 0, "maxRows": count}
            reply = self._session._call("FetchResults", request, as_view=True)
        try:
            yield reply.get("results")
        except DecodeError:
            self._reply = reply
            raise

    def _checked_columns(self, results: Optional[Values]) -> list[Values]:
        """The columns of a TRowSet, checked against their descriptions; empty after the last
        row."""
        rows = {} if results is None else results
        columns = list(rows.get("columns") or ())
        if not columns and rows.get("binaryColumns"):
            raise HiveError(
                "unsupported result format binaryColumns; "
                "configure the server to return plain columns"
            )
        if columns and len(columns) != len(self.columns):
            raise HiveError(
                f"expected {len(self.columns)} columns as in the metadata, found {len(columns)}"
            )
        for name, sql_type, column in zip(self._names, self._types, columns):
            check_member(name, sql_type, column)
        return columns

    def _check_lengths(self, lengths: Sequence[int]) -> None:
        """Raises HiveError for columns of different lengths. Empty columns end the result:
        hasMoreRows is unreliable."""
        self._is_exhausted = not lengths or not lengths[0]
        for name, length in zip(self._names, lengths):
            if length != lengths[0]:
                raise HiveError(
                    f"column {name!r} has {length} rows, {self._names[0]!r} has {lengths[0]}"
                )

    def _arrow_batches(self) -> Iterator[object]:
        while (rows := self.fetch_arrow()).num_rows:
            yield rows.__arrow_c_array__()[1]

    def _empty_rows(self) -> ArrowRows:
        return empty_rows(self._names, self._types, self._session.invalid_utf8)

    def _open(self) -> Values:
        if self._handle is None:
            raise Error("the result is closed", code="closed")
        return self._handle

    def _wait(self, deadline: Optional[float]) -> None:
        """Waits until the statement has finished."""
        for pause in itertools.chain(_PAUSES, itertools.repeat(_PAUSES[-1])):
            answer = self._session._call("GetOperationStatus", {"operationHandle": self._open()})
            state = answer.get("operationState", _FINISHED)
            if state == _FINISHED:
                self._has_rows = answer.get("hasResultSet", self._has_rows)
                return
            if state in _FAILURES:
                raise error_of(answer, f"the statement {_FAILURES[state]}")
            if deadline is not None and time.monotonic() >= deadline:
                text = "the statement timed out and was cancelled"
                raise Error(text, code="timeout")
            time.sleep(pause)

    def _describe(self) -> None:
        """Fetches the column descriptions."""
        if not self._has_rows:
            return
        answer = self._session._call("GetResultSetMetadata", {"operationHandle": self._open()})
        self.columns = described_columns(answer.get("schema") or {"columns": []})
        self._names = unique_names([column.name for column in self.columns])

    def _abandon(self, cancel: bool) -> None:
        """Frees the statement after an error. Ignores further errors."""
        handle = self._handle
        try:
            if cancel and handle is not None:
                self._session._call("CancelOperation", {"operationHandle": handle})
            self.close()
        except Exception:
            pass


Result.__module__ = "thriftlens.hive"
