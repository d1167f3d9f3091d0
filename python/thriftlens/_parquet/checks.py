"""Errors in Parquet footers that contradict the IDL or themselves."""

from __future__ import annotations

import itertools
from typing import Iterator

from .._errors import DecodeError, Error
from .._typing import Values
from .footer import Footer
from .pages import extent_of
from .source import located, parquet_idl
from .tree import Node

_MAX_FINDINGS = 1024  # of the schema


def findings(footer: Footer, max_count: int) -> list[Error]:
    """At most `max_count` errors of the FileMetaData, or else its inconsistencies."""
    errors = [
        located(finding, footer.offset)
        for finding in parquet_idl().FileMetaData.findings(
            footer.data, protocol="compact", invalid_utf8="keep", max_findings=max_count
        )
    ]
    return errors or list(itertools.islice(_inconsistencies(footer), max_count))


def _inconsistencies(footer: Footer) -> Iterator[Error]:
    """Inconsistencies in the footer: names that are not UTF-8 or not in the schema, counts that
    are negative or do not add up, row groups with another number of columns than the schema,
    and data outside the file."""
    yield from _schema_findings(footer)
    leaves = footer.tree.leaves()
    rows = 0
    for index, row_group in enumerate(footer.chunk_locations()):
        rows += row_group["num_rows"]
        yield from _row_group_errors(footer, index, row_group, leaves)
    num_rows = int(footer.required("num_rows"))
    if rows != num_rows:
        text = f"the row groups have {rows} rows, but the file has {num_rows}"
        yield _rule_error(footer, text, "$.num_rows")


def _row_group_errors(
    footer: Footer, index: int, row_group: Values, leaves: list[Node]
) -> Iterator[Error]:
    path, chunks = f"$.row_groups[{index}]", row_group["columns"]
    if row_group["num_rows"] < 0:
        text = f"row group {index} has a negative number of rows: {row_group['num_rows']}"
        yield _rule_error(footer, text, f"{path}.num_rows")
    if len(chunks) != len(leaves):
        text = f"row group {index} has {len(chunks)} columns, but the schema has {len(leaves)}"
        yield _rule_error(footer, text, f"{path}.columns")
    for number, (leaf, chunk) in enumerate(zip(leaves, chunks)):
        for text in _chunk_errors(footer, chunk, leaf):
            yield _rule_error(footer, text, f"{path}.columns[{number}]")


def _chunk_errors(footer: Footer, chunk: Values, leaf: Node) -> Iterator[str]:
    """Error texts of a column chunk."""
    meta = chunk.get("meta_data")
    if "file_path" in chunk or (meta is None and "crypto_metadata" in chunk):
        return  # in another file, or encrypted
    name = f"column {leaf.name!r}"
    if meta is None:
        yield f"{name} has no metadata"
        return
    if meta["num_values"] < 0:
        yield f"{name} has a negative number of values: {meta['num_values']}"
    if tuple(meta["path_in_schema"]) != leaf.path:
        yield f"expected {name}, found the path {'.'.join(meta['path_in_schema'])!r}"
    begin, size = extent_of(meta)
    # Arrow writes chunks without pages for empty row groups.
    if (begin or size) and not 4 <= begin <= begin + size <= footer.offset:
        yield (
            f"{name} is outside the data: bytes {begin} to {begin + size}, "
            f"expected 4 to {footer.offset}"
        )


def _rule_error(footer: Footer, text: str, path: str) -> DecodeError:
    return DecodeError(text, code="broken_rule", path=path, offset=footer.offset)


def _schema_findings(footer: Footer) -> Iterator[Error]:
    """Names in the schema that are not UTF-8; other strings, such as statistics, may be bytes."""
    for finding in parquet_idl().FileMetaData.findings(
        footer.data, protocol="compact", max_findings=_MAX_FINDINGS
    ):
        if (finding.path or "").startswith("$.schema["):
            yield located(finding, footer.offset)
