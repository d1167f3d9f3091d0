"""Redaction of files of messages and of records with bytes in front: unredacted data is refused."""

import base64
import struct

import pytest
import thriftlens as tl

IDL = """
struct User { 1: i64 id, 2: string mail (pii = "drop") }
exception Missing { 1: string mail (pii = "blank") }
service Base { void ping(1: string note (pii = "drop")) }
service Shop extends Base { User get(1: string mail (pii = "blank")) throws (1: Missing missing)
  list<User> all()  string plain() }
service Other { User get(1: string mail) }
"""
SCHEMA = tl.loads(IDL)
SHOP = SCHEMA.service("Shop")
SECRET = b"zoe@secret"
USER = {"id": 1, "mail": SECRET.decode()}


def message(name, kind, value=None, of=None, protocol="binary", framed=True, **more):
    function = SHOP.function(of or name.rpartition(":")[2])
    if kind == "exception":
        data = tl.application_exception().encode(
            {"message": SECRET.decode(), "type": 6}, protocol=protocol
        )
    else:
        data = (function.result if kind == "reply" else function.arguments).encode(
            value, protocol=protocol
        )
    return tl.Message(name, kind, 5, data, protocol, **more).to_bytes(framed=framed)


CAPTURE = b"".join(
    [
        message("get", "call", {"mail": SECRET.decode()}),
        message("get", "reply", {"success": USER}),
        message("get", "reply", {"missing": {"mail": SECRET.decode()}}, protocol="compact"),
        message("all", "reply", {"success": [USER, USER]}),
        message("Shop:get", "call", {"mail": SECRET.decode()}),
        message("Other:get", "call", {"mail": SECRET.decode()}),
        message("nothing", "call", {"mail": SECRET.decode()}, of="get"),
        message("get", "exception"),
        message("ping", "oneway", {"note": SECRET.decode()}),
    ]
)


@pytest.fixture
def redact(run, tmp_path):
    (tmp_path / "shop.thrift").write_text(IDL)

    def redact(type_name, data, *arguments, status=0):
        (tmp_path / "in").write_bytes(data)
        completed = run("redact", tmp_path / "shop.thrift", type_name, tmp_path / "in", *arguments)
        assert completed.returncode == status, completed.stderr.decode()
        return completed.stdout, completed.stderr.decode()

    return redact


def messages(data):
    return [
        (message.name, message.kind) for message in tl.scan(data, framing="message", to="message")
    ]


def test_messages_that_the_type_does_not_name_are_dropped_and_counted(redact):
    out, stderr = redact(
        "Shop.get.arguments", CAPTURE, "--framing", "message", "--annotation", "pii"
    )
    assert SECRET not in out and messages(out) == [("get", "call"), ("Shop:get", "call")]
    assert "2 messages redacted; 7 messages of other functions or kinds dropped" in stderr
    out, stderr = redact("Shop.get.result", CAPTURE, "--framing", "message", "--annotation", "pii")
    assert SECRET not in out and messages(out) == [("get", "reply")] * 2


def test_messages_of_unknown_functions_are_refused_or_passed_through(redact):
    rules = ("--framing", "message", "--annotation", "pii", "--unredacted")
    out, stderr = redact("Shop.get.arguments", CAPTURE, *rules, "error", status=1)
    assert SECRET not in out and "record 1" in stderr and "'get'" in stderr
    out, stderr = redact("Shop.get.arguments", CAPTURE, *rules, "keep")
    assert len(messages(out)) == 9
    assert "7 messages of other functions or kinds kept unredacted" in stderr


def test_a_service_is_redacted_in_one_command(redact):
    out, stderr = redact("Shop", CAPTURE, "--annotation", "pii")
    assert SECRET not in out
    assert messages(out) == [
        ("get", "call"),
        ("get", "reply"),
        ("get", "reply"),
        ("all", "reply"),
        ("Shop:get", "call"),
        ("get", "exception"),
        ("ping", "oneway"),
    ]
    assert "7 messages redacted; 2 messages of unknown functions dropped" in stderr
    read = [message.decode() for message in tl.scan(out, SHOP, framing="message", to="message")]
    assert read[:4] == [
        {"mail": ""},
        {"success": {"id": 1}},
        {"missing": {"mail": ""}},
        {"success": [{"id": 1}, {"id": 1}]},
    ]
    result = redact(
        "Shop",
        CAPTURE,
        "--annotation",
        "pii",
        "--framing",
        "message",
        "--unredacted",
        "error",
        status=1,
    )[0].count(SECRET)
    assert result == 0


