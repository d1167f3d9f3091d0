"""Fixtures of the tests in this folder."""

from recordings import server  # noqa: F401
