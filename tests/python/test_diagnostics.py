"""Findings in IDL as people read them."""

import pytest
import thriftlens as tl


@pytest.mark.parametrize(
    ("line", "under"),
    [("struct S { 1: Nope n }", " " * 14), ("\tstruct S { 1: Nope n }", "\t" + " " * 14), ("/* äö中😀 */ struct S { 1: Nope n }", " " * 25)],
)
def test_the_caret_stands_below_the_place(line, under):
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("\n" + line)
    (found,) = caught.value.diagnostics
    assert (found.kind, found.line, found.column) == ("undefined-type", 2, len(line[: line.index("Nope")].encode()) + 1)
    assert str(found).split("\n")[1:] == ["  " + line, "  " + under + "^"]
    assert str(caught.value).endswith("\n  " + under + "^")