def test_a_service_takes_paths_and_types(redact):
    out, _ = redact(
        "Shop", CAPTURE, "--redact-path", "get.result.success.mail", "constant(hidden)",
        "--redact-type", "Missing", "blank",
    )  # fmt: skip
    read = [message.decode() for message in tl.scan(out, SHOP, framing="message", to="message")]
    assert read[1] == {"success": {"id": 1, "mail": "hidden"}} and read[2] == {"missing": {}}
    explained, _ = redact("Shop", b"", "--annotation", "pii", "--explain")
    assert b"Shop.get.arguments $.mail\tblank\t" in explained
    assert b"Shop.all.result $.success[*].mail\tdrop\t" in explained
    for rules in (
        ["--redact-path", "get.mail", "drop"],
        ["--redact-path", "get.result.success.mial", "drop"],
        ["--annotation", "pi"],
        ["--redact-type", "Usr", "drop"],
    ):
        assert redact("Shop", CAPTURE, *rules, status=2)[0] == b""
    assert redact("Shop", CAPTURE, "--annotation", "pii", "--framing", "u32", status=2)[0] == b""


def test_text_in_front_of_a_record_is_dropped_and_counted(redact):
    data = SCHEMA["User"].encode(USER)
    for framing, text in (("base64", base64.b64encode(data)), ("hex", data.hex().encode())):
        lines = b"2026-01-01 " + SECRET + b"\t" + text + b"\n" + text + b"\n"
        out, stderr = redact("User", lines, "--framing", framing, "--annotation", "pii")
        assert SECRET not in out and [len(line.split()) for line in out.splitlines()] == [1, 1]
        assert "bytes before 1 record dropped" in stderr
        result = redact(
            "User", lines, "--framing", framing, "--annotation", "pii", "--unredacted", "error",
            status=1,
        )  # fmt: skip
        assert result[0] == b""
        actual = redact(
            "User", lines, "--framing", framing, "--annotation", "pii", "--unredacted", "keep"
        )
        assert SECRET in actual[0]


@pytest.mark.parametrize(
    "framing,frame",
    [("u32", lambda data: struct.pack(">I", len(data)) + data), ("none", lambda data: data)],
)
def test_a_prefix_is_dropped_and_counted(redact, framing, frame):
    redacted = SCHEMA["User"].redact(SCHEMA["User"].encode(USER), annotation="pii")
    record = frame(SECRET + SCHEMA["User"].encode(USER))
    rules = ("--framing", framing, "--prefix-size", len(SECRET), "--annotation", "pii")
    out, stderr = redact("User", record * 2, *rules)
    assert out == frame(redacted) * 2 and "bytes before 2 records dropped" in stderr
    assert redact("User", record, *rules, "--unredacted", "keep")[0] == frame(SECRET + redacted)


def test_the_header_of_finagle_is_dropped(redact):
    header = tl.loads(
        "struct H { 1: i64 t, 2: i64 s, 7: i64 f, 8: list<C> c } struct C { 1: binary k, 2: binary "
        "v }"
    )["H"]
    header_bytes = header.encode({"t": 1, "s": 2, "f": 0, "c": [{"k": b"user", "v": SECRET}]})
    plain = message("get", "call", {"mail": "x"}, framed=False)
    framed = struct.pack(">I", len(header_bytes + plain)) + header_bytes + plain
    assert next(iter(tl.scan(framed, framing="message", to="message"))).header == header_bytes
    out, stderr = redact("Shop", framed, "--annotation", "pii")
    assert SECRET not in out and messages(out) == [("get", "call")]
    assert "bytes before 1 record dropped" in stderr


def test_a_rewrite_with_rules_drops_what_it_does_not_redact(run, redact, tmp_path):
    (tmp_path / "in").write_bytes(CAPTURE)
    command = (
        "rewrite",
        tmp_path / "shop.thrift",
        "Shop.get.arguments",
        tmp_path / "in",
        "--framing",
        "message",
    )
    completed = run(*command, "--annotation", "pii")
    assert completed.returncode == 0 and SECRET not in completed.stdout
    completed = run(*command, "--delete", "$.mail")
    assert completed.returncode == 0 and len(messages(completed.stdout)) == 9


