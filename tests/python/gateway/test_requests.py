"""Answers of a gateway, by plain ASGI calls, with a real upstream server."""

import asyncio
import json
import logging
import re

import pytest
import thriftlens as tl

JSON = {"content-type": "application/json"}
FULL = {
    "id": 7, "tags": ["a", "b"], "status": 1, "user": {"id": 1, "name": "Ann", "phone": "123"}, "prices": {"1": 2.5}, "payment": {"card": "4"}, "blob": "YWI=",
    "marks": [1],
}  # fmt: skip


def problem(answer, status, code):
    fields = answer.json()
    assert (answer.status, answer.headers["content-type"], fields["status"], fields["code"]) == (
        status,
        "application/problem+json",
        status,
        code,
    ), fields
    return fields


@pytest.mark.parametrize(
    "transport,protocol",
    [
        ("auto", "auto"),
        ("framed", "binary"),
        ("framed", "compact"),
        ("buffered", "binary"),
        ("header", "compact"),
        ("ttheader", "binary"),
    ],
)
def test_a_call(fetch, transport, protocol):
    answer = fetch("GET", "/orders/7?tags=a,b&status=NEW", transport=transport, protocol=protocol)
    assert (answer.status, answer.headers["etag"], answer.headers["content-type"]) == (
        200,
        "e1",
        "application/json",
    )
    assert answer.json() == FULL


@pytest.mark.parametrize(
    "method,target,body,status,expected",
    [
        ("POST", "/orders", {"id": 5, "tags": ["x"]}, 201, {"id": 5, "tags": ["x"], "status": 1}),
        ("GET", "/orders?size=1&fields={id}", None, 200, [{"id": 0}]),
        ("GET", "/orders?size=0", None, 200, []),
        ("DELETE", "/orders/1", None, 204, None),
        ("DELETE", "/orders/404", None, 404, {"id": 404, "why": "none"}),
        ("GET", "/orders/404", None, 404, {"id": 404, "why": "none"}),
        ("POST", "/notes", {"text": "hello"}, 202, None),
    ],
)
def test_answers(fetch, method, target, body, status, expected):
    answer = fetch(method, target, JSON if body else {}, json.dumps(body).encode() if body else b"")
    assert answer.status == status and (answer.json() if answer.body else None) == expected


def test_functions_without_annotation(fetch):
    assert problem(fetch("POST", "/Shop/hello"), 404, "not_found")
    assert fetch("POST", "/Shop/hello", routes="all").json() == "hi"


def test_an_exception_without_status_is_500_with_its_fields(fetch):
    fields = problem(fetch("GET", "/orders/500"), 500, "exception")
    assert fields["exception"] == "Broken" and fields["fields"] == {
        "why": "oh",
        "who": {"id": 1, "name": "Ann", "phone": "123"},
    }
    assert problem(fetch("GET", "/orders/600"), 502, "internal_error")["detail"] == "Ann's secret"


@pytest.mark.parametrize(
    "method,target,body,code,location",
    [
        ("GET", "/orders/x", None, "json_type", {"path": "$.id"}),
        ("GET", "/orders/99999999999999999999", None, "integer_range", {"path": "$.id"}),
        ("GET", "/orders/1?status=OLD", None, "unknown_enum_name", {"path": "$.status"}),
        ("GET", "/orders/1?tags=%ff", None, "invalid_utf8", {"path": "$.tags[0]"}),
        (
            "POST",
            "/orders",
            '{"id":5,"user":{"id":"x"}}',
            "json_type",
            {"path": "$.user.id", "offset": 21, "line": 1, "column": 22, "in": "JSON text"},
        ),
        ("POST", "/orders", '{"id":5,', "json_syntax", {"offset": 8}),
        ("POST", "/orders", '{"id":5,"nam":1}', "unknown_key", {"path": "$"}),
        ("POST", "/orders", "{}", "missing_required", {"path": "$.id"}),
        (
            "POST",
            "/orders",
            '{"id":5,"payment":{"card":"a","invoice":1}}',
            "union_members",
            {"path": "$.payment"},
        ),
    ],
)
def test_bad_input_is_400_with_its_location(fetch, method, target, body, code, location):
    fields = problem(fetch(method, target, JSON, (body or "").encode()), 400, code)
    assert {name: fields.get(name) for name in location} == location


