"""Columns of files of records. Every export reads the files again."""

from __future__ import annotations

import os
from typing import Any, Iterator, Literal, Optional, Union

from .._schema.loading import load
from .._schema.schemas import Schema
from .._schema.types import Type
from .columns import Columns, Restartable
from .pieces import Rejected
from .scan import scan
from .scanner import NULL, Scan
from .sources import Source


def scan_columns(
    source: Source,
    type: Type,
    select: Any = None,
    *,
    framing: str = "none",
    protocol: Literal["binary", "compact"] = "binary",
    compression: str = "auto",
    on_error: Literal["raise", "null", "skip"] = "raise",
    cut_end: Literal["error", "drop"] = "error",
    limit: Optional[int] = None,
    record_size: int = 1 << 28,
    lead: int = 0,
    depth: int = 64,
    batch_size: int = 1 << 16,
    threads: int = 1,
    **options: Any,
) -> Columns:
    """The records of a source as columns, like Type.columns, but read on demand. Keeps one batch in
    memory.

    source, framing, compression, cut_end, limit, record_size, lead: as in tl.scan. Paths, patterns
    and bytes are read again by every export; file objects and iterators can be read only once.
    select, protocol, on_error, batch_size, threads, depth, options: as in Type.columns.

    Errors: those of Type.columns immediately, those of tl.scan when records are read.

    >>> import thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> columns = tl.scan_columns(b"".join(Point.encode({"x": x}) for x in range(3)), Point, "{ x }")
    >>> columns.num_rows, columns.schema_text()
    (3, 'x: i')
    """
    scan_options: dict[str, Any] = {
        "framing": framing,
        "compression": compression,
        "cut_end": cut_end,
        "limit": limit,
        "record_size": record_size,
        "lead": lead,
        "depth": depth,
    }

    def start_scan() -> Scan:
        return scan(
            source,
            type,
            protocol=protocol,
            to="bytes",
            on_error="raise" if on_error == "raise" else reject,
            **scan_options,
        )

    def reject(rejected: Rejected) -> Any:
        columns._on_reject(rejected)
        return NULL if on_error == "null" else None

    reader = type._column_reader(
        select, threads=threads, protocol=protocol, on_error=on_error, depth=depth, **options
    )
    is_single_pass = hasattr(source, "read") or isinstance(source, Iterator)
    columns = Columns(
        reader, start_scan() if is_single_pass else Restartable(start_scan), batch_size, threads
    )
    if not is_single_pass:
        start_scan()  # raises for invalid options
    return columns


def type_of(idl: Union[Schema, Type, str, os.PathLike[str]], type: Optional[str]) -> Type:
    """A type, or the type of that name in a schema or IDL file."""
    if isinstance(idl, Type):
        if type is not None:
            raise TypeError("unexpected type name: the first argument is a type already")
        return idl
    if type is None:
        raise TypeError("missing the name of the type after the IDL")
    return (idl if isinstance(idl, Schema) else load(idl))[type]
