"""Conditions that raise instead of ending the process: low memory, sub-interpreters, arguments of
the wrong kind."""

import subprocess
import sys

import pytest
import thriftlens as tl

PRELUDE = """
import re, resource, thriftlens as tl
of = tl.loads("struct N { 1: string s, 2: binary b, 3: list<list<i8>> l }").N
data = of.encode({"b": bytes(120 << 20)})
text = b'{"s":"' + b"x" * (120 << 20) + b'"}'
def short():
    used = int(re.search(r"VmSize:\\s+(\\d+)", open("/proc/self/status").read())[1]) << 10
    resource.setrlimit(resource.RLIMIT_AS, (used + (40 << 20),) * 2)
    try:  # what the allocator has put aside: without a GIL it reserves a gigabyte at once
        while True:
            taken.append(bytes(60 << 20))
    except MemoryError:
        pass
taken = []
"""
CALLS = {
    "decode": "of.decode(data)",
    "encode": "of.encode({'b': data})",
    "encode lists": "of.encode({'l': [[1] * 1000] * 100000})",
    "to_json": "of.to_json(data)",
    "from_json": "of.from_json(text)",
    "get": "of.get(data, '$.b')",
    "trim": "of.trim(data, '{ b }')",
    "edit": "of.edit(data).set('$.s', 'x').apply()",
    "edit wire": "of.edit(b'\\0').set('$.b', data)",
    "redact": "of.redact(data, paths={'$.b': 'keep_last(1)'})",
    "convert": "tl.convert(data, source='binary', target='compact')",
    "view": "bytes(of.view(data))",
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a limit of memory")
def test_short_memory_is_a_memory_error():
    """One process runs all of them and must survive."""
    steps = [f"try: {call}\nexcept MemoryError: print({name!r})" for name, call in CALLS.items()]
    program = "\n".join(
        [PRELUDE, "short()", *steps, "print(of.decode(of.encode({'s': 'fine'}))['s'])"]
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stdout.split("\n")[:-1]) == (0, [*CALLS, "fine"]), (
        result.stderr
    )


def test_sub_interpreters_are_refused():
    interpreters = "_xxsubinterpreters" if sys.version_info < (3, 13) else "_interpreters"
    pytest.importorskip(interpreters)
    program = f"""
import {interpreters} as interpreters
code = "try: import thriftlens\\nexcept ImportError as e: print('refused', flush=True)"
interpreters.run_string(interpreters.create(), code)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert result.stdout == "refused\n", result.stderr


@pytest.fixture(scope="module")
def of():
    return tl.loads("struct N { 1: i32 x, 2: string s, 3: map<string, i32> m }").N


@pytest.mark.parametrize("kind, message, call", [
    (TypeError, "expected a thriftlens.Type, not str", lambda of: tl.inspect(b"\0", type="N")),
    (ValueError, "depth must be from 0 to 1024, not -1", lambda of: tl.inspect(b"\0", depth=-1)),
    (ValueError, "text_size must be from 0 to", lambda of: tl.inspect(b"\0", text_size=-1)),
    (ValueError, "source must be 'binary', 'compact' or 'tjson', not 1",
        lambda of: tl.convert(b"\0", source=1, target="binary")),
    (ValueError, "depth must be from 0 to 1024, not 1025",
        lambda of: tl.convert(b"\0", source="binary", target="binary", depth=1025)),
    (TypeError, "depth must be a number from 0 to 1024, not None",
        lambda of: of.decode(b"\0", depth=None)),
    (TypeError, "pretty must be a number from 0 to 16, not 'x'",
        lambda of: of.to_json(b"\0", pretty="x")),
    (TypeError, "depth must be a number from 0 to 1024, not 'x'",
        lambda of: of.edit(b"\0", depth="x")),
    (ValueError, "depth must be from 0 to 1024, not 5000", lambda of: of.edit(b"\0", depth=5000)),
    (ValueError, "max_findings must be from 1 to", lambda of: of.findings(b"\1", max_findings=0)),
    (ValueError, "max_differences must be from 1 to",
        lambda of: of.diff(b"\0", b"\0", max_differences=-1)),
    (TypeError, "default_action must be a str, not None",
        lambda of: of.redact(b"\0", default_action=None)),
    (TypeError, "values must be a dict of str to str",
        lambda of: of.redact(b"\0", values={1: "drop"})),
    (TypeError, "key must be bytes, not int", lambda of: of.redact(b"\0", key=5)),
    (TypeError, "the name of a type must be a str, not 5", lambda of: of.schema[5]),
    (TypeError, "the name of a type must be a str, not 5", lambda of: of.schema.describe(5)),
    (TypeError, "IDL texts and names must be str or bytes, not int", lambda of: tl.loads(5)),
    (TypeError, "IDL texts and names must be str or bytes, not NoneType",
        lambda of: tl.loads("", name=None)),
    (TypeError, "IDL texts and names must be str or bytes, not int",
        lambda of: tl.loads("", includes={"a": 1})),
    (tl.Error, "unpaired surrogate", lambda of: of.get(b"\0", "$.\ud800")),
    (tl.Error, "unpaired surrogate", lambda of: of.trim(b"\0", "{ \ud800 }")),
    (tl.JSONError, "unpaired surrogate", lambda of: of.edit(b"\0").set("$.s", json='"\ud800"')),
    (tl.AbsentError, "unpaired surrogate", lambda of: of.view(of.encode({"m": {}})).m["\ud800"]),
    (tl.UnknownNameError, "unpaired surrogate", lambda of: of.view(b"\0")["\ud800"]),
    (tl.UnknownNameError, "no type named", lambda of: of.schema["\ud800"]),
    (tl.EncodeError, "no field '\ufffd'", lambda of: of.encode({"\ud800": 1})),
])  # fmt: skip
def test_invalid_arguments(of, kind, message, call):
    with pytest.raises(kind) as caught:
        call(of)
    assert message in str(caught.value)
