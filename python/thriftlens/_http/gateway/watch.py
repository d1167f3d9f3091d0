"""Reloads an IDL when its files change."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Callable, Iterable, Sequence, Union

from ..._rpc.log import logger

_LOG = logger("thriftlens.gateway")
Folder = Union[str, os.PathLike[str]]
Signature = frozenset[tuple[str, int, int]]


def signature_of(folders: Iterable[Folder]) -> Signature:
    """Names, times and sizes of the IDL files in these folders and their subfolders."""
    entries = set()
    for folder in folders:
        for file in Path(os.fspath(folder)).rglob("*.thrift"):
            try:
                status = file.stat()
            except OSError:  # it is being replaced
                continue
            entries.add((str(file), status.st_mtime_ns, status.st_size))
    return frozenset(entries)


async def watch(
    folders: Sequence[Folder],
    seen: Signature,
    seconds: float,
    reload: Callable[[], object],
    look: Callable[[Sequence[Folder]], Signature] = signature_of,
) -> None:
    """Runs until it is cancelled. seen: the signature before the IDL was loaded. If loading fails,
    logs the error, keeps the old IDL and retries at
    the next change."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(seconds)
        current = await loop.run_in_executor(None, look, folders)
        if current == seen:
            continue
        seen = current
        try:
            await loop.run_in_executor(None, reload)
            _LOG.info("the IDL was reloaded")
        except Exception as error:
            _LOG.error("the IDL was not reloaded: %s", error)
