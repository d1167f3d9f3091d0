"""The footer of a Parquet file: its bytes, its FileMetaData and its schema."""

from __future__ import annotations

import os
import struct
from typing import Callable, Optional, cast

from .. import _core
from .._core import View
from .._errors import Error
from .._typing import Value, Values
from .source import MAGIC, Source, SourceFile, footer_of, identity_of, located, parquet_idl, read_at
from .tree import SchemaTree

_CHUNK_FIELDS = """{ row_groups { num_rows columns { file_path crypto_metadata meta_data {
  path_in_schema codec num_values total_compressed_size data_page_offset dictionary_page_offset
} } } }"""


class Footer:
    """The footer in memory, and the file that it was read from."""

    def __init__(self, source: Source):
        self.source = SourceFile(source)
        with self.source:
            data, self._signature, self.offset = footer_of(self.source)
        self._save_identity(data)
        self.replace(data)

    def replace(self, data: bytes) -> None:
        """Sets the bytes of the footer."""
        self.data = data
        self.view: View = parquet_idl().FileMetaData.view(data, protocol="compact")
        self.tree = SchemaTree(data, self.offset)

    def required(self, field: str) -> Value:
        """A field of the FileMetaData. DecodeError if it is absent."""
        try:
            return self.view[field]
        except Error as error:
            raise located(error, self.offset)

    def num_row_groups(self) -> int:
        return len(self.required("row_groups"))

    def decoded(self, field: str) -> list[Values]:
        """A list field, decoded; empty if it is absent."""
        value = self.view.get(field)
        if value is None:
            return []
        type_ = parquet_idl().FileMetaData.fields[field].type
        return list(
            type_.decode(bytes(value), protocol="compact", enums="name", invalid_utf8="replace")
        )

    def decoded_row_groups(self, select: str) -> list[Values]:
        """The selected fields of the row groups."""
        metadata_type = parquet_idl().FileMetaData
        trimmed = metadata_type.trim(self.data, select, protocol="compact")
        metadata: Values = metadata_type.decode(
            trimmed, protocol="compact", missing_required="omit", invalid_utf8="replace"
        )
        return cast("list[Values]", metadata.get("row_groups", []))

    def chunk_locations(self) -> list[Values]:
        """Row groups with their number of rows, and column, location and compression of their
        column chunks."""
        return self.decoded_row_groups(_CHUNK_FIELDS)

    def edit(self) -> _core.Edit:
        """An edit of the FileMetaData. Error if the footer is signed."""
        edit: _core.Edit = parquet_idl().FileMetaData.edit(self.unsigned(), protocol="compact")
        return edit

    def unsigned(self) -> bytes:
        """The bytes, for changes. Error if the footer is signed."""
        if self._signature:
            raise Error(
                "the footer is signed, and a change would break its signature", code="edit_conflict"
            )
        return self.data

    def write_to(self, write: Callable[[bytes], object]) -> None:
        """Writes the complete file with this footer, in pieces. Error (edit_conflict) if the file
        changed since it was opened."""
        with self.source as source:
            tail = source.at(self.offset, len(self._saved[2]))
            self._check_identity(source.size, source.identity, tail)
        for offset in range(0, self.offset, 1 << 20):
            write(self.source.at(offset, min(1 << 20, self.offset - offset)))
        write(self._tail_of(self.data))

    def overwrite(self, path: str) -> None:
        """Writes the footer over the old one in the file and truncates the file after it."""
        tail = self._tail_of(self.data)
        with open(path, "r+b") as stream:
            size = os.fstat(stream.fileno()).st_size
            old_tail = read_at(stream, self.offset, len(self._saved[2]))
            self._check_identity(size, identity_of(stream), old_tail)
            stream.seek(self.offset)
            stream.write(tail)
            stream.truncate()

    def mark_saved(self) -> None:
        """The file now has this footer."""
        with self.source:
            pass
        self._save_identity(self.data)

    def _tail_of(self, data: bytes) -> bytes:
        """The bytes after the data: footer, size and magic."""
        footer = data + self._signature
        return footer + struct.pack("<I", len(footer)) + MAGIC

    def _save_identity(self, data: bytes) -> None:
        """Saves the identity of the file as it was read or written."""
        self._saved = self.source.identity, self.source.size, self._tail_of(data)

    def _check_identity(self, size: int, identity: Optional[tuple[int, int]], tail: bytes) -> None:
        """Raises an Error if the file changed since it was opened: this footer does not match its
        data."""
        if (identity, size, tail) != self._saved:
            raise Error("the file changed since it was opened; open it again", code="edit_conflict")
