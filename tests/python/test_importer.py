"""Importing IDL files like modules."""

import importlib
import pickle
import subprocess
import sys

import pytest
import thriftlens as tl
from thriftlens import importer


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "toys.thrift").write_text(
        'include "parts.thrift"\nconst i32 LIMIT = 3\n'
        "struct Toy { 1: i64 id, 2: parts.Part part }\n"
        "exception Lost { 1: i64 id } service Toys { Toy get(1: i64 id) throws (1: Lost lost), "
        "i64 put(1: Toy toy) }"
    )
    (tmp_path / "parts.thrift").write_text("struct Part { 1: string name }")
    (tmp_path / "broken.thrift").write_text("struct Toy { 1: i23 id }")
    package = tmp_path / "toybox"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner.thrift").write_text("struct Inner { 1: i32 x }")
    monkeypatch.syspath_prepend(str(tmp_path))
    importer.install()
    yield tmp_path
    importer.uninstall()
    for name in [name for name in sys.modules if name.endswith("_thrift")]:
        del sys.modules[name]


def test_a_module_of_idl(folder):
    toys = importlib.import_module("toys_thrift")
    toy = toys.Toy(id=7, part=toys.parts.Part(name="wheel"))
    assert toys.Toy.decode(toy.encode()) == toy and toys.LIMIT == 3
    assert toys.__schema__.Toy is toys.Toy.__thrift_type__
    assert toys.__file__ == str(folder / "toys.thrift") and "Toy" in toys.__all__
    assert importlib.import_module("toys_thrift") is toys
    with pytest.raises(AttributeError, match="Toi"):
        toys.Toi


def test_a_file_that_two_include(folder):
    (folder / "box.thrift").write_text('include "parts.thrift" struct Box { 1: parts.Part part }')
    toys, box, parts = (
        importlib.import_module(f"{name}_thrift") for name in ("toys", "box", "parts")
    )
    assert toys.parts.Part is box.parts.Part is parts.Part
    toy = toys.Toy(part=box.Box.decode(box.Box(part=parts.Part("wheel")).encode()).part)
    assert toys.Toy.decode(toy.encode()) == toy and pickle.loads(pickle.dumps(toy)) == toy
    other = tl.loads(
        'include "parts.thrift"', includes={"parts.thrift": "struct Part { 1: i32 name }"}
    )
    assert other.classes.parts.Part is not parts.Part


BASE = """
enum E { A = 1 } exception Bad { 1: i32 code, 2: E e } exception Same { 1: i32 code }
struct Base { 1: list<E> e, 2: U u } union U { 1: E e } service H { void f(1: Base base) }
"""


@pytest.mark.parametrize("order", [("top", "base"), ("base", "top")])
def test_classes_of_an_included_file(folder, order):
    (folder / "base.thrift").write_text(BASE)
    (folder / "top.thrift").write_text(
        'include "base.thrift" exception Same { 1: i32 code } struct Base { 1: base.Base base }\n'
        "service S extends base.H { void go(1: base.Base value) throws (1: base.Bad bad) }"
    )
    modules = {name: importlib.import_module(f"{name}_thrift") for name in order}
    top, base = modules["top"], modules["base"]
    for name in ("E", "Bad", "Same", "Base", "U", "H"):
        assert getattr(top.base, name) is getattr(base, name)
        assert pickle.loads(pickle.dumps(getattr(top.base, name))) is getattr(base, name)
    assert top.Same is not base.Same and top.Base is not base.Base and issubclass(top.S, base.H)

    class Handler(top.S):
        def f(self, base_):
            assert isinstance(base_, base.Base)

        def go(self, value):
            raise base.Bad(code=value.e[0])

    with tl.serve(top.__schema__, "S", Handler(), background=True) as server:
        with top.SClient.connect(server.address) as client:
            with pytest.raises(base.Bad, match="code=1"):
                client.go(base.Base(e=[base.E.A]))
    with tl.serve(base.__schema__, "H", Handler(), background=True) as server:
        with base.HClient.connect(server.address) as client:
            assert client.f(top.base.Base()) is None


def test_idl_in_a_package(folder):
    inner = importlib.import_module("toybox.inner_thrift")
    assert inner.Inner(x=1).encode() == inner.__schema__.Inner.encode({"x": 1})


def test_errors_of_the_idl(folder):
    with pytest.raises(ImportError, match="broken.thrift:1:17") as caught:
        importlib.import_module("broken_thrift")
    assert isinstance(caught.value.__cause__, tl.SchemaError)
    with pytest.raises(ImportError):
        importlib.import_module("absent_thrift")
    importer.uninstall()
    with pytest.raises(ImportError):
        importlib.import_module("toys_thrift")


def test_options_of_the_hook(folder):
    (folder / "loose.thrift").write_text("struct Loose { i32 x } service S { oneway i32 f() }")
    importer.install(strict=True)
    with pytest.raises(ImportError):
        importlib.import_module("loose_thrift")
    importer.install(implicit_ids="cloudwego")
    loose = importlib.import_module("loose_thrift")
    assert loose.__schema__.Loose.fields["x"].id == 1
    assert sum(type(finder).__name__ == "_Finder" for finder in sys.meta_path) == 1


def test_typed_clients(folder):
    toys = importlib.import_module("toys_thrift")

    class Handler(toys.Toys):
        def get(self, id):
            if id == 0:
                raise toys.Lost(id=id)
            return toys.Toy(id=id, part=toys.parts.Part("x"))

        async def put(self, toy):
            assert isinstance(toy, toys.Toy) and isinstance(toy.part, toys.parts.Part)
            return toy.id

    server = tl.serve(toys.__schema__, "Toys", Handler(), background=True)
    with toys.ToysClient.connect(server.address) as client:
        assert type(client) is toys.ToysClient and isinstance(client, tl.Client)
        assert client.get(7) == toys.Toy(id=7, part=toys.parts.Part("x"))
        assert client.put(toys.Toy(id=8, part=toys.parts.Part("x"))) == 8
        with pytest.raises(toys.Lost) as caught:
            client.get(0)
    assert caught.value.id == 0
    server.close()


def test_a_program(folder):
    (folder / "program.py").write_text(
        "import thriftlens.importer as importer\nimporter.install()\n"
        "from toys_thrift import Toy\nprint(Toy(id=3))\n"
    )
    result = subprocess.run(
        [sys.executable, "program.py"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert result.stdout == "Toy(id=3)\n"


def test_a_refused_option_changes_nothing(folder):
    with pytest.raises(TypeError, match="a list of folders, not one path"):
        importer.install(include_dirs="sub")
    assert importlib.import_module("toys_thrift").LIMIT == 3
