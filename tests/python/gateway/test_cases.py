"""The measured cases of dynamicgo through a gateway that runs under uvicorn, in front of a server
of Apache's Python library: the struct that the server
receives equals dynamicgo's, and its reply becomes the answer that dynamicgo produces. Cases in
which dynamicgo is at fault are compared with the plan alone, as all others are too; what cannot be
a request of HTTP is listed with its reason."""

import asyncio
import base64
import collections
import contextlib
import json
import os
import re
import socket
import threading
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
import thriftlens as tl

SHARED = Path(os.environ.get("THRIFTLENS_SHARED") or Path(__file__).resolve().parents[4] / "shared")
CASES = sorted((SHARED / "http-mapping" / "cases").glob("*.json"))
pytestmark = pytest.mark.skipif(not CASES, reason="needs THRIFTLENS_SHARED with http-mapping")

NO_REQUEST = {
    **dict.fromkeys(
        ["base-ctx", "base-ctx-nobody", "base-both-merge", "base-both-nomerge", "base-off"],
        "a Base of the context is no part of a request",
    ),
    "e-endpoints-all": "it lists routes that do not include its URL",
    "e-endpoints-twice": "it lists routes that do not include its URL",
    "q-enum-as-i64": "ParseEnumAsInt64 is refused: docs/http-mapping.md",
    "rs-base-noctx": "there is no context that requests a BaseResp: it is never in the body",
}
LENIENT = {"invalid_utf8": "replace", "missing_required": "omit", "duplicates": "last"}


@pytest.fixture(scope="module")
def apache():
    """Apache's threaded server, framed Binary: records the argument structs, and replies with the
    struct `reply`."""
    TServer = pytest.importorskip("thrift.server.TServer")
    from thrift.protocol.TBinaryProtocol import TBinaryProtocolFactory
    from thrift.Thrift import TMessageType, TProcessor
    from thrift.transport.TSocket import TServerSocket
    from thrift.transport.TTransport import TFramedTransportFactory

    class Processor(TProcessor):
        got = []
        reply = b"\0"

        def process(self, incoming, outgoing):
            name, _, number = incoming.readMessageBegin()
            self.got.append(incoming.trans.read(1 << 20))  # the rest of the frame
            outgoing.writeMessageBegin(name, TMessageType.REPLY, number)
            outgoing.trans.write(self.reply)
            outgoing.writeMessageEnd()
            outgoing.trans.flush()

    processor = Processor()
    listening = TServerSocket("127.0.0.1", 0)
    listening.listen()
    processor.address = "127.0.0.1:%d" % listening.handle.getsockname()[1]
    listening.listen = lambda: None  # serve() would open another one
    server = TServer.TThreadedServer(
        processor, listening, TFramedTransportFactory(), TBinaryProtocolFactory(), daemon=True
    )
    threading.Thread(target=server.serve, daemon=True).start()
    return processor


class Switch:
    """The current ASGI application inside one server."""

    app = None

    async def __call__(self, scope, receive, send):
        if scope["type"] == "http":
            return await self.app(scope, receive, send)
        await receive()
        self.loop = asyncio.get_running_loop()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    @contextlib.contextmanager
    def serving(self, app):
        self.app = app
        try:
            yield
        finally:
            asyncio.run_coroutine_threadsafe(app.close(), self.loop).result(600)


def sent(address, method, target, headers, body):
    """One request over a socket, byte for byte."""
    lines = [
        f"{method} {target} HTTP/1.1",
        "Host: localhost",
        "Connection: close",
        *(f"{name}: {value}" for name, value in headers),
    ]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    with socket.create_connection(address) as stream:
        stream.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        head, _, body = b"".join(iter(lambda: stream.recv(65536), b"")).partition(b"\r\n\r\n")
    first, *rest = head.decode().split("\r\n")
    pairs = [tuple(line.split(": ", 1)) for line in rest]
    return SimpleNamespace(
        status=int(first.split()[1]),
        pairs=pairs,
        headers={name.lower(): value for name, value in pairs},
        body=body,
    )


