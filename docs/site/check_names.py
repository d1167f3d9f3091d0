"""check_names.py: `inline code` of the pages that looks like tl.x, thriftlens.x, tl::x or
`thriftlens command --option` names something that exists.

Python names are looked up in the package, whose stubs the tests hold against it; C++ names are
words of the headers; commands and options are those of the command line.
"""

import functools
import importlib
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = re.compile(r"(?<![\w.])(?:tl|thriftlens)((?:\.[A-Za-z_]\w*)+)")
CPP = re.compile(r"(?<![\w:])(?:tl|thriftlens)((?:::~?[A-Za-z_]\w*)+)")
SHELL = re.compile(r"^thriftlens ([a-z][a-z-]*)(.*)$", re.S)
FENCE = re.compile(r"^(```+|:::+).*?^\1\s*$", re.M | re.S)
LOGGERS = {"thriftlens.access", "thriftlens.server"}
TARGETS = re.compile(
    r"thriftlens::(thriftlens|json|loader|compiled|compiled_json|asio|v\d+_\w+)\b"
)  # of CMake, and the inline namespace


def pages():
    return sorted(
        [
            *ROOT.glob("*.md"),
            *(ROOT / "docs").glob("*.md"),
            *(ROOT / "docs" / "site").glob("*.md"),
            ROOT / "bench" / "README.md",
        ]
    )


def spans(text):
    """Line and content of every inline code."""
    bare = FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)
    for match in re.finditer(r"(`+)(.+?)\1", bare):
        yield bare.count("\n", 0, match.start()) + 1, match[2]


@functools.lru_cache(maxsize=None)
def words_of_headers():
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "include").rglob("*.[hi]pp")
    )
    return set(re.findall(r"[A-Za-z_]\w*", re.sub(r"//[^\n]*", "", text)))


def python_fault(dotted):
    of = importlib.import_module("thriftlens")
    for name in dotted.strip(".").split("."):
        if name in ("hpp", "thrift", "org", "tlrec", "pyi"):  # the end of a file's name
            return None
        try:
            of = getattr(of, name)
        except AttributeError:
            if "." not in dotted[1:] and (ROOT / "python" / "thriftlens" / f"{name}.py").exists():
                return None
            fields = getattr(of, "__annotations__", {})
            return None if name in fields else f"no {name!r} in {getattr(of, '__name__', of)}"
    return None


@functools.lru_cache(maxsize=None)
def command_line():
    from thriftlens._cli import main as cli

    return {
        name: {
            option_name
            for option in command.params
            for option_name in (*option.opts, *option.secondary_opts)
        }
        | {"--help", "-h"}
        for name, command in cli.main.commands.items()
    }


def shell_fault(command, rest):
    if command not in command_line():
        return f"no command {command!r}"
    unknown = [
        option
        for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", rest)
        if option not in command_line()[command]
    ]
    return f"{command} has no option {unknown[0]}" if unknown else None


def faults_of(text):
    for line, code in spans(text):
        for name in PYTHON.findall(code):
            if "/" not in code and code not in LOGGERS and (fault := python_fault(name)):
                yield line, code, fault
        for name in CPP.findall(TARGETS.sub("", code)):
            missing = [
                part
                for part in name.strip(":").split("::")
                if part and part.lstrip("~") not in words_of_headers()
            ]
            if missing:
                yield line, code, f"no {missing[0]!r} in the headers"
        if shell := SHELL.match(code.strip()):
            if fault := shell_fault(*shell.groups()):
                yield line, code, fault


def main():
    faults = [
        f"{path.relative_to(ROOT)}:{line}: `{code}`: {fault}"
        for path in pages()
        for line, code, fault in faults_of(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(faults) or "names are right")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
