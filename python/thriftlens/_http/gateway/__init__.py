"""HTTP in front of Thrift services: an ASGI application made of an IDL; tl.gateway. docs/gateway.md tells how it is used."""

from .app import Gateway, gateway

__all__ = ["Gateway", "gateway"]
