"""Fork: a child process abandons the connections that it inherits, so that it never reads another
process's replies."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Owner(Protocol):
    """An object with connections or locks that a child process must not use."""

    def abandon(self) -> None: ...


_owners: weakref.WeakSet[Owner] = weakref.WeakSet()
_process = os.getpid()


def register(owner: Owner) -> None:
    """Calls owner.abandon() in child processes, before anything else runs there."""
    _owners.add(owner)


def check_process() -> None:
    """Abandons inherited connections where a fork inside a C library ran no hooks."""
    if os.getpid() != _process:
        _abandon_inherited()


def _abandon_inherited() -> None:
    global _process
    _process = os.getpid()
    for owner in list(_owners):
        owner.abandon()


def sever(descriptor: int) -> None:
    """Puts /dev/null in the place of a descriptor: its connection stays open in the parent, and no
    event loop is touched."""
    null = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(null, descriptor, inheritable=False)
    finally:
        os.close(null)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_abandon_inherited)
