"""Stubs of imported IDL: what they contain, and that type checkers accept and use them."""

import ast
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
import thriftlens as tl
from click.testing import CliRunner
from thriftlens._cli.main import main
from thriftlens._schema.stubs import annotation, stub_of

IDL = """
include "base.thrift"
/** How far. */
enum Status { NEW = 0, PAID = 2, None = 3 }
const i32 LIMIT = 10
const map<string, i32> PRICES = {"cup": 3}
typedef list<i64> Ids
struct Order {
  /** Its "number". */
  1: required i64 id,
  2: list<base.User> users, 3: Status status = Status.NEW, 4: map<string, Order> parts,
  5: set<list<i32>> groups, 6: string from, 7: uuid key, 8: binary raw
}
struct List { 1: i64 __id }
union Either { 1: i64 number, 2: Order order }
exception NoOrder { 1: i64 id, 2: string message, 3: string args }
service Base { void ping() }
service Shop extends Base {
  /** The order with an id. */
  Order get(1: i64 id, 2: string hint = "no") throws (1: NoOrder missing),
  oneway void touch(1: Ids ids), i32 count(1: Order order), i32 sum(1: Ids result),
  i32 own(1: i32 self)
}
"""
BASE = "struct User { 1: string name } service Pings { void ping() }"
NAMES = """
include "base.thrift"
enum Kind { NEW, name, value, real }
struct str { 1: string str, 2: string other, 3: list<i32> list, 4: list<i32> more }
struct Any { 1: base.User base, 2: Kind Kind, 3: optional Kind last, 4: i32 property, 5: binary b }
struct Optional { 1: binary bytes, 2: i64 int, 3: optional Any Any }
typedef str Text
typedef base.User Person
typedef Kind Sort
service Names { list<str> list(1: Any Any), list<Any> type(), Any Any(1: string s), i32 next() }
service Sums { i32 int() } struct SumsClient { 1: i32 int }
"""
SAMPLE = """
import asyncio
import thriftlens as tl

tl.importer.install()

import base_thrift as base
import names_thrift as hidden
import shop_thrift as shop


class Handler(shop.Shop):
    def ping(self) -> None: ...

    def get(self, id: int, hint: str = "no") -> shop.Order:
        if id == 0:
            raise shop.NoOrder(id=id, message="none")
        return shop.Order(id=id, status=shop.Status.PAID, users=[base.User(name="Ann")])

    def touch(self, ids: list[int], context: object) -> None: ...

    async def count(self, order: shop.Order) -> int:
        return len(order.users or [])

    def sum(self, result: list[int]) -> int:
        return sum(result)

    def own(self, number: int) -> int:
        return number


def names(data: bytes) -> list[str | None]:
    order = shop.Order.decode(data)
    typed: shop.Order = tl.Decoder(shop.__schema__["Order"], into=shop.Order).decode(data)
    assert order == typed
    return [user.name for user in order.users or []]


def first_user(data: bytes) -> str:
    order = shop.__schema__["Order"].view(data)
    number: int | None = shop.__schema__.Order.get(data, "$.id")
    assert number == 7 and shop.__schema__.enum("Status").PAID is shop.Status.PAID
    total: int = order.id + order.parts["a"].status
    name: str = order.users[0].name
    kept: str | None = shop.__schema__["base.User"].get(bytes(order.users[0]), "$.name")
    assert kept == name and shop.PRICES["cup"] == 3 and shop.Status["None"] == 3
    return f"{name} {total}"


def shadowed(client: hidden.NamesClient, text: hidden.Text) -> list[hidden.Any]:
    more: list[int] | None = text.more
    last: hidden.Sort | None = hidden.Any(base=hidden.Person(name="x"), last=hidden.Kind.NEW).last
    number: int = client.next()
    match text:
        case hidden.str("x", other):
            assert other and more and last and number
    strings: list[hidden.str] = client.list(client.Any(text.__replace__(other="x").other or ""))
    return client.type() if strings else []


def call(address: str) -> str:
    with shop.ShopClient.connect(address, timeout=5.0) as client:
        try:
            assert isinstance(client.get(7, result="json"), bytes)
            assert client.count(client.get(7)) == 1 and client.sum([1, 2]) == client.own(3)
            return client.get(7, timeout=1.0).status.name
        except shop.NoOrder as error:
            return f"{error.id} {error.message} {error.args_}"


async def call_later(address: str) -> int:
    async with shop.AsyncShopClient.connect(address) as client:
        order = await client.get(7)
        return order.id + shop.LIMIT


assert shop.List(__id__=3) == shop.List(3) and shop.List(3).__id__ == 3
either = shop.Either(number=3)
if either.which == "number":
    print(either.number, bytes(either.encode()))
if __name__ == "__main__":
    with tl.serve(shop.__schema__, "Shop", Handler(), background=True) as server:
        print(call(server.address), asyncio.run(call_later(server.address)))
    user = shop.base.User(name="Ann")
    order = shop.Order(id=7, users=[user], parts={"a": shop.Order(id=1, status=shop.Status.PAID)})
    print(first_user(order.encode()))
"""
WRONG = """
import shop_thrift as shop

order = shop.Order(id=1)
order.usres
order.id.upper()
shop.Order(id="x")
shop.ShopClient.connect("a:1").gte(7)
shop.__schema__["Order"].view(b"").users[0].nme
shop.__schema__.Order.get(b"", "$.id").upper()
shop.__schema__["base.User"].get(b"", "$.nme")
shop.ShopClient.connect("a:1", timout=5)
shop.ShopClient.connect("a:1").count(order, result="jsn")
order.encode(protocl="compact")
shop.Order.decode(b"", missing_requird="omit")
order.__replace__(idd=3)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stubs")
    (folder / "shop.thrift").write_text(IDL)
    (folder / "base.thrift").write_text(BASE)
    (folder / "names.thrift").write_text(NAMES)
    files = [str(folder / f"{name}.thrift") for name in ("shop", "base", "names")]
    result = CliRunner().invoke(main, ["stubs", *files, "-o", str(folder)])
    assert result.exit_code == 0, result.output
    (folder / "sample.py").write_text(SAMPLE)
    (folder / "wrong.py").write_text(WRONG)
    return folder


def test_stubs_are_python_and_name_everything(folder):
    text = (folder / "shop_thrift.pyi").read_text()
    tree = ast.parse(text)
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    names = {name for name in classes if not name.startswith("_")}
    assert names == {
        "Status", "Order", "List", "Either", "NoOrder", "Base", "BaseClient", "AsyncBaseClient",
        "Shop", "ShopClient", "AsyncShopClient", "base",
    }  # fmt: skip
    assert '    id: _b.int\n    """Its \'number\'."""\n' in text and "    status: Status\n" in text
    assert "    from_: _t.Optional[_b.str]\n" in text and "Ids = _b.list[_b.int]\n" in text
    assert text.count('        """The order with an id."""\n') == 5
    assert "    groups: _t.Optional[_b.set[_t.Any]]\n" in text and "LIMIT: _b.int\n" in text


