"""The table of targets: properties of public operations that hold for every seed."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Callable, NamedTuple

from .driver import driver_path


class Target(NamedTuple):
    """A property of public operations that holds for every seed."""

    name: str
    check: Callable[[int], None]
    reaches: tuple[str, ...]
    cost: int  # processor time in multiples of a plain decode target


TARGETS: dict[str, Target] = {}


def target(
    *reaches: str, cost: int = 1
) -> Callable[[Callable[[int], None]], Callable[[int], None]]:
    """Registers a function of a seed, with the public names that it compares with an oracle."""

    def register(check: Callable[[int], None]) -> Callable[[int], None]:
        TARGETS[check.__name__] = Target(check.__name__, check, reaches, cost)
        return check

    return register


def load_targets() -> None:
    """Imports the modules of the package `targets`, which register theirs; that of the C++ API if
    its driver was built."""
    package = importlib.import_module("targets")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name != "cpp" or driver_path() is not None:
            importlib.import_module(f"targets.{module.name}")
