"""tl.gateway: an ASGI application that serves Thrift services over HTTP, from their IDL.

User guide: docs/gateway.md."""

from .app import Gateway, gateway

__all__ = ["Gateway", "gateway"]
