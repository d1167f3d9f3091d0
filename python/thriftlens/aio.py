"""Clients and servers for asyncio: tl.aio.connect, tl.aio.serve."""

from ._aio import AsyncClient, Connecting, connect
from ._server import Server, serve_here as serve

__all__ = ["AsyncClient", "Connecting", "Server", "connect", "serve"]