@pytest.mark.parametrize(
    "target,headers,body,detail",
    [
        ("/a", JSON, b'{"j": 1}', '$.c: cookie "tok" or header "X-Tok"'),
        ("/b", JSON, b'{"f": "x"}', '$.f: form "f"'),
        (
            "/c",
            {"content-type": "application/x-www-form-urlencoded"},
            b'{"j": 1}',
            "$.j: it is read from JSON, and the body is a form",
        ),
        ("/d", {}, b"", '$.q: query "q"'),
        (
            "/e",
            {"content-type": "application/x-www-form-urlencoded"},
            b'{"k": 1}',
            '$.k: body "k"; the body is a form',
        ),
    ],
)
def test_a_missing_field_is_named_by_the_part_that_may_have_it(
    fetch, target, headers, body, detail
):
    idl = tl.loads("""service S {
        void a(1: required string c (api.cookie="tok", api.header="X-Tok"), 2: i32 j) (api.post="/a") void b(1: required string f (api.form="f")) (api.post="/b")
        void c(1: required i32 j) (api.post="/c") void d(1: required i32 q (api.query="q")) (api.post="/d")
        void e(1: required i32 k (api.body="k")) (api.post="/e") }""")
    fields = problem(
        fetch("POST", target, headers, body, idl=idl, transport="framed", protocol="binary"),
        400,
        "missing_required",
    )
    assert (
        fields["detail"] == f"a required field is missing at {detail}"
        and fields["path"] == detail[:3]
        and "offset" not in fields
    )


def test_a_missing_field_in_the_json_of_a_form(fetch):
    idl = tl.loads(
        'struct In { 1: required i32 a } service S { void a(1: In in (api.form="in"), 2: i32 j) (api.post="/a") }'
    )
    headers = {"content-type": "application/x-www-form-urlencoded"}
    fields = problem(
        fetch("POST", "/a", headers, b"in={}", idl=idl, transport="framed", protocol="binary"),
        400,
        "missing_required",
    )
    assert fields["path"] == "$.in.a" and 'in form "in"' in fields["detail"]


def test_unknown_routes_and_verbs(fetch):
    problem(fetch("GET", "/nothing"), 404, "not_found")
    answer = fetch("PATCH", "/orders/7")
    problem(answer, 405, "method_not_allowed")
    assert sorted(answer.headers["allow"].split(", ")) == ["DELETE", "GET", "HEAD"]
    assert fetch("POST", "/healthz").status == 405


def test_head_is_get_without_the_body(fetch, shop):
    get, head = fetch("GET", "/orders/7"), fetch("HEAD", "/orders/7")
    assert (head.status, head.headers, head.body) == (
        200,
        get.headers,
        b"",
    ) and shop.get_counts == {7: 2}
    assert fetch("HEAD", "/orders/404").status == 404 and fetch("HEAD", "/files").status == 405
    idl = tl.loads('service S { string a() (api.get="/a") void b() (api.head="/a") }')
    with tl.serve(idl, "S", {"a": lambda: "a", "b": lambda: None}, background=True) as server:
        assert fetch("HEAD", "/a", idl=idl, upstream=server.address).status == 204


def test_compressed_bodies_are_refused(fetch):
    answer = fetch("POST", "/orders", {**JSON, "content-encoding": "gzip"}, b"\x1f\x8b")
    problem(answer, 415, "content_encoding")
    assert answer.headers["accept-encoding"] == "identity"
    assert (
        fetch("POST", "/orders", {**JSON, "content-encoding": "identity"}, b'{"id": 1}').status
        == 201
    )


@pytest.mark.parametrize(
    "path",
    [
        "/orders/..",
        "/orders/%2e%2e",
        "/a/../orders/7",
        "//orders/7",
        "/orders//7",
        "/orders/7/",
        "/orders/%00",
        "/ORDERS/7",
        "/orders/7%2f..",
        "*",
    ],
)
def test_path_tricks_are_rejected(fetch, shop, path):
    answer = fetch("GET", path)
    assert answer.status in (400, 404) and not shop.get_counts


def test_a_mounted_gateway(fetch):
    assert fetch("GET", "/api/orders/7?fields=id", scope={"root_path": "/api"}).json() == {"id": 7}
    assert fetch("GET", "/a b/openapi.json", scope={"root_path": "/a b"}).json()["servers"] == [
        {"url": "/a%20b"}
    ]
    assert "servers" not in fetch("GET", "/openapi.json").json()


