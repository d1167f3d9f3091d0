"""Fixtures of the tests in this folder."""

from hive_servers import mock, served  # noqa: F401
