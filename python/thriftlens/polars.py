"""Polars: lazy frames over files of Thrift records that read only what a query needs. Needs Polars
(`pip install polars`)."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from ._errors import Error
from ._records.columns import Columns
from ._records.pieces import Batch
from ._records.scan_columns import SCAN_OPTIONS, scan_columns, type_of
from ._schema.schemas import Schema
from ._schema.types import Type

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

    source: a path, a pattern, or a list of them; bytes. idl, type: a schema or IDL file, and the
        name of a type in it; or only a type.
    select: the columns, by default all; columns that a query does not use are not read. Filters are
        applied batch by batch, and the scan stops when the query has enough rows. Comparisons of
        columns with literals are evaluated on the bytes; other rows are not decoded.
    options: those of tl.scan_columns: framing, protocol, on_error, enums, nesting, threads …

    Errors: those of tl.scan_columns; for a record, when the query is collected, as
        polars.exceptions.ComputeError.

    >>> import polars, thriftlens as tl
    >>> Point = tl.loads("struct Point { 1: i32 x, 2: i32 y }")["Point"]
    >>> data = b"".join(Point.encode({"x": x, "y": -x}) for x in range(5))
    >>> frame = tl.polars.scan_thrift(data, Point)
    >>> frame.filter(polars.col("x") > 2).select("y").collect()["y"].to_list()
    [-3, -4]
    """
    import polars
    from polars.io.plugins import register_io_source

    type_ = type_of(idl, type)
    extras = [
        name for name in map(options.get, ("record", "reason", "file", "unknown_fields")) if name
    ]
    scan_columns(source, type_, select, **options)  # raises for invalid options now
    schema = polars.DataFrame(type_.columns([], select, **_column_options(options))).schema

    def read(
        with_columns: Optional[list[str]],
        predicate: Optional[polars.Expr],
        n_rows: Optional[int],
        batch_size: Optional[int],
    ) -> Iterator[polars.DataFrame]:
        output_names = schema.names() if with_columns is None else list(with_columns)
        filter_names = () if predicate is None else predicate.meta.root_names()
        input_names = [
            name for name in dict.fromkeys([*output_names, *filter_names]) if name not in extras
        ]
        options_of_scan = _scan_options(type_, options, predicate, n_rows, batch_size)
        columns = scan_columns(
            source, type_, narrowed(type_, select, input_names) or select, **options_of_scan
        )
        remaining = n_rows
        for frame in _frames(columns):
            if predicate is not None:
                frame = frame.filter(predicate)
            frame = frame.select(output_names).head(
                frame.height if remaining is None else remaining
            )
            yield frame
            if remaining is not None:
                remaining -= frame.height
                if remaining == 0:
                    return

    return register_io_source(read, schema=schema, is_pure=True)


_BATCH = 1 << 16


def _scan_options(
    type_: Type,
    options: dict[str, Any],
    predicate: Optional[polars.Expr],
    n_rows: Optional[int],
    batch_size: Optional[int],
) -> dict[str, Any]:
    """The options of a scan for a query: its batch size, and its filter as a condition."""
    size = min(batch_size or _BATCH, options.get("batch_size", _BATCH))
    if n_rows is not None and predicate is None:
        size = max(1, min(size, n_rows))
    result = {**options, "batch_size": size}
    raises = options.get("on_error", "raise") == "raise"
    if predicate is not None and raises and "where" not in options:
        result["where"] = _valid_condition(type_, where_of(type_, predicate), options)
    return result


def _valid_condition(type_: Type, where: Optional[str], options: dict[str, Any]) -> Optional[str]:
    """The condition, unless a literal does not match the type of its field; then only Polars
    filters."""
    try:
        if where is not None:
            type_._column_reader(None, where=where, defaults=options.get("defaults", "omit"))
        return where
    except Error:
        return None


def _column_options(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in SCAN_OPTIONS}


def _frames(columns: Columns) -> Iterator[Any]:
    import polars

    for array in columns.batches():
        yield polars.DataFrame(Batch(columns.__arrow_c_schema__(), array))


_OPERATORS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ORDERED = ("bool", "i8", "i16", "i32", "i64", "string")


