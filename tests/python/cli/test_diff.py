"""diff as a command."""

import json


def test_diff(run, idl, shop, order_bytes, idl_folder, tmp_path, failed):
    same = run(
        "diff", idl, "Order", "-", idl_folder / "order.cmp", "--right-protocol compact",
        input=order_bytes,
    )  # fmt: skip
    assert (same.returncode, same.stdout, same.stderr) == (0, b"", b"")
    other = tmp_path / "other"
    other.write_bytes(
        shop.Order.edit(order_bytes)
        .set("$.id", 5)
        .set("$.user.name", "Zoë")
        .erase("$.tags")
        .append("$.items", {"sku": "n", "price": 1.5})
        .apply()
    )
    result = run("diff", idl, "Order", "-", other, input=order_bytes)
    assert (result.returncode, result.stderr) == (1, b"")
    lines = result.stdout.decode().splitlines()
    old = shop.Order.decode(order_bytes)
    name = json.dumps(old["user"]["name"], ensure_ascii=False)
    assert lines[0] == f"~ $.id: {old['id']} -> 5"
    assert lines[1] == f'~ $.user.name: {name} -> "Zoë"'
    assert lines[2] == f'+ $.items[{len(old["items"])}]: {{"sku":"n","price":1.5}}'
    assert lines[3].startswith("- $.tags: [") and len(lines) == 4
    limited = run("diff", idl, "Order", "-", other, "--max-differences", "1", input=order_bytes)
    assert limited.returncode == 1 and len(limited.stdout.splitlines()) == 1
    assert limited.stderr == b"thriftlens: more than 1 differences\n"
    failed(run("diff", idl, "Order", "-", other, input=order_bytes[:-1]), 2, "<stdin>, ")
    failed(run("diff", idl, "Order", "-", "-", input=order_bytes), 2)
