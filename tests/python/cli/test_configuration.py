"""Files that configure a command."""

import pytest
from thriftlens._cli.configuration import read_json, read_key


@pytest.mark.parametrize("text,expected", [
    ('{"a": 1, "a": 1}', "duplicate member 'a'"),
    ('[{"a": {"b": [{"name": "drop", "name": "keep"}]}}]', "duplicate member 'name'"),
    ('{"a": 1,}', "invalid JSON"),
    ("[" * 100_000, "invalid JSON"), ("\xff", "invalid JSON"), ("", "invalid JSON"),
])  # fmt: skip
def test_json_is_read_strictly(tmp_path, text, expected):
    (tmp_path / "x.json").write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=expected) as caught:
        read_json(str(tmp_path / "x.json"))
    assert str(caught.value).startswith(str(tmp_path / "x.json"))


def test_json_is_read(tmp_path):
    (tmp_path / "x.json").write_text('{"a": {"b": 1}, "c": [{"a": 1}, {"a": null}]}')
    assert read_json(str(tmp_path / "x.json")) == {"a": {"b": 1}, "c": [{"a": 1}, {"a": None}]}


def test_a_key_has_1_to_16_bytes(tmp_path):
    file = tmp_path / "key"
    for key in (b"", b"x" * 17, b"secret\n"):
        file.write_bytes(key)
        with pytest.raises(ValueError, match="key"):
            read_key(str(file))
    file.write_bytes(b"\xff\n")
    assert read_key(str(file)) == b"\xff\n"