def where_of(type_: Type, predicate: Any) -> Optional[str]:
    """A condition for Type.columns(where=…) that holds for every row the expression keeps; None if
    there is none.

    Polars filters the rows again, so unsupported parts are skipped."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # a function of Python, or another version of Polars
        return None
    return _condition(type_, tree, True)


def _condition(type_: Type, tree: Any, holds: bool) -> Optional[str]:
    """The condition of a node of the expression. holds: false for its negation."""
    if not isinstance(tree, dict) or len(tree) != 1:
        return None
    ((kind, node),) = tree.items()
    if kind == "BinaryExpr":
        return _binary(type_, node, holds)
    function = node.get("function") if kind == "Function" and isinstance(node, dict) else None
    boolean_function = function.get("Boolean") if isinstance(function, dict) else None
    if boolean_function == "Not":
        return _condition(type_, node["input"][0], not holds)
    if boolean_function in ("IsNull", "IsNotNull"):
        path = _path(type_, node["input"][0])
        is_null = (boolean_function == "IsNull") == holds
        return None if path is None else f"{path[0]} is {'null' if is_null else 'not null'}"
    path = _path(type_, tree)
    return f"{path[0]} = {str(holds).lower()}" if path is not None and path[1] == "bool" else None


def _binary(type_: Type, node: dict[str, Any], holds: bool) -> Optional[str]:
    operator = node["op"]
    if operator in ("And", "LogicalAnd", "Or", "LogicalOr"):
        parts = [_condition(type_, node[side], holds) for side in ("left", "right")]
        if operator.endswith("And") == holds:
            return " and ".join(f"({part})" for part in parts if part is not None) or None
        return None if None in parts else " or ".join(f"({part})" for part in parts)
    sign = _OPERATORS.get(operator)
    path, literal = _path(type_, node["left"]), _literal(node["right"])
    if sign is None or path is None or literal is None:
        return None
    sign = sign if holds else _OPPOSITE[sign]
    is_supported = path[1] in _ORDERED or (
        path[1] == "double" and sign in ("=", "<", "<=")
    )  # in Polars NaN is the greatest number
    return f"{path[0]} {sign} {literal}" if is_supported else None


def _path(root: Type, tree: Any) -> Optional[tuple[str, str]]:
    """The path of a column, or of a field in it, and the kind of its type."""
    names = _names(tree)
    if names is None:
        return None
    type_ = root
    for name in names:
        if type_.kind not in ("struct", "union", "exception") or name not in type_.fields:
            return None
        type_ = type_.fields[name].type
    return "$." + ".".join(names), type_.kind


def _names(tree: Any) -> Optional[list[str]]:
    if not isinstance(tree, dict):
        return None
    if isinstance(tree.get("Column"), str):
        return str(tree["Column"]).split(".")  # outer.inner with nesting="flat"
    call: Any = tree.get("Function")
    function = call.get("function") if isinstance(call, dict) else None
    inner = function.get("StructExpr") if isinstance(function, dict) else None
    name: Any = inner.get("FieldByName") if isinstance(inner, dict) else None
    prefix = _names(call["input"][0]) if isinstance(name, str) else None
    return None if prefix is None else [*prefix, name]


def _literal(tree: Any) -> Optional[str]:
    """A number, a bool, or a string that needs no escapes."""
    if not isinstance(tree, dict) or "Literal" not in tree:
        return None
    value = tree["Literal"]
    while isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return repr(value) if value == value and abs(value) != float("inf") else None
    return (
        f'"{value}"'
        if isinstance(value, str) and value.isprintable() and not set(value) & set("\"\\'")
        else None
    )


_TOKEN = re.compile(r"[{}]|[^\s,{}]+")


def narrowed(type_: Type, select: Optional[str], names: Sequence[str]) -> Optional[str]:
    """The selection reduced to the named columns; None if it is empty or not text."""
    fields = (type_.parameters[0] if type_.kind in ("list", "set") else type_).fields
    if select is not None and not isinstance(select, str):
        return None
    parts = {} if select is None else _parts(select)
    ids = {f"#{field.id}": name for name, field in fields.items()}
    parts = {ids.get(name, name): text for name, text in parts.items()}
    top_names = dict.fromkeys(name.partition(".")[0] for name in names)
    selected = [parts.get(name, name) for name in fields if name in top_names]
    return "{ " + " ".join(selected) + " }" if selected else None


def _parts(select: str) -> dict[str, str]:
    """The fields in the outermost braces, with their text."""
    parts: dict[str, str] = {}
    depth = 0
    name = ""
    for token in _TOKEN.findall(select):
        if token == "}":
            depth -= 1
        if depth == 1 and token not in "{}":
            name = token
            parts[name] = token
        elif depth >= 1 and name and not (depth == 1 and token == "{" and not name):
            parts[name] += " " + token
        if token == "{":
            depth += 1
    return parts
