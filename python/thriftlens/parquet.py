"""Parquet footers: read fields by name and path, change them and write the footer back, without
touching the data.

>>> import thriftlens as tl
>>> tl.parquet.schema.FileMetaData.fields["num_rows"].id
3
"""

from __future__ import annotations

import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Mapping, Optional, Sequence, Union

from ._core import View
from ._errors import Error
from ._parquet import checks, edit
from ._parquet.footer import Footer
from ._parquet.pages import Chunk, Column, Page, RowGroup, columns_of, statistics_of
from ._parquet.source import Source, parquet_idl
from ._parquet.tree import ByName, Name
from ._parquet.values import Statistics, value_of
from ._records.files import replacing
from ._schema.results import RedactOptions
from ._schema.schemas import Schema

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "ByName", "Chunk", "Column", "File", "Page", "RowGroup", "Statistics", "open", "value_of",
]  # fmt: skip


def __getattr__(name: str) -> Schema:
    """`schema`: the Schema of the Thrift structs in Parquet files; loaded on first use."""
    if name == "schema":
        return parquet_idl()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class File:
    """The footer of a Parquet file. Reads only the end of the file, and more only for pages,
    indexes and Bloom filters.

    footer: its bytes, in Compact. footer_offset: their offset. view: their FileMetaData. num_rows,
    version, created_by: its fields. Changes (set_key_value, rename, …) apply to the footer in
    memory; save() writes it."""

    def __init__(self, source: Source):
        self._footer = Footer(source)
        self._columns: Optional[ByName[Column]] = None
        self._key_value: Optional[dict[str, Optional[str]]] = None

    def __repr__(self) -> str:
        source = self._footer.source.path or "bytes"
        return (
            f"<thriftlens.parquet.File {source}: {self.num_rows} rows, "
            f"{len(self.columns)} columns, {len(self.row_groups)} row groups>"
        )

    @property
    def footer(self) -> bytes:
        """The bytes of the footer, a FileMetaData in Compact."""
        return self._footer.data

    @property
    def footer_offset(self) -> int:
        """The offset of the footer in the file."""
        return self._footer.offset

    @property
    def view(self) -> View:
        """The FileMetaData."""
        return self._footer.view

    @property
    def num_rows(self) -> int:
        """The number of rows of all row groups. DecodeError if the footer lacks it."""
        return int(self._footer.required("num_rows"))

    @property
    def version(self) -> int:
        """The version of the format. DecodeError if the footer lacks it."""
        return int(self._footer.required("version"))

    @property
    def created_by(self) -> Optional[str]:
        """The name and version of the writer; None if the footer lacks it."""
        value: Optional[str] = self.view.get("created_by")
        return value

    @property
    def key_value(self) -> Mapping[str, Optional[str]]:
        """The key/value metadata of the file. The last entry of a duplicate key counts."""
        if self._key_value is None:
            entries = self._footer.decoded("key_value_metadata")
            self._key_value = {entry["key"]: entry.get("value") for entry in entries}
        return MappingProxyType(self._key_value)

    @property
    def columns(self) -> Mapping[str, Column]:
        """The leaves of the schema by dotted path or number, in the order of the file."""
        if self._columns is None:
            self._columns = columns_of(self._footer)
        return self._columns

    @property
    def row_groups(self) -> Sequence[RowGroup]:
        """The row groups, in the order of the footer."""
        return [RowGroup(self._footer, index) for index in range(self._footer.num_row_groups())]

    def tree(self) -> str:
        """The schema as text, one line per node."""
        return self._footer.tree.text()

    def validate(self) -> None:
        """Raises the first error in the footer, a DecodeError; offsets count in the file."""
        for finding in self.findings(max_findings=1):
            raise finding

    def findings(self, max_findings: int = 64) -> list[Error]:
        """The errors in the footer, including offsets outside the file: at most `max_findings`
        errors with code, path and offset, not raised; [] without errors."""
        return checks.findings(self._footer, max_findings)

    def statistics(self, *columns: Name) -> Mapping[str, list[Statistics]]:
        """The statistics of these columns, or all, per row group, in one pass over the footer.
        Columns are named by dotted path or number."""
        selected = list(self.columns.values())
        if columns:
            nodes = self._footer.tree.named(columns, leaf=True)
            selected = [Column(self._footer, node) for node in nodes]
        names = (column.name for column in selected)
        return ByName(list(zip(names, statistics_of(self._footer, selected))))

    def column(self, name: Name) -> Column:
        """A column by dotted path or number. UnknownNameError if it does not exist, Error if the
        name is ambiguous."""
        return Column(self._footer, self._footer.tree.node(name, leaf=True))

    def set_key_value(self, key: str, value: Optional[str]) -> None:
        """Sets an entry of the key/value metadata; other entries are copied unchanged. Duplicate
        entries of the key are removed, and copies of the old value in the schemas of Arrow, Spark,
        pandas and Avro are replaced or removed."""
        self._apply(edit.set_key_value(self._footer, key, value))

    def delete_key_value(self, key: str) -> None:
        """Removes all entries of the key, and copies of their values in the schemas of Arrow,
        Spark, pandas and Avro. UnknownNameError if there is no such key."""
        self._apply(edit.delete_key_value(self._footer, key))

    def rename(self, column: Name, name: str) -> None:
        """Changes the last name of a column or group, also in the copies of the schema that Arrow,
        Spark and pandas add to the metadata; a copy that cannot be changed is removed.
        UnknownNameError if there is no such column; Error if the name is taken or empty."""
        self._apply(edit.rename(self._footer, column, name))

    def drop_statistics(self, *columns: Name) -> None:
        """Removes the statistics of these columns, or of all, from the footer, and the offsets of
        their page indexes and Bloom filters, which also contain values. The indexes and filters
        themselves stay in the file, unreferenced."""
        self._apply(edit.drop_statistics(self._footer, columns))

    def redact(self, **rules: Unpack[RedactOptions]) -> None:
        """Applies rules of Type.redact to the footer: paths={"$.created_by": "drop"}."""
        metadata_type = parquet_idl().FileMetaData
        self._apply(
            metadata_type.redact(
                self._footer.unsigned(), unknown="keep", protocol="compact", **rules
            )
        )

    def keep_columns(self, *columns: Name) -> None:
        """Removes all other columns from the footer and, like rename(), from copies of the schema.
        The name of a group keeps all its columns. The data of removed columns stays in the file.
        Error if only the keys or only the values of a map would remain, which engines do not read
        as a map."""
        self._apply(edit.keep_columns(self._footer, columns))

    def keep_row_groups(self, *indices: int) -> None:
        """Removes all other row groups from the footer and updates num_rows."""
        self._apply(edit.keep_row_groups(self._footer, indices))

    def save(
        self, path: Union[str, os.PathLike[str], None] = None, *, atomic: bool = False
    ) -> None:
        """Writes the footer over the old one and truncates the file after it; with `path` or
        atomic=True, writes a complete new file and renames it. Without atomic=True, a power failure
        during the write can leave a file without footer. Error (edit_conflict), with nothing
        written, if the file changed since it was opened."""
        own_path = self._footer.source.path
        target = own_path if path is None else os.fspath(path)
        if target is None:
            raise ValueError("save() needs a path: the footer was not opened from a path")
        if path is None and not atomic:
            self._footer.overwrite(target)
        else:
            with replacing(target) as stream:
                self._footer.write_to(stream.write)
        if target == own_path:
            self._footer.mark_saved()

    def to_bytes(self) -> bytes:
        """The complete file with the changed footer. Error (edit_conflict) if the file changed
        since it was opened."""
        pieces: list[bytes] = []
        self._footer.write_to(pieces.append)
        return b"".join(pieces)

    def _apply(self, footer: bytes) -> None:
        """Sets the changed footer, without copies of the metadata entries that it no longer has."""
        old_entries = self._footer.decoded("key_value_metadata")
        self._footer.replace(footer)
        cleaned = edit.without_stale_copies(self._footer, old_entries)
        if cleaned is not None:
            self._footer.replace(cleaned)
        self._columns = self._key_value = None


def open(source: Source) -> File:  # noqa: A001
    """Opens the footer of a Parquet file. Reads only the end of the file.

    source: a path, bytes, or a seekable file object.

    Errors: DecodeError if it is not a Parquet file, is truncated, or has an encrypted footer.

    >>> import io, pyarrow, pyarrow.parquet
    >>> import thriftlens as tl
    >>> written = io.BytesIO()
    >>> pyarrow.parquet.write_table(pyarrow.table({"id": [1, 2], "name": ["a", "b"]}), written)
    >>> file = tl.parquet.open(written.getvalue())
    >>> file.num_rows, list(file.columns)
    (2, ['id', 'name'])
    >>> [group.max for group in file.statistics("id")["id"]]
    [2]
    >>> file.drop_statistics()
    >>> metadata = pyarrow.parquet.read_metadata(io.BytesIO(file.to_bytes()))
    >>> metadata.row_group(0).column(0).statistics is None
    True
    """
    return File(source)