@pytest.mark.parametrize(
    "fields,expected",
    [
        ("{id user{name}}", {"id": 7, "user": {"name": "Ann"}}),
        ("{id%20user{name}}", {"id": 7, "user": {"name": "Ann"}}),
        ("id,user.name", {"id": 7, "user": {"name": "Ann"}}),
        ("$.id,$.tags", {"id": 7, "tags": []}),
        ("user.name,user,%20user.id", {"user": {"id": 1, "name": "Ann", "phone": "123"}}),
        ("{%20}", {}),
        (
            "{-user%20-prices%20-tags%20-payment}",
            {"id": 7, "status": 2, "blob": "YWI=", "marks": [1]},
        ),
    ],
)
def test_fields(fetch, fields, expected):
    answer = fetch("GET", f"/orders/7?fields={fields.replace(' ', '%20')}")
    assert (answer.status, answer.json()) == (200, expected)
    assert answer.headers.get("etag") == "e1"


NAMED = """
    struct In { 1: i32 in_a (api.key="inA"), 2: i32 b (go.tag='json:"bB,omitempty"'), 3: i32 c }
    struct Out { 1: map<string, list<In>> all_in (api.body="allIn"), 2: In b, 3: i32 c (api.key="b-c"), 4: i32 d (api.key="e") }
    service S { Out a() (api.get="/a") }
"""


@pytest.mark.parametrize(
    "fields,expected",
    [
        ("{allIn{inA} e}", {"allIn": {"b": [{"inA": 1}]}, "e": 6}),
        ("allIn.bB,e", {"allIn": {"b": [{"bB": 2}]}, "e": 6}),
        ("all_in.in_a", {"allIn": {"b": [{"inA": 1}]}}),
        ("{#1{inA} b-c}", {"allIn": {"b": [{"inA": 1}]}, "b-c": 5}),
        ("$.allIn{*}[*].inA,$.b-c", {"allIn": {"b": [{"inA": 1}]}, "b-c": 5}),
        ("{* -allIn b{-inA -c} -e}", {"b": {"bB": 2}, "b-c": 5}),
    ],
)
def test_fields_by_their_names_in_json(fetch, fields, expected):
    idl = tl.loads(NAMED)
    value = {"in_a": 1, "b": 2, "c": 3}
    with tl.serve(
        idl,
        "S",
        {"a": lambda: {"all_in": {"b": [value]}, "b": value, "c": 5, "d": 6}},
        background=True,
    ) as server:
        answer = fetch(
            "GET", f"/a?fields={fields.replace(' ', '%20')}", idl=idl, upstream=server.address
        )
        assert answer.json() == expected
        answer_fields = problem(
            fetch("GET", "/a?fields={allIn{inB}}", idl=idl, upstream=server.address),
            400,
            "no_such_field",
        )
        assert answer_fields["selection"] == "{all_in{inB}}"


@pytest.mark.parametrize("target,code,offset", [
    ("/orders/7?fields={idd}", "no_such_field", 1), ("/orders/7?fields={id", "path_syntax", 3), ("/orders/7?fields=", "path_syntax", None),
    ("/orders?fields={id%20user{nam}}", "no_such_field", 9), ("/orders/7?fields={id}&fields={id}", "duplicate_key", None),
    ("/orders/7?fields=" + "a." * 3000, "depth_limit", None),
])  # fmt: skip
def test_bad_fields_are_400_with_their_offset(fetch, shop, target, code, offset):
    fields = fetch("GET", target).json()
    assert fields["status"] == 400 and fields["parameter"] == "fields" and not shop.get_counts
    assert fields["code"] == code and (offset is None or fields["offset"] == offset)


def test_fields_never_cut_exceptions_and_parts(fetch):
    assert fetch("GET", "/orders/404?fields={id}").json() == {"id": 404, "why": "none"}
    assert fetch("POST", "/orders?fields={tags}", JSON, b'{"id":5,"tags":["x"]}').status == 201
    problem(fetch("DELETE", "/orders/1?fields={id}"), 400, "no_fields")
    raw = tl.loads(
        'struct Raw { 1: binary data (api.raw_body=""), 2: string kind (api.header="Content-Type") } service S { Raw a() (api.get="/a") }'
    )
    problem(fetch("GET", "/a?fields=kind", idl=raw), 400, "no_fields")
    assert fetch("GET", "/orders/7?only=id", fields="only").json() == {"id": 7}
    assert len(fetch("GET", "/orders/7?fields=id", fields=None).json()) == 8


