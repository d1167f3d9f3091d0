"""Records converted from Arrow columns."""

from __future__ import annotations

from typing import Any, Iterator, Optional

from .. import _core


class Records:
    """Records converted from columns: an Arrow column of binary, and a sequence of bytes (None for
    a null row).

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: required i32 x, 2: optional string label }")["Point"]
    >>> columns = Point.columns([Point.encode({"x": 1}), Point.encode({"x": 2, "label": "b"})])
    >>> records = Point.from_columns(columns)
    >>> [Point.decode(record) for record in records]
    [{'x': 1}, {'x': 2, 'label': 'b'}]

    `pyarrow.chunked_array(records)` and `polars.Series(records)` accept it; so does
    `pyarrow.array(records)` if the columns are a single batch.
    """

    def __init__(self, chunks: list[_core.RecordColumn]):
        self._chunks = chunks

    def __repr__(self) -> str:
        return f"<thriftlens.Records, {len(self)} of them>"

    def __len__(self) -> int:
        return sum(len(chunk) for chunk in self._chunks)

    def __getitem__(self, index: int) -> Optional[bytes]:
        position = index if index >= 0 else index + len(self)
        for chunk in self._chunks:
            if 0 <= position < len(chunk):
                return chunk[position]
            position -= len(chunk)
        raise IndexError(f"no record {index} among {len(self)}")

    def __iter__(self) -> Iterator[Optional[bytes]]:
        for chunk in self._chunks:
            for at in range(len(chunk)):
                yield chunk[at]

    def __arrow_c_schema__(self) -> Any:
        """A capsule of the ArrowSchema of binary."""
        return _core.RecordColumn.schema()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """A capsule of an ArrowArrayStream of arrays of binary, one per batch of the columns."""
        return _core.arrow_stream(
            _core.RecordColumn.schema, (chunk.export()[1] for chunk in self._chunks)
        )


class SingleBatchRecords(Records):
    """Records of a single batch, which also export an array. Records of several batches export only
    a stream."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Capsules of the schema and of all records as one array."""
        return self._chunks[0].export()
