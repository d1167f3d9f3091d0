"""The HTML page of inspect."""

from __future__ import annotations

import binascii
import itertools
import json
import os
from typing import Any, Optional, Sequence

from .. import _core
from .._errors import Error
from . import detect as _detect
from . import inspection as _inspection


def guess_of(protocol: Any, framing: Optional[str]) -> _detect.Guess:
    """The guess that --protocol and --framing stand for."""
    label = {"binary": "Binary", "compact": "Compact", "tjson": "Apache's JSON protocol"}[protocol]
    if framing is None:
        return _detect.Guess((), "struct", protocol, "none", 0, 1, 0.0, 1.0, label)
    if framing == "message":
        return _detect.Guess((), "messages", protocol, framing, 0, 1, 0.0, 1.0, "RPC messages")
    return _detect.Guess(
        (), "structs", protocol, framing, 0, 1, 0.0, 1.0, f"{label}, records ({framing})"
    )


def page(
    data: Any, options: dict[str, Any], forced: Sequence[_detect.Guess] = (), depth: int = 1024,
    max_values: Optional[int] = None
) -> tuple[str, Optional[str]]:  # fmt: skip
    """A self-contained HTML page with the trees, the bytes and a search; and the error of the last
    tree."""
    guesses = list(forced) or _detect.detect(data, depth=options["depth"])
    guess = guesses[0] if forced or _detect.is_thrift(guesses) else guess_of("binary", None)
    values, pieces, fault = [], [], None
    try:
        for value in itertools.islice(
            _inspection.values(data, guess, depth=options["depth"]), max_values
        ):
            heading = (
                _inspection.heading(value).rstrip("\n")
                if guess.shape != "struct" or guess.framing != "none"
                else ""
            )
            tree, value_bytes = _inspection.tree(value, options), value.data
            if value.protocol == "tjson":  # offsets count in Binary
                value_bytes = _core.convert(
                    value.data, source="tjson", target="binary", depth=options["depth"]
                )
            values.append({"heading": heading, "tree": tree, "size": len(value_bytes)})
            pieces.append(bytes(value_bytes))
            fault = _fault_of(tree)
    except Error as error:
        values.append({"heading": "", "tree": f"! {error}\n", "size": 0})
        fault = str(error)
    content = {
        "guess": _detect.guess_line(guesses) if not forced else str(guess),
        "values": values,
        "bytes": binascii.b2a_base64(b"".join(pieces), newline=False).decode(),
        "broken": fault is not None,
        "depth": depth,
    }
    template = _template()
    return template.replace("@DATA@", json.dumps(content).replace("<", "\\u003c")), fault


def _template() -> str:
    with open(
        os.path.join(os.path.dirname(__file__), "inspect_page.html"), encoding="utf-8"
    ) as file:
        return file.read()


def _fault_of(tree: str) -> Optional[str]:
    _, mark, fault = ("\n" + tree).rpartition("\n! ")
    return fault.strip() if mark else None
