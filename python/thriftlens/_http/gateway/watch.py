"""Looks whether the files of an IDL have changed, and loads them again."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Callable, Iterable

from ..._rpc.log import logger

_LOG = logger("thriftlens.gateway")
Signature = frozenset[tuple[str, int, int]]


def signature_of(folders: Iterable[Any]) -> Signature:
    """Names, times and sizes of the IDL files of these folders and those below."""
    found = set()
    for folder in folders:
        for file in Path(os.fspath(folder)).rglob("*.thrift"):
            try:
                about = file.stat()
            except OSError:  # it is being replaced
                continue
            found.add((str(file), about.st_mtime_ns, about.st_size))
    return frozenset(found)


async def watch(
    folders: list[Any], seen: Signature, seconds: float, reload: Callable[[], Any], look: Callable[[list[Any]], Signature] = signature_of
) -> None:
    """Until it is cancelled. seen: the signature before the IDL was loaded. What cannot be loaded is logged and leaves the old IDL in place; it is
    tried again at the next change."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(seconds)
        now = await loop.run_in_executor(None, look, folders)
        if now == seen:
            continue
        seen = now
        try:
            await loop.run_in_executor(None, reload)
            _LOG.info("the IDL was loaded again")
        except Exception as error:
            _LOG.error("the IDL stays as it was: %s", error)
