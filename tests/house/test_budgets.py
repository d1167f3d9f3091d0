"""How long and how branched the functions of include/ may be: budgets for all of them together, measured by lizard."""
import re
from pathlib import Path

import lizard

BASE = Path(__file__).resolve().parents[2] / "include" / "thriftlens"
TOKENS = {0.90: 130, 0.99: 210}  # both may only fall
MOST_TOKENS = 300
OVER_THE_MOST = {  # may only become fewer
    "codec/layout.hpp": "fixed_width",
    "columns/arrow_source.ipp": "arrow_type_name",
    "records/record_cutter.ipp": "message",
    "records/records.ipp": "try_next",
    "view/fast/fast_plan.hpp": "entries",
}
BRANCHES = {0.99: 12}
PROTOCOL_SITES = 17
COLUMNS = 110
NAMES_A_PROTOCOL = re.compile(
    r"protocol_id::|is_same_v<P, (binary|compact)>|default_binary|default_compact|<(binary|compact)>::")


def headers():
    return sorted(path for ending in ("hpp", "ipp") for path in BASE.rglob(f"*.{ending}"))


def functions():
    return [(header, function) for header in headers() for function in lizard.analyze_file(str(header)).function_list]


def at(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def worst(of, figure):
    listed = sorted(of, key=lambda pair: -figure(pair[1]))[:20]
    return "\n".join(f"{figure(f):5} {h.relative_to(BASE)}:{f.start_line} {f.name}" for h, f in listed)


def test_functions_are_short():
    found = functions()
    assert len(found) > 2000
    for share, budget in TOKENS.items():
        reached = at([f.token_count for _, f in found], share)
        assert reached <= budget, f"tokens at {share}: {reached}\n" + worst(found, lambda f: f.token_count)


def test_no_function_is_two():
    over = [f"{f.token_count:5} {h.relative_to(BASE)}:{f.start_line} {f.name}" for h, f in functions() if f.token_count > MOST_TOKENS
            and f.name.rpartition("::")[2] != OVER_THE_MOST.get(str(h.relative_to(BASE)))]
    assert over == []


def test_functions_have_few_branches():
    found = functions()
    for share, budget in BRANCHES.items():
        reached = at([f.cyclomatic_complexity for _, f in found], share)
        assert reached <= budget, f"branches at {share}: {reached}\n" + worst(found, lambda f: f.cyclomatic_complexity)


def test_lines_are_short():
    long_lines = [f"{header.relative_to(BASE)}:{number}" for header in headers()
                  for number, line in enumerate(header.read_text(encoding="utf-8").split("\n"), 1) if len(line) > COLUMNS]
    assert long_lines == []


def test_protocols_are_named_in_their_room():
    sites = [f"{header.relative_to(BASE)}:{number}" for header in headers() if header.parent != BASE / "protocol" and header.parent != BASE
             for number, line in enumerate(header.read_text(encoding="utf-8").split("\n"), 1) if NAMES_A_PROTOCOL.search(line)]
    assert len(sites) <= PROTOCOL_SITES, "\n".join(sites)
