"""Arguments of commands."""

from __future__ import annotations

from collections.abc import Iterable


def split_options(arguments: Iterable[object]) -> list[str]:
    """The arguments as texts; those that begin with `--` are split at blanks."""
    texts = map(str, arguments)
    return [word for text in texts for word in (text.split(" ") if text[:2] == "--" else [text])]
