"""Fixtures of the tests in this folder."""

from function_servers import here, people, server  # noqa: F401
