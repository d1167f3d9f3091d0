"""?fields=…: a client's selection of response fields."""

from __future__ import annotations

import re
from typing import Mapping, Optional, Sequence, Union

from ..._errors import Error
from ..._schema.services import Function
from ..._schema.types import Field, Type
from ..._typing import JsonObject
from ..openapi_types import has_raw_body, key_of
from .answers import Refusal, location_of

_CONTAINERS = ("list", "set", "map")
_STRUCTS = ("struct", "union", "exception")
_METADATA = ("api.http_code", "api.header", "api.cookie")
_REMEMBERED = 256
_DEPTH = 64  # fields in a path, and nested selections
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|#\d+|[A-Za-z_][\w-]*|[{}]')
ResultSelection = Union[str, Sequence[str]]
Tree = dict[str, Optional["Tree"]]
"""Fields by name; None: the complete field."""
_NAMES = re.compile(r"\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\s*,\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*)*\s*")


class Selector:
    """Compiles selections on the results of one function, with a bounded cache."""

    def __init__(self, function: Function, name: str):
        self._function = function
        self._name = name
        self._returns = function.returns
        self._selections: dict[str, ResultSelection] = {}
        fields = [] if function.returns is None else list(function.returns.fields.values())
        self._metadata = [field.name for field in fields if is_metadata(field.annotations)]
        self._is_raw = function.returns is not None and has_raw_body(function.returns)
        self._throws = [field.name for field in function.result.fields.values() if field.id != 0]

    def selection(self, text: str) -> ResultSelection:
        """A selection on the result struct, which includes exceptions and the fields of status,
        headers and cookies. Raises Refusal with the location."""
        selection = self._selections.get(text)
        if selection is None:
            selection = self._compile(text.strip())
            if len(self._selections) >= _REMEMBERED:
                self._selections.clear()
            self._selections[text] = selection
        return selection

    def _compile(self, text: str) -> ResultSelection:
        root = _selected_type(self._returns)
        if self._returns is None or root is None or self._is_raw:
            detail = f"the result of {self._function.name} has no fields to select"
            raise Refusal(400, "no_fields", detail, members={"parameter": self._name})
        self._check_depth(text)
        requested = text
        if _NAMES.fullmatch(text):
            text = _braces(text.split(","))
        text = _in_idl_names(text, root, text.startswith("{"))
        selection = _selection_of(text, self._returns)
        try:
            self._returns.trim(_empty(self._returns), selection)
        except Error as error:
            details: JsonObject = {"parameter": self._name, **location_of(error)}
            if text != requested:
                details["selection"] = text
            detail = f"{self._name}: {error}"
            raise Refusal(400, error.code, detail, members=details) from None
        return self._on_result(selection)

    def _check_depth(self, text: str) -> None:
        deepest = max(path.count(".") for path in text.split(","))
        if deepest >= _DEPTH or text.count("{") > _DEPTH * _DEPTH:
            detail = f"{self._name} is nested deeper than {_DEPTH} levels"
            raise Refusal(400, "depth_limit", detail, members={"parameter": self._name})

    def _on_result(self, selection: ResultSelection) -> ResultSelection:
        """The selection on the result struct, with exceptions and metadata."""
        if not isinstance(selection, str):
            metadata = [f"$.{name}" for name in self._metadata]
            throws = [f"$.{name}" for name in self._throws]
            return [*(f"$.success{path[1:]}" for path in (*selection, *metadata)), *throws]
        if self._metadata and not re.match(r"\{\s*[*-]", selection):
            selection = f"{selection[:-1]} {' '.join(self._metadata)} }}"
        return f"{{ success {selection} {' '.join(self._throws)} }}"


def _selection_of(text: str, type: Type) -> ResultSelection:
    """The text, or its paths to fields of the structs in `type`."""
    if text.startswith("{"):
        return text
    prefix = f"${_into(type)}"
    return [f"{prefix}.{path.strip().removeprefix('$.')}" for path in text.split(",")]


def _braces(names: list[str]) -> str:
    """`id,user.name` as `{id user{name}}`, which also selects inside lists and maps."""
    tree: Tree = {}
    for path in names:
        node: Optional[Tree] = tree
        *steps, last = path.strip().split(".")
        for step in steps:
            node = None if node is None else node.setdefault(step, {})
        if node is not None:
            node[last] = None
    return _selection_text(tree)


def _selection_text(tree: Tree) -> str:
    return (
        "{"
        + " ".join(
            name if children is None else name + _selection_text(children)
            for name, children in tree.items()
        )
        + "}"
    )


def _in_idl_names(text: str, root: Type, is_selection: bool) -> str:
    """Replaces JSON names of fields by their IDL names, in a selection or paths on the struct
    `root`."""
    if is_selection:
        return _TOKENS.sub(_Walk(root, True).step, text)
    return ",".join(_TOKENS.sub(_Walk(root, False).step, path) for path in text.split(","))


class _Walk:
    """Follows the tokens of a selection, or of one path, from struct to struct."""

    def __init__(self, root: Type, is_selection: bool):
        self._is_selection = is_selection
        self._outer: list[Optional[Type]] = []
        self._here: Optional[Type] = None if is_selection else root
        self._next: Optional[Type] = root

    def step(self, match: re.Match[str]) -> str:
        """The replacement of a token."""
        token = match.group()
        if token in "{}":
            self._brace(token)
            return token
        field = None if self._here is None or token[0] == '"' else _field(self._here, token)
        self._next = None if field is None else _selected_type(field.type)
        if not self._is_selection:
            self._here = self._next
        return token if field is None or token[0] == "#" else field.name

    def _brace(self, token: str) -> None:
        if not self._is_selection:
            return  # a key of a map
        if token == "{":
            self._outer.append(self._here)
            self._here = self._next
        elif self._outer:
            self._here = self._outer.pop()


def _field(type: Type, token: str) -> Optional[Field]:
    """The field with that id, IDL name or JSON name."""
    if token[0] == "#":
        return next((field for field in type.fields.values() if field.id == int(token[1:])), None)
    return type.fields.get(token) or next(
        (field for field in type.fields.values() if key_of(field) == token), None
    )


def is_metadata(annotations: Mapping[str, str]) -> bool:
    """Whether a response field is sent as status, header or cookie."""
    return any(name in annotations for name in _METADATA)


def _selected_type(type: Optional[Type]) -> Optional[Type]:
    """The struct that a selection applies to."""
    while type is not None and type.kind in _CONTAINERS:
        type = type.parameters[-1]
    return type if type is not None and type.kind in _STRUCTS else None


def _into(type: Type) -> str:
    """The path steps from a value to the structs in its containers."""
    steps = ""
    while type.kind in _CONTAINERS:
        steps += "{*}" if type.kind == "map" else "[*]"
        type = type.parameters[-1]
    return steps


def _empty(type: Type) -> bytes:
    return b"\0" if type.kind in _STRUCTS else type.encode({} if type.kind == "map" else [])
