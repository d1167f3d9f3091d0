"""Errors of calls: of connections, and those that servers report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Mapping, Optional

from .._text import MESSAGE_LENGTH
from .._typing import ErrorCode
from .errors import Error, restored


class TransportError(Error):
    """A connection that failed, broke or timed out, according to `code` (list: docs/services.md).

    Depending on the code, a TransportTimeoutError, which is a TimeoutError, or a
    TransportConnectionError, which is a ConnectionError.
    status: status of an HTTP response; None elsewhere."""

    status: Optional[int] = None

    if not TYPE_CHECKING:

        def __new__(cls, *args: object, **members: object) -> TransportError:
            code = members.get("code")
            class_ = _TRANSPORT_CLASSES.get(code, cls) if cls is TransportError else cls
            return super().__new__(class_, *args)


class TransportTimeoutError(TransportError, TimeoutError):
    """A call timed out."""


class TransportConnectionError(TransportError, ConnectionError):
    """A connection failed or was closed."""


_TRANSPORT_CLASSES: dict[str, type[TransportError]] = {
    "timeout": TransportTimeoutError,
    **dict.fromkeys(
        ("connection_refused", "connection_failed", "not_found", "closed", "certificate", "tls"),
        TransportConnectionError,
    ),
}


class ServerError(Error):
    """An error that a server reports.

    message: its text, unchanged; str(error) escapes control characters and truncates it."""

    _max_length = MESSAGE_LENGTH

    def __init__(self, message: str, *, code: ErrorCode):
        super().__init__(message, code=code)
        self.message = message


class ApplicationError(ServerError):
    """An application exception: the server could not execute the call. One raised by a handler is
    sent unchanged.

    code: Thrift's name for it: "unknown_method", "internal_error" …; number: its number in the
        message.
    message: the server's text, unchanged; str(error) escapes control characters and truncates it.
    """

    def __init__(
        self, message: str, *, code: ErrorCode = "internal_error", number: Optional[int] = None
    ):
        super().__init__(message, code=code)
        self.number = (
            APPLICATION_CODES.index(code)
            if number is None and code in APPLICATION_CODES
            else number or 0
        )


class BusinessError(ServerError):
    """A business error of Kitex, sent in TTHeader headers.

    status: its number; message: its text, unchanged; extra: further texts by name."""

    def __init__(self, status: int, message: str, extra: Optional[Mapping[str, str]] = None):
        super().__init__(message or f"business error {status}", code="business_error")
        self.status = status
        self.message = message  # the server's text, which may be empty
        self.extra = dict(extra or {})

    def __reduce__(self) -> tuple[object, ...]:
        return restored, (type(self), (self.status, self.message, self.extra), self.__dict__)


APPLICATION_CODES: tuple[ErrorCode, ...] = (
    "unknown", "unknown_method", "invalid_message_type", "wrong_method_name", "bad_sequence_id",
    "missing_result", "internal_error", "protocol_error", "invalid_transform", "invalid_protocol",
    "unsupported_client_type",
)  # fmt: skip
