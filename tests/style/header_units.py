#!/usr/bin/env python3
"""Units that show that every header compiles on its own.

usage: header_units.py INCLUDE FOLDER [--check] [--without MODULE ...]   writes the units below
FOLDER; --check writes nothing and fails where they are out of date

A header behind others compiles on its own if it includes all of them itself: they would be in front
of its first declaration anyway. So a unit is a chain, each header of which includes those before
it, and there are as few chains as the include graph allows. Each header is included twice.

declarations/ has all headers, for THRIFTLENS_COMPILED; bodies/ and bodies_json/ those with bodies
of their own (.ipp), for units without it.
"""

import argparse
import re
import sys
from pathlib import Path

INCLUDE = re.compile(r"^#include <(thriftlens/.*)>", re.M)
CODE = re.compile(r"^ *[^ #/\n]", re.M)


class Graph:
    """What headers include: in front of their declarations, and at all, bodies included."""

    def __init__(self, include, with_bodies):
        self.texts = {
            path.relative_to(include).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(include.glob("thriftlens/**/*.[hi]pp"))
        }
        self.with_bodies = with_bodies
        self._reached = {}

    def has_code(self, header):
        return CODE.search(self.texts[header]) is not None

    def bodies_of(self, header):
        return header[:-4] + ".ipp" if header[:-4] + ".ipp" in self.texts else None

    def in_front(self, header):
        """All files that the header includes before it declares anything."""
        own = [name for name in INCLUDE.findall(self.texts[header]) if name.endswith(".hpp")]
        return set(own).union(*map(self.reached, own))

    def reached(self, file):
        """All files that a file includes."""
        if file not in self._reached:
            self._reached[file] = set()  # a body includes its header
            names = INCLUDE.findall(self.texts[file])
            own = [name for name in names if self.with_bodies or name.endswith(".hpp")]
            self._reached[file] = set(own).union(*map(self.reached, own))
        return self._reached[file]


def chains(headers, in_front):
    """The fewest lists in which each header includes those before it: a largest matching of headers
    with their predecessors."""
    predecessors = {header: sorted(in_front(header) & set(headers)) for header in headers}
    follower = {}

    def match(header, seen):
        for previous in predecessors[header]:
            if previous in seen:
                continue
            seen.add(previous)
            if previous not in follower or match(follower[previous], seen):
                follower[previous] = header
                return True
        return False

    for header in headers:
        match(header, set())
    for first in sorted(set(headers) - set(follower.values())):
        chain = [first]
        while chain[-1] in follower:
            chain.append(follower[chain[-1]])
        yield chain


def units(include, without):
    """{path below FOLDER: text}"""
    texts = {}
    for group in ("declarations", "bodies", "bodies_json"):
        graph = Graph(include, with_bodies=group != "declarations")
        headers = [
            header
            for header in graph.texts
            if header.endswith(".hpp") and header.split("/")[1] not in without
        ]
        if group == "declarations":
            headers = list(filter(graph.has_code, headers))
        else:
            needs_json = group == "bodies_json"
            headers = [
                header
                for header in headers
                if graph.bodies_of(header)
                and (header.split("/")[1] in ("json", "http")) == needs_json
            ]
        for number, chain in enumerate(chains(headers, graph.in_front)):
            lines = "".join(f"#include <{header}>\n" * 2 for header in chain)
            texts[f"{group}/{number}.cpp"] = lines
    return texts


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("include", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--without", nargs="*", default=())
    arguments = parser.parse_args()
    expected = units(arguments.include, arguments.without)
    if arguments.check:
        current = {
            path.relative_to(arguments.folder).as_posix(): path.read_text(encoding="utf-8")
            for path in arguments.folder.glob("*/*.cpp")
        }
        stale = sorted(
            name for name in expected.keys() | current if expected.get(name) != current.get(name)
        )
        sys.exit(f"run CMake again: {stale} are out of date" if stale else 0)
    for path in arguments.folder.glob("*/*.cpp"):
        if path.relative_to(arguments.folder).as_posix() not in expected:
            path.unlink()
    for name, text in expected.items():
        path = arguments.folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
