"""Long runs: seeds that grow from run to run, failures and the state in a folder."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import subprocess
import threading
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional

from .case import Case, Removed
from .registry import TARGETS, load_targets

FIRST_SEED = 1_000_000  # pytest has those below
BLOCK = 200  # seeds of a task of cost 1


Failure = tuple[int, dict[str, list[int]], str]  # seed, what was removed, and the error


def signature(error: BaseException) -> tuple[str, int]:
    """Type and line of an error, to recognise it in a smaller case."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/prove/" in frame.filename]
    return type(error).__name__, (own or frames)[-1].lineno or 0


def failure(name: str, seed: int) -> Optional[BaseException]:
    try:
        TARGETS[name].check(seed)
    except Exception as error:
        return error
    return None


def minimized(name: str, seed: int, attempts: int = 1000) -> tuple[dict[str, list[int]], str]:
    """Steps of the program, fields of the IDL and parts of the value that can be removed while the
    target fails in the same line; the error of the rest with its IDL and value."""
    error = failure(name, seed)
    assert error is not None
    expected = signature(error)
    removed: dict[str, set[int]] = {}
    for kind in ("steps", "fields", "parts"):
        size = Case.latest.sizes[kind] if Case.latest else 0
        own = removed[kind] = set()
        step = max(1, size // 2)
        while step and attempts > 0:
            for begin in range(0, size, step):
                part = set(range(begin, min(size, begin + step))) - own
                attempts -= 1
                Case.removed = replace(Case.removed, **{kind: frozenset(own | part)})
                smaller = failure(name, seed) if part else None
                if smaller is not None and signature(smaller) == expected:
                    own |= part
                    error = smaller
            step //= 2
        Case.removed = replace(Case.removed, **{kind: frozenset(own)})
    failure(name, seed)
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    if Case.latest:
        lines += [Case.latest.schema.text, repr(Case.latest.payload), "\n"]
    Case.removed = Removed()
    return {kind: sorted(numbers) for kind, numbers in removed.items()}, "".join(lines)


def run_block(name: str, first: int, count: int) -> tuple[str, int, list[Failure]]:
    load_targets()
    failures = []
    for seed in range(first, first + count):
        if failure(name, seed) is not None and len(failures) < 3:
            failures.append((seed, *minimized(name, seed)))
    return name, count, failures


class State:
    """state.json: executions and failures of every target, with date and commit of the last run."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "state.json"
        self.targets: dict[str, dict[str, Any]] = {}
        if self.path.exists():
            self.targets = json.loads(self.path.read_text())

    def of(self, name: str) -> dict[str, Any]:
        return self.targets.setdefault(name, {"executions": 0, "failures": {}})

    def add(self, name: str, count: int, failures: list[Failure]) -> None:
        entry = self.of(name)
        entry["executions"] += count
        entry["date"] = time.strftime("%Y-%m-%d")
        entry["commit"] = commit()
        for seed, removed, text in failures:
            entry["failures"][str(seed)] = {"removed": removed, "commit": entry["commit"]}
            (self.folder / f"{name}-{seed}.txt").write_text(text, encoding="utf-8")
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(json.dumps(self.targets, indent=1, sort_keys=True))
        temporary.replace(self.path)

    def repeat_failures(self) -> None:
        """Drops the seeds that no longer fail."""
        for name, entry in self.targets.items():
            if name in TARGETS:
                seeds = [seed for seed in entry["failures"] if failure(name, int(seed))]
                entry["failures"] = {seed: entry["failures"][seed] for seed in seeds}

    def table(self) -> str:
        lines = ["| target | executions | failing seeds | date | commit |", "|---|--:|--:|---|---|"]
        for name, entry in sorted(self.targets.items()):
            row = (entry["executions"], len(entry["failures"]), entry["date"], entry["commit"])
            lines.append(f"| `{name}` | " + " | ".join(map(str, row)) + " |")
        return "\n".join(lines)


def message_of(text: str) -> str:
    """The last line of a traceback, after which the case follows."""
    lines = text.strip().splitlines()
    return next((line for line in lines if re.match(r"\w+(Error|Exception)\b", line)), lines[-1])


def commit() -> str:
    run = subprocess.run(
        ["git", "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=False
    )
    return run.stdout.strip() or "unknown"


def run_campaign(names: list[str], minutes: float, folder: Path, jobs: int) -> int:
    """Runs targets until the time is over; the number of failing seeds."""
    state = State(folder)
    state.repeat_failures()
    over = threading.Event()
    timer = threading.Timer(60 * minutes, over.set)
    timer.daemon = True
    timer.start()
    following = {name: FIRST_SEED + state.of(name)["executions"] for name in names}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        while not over.is_set():
            tasks = []
            for name in names:
                count = max(1, BLOCK // TARGETS[name].cost)
                tasks.append(pool.submit(run_block, name, following[name], count))
                following[name] += count
            for task in as_completed(tasks):
                name, count, failures = task.result()
                state.add(name, count, failures)
                for seed, _, text in failures:
                    print(f"{name} {seed}: {message_of(text)[:300]}", flush=True)
    total = sum(entry["executions"] for entry in state.targets.values())
    failing = sum(len(entry["failures"]) for entry in state.targets.values())
    print(f"{total} executions, {failing} failing seeds, in {state.path}")
    return failing


def default_jobs() -> int:
    return os.cpu_count() or 1
