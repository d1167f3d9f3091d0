"""Checks of the options that plain-Python calls take; the compiled part checks its own."""

from __future__ import annotations

import operator

DEEPEST = 1024
MOST = 2**32 - 1


def word(name: str, given: str, *words: str) -> int:
    """Which of the words an option is; the first is the default."""
    if given in words:
        return words.index(given)
    allowed = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
    raise ValueError(f"{name} must be {allowed}, not {given!r}")


def number(name: str, given: int, lowest: int, highest: int) -> int:
    """A number within bounds."""
    try:
        found = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} must be a number from {lowest} to {highest}, not {given!r}") from None
    if lowest <= found <= highest:
        return found
    raise ValueError(f"{name} must be from {lowest} to {highest}, not {given!r}")


def size(given: int) -> int:
    """An output_size in bytes; 0 lets it follow from the input."""
    return number("output_size", given, 0, MOST)


def string(name: str, given: str) -> str:
    """Text, and no bytes."""
    if isinstance(given, str):
        return given
    raise TypeError(f"{name} must be a str, not {given!r}")


def protocol_and_depth(protocol: str, depth: int) -> tuple[str, int]:
    """The two that stand everywhere."""
    word("protocol", protocol, "binary", "compact")
    return protocol, number("depth", depth, 0, DEEPEST)
