"""Public names of the Python package and its commands, and the targets that reach them."""

from __future__ import annotations

import inspect
import types
from typing import Any, Iterator

import thriftlens as tl

from .registry import TARGETS

# Names without a target, with the reason. A module or class covers its members.
EXEMPT = {
    "gateway": "listens: tests/python/gateway",
    "Gateway": "listens: tests/python/gateway",
    "hive": "needs HiveServer2: tests/python/test_hive.py, scripts/peers.sh",
    "spark": "adapters of Spark: tests/python/test_spark.py",
    "Scan.close": "closes files: tests/python/records/test_scanner.py",
    "Store.watch": "looks at files: tests/python/schema/test_store.py",
    "Store.subscribed": "used by servers: tests/python/schema/test_store.py",
    "Writer.flush": "errors of streams: tests/python/records/test_writer.py",
    "ApplicationError": "a reply of a server: tests/python/rpc",
    "BusinessError": "a reply of a server: tests/python/rpc",
    "TransportError": "connections: tests/python/rpc",
    "TransportConnectionError": "connections: tests/python/rpc",
    "TransportTimeoutError": "connections: tests/python/rpc",
    "FileError": "errors of the file system: tests/python/errors/test_errors.py",
    "MissingFileError": "errors of the file system: tests/python/errors/test_errors.py",
    "UsageError": "misuse by the caller: tests/python/errors/test_errors.py",
    "grammar": "texts",
    "__version__": "a text",
    "thriftlens call": "needs a server: tests/python/rpc",
    "thriftlens completion": "texts: tests/python/cli/test_completion.py",
    "thriftlens help": "texts: tests/python/cli/test_help.py",
    "kafka.Context": "a protocol of types",
    "parquet.Page": "headers of pages: tests/python/parquet",
    "thriftlens record": "needs a server: tests/python/capture",
    "thriftlens replay": "needs a server: tests/python/capture",
    "thriftlens serve": "listens: tests/python/gateway",
    "Message.trace": "a header of Finagle, which the generator does not draw: tests/python/records",
    "thriftlens stubs": "texts for type checkers: tests/python/schema/test_stubs.py",
    "thriftlens table": "Type.columns: tests/python/cli/test_table.py",
    "thriftlens infer": "Python's infer: tests/python/cli",
    "thriftlens identify": "Python's identify: tests/python/cli",
}


def public_names() -> list[str]:
    """Exported names, methods of exported classes, functions of public modules, commands."""
    from thriftlens._cli.main import COMMANDS

    names: list[str] = []
    for name in tl.__all__:
        names.append(name)
        value = getattr(tl, name)
        if isinstance(value, type):
            names += [f"{name}.{method}" for method in methods(value)]
        elif isinstance(value, types.ModuleType):
            names += [f"{name}.{member}" for member in functions(value)]
    return [*names, *(f"thriftlens {command}" for command in COMMANDS)]


def methods(cls: type) -> Iterator[str]:
    """Own public methods; those of a public base are names of the base."""
    inherited = {
        name
        for base in cls.__mro__[1:]
        if base is getattr(tl, base.__name__, None)
        for name in vars(base)
    }
    for name in sorted(set(dir(cls)) - inherited):
        owner = next(base for base in cls.__mro__ if name in vars(base))
        is_own = owner.__module__.startswith("thriftlens")
        if is_own and not name.startswith("_") and is_operation(vars(owner)[name]):
            yield name


def is_operation(value: Any) -> bool:
    return (
        callable(value)
        or inspect.isgetsetdescriptor(value)
        or isinstance(value, (property, staticmethod, classmethod))
    )


def functions(module: types.ModuleType) -> Iterator[str]:
    """The names in __all__, else functions and classes that the module defines."""
    own = (name for name, value in vars(module).items()
           if getattr(value, "__module__", "") == module.__name__)  # fmt: skip
    for name in sorted(getattr(module, "__all__", own)):
        if not name.startswith("_"):
            yield name


def targets_of(name: str) -> list[str]:
    return sorted(target.name for target in TARGETS.values() if name in target.reaches)


def reason_of(name: str) -> str:
    """Why a name has no target; "" if it needs one."""
    return EXEMPT.get(name) or EXEMPT.get(name.partition(".")[0], "")
