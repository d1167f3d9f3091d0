"""Options of serve."""

import json

import pytest
from thriftlens._cli.gateway_options import read_policies, role_by, upstreams_of


@pytest.mark.parametrize("options, expected", [
    (["shop:9090"], "shop:9090"), (["A=a:1", "B=b:2"], {"A": "a:1", "B": "b:2"}),
    (["A=a:1"], {"A": "a:1"}),
])  # fmt: skip
def test_upstreams(options, expected):
    assert upstreams_of(options) == expected


@pytest.mark.parametrize("options, message", [
    (["a:1", "b:2"], "invalid --upstream 'a:1'"), (["A=", "B=b:2"], "invalid --upstream 'A='"),
    (["A=a:1", "A=b:2"], "duplicate service"),
])  # fmt: skip
def test_invalid_upstreams(options, message):
    with pytest.raises(ValueError, match=message):
        upstreams_of(options)


def test_policies_have_keys_of_files(tmp_path):
    (tmp_path / "key").write_bytes(b"secret")
    file = tmp_path / "policies.json"
    file.write_text(json.dumps({"staff": None, "guest": {"key_file": "key", "annotation": "pii"}}))
    guest = {"annotation": "pii", "key": b"secret"}
    assert read_policies(str(file)) == {"staff": None, "guest": guest}


@pytest.mark.parametrize(
    "policies, message",
    [
        ([], "expected an object of policies by role"),
        ({"a": {"key": "x"}}, "the policy of 'a' has a 'key'; use 'key_file'"),
        ({"a": {"key_file": 5}}, "the policy of 'a': 'key_file' must be the name of a file"),
        ({"a": {"key_file": "none"}}, "the policy of 'a': key_file: "),
    ],
)
def test_invalid_policies(tmp_path, policies, message):
    file = tmp_path / "policies.json"
    file.write_text(json.dumps(policies))
    with pytest.raises(ValueError, match=message):
        read_policies(str(file))


def test_a_repeated_role_header_is_rejected():
    role = role_by("X-Role")
    assert role({"headers": [(b"x-role", b"staff")]}) == "staff"
    assert role({"headers": []}) is None
    assert role({"headers": [(b"x-role", b"staff"), (b"x-role", b"guest")]}) is None
