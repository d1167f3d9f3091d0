"""load and loads: schemas from IDL files and texts."""

from __future__ import annotations

import os
import re
from typing import Callable, Iterable, Literal, Mapping, Optional, TypedDict, Union

from .. import _core
from .._errors import Error, SchemaError, file_error
from .names import encoded
from .schemas import Schema, shared_schema

_MISSING = "include-not-found"
Folder = Union[str, os.PathLike[str]]
Loader = Callable[[str, str], Union[str, bytes, None]]


class LoadOptions(TypedDict, total=False):
    """Options of load."""

    include_dirs: Iterable[Folder]
    includes: Optional[Mapping[str, Union[str, bytes]]]
    loader: Optional[Loader]
    strict: bool
    implicit_ids: Literal["apache", "cloudwego"]


def load(
    path: Union[str, os.PathLike[str]],
    *,
    include_dirs: Iterable[Folder] = (),
    includes: Optional[Mapping[str, Union[str, bytes]]] = None,
    loader: Optional[Loader] = None,
    strict: bool = False,
    implicit_ids: Literal["apache", "cloudwego"] = "apache",
) -> Schema:
    """Loads an IDL file and its includes. SchemaError contains all findings of all files.

    Returns an existing schema if one with the same texts and names is alive.

    include_dirs: folders to search in order, after the folder of the including file.
    includes: IDL texts by include path; searched first.
    loader: called with the path as written and the name of the including file; returns the text, or
        None to search on disk.
    strict: accept only IDL that the Apache compiler accepts.
    implicit_ids: numbering of fields without an id: -1, -2 … ("apache") or previous + 1
        ("cloudwego")."""
    return _load(os.fsencode(path), None, include_dirs, includes, loader, strict, implicit_ids)


def loads(
    text: Union[str, bytes],
    *,
    name: str = "<text>",
    include_dirs: Iterable[Folder] = (),
    includes: Optional[Mapping[str, Union[str, bytes]]] = None,
    loader: Optional[Loader] = None,
    strict: bool = False,
    implicit_ids: Literal["apache", "cloudwego"] = "apache",
) -> Schema:
    """Like load, for IDL in memory. name: the file name in messages.

    >>> import thriftlens as tl
    >>> tl.loads("struct Q { 1: i23 a }", name="q.thrift")
    Traceback (most recent call last):
        ...
    thriftlens.SchemaError: q.thrift:1:15: error: ...
    """
    try:
        return _load(
            encoded(text), encoded(name), include_dirs, includes, loader, strict, implicit_ids
        )
    except SchemaError as error:
        if re.fullmatch(r"\S+\.thrift", os.fsdecode(text)):
            error.hint = f"to load a file: load({os.fsdecode(text)!r})"
        raise


def checked_folders(folders: Iterable[Folder]) -> tuple[Folder, ...]:
    """TypeError for a single path."""
    if isinstance(folders, (str, bytes, os.PathLike)):
        raise TypeError("include_dirs must be a list of folders, not one path")
    return tuple(folders)


def _load(
    source: bytes,
    name: Optional[bytes],
    include_dirs: Iterable[Folder],
    includes: Optional[Mapping[str, Union[str, bytes]]],
    loader: Optional[Loader],
    strict: bool,
    implicit_ids: str,
) -> Schema:
    folders = [os.fsencode(item) for item in checked_folders(include_dirs)]
    texts = {encoded(item): encoded(text) for item, text in dict(includes or {}).items()}
    try:
        core = _core.Schema.load(source, name, folders, texts, loader, bool(strict), implicit_ids)
    except Error as error:
        if error.code == "io":
            located = file_error(os.fsdecode(source), str(error))
            if b"{" in source:
                located.hint = "to load a text: loads(text)"
            raise located from None
        diagnostics = error.diagnostics if isinstance(error, SchemaError) else ()
        if {finding.kind for finding in diagnostics if finding.severity == "error"} == {_MISSING}:
            error.option = ("include_dirs", ["DIR"])
        raise
    return shared_schema(core, bool(strict), implicit_ids)
