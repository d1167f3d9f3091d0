"""trim, redact and rewrite as commands."""


def test_trim(run, idl, order, shop, failed):
    result = run("trim", idl, "Order", "{ id items { sku price } }", order)
    assert result.returncode == 0
    assert list(shop.Order.get(result.stdout, "$.items[0]")) == ["sku", "price"]
    failed(run("trim", idl, "Order", "{ idd }", order), 2)


def test_redact(run, idl, shop, order_bytes, tmp_path, failed):
    key = tmp_path / "key"
    key.write_bytes(b"secret")
    rules = [
        "--annotation", "pii", "--value", "card", "keep_last(4)", "--value", "email", "hash",
        "--redact-path", "$.debug", "drop", "--key-file", key,
    ]  # fmt: skip
    result = run("redact", idl, "Order", "-", *rules, input=order_bytes)
    assert (result.returncode, result.stderr) == (0, b"")
    redaction = {
        "annotation": "pii",
        "values": {"card": "keep_last(4)", "email": "hash"},
        "paths": {"$.debug": "drop"},
        "key": b"secret",
    }
    assert result.stdout == shop.Order.redact(order_bytes, **redaction)
    assert shop.Order.decode(result.stdout)["user"]["name"] == ""
    explained = run("redact", idl, "Order", *rules, "--explain")
    assert (explained.returncode, explained.stderr) == (0, b"")
    actual = [line.split("\t") for line in explained.stdout.decode().splitlines()]
    assert actual == [list(redaction) for redaction in shop.Order.redactions(**redaction)]
    out = tmp_path / "out"
    completed = run(
        "redact", idl, "Order", "-", "-o", out, "--redact-path", "$.id", "drop", input=order_bytes
    )
    failed(completed, 2, "required")
    completed = run(
        "redact", idl, "Order", "-", "-o", out, "--redact-path", "$.nme", "drop", input=order_bytes
    )
    failed(completed, 2, "nme")
    completed = run(
        "redact", idl, "Order", "-", "-o", out, "--annotation", "pii", input=order_bytes[:-1]
    )
    failed(completed, 1, "<stdin>: ")
    assert not out.exists()


def test_redact_refuses_rules_without_effect(run, idl, order_bytes, tmp_path, failed):
    out = tmp_path / "out"
    key = tmp_path / "key"
    key.write_bytes(b"")

    def refused(message, *options):
        failed(run("redact", idl, "Order", "-", "-o", out, *options, input=order_bytes), 2, message)
        assert not out.exists()

    refused("no redaction rule")
    refused("no redaction rule", "--unmatched", "ignore")
    refused("the annotation 'pi'; did you mean 'pii'?", "--annotation", "pi")
    refused(
        "the value 'crad'; did you mean 'card'?", "--annotation", "pii", "--value", "crad", "drop"
    )
    refused("need an annotation", "--redact-path", "$.debug", "drop", "--value", "card", "drop")
    refused("need an annotation", "--redact-path", "$.debug", "drop", "--default-action", "drop")
    refused("verified; --key-file names a file with it\n", "--redact-path", "$.debug", "hash")
    refused("expected 1 to 16 bytes", "--redact-path", "$.debug", "hash", "--key-file", key)
    key.write_bytes(b"secret\n")
    refused("it ends with a newline", "--redact-path", "$.debug", "hash", "--key-file", key)
    key.write_bytes(b"secret")
    refused("no rule has the action hash", "--redact-path", "$.debug", "drop", "--key-file", key)
    # Which of two holds would go by the place of the first.
    refused(
        "duplicate --redact-path", "--redact-path", "$.notes{*}", "drop",
        "--redact-path", "$.notes{1}", "keep", "--redact-path", "$.notes{*}", "drop",
    )  # fmt: skip
    refused(
        "duplicate --value", "--annotation", "pii", "--value", "card", "drop", "--value", "card",
        "keep",
    )  # fmt: skip
    result = run(
        "redact",
        idl,
        "Item",
        "-",
        "--annotation pii --unmatched ignore",
        input=bytes.fromhex("0b00010000000178040002000000000000000000"),
    )
    assert result.returncode == 0


