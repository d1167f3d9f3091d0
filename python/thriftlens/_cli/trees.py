"""Trees of inspect as text: folding, colours."""

from __future__ import annotations

import re
from typing import Callable, Optional, Sequence, TypedDict

from .. import _core
from .._records import detect as _detect
from .._records import inspection as _inspection
from .._schema.types import Type
from .._text import escaped, escaped_lines
from .sink import Sink
from .source import Data

_LINE = re.compile(
    r"""(?P<at>[0-9a-f]{8,})(?P<blank> +)(?P<id>#-?\d+|\[\d+\]|key|=)?"""
    r"""(?P<word>[^"]*)(?P<text>".*)?""",
    re.S,
)
_COLOURS = {"at": "2", "id": "36", "text": "32"}


def formatted(text: str, depth: int, in_colour: bool) -> str:
    """The lines of a tree, in colours if `in_colour`.

    Lines deeper than `depth` are replaced by a count on their parent's line."""
    lines: list[str] = []
    hidden = 0
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match and len(match["blank"]) // 2 - 1 > depth:
            hidden += 1
            continue
        _append_hidden(lines, hidden)
        hidden = 0
        lines.append(_coloured(match, line) if in_colour else line)
    _append_hidden(lines, hidden)
    return "".join(line + "\n" for line in lines)


def _append_hidden(lines: list[str], hidden: int) -> None:
    if hidden and lines:
        lines[-1] += f"  … {hidden} more line{'' if hidden == 1 else 's'}"


def _coloured(match: Optional[re.Match[str]], line: str) -> str:
    if match is None:
        return f"\x1b[31m{line}\x1b[0m" if line.startswith("! ") else f"\x1b[1m{line}\x1b[0m"
    return "".join(
        f"\x1b[{_COLOURS[name]}m{part}\x1b[0m" if name in _COLOURS else part
        for name, part in match.groupdict().items()
        if part
    )


class InspectOptions(TypedDict):
    """Options of inspect."""

    type: Optional[Type]
    depth: int
    output_size: int
    text_size: int
    elements: int


def write_detected(
    data: Data,
    sink: Sink,
    options: InspectOptions,
    style: Callable[[str], str],
    max_values: Optional[int],
    forced: Sequence[_detect.Guess] = (),
) -> Optional[str]:
    """Writes the guess and the trees; returns the error of the last tree."""
    if not data:
        return "the input is empty"
    guesses = list(forced) or _detect.detect(data, depth=options["depth"])
    is_thrift = bool(forced) or _detect.is_thrift(guesses)
    line = escaped(forced[0] if forced else _detect.guess_line(guesses))
    sink.write(style(f"{line}\n" if is_thrift else f"{line}; as Binary:\n").encode())
    if is_thrift:
        trees = _inspection.trees(data, guesses[0], {**options}, max_values)
    else:
        trees = iter([_core.inspect(data, protocol="binary", **options)])
    for text in trees:
        if (fault := write_tree(text, sink, style)) is not None:
            return fault
    return None


def write_tree(text: str, sink: Sink, style: Callable[[str], str]) -> Optional[str]:
    """Writes a tree. If its last line is an error, returns the error instead of writing it."""
    text = escaped_lines(text)
    body, mark, fault = ("\n" + text).rpartition("\n! ")
    sink.write(style((body[1:] + "\n" if body else "") if mark else text).encode())
    return fault.strip() if mark else None
