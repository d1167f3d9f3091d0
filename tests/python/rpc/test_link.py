"""Connections whose calls are interrupted."""

import dis
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
            assert client.twice(2) == 4 and client._pool.links == [client._pool.links[0]]
            assert client._pool.links[0] is not link
        assert shop.numbers == [2]


def interrupt_at(number, files):
    """A trace function that raises at the nth boundary of instructions of the given files where a
    signal handler may run: after a call, at the start of a function and of a repetition."""
    boundaries = itertools.count(1)
    previous = {}

    def trace(frame, event, argument):
        if not frame.f_code.co_filename.endswith(files):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            last = previous.get(frame, "RESUME")
            previous[frame] = dis.opname[frame.f_code.co_code[frame.f_lasti]]
            if last.startswith(BOUNDARIES) and next(boundaries) == number:
                sys.settrace(None)
                raise Interrupted
        return trace

    return trace


BOUNDARIES = ("CALL", "JUMP_BACKWARD", "RESUME")


@pytest.mark.skipif(sys.gettrace() is not None, reason="lines are traced already")
@pytest.mark.skipif(sys.version_info < (3, 11), reason="names of instructions since 3.11")
@pytest.mark.parametrize("transport", ["framed", "http"])
def test_an_exception_at_any_instruction_of_a_call_leaves_a_client_that_works(transport):
    shop = Shop()
    files = ("_rpc/client.py", "_rpc/link.py", "_rpc/http_transport.py", "_rpc/pool.py",
             "_rpc/turns.py", "_rpc/calls.py")  # fmt: skip
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
                assert not any(link.in_flight for link in client._pool.links)
                assert len(client._pool.links) == 1
                if outcome is not None:
                    break
            assert number > 40 and outcome == 2 * number
