"""Types that the signatures of several modules share."""

from collections.abc import Awaitable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Literal, Protocol, Union

if TYPE_CHECKING:
    from typing_extensions import Buffer as Buffer

    from ._core import Type
else:
    Buffer = bytes

# A decoded value. Its type follows from the IDL, which is known at run time only.
Value = Any
# Arguments of a call or members of a struct by name.
Values = Mapping[str, Value]

# A selection: its text, a type, or the names of fields.
Selection = Union[None, str, "Type", Sequence[str]]

# Bytes that are sliced without a copy.
Data = Union[bytes, memoryview]

WireProtocol = Literal["binary", "compact"]
AnyProtocol = Literal["binary", "compact", "tjson"]

# What json.loads returns.
JsonValue = Union[None, bool, int, float, str, list["JsonValue"], dict[str, "JsonValue"]]
JsonObject = dict[str, JsonValue]

# Reports a message, such as a progress or a warning.
Say = Callable[[str], None]

# ASGI.
Scope = MutableMapping[str, Any]
AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]


class BinaryReader(Protocol):
    """The part of a binary file that readers use."""

    def read(self, size: int = -1, /) -> bytes: ...


class BinaryWriter(Protocol):
    """The part of a binary file that writers use."""

    def write(self, data: bytes, /) -> object: ...


# Capsules of an ArrowSchema and an ArrowArray.
ArrayCapsules = tuple[object, object]


class ArrowStream(Protocol):
    """An object that exports a table, see Arrow's PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    """An object that exports an array, see Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object = None) -> ArrayCapsules: ...


class ArrowSchema(Protocol):
    """An object that exports a schema, see Arrow's PyCapsule interface."""

    def __arrow_c_schema__(self) -> object: ...
