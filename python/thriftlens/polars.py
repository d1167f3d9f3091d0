"""Polars reads Thrift: lazy frames over files of records, which read no more than a query needs. Needs Polars (`pip install polars`)."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from ._records.columns import Columns
from ._errors import Error
from ._records.pieces import Batch
from ._records.scan_columns import scan_columns, type_of
from ._schema.schema import Schema, Type

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
        scan ends when a query has the rows it wants. Comparisons of columns with literals are asked of the bytes: what they pass over is not read on.
    options: those of tl.scan_columns: framing, protocol, on_error, enums, nesting, threads …

    Errors: those of tl.scan_columns; of a record, when the query is collected, as polars.exceptions.ComputeError.

    >>> import polars, thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> data = b"".join(Point.encode({"x": x, "y": -x}) for x in range(5))
    >>> frame = tl.polars.scan_thrift(data, Point)
    >>> frame.filter(polars.col("x") > 2).select("y").collect()["y"].to_list()
    [-3, -4]
    """
    import polars
    from polars.io.plugins import register_io_source

    of = type_of(idl, type)
    extras = [name for name in map(options.get, ("record", "reason", "file", "unknown_fields")) if name]
    scan_columns(source, of, select, **options)  # says now what is wrong with the options
    schema = polars.DataFrame(of.columns([], select, **_of_columns(options))).schema

    def read(
        with_columns: Optional[list[str]], predicate: Optional[polars.Expr], n_rows: Optional[int], batch_size: Optional[int]
    ) -> Iterator[polars.DataFrame]:
        wanted = schema.names() if with_columns is None else list(with_columns)
        needed = list(dict.fromkeys([*wanted, *(() if predicate is None else predicate.meta.root_names())]))
        how = {**options, "batch_size": min(batch_size or _BATCH, options.get("batch_size", _BATCH))}
        if n_rows is not None and predicate is None:
            how["batch_size"] = max(1, min(how["batch_size"], n_rows))
        if predicate is not None and options.get("on_error", "raise") == "raise" and "where" not in options:
            how["where"] = _accepted(of, where_of(of, predicate), options)
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

    return register_io_source(read, schema=schema, is_pure=True)


_BATCH = 1 << 16
_NOT_OF_COLUMNS = ("framing", "compression", "cut_end", "limit", "record_size", "lead")


def _accepted(of: Type, where: Optional[str], options: dict[str, Any]) -> Optional[str]:
    """The condition, unless it says what a field cannot be: then Polars filters alone."""
    try:
        return None if where is None else (of._column_reader(None, where=where, defaults=options.get("defaults", "omit")), where)[1]
    except Error:
        return None


def _of_columns(options: dict[str, Any]) -> dict[str, Any]:
    return {name: given for name, given in options.items() if name not in _NOT_OF_COLUMNS}


def _frames(columns: Columns) -> Iterator[Any]:
    import polars

    for array in columns.batches():
        yield polars.DataFrame(Batch(columns.__arrow_c_schema__(), array))


_OPERATORS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ORDERED = ("bool", "i8", "i16", "i32", "i64", "string")


def where_of(of: Type, predicate: Any) -> Optional[str]:
    """A condition that every row meets that the expression keeps, in the words of Type.columns(where=…); None where nothing of it can be said so.

    Polars filters the rows again, so what has no words here is left out."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # a function of Python, or another version of Polars
        return None
    return _condition(of, tree, True)


def _condition(of: Type, tree: Any, holds: bool) -> Optional[str]:
    """Of a node of the expression; holds: whether it, or its opposite, must be true."""
    if not isinstance(tree, dict) or len(tree) != 1:
        return None
    ((kind, node),) = tree.items()
    if kind == "BinaryExpr":
        return _binary(of, node, holds)
    function = node.get("function") if kind == "Function" and isinstance(node, dict) else None
    asked = function.get("Boolean") if isinstance(function, dict) else None
    if asked == "Not":
        return _condition(of, node["input"][0], not holds)
    if asked in ("IsNull", "IsNotNull"):
        path = _path(of, node["input"][0])
        is_null = (asked == "IsNull") == holds
        return None if path is None else f"{path[0]} is {'null' if is_null else 'not null'}"
    path = _path(of, tree)
    return f"{path[0]} = {str(holds).lower()}" if path is not None and path[1] == "bool" else None


def _binary(of: Type, node: dict[str, Any], holds: bool) -> Optional[str]:
    operator = node["op"]
    if operator in ("And", "LogicalAnd", "Or", "LogicalOr"):
        parts = [_condition(of, node[side], holds) for side in ("left", "right")]
        if operator.endswith("And") == holds:
            return " and ".join(f"({each})" for each in parts if each is not None) or None
        return None if None in parts else " or ".join(f"({each})" for each in parts)
    sign = _OPERATORS.get(operator)
    path, literal = _path(of, node["left"]), _literal(node["right"])
    if sign is None or path is None or literal is None:
        return None
    sign = sign if holds else _OPPOSITE[sign]
    fits = path[1] in _ORDERED or (path[1] == "double" and sign in ("=", "<", "<="))  # to Polars NaN is the greatest number
    return f"{path[0]} {sign} {literal}" if fits else None


def _path(of: Type, tree: Any) -> Optional[tuple[str, str]]:
    """The path of a column, or of a field in it, and the kind of what stands there."""
    names = _names(tree)
    if names is None:
        return None
    at = of
    for name in names:
        if at.kind not in ("struct", "union", "exception") or name not in at.fields:
            return None
        at = at.fields[name].type
    return "$." + ".".join(names), at.kind


def _names(tree: Any) -> Optional[list[str]]:
    if not isinstance(tree, dict):
        return None
    if isinstance(tree.get("Column"), str):
        return str(tree["Column"]).split(".")  # with nesting="flat" of outer.inner
    called: Any = tree.get("Function")
    step = called.get("function") if isinstance(called, dict) else None
    inner = step.get("StructExpr") if isinstance(step, dict) else None
    name: Any = inner.get("FieldByName") if isinstance(inner, dict) else None
    front = _names(called["input"][0]) if isinstance(name, str) else None
    return None if front is None else [*front, name]


def _literal(tree: Any) -> Optional[str]:
    """A number, a bool, or a text that needs no escapes."""
    if not isinstance(tree, dict) or "Literal" not in tree:
        return None
    value = tree["Literal"]
    while isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value) if value == value and abs(value) != float("inf") else None
    return f'"{value}"' if isinstance(value, str) and value.isprintable() and not set(value) & set("\"\\'") else None


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
