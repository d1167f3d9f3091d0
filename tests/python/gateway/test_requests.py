"""Heads and bodies of requests."""

import asyncio

import pytest
from gateway_answers import JSON, problem


def test_compressed_bodies_are_refused(fetch):
    answer = fetch("POST", "/orders", {**JSON, "content-encoding": "gzip"}, b"\x1f\x8b")
    problem(answer, 415, "content_encoding")
    assert answer.headers["accept-encoding"] == "identity"
    result = fetch("POST", "/orders", {**JSON, "content-encoding": "identity"}, b'{"id": 1}')
    assert result.status == 201


@pytest.mark.parametrize("version,headers", [
    ("1.1", {"content-length": "8", "transfer-encoding": "chunked"}),
    ("1.0", {"transfer-encoding": "chunked"}), ("1.1", {"host": ""}),
])  # fmt: skip
def test_a_head_whose_body_is_ambiguous_is_rejected_and_ends_the_connection(
    fetch, shop, version, headers
):
    answer = fetch(
        "POST", "/orders", {**JSON, **headers}, b'{"id":5}', scope={"http_version": version}
    )
    problem(answer, 400, "bad_request")
    assert answer.headers["connection"] == "close" and not shop.get_counts


def test_the_bodies_of_all_requests_are_bounded():
    from thriftlens._http.gateway.options import Limits
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
        assert caught.value.code == "busy", "what was refused is not counted"
        assert bodies.size == 100_000, "what was refused is not counted"
        assert len(await read_body(scope, receive_of(1000, 3), limits, bodies)) == 3000

    asyncio.run(main())
