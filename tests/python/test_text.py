"""Control characters on the wire, in IDL and in file names never reach a terminal or a log
unescaped."""

import io
import json
import pickle
import re

import pytest
import thriftlens as tl
from thriftlens import _text
from thriftlens._capture.recording_format import LostBytes, Recorded, Writer
from thriftlens._cli.commands.pcap import CallPrinter, run
from thriftlens._cli.sink import Sink
from thriftlens._cli.source import Source
from thriftlens._records.redaction import Redactor

NASTY = "\x1b]0;pwn\x07\x7f\x9b31m\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\r\n\x00end"
UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
IDL = (
    "exception Gone { 1: string why } service Shop { string get(1: string id) throws "
    "(1: Gone gone), oneway void note(1: string text) }"
)
SHOP = tl.loads(IDL).service("Shop")
GET = SHOP.functions["get"]


def clean(data):
    text = data if isinstance(data, str) else data.decode()
    assert not UNPRINTABLE.search(text), ascii(text)
    return text


def test_escaped_covers_all_control_characters():
    shown = _text.escaped(NASTY + "\udc9b\ud800")
    assert clean(shown) == shown and "\n" not in shown and "\\u001b" in shown and "\\u202e" in shown
    assert "\\udc9b" in shown
    assert _text.escaped("Zoë, 日本\xa0") == "Zoë, 日本\xa0"
    assert json.loads(f'"{_text.escaped(NASTY)}"') == NASTY
    assert _text.escaped_lines("a\tb\nc\x1b") == "a\tb\nc\\u001b"


def recording():
    out = io.BytesIO()
    writer = Writer(out)
    for name in (NASTY, "get"):
        call = tl.Message(name, "call", 1, GET.arguments.encode({"id": NASTY}))
        data = tl.application_exception().encode({"message": NASTY, "type": 6})
        reply = tl.Message(name, "exception", 1, data)
        for message, sender in ((call, "client"), (reply, "server")):
            writer.message(Recorded(0, sender, 1.0, 2.0, message, "framed"))
    writer.lost(LostBytes(0, "client", 1.0, 5, NASTY))
    return out.getvalue()


@pytest.mark.parametrize("form", ["table", "summary"])
def test_tables_of_captured_calls(run, tmp_path, form):
    (tmp_path / "shop.thrift").write_text(IDL)
    (tmp_path / "a.tlrec").write_bytes(recording())
    result = run("pcap", tmp_path / "a.tlrec", "--idl", tmp_path / "shop.thrift", "--format", form)
    assert result.returncode == 0 and "\\u001b]0;pwn" in clean(result.stdout)
    assert "\\u001b]0;pwn" in clean(result.stderr) and len(result.stderr.splitlines()) == 1


class Peer:
    """A server that answers every call by an application exception with the text."""

    def __enter__(self):
        def get(id):
            raise tl.ApplicationError(NASTY)

        self.server = tl.serve(
            tl.loads(IDL), "Shop", {"get": get, "note": get}, transport="framed", background=True
        )
        return self.server.__enter__()

    def __exit__(self, *error):
        self.server.__exit__(*error)


def test_calls_and_replays(run, tmp_path):
    (tmp_path / "shop.thrift").write_text(IDL)
    (tmp_path / "a.tlrec").write_bytes(recording())
    with Peer() as server:
        result = run(
            "call",
            server.address,
            tmp_path / "shop.thrift",
            "get",
            "id=7",
            "--trace --transport framed --protocol binary",
        )
        assert result.returncode == 4 and "\\u001b]0;pwn" in clean(result.stderr)
        result = run(
            "replay",
            tmp_path / "a.tlrec",
            tmp_path / "shop.thrift",
            "--server",
            server.address,
            "--transport framed --protocol binary",
        )
        clean(result.stderr)
        assert "\\u001b]0;pwn" in clean(result.stdout)


def test_idl(run, tmp_path):
    idl = tmp_path / "a.thrift"
    doc = NASTY.replace("\0", "")
    # U+FFFD replaces invalid UTF-8
    idl.write_text(
        f"/** A {doc} doc */\nstruct S {{ /** {doc} */ 1: string a = '{doc}' ({'go.tag'} = "
        f"'json:\"{doc}\"'), 2: string b (pii = '{doc}') }}\n"
        f"service T {{ /** {doc} */ S f(1: string id (api.query = '{doc}')) (api.get = "
        f"'/a/{doc.splitlines()[0]}', api.gett = '{doc}') }}\n",
        newline="",
    )
    for arguments in (
        ["describe", idl],
        ["describe", idl, "S"],
        ["routes", idl],
        ["check", idl],
        ["call", "localhost:1", idl, "--list"],
    ):
        result = run(*arguments)
        assert "Traceback" not in clean(result.stdout) + clean(result.stderr), result.stderr
    result = run("redact", idl, "S", "--annotation", "pii", "--explain")
    assert "\\u001b]0;pwn" in clean(result.stdout)
    idl.write_text(f"struct S {{ 1: strin{NASTY} a }}", newline="")
    result = run("describe", idl)
    assert result.returncode == 1 and "\\u009b" in clean(result.stderr)
    with pytest.raises(tl.SchemaError) as caught:
        tl.load(idl)
    clean(str(caught.value))
    clean(str(caught.value.diagnostics[0]))


