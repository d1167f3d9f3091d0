"""The HTML page of inspect."""

from __future__ import annotations

import base64
import itertools
import json
import os
from typing import Iterator, NamedTuple, Optional, Sequence

from .. import _core
from .._errors import Error
from .._typing import AnyProtocol, Buffer
from . import detect as _detect
from . import inspection as _inspection

_LABELS = {"binary": "Binary", "compact": "Compact", "tjson": "Apache's JSON protocol"}


def guess_of(protocol: AnyProtocol, framing: Optional[str]) -> _detect.Guess:
    """The guess that --protocol and --framing stand for."""
    label = _LABELS[protocol]
    shape, text = "struct", label
    if framing == "message":
        shape, text = "messages", "RPC messages"
    elif framing is not None:
        shape, text = "structs", f"{label}, records ({framing})"
    return _detect.Guess((), shape, protocol, framing or "none", 0, 1, 0.0, 1.0, text)


class _PageValue(NamedTuple):
    heading: str
    tree: str
    data: bytes


def page(
    data: Buffer,
    options: _inspection.TreeOptions,
    forced: Sequence[_detect.Guess] = (),
    depth: int = 1024,
    max_values: Optional[int] = None,
) -> tuple[str, Optional[str]]:
    """A self-contained HTML page with the trees, the bytes and a search; and the error of the last
    tree."""
    guesses = list(forced) or _detect.detect(data, depth=options["depth"])
    guess = guesses[0] if forced or _detect.is_thrift(guesses) else guess_of("binary", None)
    values = list(itertools.islice(_page_values(data, guess, options), max_values))
    fault = _fault_of(values[-1].tree) if values else None
    content = {
        "guess": _detect.guess_line(guesses) if not forced else str(guess),
        "values": [
            {"heading": value.heading, "tree": value.tree, "size": len(value.data)}
            for value in values
        ],
        "bytes": base64.b64encode(b"".join(value.data for value in values)).decode(),
        "broken": fault is not None,
        "depth": depth,
    }
    template = _template()
    return template.replace("@DATA@", json.dumps(content).replace("<", "\\u003c")), fault


def _page_values(
    data: Buffer, guess: _detect.Guess, options: _inspection.TreeOptions
) -> Iterator[_PageValue]:
    """The values; an error in place of the first invalid one."""
    is_single = guess.shape == "struct" and guess.framing == "none"
    try:
        for value in _inspection.values(data, guess, depth=options["depth"]):
            heading = "" if is_single else _inspection.heading(value).rstrip("\n")
            yield _PageValue(
                heading, _inspection.tree(value, options), _shown_bytes(value, options)
            )
    except Error as error:
        yield _PageValue("", f"! {error}\n", b"")


def _shown_bytes(value: _inspection.Value, options: _inspection.TreeOptions) -> bytes:
    """The bytes that offsets refer to; they count in Binary for Apache's JSON protocol."""
    if value.protocol != "tjson":
        return bytes(value.data)
    return _core.convert(value.data, source="tjson", target="binary", depth=options["depth"])


def _template() -> str:
    with open(
        os.path.join(os.path.dirname(__file__), "inspect_page.html"), encoding="utf-8"
    ) as file:
        return file.read()


def _fault_of(tree: str) -> Optional[str]:
    _, mark, fault = ("\n" + tree).rpartition("\n! ")
    return fault.strip() if mark else None
