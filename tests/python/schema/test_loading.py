"""load and loads: options, includes, files that cannot be read."""

import errno
import os
import pickle

import pytest
import thriftlens as tl


def test_errors_of_idl_carry_all_findings():
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("struct Q {\n  1: i23 a\n  2: foo b\n}", name="q.thrift")
    error = caught.value
    assert error.code == "schema_invalid" and len(error.diagnostics) == 2
    first = error.diagnostics[0]
    assert first.severity == "error" and first.file == "q.thrift" and first.line == 2
    assert first.column == 6 and first.kind == "undefined-type"
    assert str(first).split("\n") == [
        f"q.thrift:2:6: error: {first.message} [undefined-type]",
        "    1: i23 a",
        "       ^",
    ]
    assert str(error) == "\n".join(map(str, error.diagnostics))


def test_warnings():
    warnings = tl.loads("struct Q { i32 a }").warnings
    assert [warning.severity for warning in warnings] == ["warning"]


def test_strict_and_implicit_ids():
    text = "struct Q { i32 a, i32 b }"
    assert [field.id for field in tl.loads(text).Q.fields.values()] == [-1, -2]
    result = [field.id for field in tl.loads(text, implicit_ids="cloudwego").Q.fields.values()]
    assert result == [1, 2]
    with pytest.raises(ValueError, match="implicit_ids must be"):
        tl.loads(text, implicit_ids="other")
    lenient = 'const string S = "a\nb"'
    assert tl.loads(lenient).S == "a\nb"
    with pytest.raises(tl.SchemaError):
        tl.loads(lenient, strict=True)


def test_includes_from_folders_memory_and_a_loader(tmp_path):
    root = 'include "a.thrift"\nstruct R { 1: a.A a }'
    body = "struct A { 1: i32 x }"
    (tmp_path / "dir").mkdir()
    (tmp_path / "dir" / "a.thrift").write_text(body)
    (tmp_path / "root.thrift").write_text(root)
    requests = []

    def loader(path, from_file):
        requests.append((path, from_file))
        return body

    schemas = [
        tl.load(tmp_path / "root.thrift", include_dirs=[tmp_path / "dir"]),
        tl.load(str(tmp_path / "root.thrift"), include_dirs=[str(tmp_path / "dir")]),
        tl.loads(root, include_dirs=[tmp_path / "dir"]),
        tl.loads(root, includes={"a.thrift": body}),
        tl.loads(root.encode(), includes={"a.thrift": body.encode()}),
        tl.loads(root, loader=loader, name="mem.thrift"),
        tl.loads(root, loader=lambda path, from_file: body.encode()),
    ]
    for schema in schemas:
        assert schema["a.A"].encode({"x": 1}) == bytes.fromhex("080001 00000001 00")
    assert requests == [("a.thrift", "mem.thrift")]


def test_a_loader_that_fails():
    root = 'include "a.thrift"\nstruct R { 1: i32 a }'

    def fails(path, from_file):
        raise ConnectionError("no network")

    with pytest.raises(ConnectionError, match="no network"):
        tl.loads(root, loader=fails)
    with pytest.raises(TypeError, match="loader must return"):
        tl.loads(root, loader=lambda path, from_file: 5)
    with pytest.raises(tl.SchemaError, match="a.thrift"):
        tl.loads(root, loader=lambda path, from_file: None)


def test_missing_and_unreadable_files(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        tl.load(tmp_path / "none.thrift")
    error = caught.value
    assert isinstance(error, tl.Error) and not isinstance(error, ValueError)
    assert error.code == "io" and error.filename == str(tmp_path / "none.thrift")
    assert error.errno == errno.ENOENT and "none.thrift" in str(error)
    with pytest.raises(tl.FileError) as caught:
        tl.load(tmp_path)
    assert isinstance(caught.value, OSError)
    assert not isinstance(caught.value, (FileNotFoundError, ValueError))
    unpickled = pickle.loads(pickle.dumps(error))
    assert type(unpickled) is type(error) and str(unpickled) == str(error)
    assert unpickled.filename == error.filename
    with pytest.raises(TypeError):
        tl.load(5)
    with pytest.raises(TypeError, match="include_dirs"):
        tl.load(tmp_path / "none.thrift", include_dirs="idl")


def test_file_names_may_be_any_bytes(tmp_path):
    folder = os.fsencode(tmp_path) + b"/\xff"
    os.mkdir(folder)
    for name, text in (
        (b"a\xfe.thrift", b'include "b.thrift" struct A { 1: b.B b }'),
        (b"b.thrift", b"struct B { 1: i32 x }"),
    ):
        with open(folder + b"/" + name, "wb") as file:
            file.write(text)
    for path in (folder + b"/a\xfe.thrift", os.fsdecode(folder + b"/a\xfe.thrift")):
        assert [*tl.load(path).types] == ["A", "b.B"]
    assert [*tl.loads('include "b.thrift"', include_dirs=[os.fsdecode(folder)]).types] == ["b.B"]


@pytest.mark.parametrize("strict", [False, True])
def test_an_empty_list_is_an_empty_map(strict):
    idl = tl.loads(
        "struct S { 1: map<string, i32> m = [], 2: map<i32, map<i32, i32>> n = {1: []} } const "
        "map<i32, i32> C = []",
        strict=strict,
    )
    assert idl.S.fields["m"].default == {} and idl.S.fields["n"].default == {1: {}}
    assert idl.constants["C"] == {}
    with pytest.raises(tl.SchemaError):
        tl.loads("const map<i32, i32> C = [1]", strict=strict)


def test_a_oneway_function_with_a_result_sends_none():
    idl = tl.loads("exception X {} service S { oneway i32 f() throws (1: X x) }")
    assert sorted(warning.kind for warning in idl.warnings) == ["oneway-result", "oneway-throws"]
    assert idl.service("S").function("f").oneway
