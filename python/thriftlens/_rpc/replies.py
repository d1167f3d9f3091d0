"""Replies: the field that is set, and the errors that a server sends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Mapping, Optional, Union

from .._errors import APPLICATION_CODES, ApplicationError, BusinessError, DecodeError
from .._typing import ErrorCode
from .message import BytesLike, application_exception
from .options import TTHEADER_TRANSPORTS, WireProtocol

if TYPE_CHECKING:
    from .._schema.services import Function


def result_field(function: Function, data: BytesLike, protocol: WireProtocol) -> Optional[str]:
    """The field that is set in a reply: "success" or a declared exception; None of a void function.
    Raises DecodeError (unknown_field) for a field that the IDL does not declare, ApplicationError
    (missing_result) if no field is set."""
    field = function.result._reply_field(data, function.name, protocol=protocol)
    if field is None and function.returns is not None:
        raise ApplicationError(
            f"the reply to {function.name} contains neither a result nor an exception",
            code="missing_result",
        )
    return field


def business_error(
    name: str, headers: Union[Mapping[str, str], Mapping[Union[str, int], str]], transport: str
) -> Optional[BusinessError]:
    """The business error of Kitex in the headers of a reply to the function of that name."""
    text = headers.get("biz-status") if transport in TTHEADER_TRANSPORTS else None
    if text is None:
        return None
    try:
        status = int(text)
        extra = json.loads(headers.get("biz-extra") or "{}")
    except ValueError:
        raise DecodeError(
            f"the reply to {name} has a malformed business error in its headers: "
            f"biz-status={text!r}",
            code="bad_message",
        ) from None
    return BusinessError(status, headers.get("biz-message", ""), extra) if status else None


def read_application_error(data: bytes, protocol: WireProtocol) -> ApplicationError:
    """Decodes an application exception."""
    fields = application_exception().decode(data, protocol=protocol, invalid_utf8="replace")
    number = fields.get("type", 0)
    code: ErrorCode = (
        APPLICATION_CODES[number] if 0 <= number < len(APPLICATION_CODES) else "unknown"
    )
    return ApplicationError(
        fields.get("message") or code.replace("_", " "), code=code, number=number
    )
