"""Measures the structure of the repository: sizes of functions and files, inheritance, import
cycles, untyped Python."""

from __future__ import annotations

import ast
import collections
import re
from collections.abc import Iterator
from pathlib import Path

import lizard
from sources import ROOT, cpp_files, python_files

PACKAGE = ROOT / "python" / "thriftlens"
Figures = dict[str, tuple[float, str]]


def figures() -> Figures:
    """Figure name -> (value, where it is reached)."""
    result: Figures = {}
    result.update(_functions("include", cpp_files("include")))
    result.update(_functions("src", cpp_files("src")))
    result.update(
        _functions("python", [path for path in python_files("python") if path.suffix == ".py"])
    )
    result.update(_cpp())
    result.update(_python())
    result.update(_lines())
    return result


def _quantile(values: list[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0


def _functions(name: str, paths: list[Path]) -> Figures:
    functions = [
        (path, function)
        for path in paths
        for function in lizard.analyze_file(str(path)).function_list
    ]
    tokens = [function.token_count for _, function in functions]
    branches = [function.cyclomatic_complexity for _, function in functions]
    path, largest = max(functions, key=lambda pair: pair[1].token_count)
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    longest = max(sizes, key=lambda path: sizes[path])
    where = f"{path.relative_to(ROOT)}:{largest.start_line} {largest.name}"
    return {
        f"{name}: tokens per function, p90": (_quantile(tokens, 0.90), ""),
        f"{name}: tokens per function, p99": (_quantile(tokens, 0.99), where),
        f"{name}: cyclomatic complexity, p99": (_quantile(branches, 0.99), ""),
        f"{name}: longest file, lines": (sizes[longest], str(longest.relative_to(ROOT))),
    }


def _cpp() -> Figures:
    headers = cpp_files("include")
    texts = {path: path.read_text(encoding="utf-8") for path in headers}
    text = "\n".join(texts.values())
    bases: dict[str, str] = {}
    for match in re.finditer(
        r"\b(?:class|struct) (\w+)(?: final)?\s*:\s*(?:(?:public|protected"
        r"|private)\s+)?([\w:]+)(?:<[^{;]*>)?",
        text,
    ):
        bases.setdefault(match[1], match[2].split("::")[-1])

    def depth(name: str, seen: tuple[str, ...] = ()) -> int:
        return 1 if name not in bases or name in seen else 1 + depth(bases[name], (*seen, name))

    deepest = max(bases, key=depth)
    sentences: collections.Counter[str] = collections.Counter()
    for header_text in texts.values():
        first_lines = header_text.split("\n")[:5]
        comment = " ".join(line.lstrip("/ ") for line in first_lines if line.startswith("//"))
        sentences.update(re.findall(r"Never [^.]*\.", comment))
    using_base = re.findall(r"^\s*using (?:typename )?(?:base|\w+<[\w, ]+>)::", text, re.M)
    return {
        "include: inheritance depth": (depth(deepest), deepest),
        "include: lines `using base::`": (len(using_base), ""),
        "include: deprecated names": (len(re.findall(r"\[\[deprecated", text)), ""),
        "include: sentences repeated in file comments": (
            sum(n for n in sentences.values() if n > 1),
            "",
        ),
        "src: files outside a folder": (
            len([p for p in cpp_files("src") if p.parent == ROOT / "src"]),
            "",
        ),
    }


def _python() -> Figures:
    modules = {
        path: ast.parse(path.read_text(encoding="utf-8"))
        for path in python_files("python")
        if path.suffix == ".py"
    }
    texts = {path: path.read_text(encoding="utf-8") for path in modules}
    functions = [
        (path, node)
        for path, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]

    def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        return (
            len(function.args.posonlyargs) + len(function.args.args) + len(function.args.kwonlyargs)
        )

    path, widest = max(functions, key=lambda pair: parameters(pair[1]))
    text_of_error = (
        r"re\.\w+\([^\n]*str\(\w*err|str\(\w*err\w*\)\.(?:split|replace|startswith"
        r"|removeprefix|partition)"
    )
    tests = {path.stem for path in (ROOT / "tests" / "python").rglob("test_*.py")}
    untested = [
        p.stem
        for p in modules
        if p.stem != "__init__" and f"test_{p.stem.lstrip('_')}" not in tests
    ]
    cycles = import_cycles(modules)
    nested_imports = sum(
        isinstance(child, (ast.Import, ast.ImportFrom))
        for _, node in functions
        for child in ast.walk(node)
    )
    any_uses = sum(
        isinstance(n, ast.Name) and n.id == "Any"
        for tree in modules.values()
        for n in ast.walk(tree)
    )
    lines = [line for text in texts.values() for line in text.split("\n")]
    return {
        "python: modules at the top of the package": (len(list(PACKAGE.glob("*.py"))), ""),
        "python: lines over 100 columns": (sum(len(line) > 100 for line in lines), ""),
        "python: parameters of a function": (parameters(widest), f"{path.name}:{widest.name}"),
        "python: uses of Any": (any_uses, ""),
        "python: uses of dict[str, Any]": (
            sum(text.count("dict[str, Any]") for text in texts.values()),
            "",
        ),
        "python: assignments to error.args": (_count(r"\berror\.args\s*=", texts), ""),
        "python: error texts taken apart": (_count(text_of_error, texts), ""),
        "python: imports inside functions": (nested_imports, ""),
        "python: modules in import cycles": (
            sum(map(len, cycles)),
            "; ".join(",".join(cycle) for cycle in cycles),
        ),
        "python: modules without a test file of their name": (len(untested), ", ".join(untested)),
    }


def _count(pattern: str, texts: dict[Path, str]) -> int:
    return sum(len(re.findall(pattern, text)) for text in texts.values())


def _lines() -> Figures:
    def total(paths: list[Path]) -> int:
        return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)

    return {
        "lines: include": (total(cpp_files("include")), ""),
        "lines: src and python": (total(cpp_files("src") + python_files("python")), ""),
        "lines: tests": (total(cpp_files("tests") + python_files("tests")), ""),
    }


def imports_of(name: str, is_package: bool, tree: ast.AST, names: set[str]) -> set[str]:
    """Modules of `names` that a module imports relatively, those inside functions and `if
    TYPE_CHECKING` included."""
    base = name.split(".") if is_package else name.split(".")[:-1]
    result = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        stem = ".".join(
            [*base[: len(base) - node.level + 1], *(node.module.split(".") if node.module else [])]
        )
        for alias in node.names:
            target = next(
                (t for t in (f"{stem}.{alias.name}", stem) if t in names and t != name), None
            )
            if target is not None:
                result.add(target)
    return result


def import_cycles(modules: dict[Path, ast.Module]) -> list[list[str]]:
    """Groups of modules with cyclic imports; packages' __init__ modules are left out."""
    names = {}
    for path, tree in modules.items():
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        if parts[-1] != "__init__":
            names[".".join(parts)] = tree
    graph = {name: imports_of(name, False, tree, set(names)) for name, tree in names.items()}
    reachable = {name: set(_reachable(graph, name)) for name in graph}
    groups = {
        tuple(sorted(o for o in graph if o in reachable[n] and n in reachable[o]))
        for n in graph
        if n in reachable[n]
    }
    return [list(group) for group in sorted(groups)]


def _reachable(graph: dict[str, set[str]], start: str) -> Iterator[str]:
    seen: set[str] = set()
    pending = list(graph[start])
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            yield name
            pending += graph[name]
