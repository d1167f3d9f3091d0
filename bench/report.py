#!/usr/bin/env python3
"""Medians of a benchmark run as JSON, as Markdown with ratios and as charts.

usage: report.py --machine                                       prints the processor's name as a
file name
       report.py --table RAW...        prints the table of tasks beside their fastest peers
       report.py --name NAME --flags FLAGS --out FOLDER RAW...    RAW: google-benchmark's JSON, or
       what bench/peers and bench/python write
"""

import argparse
import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAYLOADS = ["small", "medium", "medium_varied", "1mb", "6mb"]
GROUPS = {
    "read": ["skip", "get_one", "get_many", "trim"],
    "change": ["set_one", "set_many", "load_reuse", "write"],
    "struct": ["decode", "encode"],
    "json": ["thrift_to_json", "json_to_thrift"],
    "column": ["list_i64_decode", "list_i64_encode", "list_i64_sum"],
    "idl": ["idl_load"],
    "python": [
        "python_decode",
        "python_encode",
        "python_get_one",
        "python_to_json",
        "python_from_json",
    ],
}

# Goals: how many times faster than the contestant `against` (below 1: at most that multiple of its
# time).
GOALS = [
    ("skip", "thriftlens", "apache_templates", {"small": 12, "medium": 11, "medium_varied": 7.3}),
    ("skip", "thriftlens", "limit_memcpy", {"1mb": 1 / 4}),
    ("get_one", "thriftlens", "apache_templates", {"small": 8, "medium": 12, "medium_varied": 8}),
    (
        "get_many",
        "thriftlens",
        "apache_templates",
        {"small": 7, "medium": 16, "medium_varied": 10.7},
    ),
    ("trim", "thriftlens", "apache_templates", {"small": 7, "medium": 7.5, "medium_varied": 5}),
    (
        "set_one",
        "thriftlens",
        "apache_templates",
        {"small": 8, "medium": 20, "medium_varied": 13.3},
    ),
    (
        "set_one",
        "thriftlens_kept",
        "apache_templates",
        {"small": 8, "medium": 20, "medium_varied": 13.3},
    ),
    (
        "set_many",
        "thriftlens",
        "apache_templates",
        {"small": 8, "medium": 20, "medium_varied": 13.3},
    ),
    (
        "set_many",
        "thriftlens_kept",
        "apache_templates",
        {"small": 8, "medium": 20, "medium_varied": 13.3},
    ),
    ("load_reuse", "thriftlens", "dynamicgo", {"medium": 5}),
    ("write", "thriftlens", "dynamicgo", {"medium": 10}),
    ("encode", "thriftlens_std", "apache_templates", {"small": 12, "medium": 4.5}),
    ("encode", "thriftlens_views", "limit_memcpy", {"6mb": 1 / 1.2}),
    ("decode", "thriftlens_views", "apache_templates", {"small": 12, "medium": 15}),
    ("decode", "thriftlens_std", "apache_templates", {"small": 2.3, "medium": 1.3}),
    ("decode", "thriftlens_std_reused", "apache_templates", {"small": 4, "medium": 4}),
    ("list_i64_decode", "thriftlens", "limit_memcpy", {"1mb": 1 / 1.2}),
    ("thrift_to_json", "thriftlens", "apache_templates", {"small": 8, "medium": 7.5}),
    ("json_to_thrift", "thriftlens", "apache_templates", {"small": 4, "medium": 4}),
    (
        "json_to_thrift",
        "thriftlens",
        "limit_simdjson_dom",
        {"small": 1, "medium": 1, "medium_varied": 1, "1mb": 1, "6mb": 1}
        | {
            f"medium_{writer}": 1
            for writer in ("sonic", "dumps", "spaces", "indented", "sorted", "shuffled")
        },
    ),
    (
        "idl_load",
        "thriftlens",
        "apache_compiler",
        {"ThriftTest": 10, "hive_metastore": 10, "evernote": 10, "doris_frontend": 100},
    ),
]
LENS = ("skip", "get_one", "get_many", "trim", "set_one", "set_many")
LONGEST_NS = [
    ("get_again", "small", 30),
    ("get_again", "medium", 30),
    ("thrift_to_json", "medium", 3500),
]
FREE_OF_ALLOCATIONS = (
    "skip",
    "get_one",
    "get_many",
    "get_again",
    "load_reuse",
    "skip_compact",
    "get_one_compact",
    "get_many_compact",
    "load_reuse_compact",
)


