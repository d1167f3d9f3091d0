"""Reloads an IDL when its files change."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Callable, Iterable, Sequence, Union

from ..._rpc.log import logger
from ..._schema.watching import ChangeDetector, Signature
from ..._schema.watching import signature_of as signature_of_files

_LOG = logger("thriftlens.gateway")
Folder = Union[str, os.PathLike[str]]


def signature_of(folders: Iterable[Folder]) -> Signature:
    """Names, times and sizes of the IDL files in these folders and their subfolders."""
    return signature_of_files(file for folder in folders for file in Path(folder).rglob("*.thrift"))


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
    detector = ChangeDetector(seen)
    while True:
        await asyncio.sleep(seconds)
        if not detector.is_changed(await loop.run_in_executor(None, look, folders)):
            continue
        try:
            await loop.run_in_executor(None, reload)
            _LOG.info("the IDL was reloaded")
        except Exception as error:
            _LOG.error("the IDL was not reloaded: %s", error)
