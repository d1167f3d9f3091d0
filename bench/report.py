#!/usr/bin/env python3
"""Medians of a benchmark run as JSON, as Markdown with ratios and goals, and as charts.

usage: report.py --machine              prints the processor's name as a file name
       report.py --table RAW...         prints the table of tasks beside their fastest peers
       report.py --docs [--check]       writes the newest results into the pages that quote them, or
       fails if they quote others
       report.py --name NAME --flags FLAGS --out FOLDER RAW...    RAW: google-benchmark's JSON, or
       what bench/peers and bench/python write
"""

import argparse
import json
import re
import subprocess
import sys
import textwrap
from datetime import date
from pathlib import Path
from typing import NamedTuple

import report_charts
import report_goals
from report_charts import time_text
from report_goals import ABSENT, CURVED, fastest, growth

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "results"
HEADLINE = ("medium", "medium_varied")
OTHER_SIZES = ("small", "1mb", "6mb")
PAYLOADS = [*("small", "medium"), *sorted(ABSENT, key=ABSENT.__getitem__), *("1mb", "6mb")]


class Row(NamedTuple):
    """A row of the tables: `own` is the contestant of this library."""

    label: str
    task: str
    own: str = "thriftlens"


ROWS = [
    *(Row(task, task) for task in ("skip", "get_one", "get_many", "trim")),
    Row("set_one", "set_one"),
    Row("set_one, kept", "set_one", "thriftlens_kept"),
    Row("set_many", "set_many"),
    Row("set_many, kept", "set_many", "thriftlens_kept"),
    Row("redact", "rewrite", "limit_redact"),
    Row("trim, redact, set in one pass", "rewrite"),
    Row("load_reuse", "load_reuse"),
    Row("write", "write"),
    Row("decode", "decode", "thriftlens_std"),
    Row("decode, reused", "decode", "thriftlens_std_reused"),
    Row("decode, views", "decode", "thriftlens_views"),
    Row("encode", "encode", "thriftlens_std"),
    Row("thrift_to_json", "thrift_to_json"),
    Row("json_to_thrift", "json_to_thrift"),
    *(Row(task, task) for task in ("list_i64_decode", "list_i64_encode", "list_i64_sum")),
]


def machine():
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    match = re.search(r"model name\s*: (.*)", text)
    return re.sub(r"[^a-z0-9]+", "-", (match.group(1) if match else "unknown").lower()).strip("-")


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT).stdout.split("\n")[0]


def load(files):
    """{task: {payload: {contestant: {ns, allocs, mb_per_s, cv, wire}}}}"""
    tasks = {}
    for file in files:
        only_counts = Path(file).stem == "counted"
        for benchmark in json.loads(Path(file).read_text())["benchmarks"]:
            if benchmark.get("aggregate_name", "median") not in ("median", "cv"):
                continue
            task, payload, name = benchmark.get("run_name", benchmark["name"]).split("/")[:3]
            entry = tasks.setdefault(task, {}).setdefault(payload, {}).setdefault(name, {})
            add(entry, benchmark, only_counts)
    return tasks


def add(entry, benchmark, only_counts):
    is_manual = "manual_time" in benchmark["name"]
    if only_counts:
        if "allocs" in benchmark and not is_manual:
            entry["allocs"] = round(benchmark["allocs"], 2)
        return
    # Child processes report their own time as the wall time.
    time = benchmark["real_time"] if is_manual else benchmark["cpu_time"]
    if benchmark.get("aggregate_name") == "cv":
        entry["cv"] = round(time, 3)
        return
    entry["ns"] = round(time * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[benchmark["time_unit"]], 2)
    for key, to, scale, digits in [
        ("allocs", "allocs", 1, 2),
        ("bytes_per_second", "mb_per_s", 1e-6, 0),
        ("wire", "wire", 1, 0),
    ]:
        if key in benchmark and not is_manual:
            entry[to] = round(benchmark[key] * scale, digits)


def order(payload):
    return (PAYLOADS.index(payload), "") if payload in PAYLOADS else (len(PAYLOADS), payload)


def reference(contestants):
    """The contestant of this library that does the same work as the peers."""
    own = {
        name: result["ns"]
        for name, result in contestants.items()
        if name.startswith("thriftlens") and "ns" in result
    }
    for name in ("thriftlens", "thriftlens_compact", "thriftlens_std"):
        if name in own:
            return name
    return min(own, key=own.__getitem__) if own else None


def cell(tasks, row, payload, wire, with_peer):
    """Time of thriftlens, of the fastest peer if with_peer, speedup."""
    contestants = tasks.get(row.task + wire, {}).get(payload, {})
    names = (row.own.replace("thriftlens", "thriftlens" + wire), row.own)
    own = next((name for name in names if "ns" in contestants.get(name, {})), None)
    if own is None:
        return ""
    ns, peer = contestants[own]["ns"], fastest(contestants)
    if peer is None:
        return time_text(ns)
    peer_ns = contestants[peer]["ns"]
    return ", ".join(
        [time_text(ns), *([time_text(peer_ns)] if with_peer else []), f"{peer_ns / ns:.1f}x"]
    )


