"""Shared by the tests of the gateway."""

JSON = {"content-type": "application/json"}
KNOWN = {"transport": "framed", "protocol": "binary"}
SHOWN = {"types": {"NotFound": "keep"}, "exempt": ["Shop.upload"]}
POLICIES = {
    "admin": None,
    "clerk": {"annotation": "pii", **SHOWN},
    "guest": {
        "annotation": "pii",
        "default_action": "drop",
        "paths": {"$.prices": "drop"},
        **SHOWN,
    },
}


def role(scope):
    return dict(scope["headers"]).get(b"x-role", b"").decode()


def problem(answer, status, code=None):
    """The members of an error response with this status and code (default: any)."""
    fields = answer.json()
    assert answer.status == status, fields
    assert answer.headers["content-type"] == "application/problem+json", fields
    assert fields["status"] == status, fields
    assert code in (None, fields["code"]), fields
    return fields
