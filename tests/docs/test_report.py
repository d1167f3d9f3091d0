"""The report of bench.sh: tables, goals and the pages that quote the results."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import report  # noqa: E402
import report_charts  # noqa: E402
import report_goals  # noqa: E402

sys.path.remove(str(ROOT / "bench"))


def measured(**nanoseconds):
    return {name: {"ns": ns} for name, ns in nanoseconds.items()}


TASKS = {
    "skip": {
        "medium": measured(thriftlens=100, apache_templates=800, apache_virtual=900, dynamicgo=700),
        "medium_varied": measured(thriftlens=100, apache_templates=700, apache_virtual=650),
        "varied_0": measured(thriftlens=100, apache_templates=900),
    },
    "skip_compact": {"medium": measured(thriftlens_compact=300, apache_compact=900)},
    "set_one": {
        "medium_varied": measured(thriftlens=400, thriftlens_kept=100, apache_templates=790)
    },
    "rewrite": {"small": measured(thriftlens=65, limit_trim=20, limit_redact=24, limit_set=50)},
    "decode": {"small": measured(thriftlens_std=50, apache_templates=100)},
    "decode_compact": {"small": measured(thriftlens_std=50, apache_compact=75)},
}
RESULT = {
    "machine": "cpu",
    "date": "2026-11-27",
    "commit": "0123abcd",
    "compiler": "c++ 12",
    "flags": "-O3",
    "tasks": TASKS,
}


def test_compact_is_beside_binary_and_messages_that_vary_beside_medium():
    assert report.table(TASKS, report.HEADLINE)[::2][:2] == [
        "| task | medium | medium, Compact | medium_varied |",
        "| skip | 100 ns, 700 ns, 7.0x | 300 ns, 900 ns, 3.0x | 100 ns, 650 ns, 6.5x |",
    ]


def test_an_edit_used_again_has_a_row_of_its_own():
    rows = [line for line in report.table(TASKS, report.HEADLINE) if line.startswith("| set_one")]
    assert rows == [
        "| set_one |  |  | 400 ns, 790 ns, 2.0x |",
        "| set_one, kept |  |  | 100 ns, 790 ns, 7.9x |",
    ]


@pytest.mark.parametrize(
    "cells",
    [
        # Goals beside Apache count its fastest build.
        "skip medium_varied thriftlens apache_virtual 6.0x 6.5x reached",
        "set_one medium_varied thriftlens_kept apache_templates 8.0x 7.9x **missed**",
        "rewrite small limit_redact limit_trim <=1.30 1.20 reached",
        "rewrite small thriftlens limit_set <=1.30 1.30 reached",
        "skip_compact medium thriftlens_compact apache_compact 7.0x 3.0x **missed**",
        # 0.7 of 2.0x, which Binary has.
        "decode_compact small thriftlens_std apache_compact 1.4x 1.5x reached",
    ],
)
def test_a_goal_is_beside_what_was_reached(cells):
    line = "| " + cells.replace(" ", " | ").replace("<=", "at most ") + " |"
    assert line in report_goals.lines(TASKS)


def test_the_curve_has_a_column_for_each_share_of_absent_fields():
    assert report.absent_table(TASKS) == [
        "| task | 0 % | 25 % |",
        "|---|--:|--:|",
        "| skip | 9.0x | 6.5x |",
        "| set_one |  | 7.9x |",
    ]
    assert report_charts.absent_lines(TASKS, "skip")["Apache"] == [(0, 900), (25, 650)]


@pytest.fixture
def pages(tmp_path, monkeypatch):
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    for page in report.PAGES:
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / page).write_text("a\n<!-- results -->\nold\n<!-- /results -->\nb\n")
    return tmp_path


def test_pages_quote_the_newest_results(pages):
    (pages / "old.json").write_text(json.dumps(RESULT | {"machine": "old", "date": "2026-11-22"}))
    (pages / "cpu.json").write_text(json.dumps(RESULT))
    (pages / "cpu-native.json").write_text(json.dumps(RESULT | {"date": "2026-11-28"}))
    assert report.write_docs(is_check=True) == list(report.PAGES)
    report.write_docs(is_check=False)
    assert report.write_docs(is_check=True) == []
    text = (pages / "README.md").read_text()
    assert text.startswith("a\n") and text.endswith("\nb\n")
    assert "(bench/results/cpu-overview.svg)" in text
    assert "skip 7.0x and 6.5x;" in " ".join(text.split())
    assert "[cpu](results/cpu.md)" in (pages / "bench/README.md").read_text()
    assert "| skip | 9.0x | 6.5x |" in (pages / "docs/performance.md").read_text()


def test_without_results_pages_name_the_script(pages):
    report.write_docs(is_check=False)
    assert report.NO_RESULTS in (pages / "docs/site/index.md").read_text()


def test_the_pages_quote_the_recorded_results():
    assert report.write_docs(is_check=True) == []


def test_each_contestant_of_the_chart_has_a_mark():
    recorded = [json.loads(file.read_text())["tasks"] for file in report.RESULTS.glob("*.json")]
    for tasks in [TASKS, *recorded]:
        for task in report_charts.TASKS:
            for payload in report_charts.OVERVIEW:
                names = report_charts.timed(tasks, task, payload)
                assert len({report_charts.mark(name) for name in names}) == len(names)
