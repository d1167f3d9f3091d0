"""Clients and servers of generated services, and recordings of their messages."""

from __future__ import annotations

import asyncio
import struct
from typing import Any, Callable, Optional

import thriftlens as tl
from proving import wire
from proving.case import Case, error_of, expect, expect_payload, expect_true
from proving.plain import Reading, by_id, decoded
from proving.registry import target
from proving.schemas import FunctionKind, Kind

from targets.comparisons import unnamed_numbers
from targets.records import draw_arguments

TRANSPORTS = ("buffered", "framed", "header", "ttheader", "ttheader_framed", "http")


class Call:
    """A function with arguments and a result: a value, a declared exception or none."""

    def __init__(self, case: Case, function: FunctionKind):
        self.function = function
        self.arguments = draw_by_id(case, function.arguments, False)
        self.result = draw_by_id(case, function.result, True)

    @property
    def outcome(self) -> Optional[tuple[Kind, Any, bool]]:
        """Type and payload of the result, and whether it is an exception."""
        for number, _, payload in self.result.fields:
            field = self.function.result.by_id(number)
            assert field is not None
            return field.type, payload, field.name == "failure"
        return None


def draw_by_id(case: Case, kind: Kind, is_result: bool) -> wire.Struct:
    payload = draw_arguments(case, kind, is_result)
    return wire.read(case.protocol, case.canonical(by_id(kind, payload)))


def draw_calls(case: Case) -> list[Call]:
    functions = [*case.schema.services[-1].all_functions()] if case.schema.services else []
    calls = [Call(case, function) for function in functions]
    return case.program([call for call in calls if call.outcome or not call.function.returns])


class Handler:
    """Answers calls in turn; collects arguments that differ from the expected ones."""

    def __init__(self, idl: tl.Schema, protocol: str, calls: list[Call]):
        self.idl = idl
        self.protocol = protocol
        self.faults: list[str] = []
        for call in calls:
            setattr(self, call.function.name, self.implementation(call))

    def implementation(self, call: Call) -> Callable[..., Any]:
        def answer(*values: Any) -> Any:
            kind = call.function.arguments
            arguments = decoded(kind, call.arguments, Reading(defaults="write"))
            try:
                given = dict(zip((field.name for field in kind.fields), values))
                expect(given, arguments, call.function.name)
            except AssertionError as error:
                self.faults.append(str(error))
            return self.result(call)

        return answer

    def result(self, call: Call) -> Any:
        if call.outcome is None:
            return None
        kind, payload, is_exception = call.outcome
        value = decoded(kind, payload)
        if is_exception:
            raise self.idl.exceptions[kind.text](**value)
        return value


def check_result(case: Case, call: Call, result: Any, error: Optional[Exception]) -> None:
    if call.function.oneway or call.outcome is None:
        expect((result, error), (None, None))
        return
    kind, payload, is_exception = call.outcome
    if not is_exception:
        expect_true(error is None, error)
        expect((result, error), (decoded(kind, payload), None))
        return
    expect_true(isinstance(error, tl.ThriftException), error)
    expected = decoded(kind, payload)
    assert isinstance(error, tl.ThriftException)
    for name, value in expected.items():
        expect(error.to_dict()[name], value, name)


def options_of(case: Case) -> dict[str, Any]:
    transport = case.choices.choice(TRANSPORTS)
    return {"transport": transport, "protocol": case.protocol}


@target(
    "serve",
    "connect",
    "Client",
    "Client.call",
    "Client.close",
    "Client.address",
    "Client.protocol",
    "Client.service",
    "Client.transport",
    "ThriftException",
    cost=10,
)
def calls(seed: int) -> None:
    """Arguments and results of every transport, decoded and as bytes."""
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    steps = draw_calls(case)
    if not steps:
        return
    service = case.schema.services[-1].name
    options = options_of(case)
    handler = Handler(case.idl, case.protocol, steps)
    known = {call.function.name for call in steps}
    for function in case.schema.services[-1].all_functions():
        if function.name not in known:
            setattr(handler, function.name, lambda *values: None)
    with tl.serve(case.idl, service, handler, background=True, **options) as server:
        with tl.connect(server.address, case.idl, service, **options) as client:
            expect((client.transport, client.protocol), (options["transport"], case.protocol))
            expect(client.service.name, service)
            for call in steps:
                name = call.function.name
                data = case.canonical(call.arguments)
                values = decoded(call.function.arguments, call.arguments)
                is_bad = unnamed_numbers(call.function.arguments, call.arguments)
                if is_bad:
                    expect(error_of(lambda: client.call(name, data)), "unknown_enum_value")
                for arguments in (values,) if is_bad else (values, data):
                    check_result(case, call, *outcome_of(lambda: client.call(name, arguments)))
                is_exception = call.outcome is not None and call.outcome[2]  # has its defaults
                if not (call.function.oneway or is_exception or is_bad):
                    reply = client.call(name, data, result="message")
                    expect((reply.name, reply.kind), (name, "reply"))
                    expect_payload(
                        call.function.result, reply.data, call.result, case.protocol, name
                    )
    expect(handler.faults, [])


def outcome_of(call: Callable[[], Any]) -> tuple[Any, Optional[Exception]]:
    try:
        return call(), None
    except tl.ThriftException as error:
        return None, error


