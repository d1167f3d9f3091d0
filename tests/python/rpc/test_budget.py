"""Bounds of the bytes that the connections of a server hold."""

import asyncio
import contextlib
import socket
import threading

import pytest
import thriftlens as tl
from raw_sockets import connect_to, read_message, wait_until
from server_peers import HANDLER, IDL, MIB, SHOP, frame_with_persistent, message, state_of
from thriftlens._rpc import budget as _budget


class Load:
    """Connections of a budget."""

    def __init__(self, count, limit=1000):
        self.accounts = [_budget.Account() for _ in range(count)]
        self.budget = _budget.Budget(limit, lambda: count)


def test_small_requests_may_overtake_large_ones():
    async def main():
        load = Load(4)
        large, small = load.accounts[:2]
        await load.budget.reserve(large, 900)
        waiting = asyncio.ensure_future(load.budget.reserve(large, 900))
        await asyncio.sleep(0)
        assert not waiting.done()
        within = 200  # its share is 250
        assert (await asyncio.wait_for(load.budget.reserve(small, within), 600)).size == within
        load.budget.release_reserved(small, within)
        assert not waiting.done()
        load.budget.release_reserved(large, 900)
        assert (await asyncio.wait_for(waiting, 600)).size == 900
        cancelled = asyncio.ensure_future(load.budget.reserve(large, 900))
        await asyncio.sleep(0)
        cancelled.cancel()
        await asyncio.wait({cancelled})
        waiting = [asyncio.ensure_future(load.budget.reserve(large, 900)) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        load.budget.hold(small, 10)
        load.budget.release(small, 10)  # wakes before the one that is cancelled runs
        await asyncio.wait({waiting[0]})
        waiting[1].cancel()
        await asyncio.wait({waiting[1]})
        load.budget.release_reserved(large, 900)
        assert load.budget.total == large.total == small.total == 0

    asyncio.run(main())


def test_one_request_is_always_admitted():
    async def main():
        load = Load(1, limit=100)
        load.budget.hold(load.accounts[0], 100)
        reservation = await asyncio.wait_for(load.budget.reserve(load.accounts[0], 5000), 600)
        assert reservation.size == 100

    asyncio.run(main())


def test_a_budget_closes_connections_that_fill_half_of_it_with_partial_messages():
    load = Load(4)
    account, other = load.accounts[:2]
    assert load.budget.set_arriving(account, 400) and load.budget.set_arriving(other, 100)
    assert load.budget.set_arriving(other, 150), "half is full, and this is less than its share"
    assert not load.budget.set_arriving(account, 410)
    load.budget.forget(account)
    assert load.budget.set_arriving(other, 500) and load.budget.total == 500


def test_partial_messages_of_many_connections_are_bounded(caplog):
    limits = {"frame_size": MIB, "in_flight": 4 * MIB}
    with tl.serve(IDL, "Shop", HANDLER, background=True, limits=limits) as server:
        with connect_to(server) as patient:
            patient.sendall(message("get", {"id": 1}))
            assert read_message(patient, SHOP).decode() == {"success": 1}
            streams = [connect_to(server) for _ in range(20)]
            for stream in streams:
                with contextlib.suppress(OSError):
                    stream.sendall(
                        MIB.to_bytes(4, "big")
                        + message("put", {"data": b""})[4:-5]
                        + bytes(900_000)
                    )
            wait_until(lambda: server.connections < 15)
            assert state_of(server).budget.total < 8 * MIB
            patient.sendall(message("get", {"id": 2}))
            assert read_message(patient, SHOP).decode() == {"success": 2}
            for stream in streams:
                stream.close()
            wait_until(lambda: state_of(server).budget.total == 0)
    assert "partial messages" in caplog.text


def test_unread_replies_are_bounded(caplog):
    limits = {"in_flight": 4 * MIB, "frame_size": MIB, "calls": 2}
    with tl.serve(IDL, "Shop", HANDLER, background=True, limits=limits) as server:
        with connect_to(server) as patient:
            streams = [connect_to(server) for _ in range(12)]
            for stream in streams:
                stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                with contextlib.suppress(OSError):
                    stream.sendall(message("large", {"size": 8 * MIB}))
            wait_until(lambda: "unread replies" in caplog.text)
            patient.sendall(message("get", {"id": 2}))
            assert read_message(patient, SHOP).decode() == {"success": 2}
            for stream in streams:
                stream.close()
            wait_until(lambda: state_of(server).budget.total == 0)


def test_calls_wait_while_the_budget_is_exhausted():
    """A client that sends more than its share is not read from; another one is served."""
    go_on = threading.Event()
    handler = {**HANDLER, "put": lambda data: go_on.wait() and len(data)}
    limits = {"frame_size": MIB, "in_flight": 4 * MIB, "calls": 1000}
    with tl.serve(
        IDL, "Shop", handler, background=True, threads=2, limits=limits, arguments="view"
    ) as server:
        with connect_to(server) as greedy, connect_to(server) as patient:

            def send():
                for number in range(50):
                    greedy.sendall(message("put", {"data": bytes(500_000)}, number))

            sender = threading.Thread(target=send)
            sender.start()
            wait_until(lambda: state_of(server).budget.total > 3 * MIB)
            session = state_of(server)
            patient.sendall(message("note", {"text": b""}) + message("put", {"data": b"xy"}))
            wait_until(lambda: len(session.executor.pool._queue._jobs) > 0)
            assert session.budget.total < 9 * MIB
            go_on.set()
            assert [read_message(greedy, SHOP).sequence_id for _ in range(50)] == list(range(50))
            assert read_message(patient, SHOP).decode() == {"success": 2}
            sender.join()
        wait_until(lambda: session.budget.total == 0)


def test_persistent_headers_are_bounded_together():
    payload = message("get", {"id": 1})[4:]
    session = tl._core.Session("server", transport="header", header_size=10_000)
    for number in range(9):
        session.feed(frame_with_persistent([(b"key%d" % number, b"x" * 1000)], payload))
        event = session.next()
        assert len(event.headers) == number + 1
    session.feed(frame_with_persistent([(b"key8", b"y" * 1500)], payload))
    assert session.next().headers["key8"] == "y" * 1500
    session.feed(frame_with_persistent([(b"key9", b"x" * 1000)], payload))
    with pytest.raises(tl.DecodeError, match="persistent headers"):
        session.next()
