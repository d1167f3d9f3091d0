"""Types of many IDL files, ranked."""

import os

import thriftlens as tl
from shape_records import line


def test_the_command_ranks_the_types_of_a_folder(run, tmp_path):
    folder = tmp_path / "idl"
    (folder / "deep").mkdir(parents=True)
    (folder / "shapes.thrift").write_text("struct Point { 1: i32 x, 2: i32 y }")
    (folder / "deep" / "line.thrift").write_text(
        'include "shapes.thrift"\nstruct Line { 1: required shapes.Point from, 2: required '
        "shapes.Point to, 3: list<double> weights }"
    )
    (folder / "broken.thrift").write_text("struct {")
    file = tmp_path / "value"
    file.write_bytes(line())
    result = run("identify", "--idl", folder, file)
    assert result.returncode == 0 and b"broken.thrift" in result.stderr
    first, second = result.stdout.decode().splitlines()
    assert first.split()[2:4] == ["deep/line.thrift", "Line"]
    assert second.split()[2:4] == ["shapes.thrift", "Point"]
    assert "$.x: " in second
    two = (
        run("identify", "--idl", folder, file, "-", "--max-types", "1", input=line("compact"))
        .stdout.decode()
        .splitlines()
    )
    assert [line.split(": ")[0] for line in two] == [str(file), "<stdin>"]
    result = run("identify", "--idl", folder, "-", file, "--max-types", "1", input=b"hello, world")
    assert result.stdout.startswith(str(file).encode()) and result.returncode == 1
    assert b"<stdin>: no Thrift data: neither" in result.stderr
    (tmp_path / "empty").mkdir()
    result = run("identify", "--idl", tmp_path / "empty", file)
    assert result.returncode == 2 and b"no readable IDL file" in result.stderr


def test_identify_skips_unreadable_files_of_a_folder(run, tmp_path):
    folder = tmp_path / "idl"
    for name in ("a", "b", "hidden", "directory.thrift"):
        (folder / name).mkdir(parents=True)
    (folder / "shapes.thrift").write_text("struct Point { 1: i32 x, 2: i32 y }")
    (folder / "b" / "base.thrift").write_text("service S { i32 far(1: i32 a) }")
    (folder / "a" / "base.thrift").write_text(
        'include "../b/base.thrift"\nservice S extends base.S {}'
    )
    (folder / "both.thrift").write_text(
        'include "a/base.thrift"\ninclude "gone.thrift"\nservice Top extends base.S {}'
    )
    (folder / "cycle.thrift").write_text(
        "service A extends B {} service B extends A {} typedef X Y typedef Y X"
    )
    (folder / "self.thrift").write_text('include "self.thrift"\nstruct T { 1: self.T t }')
    (folder / "bytes.thrift").write_bytes(bytes(range(256)) * 4)
    (folder / "utf16.thrift").write_bytes("struct T {}".encode("utf-16"))
    (folder / "empty.thrift").write_bytes(b"")
    (folder / "deep.thrift").write_text(
        "struct T { 1: " + "list<" * 5000 + "i32" + ">" * 5000 + " x }"
    )
    (folder / "dangling.thrift").symlink_to("nowhere")
    (folder / "loop.thrift").symlink_to("loop.thrift")
    os.mkfifo(folder / "pipe.thrift")
    with open(os.fsencode(folder) + b"/\xff.thrift", "w") as odd:
        odd.write("struct Odd { 1: i32 x, 2: i32 y }")
    file = tmp_path / "value"
    file.write_bytes(tl.loads("struct Point { 1: i32 x, 2: i32 y }").Point.encode({"x": 1, "y": 2}))
    result = run("identify", "--idl", folder, file)
    assert result.returncode == 0, result.stderr
    rows = [tuple(line.split()[2:4]) for line in result.stdout.splitlines()]
    assert {(b"shapes.thrift", b"Point"), (b"\\udcff.thrift", b"Odd")} <= set(rows)
    assert b"Traceback" not in result.stderr
    for name in (
        b"cycle.thrift", b"pipe.thrift", b"dangling.thrift", b"loop.thrift", b"bytes.thrift",
    ):  # fmt: skip
        assert name in result.stderr
