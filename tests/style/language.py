"""Measures how plain the language of the repository is.

Identifiers: percentage of identifiers that are, or contain, a word without a meaning of its own
(`given`, `made`, `each`).
Prose: occurrences per 1000 words of words and phrases that technical English does not use in this
sense ("stands", "is told")."""

from __future__ import annotations

import collections
import re
from collections.abc import Iterable
from pathlib import Path

from sources import ROOT, cpp_files, python_files, split_cpp, split_python

VAGUE_WORDS = frozenset(
    "found given made each how all told words word done asked wanted what why one whole left said "
    "after before now "
    "meant met way spot place stands stand kept room fate lone again behind most few".split()
)
# Ordinary English inside a longer name; vague only as a name of their own.
VAGUE_ALONE = frozenset(
    "after before left all one place way now room words word most few what why how each".split()
)
ODD_WORDS = frozenset(
    "stand stands stood behind told tells tell asked asks wanted wants meant met made gives goes "
    "whoever somebody nobody "
    "each whole alike anew twice lies lie kept said says".split()
)
ODD_PHRASES = tuple(
    re.compile(phrase, re.I)
    for phrase in (
        r"may stand",
        r"stands? twice",
        r"not to be had",
        r"can be had",
        r"(is|are) none\b",
        r"that are many",
        r"of which none",
        r"goes on",
        r"(is|are) said",
        r"(as|what) (it|they)? ?stands?",
        r"in its place",
        r"who(ever)? asks",
        r"(is|are) told",
        r"says so",
        r"by hand",
        r"with(out)? a word",
        r"at its end",
        r"what is (left|there|asked|wanted|meant)",
    )
)
_IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*\b")
_IDENTIFIER_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_ENGLISH_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
_MARKDOWN_CODE = re.compile(r"```.*?```|`[^`]*`", re.S)


def is_vague(identifier: str) -> bool:
    parts = [part.lower() for part in _IDENTIFIER_PART.findall(identifier)]
    if len(parts) == 1:
        return parts[0] in VAGUE_WORDS
    return any(part in VAGUE_WORDS - VAGUE_ALONE for part in parts)


def vague_identifiers(codes: Iterable[str]) -> tuple[float, collections.Counter[str]]:
    """Percentage of vague identifiers, and their numbers of uses."""
    total, matches = 0, collections.Counter[str]()
    for code in codes:
        identifiers = _IDENTIFIER.findall(code)
        total += len(identifiers)
        matches.update(name for name in identifiers if is_vague(name))
    return 100 * matches.total() / max(total, 1), matches


def odd_prose(texts: Iterable[str]) -> tuple[float, collections.Counter[str]]:
    """Odd words and phrases per 1000 words, and their numbers of uses."""
    total, matches = 0, collections.Counter[str]()
    for text in texts:
        text = _MARKDOWN_CODE.sub(" ", text)
        english_words = _ENGLISH_WORD.findall(text.lower())
        total += len(english_words)
        matches.update(english_word for english_word in english_words if english_word in ODD_WORDS)
        for phrase in ODD_PHRASES:
            matches[phrase.pattern] += len(phrase.findall(text))
    return 1000 * matches.total() / max(total, 1), +matches


def figures() -> dict[str, tuple[float, str]]:
    """Figure name -> (value, the most frequent offenders)."""
    result: dict[str, tuple[float, str]] = {}
    comments: list[str] = []
    messages: list[str] = []

    def add(name: str, value: float, matches: collections.Counter[str]) -> None:
        result[name] = (
            round(value, 2),
            ", ".join(f"{odd_word} {count}" for odd_word, count in matches.most_common(8)),
        )

    for folder in ("include", "src", "tests", "bench", "examples"):
        sources = [split_cpp(path) for path in cpp_files(folder)]
        add(
            f"vague identifiers, {folder} (C++), %",
            *vague_identifiers(source.code for source in sources),
        )
        if folder in ("include", "src"):
            comments += [comment for source in sources for comment in source.comments]
            messages += [string for source in sources for string in source.strings]
    for folder in ("python", "tests", "bench", "scripts", "docs"):
        sources = [split_python(path) for path in python_files(folder)]
        add(
            f"vague identifiers, {folder} (Python), %",
            *vague_identifiers(source.code for source in sources),
        )
        if folder == "python":
            comments += [comment for source in sources for comment in source.comments]
            messages += [string for source in sources for string in source.strings]
    add("odd words in documentation, per 1000", *odd_prose(_read(documentation())))
    add("odd words in comments, per 1000", *odd_prose(comments))
    add("odd words in help, errors and docstrings, per 1000", *odd_prose(messages))
    return result


def documentation() -> list[Path]:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "examples").rglob("*.md")]
    return sorted(page for page in pages if "build" not in page.relative_to(ROOT).parts)


def _read(paths: Iterable[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in paths]