def test_redact_reports_the_number_of_dropped_fields(run, tmp_path, failed):
    idl = tmp_path / "a.thrift"
    idl.write_text('struct S { 1: required string name (pii = "x"), 2: S more }')
    data = bytes.fromhex(
        "0b000100000001410b004d00000001420c00020b000100000001430b006300000001440000"
    )
    result = run("redact", idl, "S", "-", "--annotation", "pii", input=data)
    assert result.returncode == 0
    assert result.stderr == b"thriftlens: <stdin>: 2 unknown fields dropped\n"
    assert result.stdout == bytes.fromhex("0b0001000000000c00020b0001000000000000")
    actual = run(
        "redact", idl, "S", "-", "--annotation pii --unknown keep", input=data
    ).stdout.count(b"\x0b\0\x4d")
    assert actual == 1
    completed = run(
        "redact", idl, "S", "-", "--annotation", "pii", "--unknown", "error", input=data
    )
    failed(completed, 1, "#77")
    # The field id of the name is damaged: the name is missing and the field with the wrong id is
    # dropped.
    damaged = bytes.fromhex("0b004d000000014100")
    completed = run("redact", idl, "S", "-", "--annotation", "pii", input=damaged)
    failed(completed, 1, "a required field is missing at $.name")
    result = run("redact", idl, "S", "-", "--annotation pii --missing-required omit", input=damaged)
    assert result.returncode == 0 and result.stdout == b"\0"
    assert result.stderr == b"thriftlens: <stdin>: 1 unknown field dropped\n"


def test_rewrite_is_trim_redact_and_set_in_one(run, idl, order_bytes, tmp_path):
    rules = ["--redact-path", "$.user.name", "blank"]
    select = "{ id user { * } items }"
    trimmed = run("trim", idl, "Order", select, input=order_bytes).stdout
    redacted = run("redact", idl, "Order", *rules, input=trimmed).stdout
    expected = run("set", idl, "Order", "$.items[0].price", "1.5", input=redacted).stdout
    result = run(
        "rewrite", idl, "Order", "--select", select, *rules, "--set $.items[0].price 1.5",
        input=order_bytes,
    )  # fmt: skip
    assert (result.returncode, result.stdout, result.stderr) == (0, expected, b"") and expected
    assert run("rewrite", idl, "Order", input=order_bytes).stdout == order_bytes
    wrong = run(
        "rewrite", idl, "Order", "--set $.debug", '"fine"', "--set $.user.name 5", input=order_bytes
    )
    assert wrong.returncode == 2 and wrong.stdout == b""
    assert b"JSON for $.user.name: expected string" in wrong.stderr
    for forgotten in (
        ["--unknown", "drop"],
        ["--unknown", "error"],
        ["--default-action", "drop"],
        ["--value", "email", "hash"],
        ["--unmatched", "error"],
    ):
        result = run(
            "rewrite", idl, "Order", *forgotten, "--select", "{ id }", input=order_bytes
        )  # an option of redaction, and no rule
        assert (result.returncode, result.stdout) == (2, b""), forgotten
    deleted = run("rewrite", idl, "Order", "--delete", "$.user", input=order_bytes).stdout
    assert deleted == run("delete", idl, "Order", "$.user", input=order_bytes).stdout
    for wrong in (["--select", "{ nope }"], ["--set", "$.nope", "1"], ["--delete", "nope"]):
        result = run("rewrite", idl, "Order", *wrong, input=order_bytes)
        assert result.returncode == 2 and result.stdout == b""
        assert result.stderr.startswith(b"thriftlens: ")
    short = run("redact", idl, "Order", *rules, "--output-size", "5", input=order_bytes)
    assert (short.returncode, short.stdout) == (1, b"")
