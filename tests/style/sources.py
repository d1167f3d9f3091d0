"""Splits C++ and Python source files into code, comments and string literals."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_CPP_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r'|R"(?P<delimiter>[^()\s\\]{0,16})\((?P<raw>.*?)\)(?P=delimiter)"'
    r'|"(?P<string>(?:\\.|[^"\\\n])*)"'
    r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'"
    r"|(?P<include>^[ \t]*#[ \t]*include[^\n]*)",
    re.S | re.M,
)


@dataclass
class SourceText:
    """The parts of one file. `code` has blanks where comments and literals were."""

    path: Path
    code: str
    comments: list[str] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)


def split_cpp(path: Path) -> SourceText:
    result = SourceText(path, "")

    def replace(match: re.Match[str]) -> str:
        if match["comment"] is not None:
            result.comments.append(match["comment"])
        text = match["raw"] if match["raw"] is not None else match["string"]
        if text is not None and " " in text:
            result.strings.append(text)
        return " "

    result.code = _CPP_TOKEN.sub(replace, path.read_text(encoding="utf-8"))
    return result


def split_python(path: Path) -> SourceText:
    text = path.read_text(encoding="utf-8")
    result = SourceText(path, "")
    names = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            result.comments.append(token.string)
        elif token.type == tokenize.NAME:
            names.append(token.string)
    result.code = " ".join(names)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            result.strings.append(node.value)
    return result


def cpp_files(*folders: str) -> list[Path]:
    return _files(folders, (".hpp", ".ipp", ".cpp", ".h"))


def python_files(*folders: str) -> list[Path]:
    return _files(folders, (".py", ".pyi"))


def _files(folders: tuple[str, ...], suffixes: tuple[str, ...]) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes and "build" not in path.relative_to(ROOT).parts
    )
