"""The compiled part of thriftlens; use the package thriftlens instead."""

from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from typing import (
    AbstractSet,
    Any,
    Callable,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    Optional,
    TypedDict,
    Union,
    final,
    overload,
)

from typing_extensions import Buffer, Self, TypeVar, Unpack

from ._errors import Diagnostic, Error
from ._schema.results import Differences, Redaction, RedactReport, RewriteReport
from ._typing import (
    CheckOptions,
    ColumnOptions,
    EncodeOptions,
    ErrorCode,
    FromJsonOptions,
    ReadOptions,
    RecordOptions,
    RedactRules,
    ToJsonOptions,
)

__version__: str

_T = TypeVar("_T", bound="Type")
_M = TypeVar("_M")
_D = TypeVar("_D", covariant=True, default=Any)
_Protocol = Literal["binary", "compact"]
_Headers = Union[None, Mapping[str, Union[str, bytes]], Mapping[Union[str, int], Union[str, bytes]]]
_Framing = str  # a name in framings()
_AnyProtocol = Literal["binary", "compact", "tjson"]
_Streaming = Literal["none", "client", "server", "bidirectional"]
_Requiredness = Literal["required", "optional", "default"]
_Annotations = list[tuple[str, str]]
_MessageKind = Literal["call", "reply", "exception", "oneway"]

@final
class RecordMessage(NamedTuple):
    """The message header of a record. header: begin and end of Finagle's header in the data."""

    name: str
    kind: _MessageKind
    sequence_id: int
    strict: bool
    protocol: _Protocol
    header: Optional[tuple[int, int]]

@final
class CutRecords(NamedTuple):
    """Rows: offset, size, (begin, end) of the value or its bytes, message."""

    rows: list[tuple[int, int, Union[None, bytes, tuple[int, int]], Optional[RecordMessage]]]
    next: int
    needed: int
    error: Optional[Error]
    can_continue: bool

@final
class RecordBlobs(NamedTuple):
    """Like CutRecords. locations: offset, size and value offset or -1 per record, as int64."""

    schema: object
    array: object
    locations: bytes
    next: int
    needed: int
    error: Optional[Error]
    can_continue: bool

@final
class TextMessage(NamedTuple):
    """A message in JSON protocol, and where its struct begins and ends."""

    name: str
    kind: _MessageKind
    sequence_id: int
    begin: int
    end: int

@final
class Framing(NamedTuple):
    """A framing of records. `is_sized`: a header with the size precedes every record; `is_text`:
    one record per line; `has_null`: it has null records. `bits`: improbability of a header or line
    among random bytes, as a power of two."""

    name: str
    description: str
    is_sized: bool
    is_text: bool
    has_null: bool
    bits: float

@final
class Frame(NamedTuple):
    """A frame or line: where its content begins and ends in the data, perhaps after the end of the
    data; or the bytes that a line encodes, else None."""

    begin: int
    end: int
    content: Optional[bytes]

@final
class GuessRow(NamedTuple):
    """A form that bytes may have, with its score in bits and its description."""

    shape: str
    protocol: _AnyProtocol
    framing: str
    prefix_size: int
    value_count: int
    bits: float
    text: str

@final
class CandidateRow(NamedTuple):
    """A type that bytes may be of; number: its index in the sequence of types."""

    number: int
    score: float
    known: int
    unknown: int
    contradictions: int
    missing: int
    path: str
    reason: str

@final
class ParquetNode(NamedTuple):
    """A node of a Parquet schema. group: an index among the rows, or -1."""

    number: int
    name: str
    group: int
    level: int
    is_leaf: bool
    first_leaf: int
    last_leaf: int
    begin: int
    end: int

@final
class ArrowNode(NamedTuple):
    """An Arrow array. Its buffers are borrowed and keep it alive."""

    name: str
    format: str
    length: int
    nulls: int
    buffers: list[memoryview]
    children: list[ArrowNode]
    dictionary: Optional[ArrowNode]

@final
class HttpResponse(NamedTuple):
    """An HTTP response."""

    status: int
    headers: list[tuple[str, str]]
    cookies: list[tuple[str, str]]
    body: bytes
    base: Optional[bytes]
    is_raw: bool