def machine():
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    match = re.search(r"model name\s*: (.*)", text)
    return re.sub(r"[^a-z0-9]+", "-", (match.group(1) if match else "unknown").lower()).strip("-")


def compiler():
    return subprocess.run(["c++", "--version"], capture_output=True, text=True).stdout.split("\n")[
        0
    ]


def load(files):
    """{task: {payload: {contestant: {ns, allocs, mb_per_s, cv, wire}}}}"""
    tasks = {}
    for file in files:
        only_counts = Path(file).stem == "counted"
        benchmarks = json.loads(Path(file).read_text())["benchmarks"]
        for benchmark in benchmarks:
            if benchmark.get("aggregate_name", "median") not in ("median", "cv"):
                continue
            task, payload, name = benchmark.get("run_name", benchmark["name"]).split("/")[:3]
            entry = tasks.setdefault(task, {}).setdefault(payload, {}).setdefault(name, {})
            if only_counts:
                if "allocs" in benchmark and "manual_time" not in benchmark["name"]:
                    entry["allocs"] = round(benchmark["allocs"], 2)
                continue
            # Child processes report their own time as the wall time.
            time = (
                benchmark["real_time"]
                if "manual_time" in benchmark["name"]
                else benchmark["cpu_time"]
            )
            if benchmark.get("aggregate_name") == "cv":
                entry["cv"] = round(time, 3)
                continue
            entry["ns"] = round(
                time * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[benchmark["time_unit"]], 2
            )
            for key, to, scale in [
                ("allocs", "allocs", 1),
                ("bytes_per_second", "mb_per_s", 1e-6),
                ("wire", "wire", 1),
            ]:
                if key in benchmark and "manual_time" not in benchmark["name"]:
                    entry[to] = round(benchmark[key] * scale, 2 if key == "allocs" else 0)
    return tasks


def order(payload):
    return (PAYLOADS.index(payload), "") if payload in PAYLOADS else (len(PAYLOADS), payload)


def reference(contestants):
    """The contestant of this library that does the same work as the peers."""
    own = [
        name for name in contestants if name.startswith("thriftlens") and "ns" in contestants[name]
    ]
    for suffix in ("thriftlens", "thriftlens_compact", "thriftlens_std"):
        if suffix in own:
            return suffix
    return min(own, key=lambda name: contestants[name]["ns"]) if own else None


def time_text(ns):
    for unit, scale in (("ns", 1), ("µs", 1e3), ("ms", 1e6)):
        if ns < 1000 * scale or unit == "ms":
            return f"{ns / scale:.3g} {unit}" if ns / scale < 1000 else f"{ns / scale:.0f} {unit}"


def fastest_peer(contestants):
    peers = {
        n: v["ns"]
        for n, v in contestants.items()
        if not n.startswith(("thriftlens", "limit_")) and "ns" in v
    }
    return min(peers, key=peers.get) if peers else None


def cell(contestants):
    """Our time, the fastest peer's, how many times faster."""
    own, peer = reference(contestants), fastest_peer(contestants)
    if own is None:
        return ""
    ns = contestants[own]["ns"]
    if peer is None:
        return time_text(ns)
    other = contestants[peer]["ns"]
    return f"{time_text(ns)}, {time_text(other)}, {other / ns:.1f}x"


