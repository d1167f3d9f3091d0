"""HTTP requests and responses by annotations, and routes."""

from __future__ import annotations

import base64
import json
import random
import struct
from tempfile import TemporaryDirectory
from typing import Any, Optional
from urllib.parse import quote, unquote

import thriftlens as tl
from proving import wire
from proving.case import error_of, expect, expect_true
from proving.registry import target

from targets.shell import run_command

Field = tuple[int, str, str, str]  # id, type, annotation, its key
PARTS = ("query", "header", "cookie", "path", "form", "body")
LETTERS = "abcXYZ019_-."
LISTED = {"list<i32>": "i32", "list<string>": "string", "set<i64>": "i64"}
BITS = wire.INTEGER_BITS


def draw_scalar(choices: random.Random, kind: str) -> Any:
    if kind == "bool":
        return choices.random() < 0.5
    if kind in BITS:
        bits = choices.randrange(BITS[kind])
        return choices.randrange(-(1 << bits), 1 << bits)
    if kind == "double":
        return choices.choice((0.5, -2.25, 1e300, 5e-324, choices.uniform(-1e6, 1e6)))
    text = "".join(choices.choices(LETTERS, k=choices.randint(1, 40)))
    return text.encode() if kind == "binary" else text


def draw_value(choices: random.Random, kind: str) -> Any:
    if kind in LISTED:
        items = [draw_scalar(choices, LISTED[kind]) for _ in range(choices.randint(1, 5))]
        return [*dict.fromkeys(items)] if kind.startswith("set") else items
    return draw_scalar(choices, kind)


def spelled(kind: str, value: Any) -> str:
    """The text of a value in a part other than the body."""
    if kind in LISTED:
        return ",".join(str(item) for item in value)
    if kind == "bool":
        return "true" if value else "false"
    return base64.b64encode(value).decode() if kind == "binary" else str(value)


def in_json(kind: str, value: Any) -> Any:
    return base64.b64encode(value).decode() if kind == "binary" else value


def payload_of(kind: str, value: Any) -> Any:
    if kind in LISTED:
        inner = LISTED[kind]
        return wire.Sequence(inner, [payload_of(inner, item) for item in value])
    return value.encode() if isinstance(value, str) else value


def wire_of(kind: str) -> str:
    return kind.partition("<")[0] if kind in LISTED else "string" if kind == "binary" else kind


def bytes_of(protocol: str, fields: list[Field], values: dict[int, Any]) -> bytes:
    rows = [[number, wire_of(kind), payload_of(kind, values[number])]
            for number, kind, _, _ in fields if number in values]  # fmt: skip
    return wire.write(protocol, "struct", wire.Struct(rows))


def draw_fields(choices: random.Random, parts: tuple[str, ...]) -> list[Field]:
    kinds = ("bool", *BITS, "double", "string", "binary", *LISTED)
    return [
        (number, choices.choice(kinds), choices.choice(parts), f"k{number}")
        for number in range(1, choices.randint(2, 9))
    ]


def struct_text(name: str, fields: list[Field]) -> str:
    lines = [
        f"  {number}: optional {kind} f{number}"
        + (f' (api.{part}="{key}")' if part not in ("body", "status") else "")
        + (' (api.http_code="")' if part == "status" else "")
        for number, kind, part, key in fields
    ]
    return "\n".join([f"struct {name} {{", *lines, "}"])


def by_id(protocol: str, data: bytes) -> wire.Struct:
    payload = wire.read(protocol, data)
    assert isinstance(payload, wire.Struct)
    return wire.Struct(sorted(payload.fields, key=lambda field: field[0]))


def request_of(
    choices: random.Random, fields: list[Field], values: dict[int, Any]
) -> dict[str, Any]:
    """The request that has these values."""
    texts: dict[str, dict[str, str]] = {part: {} for part in PARTS}
    body: dict[str, Any] = {}
    for number, kind, part, key in fields:
        if number not in values:
            continue
        texts[part][key] = spelled(kind, values[number])
        if part == "body":
            body[f"f{number}"] = in_json(kind, values[number])
    query = "&".join(f"{key}={quote(text, safe=',')}" for key, text in texts["query"].items())
    form = "&".join(f"{key}={quote(text, safe=',')}" for key, text in texts["form"].items())
    headers = {change_case(choices, key): text for key, text in texts["header"].items()}
    if texts["form"]:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    return {
        "method": "POST",
        "url": f"/x?{query}" if query else "/x",
        "headers": headers,
        "cookies": texts["cookie"],
        "path_params": texts["path"],
        "body": form.encode() if form else json.dumps(body).encode() if body else b"",
    }


def change_case(choices: random.Random, text: str) -> str:
    return choices.choice((text, text.upper()))


