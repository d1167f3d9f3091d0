"""The types of many IDL files, ranked for the bytes of a struct."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterator, Sequence

from .._errors import Error
from .._schema.schemas import Schema
from .._schema.types import Type
from . import detect as _detect
from . import identify as _identify

Say = Callable[[str], None]


def schemas_of(folder: str, read: Callable[[str], Schema], say: Say) -> list[tuple[str, Schema]]:
    """(path, schema) of the IDL files in a folder, recursively, or of one file.

    Reports and skips files that cannot be loaded."""
    schemas = []
    for path in _idl_files(folder, say):
        try:
            schemas.append((os.path.relpath(path, folder) if path != folder else path, read(path)))
        except (Error, OSError) as error:
            text = str(error).partition("\n")[0]
            say(f"skipped: {text if path in text else f'{path}: {text}'}")
    if not schemas:
        raise FileNotFoundError(2, "no readable IDL file", folder)
    return schemas


def _idl_files(folder: str, say: Say) -> Iterator[str]:
    """The regular files named *.thrift in a folder, recursively; opening a pipe would block."""
    if not os.path.isdir(folder):
        yield folder
        return
    for parent, folders, names in os.walk(
        folder, onerror=lambda error: say(f"skipped: {error.filename}: {error.strerror}")
    ):
        folders.sort()
        for path in (
            os.path.join(parent, name) for name in sorted(names) if name.endswith(".thrift")
        ):
            if os.path.isfile(path):
                yield path
            else:
                say(f"skipped: {path}: not a regular file")


def types_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, Type]]:
    """(location, type) of the structs in the files, without includes."""
    return [
        (f"{path} {name}", type_)
        for path, schema in schemas
        for name in schema.types
        if "." not in name and (type_ := schema[name]).kind in ("struct", "union", "exception")
    ]


def functions_of(schemas: Sequence[tuple[str, Schema]]) -> list[tuple[str, _identify.Payload]]:
    """(location, arguments or result) of the functions in the files, without includes."""
    return [
        (
            f"{path} "
            f"{service.name}.{payload.function}.{'result' if payload.is_result else 'arguments'}",
            payload,
        )
        for path, schema in schemas
        for service in schema.services.values()
        if "." not in service.name
        for payload in _identify.service_payloads(service)
    ]


def ranking(
    data: Any,
    types: Sequence[tuple[str, Type]],
    functions: Sequence[tuple[str, _identify.Payload]],
    options: dict[str, Any],
) -> Iterator[str]:
    """One line per candidate, best first: probability, location, matching fields and first
    mismatch."""
    locations = {id(type_): name for name, type_ in types}
    locations.update((id(type_.type), name) for name, type_ in functions)
    for candidate in _identify.rank(
        data, [type_ for _, type_ in types], [type_ for _, type_ in functions], **options
    ):
        yield f"{_detect.percent(candidate.sure):>5}  {locations.get(id(candidate.type), candidate.type.name)}  {_fit(candidate)}"


def _fit(candidate: _identify.Candidate) -> str:
    counts = [f"{candidate.known} known"]
    counts += [
        f"{number} {label}"
        for number, label in (
            (candidate.unknown, "unknown"),
            (candidate.contradictions, "of another type"),
            (candidate.missing, "missing"),
        )
        if number
    ]
    return ", ".join(counts) + (f": {candidate.path}: {candidate.why}" if candidate.why else "")
