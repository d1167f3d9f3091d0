"""Goals of issue 38 and what a run reached."""

from typing import NamedTuple

Times = dict[str, dict[str, float]]
Tasks = dict[str, dict[str, Times]]

ABSENT = {"varied_0": 0, "varied_10": 10, "medium_varied": 25, "varied_50": 50}
JSON_STYLES = ("sonic", "dumps", "spaces", "indented", "sorted", "shuffled")

# Tasks of the curve over absent fields and this library's contestant.
CURVED = {
    "skip": "thriftlens",
    "get_one": "thriftlens",
    "get_many": "thriftlens",
    "trim": "thriftlens",
    "set_one": "thriftlens_kept",
    "set_many": "thriftlens_kept",
    "thrift_to_json": "thriftlens",
    "json_to_thrift": "thriftlens",
}


class Goal(NamedTuple):
    """`against` takes at least `ratio` times as long as `own`; 0.5: `own` at most twice as long."""

    task: str
    payload: str
    ratio: float
    own: str = "thriftlens"
    against: str = "apache"  # the fastest build; "dearest" is the slowest limit of the task


def goals_of(task, payloads, *names):
    return [Goal(task, payload, ratio, *names) for payload, ratio in payloads.items()]


def small_medium(small, medium):
    return {"small": small, "medium": medium}


EDIT = "thriftlens_kept"
COMPACT, COMPACT_EDIT = "thriftlens_compact", "thriftlens_compact_kept"

GOALS = {
    "Messages that vary": [
        *(Goal(task, "medium_varied", 6) for task in ("skip", "get_one", "get_many", "trim")),
        *(Goal(task, "medium_varied", 8, EDIT) for task in ("set_one", "set_many")),
        Goal("thrift_to_json", "medium_varied", 8),
        Goal("json_to_thrift", "medium_varied", 5),
    ],
    "Small messages": [
        Goal("trim", "small", 7),
        Goal("set_one", "small", 6, EDIT),
        Goal("set_many", "small", 5, EDIT),
        Goal("rewrite", "small", 1 / 1.3, "limit_redact", "limit_trim"),
        *goals_of("rewrite", small_medium(1 / 1.3, 1 / 1.3), "thriftlens", "dearest"),
    ],
    "Compact": [
        *goals_of("skip_compact", small_medium(7, 7), COMPACT),
        *goals_of("get_one_compact", small_medium(5, 8), COMPACT),
        *goals_of("get_many_compact", small_medium(5, 12), COMPACT),
        *goals_of("trim_compact", small_medium(4, 6), COMPACT),
        *goals_of("set_one_compact", small_medium(4, 14), COMPACT_EDIT),
        *goals_of("set_many_compact", small_medium(4, 14), COMPACT_EDIT),
        Goal("thrift_to_json_compact", "medium_varied", 8, COMPACT),
        Goal("json_to_thrift_compact", "medium_varied", 5, COMPACT),
    ],
    "JSON in, against simdjson's DOM": [
        Goal("json_to_thrift", payload, 1, "thriftlens", "limit_simdjson_dom")
        for payload in (
            *("medium", "medium_varied", "1mb", "6mb"),
            *(f"medium_{style}" for style in JSON_STYLES),
        )
    ],
    "Objects": [
        *goals_of("decode", small_medium(1.5, 1.2), "thriftlens_std"),
        *goals_of("encode", small_medium(5, 3.5), "thriftlens_std"),
        Goal("encode", "6mb", 1 / 1.2, "thriftlens_views", "limit_memcpy"),
    ],
    "Other tasks": [
        *goals_of("skip", small_medium(12, 11)),
        Goal("skip", "1mb", 1 / 4, "thriftlens", "limit_memcpy"),
        *goals_of("get_one", small_medium(8, 12)),
        *goals_of("get_many", small_medium(7, 16)),
        Goal("trim", "medium", 7.5),
        Goal("set_one", "medium", 20, EDIT),
        Goal("set_many", "medium", 20, EDIT),
        Goal("load_reuse", "medium", 5, "thriftlens", "dynamicgo"),
        Goal("write", "medium", 10, "thriftlens", "dynamicgo"),
        *goals_of("decode", small_medium(12, 15), "thriftlens_views"),
        *goals_of("decode", small_medium(4, 4), "thriftlens_std_reused"),
        Goal("list_i64_decode", "1mb", 1 / 1.2, "thriftlens", "limit_memcpy"),
        *goals_of("thrift_to_json", small_medium(8, 7.5)),
        *goals_of("json_to_thrift", small_medium(4, 4)),
        *goals_of(
            "idl_load",
            {"ThriftTest": 10, "hive_metastore": 10, "evernote": 10, "doris_frontend": 100},
            "thriftlens",
            "apache_compiler",
        ),
    ],
}
LARGEST_STEP = 2.2  # of growth, for twice the size
FREE_OF_ALLOCATIONS = ("skip", "get_one", "get_many", "get_again", "load_reuse")
# Goals of the issue that other programs measure.
ELSEWHERE = [
    ("JSON in on each SIMD level", "bench/README.md, 'JSON from other writers'"),
    ("Parquet footers into objects", "bench/footer/run.py"),
    ("columns, records, two threads", "bench/columns/run.py, bench/records/run.py"),
    ("calls of clients and servers", "bench/python/calls.py, thriftlens_bench_asio"),
    ("gateway", "bench/gateway/run.py"),
]


