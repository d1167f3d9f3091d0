"""Converts HTTP requests to Thrift bytes and Thrift bytes to HTTP responses, by the annotations of
an IDL. Not a server.

>>> import thriftlens as tl
>>> idl = tl.loads('''
... struct Find { 1: required i64 id (api.path="id"), 2: list<string> tags (api.query="tags"), 3: string note }
... struct Found { 1: i32 status (api.http_code=""), 2: string etag (api.header="ETag"), 3: string name }
... service Shop { Found find(1: Find req) (api.post="/items/:id") }
... ''')
>>> plan = tl.http.plan(idl.services["Shop"].functions["find"])
>>> plan.routes
[Route(method='POST', path='/items/:id')]
>>> data = plan.request(method="POST", url="/items/7?tags=a,b", path_params={"id": "7"}, body=b'{"note": "x"}')
>>> idl.services["Shop"].functions["find"].arguments.decode(data)
{'req': {'id': 7, 'tags': ['a', 'b'], 'note': 'x'}}
>>> answer = plan.response(idl.Found.encode({"status": 201, "etag": "e1", "name": "n"}))
>>> answer.status, answer.headers, answer.body
(201, [('ETag', 'e1')], b'{"name":"n"}')
"""

from __future__ import annotations

import difflib
import threading
from typing import Any, Iterable, Literal, Mapping, NamedTuple, Optional, Union

from . import _core
from ._schema.schemas import Schema
from ._schema.services import Function
from ._schema.types import Type

Pairs = Union[Mapping[str, str], Iterable["tuple[Union[str, bytes], Union[str, bytes]]"], None]


LIST_STYLES: dict[str, tuple[str, bool]] = {
    "query": ("form", True),
    "header": ("simple", False),
    "path": ("simple", False),
    "cookie": ("form", False),
}
"""OpenAPI's style and explode of a list of scalars, by part of the request; request() reads lists in this form."""


class Route(NamedTuple):
    """A verb and path of a function; "*" is any verb."""

    method: str
    path: str


class Source(NamedTuple):
    """An annotated field and the parts of a request that may contain it, in order: [("query", "q"),
    ("header", "X-Q")].
    """

    field: str
    required: bool
    places: list[tuple[str, str]]


class Response(NamedTuple):
    """An HTTP response. `status` is 0 if no field sets it; `base` are the bytes of BaseResp, None
    without one.
    """

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


# Behaviour of dynamicgo without options, except for its bugs.
_DYNAMICGO = {
    "agw": "off",
    "js_conv": "off",
    "defaults": "off",
    "base": "off",
    "unknown": "drop",
    "enums": "number",
    "invalid_utf8": "keep",
    "body": "stated",
    "url_syntax": "go",
    "unplaced": "error",
}
# Our equivalents of its options, if True.
_SWITCHES: dict[str, dict[str, str]] = {
    "EnableValueMapping": {"js_conv": "on"},
    "EnableHttpMapping": {},
    "NoHttpMapping": {"mapping": "off"},
    "EnableThriftBase": {"base": "context"},
    "String2Int64": {"quoted_numbers": "accept"},
    "Int642String": {"int64": "string"},
    "NoBase64Binary": {"binary": "raw"},
    "ByteAsUint8": {"unsigned_bytes": "on"},
    "WriteOptionalField": {"absent_optional": "write"},
    "WriteDefaultField": {"absent_default": "write"},
    "WriteRequireField": {"absent_required": "write"},
    "DisallowUnknownField": {"unknown": "error", "unknown_fields": "error"},
    "ReadHttpValueFallback": {"fallback": "on"},
    "WriteHttpValueFallback": {},
    "TracebackRequredOrRootFields": {"traceback": "on"},
    "OmitHttpMappingErrors": {"unplaced": "body", "unfit": "drop"},
    "UseKitexHttpEncoding": {"text": "kitex"},
    "EncodeNullJSONForInfOrNan": {"null_nonfinite": "on"},
    "UseDefaultValue": {"defaults": "on"},
    "SetOptionalBitmap": {"plain_optional": "on"},
    "ApiBodyFastPath": {"body_as_alias": "on"},
    "InitAGWAnnos": {"agw": "on"},
    # Internals of dynamicgo, without effect here.
    "NoCopyString": {},
    "UseNativeSkip": {},
    "ConvertException": {},
    "PutNameSpaceToAnnotation": {},
    "PutThriftFilenameToAnnotation": {},
    "ForceHashMapAsFieldNameMap": {},
}
_CHOICES: dict[str, dict[Any, dict[str, str]]] = {
    "MapFieldWay": {
        "alias": {},
        "name": {"names": "field"},
        "both": {"names": "both"},
        0: {},
        1: {"names": "field"},
        2: {"names": "both"},
    },
    "MergeBaseFunc": {None: {}, "kitex": {"base": "merge"}},
    "CtxConvOptions": {None: {}, "value": {}, "pointer": {}},
    "ParseServiceMode": {0: {}, 1: {}, 2: {}},
    "ParseFunctionMode": {0: {}, 1: {}, 2: {}},
}


def _refuse(name: str, known: Iterable[str]) -> ValueError:
    near = difflib.get_close_matches(name, list(known), n=1)
    return ValueError(
        f"dynamicgo has no option {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
    )


