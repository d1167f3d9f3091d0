"""Findings in IDL as people read them."""

import pytest
import thriftlens as tl


@pytest.mark.parametrize(
    ("line", "under"),
    [
        ("struct S { 1: Nope n }", " " * 14),
        ("\tstruct S { 1: Nope n }", "\t" + " " * 14),
        ("/* äö中😀 */ struct S { 1: Nope n }", " " * 25),
    ],
)
def test_the_caret_is_below_the_column(line, under):
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("\n" + line)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.kind, diagnostic.line, diagnostic.column) == (
        "undefined-type",
        2,
        len(line[: line.index("Nope")].encode()) + 1,
    )
    assert str(diagnostic).split("\n")[1:] == ["  " + line, "  " + under + "^"]
    assert str(caught.value).endswith("\n  " + under + "^")


@pytest.mark.parametrize("text,suggestion", [
    ("service S extends Service {}", "base.Service"), ("service S extends bas.Service {}", "base.Service"), ("struct S { 1: list<Item> a }", "base.Item"),
    ("service S { void f() throws (1: Fault fault) }", "base.Fault"), ("typedef Item I struct S { 1: I a }", "base.Item"), ("const i32 X = LIMIT", "base.LIMIT"),
    ("struct S { 1: i32 a = Kind.A }", "base.Kind"), ("struct S { 1: Service a }", None), ("service S extends Item {}", None), ("struct S { 1: Nothing a }", None),
])  # fmt: skip
def test_names_of_includes_without_their_prefix_are_suggested(text, suggestion):
    base = (
        "service Service {} struct Item {} exception Fault {} enum Kind { A } const i32 LIMIT = 4"
    )
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads(f'include "base.thrift"\n{text}', includes={"base.thrift": base})
    message = caught.value.diagnostics[0].message
    assert (
        message.endswith(f"; did you mean '{suggestion}'?")
        if suggestion
        else "did you mean" not in message
    )


def test_unknown_names_share_an_error_code():
    idl = tl.loads("struct A {} service S { void f() }")
    for look_up in (
        lambda: idl["B"],
        lambda: idl.service("T"),
        lambda: idl.service("S").function("g"),
        lambda: idl.exceptions["E"],
    ):
        with pytest.raises(tl.UnknownNameError) as caught:
            look_up()
        assert caught.value.code == "unknown_name"
