"""Imports optional dependencies."""

from __future__ import annotations

import importlib
from types import ModuleType

from ._text import in_one_line


def package(name: str, purpose: str, install: str) -> ModuleType:
    """Imports the module `name`. The ImportError contains the install command, or the reason why an
    installed package cannot be loaded."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        kind = ModuleNotFoundError if is_missing(name, error) else ImportError
        raise kind(
            f"{purpose} {absence(name, error, install)}", name=error.name, path=error.path
        ) from None


def absence(name: str, error: ImportError, install: str) -> str:
    """The reason of a failed import, to follow its purpose in an error: "CSV files need"."""
    package = name.partition(".")[0]
    if is_missing(name, error):
        return f"{package}, which is not installed: pip install {install}"
    return f"{package}, which is installed but cannot be loaded: {in_one_line(error)}"


def is_missing(name: str, error: ImportError) -> bool:
    """Whether the package is not installed; false for other import errors."""
    return (
        isinstance(error, ModuleNotFoundError)
        and error.name is not None
        and f"{name}.".startswith(f"{error.name}.")
    )