class Case:
    """A case with a route for its function: the one that it has, else one that takes its path
    parameters."""

    def __init__(self, case):
        self.case = case
        self.name, self.expect, self.options = (
            case["name"],
            case["expect"],
            {"dynamicgo": case.get("options") or {}},
        )
        self.is_thrown = bool(
            case.get("message_type")
        )  # Apache sends it in a reply; dynamicgo expects a message of kind exception
        request = case.get("request") or {"method": "GET", "url": "http://localhost/"}
        self.method = request["method"]
        self.target = request["url"].removeprefix("http://localhost")
        self.headers = [tuple(pair) for pair in request.get("headers") or []]
        if request.get("cookies"):
            self.headers.append(
                ("Cookie", "; ".join(f"{key}={value}" for key, value in request["cookies"]))
            )
        self.body = base64.b64decode(request.get("body") or "")
        params = request.get("path_params") or []
        call = re.compile(
            rf"(\b{case['function']}\s*\([^)]*\)(\s*throws\s*\([^)]*\))?)(?!\s*(\(|throws))"
        )
        route = "".join(f"/:{key}" for key, _ in params) or "/*rest"
        if params:
            _, mark, query = self.target.partition("?")
            self.target = "".join("/" + quote(value, safe="") for _, value in params) + mark + query
        self.text = call.sub(rf'\1 (api.any = "{route}")', case["idl"])

    def load(self):
        """None where the IDL is one that has to be refused."""
        try:
            idl = tl.loads(self.text, includes=self.case.get("includes") or {})
        except tl.SchemaError:
            return None
        self.service = next(
            service
            for service in idl.services.values()
            if self.case["function"] in service.functions
        )
        self.function = self.service.functions[self.case["function"]]
        self.type = idl[self.case["struct"]]
        return idl

    def gateway(self, idl, upstream):
        return tl.gateway(
            idl, self.service.name, upstream=upstream, transport="framed", protocol="binary",
            plan=self.options, fields=None, pages=None,
        )  # fmt: skip