SHOWN = {"types": {"NotFound": "keep"}, "exempt": ["Shop.upload"]}
POLICIES = {
    "admin": None,
    "clerk": {"annotation": "pii", **SHOWN},
    "guest": {"annotation": "pii", "otherwise": "drop", "paths": {"$.prices": "drop"}, **SHOWN},
}


def role(scope):
    return dict(scope["headers"]).get(b"x-role", b"").decode()


@pytest.mark.parametrize(
    "who,user,prices",
    [
        ("admin", {"id": 1, "name": "Ann", "phone": "123"}, True),
        ("clerk", {"id": 1, "name": "", "phone": ""}, True),
        ("guest", {"id": 1}, False),
    ],
)
def test_redaction_by_role(fetch, who, user, prices):
    answer = fetch("GET", "/orders/7", {"x-role": who}, roles=role, policies=POLICIES)
    assert (
        answer.status == 200
        and answer.json()["user"] == user
        and ("prices" in answer.json()) == prices
    )
    listed = fetch(
        "GET", "/orders?size=2&fields={user}", {"x-role": who}, roles=role, policies=POLICIES
    ).json()
    assert listed == [{"user": user}] * 2
    assert fetch(
        "GET", "/orders?size=2&fields=id,user.id", {"x-role": who}, roles=role, policies=POLICIES
    ).json() == [{"id": n, "user": {"id": 1}} for n in range(2)]


def test_redaction_of_exceptions_and_server_errors(fetch):
    fields = fetch("GET", "/orders/500", {"x-role": "guest"}, roles=role, policies=POLICIES).json()
    assert fields["fields"] == {"why": "oh", "who": {"id": 1}}
    assert (
        "Ann"
        not in fetch(
            "GET", "/orders/600", {"x-role": "guest"}, roles=role, policies=POLICIES
        ).body.decode()
    )
    assert (
        fetch("GET", "/orders/600", {"x-role": "admin"}, roles=role, policies=POLICIES).json()[
            "detail"
        ]
        == "Ann's secret"
    )


async def late_role(scope):
    return role(scope)


def test_roles_fail_closed(fetch, shop):
    for headers in ({}, {"x-role": "root"}, {"x-role": "Guest"}):
        problem(fetch("GET", "/orders/7", headers, roles=role, policies=POLICIES), 403, "forbidden")
    assert fetch("GET", "/orders/7", roles=lambda scope: 1 / 0, policies=POLICIES).status == 500
    assert fetch("GET", "/orders/7", roles=lambda scope: None, policies=POLICIES).status == 403
    assert not shop.get_counts
    assert fetch(
        "GET", "/orders/7", {"x-role": "guest"}, roles=late_role, policies=POLICIES
    ).json()["user"] == {"id": 1}


@pytest.mark.parametrize("policies,message", [
    ({"a": {"annotation": "pi"}}, "annotation .pi."), ({"a": {"paths": {"$.usr": "drop"}}}, "no answer has the path"), ({}, "empty"), ({"a": {}}, "rule"),
    ({"a": {"annotation": "pii", "paths": {"$.nothing": "drop"}}}, "no answer has the path"), ({"a": {"annotation": "pii", "otherwise": "blnk"}}, "blnk"),
    ({"a": {"paths": {"$.id": "drop"}}}, "required"), ({"a": {"types": {"Usr": "drop"}}}, "Usr"), ({"a": {"types": {"User.nme": "drop"}}}, "did you mean 'name'"),
    ({"a": {"annotation": "pii", "key": b"secret"}}, "no rule that hashes"), ({"a": {"annotation": "pii", "values": {"nme": "drop"}}}, "'nme'"),
    ({"a": {"types": {"Page": "blank"}}}, "no answer has a value"), ({"a": {"annotation": "pii", "exempt": ["gett"]}}, "gett"),
    ({"a": {"annotation": "pii", "exempt": "upload"}}, "list of functions"), ({"a": "pii"}, "expected options"), ({"a": {"anotation": "pii"}}, "did you mean 'annotation'"),
    ({"a": {"types": {"User.name": "hash"}}}, "policy of 'a': hash needs a key"),
])  # fmt: skip
def test_a_policy_without_effect_is_an_error_at_startup(idl_file, policies, message):
    with pytest.raises(ValueError, match=message):
        tl.gateway(idl_file, upstream="127.0.0.1:1", roles=role, policies=policies)


