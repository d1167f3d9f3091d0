"""Commands of the shell beside the functions of the package."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import thriftlens as tl
from click.testing import CliRunner
from proving.case import Case, expect, expect_true
from proving.paths import PathMaker, text_of
from proving.plain import json_text, json_tree, known_only
from proving.registry import target
from thriftlens._cli.main import main

from .comparisons import shuffled, unnamed_numbers
from .records import draw_arguments, message_bytes
from .selections import draw_selection


def run_command(*arguments: str) -> tuple[int, bytes]:
    """Exit code and output of a command in this process."""
    result = CliRunner().invoke(main, [*arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code > 1:
        raise AssertionError(f"{arguments}: {result.output}")
    return result.exit_code, result.stdout_bytes


class Shell:
    """Runs commands on files in a folder."""

    def __init__(self, folder: str, case: Case):
        self.folder = Path(folder)
        self.idl = self.file("case.thrift", case.schema.text.encode())
        self.protocol = ["--protocol", case.protocol]

    def file(self, name: str, data: bytes) -> str:
        path = self.folder / name
        path.write_bytes(data)
        return str(path)

    def run(self, *arguments: str) -> tuple[int, bytes]:
        return run_command(*arguments)


@target(
    "thriftlens to-json", "thriftlens from-json", "thriftlens trim", "thriftlens get",
    "thriftlens set", "thriftlens delete", "thriftlens redact", "thriftlens rewrite",
    "thriftlens check", "thriftlens diff", "thriftlens convert", "thriftlens describe",
    "thriftlens inspect", cost=30,
)  # fmt: skip
def shell(seed: int) -> None:
    case = Case(seed)
    with TemporaryDirectory() as folder:
        compare_commands(case, Shell(folder, case))


def compare_commands(case: Case, run: Shell) -> None:
    data = run.file("data.bin", case.data)
    named = [run.idl, case.root.text]
    options: Any = {"protocol": case.protocol}
    type_ = case.type
    result = run.run("to-json", *named, data, *run.protocol)
    expect(result, (0, type_.to_json(case.data, **options) + b"\n"))
    known = known_only(case.root, case.payload)
    text = run.file("data.json", json_text(json_tree(case.root, known)).encode())
    expect(run.run("from-json", *named, text, *run.protocol), (0, case.canonical(known)))
    _, selection = draw_selection(case.choices, case.root)
    trimmed = type_.trim(case.data, selection, **options)
    expect(run.run("trim", *named, selection, data, *run.protocol), (0, trimmed))
    other = "binary" if case.protocol == "compact" else "compact"
    converted = tl.convert(case.data, source=case.protocol, target=other)
    expect(run.run("convert", data, "--from", case.protocol, "--to", other), (0, converted))
    expect(run.run("describe", run.idl), (0, tl.load(run.idl).describe().encode()))
    expect(run.run("inspect", data, *run.protocol)[0], 0)
    unnamed = unnamed_numbers(case.root, case.payload)
    expect(run.run("check", *named, data, *run.protocol)[0], int(unnamed > 0))
    same = run.file("same.bin", case.canonical(shuffled(case, case.root, case.payload)))
    expect(run.run("diff", *named, data, same, *run.protocol), (0, b""))
    compare_paths(case, run, data)


def compare_paths(case: Case, run: Shell, data: str) -> None:
    named = [run.idl, case.root.text]
    options: Any = {"protocol": case.protocol}
    steps = PathMaker(case.choices, case.protocol, many_rate=0).make(case.root, case.payload, 3)
    path = text_of(steps)
    missing = object()
    value = case.type.get(case.data, path, missing, **options)
    status, out = run.run("get", *named, path, data, *run.protocol)
    expect(status, int(value is missing), path)
    if isinstance(value, (int, str)) and steps[-1].kind.kind not in ("binary", "string"):
        expect_true(json.loads(out) is not None, (path, out))
    try:
        erased = case.type.edit(case.data, **options).erase(path).apply()
    except tl.Error:
        expect(run.run("delete", *named, path, data, *run.protocol)[0] > 0, True)
    else:
        expect(run.run("delete", *named, path, data, *run.protocol), (0, erased), path)
    payload = case.draw(steps[-1].kind)
    text = json_text(json_tree(steps[-1].kind, known_only(steps[-1].kind, payload)))
    try:
        changed = case.type.edit(case.data, **options).set(path, json=text).apply()
    except tl.Error:
        expect(run.run("set", *named, path, "--", text, data)[0] > 0, True)
    else:
        arguments = ["set", *run.protocol, "--", *named, path, text, data]
        expect(run.run(*arguments), (0, changed), (path, text))
    compare_redactions(case, run, data)


def compare_redactions(case: Case, run: Shell, data: str) -> None:
    """The first field is dropped or blanked."""
    field = case.root.fields[0]
    action = "blank" if field.requiredness == "required" else "drop"
    path = f"$.{field.name}"
    options: Any = {"protocol": case.protocol}
    safe = case.type.redact(case.data, paths={path: action}, **options)
    named = [run.idl, case.root.text, data, *run.protocol]
    expect(run.run("redact", *named, "--redact-path", path, action), (0, safe))
    expect(run.run("rewrite", *named, "--redact-path", path, action), (0, safe))


@target("thriftlens messages", cost=10)
def shell_messages(seed: int) -> None:
    case = Case(seed)
    if not case.schema.services:
        return
    stored = []
    for function in case.schema.services[-1].all_functions():
        kind = "oneway" if function.oneway else "call"
        body = case.canonical(draw_arguments(case, function.arguments, False))
        stored.append((function, body, message_bytes(case.protocol, function.name, kind, 7, body)))
    with TemporaryDirectory() as folder:
        run = Shell(folder, case)
        file = run.file("messages", b"".join(data for _, _, data in stored))
        status, out = run.run("messages", run.idl, file)
    expect(status, 0)
    rows = [json.loads(line) for line in out.splitlines()]
    expect([row["name"] for row in rows], [function.name for function, _, _ in stored])