def table(tasks, payloads, with_peer=True):
    """Tasks by payloads, Binary beside Compact."""
    columns = [
        (payload, wire)
        for payload in payloads
        for wire in ("", "_compact")
        if any(payload in tasks.get(row.task + wire, {}) for row in ROWS)
    ]
    heads = [payload + (", Compact" if wire else "") for payload, wire in columns]
    lines = ["| task | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(columns)]
    for row in ROWS:
        cells = [cell(tasks, row, payload, wire, with_peer) for payload, wire in columns]
        if any(cells):
            lines.append(f"| {row.label} | " + " | ".join(cells) + " |")
    return lines


def absent_table(tasks):
    """Speedup over Apache's fastest build, by the share of absent fields."""
    columns = [
        (percent, payload, wire)
        for wire in ("", "_compact")
        for payload, percent in ABSENT.items()
        if payload in tasks.get("skip" + wire, {})
    ]
    heads = [f"{percent} %" + (", Compact" if wire else "") for percent, _, wire in columns]
    lines = ["| task | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(columns)]
    for task, own in CURVED.items():
        ratios = [
            report_goals.ratio_of(
                tasks,
                report_goals.Goal(
                    task + wire, payload, 1, own.replace("thriftlens", "thriftlens" + wire)
                ),
            )
            for _, payload, wire in columns
        ]
        if any(ratios):
            cells = " | ".join(f"{ratio:.1f}x" if ratio else "" for ratio in ratios)
            lines.append(f"| {task} | {cells} |")
    return lines


def growth_table(sizes):
    lines = [
        "| operation on | sizes | times | largest step for twice the size |",
        "|---|---|---|--:|",
    ]
    for name, points, step in growth(sizes):
        lines.append(
            f"| {name} | {points[0][0]} … {points[-1][0]} | "
            f"{', '.join(time_text(ns) for _, ns in points)} | {step:.2f}x |"
        )
    return lines


def task_table(payloads):
    lines = [
        "| payload | contestant | time | x | allocations | MB/s | spread |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for payload in sorted(payloads, key=order):
        contestants = payloads[payload]
        own = reference(contestants)
        for name in sorted(contestants, key=lambda n: contestants[n].get("ns", 0)):
            measured = contestants[name]
            if "ns" not in measured:
                continue
            ratio = f"{measured['ns'] / contestants[own]['ns']:.2f}" if own else ""
            lines.append(
                f"| {payload} | {name} | {time_text(measured['ns'])} | {ratio} | "
                f"{measured.get('allocs', '')} | {measured.get('mb_per_s', '')} | "
                f"{measured.get('cv', '')} |"
            )
    return lines


def markdown(result):
    tasks = result["tasks"]
    reached, measured = report_goals.score(tasks)
    lines = [
        f"# {result['machine']}",
        "",
        f"{result['date']}, commit {result['commit']}, {result['compiler']}, `{result['flags']}`. "
        "CPU time of one operation, median of the repetitions;",
        "`x`: time divided by that of thriftlens. A limit does less than the task.",
        "",
        "## Against the fastest peer of each task",
        "",
        "Time of thriftlens, time of the fastest peer, speedup.",
        "",
        *table(tasks, HEADLINE),
        "",
        "## Small and large messages",
        "",
        *table(tasks, OTHER_SIZES),
        "",
    ]
    if "varied_0" in tasks.get("skip", {}):
        lines += [
            "## Messages that vary",
            "",
            "Speedup over the fastest build of Apache, by the share of absent fields "
            f"([chart]({result['machine']}-absent.svg)).",
            "",
            *absent_table(tasks),
            "",
        ]
    lines += [
        "## Goals",
        "",
        f"{reached} of {measured} goals are reached.",
        "",
        *report_goals.lines(tasks),
        "",
    ]
    if "growth" in tasks:
        lines += [
            "## growth",
            "",
            f"Linear is 2x a step; the goal is at most {report_goals.LARGEST_STEP}x.",
            "",
            *growth_table(tasks["growth"]),
            "",
        ]
    for task, payloads in sorted(tasks.items()):
        if task != "growth":
            lines += [f"## {task}", "", *task_table(payloads), ""]
    return "\n".join(lines)


def newest():
    """The newest results of a run without -march=native, or None."""
    results = [
        json.loads(file.read_text())
        for file in sorted(RESULTS.glob("*.json"))
        if not file.stem.endswith("-native")
    ]
    return max(results, key=lambda result: result["date"], default=None)


NO_RESULTS = "`bash scripts/bench.sh` writes the results of this version; none are recorded."


def paragraph(*sentences):
    return textwrap.fill(" ".join(sentences), 120, break_long_words=False, break_on_hyphens=False)


def chart(result, folder, name, text):
    return f"![{text}]({folder}bench/results/{result['machine']}-{name}.svg)"


OVERVIEW_TEXT = (
    "CPU time per task, for one message of 6.5 KB and for messages with absent fields. Dots are "
    "thriftlens, other marks Apache Thrift's generated C++ code, dynamicgo, Frugal and Kitex; grey "
    "marks are limits such as memcpy."
)


def overview_block(result, folder):
    """Chart and ratios of the first pages."""
    tasks = result["tasks"]

    def ratios(task, own):
        cells = [cell(tasks, Row(task, task, own), payload, "", False) for payload in HEADLINE]
        return " and ".join(text.rpartition(", ")[2] for text in cells if ", " in text)

    texts = [
        f"{label} {ratios(task, own)}"
        for label, task, own in [
            ("skip", "skip", "thriftlens"),
            ("read one field", "get_one", "thriftlens"),
            ("trim", "trim", "thriftlens"),
            ("change one field", "set_one", "thriftlens_kept"),
            ("Thrift to JSON", "thrift_to_json", "thriftlens"),
            ("JSON to Thrift", "json_to_thrift", "thriftlens"),
            ("decode into owned objects", "decode", "thriftlens_std"),
        ]
        if ratios(task, own)
    ]
    return "\n\n".join(
        [
            chart(result, folder, "overview", OVERVIEW_TEXT),
            paragraph(
                "CPU time per operation; further left is faster. The left panel repeats one "
                "message of 6.5 KB; the right panel cycles through 512 messages of 3.5 KB in which "
                "a quarter of the fields is absent. Speedups over the fastest peer, on both: "
                f"{'; '.join(texts)}."
            ),
        ]
    )


def performance_block(result, folder):
    return "\n".join(
        [
            *table(result["tasks"], HEADLINE, with_peer=False),
            "",
            *table(result["tasks"], OTHER_SIZES, with_peer=False),
            "",
            chart(result, folder, "absent", "CPU time by the share of absent fields, by task"),
            "",
            *absent_table(result["tasks"]),
            "",
            paragraph(
                f"One run on {result['machine']}, {result['date']}, commit {result['commit']}, "
                f"`{result['flags']}`. The last table divides the time of Apache's fastest build "
                "by ours."
            ),
        ]
    )


def results_block(result, folder):
    reached, measured = report_goals.score(result["tasks"])
    name = result["machine"]
    return paragraph(
        f"Results: [{name}]({folder}bench/results/{name}.md), {result['date']}, commit "
        f"{result['commit']}, {result['compiler']}, `{result['flags']}`. {reached} of {measured} "
        "goals are reached; the file lists each goal beside its measurement."
    ).replace(f"({folder}bench/", "(")


# What each page quotes, between the comments <!-- results --> and <!-- /results -->.
PAGES = {
    "README.md": (overview_block, ""),
    "docs/site/index.md": (overview_block, "../../"),
    "docs/performance.md": (performance_block, "../"),
    "bench/README.md": (results_block, "../"),
}
QUOTED = re.compile(r"(?<=<!-- results -->\n).*?(?=\n<!-- /results -->)", re.S)


def write_docs(is_check):
    """Returns the pages that quoted other results."""
    result = newest()
    changed = []
    for page, (block, folder) in PAGES.items():
        old = (ROOT / page).read_text(encoding="utf-8")
        text = block(result, folder) if result else NO_RESULTS
        new, count = QUOTED.subn(lambda _, text=text: text, old)
        if count != 1:
            raise SystemExit(f"{page} has {count} blocks <!-- results -->; expected 1")
        if new != old:
            changed.append(page)
            if not is_check:
                (ROOT / page).write_text(new, encoding="utf-8")
    return changed


def main():
    if sys.argv[1:] == ["--machine"]:
        return print(machine())
    if sys.argv[1:2] == ["--table"]:
        return print("\n".join(table(load(sys.argv[2:]), HEADLINE)))
    if sys.argv[1:2] == ["--docs"]:
        is_check = sys.argv[2:] == ["--check"]
        changed = write_docs(is_check)
        if is_check and changed:
            sys.exit(f"these pages quote other results: {', '.join(changed)}; run report.py --docs")
        return None
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--name", required=True)
    arguments.add_argument("--flags", default="")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("raw", nargs="+")
    options = arguments.parse_args()
    result = {
        "machine": options.name,
        "date": date.today().isoformat(),
        "commit": first_line("git", "rev-parse", "--short=8", "HEAD"),
        "compiler": first_line("c++", "--version"),
        "flags": options.flags,
        "tasks": load(options.raw),
    }
    (options.out / f"{options.name}.json").write_text(
        json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    )
    (options.out / f"{options.name}.md").write_text(markdown(result))
    report_charts.draw(result, options.out)


if __name__ == "__main__":
    main()
