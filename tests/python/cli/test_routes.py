"""The command routes, and the warnings of check about routes."""

import json

from click.testing import CliRunner
from http_plans import SHOP
from thriftlens._cli.main import main


def test_routes_on_the_command_line(tmp_path):
    file = tmp_path / "shop.thrift"
    file.write_text(SHOP)
    shown = CliRunner().invoke(main, ["routes", str(file)])
    assert shown.exit_code == 0
    assert shown.output.splitlines()[:4] == [
        "GET   /items/:id   Shop.find",
        "    id    path id  (required)",
        "    tags  query tags, header X-Tags",
        "    note  body note",
    ]
    routes = json.loads(CliRunner().invoke(main, ["routes", str(file), "--json"]).output)
    assert routes[1]["method"] == "POST"
    assert routes[1]["fields"][0] == {"field": "id", "required": True, "from": "path id"}


def test_check_warns_of_routes(tmp_path):
    file = tmp_path / "shop.thrift"
    file.write_text(SHOP)
    shown = CliRunner().invoke(main, ["check", str(file)])
    assert shown.exit_code == 0
    assert (
        "Shop.other: GET /items/:key matches the same paths as GET /items/:id (of Shop.find)"
        in shown.output
    )
    assert (
        "Shop.bad: Bad.a: api.query is unreachable: api.raw_uri always has a value" in shown.output
    )
    assert (
        "Shop.other: no field for 'key' of GET /items/:key; add (api.path = \"key\") to a field"
        in shown.output
    )
    assert "Shop.other: id: api.path has no effect: no route has 'id'" in shown.output
    assert "Shop.other: Find.note: it is read from the body" in shown.output
    assert "5 warnings" in shown.output


def test_check_warns_of_misspelt_annotations(tmp_path):
    file = tmp_path / "a.thrift"
    file.write_text("""
        typedef In Same
        struct In {
          1: i32 a (api.qeury = "a"), 2: i32 b (api.vd = "$>0", pii = "x"),
          3: i32 c (api.path = "c", api.query = "c")
        }
        service S {
          void a(1: In in) (api.gett = "/a")
          void b(1: Same in) (api.get = "/b", api.handler_path = "x")
          void c(1: i32 n (api.querry = "n")) (api.put = "/c")
        }
    """)
    shown = CliRunner().invoke(main, ["check", str(file)])
    assert "S.a: unknown annotation api.gett; did you mean 'api.get'?" in shown.output
    assert "S.c: n: unknown annotation api.querry; did you mean 'api.query'?" in shown.output
    assert "In.a: unknown annotation api.qeury; did you mean 'api.query'?" in shown.output
    assert "5 warnings" in shown.output, "two of a function of GET with fields that it cannot fill"
