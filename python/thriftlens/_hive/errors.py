"""Errors of HiveServer2."""

from __future__ import annotations

from typing import Optional

from .._errors import ServerError
from .._typing import Values


class HiveError(ServerError):
    """A request that HiveServer2 could not execute.

    message: the server's text, unchanged. sql_state, error_code: from the server, or None.
    information: further lines, such as a stack trace."""

    def __init__(
        self,
        message: str,
        *,
        sql_state: Optional[str] = None,
        error_code: Optional[int] = None,
        information: tuple[str, ...] = (),
    ):
        super().__init__(message, code="hive_error")
        self.sql_state = sql_state
        self.error_code = error_code
        self.information = information


def error_of(status: Values, default: str) -> HiveError:
    """The error of a TStatus or a TGetOperationStatusResp. default: text if it has none."""
    is_invalid_handle = status.get("statusCode") == 4
    return HiveError(
        status.get("errorMessage") or ("invalid handle" if is_invalid_handle else default),
        sql_state=status.get("sqlState"),
        error_code=status.get("errorCode"),
        information=tuple(status.get("infoMessages") or ()),
    )


HiveError.__module__ = "thriftlens.hive"