def summary(tasks):
    """Tasks by payloads, Binary beside Compact: time, that of the fastest peer in the same row of
    the results, ratio.
    """
    used = [
        (payload, wire)
        for payload in ("medium", "medium_varied", "small", "1mb", "6mb")
        for wire in ("", "_compact")
        if any(payload in tasks.get(task + wire, {}) for task in (*LENS, *GROUPS["json"]))
    ]
    heads = [payload + (", Compact" if wire else "") for payload, wire in used]
    lines = ["| task | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(used)]
    for task in [
        t for group in ("read", "change", "struct", "json", "column") for t in GROUPS[group]
    ]:
        cells = [cell(tasks.get(task + wire, {}).get(payload, {})) for payload, wire in used]
        if any(cells):
            lines.append(f"| {task} | " + " | ".join(cells) + " |")
    return lines


def compared():
    """GOALS, and those of the lens for Compact beside Apache's Compact."""
    yield from GOALS
    for task, own, against, payloads in GOALS:
        if task in LENS and against == "apache_templates":
            yield (
                f"{task}_compact",
                own.replace("thriftlens", "thriftlens_compact"),
                "apache_compact",
                payloads,
            )


def goals(tasks):
    rows = []

    def row(task, payload, own, against, goal, measured, reached):
        rows.append(
            f"| {task} | {payload} | {own} | {against} | {goal} | {measured} | "
            f"{'reached' if reached else 'missed'} |"
        )

    for task, own, against, payloads in compared():
        for payload, goal in payloads.items():
            timed = tasks.get(task, {}).get(payload, {})
            if "ns" not in timed.get(own, {}) or "ns" not in timed.get(against, {}):
                continue
            ratio = timed[against]["ns"] / timed[own]["ns"]
            times = (lambda x: f"{x:.1f}x") if goal >= 1 else (lambda x: f"{1 / x:.2f} of its time")
            row(task, payload, own, against, times(goal), times(ratio), ratio >= goal)
    for task, payload, goal in LONGEST_NS:
        ns = tasks.get(task, {}).get(payload, {}).get("thriftlens", {}).get("ns")
        if ns:
            row(task, payload, "thriftlens", "", time_text(goal), time_text(ns), ns <= goal)
    for payload, timed in sorted(tasks.get("fields", {}).items()):
        peer = fastest_peer(timed)
        if peer and "ns" in timed.get("thriftlens", {}):
            ratio = timed[peer]["ns"] / timed["thriftlens"]["ns"]
            row(
                "fields",
                payload,
                "thriftlens",
                f"{peer}, the fastest",
                "1.0x",
                f"{ratio:.2f}x",
                ratio >= 1,
            )
    if "growth" in tasks:
        name, step = max(
            ((name, step) for name, _, step in growth(tasks["growth"])), key=lambda pair: pair[1]
        )
        row(
            "growth",
            name,
            "thriftlens",
            "half the size",
            "2.5x at most",
            f"{step:.2f}x",
            step <= 2.5,
        )
    for task in FREE_OF_ALLOCATIONS:
        # Of the larger messages too few are done in the time to hide what the first of them takes.
        counted = [
            (result["allocs"], payload, name)
            for payload in ("small", "medium")
            for name, result in tasks.get(task, {}).get(payload, {}).items()
            if name.startswith("thriftlens") and "allocs" in result
        ]
        if counted:
            count, payload, name = max(counted)
            row(task, payload, name, "allocations", "0", f"{count:g}", count == 0)
    return [
        "| task | payload | thriftlens | against | goal | measured | |",
        "|---|---|---|---|--:|--:|---|",
        *rows,
    ]


def growth(sizes):
    """Operations: [name, [(size, ns)...], the largest step from a size to its double]."""
    operations = {}
    for payload, row in sizes.items():
        name, size = payload.rsplit("_", 1)
        if "ns" in row.get("thriftlens", {}):
            operations.setdefault(name.replace("_", ": ", 1), []).append(
                (int(size), row["thriftlens"]["ns"])
            )
    result = []
    for name, points in sorted(operations.items()):
        points.sort()
        steps = [
            (right / lower) / (more / fewer) * 2
            for (fewer, lower), (more, right) in zip(points, points[1:])
        ]
        if steps:
            result.append((name, points, max(steps)))
    return result


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


def markdown(result):
    lines = [
        f"# {result['machine']}",
        "",
        f"{result['date']}, {result['compiler']}, `{result['flags']}`. CPU time of one operation, "
        "median of the repetitions;",
        "`x`: how often that contestant's time contains thriftlens's. Limits do less than the "
        "task.",
        "",
        "## Against the fastest peer of each task",
        "",
        "Our time, the peer's, how many times faster.",
        "",
        *summary(result["tasks"]),
        "",
        "## Goals",
        "",
        *goals(result["tasks"]),
        "",
    ]
    if "growth" in result["tasks"]:
        lines += [
            "## growth",
            "",
            "Linear is 2x a step; 2.5x at most was aimed at.",
            "",
            *growth_table(result["tasks"]["growth"]),
            "",
        ]
    for task, payloads in sorted(result["tasks"].items()):
        if task == "growth":
            continue
        lines += [
            f"## {task}",
            "",
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
        lines.append("")
    return "\n".join(lines)


def style(plt):
    plt.rcParams.update(
        {
            "svg.hashsalt": "thriftlens",
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )


def colour(name):
    return (
        "#1b6ca8"
        if name.startswith("thriftlens")
        else "#b0b0b0"
        if name.startswith("limit_")
        else "#d98c4a"
    )


def bars(plt, tasks, names, title, file):
    """One panel a task; bars of the Medium message (or the only one), log scale; limits hatched."""
    shown = [
        (task, payload)
        for task in names
        if task in tasks
        for payload in (["medium"] if "medium" in tasks[task] else sorted(tasks[task]))
    ]
    if not shown:
        return
    rows = [len(tasks[task][payload]) for task, payload in shown]
    figure, panels = plt.subplots(
        len(shown),
        1,
        figsize=(8, 0.55 * len(shown) + 0.23 * sum(rows)),
        gridspec_kw={"height_ratios": [r + 1 for r in rows]},
        squeeze=False,
    )
    for (task, payload), panel in zip(shown, panels[:, 0]):
        entries = sorted(
            ((v["ns"], n) for n, v in tasks[task][payload].items() if "ns" in v), reverse=True
        )
        drawn = panel.barh(
            [n for _, n in entries],
            [ns for ns, _ in entries],
            color=[colour(n) for _, n in entries],
            height=0.7,
        )
        for bar, (ns, name) in zip(drawn, entries):
            if name.startswith("limit_"):
                bar.set_hatch("///")
            panel.text(
                ns * 1.05,
                bar.get_y() + bar.get_height() / 2,
                time_text(ns),
                va="center",
                fontsize=8,
            )
        panel.set_xscale("log")
        panel.set_xlim(entries[-1][0] / 2, entries[0][0] * 2.5)
        panel.set_title(
            f"{task}, {payload}" if len(tasks[task]) > 1 else task, loc="left", fontsize=9
        )
        panel.tick_params(axis="x", labelsize=7)
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


# Marks of the overview: contestants, shape, colour, whether it is filled, text of the legend.
MARKS = [
    (("thriftlens", "thriftlens_std"), "o", "#0b5c8a", True, "thriftlens"),
    (
        ("thriftlens_kept", "thriftlens_std_reused"),
        "o",
        "#6fb7e0",
        True,
        "… edit or objects used again",
    ),
    (("thriftlens_views",), "o", "#0b5c8a", False, "… views"),
    (("thriftlens_views_reused",), "o", "#6fb7e0", False, "… views used again"),
    (("apache_templates",), "D", "#c2571a", True, "Apache C++, templates"),
    (("apache_virtual",), "D", "#c2571a", False, "Apache C++, virtual"),
    (("dynamicgo",), "^", "#7a3e9d", True, "dynamicgo"),
    (("frugal",), "s", "#2b8a3e", True, "Frugal"),
    (("kitex_generated",), "v", "#a61e4d", True, "Kitex, generated"),
    (("limit_memcpy",), "|", "#767676", True, "limit: memcpy"),
    (("limit_simdjson_dom",), "x", "#767676", True, "limit: simdjson's tree"),
    (("limit_rapidjson_dom",), "+", "#767676", True, "limit: RapidJSON's tree"),
]
LABELS = {
    "get_one": "get one field",
    "get_many": "get several fields",
    "set_one": "change one field",
    "set_many": "change several",
    "load_reuse": "load a document",
    "write": "write a document",
    "thrift_to_json": "Thrift to JSON",
    "json_to_thrift": "JSON to Thrift",
}


def mark(name):
    return next(mark for mark in MARKS if name in mark[0])


def overview(plt, tasks, file):
    """One row a task, Medium: every contestant by a mark of its own; the time of thriftlens is
    written out.
    """
    shown = [
        t
        for group in ("read", "change", "struct", "json")
        for t in GROUPS[group]
        if "medium" in tasks.get(t, {})
    ][::-1]
    figure, panel = plt.subplots(figsize=(8, 0.36 * len(shown) + 1.8))
    for row, task in enumerate(shown):
        contestants = {n: v["ns"] for n, v in tasks[task]["medium"].items() if "ns" in v}
        own = reference(tasks[task]["medium"])
        slowest = max(ns for n, ns in contestants.items() if not n.startswith("limit_"))
        panel.plot([contestants[own], slowest], [row, row], color="#dddddd", linewidth=1, zorder=0)
        panel.annotate(
            time_text(contestants[own]),
            (contestants[own], row),
            (0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color="#0b5c8a",
        )
        for name, ns in contestants.items():
            _, shape, fill, filled, _ = mark(name)
            panel.scatter(
                ns,
                row,
                marker=shape,
                s=44 if shape in "|x+" else 34,
                linewidths=1.4,
                zorder=3 if shape == "o" else 2,
                **({"color": fill} if filled else {"facecolors": "white", "edgecolors": fill}),
            )
    panel.set_yticks(range(len(shown)), [LABELS.get(task, task) for task in shown], fontsize=10)
    panel.set(
        xscale="log",
        xlabel="CPU time of one operation on a message of 6.5 KB",
        ylim=(-0.6, len(shown) - 0.3),
    )
    panel.xaxis.set_major_formatter(lambda ns, _: time_text(ns))
    used = {mark(name)[4] for task in shown for name in tasks[task]["medium"]}
    lines = [
        (
            plt.Line2D(
                [],
                [],
                marker=shape,
                color=fill,
                linestyle="",
                markersize=6,
                markerfacecolor=fill if filled else "white",
            ),
            text,
        )
        for _, shape, fill, filled, text in MARKS
        if text in used
    ]
    figure.legend(
        *zip(*lines),
        fontsize=9,
        loc="upper center",
        ncol=3,
        frameon=False,
        handletextpad=0.2,
        columnspacing=1.5,
    )
    figure.tight_layout(
        rect=(0, 0, 1, 1 - 0.2 * -(-len(lines) // 3) / figure.get_figheight() - 0.02)
    )
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def curve(plt, payloads, file):
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True)
    for panel, suffix, title in zip(
        panels, ("", "_map"), ("without a map", "with a map of as many entries")
    ):
        points = {}
        for payload, contestants in payloads.items():
            if payload.endswith("_map") == bool(suffix):
                for name, result in contestants.items():
                    points.setdefault(name, []).append((int(payload.split("_")[0]), result["ns"]))
        for name, line in sorted(points.items()):
            xs, ys = zip(*sorted(line))
            panel.plot(
                xs,
                ys,
                marker="o",
                markersize=3,
                label=name,
                linewidth=2.2 if name == "thriftlens" else 1.2,
            )
        panel.set(xscale="log", yscale="log", xlabel="fields", title=title)
    panels[0].set_ylabel("ns")
    panels[0].legend(fontsize=7)
    figure.suptitle("build, write and read five fields", fontsize=10, x=0.01, ha="left")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def charts(result, out):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    style(plt)
    for group, names in GROUPS.items():
        bars(
            plt,
            result["tasks"],
            names,
            "CPU time of one operation in ns; hatched: a limit, not a contestant",
            out / f"{result['machine']}-{group}.svg",
        )
    overview(plt, result["tasks"], out / f"{result['machine']}-overview.svg")
    if "fields" in result["tasks"]:
        curve(plt, result["tasks"]["fields"], out / f"{result['machine']}-fields.svg")


def main():
    if sys.argv[1:] == ["--machine"]:
        return print(machine())
    if sys.argv[1:2] == ["--table"]:
        return print("\n".join(summary(load(sys.argv[2:]))))
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--name", required=True)
    arguments.add_argument("--flags", default="")
    arguments.add_argument("--out", type=Path, required=True)
    arguments.add_argument("raw", nargs="+")
    options = arguments.parse_args()
    result = {
        "machine": options.name,
        "date": date.today().isoformat(),
        "compiler": compiler(),
        "flags": options.flags,
        "tasks": load(options.raw),
    }
    (options.out / f"{options.name}.json").write_text(
        json.dumps(result, indent=1, ensure_ascii=False) + "\n"
    )
    (options.out / f"{options.name}.md").write_text(markdown(result))
    charts(result, options.out)


if __name__ == "__main__":
    main()
