"""tl.http.plan: the mapping between HTTP messages and Thrift types."""

from __future__ import annotations

from typing import Iterable, Literal, Mapping, NamedTuple, Optional, Union

from .. import _core
from .._schema.services import Function
from .._schema.types import Type
from .._text import not_one_of
from .._typing import Values
from .dynamicgo import from_dynamicgo

PlanOptions = Mapping[str, object]
Pairs = Union[Mapping[str, str], Iterable["tuple[Union[str, bytes], Union[str, bytes]]"], None]


class Route(NamedTuple):
    """A verb and path of a function; "*" is any verb."""

    method: str
    path: str


class Source(NamedTuple):
    """An annotated field and the parts of a request that may contain it, in order: [("query", "q"),
    ("header", "X-Q")]."""

    field: str
    required: bool
    places: list[tuple[str, str]]


class Response(NamedTuple):
    """An HTTP response. `status` is 0 if no field sets it; `base` are the bytes of BaseResp, None
    without one."""

    status: int
    headers: list[tuple[str, str]]
    cookies: list[tuple[str, str]]
    body: bytes
    base: Optional[bytes] = None
    is_raw: bool = False
    """The body is the field with api.raw_body, not JSON."""

    @property
    def set_cookie(self) -> list[str]:
        """The values of Set-Cookie headers."""
        return [
            f'{name}="{value}"' if set(value) & {" ", ","} else f"{name}={value}"
            for name, value in self.cookies
        ]


class Plan:
    """A compiled mapping between HTTP messages and a type, or the calls of a function.

    Created by plan(); thread-safe."""

    def __init__(self, of: Union[Type, Function], options: PlanOptions, protocol: str) -> None:
        if protocol not in ("binary", "compact"):
            raise ValueError(f"protocol {not_one_of(protocol, ('binary', 'compact'))}")
        is_function = isinstance(of, Function)
        self._of = of
        self._type: Type = of.arguments if isinstance(of, Function) else of
        self._core = _core.HttpPlan(self._type, is_function, dict(options))
        self.protocol: Literal["binary", "compact"] = protocol  # type: ignore[assignment]
        self._base_type: Optional[Type] = None

    def __repr__(self) -> str:
        return f"<thriftlens.http.Plan of {self._of.name}>"

    @property
    def routes(self) -> list[Route]:
        """Verbs and paths of the function; empty for a type."""
        return [Route(*route) for route in self._core.routes()]

    @property
    def sources(self) -> list[Source]:
        """Annotated fields and their parts of a request; fields of nested structs as "user.id"."""
        return [Source(*source) for source in self._core.sources()]

    @property
    def faults(self) -> list[str]:
        """Errors in the plan: contradictory annotations, for which request() and response() raise
        bad_rule, and fields that no request can set or no response can contain."""
        return self._core.faults() + self._core.losses()

    @property
    def warnings(self) -> list[str]:
        """Annotations without effect."""
        return self._core.warnings()

    def request(
        self,
        *,
        method: str = "GET",
        url: Union[str, bytes] = "/",
        headers: Pairs = None,
        cookies: Pairs = None,
        path_params: Pairs = None,
        body: Union[bytes, bytearray, memoryview, str] = b"",
        base: Union[Values, bytes, None] = None,
    ) -> bytes:
        """Converts a request to Thrift bytes: of the type, or of the function's argument struct.

        method, url: of the request line; the url is a path with query, or absolute.
        headers, cookies, path_params: mappings or pairs; path_params decoded, as a router returns
        them.
        body: JSON, or a form if the header Content-Type is a form's.
        base: the caller's Base, as a dict or its bytes.

        Raises JSONError or DecodeError with code and path. The offset counts in the body; it is
        None for an error in another part, which the message names.

        >>> import thriftlens as tl
        >>> Q = tl.loads('''struct Q {
        ...   1: i64 id (api.path="id"), 2: string lang (api.header="x-lang"), 3: list<string> tags
        ... }''').Q
        >>> plan = tl.http.plan(Q)
        >>> data = plan.request(
        ...     path_params={"id": "5"}, headers={"X-Lang": "de"}, body='{"tags": ["a"]}'
        ... )
        >>> Q.decode(data)
        {'id': 5, 'lang': 'de', 'tags': ['a']}
        """
        text = body.encode() if isinstance(body, str) else body
        base_data = (
            base if isinstance(base, (bytes, bytearray, memoryview)) else self._bytes_of_base(base)
        )
        return self._core.request(
            method, url, headers, cookies, path_params, text, base_data, self.protocol == "compact"
        )

    def response(
        self, data: Union[bytes, bytearray, memoryview], as_: Optional[Type] = None
    ) -> Response:
        """Converts the bytes of a struct to a response.

        data: of the type, or of the function's result type.
        as_: the type of `data` if it is an exception of the function.

        Raises DecodeError for invalid bytes; its code is `broken_rule` for a value that is invalid
        as a header, cookie or status.

        >>> import thriftlens as tl
        >>> A = tl.loads('''struct A {
        ...   1: string etag (api.header="ETag"), 2: i32 status (api.http_code=""), 3: string body
        ... }''').A
        >>> answer = tl.http.plan(A).response(A.encode({"etag": "e7", "status": 201, "body": "ok"}))
        >>> answer.status, answer.headers, answer.body
        (201, [('ETag', 'e7')], b'{"body":"ok"}')
        """
        return Response(*self._core.response(data, as_, self.protocol == "compact"))

    def _bytes_of_base(self, base: Optional[Values]) -> bytes:
        if base is None:
            return b""
        if self._base_type is None:
            root = self._type.schema._type(self._core.request_index())
            types = [field.type for field in root.fields.values() if field.type.name == "base.Base"]
            if not types:
                raise ValueError(f"{root.name} has no field of type base.Base")
            self._base_type = types[0]
        return self._base_type.encode(base, protocol=self.protocol)


def plan(
    of: Union[Type, Function],
    *,
    dynamicgo: Optional[Mapping[str, object]] = None,
    protocol: str = "binary",
    **options: object,
) -> Plan:
    """Compiles a plan for a struct type or a function. Options are keywords (docs/http-mapping.md),
    or dynamicgo's by name.

    >>> import thriftlens as tl
    >>> Q = tl.loads('struct Q { 1: i64 id (api.query="id") }').Q
    >>> Q.decode(tl.http.plan(Q).request(url="/q?id=5"))
    {'id': 5}
    >>> tl.http.plan(Q, dynamicgo={"EnableValueMaping": True})
    Traceback (most recent call last):
        ...
    ValueError: dynamicgo has no option 'EnableValueMaping'; did you mean 'EnableValueMapping'?
    """
    all_options = {**(from_dynamicgo(dynamicgo) if dynamicgo is not None else {}), **options}
    return Plan(of, all_options, protocol)


def plan_of(of: Union[Type, Function], options: PlanOptions) -> Plan:
    """The plan with these keywords of plan()."""
    return plan(of, **options)  # type: ignore[arg-type]


for _public in (Plan, Response, Route, Source, plan):
    _public.__module__ = "thriftlens.http"