@pytest.mark.parametrize("command,counts", [
    (("trim", "Shop.get.result", "{ success { id } }"),
    "2 messages changed; 7 messages of other functions or kinds copied"),
    (("set", "Shop.ping.arguments", "$.note", '""'),
    "1 message changed; 8 messages of other functions or kinds copied"),
    (("delete", "Shop.get.arguments", "$.mail"),
    "2 messages changed; 7 messages of other functions or kinds copied"),
    (("rewrite", "Shop.ping.arguments", "--delete", "$.note"),
    "1 message changed; 8 messages of other functions or kinds copied"),
])  # fmt: skip
def test_edits_of_messages_count_what_they_copy(run, tmp_path, command, counts):
    (tmp_path / "shop.thrift").write_text(IDL)
    name, type_name, *rest = command
    result = run(
        name, tmp_path / "shop.thrift", type_name, *rest, *(["-"] if name == "rewrite" else []),
        "--framing message", input=CAPTURE,
    )  # fmt: skip
    assert result.returncode == 0 and result.stderr.decode() == f"thriftlens: <stdin>: {counts}\n"
    assert len(list(tl.scan(result.stdout, framing="message", to="message"))) == 9


def test_counts_are_those_of_all_processes(redact):
    capture = CAPTURE * 3000
    expected, stderr = redact("Shop", capture, "--annotation", "pii")
    two, also = redact("Shop", capture, "--annotation", "pii", "--jobs", "2")
    assert two == expected and also == stderr
    assert "21000 messages redacted; 6000 messages of unknown functions dropped" in stderr


def test_an_annotation_value_that_no_function_has_is_an_error(redact, run, tmp_path):
    rules = ("--annotation", "pii", "--value", "blnk", "drop", "--default-action", "keep")
    out, stderr = redact("Shop", CAPTURE, *rules, status=2)
    assert out == b"" and "has the value 'blnk'; did you mean 'blank'?" in stderr
    completed = run(
        "record", "127.0.0.1:1", tmp_path / "out", "--idl", tmp_path / "shop.thrift", *rules
    )
    assert completed.returncode == 2 and b"'blnk'" in completed.stderr
    # "drop" and "blank" are values of different functions.
    result = redact(
        "Shop", CAPTURE, "--annotation", "pii", "--value", "drop", "blank", "--value", "blank",
        "drop",
    )  # fmt: skip
    assert SECRET not in result[0]


@pytest.mark.parametrize("type_name", ["User", "Shop"])
@pytest.mark.parametrize("rules,message", [
    (("--redact-path", "{}", "keep", "--exempt", "*"), "nothing to redact"),
    (("--redact-type", "User", "keep"), "nothing to redact"),
    (("--redact-path", "", "keep"), "empty"), (("--annotation", "pii", "--key-file", "key"),
    "no rule has the action hash"), (("--redact-path", "{}", "drop", "--value", "a", "drop"),
    "need an annotation"),
])  # fmt: skip
def test_rules_without_effect_are_errors(redact, tmp_path, type_name, rules, message):
    (tmp_path / "key").write_bytes(b"0123456789")
    path = "get.result.success.mail" if type_name == "Shop" else "$.mail"
    rules = [
        str(tmp_path / "key") if rule == "key" else rule.format(path)
        for rule in rules
        if type_name == "Shop" or rule not in ("--exempt", "*")
    ]
    out, stderr = redact(type_name, CAPTURE, *rules, status=2)
    assert out == b"" and message in stderr


def test_functions_without_a_path_are_refused_unless_they_are_exempt(redact):
    rules = (
        "--redact-path", "get.result.success.mail", "drop",
        "--redact-path", "Shop.get.arguments.mail", "drop",
        "--redact-path", "ping.arguments.note", "blank",
    )  # fmt: skip
    out, stderr = redact("Shop", CAPTURE, *rules, status=2)
    assert out == b"" and "no rule for Shop.all, Shop.plain" in stderr
    out, stderr = redact("Shop", CAPTURE, *rules, "--exempt", "all", "--exempt", "Shop.plain")
    assert (
        "6 messages redacted; 1 message of a function without a rule copied; 2 messages of unknown "
        "functions dropped" in stderr
    )
    assert redact("Shop", CAPTURE, *rules, "--exempt", "al", status=2)[0] == b""


