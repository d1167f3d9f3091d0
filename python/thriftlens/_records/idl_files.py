"""The types of many IDL files, ranked for the bytes of a struct."""

from __future__ import annotations

import os
from typing import Callable, Iterator, Optional, Sequence, Union

from .._errors import Error, SchemaError, heading_of
from .._schema.schemas import Schema
from .._schema.types import Type
from .._text import in_one_line
from .._typing import Buffer, Say, WireProtocol
from . import detect as _detect
from . import identify as _identify


def schemas_of(folder: str, read: Callable[[str], Schema], say: Say) -> list[tuple[str, Schema]]:
    """(path, schema) of the IDL files in a folder, recursively, or of one file.

    Reports and skips files that cannot be loaded."""
    schemas = []
    for path in _idl_files(folder, say):
        try:
            schemas.append((os.path.relpath(path, folder) if path != folder else path, read(path)))
        except (Error, OSError) as error:
            say(f"skipped: {_reason(path, error)}")
    if not schemas:
        raise FileNotFoundError(2, "no readable IDL file", folder)
    return schemas


def _reason(path: str, error: Union[Error, OSError]) -> str:
    """Why a file cannot be loaded, in one line."""
    if isinstance(error, SchemaError) and error.diagnostics:
        return heading_of(error.diagnostics[0])
    return f"{path}: {in_one_line(getattr(error, 'strerror', None) or error)}"


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
    data: Buffer,
    types: Sequence[tuple[str, Type]],
    functions: Sequence[tuple[str, _identify.Payload]],
    *,
    protocol: Optional[WireProtocol],
    depth: int,
    max_types: int,
) -> Iterator[str]:
    """One line per candidate, best first: probability, location, matching fields and first
    mismatch."""
    locations = {id(type_): name for name, type_ in types}
    locations.update((id(payload.type), name) for name, payload in functions)
    for candidate in _identify.rank(
        data,
        [type_ for _, type_ in types],
        [payload for _, payload in functions],
        protocol=protocol,
        depth=depth,
        max_types=max_types,
    ):
        location = locations.get(id(candidate.type), candidate.type.name)
        yield f"{_detect.percent(candidate.probability):>5}  {location}  {_fit(candidate)}"


def _fit(candidate: _identify.Candidate) -> str:
    counts = {
        "unknown": candidate.unknown,
        "of a different type": candidate.contradictions,
        "missing": candidate.missing,
    }
    texts = [f"{number} {label}" for label, number in counts.items() if number]
    text = ", ".join([f"{candidate.known} known", *texts])
    return f"{text}: {candidate.path}: {candidate.reason}" if candidate.reason else text
