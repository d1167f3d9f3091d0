"""Clients and servers for asyncio: tl.aio.connect, tl.aio.serve."""

from ._rpc.aio_client import AsyncClient, Connecting, connect
from ._rpc.server import Server
from ._rpc.server import serve_here as serve

__all__ = ["AsyncClient", "Connecting", "Server", "connect", "serve"]
