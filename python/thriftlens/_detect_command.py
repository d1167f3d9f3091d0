"""`thriftlens inspect` where nothing is said, `identify` and `infer`: what bytes of unknown origin are."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterator, Optional, Sequence

from . import _core, _detect, _files
from ._errors import Error
from ._schema import Schema, Type

Say = Callable[[str], None]


def inspect(data: Any, sink: _files.Sink, how: dict[str, Any]) -> Optional[str]:
    """Writes the guess and the trees; gives what is wrong with the last of them."""
    found = _detect.detect(data, depth=how["depth"])
    line = _detect.guess_line(found)
    if found:
        sink.write(f"{line}\n".encode())
        trees = _detect.trees(data, found[0], how)
    else:
        sink.write(f"{line}; as Binary:\n".encode())
        trees = iter([_core.inspect(data, protocol="binary", **how)])
    for text in trees:
        body, mark, fault = ("\n" + text).rpartition("\n! ")
        sink.write(((body[1:] + "\n" if body else "") if mark else text).encode())
        if mark:
            return fault.strip()
    return None


def schemas_of(folder: str, read: Callable[[str], Schema], say: Say) -> list[tuple[str, Schema]]:
    """(path, schema) of each IDL file in a folder and those below it, or of one file; what cannot be read is said."""
    found = []
    for path in _idl_files(folder):
        try:
            found.append((os.path.relpath(path, folder) if path != folder else path, read(path)))
        except Error as error:
            say(f"left out: {str(error).splitlines()[0]}")
    if not found:
        raise FileNotFoundError(2, "no IDL file that can be read", folder)
    return found


def _idl_files(folder: str) -> Iterator[str]:
    if not os.path.isdir(folder):
        yield folder
        return
    for place, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(place, name) for name in sorted(names) if name.endswith(".thrift"))


def types_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, Type]]:
    """(where, type) of the structs that each file itself declares."""
    return [
        (f"{path} {name}", made)
        for path, schema in schemas
        for name in schema.types
        if "." not in name and (made := schema[name]).kind in ("struct", "union", "exception")
    ]


def ranking(data: Any, types: Sequence[tuple[str, Type]], options: dict[str, Any]) -> Iterator[str]:
    """A line for each candidate, the best first: how sure, where it is declared, what fits, and where it first disagrees."""
    where = {id(made): name for name, made in types}
    for each in _detect.identify(data, [made for _, made in types], **options):
        yield f"{_detect.percent(each.sure):>5}  {where[id(each.type)]}  {_fit(each)}"


def _fit(found: _detect.Candidate) -> str:
    counts = [f"{found.known} known"]
    counts += [f"{number} {word}" for number, word in ((found.unknown, "unknown"), (found.contradictions, "of another type"), (found.missing, "missing")) if number]
    return ", ".join(counts) + (f": {found.path}: {found.why}" if found.why else "")