def test_annotations_of_types():
    idl = tl.loads("struct A { 1: map<i32, list<A>> a, 2: map<list<i32>, double> b, 3: bool c }")
    result = [annotation(field.type) for field in idl.A.fields.values()]
    assert result == ["_b.dict[_b.int, _b.list[A]]", "_b.dict[_t.Any, _b.float]", "_b.bool"]
    stub = stub_of(idl, "a.thrift", {"a": idl})
    assert '"""Types of a.thrift, written by' in stub and "import a_thrift" not in stub


def test_included_files_of_a_package():
    base = tl.loads(BASE)
    idl = tl.loads(IDL, includes={"base.thrift": BASE})
    assert "\nfrom . import base_thrift\n" in stub_of(idl, "shop.thrift", {"base": base}, True)
    assert "base_thrift" not in stub_of(idl, "shop.thrift", {"base": idl})


def check_with_mypy(folder, name):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.10",
         "--cache-dir", str(folder / "cache"), name],
        cwd=folder, capture_output=True, text=True,
    ).stdout  # fmt: skip


def test_mypy_accepts_a_program_and_finds_mistakes(folder):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("no mypy")
    for name in ("sample.py", "names_thrift.pyi"):
        assert "Success" in (shown := check_with_mypy(folder, name)), shown
    shown = check_with_mypy(folder, "wrong.py")
    lines = [int(line.split(":")[1]) for line in shown.splitlines() if ": error:" in line]
    assert [*dict.fromkeys(lines)] == [*range(5, 17)], shown


def test_pyright_accepts_a_program_and_finds_mistakes(folder):
    pytest.importorskip("pyright")
    options = ["--pythonpath", sys.executable, "--outputjson", "names_thrift.pyi"]
    result = subprocess.run(
        [sys.executable, "-m", "pyright", *options, "sample.py", "wrong.py"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    diagnostics = json.loads(result.stdout)["generalDiagnostics"]
    errors = {(Path(row["file"]).name, row["range"]["start"]["line"] + 1)
              for row in diagnostics if row["severity"] == "error"}  # fmt: skip
    assert errors == {("wrong.py", line) for line in range(5, 17)}, diagnostics


def test_the_program_runs(folder):
    result = subprocess.run(
        [sys.executable, "sample.py"], cwd=folder, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[1:] == ["PAID 17", "Ann 9"]


def test_typedefs_of_structs_and_enums_are_aliases(folder):
    text = (folder / "names_thrift.pyi").read_text()
    assert text.count("\nclass str(") == 1 and text.count("class User") == 0
    for alias in ("Text = str", "Person = base.User", "Sort = Kind"):
        assert f"\n{alias}\n" in text
    assert "    Pings: _te.TypeAlias = base_thrift.Pings\n" in text
    assert "PingsClient" not in text  # as in the imported module
    assert "PingsClient" not in stub_of(tl.loads(NAMES, includes={"base.thrift": BASE}), "a")


def test_watching_writes_changed_stubs(tmp_path, monkeypatch):
    """The files change between two looks; the last look is interrupted."""
    idl, stub = tmp_path / "a.thrift", tmp_path / "a_thrift.pyi"
    idl.write_text("struct A {}")
    texts = iter(["struct B {}", "", "struct B {", "", "gone", "", "struct C {}", "", None])
    seen = []

    def change(seconds):
        seen.append(stub.read_text().count("class B") + 2 * stub.read_text().count("class C"))
        text = next(texts)
        if text is None:
            raise KeyboardInterrupt
        if text == "gone":
            idl.unlink()
        elif text:
            idl.write_text(text)

    monkeypatch.setattr("thriftlens._cli.commands.stubs.time.sleep", change)
    result = CliRunner().invoke(main, ["stubs", str(idl), "-o", str(tmp_path), "--watch"])
    assert seen == [0, 0, 1, 1, 1, 1, 1, 1, 2] and result.exit_code != 0
    assert "error: expected" in result.stderr and "there is no such file" in result.stderr


def test_a_name_that_python_cannot_import(tmp_path):
    (tmp_path / "my-shop.thrift").write_text("struct A {}")
    arguments = ["stubs", str(tmp_path / "my-shop.thrift"), "-o", str(tmp_path)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0 and "my-shop.thrift cannot be imported" in result.output