def test_messages_are_counted_by_outcome(redact):
    plain = message("plain", "call", {}) + message("plain", "reply", {"success": "x"})
    out, stderr = redact("Shop", CAPTURE + plain, "--annotation", "pii", "--unredacted", "keep")
    assert len(messages(out)) == 11
    assert (
        "7 messages redacted; 2 messages of functions without a rule copied; 2 messages of unknown "
        "functions kept unredacted" in stderr
    )
    line = SECRET + b"\t" + base64.b64encode(SCHEMA["User"].encode(USER)) + b"\n"
    result = redact(
        "User", line, "--framing", "base64", "--annotation", "pii", "--unredacted", "keep"
    )
    assert "bytes before 1 record kept unredacted" in result[1]


def test_a_service_implies_the_framing_of_messages(redact):
    assert messages(
        redact("Shop", CAPTURE, "--annotation", "pii", "--start", "0", "--limit", "1")[0]
    ) == [("get", "call")]
    assert messages(
        redact("Shop", CAPTURE + b"\0\0\0\4abcd", "--annotation", "pii", "--on-error", "skip")[0]
    )[-1] == ("ping", "oneway")
    for text in (base64.b64encode(CAPTURE), CAPTURE.hex().encode()):
        assert "base64 -d" in redact("Shop", text, "--annotation", "pii", status=2)[1]
    for options, expected in (
        (("--framing", "base64"), "base64 -d"),
        (("--protocol", "compact"), "remove --protocol"),
        (("--lines",), "must contain messages"),
    ):
        out, stderr = redact("Shop", CAPTURE, "--annotation", "pii", *options, status=2)
        assert out == b"" and expected in stderr


def test_annotations_without_effect_are_reported(run, tmp_path):
    idl, value = tmp_path / "w.thrift", tmp_path / "value"
    idl.write_text(
        'struct S { 1: string a (pii = "drop") } service W { S get() oneway void w(1: string a) '
        '(pii = "drop") } (pii = "drop")'
    )
    value.write_bytes(b"\0")
    for command, type_name, path in (
        ("redact", "S", "$.a"),
        ("redact", "W", "get.result.success.a"),
        ("rewrite", "S", "$.a"),
    ):
        framing = ("--framing", "message") if type_name == "W" else ()
        result = run(
            command,
            idl,
            type_name,
            value if type_name == "S" else "-",
            "--annotation pii",
            *framing,
        )
        assert result.returncode == 0 and result.stderr.count(b"has no effect") == 2, result.stderr
        assert b"w.thrift: warning: function W.w" in result.stderr, result.stderr
        result = run(
            command,
            idl,
            type_name,
            value if type_name == "S" else "-",
            "--redact-path",
            path,
            "drop",
            *framing,
            *(["--exempt", "w"] if type_name == "W" else []),
        )
        assert result.returncode == 0 and b"warning" not in result.stderr, result.stderr


def test_elements_that_become_equal_are_counted(run, tmp_path):
    idl = tmp_path / "m.thrift"
    idl.write_text(
        'typedef string Mail (pii = "blank") struct M { 1: map<Mail, i32> counts, 2: set<Mail> '
        "mails, 3: string note } service S { M get() }"
    )
    schema = tl.load(str(idl))
    value = {"counts": {"a": 1, "b": 2, "c": 3}, "mails": {"a", "b"}, "note": "x"}
    (tmp_path / "value").write_bytes(schema["M"].encode(value))
    reply = schema.service("S").function("get").result.encode({"success": value})
    (tmp_path / "messages").write_bytes(
        tl.Message("get", "reply", 1, reply).to_bytes(framed=True) * 2
    )
    for type_name, file, count in (("M", "value", 3), ("S", "messages", 6)):
        result = run("redact", idl, type_name, tmp_path / file, "--annotation", "pii")
        assert result.returncode == 0, result.stderr
        assert f"{count} elements of maps and sets dropped" in result.stderr.decode(), result.stderr
    result = run("redact", idl, "M", tmp_path / "value", "--redact-path", "$.note", "drop")
    assert result.returncode == 0 and b"elements" not in result.stderr
