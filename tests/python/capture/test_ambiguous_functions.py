"""A recording that is redacted where several services have a function of the name."""

import io

import pytest
import thriftlens as tl
from thriftlens._capture.calls import CapturedMessage
from thriftlens._capture.proxy import Recorder
from thriftlens._capture.recording_format import Writer
from thriftlens._records.redaction import Redactor

IDL = """
struct Plain { 1: i64 id, 2: string text }
struct Marked { 1: i64 id, 2: string text (pii = "blank") }
struct Number { 1: i64 id, 2: i32 text }
service A { Plain get(1: string key)  void only(1: string key) }
service B { Marked get(1: string key (pii = "drop")) }
service C { Number get(1: i32 key) }
service Derived extends B {}
"""
SCHEMA = tl.loads(IDL)
RULES = {
    "annotation": "pii",
    "values": {},
    "default_action": "blank",
    "key": b"",
    "unknown": "drop",
    "missing_required": "error",
}
SECRET = "zoe@secret"


def call(name, service="B"):
    data = (
        SCHEMA.service(service)
        .function("get")
        .arguments.encode({"key": SECRET if service != "C" else 7})
    )
    return tl.Message(name, "call", 1, data)


def reply(name, service="B"):
    data = (
        SCHEMA.service(service)
        .function("get")
        .result.encode({"success": {"id": 1, "text": SECRET}})
    )
    return tl.Message(name, "reply", 1, data)


def redactor(*names):
    return Redactor([SCHEMA.service(name) for name in names], RULES, [])


@pytest.mark.parametrize("services", [("A", "B"), ("B", "A")])
def test_an_ambiguous_message_is_redacted_by_the_rules_of_both_functions(services):
    redact = redactor(*services)
    assert SECRET.encode() not in bytes(redact(call("get")).data) + bytes(redact(reply("get")).data)
    out = io.BytesIO()
    recorder = Recorder(Writer(out, redacted=True), redact)
    tap = recorder.connection(0)
    tap.feed(0, call("get").to_bytes(), 1.0)
    tap.feed(1, reply("get").to_bytes(), 2.0)
    tap.finish()
    assert SECRET.encode() not in out.getvalue() and recorder.messages == 2


def test_a_multiplexed_prefix_decides():
    redact = redactor("A", "B", "Derived")
    assert bytes(redact(call("A:get")).data) == bytes(call("get").data)
    assert SECRET.encode() not in bytes(redact(call("B:get")).data)
    assert SECRET.encode() not in bytes(redact(call("Derived:get")).data)
    for name in ("Unknown:get", ":get2", "B:only"):
        with pytest.raises(tl.UnknownNameError):
            redact(call(name))


def test_the_service_name_of_a_header_decides():
    redact = redactor("A", "B")
    assert bytes(redact(call("get"), "A").data) == bytes(call("get").data)
    assert SECRET.encode() not in bytes(redact(call("get"), "B").data)
    with pytest.raises(tl.UnknownNameError):
        redact(call("get"), "Unknown")
    with pytest.raises(tl.UnknownNameError):
        redact(call("A:get"), "B")
    out = io.BytesIO()
    recorder = Recorder(Writer(out, redacted=True), redact)
    for name in ("A", "B"):
        message = CapturedMessage(0, 1, 1.0, 2.0, call("get"), "ttheader", {"isn": name})
        recorder.write(0, 0, [message])
    first, second = tl.Recording(out.getvalue()).messages
    assert SECRET.encode() in first.data and SECRET.encode() not in second.data


def test_a_message_that_matches_only_one_function_is_rejected():
    redact = redactor("B", "C")
    for message in (call("get", "C"), reply("get")):
        with pytest.raises(tl.DecodeError):
            redact(message)
    assert redact(call("C:get", "C")).data


def test_an_application_exception_of_an_unknown_function_is_refused():
    data = tl.application_exception().encode({"message": SECRET, "type": 1})
    assert (
        SECRET.encode()
        not in redactor("A", "B")(tl.Message("get", "exception", 1, data)).to_bytes()
    )
    with pytest.raises(tl.UnknownNameError):
        redactor("B")(tl.Message(SECRET, "exception", 1, data))


def test_paths_name_functions_services_or_all():
    services = [SCHEMA.service("A"), SCHEMA.service("B")]
    rules = {**RULES, "annotation": ""}
    redact = Redactor(
        services, rules, [("B.get", "$.success.text", "drop"), ("*", "$.key", "blank")]
    )
    assert SECRET.encode() in bytes(redact(reply("A:get")).data)
    assert SECRET.encode() not in bytes(redact(reply("B:get")).data)
    assert SECRET.encode() not in bytes(redact(call("A:get")).data) + bytes(
        redact(reply("get")).data
    )
    by_type = Redactor(services, {**rules, "types": {"Plain.text": "drop"}}, [])
    assert SECRET.encode() not in bytes(by_type(reply("A:get")).data)
    for paths, types in (
        ([("C.get", "$.key", "drop")], {}),
        ([], {"Number.text": "blank"}),
        ([], {"Plian": "blank"}),
    ):
        with pytest.raises(tl.Error):
            Redactor(services, {**rules, "types": types}, paths)
