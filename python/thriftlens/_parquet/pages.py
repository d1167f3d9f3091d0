"""Columns, row groups and column chunks: statistics, indexes, page headers."""

from __future__ import annotations

from typing import Callable, Iterator, Mapping, NamedTuple, Optional, Sequence, Union, cast

from .. import _core
from .._core import View
from .._errors import DecodeError, Error
from .._typing import Value, Values
from .footer import Footer
from .source import located, parquet_idl
from .tree import ByName, Node
from .values import NO_VALUES, Statistics, converter_of, is_signed_order

_PIECE = 4096  # bytes of the first read of a page header


class Column:
    """A leaf of the schema: name, index among the leaves, and SchemaElement (`element`)."""

    def __init__(self, footer: Footer, node: Node):
        self.name = node.name
        self.index = node.first_leaf
        self._footer = footer
        self._node = node
        self._converter: Optional[Callable[[bytes], Value]] = None

    @property
    def element(self) -> Values:
        """Its SchemaElement, with enums by name."""
        return self._node.element

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.Column {self.name}: {self.element.get('type', '?')}>"

    @property
    def chunks(self) -> list[Chunk]:
        """The column chunks, one per row group."""
        return [Chunk(self, group) for group in range(len(self._footer.view["row_groups"]))]

    def statistics(self) -> list[Statistics]:
        """The statistics per row group."""
        return statistics_of(self._footer, [self])[0]

    def statistics_from(self, raw: Optional[View]) -> Statistics:
        """The values of a Statistics struct."""
        if raw is None:
            return NO_VALUES
        bounds = raw.get("min_value"), raw.get("max_value")
        if bounds == (None, None) and is_signed_order(self.element):
            bounds = raw.get("min"), raw.get("max")
        minimum, maximum = (None if value is None else self._value(value) for value in bounds)
        return Statistics(minimum, maximum, raw.get("null_count"), raw.get("distinct_count"), raw)

    def _value(self, raw: Union[bytes, View]) -> Value:
        """A plain-encoded value."""
        if self._converter is None:
            self._converter = converter_of(self.element)
        return self._converter(bytes(raw))


def columns_of(footer: Footer) -> ByName[Column]:
    """The leaves of the schema, in the order of the file."""
    return ByName([(node.name, Column(footer, node)) for node in footer.tree.leaves()])


def statistics_of(footer: Footer, columns: Sequence[Column]) -> list[list[Statistics]]:
    """The statistics per column and row group, in one pass over the footer."""
    groups = range(footer.num_row_groups())
    paths = [
        f"$.row_groups[{group}].columns[{column.index}].meta_data.statistics"
        for column in columns
        for group in groups
    ]
    metadata_type = parquet_idl().FileMetaData
    try:
        values = iter(metadata_type.get_many(footer.data, paths, protocol="compact"))
    except DecodeError as error:
        raise located(error, footer.offset)
    return [
        [column.statistics_from(_checked(footer, column, group, next(values))) for group in groups]
        for column in columns
    ]


def _checked(footer: Footer, column: Column, group: int, raw: Optional[View]) -> Optional[View]:
    """The statistics. DecodeError if there are none because the row group lacks the column."""
    if raw is None and column.index >= len(footer.view["row_groups"][group]["columns"]):
        raise DecodeError(
            f"row group {group} has no column {column.name!r}",
            code="broken_rule",
            path=f"$.row_groups[{group}].columns[{column.index}]",
            offset=footer.offset,
        )
    return raw


class RowGroup:
    """Row group `index`: view, num_rows, and its chunks by column."""

    def __init__(self, footer: Footer, index: int):
        self.index = index
        self.view = footer.view["row_groups"][index]
        self._footer = footer

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.RowGroup {self.index}: {self.num_rows} rows>"

    @property
    def num_rows(self) -> int:
        """The number of rows in this group."""
        return int(self.view["num_rows"])

    @property
    def columns(self) -> Mapping[str, Chunk]:
        """The column chunks by the dotted path or number of their column."""
        columns = columns_of(self._footer).items()
        return ByName([(name, Chunk(column, self.index)) for name, column in columns])


class Page(NamedTuple):
    """The header of a page, and the offsets of header and data in the file."""

    offset: int
    data_offset: int
    header: View