def test_annotations_without_effect_are_logged_at_the_start(caplog):
    idl = tl.loads("""
        struct S { 1: string a (pii = "drop") }
        service Shop { S get() (api.get = "/s")  oneway void note(1: string text) (pii = "drop") } (pii = "drop")
    """)
    for policy, count in (({"annotation": "pii"}, 2), ({"paths": {"$.a": "drop"}}, 0)):
        caplog.clear()
        tl.gateway(
            idl, upstream="127.0.0.1:1", roles=role, policies={"a": policy, "b": policy, "c": None}
        )
        assert [record.name for record in caplog.records] == ["thriftlens.gateway"] * count
        assert caplog.text.count("has no effect") == count


def unreached(idl_file, policy):
    """The functions that the error names; empty if the gateway is created."""
    try:
        tl.gateway(idl_file, upstream="127.0.0.1:1", roles=role, policies={"a": None, "b": policy})
    except ValueError as error:
        return re.findall(r"Shop\.\w+(?: \(exception \w+\))?", str(error))
    return []


def test_a_policy_reaches_every_answer_and_exception_or_exempts_the_function(idl_file):
    paths = {"paths": {"$.user.name": "drop"}}
    missing, broken, deleted = (
        "Shop.get (exception missing)",
        "Shop.get (exception broken)",
        "Shop.drop_ (exception missing)",
    )
    assert unreached(idl_file, paths) == [missing, broken, "Shop.all", "Shop.upload", deleted]
    assert unreached(idl_file, {**paths, "exempt": ["get", "Shop.all", "upload"]}) == [deleted]
    assert unreached(idl_file, {**paths, "exempt": ["get", "Shop.all", "upload", "drop_"]}) == []
    assert unreached(idl_file, {"annotation": "pii"}) == [missing, "Shop.upload", deleted]
    assert unreached(idl_file, {"types": {"User.name": "drop"}}) == [
        missing,
        "Shop.upload",
        deleted,
    ]
    assert (
        unreached(
            idl_file,
            {"annotation": "pii", "types": {"NotFound.why": "blank"}, "exempt": ["upload"]},
        )
        == []
    )
    assert (
        unreached(idl_file, {"annotation": "pii", "paths": {"$.missing.why": "blank", "$": "keep"}})
        == []
    )


def test_paths_of_exceptions_and_rules_by_type_are_applied(fetch):
    policies = {
        "p": {
            "paths": {"$.missing.why": "constant(-)", "$.broken": "blank", "$.user": "drop"},
            "exempt": ["all", "upload"],
        }
    }
    policies["t"] = {
        "types": {"User.name": "constant(-)", "NotFound.why": "drop"},
        "exempt": ["upload"],
    }
    options = {"roles": role, "policies": policies}
    assert fetch("GET", "/orders/404", {"x-role": "p"}, **options).json() == {"id": 404, "why": "-"}
    assert fetch("GET", "/orders/500", {"x-role": "p"}, **options).json()["fields"] == {}
    assert "user" not in fetch("GET", "/orders/7", {"x-role": "p"}, **options).json()
    assert fetch("GET", "/orders/404", {"x-role": "t"}, **options).json() == {"id": 404}
    assert fetch("GET", "/orders/500", {"x-role": "t"}, **options).json()["fields"]["who"] == {
        "id": 1,
        "name": "-",
        "phone": "123",
    }
    assert (
        fetch("GET", "/orders?size=2&fields={user{name}}", {"x-role": "t"}, **options).json()
        == [{"user": {"name": "-"}}] * 2
    )


