"""?fields=…: a selection on the answer, by the words of the client."""

from __future__ import annotations

import re
from typing import Any, Optional

from ..._errors import Error
from ..openapi_types import has_raw_body, key_of
from ..._schema.schema import Function, Type
from .answers import Refusal, place_of

_CONTAINERS = ("list", "set", "map")
_STRUCTS = ("struct", "union", "exception")
_KEPT = ("api.http_code", "api.header", "api.cookie")
_REMEMBERED = 256
_DEPTH = 64  # of a path, as of the structs that it leads through
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|#\d+|[A-Za-z_][\w-]*|[{}]')
_NAMES = re.compile(r"\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*(\s*,\s*[A-Za-z_]\w*(\.[A-Za-z_]\w*)*)*\s*")


class Selector:
    """The selections on the results of one function. What is made of a text is remembered, up to a bound."""

    def __init__(self, function: Function, name: str):
        self._function = function
        self._name = name
        self._returns = function.returns
        self._made: dict[str, Any] = {}
        root = [each.name for each in function.returns.fields.values() if is_placed(each.annotations)] if function.returns is not None else []
        self._beside = root
        self._is_raw = function.returns is not None and has_raw_body(function.returns)
        self._throws = [each.name for each in function.result.fields.values() if each.id != 0]

    def selection(self, text: str) -> Any:
        """On the result struct: exceptions, and what becomes status, header or cookie, are never cut away. Refusal with the place."""
        found = self._made.get(text)
        if found is None:
            found = self._make(text.strip())
            if len(self._made) >= _REMEMBERED:
                self._made.clear()
            self._made[text] = found
        return found

    def _make(self, text: str) -> Any:
        core = _selected_type(self._returns)
        if self._returns is None or core is None or self._is_raw:
            raise Refusal(400, "no_fields", f"the answer of {self._function.name} has no fields to choose from", parameter=self._name)
        told: dict[str, Any] = {"parameter": self._name}
        deepest = max(each.count(".") for each in text.split(","))
        if deepest >= _DEPTH or text.count("{") > _DEPTH * _DEPTH:
            raise Refusal(400, "depth_limit", f"{self._name} goes deeper than {_DEPTH} fields", **told)
        if _NAMES.fullmatch(text):
            told["selection"] = text = _braces(text.split(","))
        is_text = text.startswith("{")
        named = _in_idl_names(text, core, is_text)
        if named != text:
            told["selection"] = text = named
        chosen: Any = text if is_text else [f"${_into(self._returns)}.{each.strip().removeprefix('$.')}" for each in text.split(",")]
        try:
            self._returns.trim(_empty(self._returns), chosen)
        except Error as error:
            raise Refusal(400, error.code, f"{self._name}: {error}", **told, **place_of(error)) from None
        if not is_text:
            beside = [f"$.{name}" for name in self._beside]
            return [f"$.success{each[1:]}" for each in (*chosen, *beside)] + [f"$.{name}" for name in self._throws]
        if self._beside and not re.match(r"\{\s*[*-]", text):
            text = f"{text[:-1]} {' '.join(self._beside)} }}"
        return f"{{ success {text} {' '.join(self._throws)} }}"


def _braces(names: list[str]) -> str:
    """`id,user.name` as `{id user{name}}`, which leads through lists and maps."""
    tree: dict[str, Any] = {}
    for each in names:
        node: Optional[dict[str, Any]] = tree
        *steps, last = each.strip().split(".")
        for step in steps:
            node = None if node is None else node.setdefault(step, {})
        if node is not None:
            node[last] = None  # all of it
    return _shown(tree)


def _shown(tree: dict[str, Any]) -> str:
    return "{" + " ".join(name if below is None else name + _shown(below) for name, below in tree.items()) + "}"


def _in_idl_names(text: str, core: Type, is_selection: bool) -> str:
    """A selection, or paths, on that struct, with the names that fields have in the IDL in the place of those they have in JSON."""
    if is_selection:
        return _TOKENS.sub(_Walk(core, True).step, text)
    return ",".join(_TOKENS.sub(_Walk(core, False).step, each) for each in text.split(","))


class _Walk:
    """Follows the tokens of a selection, or of one path, from struct to struct."""

    def __init__(self, core: Type, is_selection: bool):
        self._is_selection = is_selection
        self._outer: list[Optional[Type]] = []
        self._here: Optional[Type] = None if is_selection else core
        self._next: Optional[Type] = core

    def step(self, found: re.Match[str]) -> str:
        """What stands for a token."""
        token = found.group()
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


def _field(of: Type, token: str) -> Any:
    """By its id, its name in the IDL, or its name in JSON."""
    if token[0] == "#":
        return next((each for each in of.fields.values() if each.id == int(token[1:])), None)
    return of.fields.get(token) or next((each for each in of.fields.values() if key_of(each) == token), None)


def is_placed(annotations: Any) -> bool:
    """Whether a field of an answer stands in its status, headers or cookies."""
    return any(each in annotations for each in _KEPT)


def _selected_type(of: Optional[Type]) -> Optional[Type]:
    """The struct that a selection names fields of."""
    while of is not None and of.kind in _CONTAINERS:
        of = of.parameters[-1]
    return of if of is not None and of.kind in _STRUCTS else None


def _into(of: Type) -> str:
    """The steps from a value to the structs in it."""
    steps = ""
    while of.kind in _CONTAINERS:
        steps += "{*}" if of.kind == "map" else "[*]"
        of = of.parameters[-1]
    return steps


def _empty(of: Type) -> bytes:
    return b"\0" if of.kind in _STRUCTS else of.encode({} if of.kind == "map" else [])