def in_order(value):
    if isinstance(value, dict):
        return sorted((repr(key), in_order(item)) for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return [in_order(item) for item in value]
    host = {str: "http://localhost", bytes: b"http://localhost"}.get(type(value))
    return value if host is None else value.removeprefix(host)  # a server sees no host in its URL


def same_struct(of, actual, expected):
    if actual == expected:
        return True
    try:
        values = of.decode(expected, **LENIENT)
    except tl.DecodeError:  # dynamicgo's bytes are corrupt
        return False
    return repr(in_order(of.decode(actual, **LENIENT))) == repr(in_order(values))


def answered(answer):
    """What of an answer is the plan's: status, headers, cookies, body."""
    own = ("content-type", "content-length", "connection", "date", "server", "set-cookie")
    cookies = [value.partition("=") for name, value in answer.pairs if name.lower() == "set-cookie"]
    return (
        answer.status,
        sorted((name.lower(), value) for name, value in answer.pairs if name.lower() not in own),
        sorted((name, value.strip('"')) for name, _, value in cookies),
        json_of(answer.body),
    )


def json_of(data):
    try:
        return json.loads(data)
    except ValueError:
        return data


def planned(response):
    return (
        response.status or 200,
        sorted((name.lower(), value) for name, value in response.headers),
        sorted(response.cookies),
        json_of(response.body),
    )


def measured(expect):
    """The same of dynamicgo's answer."""
    headers = sorted(
        (name.lower(), value) for name, value in expect["headers"] if name.lower() != "content-type"
    )
    return (
        expect["status"] or 200,
        headers,
        sorted(map(tuple, expect["cookies"])),
        json_of(base64.b64decode(expect["body"] or "")),
    )


def same_request(case, answer, got):
    """Whether the server got what dynamicgo writes, or nothing where that refuses the request.

    Always, what the plan alone writes."""
    assert len(got) <= 1
    plan = tl.http.plan(case.function, **case.options)
    parameters = [tuple(parameter) for parameter in case.case["request"].get("path_params") or []]
    try:
        request = plan.request(
            method=case.method,
            url=case.target,
            headers=case.headers,
            path_params=parameters,
            body=case.body,
        )
    except tl.Error as error:
        assert not got and answer.headers["content-type"] == "application/problem+json"
        assert answer.status in (400, 413)
        assert json.loads(answer.body)["code"] == error.code
        return case.expect["error"]
    assert got == [request]
    return not case.expect["error"] and same_struct(
        case.function.arguments,
        request,
        b"\x0c\0\1" + bytes.fromhex(case.expect["thrift_hex"]) + b"\0",
    )


def same_answer(case, answer):
    """Whether the answer is dynamicgo's, or 502 where that makes none.

    Always, it is what the plan alone makes."""
    plan, data = tl.http.plan(case.function, **case.options), bytes.fromhex(case.case["thrift_hex"])
    of = (
        next((field.type for field in case.function.result.fields.values() if field.id == 1), None)
        if case.is_thrown
        else None
    )
    try:
        response = plan.response(data) if of is None else plan.response(data, of)
    except tl.Error as error:
        assert (answer.status, json.loads(answer.body)["code"]) == (502, error.code)
        return case.expect["error"]
    fields = answered(answer)
    if case.is_thrown and not response.status:
        assert fields[0] == 500 and fields[3]["code"] == "exception"
        assert fields[3]["fields"] == json_of(response.body)
    else:
        assert fields == planned(response)
    return not case.expect["error"] and fields == measured(case.expect)


def run(case, apache, address, switch):
    """ "same" if dynamicgo agrees, "at fault" if dynamicgo is wrong, "refused" if the IDL cannot be
    served."""
    idl = case.load()
    if idl is None:
        assert case.expect["error"]
        return "refused"
    is_request = case.case["direction"] == "request"
    try:
        app = case.gateway(idl, apache.address)
    except tl.Error:  # contradicting annotations
        assert case.expect["error"]
        return "refused"
    apache.got = []
    apache.reply = (
        b"\0"
        if is_request
        else b"\x0c\0" + bytes([case.is_thrown]) + bytes.fromhex(case.case["thrift_hex"]) + b"\0"
    )
    with switch.serving(app):
        answer = sent(address, case.method, case.target, case.headers, case.body)
    if same_request(case, answer, apache.got) if is_request else same_answer(case, answer):
        return "same"
    assert case.case.get("peer_fault"), (answer.status, answer.body, apache.got)
    return "at fault"


DIFFERENT = {"l-set-dup", "r-raw-body-binary-base64", "rs-js-bool", "rs-js-map", "rs-js-set"}
"""dynamicgo accepts equal elements of a set, and refuses a raw body that is not base64 for `binary`
and api.js_conv on other types than numbers."""


def test_all_cases(apache, serving):
    switch = Switch()
    address = serving(switch)
    counts, differ = collections.Counter(), []
    for file in CASES:
        case = Case(json.loads(file.read_text(encoding="utf-8")))
        if case.name in NO_REQUEST:
            counts["no request"] += 1
            continue
        if case.name in DIFFERENT:
            counts["different"] += 1
            continue
        try:
            counts[run(case, apache, address, switch)] += 1
        except Exception as error:  # noqa: BLE001 - all are listed
            differ.append(f"{case.name}: {type(error).__name__}: {str(error)[:300]}")
    assert not differ, "\n".join(differ)
    assert counts == {
        "same": 308,
        "at fault": 59,
        "refused": 1,
        "no request": len(NO_REQUEST),
        "different": len(DIFFERENT),
    }