def test_carets_align_with_the_column():
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("struct S { /*\x1b\u202e*/ 1: x a }")
    for text in (str(caught.value), str(caught.value.diagnostics[0])):
        _, source, caret = text.splitlines()
        assert source[caret.index("^")] == "x"


def test_trees_differences_and_names_of_files(run, tmp_path):
    (tmp_path / "a.thrift").write_text("struct S { 1: string s, 2: map<string, i32> m }")
    of = tl.load(tmp_path / "a.thrift")["S"]
    files = [tmp_path / "one", tmp_path / "two\x1b\u202e"]
    for file, text in zip(files, (NASTY, "")):
        file.write_bytes(of.encode({"s": text, "m": {NASTY: len(text)}}))
    message = tmp_path / "message"
    message.write_bytes(tl.Message(NASTY, "call", 1, b"\0").to_bytes())
    outputs = [run("diff", tmp_path / "a.thrift", "S", *files)]
    outputs += [run("inspect", path) for path in (*files, message)]
    outputs += [
        run("identify", "--idl", tmp_path / "a.thrift", *files),
        run("to-json", tmp_path / "a.thrift", "T", files[1]),
    ]
    outputs += [
        run("get", tmp_path / "a.thrift", "S", f'$.m{{"{NASTY[:4]}"}}', files[1]),
        run("messages", tmp_path / "a.thrift", "no\x1bfile"),
    ]
    outputs += [
        run("redact", tmp_path / "a.thrift", "S", files[1], "--annotation", "\x1b\u202e"),
        run("check", tmp_path / "a.thrift", "S", "no\x9bfile"),
    ]
    for result in outputs:
        clean(result.stdout)
        assert "Traceback" not in clean(result.stderr)


def test_errors_name_what_is_wrong_without_control_characters():
    of = tl.loads("struct S { 1: map<string, i32> m, 2: string s }")["S"]
    with pytest.raises(tl.Error) as caught:
        of.from_json(json.dumps({NASTY: 1}))
    clean(str(caught.value))
    with pytest.raises(tl.Error) as caught:
        of.view(of.encode({"m": {NASTY[:20]: 1}})).m["\x9b"]
    clean(str(caught.value))
    with pytest.raises(tl.Error) as caught:
        of.from_json(json.dumps({"m": {NASTY[:20]: "x"}}))
    clean(str(caught.value))


def test_the_table_of_a_capture_is_escaped_in_python_too():
    sink = io.BytesIO()
    source = Source(io.BufferedReader(io.BytesIO(recording())), "x")
    run(source, (), CallPrinter(Sink(sink, "x"), [SHOP], {}, "table"), lambda line: None)
    clean(sink.getvalue())


def test_names_of_peers_in_exceptions_are_short_and_escaped():
    name = NASTY + "n" * 60_000
    message = tl.Message(name, "call", 1, b"\0")
    faults = [
        lambda: message.type,
        lambda: (
            next(
                iter(tl.scan(message.to_bytes(), tl.loads(IDL), framing="message", to="message"))
            ).type
        ),
        lambda: SHOP.function(name),
    ]
    faults += [
        lambda: Redactor(
            [SHOP], {"annotation": "", "key": b""}, [("*", "$.id", "drop")], exempt=["*"]
        )(message)
    ]
    for fault in faults:
        with pytest.raises(tl.UnknownNameError) as caught:
            fault()
        assert len(clean(str(caught.value))) < 500 and "\\u001b]0;pwn" in str(caught.value)


def test_texts_of_servers_in_exceptions_are_short_and_escaped():
    text = NASTY + "n" * 60_000
    gone = tl.loads("exception Gone { 1: string message }").exceptions["Gone"](text)
    errors = [tl.ApplicationError(text), tl.BusinessError(7, text), tl.hive.HiveError(text), gone]
    for error in (*errors, *pickle.loads(pickle.dumps(errors))):
        assert len(clean(str(error))) < 1200 and "\n" not in str(error)
        assert str(error).startswith("\\u001b]0;pwn") and error.message == text


def test_texts_of_servers_arrive_unchanged():
    with (
        Peer() as server,
        tl.connect(server.address, tl.loads(IDL), transport="framed", protocol="binary") as client,
    ):
        with pytest.raises(tl.ApplicationError) as caught:
            client.get("7")
    assert caught.value.message == NASTY


def test_json_escapes_what_a_terminal_acts_on():
    text = NASTY.replace("\r\n\x00", "") + "Zoë, 日本\xa0\u2027\u2030"
    data = json.dumps({"a": text}, ensure_ascii=False).encode()
    assert json.loads(clean(_text.escaped_json(data))) == {"a": text}
    assert "Zoë, 日本\xa0\u2027\u2030" in _text.escaped_json(data).decode()


def test_values_are_escaped_where_they_are_printed(run, tmp_path):
    (tmp_path / "shop.thrift").write_text(IDL)
    with tl.serve(
        tl.loads(IDL),
        "Shop",
        {"get": lambda id: NASTY, "note": print},
        transport="framed",
        background=True,
    ) as server:
        result = run("call", server.address, tmp_path / "shop.thrift", "get", "id=7")
        assert json.loads(clean(result.stdout)) == NASTY
    raw, shown = io.BytesIO(), io.BytesIO()
    for stream, escapes in ((raw, False), (shown, True)):
        Sink(stream, "out", escapes=escapes).write('"\x9b"'.encode())
    assert (raw.getvalue(), shown.getvalue()) == (b'"\xc2\x9b"', b'"\\u009b"')
