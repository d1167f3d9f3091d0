"""Files that configure a command: JSON and secret keys."""

from __future__ import annotations

import json
from typing import Any, Mapping, Sequence

from .io import reading


def _object(pairs: Sequence[tuple[str, object]]) -> Mapping[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        duplicate = next(name for name in members if names.count(name) > 1)
        raise ValueError(f"the member {duplicate!r} is there twice")
    return members


def read_json(file: str) -> Any:
    """The value in a file of JSON. ValueError names the file; it is raised for duplicate members too."""
    with open(file, encoding="utf-8") as source:
        try:
            return json.load(source, object_pairs_hook=_object)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{file}: invalid JSON: {error}") from None


def read_key(file: str) -> bytes:
    """The key of `hash`. ValueError for a size that it cannot have, and for a line of text."""
    with reading(file) as source:
        key: bytes = source.read(17)
    if not 1 <= len(key) <= 16:
        raise ValueError(f"{file} holds {len(key) or 'no'}{'' if len(key) < 17 else ' or more'} bytes, not 1 to 16")
    if key.endswith(b"\n") and key[:-1].isascii() and key[:-1].decode("ascii").isprintable():
        raise ValueError(f"{file} holds a line of text; its end would be a part of the key: write it with printf")
    return key
