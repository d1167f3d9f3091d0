"""?fields=…: a client's selection of response fields."""

from __future__ import annotations

import re
from typing import Any, Optional

from ..._errors import Error
from ..._schema.services import Function
from ..._schema.types import Type
from ..openapi_types import has_raw_body, key_of
from .answers import Refusal, location_of

_CONTAINERS = ("list", "set", "map")
_STRUCTS = ("struct", "union", "exception")
_METADATA = ("api.http_code", "api.header", "api.cookie")
_REMEMBERED = 256
_DEPTH = 64  # fields in a path, and nested selections
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|#\d+|[A-Za-z_][\w-]*|[{}]')
_NAMES = re.compile(r"\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\s*,\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*)*\s*")


class Selector:
    """Compiles selections on the results of one function, with a bounded cache."""

    def __init__(self, function: Function, name: str):
        self._function = function
        self._name = name
        self._returns = function.returns
        self._selections: dict[str, Any] = {}
        fields = [] if function.returns is None else list(function.returns.fields.values())
        self._metadata = [field.name for field in fields if is_metadata(field.annotations)]
        self._is_raw = function.returns is not None and has_raw_body(function.returns)
        self._throws = [field.name for field in function.result.fields.values() if field.id != 0]

    def selection(self, text: str) -> Any:
        """A selection on the result struct, which includes exceptions and the fields of status,
        headers and cookies. Raises Refusal with the location."""
        selection = self._selections.get(text)
        if selection is None:
            selection = self._make(text.strip())
            if len(self._selections) >= _REMEMBERED:
                self._selections.clear()
            self._selections[text] = selection
        return selection

    def _make(self, text: str) -> Any:
        root = _selected_type(self._returns)
        if self._returns is None or root is None or self._is_raw:
            raise Refusal(
                400,
                "no_fields",
                f"the result of {self._function.name} has no fields to select",
                parameter=self._name,
            )
        details: dict[str, Any] = {"parameter": self._name}
        deepest = max(path.count(".") for path in text.split(","))
        if deepest >= _DEPTH or text.count("{") > _DEPTH * _DEPTH:
            raise Refusal(
                400, "depth_limit", f"{self._name} exceeds the depth of {_DEPTH} fields", **details
            )
        if _NAMES.fullmatch(text):
            details["selection"] = text = _braces(text.split(","))
        is_text = text.startswith("{")
        renamed = _in_idl_names(text, root, is_text)
        if renamed != text:
            details["selection"] = text = renamed
        selection: Any = (
            text
            if is_text
            else [
                f"${_into(self._returns)}.{path.strip().removeprefix('$.')}"
                for path in text.split(",")
            ]
        )
        try:
            self._returns.trim(_empty(self._returns), selection)
        except Error as error:
            raise Refusal(
                400, error.code, f"{self._name}: {error}", **details, **location_of(error)
            ) from None
        if not is_text:
            metadata = [f"$.{name}" for name in self._metadata]
            return [f"$.success{path[1:]}" for path in (*selection, *metadata)] + [
                f"$.{name}" for name in self._throws
            ]
        if self._metadata and not re.match(r"\{\s*[*-]", text):
            text = f"{text[:-1]} {' '.join(self._metadata)} }}"
        return f"{{ success {text} {' '.join(self._throws)} }}"


def _braces(names: list[str]) -> str:
    """`id,user.name` as `{id user{name}}`, which also selects inside lists and maps."""
    tree: dict[str, Any] = {}
    for path in names:
        node: Optional[dict[str, Any]] = tree
        *steps, last = path.strip().split(".")
        for step in steps:
            node = None if node is None else node.setdefault(step, {})
        if node is not None:
            node[last] = None  # the complete field
    return _selection_text(tree)


def _selection_text(tree: dict[str, Any]) -> str:
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


def _field(type: Type, token: str) -> Any:
    """The field with that id, IDL name or JSON name."""
    if token[0] == "#":
        return next((field for field in type.fields.values() if field.id == int(token[1:])), None)
    return type.fields.get(token) or next(
        (field for field in type.fields.values() if key_of(field) == token), None
    )


def is_metadata(annotations: Any) -> bool:
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