@target("aio", "aio.serve", "aio.connect", "aio.AsyncClient", "aio.Server", "aio.Listening",
        "aio.Connecting", cost=10)  # fmt: skip
def concurrent_calls(seed: int) -> None:
    """Calls in flight at the same time, in one or two connections."""
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    steps = [
        call
        for call in draw_calls(case)
        if not (call.function.oneway or unnamed_numbers(call.function.arguments, call.arguments))
    ]
    service = case.schema.services[-1].name if steps else ""
    options = options_of(case)

    async def run() -> None:
        handler = Handler(case.idl, case.protocol, steps)
        for function in case.schema.services[-1].all_functions():
            if not hasattr(handler, function.name):
                setattr(handler, function.name, lambda *values: None)
        async with tl.aio.serve(case.idl, service, handler, **options) as server:
            pool = case.choices.choice((1, 2))
            async with tl.aio.connect(
                server.address, case.idl, service, pool=pool, **options
            ) as client:
                repeated = case.choices.choices(steps, k=2 * len(steps))
                coroutines = [
                    client.call(call.function.name, case.canonical(call.arguments))
                    for call in repeated
                ]
                results = await asyncio.gather(*coroutines, return_exceptions=True)
        for call, result in zip(repeated, results):
            is_error = isinstance(result, BaseException)
            check_result(case, call, None if is_error else result, result if is_error else None)
        expect(handler.faults, [])

    if steps:
        asyncio.run(run())


def entry(number: int, payload: wire.Struct) -> bytes:
    """A framed entry of recording.thrift."""
    data = wire.write("binary", "struct", wire.Struct([[number, "struct", payload]]))
    return struct.pack(">I", len(data)) + data


def recorded_entry(protocol: str, message: tuple[int, int, str, int, bytes]) -> bytes:
    connection, kind, name, number, data = message
    time = 10**6 * (number + 1)
    values: list[tuple[str, Any]] = [
        ("i64", time), ("i64", time + 250_000 * (kind == 2)), ("i32", connection),
        ("i32", 1 + (kind == 2)), ("i32", kind), ("string", name.encode()), ("i32", number),
        ("i32", 1 + wire.PROTOCOLS.index(protocol)), ("string", b"framed"), ("string", data),
    ]  # fmt: skip
    fields = [[at, kind_of_value, value] for at, (kind_of_value, value) in enumerate(values, 1)]
    return entry(2, wire.Struct(fields))


@target("Recording", "Recording.calls", "Recording.calls_of", "Recording.answer", "Recording.has",
        "Recorded", "Recorded.name", "Recorded.kind", "Recorded.data", "RecordedCall",
        "RecordedCall.latency", "LostBytes", cost=2)  # fmt: skip
def recordings(seed: int) -> None:
    """Calls of several connections are paired with their replies, whatever lies between."""
    case = Case(seed, unknown_rate=0, shuffle_rate=0)
    steps = draw_calls(case)
    head = wire.Struct([[1, "string", b"thriftlens recording"], [2, "i32", 1], [3, "string", b"h"]])
    sent, replies = [], []
    for number, call in enumerate(steps):
        connection, name = case.choices.randrange(3), call.function.name
        kind = 4 if call.function.oneway else 1
        sent.append((connection, kind, name, number, case.canonical(call.arguments)))
        if kind == 1 and case.choices.random() < 0.8:
            replies.append((connection, 2, name, number, case.canonical(call.result)))
    between = case.choices.randrange(len(sent) + 1)
    order = [*sent, *case.choices.sample(replies, k=len(replies))]
    entries = [recorded_entry(case.protocol, message) for message in order]
    lost = [(1, "i64", 5), (2, "i32", 0), (3, "i32", 2), (4, "i64", 77), (5, "string", b"why")]
    entries.insert(between, entry(3, wire.Struct([list(field) for field in lost])))
    recording = tl.Recording(entry(1, head) + b"".join(entries))
    expect([(item.kind, item.name, item.data) for item in recording.messages],
           [(("call", "reply", "", "oneway")[kind - 1], name, data)
            for _, kind, name, _, data in order])  # fmt: skip
    expect(recording.lost, [tl.LostBytes(0, "server", 5e-6, 77, "why")])
    by_number = {reply[3]: reply for reply in replies}
    expect(len(recording.calls), len(sent))
    for message, paired in zip(sent, recording.calls):
        reply = by_number.get(message[3])
        expect((paired.call.name, paired.call.data), (message[2], message[4]))
        expect(paired.reply and paired.reply.data, reply and reply[4])
        expect(paired.latency, reply and 0.25)
        expect(recording.calls_of(message[2]), [paired])
        function = case.idl.service(case.schema.services[-1].name).function(message[2])
        other = wire.PROTOCOLS[case.protocol == "binary"]
        asked = wire.write(other, "struct", wire.read(case.protocol, message[4]))
        expect_true(recording.has(message[2], asked, other, function), message[2])
        answer = recording.answer(message[2], asked, other, function)
        expect_true((answer is None) is (reply is None))
        if answer is not None and reply is not None:
            result_kind = steps[message[3]].function.result
            payload = wire.read(case.protocol, reply[4])
            expect_payload(result_kind, answer.data, payload, other, message[2])
