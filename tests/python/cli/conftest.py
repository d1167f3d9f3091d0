"""Fixtures of the tests in this folder."""

from function_servers import here, idl, server  # noqa: F401
