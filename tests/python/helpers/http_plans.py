"""Shared by the tests of http plans."""

import thriftlens as tl

DYNAMICGO = {}


def read(idl, options=DYNAMICGO, protocol="binary", **request):
    of = tl.loads(idl).Root
    plan = tl.http.plan(of, dynamicgo=options, protocol=protocol)
    return of.decode(plan.request(**request), protocol=protocol)


def root(fields):
    return (
        'enum Color { RED = 1, BLUE = 3 }\nstruct In { 1: i32 x, 2: string h (api.header="H") '
        "}\nstruct Root { " + fields + " }"
    )


SHOP = """
struct Find { 1: required i64 id (api.path="id"), 2: list<string> tags (api.query="tags",
  api.header="X-Tags"), 3: string note }
struct Found { 1: i32 status (api.http_code=""), 2: string name }
exception Gone { 1: i32 code (api.http_code=""), 2: string why }
service Shop {
  Found find(1: Find req) throws (1: Gone gone) (api.get="/items/:id", api.post="/items/:id")
  Found other(1: Find req) (api.get="/items/:key")
  Found bad(1: Bad req) (api.put="/bad")
}
struct Bad { 1: string a (api.raw_uri="", api.query="q") }
"""
