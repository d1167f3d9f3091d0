"""`thriftlens get`, `set` and `delete`."""

import pytest


def test_get(run, idl, order, idl_folder, failed):
    assert run("get", idl, "Order", "$.items[2].price", order).stdout == b"39.9\n"
    assert run("get", idl, "Order", "$.user", order).stdout.startswith(b'{"id":42,"name":"Zo')
    result = run("get", idl, "Order", "$.items[*].sku", order).stdout.splitlines()
    assert result[:2] == [b'"TEA-GREEN-100"', b'"CUP-01"']
    assert run("get", idl, "Order", "$.status", order, "--enums", "name").stdout == b'"PAID"\n'
    result = run("get", idl, "Order", "$.status", idl_folder / "order.cmp", "--protocol compact")
    assert result.stdout == b"2\n"
    failed(run("get", idl, "Order", "$.items[9].sku", order), 1, "no value at $.items[9].sku")
    failed(run("get", idl, "Order", "$.item", order), 2)
    failed(run("get", idl, "Order", "$.items[", order), 2)
    completed = run("get", idl, "Order", "$.base.caller", "-", input=order.read_bytes()[:-50])
    failed(completed, 1, "<stdin>: ")


def test_set_and_delete(run, idl, order, shop, tmp_path, failed):
    out = tmp_path / "out.bin"
    assert run("set", idl, "Order", "$.user.name", '"Ann"', order, "-o", out).returncode == 0
    expected = shop.Order.decode(order.read_bytes())
    expected["user"]["name"] = "Ann"
    assert out.read_bytes() == shop.Order.encode(expected)
    assert run("delete", idl, "Order", "$.debug", out, "-o", out).returncode == 0
    del expected["debug"]
    assert shop.Order.decode(out.read_bytes()) == expected
    result = run("set", idl, "Order", "$.user.name", "5", order, "-o", out)
    failed(result, 2, "JSON for $.user.name: expected string")
    result = run("set", idl, "Order", "$.user.name", "Zoë M", order, "-o", out)
    failed(result, 2, """; write a string with its own quotes: '"Zoë M"'""")
    assert "quotes" not in failed(
        run("set", idl, "Order", "$.user.name", '{"a"', order, "-o", out),
        2,
        "JSON for $.user.name: ",
    )
    failed(run("delete", idl, "Order", "$.user.nme", order, "-o", out), 2)
    assert shop.Order.decode(out.read_bytes()) == expected


# A broken field after one with a higher id.
@pytest.mark.parametrize(
    ("protocol", "data"),
    [("binary", "08000300000000080002000000"), ("compact", "35000502"), ("compact", "35000504")],
)
@pytest.mark.parametrize(
    "arguments",
    [["set", "$.n", "7"], ["set", "--create", "$.in.c", "7"], ["set", "--create", "$.n", "7"]],
)
def test_an_edit_of_invalid_bytes_leaves_the_file_unchanged(
    run, tmp_path, protocol, data, arguments, failed
):
    schema, file = tmp_path / "t.thrift", tmp_path / "f.bin"
    schema.write_text(
        "struct In {1: optional i32 c} struct T {1: optional In in, 2: optional i32 n}"
    )
    file.write_bytes(bytes.fromhex(data))
    *command, path, value = arguments
    result = run(*command, schema, "T", path, value, file, "-o", file, "--protocol", protocol)
    failed(result, 1, "f.bin: ", "byte")
    assert file.read_bytes() == bytes.fromhex(data)


def test_unknown_fields(run, tmp_path, failed):
    old, new = tmp_path / "old.thrift", tmp_path / "new.thrift"
    old.write_text("struct In { 1: i32 a } struct S { 1: i32 x, 2: In in_ }")
    new.write_text("struct In { 1: i32 a, 2: i32 b } struct S { 1: i32 x, 2: In in_, 3: i32 z }")
    data = run("from-json", new, "S", "-", input=b'{"x":1,"in_":{"a":2,"b":3},"z":4}').stdout
    for arguments, prefix in (
        (["set", old, "S", "$.x", "5", "-"], b'"x":5,'),
        (["delete", old, "S", "$.x", "-"], b""),
    ):
        for options, members in (
            ([], b'"in_":{"a":2,"b":3},"z":4'),
            (["--unknown", "drop"], b'"in_":{"a":2}'),
        ):
            result = run(*arguments, *options, input=data)
            actual = run("to-json", new, "S", "-", input=result.stdout)
            assert actual.stdout == b"{" + prefix + members + b"}\n"
        failed(run(*arguments, "--unknown", "error", input=data), 1, "<stdin>: ")
    failed(run("get", old, "S", "$.in_", "-", "--unknown", "error", input=data), 1)


def test_set_creates_on_request(run, idl, shop, failed):
    data = shop.Order.encode({"id": 1, "user": {"id": 1, "name": "a"}, "items": []})
    failed(run("set", idl, "Order", "$.base.caller", '"me"', "-", input=data), 1)
    result = run("set", "--create", idl, "Order", "$.base.caller", '"me"', "-", input=data)
    assert shop.Order.decode(result.stdout)["base"] == {"caller": "me"}
