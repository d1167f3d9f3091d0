"""Polars reads Thrift: lazy frames over files of records, which read no more than a query needs. Needs Polars (`pip install polars`)."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from ._columns import Columns
from ._pieces import Batch
from ._scan_columns import scan_columns, type_of
from ._schema import Schema, Type

if TYPE_CHECKING:
    import polars

__all__ = ["scan_thrift"]


def scan_thrift(
    source: Any,
    idl: Union[Schema, Type, str, os.PathLike[str]],
    type: Optional[str] = None,
    *,
    select: Optional[str] = None,
    **options: Any,
) -> polars.LazyFrame:
    """A lazy frame over the records of files.

    source: a path, a pattern, or a list of them; bytes. idl, type: a schema or the file of one, and the name of a type in it; or a type alone.
    select: the columns, all where nothing is said; those that a query does not use are not read. A filter is applied to each batch as it is read, and the
        scan ends when a query has the rows it wants.
    options: those of tl.scan_columns: framing, protocol, on_error, enums, nesting, threads …

    Errors: those of tl.scan_columns; of a record, when the query is collected, as polars.exceptions.ComputeError.

    >>> import thriftlens as tl, tempfile, os
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> data = b"".join(Point.encode({"x": x, "y": -x}) for x in range(5))
    >>> frame = tl.polars.scan_thrift(data, Point)
    >>> frame.filter(frame.collect_schema() is not None).select("y").head(2).collect()["y"].to_list()
    [0, -1]
    """
    import polars
    from polars.io.plugins import register_io_source

    of = type_of(idl, type)
    extras = [name for name in (options.get("record"), options.get("reason")) if name]
    whole = scan_columns(source, of, select, **options)
    schema = polars.DataFrame(of.columns([], select, **_of_columns(options))).schema

    def read(with_columns: Optional[list[str]], predicate: Optional[polars.Expr], n_rows: Optional[int], batch_size: Optional[int]) -> Iterator[polars.DataFrame]:
        wanted = schema.names() if with_columns is None else list(with_columns)
        needed = list(dict.fromkeys([*wanted, *(() if predicate is None else predicate.meta.root_names())]))
        how = {**options, "batch_size": min(batch_size or _BATCH, options.get("batch_size", _BATCH))}
        if n_rows is not None and predicate is None:
            how["batch_size"] = max(1, min(how["batch_size"], n_rows))
        columns = scan_columns(source, of, narrowed(of, select, [each for each in needed if each not in extras]) or select, **how)
        left = n_rows
        for frame in _frames(columns):
            if predicate is not None:
                frame = frame.filter(predicate)
            frame = frame.select(wanted)
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            yield frame
            if left == 0:
                return

    del whole
    return register_io_source(read, schema=schema, is_pure=True)


_BATCH = 1 << 16
_NOT_OF_COLUMNS = ("framing", "compression", "limit", "record_size", "lead")


def _of_columns(options: dict[str, Any]) -> dict[str, Any]:
    return {name: given for name, given in options.items() if name not in _NOT_OF_COLUMNS}


def _frames(columns: Columns) -> Iterator[Any]:
    import polars

    for array in columns.batches():
        yield polars.DataFrame(Batch(columns.__arrow_c_schema__(), array))


_WORD = re.compile(r"[{}]|[^\s,{}]+")


def narrowed(of: Type, select: Optional[str], names: Sequence[str]) -> Optional[str]:
    """The selection without columns that are not named; None where nothing of it is, or where it is not text."""
    fields = (of.parameters[0] if of.kind in ("list", "set") else of).fields
    if select is not None and not isinstance(select, str):
        return None
    parts = {} if select is None else _parts(select)
    ids = {f"#{field.id}": name for name, field in fields.items()}
    parts = {ids.get(name, name): text for name, text in parts.items()}
    kept = dict.fromkeys(name.partition(".")[0] for name in names)
    found = [parts.get(name, name) for name in fields if name in kept]
    return "{ " + " ".join(found) + " }" if found else None


def _parts(select: str) -> dict[str, str]:
    """The text of each field that the outermost braces name."""
    found: dict[str, str] = {}
    depth = 0
    name = ""
    for word in _WORD.findall(select):
        if word == "}":
            depth -= 1
        if depth == 1 and word not in "{}":
            name = word
            found[name] = word
        elif depth >= 1 and name and not (depth == 1 and word == "{" and not name):
            found[name] += " " + word
        if word == "{":
            depth += 1
    return found
