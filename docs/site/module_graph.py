"""The modules of the library: their order, and a graph of which includes which, drawn from the
includes.
"""

import importlib.util
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include" / "thriftlens"


def allowed_includes():
    """Module -> modules that it may include, from tests/style/check_rules.py."""
    spec = importlib.util.spec_from_file_location(
        "check_rules", ROOT / "tests" / "style" / "check_rules.py"
    )
    checks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checks)
    return checks.ALLOWED_INCLUDES


def names():
    return list(allowed_includes())


def included():
    """Module -> modules that its headers include."""
    edges = {module: set() for module in allowed_includes()}
    for path in INCLUDE.rglob("*.[hi]pp"):
        module = path.relative_to(INCLUDE).parts[0]
        if module in edges:
            text = path.read_text(encoding="utf-8")
            edges[module] |= {
                other
                for other in re.findall(r"#include <thriftlens/(\w+)/", text)
                if other != module and other in edges
            }
    return edges


def transitive_reduction(edges):
    """Omits edges to modules that another path reaches."""

    def reach(module):
        return (
            set().union(*({other} | reach(other) for other in edges[module]))
            if edges[module]
            else set()
        )

    return {
        module: {
            other
            for other in others
            if not any(other in reach(between) for between in others - {other})
        }
        for module, others in edges.items()
    }


def svg():
    graph = transitive_reduction(included())
    lines = [
        'digraph modules { rankdir=LR; bgcolor="transparent"; nodesep=0.18; ranksep=0.45; pad=0.1;',
        'node [shape=box, style="filled,rounded", fillcolor="#0b5c8a", fontcolor="white", '
        'color="#7cc4ee", fontname="sans-serif", fontsize=13, height=0.35];',
        'edge [color="#808080", arrowsize=0.6];',
    ]
    lines += [
        f'"{other}" -> "{module}";' for module, others in graph.items() for other in sorted(others)
    ]
    text = subprocess.run(
        ["dot", "-Tsvg"], input="\n".join([*lines, "}"]), capture_output=True, text=True, check=True
    ).stdout
    text = re.sub(r"<title>.*?</title>\n?", "", text[text.index("<svg") :], flags=re.S)
    return text