def test_invalid_options_are_errors_at_startup(idl, idl_file):
    def refused(message, error=ValueError, **options):
        with pytest.raises(error, match=message):
            tl.gateway(options.pop("idl", idl_file), **{"upstream": "127.0.0.1:1", **options})

    refused("did you mean 'body'", limits={"boddy": 1})
    refused("above 0", limits={"body": 0})
    refused("go together", roles=role)
    refused("Schema", idl=idl, watch=1.0)
    refused("no service|Shopp", service="Shopp")
    refused(
        "no upstream",
        upstream={"Shop": "127.0.0.1:1"},
        service=["Shop", "Shop2"],
        idl=tl.loads("service Shop {} service Shop2 {}"),
    )
    refused("no routes", idl=tl.loads("service S { void a() }"))
    refused("the port is missing", upstream="nowhere")
    refused("slash", pages="/_/")
    refused("list of header names", carry="x-user", error=TypeError)
    for options in ({"timeout": 0}, {"timeout": None}, {"watch": 0}, {"pool": 0}, {"pool": "8"}):
        refused("expected a number above 0", **options)
    refused("transport must be", transport="framd")
    refused("page of the gateway", idl=tl.loads('service S { void a() (api.get="/docs") }'))
    refused(
        "same paths|/a/:y",
        idl=tl.loads(
            'service S { void a(1: i32 x) (api.get="/a/:x") void b(1: i32 y) (api.get="/a/:y") }'
        ),
    )
    refused("unknwn|unknown", plan={"unknwn": "drop"}, error=Exception)
    refused("address", upstream={"Shop": {"adress": "x"}})


@pytest.fixture
def two(idl):
    text = 'service A { string a() (api.get="/a") } service B { string b() (api.get="/b") }'
    idl = tl.loads(text)
    with (
        tl.serve(idl, "A", {"a": lambda: "from a"}, background=True) as a,
        tl.serve(idl, "B", {"b": lambda: "from b"}, transport="ttheader", background=True) as b,
    ):
        yield idl, a.address, b.address


def test_several_services_each_with_its_upstream(fetch, two):
    idl, a, b = two
    for path, expected in (("/a", "from a"), ("/b", "from b")):
        upstream = {"A": a, "B": {"address": b, "transport": "ttheader", "protocol": "binary"}}
        assert fetch("GET", path, idl=idl, upstream=upstream).json() == expected


def test_multiplexed_services(fetch):
    idl = tl.loads(
        'service A { string a() (api.get="/a") } service B { string b() (api.get="/b") }'
    )
    with tl.serve(
        idl, {"A": {"a": lambda: "from a"}, "B": {"b": lambda: "from b"}}, background=True
    ) as server:
        answers = [
            fetch("GET", path, idl=idl, upstream=server.address, multiplexed=True).json()
            for path in ("/a", "/b")
        ]
    assert answers == ["from a", "from b"]


def form(*parts):
    head = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n%s\r\n%s\r\n'
    return b"".join(head % part for part in parts) + b"--x--\r\n"


FILE = (b"file", b'; filename="a.bin"', b"Content-Type: image/png\r\n", bytes(range(256)))
MULTIPART = {"content-type": "multipart/form-data; boundary=x"}


def test_forms(fetch, shop):
    pytest.importorskip("python_multipart")
    text = (b"text", b'; filename="t.txt"', b"", "é & = +%".encode())
    assert (
        fetch("POST", "/files", MULTIPART, form((b"title", b"", b"", b"a=b&c"), FILE, text)).json()
        == 256
    )
    assert shop.uploads == [{"title": "a=b&c", "file": bytes(range(256)), "text": "é & = +%"}]
    assert (
        fetch(
            "POST",
            "/files",
            {"content-type": "application/x-www-form-urlencoded"},
            b"title=t&file=aGk%3D",
        ).json()
        == 2
    )
    assert fetch("POST", "/files", MULTIPART, form(FILE), plan={"binary": "raw"}).json() == 256


@pytest.mark.parametrize("headers,body", [
    (MULTIPART, form(FILE)[:-8]), ({"content-type": "multipart/form-data"}, form(FILE)), (MULTIPART, b"--y" + form(FILE)[3:]),
    (MULTIPART, form((b"text", b'; filename="t"', b"", b"\xff"), FILE)),
])  # fmt: skip
def test_bad_forms(fetch, shop, headers, body):
    pytest.importorskip("python_multipart")
    assert fetch("POST", "/files", headers, body).status == 400 and not shop.uploads


def test_without_the_package_for_files(fetch, shop, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "python_multipart", None)
    assert (
        "thriftlens[gateway]"
        in problem(fetch("POST", "/files", MULTIPART, form(FILE)), 501, "missing_package")["detail"]
    )
    assert fetch("POST", "/files", MULTIPART, form((b"file", b"", b"", b"aGk="))).json() == 2


W3C = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"


