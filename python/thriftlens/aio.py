"""Clients and servers for asyncio: tl.aio.connect, tl.aio.serve."""

from ._rpc.aio_client import AsyncClient, Connecting, connect
from ._rpc.listening import Listening, serve
from ._rpc.server import Server

__all__ = ["AsyncClient", "Connecting", "Listening", "Server", "connect", "serve"]
