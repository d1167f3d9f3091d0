"""Paths to targets by patterns."""

import pytest
import thriftlens as tl


@pytest.fixture
def router():
    router = tl.http.Router()
    router.add("GET", "/users/:id", "user")
    router.add("PUT", "/users/:id", "change")
    router.add("GET", "/users/me", "me")
    router.add("*", "/files/*rest", "files")
    return router


@pytest.mark.parametrize("method, path, target, params", [
    ("GET", "/users/7", "user", [("id", "7")]), ("GET", "/users/me", "me", []),
    ("GET", "/users/a%2Fb", "user", [("id", "a/b")]),
    ("DELETE", "/files/a/b.txt", "files", [("rest", "a/b.txt")]),
])  # fmt: skip
def test_matches(router, method, path, target, params):
    match = router.find(method, path)
    assert (match.target, match.path_params) == (target, params)


def test_a_path_with_other_verbs_lists_them(router):
    match = router.find("DELETE", "/users/7")
    assert match.target is None and set(match.allowed) == {"GET", "PUT"}
    assert router.find("GET", "/nothing") == tl.http.Match(None, [], [])


@pytest.mark.parametrize(
    "pattern, code", [("/users/:name", "already_there"), ("users", "path_syntax")]
)
def test_patterns_that_cannot_be_added(router, pattern, code):
    with pytest.raises(tl.Error) as caught:
        router.add("GET", pattern, "x")
    assert caught.value.code == code