def test_trace_ids_go_on_into_the_call(fetch, shop):
    sent = {
        "traceparent": W3C,
        "tracestate": "a=b",
        "b3": "0",
        "x-b3-traceid": "463ac35c9f6413ad",
        "x-user": "7",
        "x-other": "no",
    }
    for transport in ("ttheader", "header"):
        fetch("GET", "/orders/7", sent, transport=transport, protocol="binary", carry=["X-User"])
        assert {name: value for name, value in shop.headers[-1].items() if name in sent} == {
            name: value for name, value in sent.items() if name != "x-other"
        }
    assert (
        fetch("GET", "/orders/7", sent, transport="framed", protocol="binary").status == 200
        and not shop.headers[-1]
    )


@pytest.mark.parametrize(
    "name,value",
    [
        ("traceparent", W3C.upper()),
        ("traceparent", W3C + "-x\x01"),
        ("traceparent", W3C.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0" * 32)),
        ("b3", "x"),
        ("x-b3-traceid", "a\x00b"),
        ("tracestate", "a=b"),
    ],
)
def test_invalid_trace_ids_are_dropped(fetch, shop, name, value):
    assert (
        fetch("GET", "/orders/7", {name: value}, transport="ttheader", protocol="binary").status
        == 200
    )
    assert name not in shop.headers[-1]


def test_line_breaks_do_not_get_into_headers(fetch):
    answer = fetch("GET", "/orders/700")
    problem(answer, 502, "broken_rule")
    assert not any("evil" in value or name == "set-cookie" for name, value in answer.pairs)


def test_headers_of_the_message_are_the_gateways(fetch):
    idl = tl.loads(
        'struct R { 1: string h (api.header="Content-Length"), 2: string x } service S { R r() (api.get="/r") }'
    )
    with tl.serve(idl, "S", {"r": lambda: {"h": "1", "x": "y"}}, background=True) as server:
        problem(fetch("GET", "/r", idl=idl, upstream=server.address), 502, "broken_rule")


def test_pages(fetch, upstream):
    assert fetch("GET", "/healthz").json() == {"status": "ok"}
    assert fetch("GET", "/readyz").json() == {"status": "ok", "upstreams": {"Shop": "ok"}}
    ready = fetch("GET", "/readyz", upstream="127.0.0.1:1", transport="framed", protocol="binary")
    assert ready.status == 503 and "refused" in ready.json()["upstreams"]["Shop"]
    assert fetch("GET", "/healthz", upstream="127.0.0.1:1").status == 200
    assert (
        fetch("GET", "/_/healthz", pages="/_").status == 200
        and fetch("GET", "/healthz", pages="/_").status == 404
    )
    assert fetch("GET", "/healthz", pages=None).status == 404
    assert fetch("HEAD", "/healthz").body == b""


def test_the_documentation_page_loads_no_foreign_resources(fetch):
    pytest.importorskip("swagger_ui")
    page = fetch("GET", "/docs")
    assert (
        b"http" not in page.body.replace(b"http-equiv", b"")
        and "default-src 'self'" in page.headers["content-security-policy"]
    )
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "start.js"):
        assert f"docs/{name}".encode() in page.body and fetch("GET", f"/docs/{name}").status == 200
    for name in (
        "../pyproject.toml",
        "%2e%2e/core.py",
        "index.html",
        "",
        "swagger-ui.css/../../core.py",
    ):
        assert fetch("GET", f"/docs/{name}").status == 404


def test_metrics(ask, upstream, idl_file):
    parser = pytest.importorskip("prometheus_client.parser")

    async def main():
        app = tl.gateway(idl_file, upstream=upstream)
        for target in ("/orders/7", "/orders/8", "/orders/x", "/nothing/1", "/nothing/2"):
            await ask(app, "GET", target)
        app.reload()
        answer = await ask(app, "GET", "/metrics")
        await app.close()
        return answer

    answer = asyncio.run(main())
    samples = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in parser.text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }

    def value(name, **labels):
        return samples[f"thriftlens_gateway_{name}", tuple(sorted(labels.items()))]

    assert value("requests_total", method="GET", route="/orders/:id", status="200") == 2
    assert value("requests_total", method="GET", route="/orders/:id", status="400") == 1
    assert value("requests_total", method="", route="", status="404") == 2
    assert (
        value("seconds_count", method="GET", route="/orders/:id")
        == 3
        == value("seconds_bucket", method="GET", route="/orders/:id", le="+Inf")
    )
    assert value("reloads_total", outcome="done") == 1 and value("in_flight") == 1


