"""Files that configure a command: JSON and secret keys."""

from __future__ import annotations

import json
from typing import Mapping, Sequence

from .._typing import JsonValue
from .source import open_source


def _object(pairs: Sequence[tuple[str, object]]) -> Mapping[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in members if names.count(name) > 1)
        raise ValueError(f"duplicate member {duplicate!r}")
    return members


def read_json(file: str) -> JsonValue:
    """The value in a JSON file.

    ValueError, with the file name, for invalid JSON and duplicate members."""
    with open(file, encoding="utf-8") as source:
        try:
            value: JsonValue = json.load(source, object_pairs_hook=_object)
            return value
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: invalid JSON: {error}") from None


def read_key(file: str) -> bytes:
    """The key of `hash`. ValueError for a wrong size and for a line of text."""
    with open_source(file) as source:
        key: bytes = source.read(17)
    if not 1 <= len(key) <= 16:
        raise ValueError(
            f"invalid key in {file}: expected 1 to 16 bytes, found "
            f"{len(key)}{'' if len(key) < 17 else ' or more'}"
        )
    if key.endswith(b"\n") and key[:-1].isascii() and key[:-1].decode("ascii").isprintable():
        raise ValueError(
            f"invalid key in {file}: it ends with a newline, which would be part of the key; "
            "write the file with printf"
        )
    return key
