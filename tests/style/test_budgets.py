"""Limits of single functions and lines in include/. tests/style has the limits of the entire code
base."""

import re
from pathlib import Path

import lizard

BASE = Path(__file__).resolve().parents[2] / "include" / "thriftlens"
MOST_TOKENS = 300
OVER_THE_MOST = {  # may only become fewer
    "codec/layout.hpp": "fixed_width",
    "columns/arrow_source.ipp": "arrow_type_name",
    "records/record_cutter.ipp": "message",
    "records/records.ipp": "try_next",
    "view/fast/fast_plan.hpp": "entries",
}
PROTOCOL_SITES = 17
COLUMNS = 110
NAMES_A_PROTOCOL = re.compile(
    r"protocol_id::|is_same_v<P, (binary|compact)>|default_binary|default_compact"
    r"|<(binary|compact)>::"
)


def headers():
    return sorted(path for ending in ("hpp", "ipp") for path in BASE.rglob(f"*.{ending}"))


def functions():
    return [
        (header, function)
        for header in headers()
        for function in lizard.analyze_file(str(header)).function_list
    ]


def test_function_pairs_are_detected():
    over = [
        f"{f.token_count:5} {h.relative_to(BASE)}:{f.start_line} {f.name}"
        for h, f in functions()
        if f.token_count > MOST_TOKENS
        and f.name.rpartition("::")[2] != OVER_THE_MOST.get(str(h.relative_to(BASE)))
    ]
    assert over == []


def test_lines_are_short():
    long_lines = [
        f"{header.relative_to(BASE)}:{number}"
        for header in headers()
        for number, line in enumerate(header.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > COLUMNS
    ]
    assert long_lines == []


def test_protocols_are_named_only_in_their_module():
    sites = [
        f"{header.relative_to(BASE)}:{number}"
        for header in headers()
        if header.parent != BASE / "protocol" and header.parent != BASE
        for number, line in enumerate(header.read_text(encoding="utf-8").split("\n"), 1)
        if NAMES_A_PROTOCOL.search(line)
    ]
    assert len(sites) <= PROTOCOL_SITES, "\n".join(sites)