@target(
    "http",
    "http.plan",
    "http.Plan",
    "http.Source",
    "http.Route",
    "http.openapi",
    "thriftlens routes",
    cost=2,
)
def http_requests(seed: int) -> None:
    """Fields in every part of a request."""
    choices = random.Random(seed)
    fields = draw_fields(choices, PARTS)
    if any(part == "form" for _, _, part, _ in fields):  # a body has one type
        fields = [field for field in fields if field[2] != "body"]
    text = struct_text("Req", fields) + '\nservice V { void f(1: Req r) (api.post="/x/:k1") }\n'
    idl = tl.loads(text)
    protocol = choices.choice(wire.PROTOCOLS)
    values = {number: draw_value(choices, kind) for number, kind, _, _ in fields
              if choices.random() < 0.8}  # fmt: skip
    request = request_of(choices, fields, values)
    expected = bytes_of(protocol, fields, values)
    plan = tl.http.plan(idl.Req, protocol=protocol)
    expect(by_id(protocol, plan.request(**request)), wire.read(protocol, expected), request)
    function = tl.http.plan(idl.services["V"].functions["f"], protocol=protocol)
    arguments = wire.read(protocol, function.request(**request))
    expect(arguments.fields[0][0], 1)
    inner = wire.write(protocol, "struct", arguments.fields[0][2])
    expect(by_id(protocol, inner), wire.read(protocol, expected), request)
    expect(function.routes, [tl.http.Route("POST", "/x/:k1")])
    places = {f"f{number}": [(part, key)] for number, _, part, key in fields if part != "body"}
    expect({source.field: source.places for source in plan.sources}, places)
    with TemporaryDirectory() as folder:
        path = f"{folder}/v.thrift"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        code, out = run_command("routes", path)
    expect_true(code == 0 and b"/x/:k1" in out, out)
    expect([*tl.http.openapi(idl, title="t", version="1")["paths"]], ["/x/{k1}"])


@target("http.Response", "http.Plan", cost=2)
def http_responses(seed: int) -> None:
    """Fields in every part of a response."""
    choices = random.Random(seed)
    fields = draw_fields(choices, ("header", "cookie", "body"))
    status = choices.randrange(100, 600)
    fields.append((20, "i32", "status", ""))
    protocol = choices.choice(wire.PROTOCOLS)
    values = {number: draw_value(choices, kind) for number, kind, _, _ in fields
              if choices.random() < 0.8}  # fmt: skip
    values[20] = status
    for number, kind, part, _ in fields:
        if part == "cookie" and kind == "list<string>":  # its JSON has characters of no cookie
            values.pop(number, None)
    idl = tl.loads(struct_text("Res", fields))
    answer = tl.http.plan(idl.Res, protocol=protocol).response(bytes_of(protocol, fields, values))
    expect(answer.status, status)
    for part, pairs in (("header", answer.headers), ("cookie", answer.cookies)):
        rows = [(key, number, kind) for number, kind, of, key in fields
                if of == part and number in values]  # fmt: skip
        expect([name for name, _ in pairs], [key for key, _, _ in rows])
        for (_, text), (_, number, kind) in zip(pairs, rows):
            expect_true(same_text(kind, text, values[number]), (kind, text, values[number]))
    body = {f"f{number}": in_json(kind, values[number]) for number, kind, part, _ in fields
            if part == "body" and number in values}  # fmt: skip
    expect(json.loads(answer.body), body)


def same_text(kind: str, text: str, value: Any) -> bool:
    if kind == "double":
        return struct.pack(">d", float(text)) == struct.pack(">d", value)
    if kind in LISTED:
        return bool(json.loads(text) == value)
    return text == spelled(kind, value)


SEGMENTS = ("a", "b", "a b", "x.y", "é", ":one", ":two", "*rest")


def draw_pattern(choices: random.Random) -> tuple[str, ...]:
    count = choices.randint(1, 4)
    segments = choices.choices(SEGMENTS[:7], k=count)
    if choices.random() < 0.3:
        segments[-1] = "*rest"
    names: set[str] = set()
    for at, segment in enumerate(segments):
        if segment in names:
            segments[at] = f"{segment}{at}"
        names |= {segment} if segment[0] == ":" else set()
    return tuple(segments)


def rank(segment: str) -> int:
    return 1 if segment[0] == ":" else 2 if segment[0] == "*" else 0


def shape(pattern: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(segment if rank(segment) == 0 else segment[0] for segment in pattern)


def params_of(pattern: tuple[str, ...], path: list[str]) -> Optional[list[tuple[str, str]]]:
    """The parameters of a path of decoded segments; None if the pattern does not match."""
    params: list[tuple[str, str]] = []
    for at, segment in enumerate(pattern):
        if segment[0] == "*":
            rest = path[at:]
            return [*params, (segment[1:], "/".join(rest))] if rest else None
        if at >= len(path):
            return None
        if segment[0] == ":":
            if not path[at]:
                return None
            params.append((segment[1:], path[at]))
        elif segment != path[at]:
            return None
    return params if len(path) == len(pattern) else None


@target("http.Router", "http.Match")
def http_routes(seed: int) -> None:
    """The most specific pattern, segment by segment."""
    choices = random.Random(seed)
    router = tl.http.Router()
    patterns: dict[tuple[str, ...], tuple[str, ...]] = {}
    for _ in range(choices.randint(1, 8)):
        pattern = draw_pattern(choices)
        code = error_of(lambda: router.add("GET", "/" + "/".join(pattern), pattern))
        expect(code, "already_there" if shape(pattern) in patterns else None, pattern)
        patterns.setdefault(shape(pattern), pattern)
    for _ in range(6):
        path = choices.choices((*SEGMENTS[:5], "other", "%25"), k=choices.randint(1, 5))
        text = "/" + "/".join(quote(part, safe="%") for part in path)
        decoded = [unquote(part) for part in path]
        pairs = [(pattern, params_of(pattern, decoded)) for pattern in patterns.values()]
        matches = [(pattern, params) for pattern, params in pairs if params is not None]
        match = router.find("GET", text)
        nothing: Any = (None, [])
        best = min(matches, key=lambda item: [*map(rank, item[0])], default=nothing)
        expect((match.target, match.path_params), best, (text, [*patterns.values()]))
        if best[0] is not None:
            expect(router.find("PUT", text), tl.http.Match(None, [], ["GET"]))
