"""Lists of routes, and warnings about them."""

import json

import thriftlens as tl
from thriftlens._http.route_list import route_lines, warnings

IDL = """
struct Get { 1: required i32 id (api.path = "id"), 2: string note }
struct Item { 1: i32 id }
service Shop {
  Item get(1: Get request) (api.get = "/items/:id")
  Item other(1: i32 id) (api.get = "/items/:key", api.pst = "/items")
}
"""


def test_lines():
    assert list(route_lines(tl.loads(IDL), False)) == [
        "GET  /items/:id   Shop.get",
        "    id    path id  (required)",
        "    note  body note",
        "GET  /items/:key  Shop.other",
        "    id  body id",
    ]


def test_json():
    (document,) = route_lines(tl.loads(IDL), True)
    first = json.loads(document)[0]
    assert (first["method"], first["path"], first["function"]) == ("GET", "/items/:id", "Shop.get")
    assert first["fields"] == [
        {"field": "id", "required": True, "from": "path id"},
        {"field": "note", "required": False, "from": "body note"},
    ]


def test_warnings():
    faults = "\n".join(warnings(tl.loads(IDL)))
    assert "Shop.other: " in faults and "(of Shop.get)" in faults
    assert "unknown annotation api.pst; did you mean 'api.post'?" in faults
    assert "no field for 'key' of GET /items/:key" in faults
