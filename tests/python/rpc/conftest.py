"""Fixtures of the tests in this folder."""

from client_servers import client, server, shop  # noqa: F401
from safe_clients import newer_server  # noqa: F401
