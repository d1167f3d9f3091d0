"""Options of Type.using by the methods that take them."""

from __future__ import annotations

from typing import Iterator, Mapping, Optional

from .. import _core
from .._text import did_you_mean, not_one_of
from .._typing import Value

_SIGNATURES = {**_core.signatures(), "to_jsonable": _core.signatures()["to_json"]}
_CONVERSIONS = (
    "decode", "decoder", "encode", "encoder", "from_json", "get", "get_many", "to_json",
    "to_jsonable", "view",
)  # fmt: skip
# Other options of these methods mean something else, such as unknown= of redact.
_OTHERS = ("diff", "edit", "redact", "trim", "validate")
_OF_OTHERS = ("protocol", "depth", "output_size")


def presets_of_methods(presets: Mapping[str, Value]) -> Iterator[tuple[str, dict[str, Value]]]:
    """Names of methods and their presets. TypeError, ValueError: for an option or a value that no
    method takes."""
    for name, value in presets.items():
        _check_option(name, value)
    for method in (*_CONVERSIONS, *_OTHERS):
        yield method, {name: presets[name] for name in presets if _takes(method, name, presets)}


def _takes(method: str, name: str, presets: Mapping[str, Value]) -> bool:
    """A method that does not read a protocol takes it, to refuse it when it is called."""
    if method in _OTHERS and name not in _OF_OTHERS:
        return False
    choices = _choices(method, name)
    return choices is not None and (choices == () or presets[name] in choices or name == "protocol")


def _choices(method: str, name: str) -> Optional[tuple[str, ...]]:
    """The values that an option of a method takes; () for a number or object, None without such an
    option."""
    row = _SIGNATURES[method].get(name)
    return None if row is None else row[0] or ()


def _check_option(name: str, value: Value) -> None:
    choices = [words for method in _CONVERSIONS if (words := _choices(method, name)) is not None]
    if not choices:
        names = {option for method in _CONVERSIONS for option in _SIGNATURES[method]}
        raise TypeError(f"using(): unknown option {name!r}{did_you_mean(name, names)}")
    if () not in choices and not any(value in words for words in choices):
        known = dict.fromkeys(word for words in choices for word in words)
        raise ValueError(f"using(): {name} {not_one_of(value, known)}")