def test_the_access_log(fetch, caplog):
    with caplog.at_level(logging.INFO, "thriftlens.access"):
        fetch(
            "GET",
            "/orders/7?token=secret",
            {"traceparent": W3C, "x-role": "clerk"},
            roles=role,
            policies=POLICIES,
        )
        fetch("GET", '/nothing"\n{"a')
    first, second = [
        json.loads(record.message)
        for record in caplog.records
        if record.name == "thriftlens.access"
    ]
    assert first.pop("time")[10] == "T" and first.pop("ms") >= 0 and first.pop("bytes") > 0
    assert first == {
        "client": "127.0.0.1",
        "method": "GET",
        "path": "/orders/7",
        "status": 200,
        "function": "Shop.get",
        "role": "clerk",
        "trace": W3C[3:35],
    }
    assert second["status"] == 404 and second["code"] == "not_found"


def test_lifespan_and_other_protocols(ask, idl_file):
    async def main():
        app = tl.gateway(idl_file, upstream="127.0.0.1:1")
        for messages, scope, expected in (
            (
                [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}],
                {"type": "lifespan"},
                ["lifespan.startup.complete", "lifespan.shutdown.complete"],
            ),
            ([{"type": "websocket.connect"}], {"type": "websocket"}, ["websocket.close"]),
        ):
            sent = []
            await app(
                scope,
                lambda: asyncio.sleep(0, messages.pop(0)),
                lambda message: asyncio.sleep(0, sent.append(message["type"])),
            )
            assert sent == expected
        with pytest.raises(ValueError, match="ftp"):
            await app({"type": "ftp"}, None, None)
        assert "Shop" in repr(app) and ("GET", "/orders/:id", "Shop.get") in app.routes

    asyncio.run(main())


@pytest.mark.parametrize("raised", [SystemExit, KeyboardInterrupt, GeneratorExit, StopIteration])
def test_roles_that_raise_are_an_internal_error(fetch, raised):
    def plain(scope):
        raise raised("a secret")

    async def later(scope):
        raise raised("a secret")

    for roles in (plain, later):
        problem(
            fetch("GET", "/orders/7", roles=roles, policies={"all": None}), 500, "internal_error"
        )


@pytest.mark.parametrize(
    "version,headers",
    [
        ("1.1", {"content-length": "8", "transfer-encoding": "chunked"}),
        ("1.0", {"transfer-encoding": "chunked"}),
        ("1.1", {"host": ""}),
    ],
)
def test_a_head_whose_body_is_ambiguous_is_rejected_and_ends_the_connection(
    fetch, shop, version, headers
):
    answer = fetch(
        "POST", "/orders", {**JSON, **headers}, b'{"id":5}', scope={"http_version": version}
    )
    problem(answer, 400, "bad_request")
    assert answer.headers["connection"] == "close" and not shop.get_counts


def test_the_bodies_of_all_requests_are_bounded():
    from thriftlens._http.gateway.limits import Limits
    from thriftlens._http.gateway.requests import Bodies, read_body

    bodies, limits = Bodies(), Limits(body=100_000, in_flight=150_000)
    scope = {"headers": [(b"transfer-encoding", b"chunked")]}

    def receive_of(size, count):
        pieces = [
            {"type": "http.request", "body": bytes(size), "more_body": number + 1 < count}
            for number in range(count)
        ]

        async def receive():
            return pieces.pop(0)

        return receive

    async def main():
        assert len(await read_body(scope, receive_of(10_000, 10), limits, bodies)) == 100_000
        with pytest.raises(Exception) as caught:
            await read_body(scope, receive_of(10_000, 9), limits, bodies)
        assert caught.value.code == "busy" and bodies.size == 100_000, (
            "what was refused is not counted"
        )
        assert len(await read_body(scope, receive_of(1000, 3), limits, bodies)) == 3000

    asyncio.run(main())


@pytest.mark.parametrize(
    "fields",
    [
        "a." * 1000 + "a",
        "{" * 2000,
        "user." * 300 + "name",
        ",".join(["a." * 100 + "a"] * 5),
        "{a{" * 700,
    ],
)
def test_fields_that_go_too_deep_are_400(fetch, fields, caplog):
    answer = fetch("GET", f"/orders/7?fields={fields}")
    assert answer.status == 400 and len(caplog.text) < 1000, answer.body
