"""Charts of a benchmark run."""

from report_goals import ABSENT, CURVED, fastest

TASKS = (
    *("skip", "get_one", "get_many", "trim", "set_one", "set_many", "load_reuse", "write"),
    *("decode", "encode", "thrift_to_json", "json_to_thrift"),
)
OVERVIEW = {"medium": "6.5 KB, always the same", "medium_varied": "3.5 KB, a quarter absent"}
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
    (("limit_yyjson_dom",), "1", "#767676", True, "limit: yyjson's tree"),
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


def time_text(ns):
    for unit, scale in (("ns", 1), ("µs", 1e3), ("ms", 1e6)):
        if ns < 1000 * scale or unit == "ms":
            return f"{ns / scale:.3g} {unit}" if ns / scale < 1000 else f"{ns / scale:.0f} {unit}"


def save(plt, figure, file):
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def mark(name):
    return next(mark for mark in MARKS if name in mark[0])


def timed(tasks, task, payload):
    contestants = tasks.get(task, {}).get(payload, {})
    return {name: result["ns"] for name, result in contestants.items() if "ns" in result}


def own_time(contestants):
    """The contestant that does the same work as the peers."""
    return contestants.get("thriftlens", contestants.get("thriftlens_std"))


def overview_panel(panel, tasks, payload, shown):
    for row, task in enumerate(shown):
        contestants = timed(tasks, task, payload)
        own = own_time(contestants)
        if own is None:
            continue
        slowest = max(ns for name, ns in contestants.items() if not name.startswith("limit_"))
        panel.plot([own, slowest], [row, row], color="#dddddd", linewidth=1, zorder=0)
        panel.annotate(
            time_text(own),
            (own, row),
            (0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color="#0b5c8a",
        )
        for name, ns in contestants.items():
            _, shape, fill, is_filled, _ = mark(name)
            panel.scatter(
                ns,
                row,
                marker=shape,
                s=44 if shape in "|x+1" else 34,
                linewidths=1.4,
                zorder=3 if shape == "o" else 2,
                **({"color": fill} if is_filled else {"facecolors": "white", "edgecolors": fill}),
            )
    panel.set(xscale="log", ylim=(-0.6, len(shown) - 0.3), title=OVERVIEW[payload])
    panel.xaxis.set_major_formatter(lambda ns, _: time_text(ns))


def overview(plt, tasks, file):
    """One row a task, a panel for Medium and one for messages that vary; a mark a contestant."""
    shown = [task for task in TASKS if "medium" in tasks.get(task, {})][::-1]
    figure, panels = plt.subplots(1, 2, figsize=(11, 0.36 * len(shown) + 2), sharey=True)
    for panel, payload in zip(panels, OVERVIEW):
        overview_panel(panel, tasks, payload, shown)
    panels[0].set_yticks(range(len(shown)), [LABELS.get(task, task) for task in shown], fontsize=10)
    figure.supxlabel("CPU time of one operation", fontsize=9)
    used = {
        mark(name)[4]
        for task in shown
        for payload in OVERVIEW
        for name in timed(tasks, task, payload)
    }
    legend = [
        (
            plt.Line2D(
                [],
                [],
                marker=shape,
                color=fill,
                linestyle="",
                markersize=6,
                markerfacecolor=fill if is_filled else "white",
            ),
            text,
        )
        for _, shape, fill, is_filled, text in MARKS
        if text in used
    ]
    figure.legend(
        *zip(*legend),
        fontsize=9,
        loc="upper center",
        ncol=4,
        frameon=False,
        handletextpad=0.2,
        columnspacing=1.5,
    )
    height = figure.get_figheight()
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.2 * -(-len(legend) // 4) / height - 0.02))
    save(plt, figure, file)


def absent_lines(tasks, task):
    """{label: [(% absent, ns)...]} of one task, ours and the peers'."""
    own = CURVED[task]
    points = {}
    for payload, percent in ABSENT.items():
        for wire, label in (("", ""), ("_compact", ", Compact")):
            times = timed(tasks, task + wire, payload)
            results = tasks.get(task + wire, {}).get(payload, {})
            names = {
                "thriftlens" + label: own.replace("thriftlens", "thriftlens" + wire),
                "Apache" + label: fastest(results, "apache_"),
                "dynamicgo" + label: "dynamicgo",
                "limit: memcpy" + label: "limit_memcpy",
            }
            for text, name in names.items():
                if name in times:
                    points.setdefault(text, []).append((percent, times[name]))
    return points


def absent(plt, tasks, file):
    shown = [task for task in CURVED if "varied_0" in tasks.get(task, {})]
    if not shown:
        return
    figure, panels = plt.subplots(2, 4, figsize=(11, 5.5), sharex=True, squeeze=False)
    colours = {"thriftlens": "#0b5c8a", "Apache": "#c2571a", "dynamicgo": "#7a3e9d"}
    legend = {}
    for task, panel in zip(shown, panels.flat):
        for text, points in absent_lines(tasks, task).items():
            (legend[text],) = panel.plot(
                *zip(*points),
                marker="o",
                markersize=3,
                color=colours.get(text.split(",")[0], "#767676"),
                linestyle="--" if text.endswith("Compact") else "-",
            )
        panel.set(title=LABELS.get(task, task), xticks=list(ABSENT.values()), ylim=(0, None))
        panel.yaxis.set_major_formatter(lambda ns, _: time_text(ns))
    figure.supxlabel("% of the fields absent", fontsize=9)
    figure.legend(
        legend.values(), legend.keys(), loc="upper center", ncol=len(legend), frameon=False
    )
    figure.tight_layout(rect=(0, 0, 1, 0.94))
    save(plt, figure, file)


def fields(plt, payloads, file):
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
            panel.plot(
                *zip(*sorted(line)),
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
    save(plt, figure, file)


def draw(result, out):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    style(plt)
    tasks, name = result["tasks"], result["machine"]
    overview(plt, tasks, out / f"{name}-overview.svg")
    absent(plt, tasks, out / f"{name}-absent.svg")
    if "fields" in tasks:
        fields(plt, tasks["fields"], out / f"{name}-fields.svg")
