"""The schema of a Parquet file as a tree of nodes, and look-up by dotted name."""

from __future__ import annotations

from typing import Iterator, Mapping, Optional, Sequence, TypeVar, Union

from .. import _core
from .._errors import DecodeError, Error, UnknownNameError
from .._text import did_you_mean
from .._typing import Value
from .source import located, parquet_idl

Name = Union[str, int]
"""The dotted path of a column, or its number."""

_Value = TypeVar("_Value")


class Node:
    """A node of the schema tree: its index in the list (`at`), its own name, its group, and its
    range of leaves."""

    _element: Optional[Mapping[str, Value]] = None

    def __init__(self, footer: bytes, base: int, row: _core.ParquetNode, ancestors: Sequence[Node]):
        self.at, self.own, self.level, self.is_leaf = row.number, row.name, row.level, row.is_leaf
        self.first_leaf, self.last_leaf = row.first_leaf, row.last_leaf
        self._begin, self._end = row.begin, row.end
        self.group = ancestors[row.group] if row.group >= 0 else None
        self._footer, self._base = footer, base

    @property
    def path(self) -> tuple[str, ...]:
        return (self.own,) if self.group is None else (*self.group.path, self.own)

    @property
    def name(self) -> str:
        return self.own if self.group is None else ".".join(self.path)

    @property
    def element(self) -> Mapping[str, Value]:
        """The SchemaElement, decoded on first use."""
        if self._element is None:
            data = self._footer[self._begin : self._end]
            try:
                self._element = parquet_idl().SchemaElement.decode(
                    data,
                    protocol="compact",
                    enums="name",
                    invalid_utf8="replace",
                    missing_required="omit",
                )
            except DecodeError as error:
                raise located(error, self._base + self._begin)
        return self._element

    @property
    def is_map(self) -> bool:
        return "MAP" in self.element.get("logicalType", ()) or self.element.get(
            "converted_type"
        ) in ("MAP", "MAP_KEY_VALUE")

    @property
    def is_list(self) -> bool:
        return "LIST" in self.element.get("logicalType", ()) or (
            self.element.get("converted_type") == "LIST"
        )

    @property
    def is_pair(self) -> bool:
        """Whether it is the group of a map's key and value."""
        return self.element.get("repetition_type") == "REPEATED" and (
            self.is_map or (self.group is not None and self.group.is_map)
        )


class ByName(Mapping[str, _Value]):
    """Values by the dotted names of their columns, in the order of the file. If several columns
    have the same name, keys(), values() and items() contain all of them; a look-up by that name is
    an Error, by column number (from 0) it is not."""

    def __init__(self, rows: Sequence[tuple[str, _Value]]):
        self._rows = rows

    def __getitem__(self, name: Union[str, int]) -> _Value:
        if isinstance(name, int):
            return self._rows[name][1]
        numbers = [
            number for number, (column_name, _) in enumerate(self._rows) if column_name == name
        ]
        if not numbers:
            raise KeyError(name)
        if len(numbers) > 1:
            raise ambiguous(name, [f"number {number}" for number in numbers])
        return self._rows[numbers[0]][1]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, name: object) -> bool:
        return any(column_name == name for column_name, _ in self._rows)

    def items(self) -> list[tuple[str, _Value]]:  # type: ignore[override]
        """Pairs of name and value, one per column, including equal names."""
        return [*self._rows]

    def values(self) -> list[_Value]:  # type: ignore[override]
        """The values, one per column."""
        return [value for _, value in self._rows]

    def __repr__(self) -> str:
        return (
            repr(dict(self._rows)) if len(dict(self._rows)) == len(self._rows) else repr(self._rows)
        )


def ambiguous(name: str, descriptions: Sequence[str]) -> Error:
    return Error(
        f"ambiguous name {name!r} of {len(descriptions)} columns: {', '.join(descriptions)}; "
        "use the column number",
        code="duplicate_field",
    )


class SchemaTree:
    """The nodes of the schema in a footer, read on first use."""

    def __init__(self, footer: bytes, base: int):
        self._footer, self._base = footer, base
        self._nodes: Optional[list[Node]] = None

    def nodes(self) -> list[Node]:
        """All nodes, in the order of the footer."""
        if self._nodes is None:
            self._nodes = self._read(None)
        return self._nodes

    def leaves(self) -> list[Node]:
        """The columns."""
        return [node for node in self.nodes() if node.is_leaf]

    def _read(self, names: Optional[tuple[str, ...]]) -> list[Node]:
        """All nodes of the schema, or those with these names and their groups."""
        try:
            rows = _core.parquet_nodes(self._footer, names)
        except DecodeError as error:
            raise located(error, self._base)
        nodes: list[Node] = []
        for row in rows:
            nodes.append(Node(self._footer, self._base, row, nodes))
        return nodes

    def text(self) -> str:
        """The schema as text, one line per node."""
        return "".join(f"{_line(node)}\n" for node in self.nodes())

    def named(self, names: Sequence[Name], leaf: bool = False) -> list[Node]:
        """The nodes by name or leaf number. UnknownNameError if there is none, Error if a name is
        ambiguous."""
        texts = tuple(name for name in names if isinstance(name, str))
        nodes = self._nodes
        if nodes is None:
            nodes = self._read(texts if len(texts) == len(names) else None)
        by_name: dict[Name, list[Node]] = {}
        for node in nodes:
            if node.is_leaf:
                by_name[node.first_leaf] = [node]
            if node.is_leaf or not leaf:
                by_name.setdefault(node.name, []).append(node)
        return [self._single(name, by_name.get(name, [])) for name in names]

    def _single(self, name: Name, matches: list[Node]) -> Node:
        """The only node of a name."""
        if not matches:
            raise self._unknown(name)
        if len(matches) > 1:
            raise ambiguous(str(name), [_describe(node) for node in matches])
        return matches[0]

    def node(self, name: Name, leaf: bool = False) -> Node:
        return self.named([name], leaf)[0]

    def _unknown(self, name: Name) -> UnknownNameError:
        if isinstance(name, int):
            return UnknownNameError(
                f"no column number {name}: the file has {len(self.leaves())}", code="no_such_field"
            )
        group = next((node for node in self.nodes() if node.name == name), None)
        if group is not None:
            leaves = range(group.first_leaf, group.last_leaf)
            columns = [node.name for node in self.leaves() if node.first_leaf in leaves]
            text = f"{', '.join(columns[:8])}{', …' if columns[8:] else ''}"
            return UnknownNameError(
                f"{name!r} is a group; its columns are {text}", code="no_such_field"
            )
        suggestion = did_you_mean(name, [node.name for node in self.nodes()])
        return UnknownNameError(f"no column {name!r} in the file{suggestion}", code="no_such_field")


def _describe(node: Node) -> str:
    """The numbers of a node, to distinguish nodes of the same name."""
    return (
        f"number {node.first_leaf}"
        if node.is_leaf
        else f"the group of numbers {node.first_leaf} to {node.last_leaf - 1}"
    )


def _line(node: Node) -> str:
    """A node in the text of the schema."""
    element = node.element
    kind = str(element.get("type", "?")).lower() if node.is_leaf else "group"
    logical = next(iter(element.get("logicalType", ())), None) or element.get("converted_type")
    mode = str(element.get("repetition_type", "REQUIRED")).lower()
    line = "  " * node.level + f"{mode} {kind} {node.own}"
    return f"{line} ({logical})" if logical else line
