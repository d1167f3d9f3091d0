"""Imports IDL files like modules: after `install()`, `import shop_thrift` loads `shop.thrift` from
the folders of `sys.path`.

The module has the classes of the IDL (see Schema.classes) and its constants as attributes; those of
an included `base.thrift` are in `shop_thrift.base`. `__schema__` is the Schema. Of a service Shop
there are clients, `ShopClient.connect(address)` and `AsyncShopClient`. A package can
contain IDL files: `from proto import shop_thrift` loads `proto/shop.thrift`.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Literal, Optional

from ._errors import Error
from ._schema.loading import Folder, checked_folders, load
from ._schema.schemas import Schema
from ._text import did_you_mean

__all__ = ["install", "uninstall"]

_SUFFIX = "_thrift"


def install(
    *,
    include_dirs: Iterable[Folder] = (),
    strict: bool = False,
    implicit_ids: Literal["apache", "cloudwego"] = "apache",
) -> None:
    """Installs the import hook, or replaces its options, which are those of load.

    Other modules take precedence. An IDL file with errors raises ImportError."""
    finder = _Finder(checked_folders(include_dirs), strict, implicit_ids)
    uninstall()
    sys.meta_path.append(finder)


def uninstall() -> None:
    """Removes the import hook; imported modules stay."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(
        self,
        include_dirs: tuple[Folder, ...],
        strict: bool,
        implicit_ids: Literal["apache", "cloudwego"],
    ):
        self.include_dirs = include_dirs
        self.strict = strict
        self.implicit_ids = implicit_ids

    def load(self, file: str) -> Schema:
        return load(
            file, include_dirs=self.include_dirs, strict=self.strict, implicit_ids=self.implicit_ids
        )

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        name = fullname.rpartition(".")[2]
        if not name.endswith(_SUFFIX):
            return None
        file = f"{name[: -len(_SUFFIX)]}.thrift"
        for folder in sys.path if path is None else path:
            location = os.path.join(folder or os.getcwd(), file)
            if os.path.isfile(location):
                loader = _Loader(location, self)
                return importlib.machinery.ModuleSpec(fullname, loader, origin=location)
        return None


class _Loader(importlib.abc.Loader):
    def __init__(self, file: str, options: _Finder):
        self._file = file
        self._options = options

    def exec_module(self, module: ModuleType) -> None:
        try:
            schema = self._options.load(self._file)
        except Error as error:
            raise ImportError(str(error), name=module.__name__, path=self._file) from error
        classes = schema.classes
        module.__dict__.update(
            {name: classes[name] for name in classes},
            __file__=self._file,
            __doc__=f"Classes of {os.path.basename(self._file)}.",
            __schema__=schema,
            __all__=list(classes),
            __getattr__=_Clients(module, schema).find,
        )


class _Clients:
    """The classes of clients of a module, which need sockets, on first use."""

    def __init__(self, module: ModuleType, schema: Schema):
        self._module = module
        self._schema = schema

    def find(self, name: str) -> object:
        """ShopClient or AsyncShopClient of the service Shop."""
        service = name.removeprefix("Async").removesuffix("Client")
        if name.endswith("Client") and service in self._schema.services:
            make = importlib.import_module("._rpc.client_classes", __package__).client_classes
            classes = make(self._schema, service, self._schema.classes)
            vars(self._module).update((class_.__name__, class_) for class_ in classes)
            return vars(self._module)[name]
        suggestion = did_you_mean(name, vars(self._module))
        raise AttributeError(f"no {name!r} in {self._module.__name__}{suggestion}")