class Chunk:
    """A column chunk: the part of a column in a row group. view: its ColumnChunk."""

    def __init__(self, column: Column, group: int):
        self.column = column
        self.group = group
        self._footer = column._footer
        self._path = f"$.row_groups[{group}].columns[{column.index}]"

    def __repr__(self) -> str:
        return f"<thriftlens.parquet.Chunk {self.column.name} of row group {self.group}>"

    @property
    def view(self) -> View:
        """The ColumnChunk in the footer."""
        row_group = self._footer.view["row_groups"][self.group]
        view: View = row_group["columns"][self.column.index]
        return view

    @property
    def statistics(self) -> Statistics:
        """Bounds and counts of the values; None for missing fields."""
        meta = self.view.get("meta_data")
        return self.column.statistics_from(None if meta is None else meta.get("statistics"))

    def offset_index(self) -> Optional[View]:
        """The locations of the pages; None if the file has no offset index."""
        return self._part(
            "OffsetIndex",
            self.view.get("offset_index_offset"),
            self.view.get("offset_index_length"),
        )

    def column_index(self) -> Optional[View]:
        """Minimum and maximum value per page; None if the file has no column index."""
        return self._part(
            "ColumnIndex",
            self.view.get("column_index_offset"),
            self.view.get("column_index_length"),
        )

    def bloom_filter(self) -> Optional[View]:
        """The header of its Bloom filter; None without one."""
        offset = self._meta().get("bloom_filter_offset")
        if offset is None:
            return None
        self._require_plain()
        return self._struct("BloomFilterHeader", offset)[0]

    def pages(self) -> Iterator[Page]:
        """Iterates over the headers of its pages, without reading their data."""
        self._require_plain()
        position, size = extent_of(self._meta())
        end = position + size
        while position < end:
            header, data_offset = self._struct("PageHeader", position)
            yield Page(position, data_offset, header)
            position = data_offset + max(int(header["compressed_page_size"]), 0)

    @property
    def is_encrypted(self) -> bool:
        """Whether the pages and indexes of the column, and most of its metadata, are encrypted."""
        return self.view.get("crypto_metadata") is not None

    def _meta(self) -> View:
        meta: Optional[View] = self.view.get("meta_data")
        if meta is None:
            reason = "it is encrypted" if self.is_encrypted else "the footer has none"
            raise DecodeError(
                f"no metadata of {self.column.name!r} in row group {self.group}: {reason}",
                code="absent",
                path=f"{self._path}.meta_data",
            )
        return meta

    def _require_plain(self) -> None:
        """Raises an Error if the data is encrypted or in another file."""
        if self.is_encrypted:
            raise DecodeError(
                f"the column {self.column.name!r} is encrypted", code="bad_frame", path=self._path
            )
        elsewhere = self.view.get("file_path")
        if elsewhere is not None:
            raise DecodeError(
                f"the data of {self.column.name!r} is in another file: {elsewhere}",
                code="absent",
                path=f"{self._path}.file_path",
            )

    def _part(self, type_name: str, offset: Optional[int], size: Optional[int]) -> Optional[View]:
        if offset is None or size is None:
            return None
        self._require_plain()
        self._check_inside(type_name, offset, size)
        data = self._footer.source.at(offset, size)
        view: View = parquet_idl()[type_name].view(data, protocol="compact")
        return view

    def _check_inside(self, type_name: str, offset: int, size: int) -> None:
        """DecodeError if bytes of the file are not before the footer."""
        if not 0 <= offset <= offset + size <= self._footer.offset:
            raise DecodeError(
                f"the {type_name} of {self.column.name!r} is outside the file",
                code="truncated",
                offset=offset,
                path=self._path,
            )

    def _struct(self, type_name: str, offset: int) -> tuple[View, int]:
        """The struct at an offset in the file, and the offset after it."""
        self._check_inside(type_name, offset, 1)
        size, end = _PIECE, self._footer.offset
        while True:
            data = self._footer.source.at(offset, min(size, end - offset))
            cut = _core.cut_records(data, protocol="compact", count=1, offset=offset)
            if cut.rows:
                view = parquet_idl()[type_name].view(data[: cut.next], protocol="compact")
                return view, offset + cut.next
            if cut.error and (cut.error.code != "truncated" or len(data) < size):
                raise self._invalid(type_name, cut.error)
            size *= 4

    def _invalid(self, type_name: str, error: Error) -> DecodeError:
        reason = f"{error.detail} (byte {error.offset})"
        return DecodeError(
            f"{type_name} of {self.column.name!r}: {reason}",
            code=error.code,
            offset=error.offset,
            path=self._path,
        )


def extent_of(meta: Union[Values, View]) -> tuple[int, int]:
    """Offset and size of a column chunk."""
    meta = cast(Values, meta)
    offsets = [int(meta["data_page_offset"]), meta.get("dictionary_page_offset") or 0]
    first = min(filter(None, offsets), default=0)
    return first, int(meta["total_compressed_size"])
