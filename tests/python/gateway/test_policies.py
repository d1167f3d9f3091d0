"""Redaction of responses by role."""

import re

import pytest
import thriftlens as tl
from gateway_answers import POLICIES, problem, role


@pytest.mark.parametrize("who,user,prices", [
    ("admin", {"id": 1, "name": "Ann", "phone": "123"}, True),
    ("clerk", {"id": 1, "name": "", "phone": ""}, True), ("guest", {"id": 1}, False),
])  # fmt: skip
def test_redaction_by_role(fetch, who, user, prices):
    answer = fetch("GET", "/orders/7", {"x-role": who}, roles=role, policies=POLICIES)
    assert answer.status == 200 and answer.json()["user"] == user
    assert ("prices" in answer.json()) == prices
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
    result = fetch("GET", "/orders/600", {"x-role": "guest"}, roles=role, policies=POLICIES)
    assert "Ann" not in result.body.decode()
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
    ({"a": {"annotation": "pi"}}, "annotation .pi."),
    ({"a": {"paths": {"$.usr": "drop"}}}, "no result has the path"), ({}, "empty"),
    ({"a": {}}, "rule"),
    ({"a": {"annotation": "pii", "paths": {"$.nothing": "drop"}}}, "no result has the path"),
    ({"a": {"annotation": "pii", "default_action": "blnk"}}, "blnk"),
    ({"a": {"paths": {"$.id": "drop"}}}, "required"), ({"a": {"types": {"Usr": "drop"}}}, "Usr"),
    ({"a": {"types": {"User.nme": "drop"}}}, "did you mean 'name'"),
    ({"a": {"annotation": "pii", "key": b"secret"}}, "no rule has the action hash"),
    ({"a": {"annotation": "pii", "values": {"nme": "drop"}}}, "'nme'"),
    ({"a": {"types": {"Page": "blank"}}}, "no result has a value"),
    ({"a": {"annotation": "pii", "exempt": ["gett"]}}, "gett"),
    ({"a": {"annotation": "pii", "exempt": "upload"}}, "list of function names"),
    ({"a": "pii"}, "expected options"), ({"a": {"anotation": "pii"}}, "did you mean 'annotation'"),
    ({"a": {"types": {"User.name": "hash"}}}, "policy of 'a': hash needs a key"),
])  # fmt: skip
def test_a_policy_without_effect_is_an_error_at_startup(idl_file, policies, message):
    with pytest.raises(ValueError, match=message):
        tl.gateway(idl_file, upstream="127.0.0.1:1", roles=role, policies=policies)


def test_annotations_without_effect_are_logged_at_the_start(caplog):
    idl = tl.loads("""
        struct S { 1: string a (pii = "drop") }
        service Shop { S get() (api.get = "/s")  oneway void note(1: string text) (pii = "drop") }
        (pii = "drop")
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
        return re.findall(r"Shop\.\w+(?: \(exception '\w+'\))?", str(error))
    return []


def test_a_policy_reaches_every_answer_and_exception_or_exempts_the_function(idl_file):
    paths = {"paths": {"$.user.name": "drop"}}
    missing, broken, deleted = (
        "Shop.get (exception 'missing')",
        "Shop.get (exception 'broken')",
        "Shop.drop_ (exception 'missing')",
    )
    assert unreached(idl_file, paths) == [missing, broken, "Shop.all", "Shop.upload", deleted]
    assert unreached(idl_file, {**paths, "exempt": ["get", "Shop.all", "upload"]}) == [deleted]
    assert unreached(idl_file, {**paths, "exempt": ["get", "Shop.all", "upload", "drop_"]}) == []
    assert unreached(idl_file, {"annotation": "pii"}) == [missing, "Shop.upload", deleted]
    result = unreached(idl_file, {"types": {"User.name": "drop"}})
    assert result == [missing, "Shop.upload", deleted]
    result = unreached(
        idl_file, {"annotation": "pii", "types": {"NotFound.why": "blank"}, "exempt": ["upload"]}
    )
    assert result == []
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
    actual = fetch("GET", "/orders/500", {"x-role": "t"}, **options).json()
    assert actual["fields"]["who"] == {"id": 1, "name": "-", "phone": "123"}
    result = fetch("GET", "/orders?size=2&fields={user{name}}", {"x-role": "t"}, **options).json()
    assert result == [{"user": {"name": "-"}}] * 2
