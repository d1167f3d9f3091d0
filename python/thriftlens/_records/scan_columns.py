"""Columns of files of records. Every export reads the files again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Literal, Optional, Union

from .._schema.loading import load
from .._schema.schemas import Schema
from .._schema.types import Type
from .._text import shown
from .._typing import ColumnOptions, Selection
from .columns import Columns, Restartable, reader_of
from .pieces import Rejected
from .scan import scan
from .scan_state import NULL
from .scanner import Scan
from .sources import Source

if TYPE_CHECKING:
    from typing_extensions import Unpack

SCAN_OPTIONS = ("framing", "compression", "truncated", "limit", "record_size", "prefix_size")
BATCH_SIZE = 1 << 16
_SHARED = ("protocol", "depth")  # options of the scan and of the columns


class ScanColumnOptions(ColumnOptions, total=False):
    """Options of scan_columns: those of Type.columns, and of the scan."""

    framing: str
    compression: str
    truncated: str
    limit: Optional[int]
    record_size: int
    prefix_size: int
    batch_size: int


def scan_columns(
    source: Source, type: Type, select: Selection = None, **options: Unpack[ScanColumnOptions]
) -> Columns:
    """The records of a source as columns, like Type.columns, but read on demand. Keeps one batch in
    memory.

    source, framing, compression, truncated, limit, record_size, prefix_size: as in tl.scan. Paths,
    patterns and bytes are read again by every export; file objects and iterators can be read only
    once.
    select, protocol, on_error, batch_size, threads, depth, options: as in Type.columns.

    Errors: those of Type.columns immediately, those of tl.scan when records are read.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> data = b"".join(Point.encode({"x": x}) for x in range(3))
    >>> columns = tl.scan_columns(data, Point, "{ x }")
    >>> columns.num_rows, columns.schema_text()
    (3, 'x: int32')
    """
    on_error: Literal["raise", "null", "skip"] = options.get("on_error", "raise")
    column_options: dict[str, Any] = dict(options)
    batch_size = column_options.pop("batch_size", BATCH_SIZE)
    scan_options = {
        name: column_options[name] if name in _SHARED else column_options.pop(name)
        for name in (*SCAN_OPTIONS, *_SHARED)
        if name in column_options
    }

    def start_scan() -> Scan:
        handling = "raise" if on_error == "raise" else reject
        return scan(source, type, to="bytes", on_error=handling, **scan_options)

    def reject(rejected: Rejected) -> object:
        columns._on_reject(rejected)
        return NULL if on_error == "null" else None

    if not isinstance(type, Type):
        raise TypeError(f"type must be a Type, such as tl.load(path)['Order'], not {shown(type)}")
    reader = reader_of("scan_columns", type, select, column_options)
    is_single_pass = hasattr(source, "read") or isinstance(source, Iterator)
    records = start_scan() if is_single_pass else Restartable(start_scan)
    columns = Columns(reader, records, batch_size, options.get("threads", 1))
    if not is_single_pass:
        start_scan()  # raises for invalid options
    return columns


def type_of(idl: Union[Schema, Type, str, os.PathLike[str]], type: Optional[str]) -> Type:
    """A type, or the type of that name in a schema or IDL file."""
    if isinstance(idl, Type):
        if type is not None:
            raise TypeError("unexpected type name: the first argument is a type")
        return idl
    if type is None:
        raise TypeError("missing type name after the IDL")
    return (idl if isinstance(idl, Schema) else load(idl))[type]
