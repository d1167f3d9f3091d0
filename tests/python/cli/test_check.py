"""`thriftlens describe` and `check`, and options of IDL."""

import json
import struct

import pytest


def test_describe(run, idl, shop):
    assert run("describe", idl).stdout.decode() == shop.describe()
    assert run("describe", idl, "Order").stdout.decode() == shop.describe("Order")
    assert json.loads(run("describe", idl, "--json").stdout) == json.loads(shop.describe(json=True))
    result = json.loads(run("describe", "--json", "-I", idl.parent, idl, "User").stdout)
    assert result["name"] == "User"


def test_check(run, idl, idl_folder, failed):
    result = run("check", idl)
    assert result.returncode == 0
    assert result.stdout.decode() == f"{idl}: fine, 9 types, 0 warnings\n"
    result = run("check", idl, "Order", idl_folder / "order.cmp", "--protocol", "compact")
    assert result.returncode == 0 and b"fine, 1 value of Order" in result.stdout
    result = run("check", idl, "Order", idl_folder / "orders.frames", "--lines")
    assert result.returncode == 0 and b"fine, 3 values of Order" in result.stdout
    completed = run("check", idl, "User", idl_folder / "order.bin")
    failed(completed, 1, "order.bin: expected string, found struct at $.name (byte 11)")


@pytest.mark.parametrize("options,text", [
    (("pi",), "no field has the annotation 'pi'; did you mean 'pii'?"),
    (("pii", "--value", "mali", "drop"),
        "no annotation 'pii' has the value 'mali'; did you mean 'mail'?"),
])  # fmt: skip
def test_check_warns_about_annotations_that_the_idl_lacks(run, tmp_path, options, text):
    (tmp_path / "s.thrift").write_text('struct S { 1: string s (pii = "mail") }')
    result = run("check", tmp_path / "s.thrift", "--annotation", *options)
    assert f"warning: {text}\n".encode() in result.stderr and b"1 warning\n" in result.stdout


def test_check_shows_warnings(run, tmp_path):
    file = tmp_path / "w.thrift"
    file.write_text("struct Q { i32 a }")
    result = run("check", file)
    assert result.returncode == 0 and b"1 type, 1 warning\n" in result.stdout
    assert b"w.thrift:1:" in result.stderr


def test_errors_of_idl_show_line_and_caret(run, tmp_path, failed):
    file = tmp_path / "bad.thrift"
    file.write_text("struct Q {\n  1: i23 a\n}")
    stderr = failed(run("describe", file), 1, f"{file}:2:6: error: ")
    assert stderr.split("\n")[1:3] == ["    1: i23 a", "       ^"]


def test_check_prints_every_finding(run, tmp_path, failed):
    idl = tmp_path / "a.thrift"
    idl.write_text(
        'enum E { A = 1 } struct S { 1: i32 n (vt.lt = "5"), 2: string s (vt.min_size = "2"), 3: E '
        "e }"
    )
    data = bytes.fromhex("0800010000000a0b000200000001410800030000000900")
    stderr = failed(
        run("check", idl, "S", "-", input=data),
        1,
        '<stdin>: the value breaks vt.lt = "5" at $.n (byte 3)',
        "vt.min_size",
        "9 is not a member of E",
    )
    assert len(stderr.splitlines()) == 3
    completed = run("check", idl, "S", "-", "--rules", "ignore", input=data)
    failed(completed, 1, "9 is not a member of E")
    result = run("check", idl, "S", "-", "--rules", "ignore", "--enum-numbers", "any", input=data)
    assert result.stdout == b"<stdin>: fine, 1 value of S\n"
    framed = struct.pack(">I", 1) + b"\0" + struct.pack(">I", len(data)) + data
    failed(run("check", idl, "S", "-", "--lines", input=framed), 1, "record 1 ")


def test_check_warns_of_another_type(run, tmp_path):
    idl = tmp_path / "a.thrift"
    idl.write_text("struct P { 1: i32 a } struct Q { 7: i32 z }")
    other = bytes.fromhex("080007 00000001 00")
    result = run("check", idl, "P", input=other)
    assert result.returncode == 0
    assert (
        result.stderr.decode()
        == "thriftlens: <stdin>: warning: none of the fields is in P: this is "
        "probably a different type at $ (byte 0)\n"
    )
    assert run("check", idl, "Q", input=other).stderr == b""
    assert run("check", idl, "P", input=b"\0").stderr == b""


def test_implicit_ids(run, tmp_path):
    path = tmp_path / "implicit.thrift"
    path.write_text("struct T { 1: i32 a, i32 b }")
    options = ["--implicit-ids", "cloudwego"]  # b has the id 2
    data = run("from-json", path, "T", "-", "-o", "-", *options, input=b'{"a":1,"b":5}').stdout
    assert data == b"\x08\0\1\0\0\0\1\x08\0\2\0\0\0\5\0"
    assert run("get", path, "T", "$.b", "-", *options, input=data).stdout == b"5\n"
    changed = run("set", path, "T", "$.b", "7", "-", "-o", "-", *options, input=data).stdout
    assert (
        run("trim", path, "T", "{ b }", "-", "-o", "-", *options, input=changed).stdout
        == b"\x08\0\2\0\0\0\7\0"
    )
    assert (
        run(
            "redact", path, "T", "-", "-o", "-", "--redact-path $.b blank", *options, input=data
        ).stdout
        == b"\x08\0\1\0\0\0\1\x08\0\2\0\0\0\0\0"
    )
    assert (
        run("rewrite", path, "T", "-", "-o", "-", "--delete", "$.b", *options, input=data).stdout
        == b"\x08\0\1\0\0\0\1\0"
    )


def test_strict_wherever_the_idl_is_read(run, tmp_path, failed):
    path = tmp_path / "lenient.thrift"
    path.write_text("typedef Nope N\nstruct T { 1: i32 a }")
    data = b"\x08\0\1\0\0\0\1\0"
    assert run("get", path, "T", "$.a", "-", input=data).stdout == b"1\n"
    result = run("get", path, "T", "$.a", "-", "--strict", input=data)
    failed(result, 1, f"{path}:1:9: error: ", "Nope")
    result = run(
        "redact", path, "T", "-", "-o", "-", "--redact-path", "$.a", "drop", "--strict", input=data
    )
    failed(result, 1, "Nope")


def test_missing_includes(run, tmp_path, failed):
    idl = tmp_path / "a.thrift"
    idl.write_text(
        'include "far/shared.thrift"\ninclude "other.thrift"\nstruct P { 1: i32 a, 2: shared.X x '
        "}\n"
    )
    failed(run("check", idl), 1, "far/shared.thrift", "other.thrift")
    stub = ["--stub", "far/shared.thrift=struct X { 1: i32 y }", "--stub", "other.thrift="]
    assert run("check", idl, *stub).returncode == 0
    result = run("describe", idl, "P", *stub[:2], "--missing-include", "warn")
    assert result.returncode == 0 and b"shared.X" in result.stdout
    actual = result.stderr.decode()
    assert actual == f"thriftlens: {idl}: warning: include 'other.thrift' not found\n"
    failed(run("check", idl, "--missing-include", "warn"), 1, "shared.X")
    failed(run("check", idl, "--stub", "far/shared.thrift"), 2, "NAME=TEXT")
