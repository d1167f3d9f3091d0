"""Connections whose calls are interrupted."""

import itertools
import sys
import threading

import pytest
import thriftlens as tl
from safe_clients import IDL, STREAMS, HalfSocket, Interrupted, Shop


@pytest.mark.parametrize("transport, protocol", STREAMS)
@pytest.mark.parametrize("size", [0, 3, 10])
def test_an_interrupted_send_closes_the_connection(transport, protocol, size):
    shop = Shop()
    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol=protocol, timeout=600
        ) as client:
            link = client._pool.links[0]
            link._socket = HalfSocket(link._socket, size)
            with pytest.raises(Interrupted):
                client.twice(1)
            assert link.fault is not None and link.in_flight == 0
            assert (
                client.twice(2) == 4
                and client._pool.links == [client._pool.links[0]]
                and client._pool.links[0] is not link
            )
        assert shop.numbers == [2]


def interrupt_at(number, files):
    """A trace function that raises at the nth line of the given files.

    At `with` and `try` it does not: no signal handler runs there."""
    lines = itertools.count(1)

    def trace(frame, event, argument):
        if not frame.f_code.co_filename.endswith(files):
            return None
        if (
            event == "line"
            and not source_line(frame).startswith(("with ", "try:"))
            and next(lines) == number
        ):
            sys.settrace(None)
            raise Interrupted
        return trace

    return trace


def source_line(frame):
    import linecache

    return linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()


@pytest.mark.skipif(sys.gettrace() is not None, reason="lines are traced already")
@pytest.mark.parametrize("transport", ["framed", "http"])
def test_an_exception_at_any_line_of_a_call_leaves_a_client_that_works(transport):
    shop = Shop()
    files = ("_rpc/client.py", "_rpc/link.py", "_rpc/http_transport.py")
    with tl.serve(IDL, "Shop", shop, transport=transport, background=True) as server:
        with tl.connect(
            server.address, IDL, transport=transport, protocol="binary", timeout=600
        ) as client:
            for number in itertools.count(1):
                del shop.numbers[:]
                outcomes = []

                def traced_call(number=number, outcomes=outcomes):
                    sys.settrace(interrupt_at(number, files))
                    try:
                        outcomes.append(client.twice(number))
                    except Interrupted:
                        outcomes.append(None)
                    finally:
                        sys.settrace(None)

                # In a thread of its own: CPython leaves the exception that was being handled in the
                # thread's state.
                thread = threading.Thread(target=traced_call)
                thread.start()
                thread.join(600)
                [outcome] = outcomes
                from_thread = []
                thread = threading.Thread(target=lambda: from_thread.append(client.twice(-number)))
                thread.start()
                thread.join(600)
                assert from_thread == [-2 * number], number
                assert shop.numbers in ([number, -number], [-number]), (
                    "every call is executed at most once"
                )
                assert (
                    not any(link.in_flight for link in client._pool.links)
                    and len(client._pool.links) == 1
                )
                if outcome is not None:
                    break
            assert number > 30 and outcome == 2 * number
