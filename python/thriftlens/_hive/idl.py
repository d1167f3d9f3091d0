"""The IDL of Hive in this package."""

from __future__ import annotations

import functools
import os

from .._schema.loading import load
from .._schema.schemas import Schema

_FOLDER = os.path.dirname(__file__)


@functools.lru_cache(maxsize=None)
def metastore_idl() -> Schema:
    """The IDL of a metastore in this package: its most used functions.

    >>> import thriftlens as tl
    >>> tl.hive.metastore_idl().service("ThriftHiveMetastore").functions["get_table"].returns
    <thriftlens.Type struct Table>
    """
    return load(os.path.join(_FOLDER, "metastore.thrift"))


@functools.lru_cache(maxsize=None)
def server_idl() -> Schema:
    """The IDL of HiveServer2 in this package: the functions that Session and Result call."""
    return load(os.path.join(_FOLDER, "server.thrift"))


for _public in (metastore_idl, server_idl):
    _public.__module__ = "thriftlens.hive"
