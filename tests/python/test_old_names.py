"""Old words and names of options work for this minor version and say what they are called now."""
import pytest

import thriftlens as tl

IDL = tl.loads("struct Point { 1: i32 x; 2: string s; }")
POINT = IDL["Point"]
DATA = POINT.encode({"x": 1, "s": "a"})
UNKNOWN = tl.loads("struct Point { 1: i32 x; 2: string s; 9: i32 z; }")["Point"].encode({"x": 1, "z": 3})
MISMATCH = tl.loads("struct Point { 1: i64 x; 2: string s; }")["Point"].encode({"x": 1, "s": "a"})


@pytest.mark.parametrize(
    "call, result",
    [
        (lambda word: POINT.decode(UNKNOWN, unknown=word), {"x": 1}),
        (lambda word: POINT.to_json(UNKNOWN, unknown=word), b'{"x":1}'),
        (lambda word: POINT.from_json(b'{"x":1,"s":"a","z":3}', unknown=word), DATA),
        (lambda word: POINT.encode({"x": 1, "s": "a", "z": 3}, unknown=word), DATA),
        (lambda word: POINT.decode(MISMATCH, mismatch=word), {"s": "a"}),
    ],
)
def test_skip_is_now_drop(call, result):
    with pytest.warns(DeprecationWarning, match='="skip" is now (unknown|mismatch)="drop"'):
        assert call("skip") == result
    assert call("drop") == result


def test_skip_was_never_a_word_where_more_can_be_chosen():
    for call in (lambda: POINT.trim(DATA, "{ x }", unknown="skip"), lambda: POINT.redact(DATA, paths={"$.s": "blank"}, unknown="skip")):
        with pytest.raises(ValueError, match="unknown must be .*, not 'skip'"):
            call()


def test_utf8_is_now_invalid_utf8():
    broken = DATA.replace(b"a", b"\xff")
    with pytest.warns(DeprecationWarning, match="utf8= is now invalid_utf8="):
        assert POINT.findings(broken, utf8="keep") == []
    assert POINT.findings(broken, invalid_utf8="keep") == []
    assert [each.code for each in POINT.findings(broken)] == ["invalid_utf8"]
    with pytest.raises(TypeError, match="unexpected keyword argument 'utf8'"):
        POINT.trim(DATA, "{ x }", utf8="keep")


def test_an_option_that_is_deprecated_can_be_an_error():
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning):
            POINT.decode(UNKNOWN, unknown="skip", defaults="write")
        with pytest.raises(DeprecationWarning):
            POINT.findings(DATA, utf8="error", enums="any")


def test_the_shell_takes_the_old_words(tmp_path):
    from click.testing import CliRunner

    from thriftlens.cli import main

    (tmp_path / "p.thrift").write_text("struct Point { 1: i32 x; 2: string s; }")
    (tmp_path / "p.bin").write_bytes(UNKNOWN)
    files = [str(tmp_path / "p.thrift"), "Point", str(tmp_path / "p.bin")]
    new = CliRunner().invoke(main, ["to-json", *files, "--unknown", "drop"])
    old = CliRunner().invoke(main, ["to-json", *files, "--unknown", "skip"])
    assert new.exit_code == old.exit_code == 0
    assert new.output in old.output and "skip is now called drop" in old.output
    assert CliRunner().invoke(main, ["check", *files, "--utf8", "keep"]).exit_code == 0
    assert CliRunner().invoke(main, ["check", *files, "--unknown", "skip"]).exit_code == 2
