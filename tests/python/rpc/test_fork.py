"""Clients in forked processes."""

import asyncio
import os
import pickle

import pytest
import thriftlens as tl
from raw_sockets import wait_until
from safe_clients import IDL, STREAMS, Shop

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def in_child(work):
    """Starts work() in a forked child; returns a function that waits for its result."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            result = pickle.dumps(work())
            with os.fdopen(writing, "wb") as out:
                out.write(result)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)

    def result():
        with os.fdopen(reading, "rb") as data:
            outcome = data.read()
        assert os.waitpid(child, 0)[1] == 0
        return pickle.loads(outcome)

    return result


@needs_fork
@pytest.mark.parametrize("transport, protocol", [*STREAMS, ("http", "binary")])
def test_processes_that_share_a_client_get_their_own_replies(transport, protocol):
    def calls(client, first):
        return [client.twice(number) for number in range(first, first + 300)]

    with tl.serve(IDL, "Shop", Shop(), transport=transport, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol=protocol, timeout=600, pool=2
        ) as client:
            assert client.twice(1) == 2
            children = [
                in_child(lambda first=first: calls(client, first)) for first in (1000, 2000)
            ]
            assert calls(client, 0) == [2 * number for number in range(300)]
            assert [child() for child in children] == [
                [2 * number for number in range(first, first + 300)] for first in (1000, 2000)
            ]
            assert client.twice(7) == 14, "the connection of the parent is still open"
            wait_until(lambda: server.connections == 1)


@needs_fork
def test_a_child_does_not_wait_for_locks_of_threads_that_it_does_not_have():
    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        with tl.connect(
            server.address, IDL, transport="framed", protocol="binary", timeout=600
        ) as client:
            link = client._pool.links[0]
            with link._lock, link._sending, client._pool._lock:
                child = in_child(lambda: client.twice(4))
            assert child() == 8


@needs_fork
@pytest.mark.parametrize("is_new_loop", [False, True])
def test_an_asyncio_client_in_a_forked_child_opens_a_connection_of_its_own(is_new_loop):
    async def calls(client, first):
        return await asyncio.gather(*(client.twice(number) for number in range(first, first + 200)))

    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        loop = asyncio.new_event_loop()

        async def connect():
            return await tl.aio.connect(
                server.address, IDL, transport="framed", protocol="binary", timeout=600
            )

        client = loop.run_until_complete(connect())

        def work():
            return (asyncio.new_event_loop() if is_new_loop else loop).run_until_complete(
                calls(client, 1000)
            )

        child = in_child(work)
        assert loop.run_until_complete(calls(client, 0)) == [2 * number for number in range(200)]
        assert child() == [2 * number for number in range(1000, 1200)]
        assert loop.run_until_complete(client.twice(7)) == 14
        wait_until(lambda: server.connections == 1)
        loop.run_until_complete(client.close())
        loop.close()


@needs_fork
def test_a_fork_that_runs_no_hooks_is_seen_at_the_next_call(monkeypatch):
    from thriftlens._rpc import fork as _fork

    with tl.serve(IDL, "Shop", Shop(), transport="framed", background=True) as server:
        with tl.connect(
            server.address, IDL, transport="framed", protocol="binary", timeout=600
        ) as client:
            first_link = client._pool.links[0]
            monkeypatch.setattr(_fork, "_process", 1)  # as it looks in a child
            assert client.twice(4) == 8 and client._pool.links[0] is not first_link
