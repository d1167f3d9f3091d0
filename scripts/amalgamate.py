"""All headers in two files, for projects that copy a header: python3 scripts/amalgamate.py OUT

OUT/thriftlens.hpp is everything but JSON; OUT/thriftlens_json.hpp includes it and adds json.hpp and http.hpp, which need simdjson.h.
Header-only alone: the bodies that thriftlens::compiled has apart are in them. The same tree gives the same bytes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r"^\s*#\s*include\s*<(thriftlens/[^>]+)>\s*(//.*)?$")
ONCE = re.compile(r"^\s*#\s*pragma once\s*$")
TOP = """// thriftlens {version}: {what}. Made by scripts/amalgamate.py; the parts stand in include/thriftlens, with their comments.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(THRIFTLENS_COMPILED)
#error "thriftlens: the single header is header-only; thriftlens::compiled goes with the headers of include/"
#endif
"""


def expanded(name: str, seen: set[str]) -> list[str]:
    """The lines of a header with those that it includes in their places, each once."""
    if name in seen:
        return []
    seen.add(name)
    lines = [f"// ---- {name}"]
    for line in (TREE / "include" / name).read_text(encoding="utf-8").splitlines():
        include = INCLUDE.match(line)
        if include:
            lines += expanded(include[1], seen)
        elif not ONCE.match(line):
            lines.append(line)
    return lines


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    into = Path(sys.argv[1])
    into.mkdir(parents=True, exist_ok=True)
    config = (TREE / "include/thriftlens/core/config.hpp").read_text(encoding="utf-8")
    version = re.findall(r'^#define THRIFTLENS_VERSION "([^"]+)"', config, re.MULTILINE)[0]
    seen: set[str] = set()
    plain = expanded("thriftlens/thriftlens.hpp", seen)
    json = expanded("thriftlens/json.hpp", seen) + expanded("thriftlens/http.hpp", seen)
    for file, kind, lines in (
        ("thriftlens.hpp", "everything but JSON", plain),
        ("thriftlens_json.hpp", "JSON and HTTP, which need simdjson.h", ['#include "thriftlens.hpp"', *json]),
    ):
        text = TOP.format(version=version, what=kind) + "\n" + "\n".join(lines) + "\n"
        (into / file).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
