"""Users of a server."""

import asyncio
import logging

import pytest
import thriftlens as tl
from thriftlens._rpc.users import Users, basic_credentials, is_same_secret

IDL = tl.loads("service Shop { i64 get(1: string cause) }")


def test_a_user_check_that_raises_rejects_the_user(caplog):
    caplog.set_level(logging.INFO)
    for raised in (SystemExit, StopIteration, asyncio.CancelledError, KeyboardInterrupt):

        def plain(user, password):
            raise raised("a secret")

        async def later(user, password):
            raise raised("a secret")

        for check in (plain, later):
            with tl.serve(
                IDL, "Shop", {"get": len}, background=True, transport="sasl", users=check
            ) as server:
                for _ in range(2):
                    with pytest.raises(tl.TransportError) as caught:
                        tl.connect(
                            f"ann:wrong@{server.address}",
                            IDL,
                            "Shop",
                            transport="sasl",
                            protocol="binary",
                            timeout=600,
                        ).get("")
                    assert caught.value.code == "unauthorized", raised


def test_a_dict_of_passwords():
    users = Users({"ann": "secret"})

    async def main():
        assert await users.knows("ann", "secret", None)
        assert not await users.knows("ann", "secretx", None)
        assert not await users.knows("bob", "secret", None)

    asyncio.run(main())


@pytest.mark.parametrize("answer", [1, "yes", None, False])
def test_only_true_accepts_a_user(answer):
    assert asyncio.run(Users(lambda user, password: answer).knows("ann", "x", None)) is False


@pytest.mark.parametrize("users", ["ann", 7, {"ann": 1}])
def test_other_kinds_of_users_are_an_error(users):
    with pytest.raises(TypeError, match="users must be a dict"):
        Users(users)


def test_credentials_of_http():
    assert basic_credentials("Basic YW5uOnM6eA==") == ("ann", "s:x")
    assert basic_credentials("basic  YW5uOg==") == ("ann", "")
    for header in ("", "Bearer x", "Basic !", "Basic YW5u", "Basic OnBhc3M=", "Basic /w=="):
        assert basic_credentials(header) is None
    assert is_same_secret("\udcff", "\udcff") and not is_same_secret("a", "b")
