"""Polars: lazy frames over files of Thrift records that read only what a query needs. Needs Polars
(`pip install polars`)."""

from __future__ import annotations

import json
import math
import os
import re
from typing import TYPE_CHECKING, Callable, Iterator, Optional, Sequence, Union, cast

from ._errors import Error
from ._records.columns import Columns
from ._records.pieces import Batch
from ._records.scan_columns import (
    BATCH_SIZE,
    SCAN_OPTIONS,
    ScanColumnOptions,
    scan_columns,
    type_of,
)
from ._records.sources import Source
from ._schema.schemas import Schema
from ._schema.types import Type
from ._typing import ColumnOptions, JsonObject, JsonValue

if TYPE_CHECKING:
    import polars
    from typing_extensions import Unpack

    _Read = Callable[
        [Optional[list[str]], Optional[polars.Expr], Optional[int], Optional[int]],
        Iterator[polars.DataFrame],
    ]

__all__ = ["scan_thrift"]


def scan_thrift(
    source: Source,
    idl: Union[Schema, Type, str, os.PathLike[str]],
    type: Optional[str] = None,
    *,
    select: Optional[str] = None,
    **options: Unpack[ScanColumnOptions],
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
    scan_columns(source, type_, select, **options)  # raises for invalid options now
    schema = polars.DataFrame(type_.columns([], select, **_column_options(options))).schema
    read = _reader(source, type_, select, schema.names(), options)
    return register_io_source(read, schema=schema, is_pure=True)


def _reader(
    source: Source,
    type_: Type,
    select: Optional[str],
    all_names: list[str],
    options: ScanColumnOptions,
) -> _Read:
    """A function that reads the rows of a query, called by Polars."""
    extras = [options.get("record"), options.get("reason"), options.get("file")]
    extras.append(options.get("unknown_fields"))

    def read(
        with_columns: Optional[list[str]],
        predicate: Optional[polars.Expr],
        n_rows: Optional[int],
        batch_size: Optional[int],
    ) -> Iterator[polars.DataFrame]:
        output_names = all_names if with_columns is None else list(with_columns)
        filter_names = () if predicate is None else predicate.meta.root_names()
        names = [
            name for name in dict.fromkeys([*output_names, *filter_names]) if name not in extras
        ]
        selection = narrowed(type_, select, names) or select
        scan_options = _scan_options(type_, options, predicate, n_rows, batch_size)
        columns = scan_columns(source, type_, selection, **scan_options)
        frames = _frames(columns, predicate)
        yield from _first_rows((frame.select(output_names) for frame in frames), n_rows)

    return read


def _first_rows(
    frames: Iterator[polars.DataFrame], count: Optional[int]
) -> Iterator[polars.DataFrame]:
    """The first `count` rows, or all."""
    for frame in frames:
        yield frame if count is None else frame.head(count)
        if count is not None:
            count -= min(count, frame.height)
            if count == 0:
                return


def _scan_options(
    type_: Type,
    options: ScanColumnOptions,
    predicate: Optional[polars.Expr],
    n_rows: Optional[int],
    batch_size: Optional[int],
) -> ScanColumnOptions:
    """The options of a scan for a query: its batch size, and its filter as a condition."""
    size = min(batch_size or BATCH_SIZE, options.get("batch_size", BATCH_SIZE))
    if n_rows is not None and predicate is None:
        size = max(1, min(size, n_rows))
    result: ScanColumnOptions = {**options, "batch_size": size}
    raises = options.get("on_error", "raise") == "raise"
    if predicate is not None and raises and "where" not in options:
        result["where"] = _valid_condition(type_, where_of(type_, predicate), options)
    return result


def _valid_condition(
    type_: Type, where: Optional[str], options: ScanColumnOptions
) -> Optional[str]:
    """The condition, unless a literal does not match the type of its field; then only Polars
    filters."""
    try:
        if where is not None:
            type_._column_reader(None, where=where, defaults=options.get("defaults", "omit"))
        return where
    except Error:
        return None


def _column_options(options: ScanColumnOptions) -> ColumnOptions:
    names = ("batch_size", *SCAN_OPTIONS)
    column_options = {name: value for name, value in options.items() if name not in names}
    return cast(ColumnOptions, column_options)


def _frames(columns: Columns, predicate: Optional[polars.Expr]) -> Iterator[polars.DataFrame]:
    """The rows that a filter keeps, in batches."""
    import polars

    for array in columns.batches():
        frame = polars.DataFrame(Batch(columns.__arrow_c_schema__(), array))
        yield frame if predicate is None else frame.filter(predicate)


_OPERATORS = {"Eq": "=", "NotEq": "!=", "Lt": "<", "LtEq": "<=", "Gt": ">", "GtEq": ">="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ORDERED = ("bool", "i8", "i16", "i32", "i64", "string")


def where_of(type_: Type, predicate: polars.Expr) -> Optional[str]:
    """A condition for Type.columns(where=…) that holds for every row the expression keeps; None if
    there is none.

    Polars filters the rows again, so unsupported parts are skipped."""
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
    except Exception:  # a function of Python, or another version of Polars
        return None
    return _condition(type_, tree, True)


def _condition(type_: Type, tree: JsonValue, holds: bool) -> Optional[str]:
    """The condition of a node of the expression. holds: false for its negation."""
    if not isinstance(tree, dict) or len(tree) != 1:
        return None
    ((kind, node),) = tree.items()
    if kind == "BinaryExpr" and isinstance(node, dict):
        return _binary(type_, node, holds)
    function = _member(node, "function", "Boolean") if kind == "Function" else None
    if function is not None:
        return _boolean_function(type_, function, _member(node, "input", 0), holds)
    path = _path(type_, tree)
    return f"{path[0]} = {str(holds).lower()}" if path is not None and path[1] == "bool" else None


def _member(tree: JsonValue, *path: Union[str, int]) -> JsonValue:
    """The value at a path in JSON; None if it is absent."""
    for step in path:
        if isinstance(tree, dict) and isinstance(step, str):
            tree = tree.get(step)
        elif isinstance(tree, list) and isinstance(step, int) and step < len(tree):
            tree = tree[step]
        else:
            return None
    return tree


def _boolean_function(
    type_: Type, function: JsonValue, argument: JsonValue, holds: bool
) -> Optional[str]:
    if function == "Not":
        return _condition(type_, argument, not holds)
    path = _path(type_, argument) if function in ("IsNull", "IsNotNull") else None
    if path is None:
        return None
    is_null = (function == "IsNull") == holds
    return f"{path[0]} is {'null' if is_null else 'not null'}"


def _binary(type_: Type, node: JsonObject, holds: bool) -> Optional[str]:
    operator = str(node["op"])
    if operator in ("And", "LogicalAnd", "Or", "LogicalOr"):
        return _combination(type_, node, operator.endswith("And") == holds, holds)
    path, literal = _path(type_, node["left"]), _literal(node["right"])
    if operator not in _OPERATORS or path is None or literal is None:
        return None
    sign = _OPERATORS[operator] if holds else _OPPOSITE[_OPERATORS[operator]]
    # In Polars NaN is the greatest number.
    is_supported = path[1] in _ORDERED or (path[1] == "double" and sign in ("=", "<", "<="))
    return f"{path[0]} {sign} {literal}" if is_supported else None


def _combination(type_: Type, node: JsonObject, is_and: bool, holds: bool) -> Optional[str]:
    """The conditions of both operands; of `and`, those that are supported."""
    conditions = [_condition(type_, node[side], holds) for side in ("left", "right")]
    parts = [f"({part})" for part in conditions if part is not None]
    if is_and:
        return " and ".join(parts) or None
    return " or ".join(parts) if len(parts) == 2 else None


def _path(root: Type, tree: JsonValue) -> Optional[tuple[str, str]]:
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


def _names(tree: JsonValue) -> Optional[list[str]]:
    """The names of a column and of fields in it."""
    column = _member(tree, "Column")
    if isinstance(column, str):
        return column.split(".")  # outer.inner with nesting="flat"
    name = _member(tree, "Function", "function", "StructExpr", "FieldByName")
    if not isinstance(name, str):
        return None
    prefix = _names(_member(tree, "Function", "input", 0))
    return None if prefix is None else [*prefix, name]


def _literal(tree: JsonValue) -> Optional[str]:
    """A number, a bool, or a string that needs no escapes."""
    value = _member(tree, "Literal")
    while isinstance(value, dict) and len(value) == 1:
        (value,) = value.values()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return repr(value)
    is_plain = isinstance(value, str) and value.isprintable() and not set(value) & set("\"\\'")
    return f'"{value}"' if is_plain else None


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