def _from_dynamicgo(options: Mapping[str, Any]) -> dict[str, str]:
    mapped = dict(_DYNAMICGO)
    for name, value in options.items():
        if name == "ParseEnumAsInt64":
            if value:
                raise ValueError(
                    "unsupported option ParseEnumAsInt64: it writes i64 for an enum, which other readers reject"
                )
        elif name in _CHOICES:
            if value not in _CHOICES[name]:
                raise ValueError(
                    f"{name}: expected one of {', '.join(repr(choice) for choice in _CHOICES[name])}, not {value!r}"
                )
            mapped.update(_CHOICES[name][value])
        elif name not in _SWITCHES:
            raise _refuse(name, [*_SWITCHES, *_CHOICES, "ParseEnumAsInt64"])
        elif not isinstance(value, bool):
            raise TypeError(f"{name}: expected True or False, not {value!r}")
        elif name == "EnableHttpMapping":
            mapped["mapping"] = "on" if value else "off"
        elif value:
            mapped.update(_SWITCHES[name])
    if options.get("WriteHttpValueFallback") and options.get("OmitHttpMappingErrors"):
        mapped["unfit"] = "body"
    if not options.get("EnableThriftBase") and mapped["base"] == "merge":
        mapped["base"] = "off"
    elif options.get("EnableThriftBase") and options.get("MergeBaseFunc"):
        mapped["base"] = "merge"
    return mapped


class Plan:
    """A compiled mapping between HTTP messages and a type, or the calls of a function.

    Created by plan(); thread-safe.
    """

    def __init__(
        self, of: Union[Type, Function], options: Mapping[str, Any], protocol: str
    ) -> None:
        if protocol not in ("binary", "compact"):
            raise ValueError(f"protocol: expected 'binary' or 'compact', not {protocol!r}")
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
        bad_rule, and fields that no request can
        set or no response can contain."""
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
        base: Union[Mapping[str, Any], bytes, None] = None,
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
        >>> Q = tl.loads('struct Q { 1: i64 id (api.path="id"), 2: string lang (api.header="x-lang"), 3: list<string> tags }').Q
        >>> data = tl.http.plan(Q).request(path_params={"id": "5"}, headers={"X-Lang": "de"}, body='{"tags": ["a"]}')
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
        >>> A = tl.loads('struct A { 1: string etag (api.header="ETag"), 2: i32 status (api.http_code=""), 3: string body }').A
        >>> answer = tl.http.plan(A).response(A.encode({"etag": "e7", "status": 201, "body": "ok"}))
        >>> answer.status, answer.headers, answer.body
        (201, [('ETag', 'e7')], b'{"body":"ok"}')
        """
        return Response(*self._core.response(data, as_, self.protocol == "compact"))

    def _bytes_of_base(self, base: Optional[Mapping[str, Any]]) -> bytes:
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
    dynamicgo: Optional[Mapping[str, Any]] = None,
    protocol: str = "binary",
    **options: Any,
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
    all_options = {**(_from_dynamicgo(dynamicgo) if dynamicgo is not None else {}), **options}
    return Plan(of, all_options, protocol)


class Match(NamedTuple):
    """The target of a path, or None, and the path's parameters; `allowed` are the path's verbs if
    only the verb does not match.
    """

    target: Any
    path_params: list[tuple[str, str]]
    allowed: list[str]


class Router:
    """Maps paths to targets by patterns with :name and *rest.

    >>> import thriftlens as tl
    >>> router = tl.http.Router()
    >>> router.add("GET", "/users/:id", "user")
    >>> router.find("GET", "/users/a%2Fb")
    Match(target='user', path_params=[('id', 'a/b')], allowed=[])
    >>> router.find("GET", "/users/..").target is None
    True
    """

    def __init__(self) -> None:
        self._core = _core.HttpRouter()
        self._targets: list[Any] = []
        self._adding = threading.Lock()

    def add(self, method: str, pattern: str, target: Any) -> None:
        """Raises path_syntax for an invalid pattern, already_there for one that matches the same
        paths as another.
        """
        with self._adding:
            self._core.add(method, pattern, len(self._targets))
            self._targets.append(target)

    def find(self, method: str, path: str) -> Match:
        """The match of a percent-encoded path without query."""
        target, params, allowed = self._core.find(method, path)
        return Match(None if target is None else self._targets[target], params, allowed)


def openapi(
    idl: Schema, service: Union[str, Iterable[str], None] = None, **options: Any
) -> dict[str, Any]:
    """The OpenAPI 3.1 document of the services' routes (default: all services of the root file), as
    a dict for json.dumps.

    Options: title, version ("1"), servers (URLs), fields (a gateway's query parameter that selects
    response fields), and those of plan().

    >>> import thriftlens as tl
    >>> idl = tl.loads('struct User { 1: required i64 id } service Users { User get(1: i64 id (api.path="id")) (api.get="/users/:id") }')
    >>> document = tl.http.openapi(idl)
    >>> list(document["paths"]), document["components"]["schemas"]["User"]["required"]
    (['/users/{id}'], ['id'])
    """
    from ._http.openapi import openapi as build

    return build(idl, service, **options)