@final
class FieldRow(NamedTuple):
    """A field of a struct. type: an index. default: None without one."""

    id: int
    name: str
    type: int
    requiredness: _Requiredness
    has_default: bool
    default: object
    alias: str
    doc: str
    annotations: _Annotations
    type_annotations: _Annotations

@final
class FunctionRow(NamedTuple):
    """A function of a service. returns, arguments, result: indices of types."""

    name: str
    oneway: bool
    returns: int
    arguments: int
    result: int
    doc: str
    annotations: _Annotations
    streaming: _Streaming

@final
class ServiceRow(NamedTuple):
    """A service with its own functions and those of its bases, nearest first."""

    name: str
    extends: Optional[str]
    doc: str
    annotations: _Annotations
    functions: list[FunctionRow]
    inherited: list[FunctionRow]

class Type:
    """The compiled half of thriftlens.Type."""

    @property
    def index(self) -> int: ...
    @property
    def _compiled(self) -> int: ...
    def _from_columns(
        self, schema: object, array: object, first: int, **options: Unpack[RecordOptions]
    ) -> RecordColumn: ...
    def _column_reader(
        self, select: object = None, **options: Unpack[ColumnOptions]
    ) -> ColumnReader: ...
    @overload
    def decode(
        self,
        data: Buffer,
        /,
        *,
        into: type[_M],
        protocol: _AnyProtocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> _M: ...
    @overload
    def decode(
        self,
        data: Buffer,
        /,
        *,
        into: Any = None,
        protocol: _AnyProtocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> Any: ...
    def encode(
        self,
        value: object,
        /,
        *,
        protocol: _AnyProtocol = "binary",
        depth: int = 64,
        **options: Unpack[EncodeOptions],
    ) -> bytes: ...
    @overload
    def decoder(
        self,
        /,
        *,
        into: type[_M],
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> Decoder[_M]: ...
    @overload
    def decoder(
        self,
        /,
        *,
        into: Any = None,
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> Decoder[Any]: ...
    def encoder(
        self,
        /,
        *,
        protocol: _Protocol = "binary",
        depth: int = 64,
        **options: Unpack[EncodeOptions],
    ) -> Encoder: ...
    def to_json(
        self,
        data: Buffer,
        /,
        *,
        protocol: _AnyProtocol = "binary",
        depth: int = 64,
        **options: Unpack[ToJsonOptions],
    ) -> bytes: ...
    def from_json(
        self,
        text: Union[str, Buffer],
        /,
        *,
        protocol: _AnyProtocol = "binary",
        depth: int = 64,
        **options: Unpack[FromJsonOptions],
    ) -> bytes: ...
    def get(
        self,
        data: Buffer,
        path: str,
        default: object = None,
        /,
        *,
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> Any: ...
    def get_many(
        self,
        data: Buffer,
        paths: Sequence[str],
        default: object = None,
        /,
        *,
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> list[Any]: ...
    def view(
        self,
        data: Buffer,
        /,
        *,
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> View: ...
    def trim(
        self,
        data: Buffer,
        selection: Union[str, Type, Sequence[str]],
        /,
        *,
        protocol: _Protocol = "binary",
        unknown: Literal["selected", "keep", "drop", "error"] = "selected",
        defaults: Literal["omit", "write"] = "omit",
        depth: int = 64,
        output_size: int = 0,
    ) -> bytes: ...
    def edit(
        self, data: Buffer, *, protocol: _Protocol = "binary", depth: int = 64, output_size: int = 0
    ) -> Edit: ...
    def redact(
        self,
        data: Buffer,
        *,
        unknown: Literal["drop", "keep", "error"] = "drop",
        report: Optional[Callable[[RedactReport], object]] = None,
        protocol: _Protocol = "binary",
        depth: int = 64,
        **rules: Unpack[RedactRules],
    ) -> bytes: ...
    def redactions(
        self, *, unknown: Literal["drop", "keep", "error"] = "drop", **rules: Unpack[RedactRules]
    ) -> list[Redaction]: ...
    def findings(
        self,
        data: Buffer,
        *,
        max_findings: int = 64,
        protocol: _Protocol = "binary",
        depth: int = 64,
        **options: Unpack[CheckOptions],
    ) -> list[Error]: ...
    def validate(
        self,
        data: Buffer,
        *,
        protocol: _Protocol = "binary",
        depth: int = 64,
        **options: Unpack[CheckOptions],
    ) -> None: ...
    def diff(
        self,
        left: Buffer,
        right: Buffer,
        *,
        order: Literal["ignore", "keep"] = "ignore",
        max_differences: int = 64,
        protocol: _Protocol = "binary",
        right_protocol: Optional[_Protocol] = None,
        depth: int = 64,
        output_size: int = 0,
    ) -> Differences: ...
    def _difference_rows(
        self,
        left: Buffer,
        right: Buffer,
        *,
        order: Literal["ignore", "keep"] = "ignore",
        max_differences: int = 64,
        protocol: _Protocol = "binary",
        right_protocol: Optional[_Protocol] = None,
        depth: int = 64,
        output_size: int = 0,
    ) -> list[tuple[str, str, Optional[bytes], Optional[bytes]]]: ...
    def _reply_field(
        self, data: Buffer, function: str, *, protocol: _Protocol = "binary", depth: int = 64
    ) -> Optional[str]: ...
    def rewrite(
        self, data: Buffer, *, protocol: _Protocol = "binary", depth: int = 64, output_size: int = 0
    ) -> Rewrite: ...
    def index_at(self, path: str, /) -> int: ...

class View:
    """A value inside bytes that is not decoded before it is asked for; made by Type.view."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    def to_dict(self) -> Any: ...
    def __copy__(self) -> View: ...
    def __deepcopy__(self, memo: object, /) -> View: ...
    def __bytes__(self) -> bytes: ...
    def __getattr__(self, name: str, /) -> Any: ...
    def __getitem__(self, key: object, /) -> Any: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __reversed__(self) -> Iterator[Any]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...
    def __dir__(self) -> list[str]: ...
    def _ipython_key_completions_(self) -> list[Any]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class StructView(View, Mapping[str, Any]):
    """The view of a struct, union or exception."""

    def get(self, name: str, default: object = None, /) -> Any: ...
    def keys(self) -> KeysView[str]: ...
    def values(self) -> ValuesView[Any]: ...
    def items(self) -> ItemsView[str, Any]: ...
    def _values(self) -> Iterator[Any]: ...
    def _items(self) -> Iterator[tuple[str, Any]]: ...

@final
class MapView(View, Mapping[Any, Any]):
    """The view of a map."""

    def get(self, key: object, default: object = None, /) -> Any: ...
    def at(self, path: str, default: object = None, /) -> Any: ...
    def keys(self) -> KeysView[Any]: ...
    def values(self) -> ValuesView[Any]: ...
    def items(self) -> ItemsView[Any, Any]: ...
    def _values(self) -> Iterator[Any]: ...
    def _items(self) -> Iterator[tuple[Any, Any]]: ...

@final
class ListView(View, Sequence[Any]):
    """The view of a list."""

    def get(self, path: str, default: object = None, /) -> Any: ...
    def at(self, path: str, default: object = None, /) -> Any: ...
    def index(self, value: object, start: int = 0, stop: int = 9223372036854775807, /) -> int: ...
    def count(self, value: object, /) -> int: ...
    def to_numpy(self) -> Any: ...
    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Any: ...

@final
class SetView(View, AbstractSet[Any]):
    """The view of a set."""

    def get(self, path: str, default: object = None, /) -> Any: ...
    def at(self, path: str, default: object = None, /) -> Any: ...
    def isdisjoint(self, other: Iterable[object], /) -> bool: ...
    def __and__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __rand__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __or__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __ror__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __sub__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __rsub__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __xor__(self, other: AbstractSet[object], /) -> set[Any]: ...
    def __rxor__(self, other: AbstractSet[object], /) -> set[Any]: ...

@final
class Decoder(Generic[_D]):
    """A type and the options of decode, read once; Type.decoder makes one too."""

    @overload
    def __new__(
        cls,
        type: Type,
        /,
        *,
        into: type[_M],
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> Decoder[_M]: ...
    @overload
    def __new__(
        cls,
        type: Type,
        /,
        *,
        into: Any = None,
        protocol: _Protocol = "binary",
        enums: Literal["number", "name", "member"] = "number",
        depth: int = 64,
        **options: Unpack[ReadOptions],
    ) -> Decoder[Any]: ...
    def __class_getitem__(cls, item: Any, /) -> Any: ...
    def decode(self, data: Buffer, /) -> _D: ...
    def _decode_counted(self, data: bytes, /) -> tuple[_D, int]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Model:
    """How values of a type become objects of a class; created by thriftlens._schema.models."""

    def __new__(cls, rows: list[tuple[Any, ...]], /) -> Model: ...

@final
class Encoder:
    """A type and the options of encode, read once; Type.encoder makes one too."""

    def __new__(
        cls,
        type: Type,
        /,
        *,
        protocol: _Protocol = "binary",
        depth: int = 64,
        **options: Unpack[EncodeOptions],
    ) -> Encoder: ...
    def encode(self, value: object, /) -> bytes: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class _NewValue(TypedDict, total=False):
    """The forms of a new value, and how it treats unknown names."""

    json: Optional[Union[str, Buffer]]
    wire: Optional[Buffer]
    unknown: Optional[Literal["error", "drop", "keep"]]

class _Changes:
    def set(self, path: str, value: object = ..., **form: Unpack[_NewValue]) -> Self: ...
    def create(self, path: str, value: object = ..., **form: Unpack[_NewValue]) -> Self: ...
    def insert(self, path: str, value: object = ..., **form: Unpack[_NewValue]) -> Self: ...
    def append(self, path: str, value: object = ..., **form: Unpack[_NewValue]) -> Self: ...
    def erase(self, path: str) -> Self: ...
    def replace(self, path: str, change: Callable[[Any], Any]) -> Self: ...

@final
class Edit(_Changes):
    """Changes to the bytes of one value, collected and applied in one pass; made by Type.edit."""

    def apply(self) -> bytes: ...

@final
class Rewrite(_Changes):
    """A selection, a redaction and edits of one value in one pass; made by Type.rewrite or
    rewrite."""

    def trim(self, selection: Union[str, Type, Sequence[str]]) -> Rewrite: ...
    def redact(
        self, *, unknown: Literal["drop", "keep", "error"] = "drop", **rules: Unpack[RedactRules]
    ) -> Rewrite: ...
    def apply(self, *, report: Optional[Callable[[RewriteReport], object]] = None) -> bytes: ...

@final
class SessionEvent:
    """What comes out of Session.next."""

    type: Literal["message", "ready", "send"]
    name: str
    kind: Literal["call", "reply", "exception", "oneway"]
    sequence_id: int
    data: bytes
    headers: dict[Union[str, int], str]
    protocol: Literal["binary", "compact", "binary_old"]
    transport: str
    offset: int
    error: Optional[Error]

@final
class Session:
    """A connection that carries Thrift messages, without its socket."""

    in_flight: int
    held: int
    fed: int
    transport: str
    protocol: str
    role: Literal["client", "server"]

    def __new__(
        cls,
        role: Literal["client", "server"],
        /,
        *,
        transport: Literal[
            "buffered",
            "framed",
            "header",
            "ttheader",
            "ttheader_framed",
            "sasl",
            "http",
            "grpc",
            "auto",
        ] = "framed",
        protocol: Literal["binary", "compact", "binary_old", "auto"] = "binary",
        frame_size: int = 0,
        header_size: int = 65536,
        calls: int = 1024,
        depth: int = 64,
        compress: bool = False,
        user: Optional[str] = None,
        password: Optional[str] = None,
    ) -> Session: ...
    def start(self) -> bytes: ...
    def call(
        self,
        name: str,
        arguments: Buffer,
        *,
        sequence_id: Optional[int] = None,
        oneway: bool = False,
        headers: _Headers = None,
        deadline: Optional[float] = None,
        select: Optional[tuple[Type, Union[str, Type, Sequence[str]]]] = None,
    ) -> tuple[int, bytes]: ...
    def reply(
        self,
        event: SessionEvent,
        kind: Literal["reply", "exception"],
        data: Buffer,
        *,
        headers: _Headers = None,
    ) -> bytes: ...
    @staticmethod
    def foreign_protocol(data: Buffer, /) -> Optional[str]: ...
    def skip_reply(self, event: SessionEvent, /) -> None: ...
    def feed(self, data: Buffer, /) -> None: ...
    def lend(self, data: Buffer, /) -> None: ...
    def next(self) -> Optional[SessionEvent]: ...
    def finish(self) -> None: ...
    def cancel(self, sequence_id: int, /) -> bool: ...
    def expired(self, now: float, /) -> list[int]: ...

def rewrite(view: View, *, output_size: int = 0) -> Rewrite: ...
def reason(
    view: View, name: Optional[str] = None, /
) -> tuple[str, str, ErrorCode, str, Optional[int], Optional[str]]: ...
def set_place(view: View, number: int, offset: int, value: int, /) -> View: ...
def place_of(view: View, /) -> Optional[tuple[int, int, int]]: ...
def inspect(
    data: Buffer,
    *,
    type: Optional[Type] = None,
    protocol: _AnyProtocol = "binary",
    text_size: int = 60,
    elements: int = 4294967295,
    depth: int = 64,
    output_size: int = 0,
) -> str: ...
def convert(
    data: Buffer,
    *,
    source: _AnyProtocol,
    target: _AnyProtocol,
    type: Optional[Type] = None,
    depth: int = 64,
    output_size: int = 0,
) -> bytes: ...

class RecordLoop:
    """The compiled half of thriftlens.Scan: attributes as documented there."""

    record: int
    record_offset: int
    number: int
    offset: int
    count: int
    _limit: int
    _row: int
    _steps: Any
    def _begin(
        self, read: Any, data: memoryview, rows: list[Any], base: int, gives_views: bool, /
    ) -> None: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...

def cut_records(
    data: Buffer,
    *,
    framing: _Framing = "none",
    protocol: _Protocol = "binary",
    depth: int = 64,
    record_size: int = 268435456,
    offset: int = 0,
    number: int = 0,
    prefix_size: int = 0,
    start: int = 0,
    count: int = 1,
    last: int = 1,
) -> CutRecords: ...
def record_blobs(
    data: Buffer,
    *,
    framing: _Framing = "none",
    protocol: _Protocol = "binary",
    depth: int = 64,
    record_size: int = 268435456,
    offset: int = 0,
    number: int = 0,
    prefix_size: int = 0,
    start: int = 0,
    count: int = 1,
    last: int = 1,
) -> RecordBlobs: ...
def framings() -> list[Framing]: ...
def frame(record: Optional[Buffer], /, *, framing: _Framing) -> bytes: ...
def read_frame(data: Buffer, /, *, framing: _Framing, start: int = 0) -> Optional[Frame]: ...
def message_head(
    name: str,
    *,
    kind: str = "call",
    sequence_id: int = 0,
    protocol: _AnyProtocol = "binary",
    strict: int = 1,
) -> bytes: ...
def parquet_nodes(data: Buffer, names: Optional[tuple[str, ...]] = None) -> list[ParquetNode]: ...
def detect(data: Buffer, *, all: int = 1, depth: int = 64) -> list[GuessRow]: ...
def identify(
    data: Buffer,
    types: Sequence[Type],
    *,
    protocol: _Protocol = "binary",
    explained: int = 16,
    depth: int = 64,
) -> list[CandidateRow]: ...
def infer(
    samples: Iterable[Buffer],
    *,
    protocol: _Protocol = "binary",
    name: str = "Record",
    depth: int = 64,
) -> str: ...
def text_message(data: Buffer) -> TextMessage: ...

@final
class RecordColumn:
    """Records as an Arrow array of binary; made by Type.from_columns."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int, /) -> Optional[bytes]: ...
    def export(self) -> tuple[object, object]: ...
    @staticmethod
    def schema() -> object: ...

@final
class ColumnReader:
    """Reads records into Arrow columns; made by Type.columns."""

    def schema(self) -> object: ...
    def read(
        self, records: Sequence[Any], first: int, file: Optional[str] = None, /
    ) -> tuple[list[Any], list[tuple[int, int, Error]]]: ...
    def read_array(
        self, schema: object, array: object, first: int, file: Optional[str] = None, /
    ) -> tuple[list[Any], list[tuple[int, int, Error]]]: ...

def arrow_stream(schema_of: Callable[[], object], batches: Iterable[object], /) -> object: ...
def arrow_arrays(stream: object, /) -> Iterator[tuple[object, object]]: ...
def arrow_fields(schema: object, /) -> list[tuple[str, str]]: ...
def arrow_length(array: object, /) -> int: ...
def column_memory() -> tuple[int, int]: ...
def arrow_buffers(schema: object, array: object, /) -> ArrowNode: ...
def arrow_of_lists(
    names: Sequence[str], columns: Sequence[tuple[object, object]], /
) -> tuple[object, object]: ...
def number_buffer(view: View, /) -> Optional[tuple[Any, str]]: ...
def signatures() -> dict[str, dict[str, tuple[Optional[tuple[str, ...]], str, int, int]]]: ...

@final
class HttpPlan:
    """The compiled half of thriftlens.http.Plan."""

    def __init__(self, of: Type, is_function: bool, options: dict[str, Any]) -> None: ...
    def request(
        self,
        method: str,
        url: Union[str, bytes],
        headers: object,
        cookies: object,
        path_params: object,
        body: Buffer,
        base: Buffer,
        compact: bool,
    ) -> bytes: ...
    def response(self, data: Buffer, as_: Optional[Type], compact: bool) -> HttpResponse: ...
    def routes(self) -> list[tuple[str, str]]: ...
    def sources(self) -> list[tuple[str, bool, list[tuple[str, str]]]]: ...
    def faults(self) -> list[str]: ...
    def losses(self) -> list[str]: ...
    def warnings(self) -> list[str]: ...
    def request_index(self) -> int: ...

class HttpRouter:
    """The compiled half of thriftlens.http.Router."""

    def __init__(self) -> None: ...
    def add(self, method: str, pattern: str, target: int) -> None: ...
    def find(
        self, method: str, path: str
    ) -> tuple[Optional[int], list[tuple[str, str]], list[str]]: ...

def http_options() -> dict[str, Any]: ...

class Schema:
    """The compiled half of thriftlens.Schema."""

    @staticmethod
    def load(
        source: bytes,
        name: Optional[bytes],
        include_dirs: Sequence[bytes],
        includes: dict[bytes, bytes],
        loader: Optional[Callable[[str, str], Union[str, bytes, None]]],
        strict: bool,
        implicit_ids: str,
    ) -> Schema: ...
    @staticmethod
    def load_sources(
        files: Sequence[tuple[bytes, bytes, Sequence[int]]], strict: bool, implicit_ids: str
    ) -> Schema: ...
    def sources(self) -> list[tuple[bytes, bytes, list[int]]]: ...
    def find(self, name: bytes) -> int: ...
    def set_table(self, reference: Any) -> None: ...
    def make(self, of: type[_T], index: int) -> _T: ...
    def type_names(self) -> list[str]: ...
    def service_names(self) -> list[str]: ...
    def constant_names(self) -> list[str]: ...
    def parts(self, index: int) -> tuple[str, str, str, _Annotations]: ...
    def parameters(self, index: int) -> list[int]: ...
    def fields(self, index: int) -> list[FieldRow]: ...
    def members(self, index: int) -> list[tuple[str, int, _Annotations]]: ...
    def constant(self, name: str) -> Any: ...
    def service(self, name: bytes) -> ServiceRow: ...
    def describe(self, index: Optional[int], json: bool) -> str: ...
    def check_annotations(
        self, annotation: str, values: list[tuple[str, str]], action: str
    ) -> list[str]: ...
    def warnings(self) -> list[Diagnostic]: ...

@final
class Document:
    """A value as an editable tree over its bytes, whose parts are opened when they are used. Paths
    lead to one value. After an error it is unchanged."""

    @property
    def changed(self) -> bool: ...
    def __new__(
        cls, type: Type, data: Buffer, *, protocol: _Protocol = "binary", depth: int = 64
    ) -> Document: ...
    def get(self, path: str, default: object = None) -> Any: ...
    def set(self, path: str, value: object) -> None: ...
    def append(self, path: str, value: object) -> None: ...
    def erase(self, path: str) -> bool: ...
    def move(self, source: str, target: str) -> None: ...
    def merge(
        self, other: Document, *, append_lists: bool = False, replace_maps: bool = False
    ) -> None: ...
    def sort(self, path: str, key: Optional[Callable[[Any], Any]] = None) -> None: ...
    def filter(self, path: str, keep: Callable[[Any], object]) -> int: ...
    def to_bytes(self, *, protocol: Optional[_Protocol] = None) -> bytes: ...