def fastest(contestants: Times, prefix: str = "") -> "str | None":
    """The fastest peer; limits are no peers."""
    peers = {
        name: result["ns"]
        for name, result in contestants.items()
        if name.startswith(prefix)
        and not name.startswith(("thriftlens", "limit_"))
        and "ns" in result
    }
    return min(peers, key=peers.__getitem__) if peers else None


def opponent(contestants: Times, against: str) -> "str | None":
    if against == "apache":
        return fastest(contestants, "apache_")
    if against == "dearest":
        limits = [n for n in contestants if n.startswith("limit_") and "ns" in contestants[n]]
        return max(limits, key=lambda name: contestants[name]["ns"], default=None)
    return against if "ns" in contestants.get(against, {}) else None


def ratio_of(tasks: Tasks, goal: Goal) -> "float | None":
    contestants = tasks.get(goal.task, {}).get(goal.payload, {})
    against = opponent(contestants, goal.against)
    if against is None or "ns" not in contestants.get(goal.own, {}):
        return None
    return contestants[against]["ns"] / contestants[goal.own]["ns"]


def compact_structs(tasks: Tasks) -> "list[Goal]":
    """decode and encode of Compact: 0.7 of the ratio that Binary has in the same run."""
    goals = []
    for task in ("decode", "encode"):
        for payload in ("small", "medium"):
            binary = ratio_of(tasks, Goal(task, payload, 1, "thriftlens_std"))
            if binary:
                goals.append(Goal(f"{task}_compact", payload, 0.7 * binary, "thriftlens_std"))
    return goals


def row(task, payload, own, against, goal, measured, is_reached):
    verdict = "reached" if is_reached else "**missed**"
    return f"| {task} | {payload} | {own} | {against} | {goal} | {measured} | {verdict} |"


def ratio_row(tasks: Tasks, goal: Goal) -> "str | None":
    ratio = ratio_of(tasks, goal)
    if ratio is None:
        return None
    is_factor = goal.against != "dearest" and (goal.ratio >= 1 or "_compact" in goal.task)
    texts = [
        f"{value:.1f}x" if is_factor else f"at most {1 / value:.2f}"
        for value in (goal.ratio, ratio)
    ]
    measured = texts[1].removeprefix("at most ")
    against = opponent(tasks[goal.task][goal.payload], goal.against)
    return row(
        *(goal.task, goal.payload, goal.own, against, texts[0], measured, ratio >= goal.ratio)
    )


def allocation_rows(tasks: Tasks) -> "list[str]":
    rows = []
    for task in (name + wire for name in FREE_OF_ALLOCATIONS for wire in ("", "_compact")):
        # Larger messages run too few times to hide the allocations of the first run.
        counted = [
            (result["allocs"], payload, name)
            for payload in ("small", "medium")
            for name, result in tasks.get(task, {}).get(payload, {}).items()
            if name.startswith("thriftlens") and "allocs" in result
        ]
        if counted:
            count, payload, name = max(counted)
            rows.append(row(task, payload, name, "allocations", "0", f"{count:g}", count == 0))
    return rows


def growth(sizes) -> "list[tuple[str, list[tuple[int, float]], float]]":
    """Operations: (name, [(size, ns)...], the largest step from a size to its double)."""
    operations = {}
    for payload, contestants in sizes.items():
        name, size = payload.rsplit("_", 1)
        if "ns" in contestants.get("thriftlens", {}):
            operations.setdefault(name.replace("_", ": ", 1), []).append(
                (int(size), contestants["thriftlens"]["ns"])
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


def other_rows(tasks: Tasks) -> "list[str]":
    rows = []
    for payload, timed in sorted(tasks.get("fields", {}).items()):
        peer = fastest(timed)
        if peer and "ns" in timed.get("thriftlens", {}):
            ratio = timed[peer]["ns"] / timed["thriftlens"]["ns"]
            rows.append(
                row("fields", payload, "thriftlens", peer, "1.0x", f"{ratio:.1f}x", ratio >= 1)
            )
    steps = growth(tasks.get("growth", {}))
    if steps:
        name, _, step = max(steps, key=lambda operation: operation[2])
        rows.append(
            row(
                *("growth", name, "thriftlens", "half the size", f"at most {LARGEST_STEP}x"),
                *(f"{step:.2f}x", step <= LARGEST_STEP),
            )
        )
    return rows + allocation_rows(tasks)


def sections(tasks: Tasks) -> "list[tuple[str, list[str]]]":
    """Title and table rows of each group of goals that this run measured."""
    result = []
    for title, goals in GOALS.items():
        more = compact_structs(tasks) if title == "Compact" else []
        rows = [text for goal in (*goals, *more) if (text := ratio_row(tasks, goal))]
        if title == "Other tasks":
            rows += other_rows(tasks)
        if rows:
            result.append((title, rows))
    return result


def score(tasks: Tasks) -> "tuple[int, int]":
    """Goals reached, goals measured."""
    rows = [text for _, rows in sections(tasks) for text in rows]
    return sum(text.endswith("| reached |") for text in rows), len(rows)


def lines(tasks: Tasks) -> "list[str]":
    text = []
    for title, rows in sections(tasks):
        text += [
            f"### {title}",
            "",
            "| task | payload | thriftlens | against | goal | measured | |",
            "|---|---|---|---|--:|--:|---|",
            *rows,
            "",
        ]
    text += ["### Measured by other programs", "", "| goal | program |", "|---|---|"]
    return text + [f"| {goal} | {program} |" for goal, program in ELSEWHERE]
