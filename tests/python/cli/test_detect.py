"""inspect as a command."""


def test_inspect(run, idl, order, failed):
    text = run("inspect", order).stdout.decode()
    assert text.splitlines()[0] == "guess: Binary, one struct (100 %)"
    assert text.splitlines()[2].split() == ["00000000", "#1", "i64", "4711000000001"]
    assert "name string" in run("inspect", order, "--idl", idl, "--type", "Order").stdout.decode()
    failed(run("inspect", "-", input=order.read_bytes()[:-1]), 1, "<stdin>: the data ends")
    failed(run("inspect", order, "--idl", idl), 2)
