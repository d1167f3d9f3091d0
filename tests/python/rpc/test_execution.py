"""Execution of calls in threads."""

import threading

import pytest
import thriftlens as tl
from raw_sockets import wait_until
from server_peers import HANDLER, IDL, SHOP, state_of
from thriftlens._rpc import threads as _threads


def test_a_job_that_is_cancelled_leaves_the_queue_with_its_arguments():
    import weakref

    class Argument:
        pass

    threads, go_on, begun = _threads.Threads(1, "hands"), threading.Event(), threading.Event()
    busy = threads.submit(lambda: begun.set() or go_on.wait(600))
    assert begun.wait(600)
    argument = Argument()
    gone = weakref.ref(argument)
    future = threads.submit(print, argument)
    del argument
    assert future.cancel()
    assert gone() is None
    go_on.set()
    assert busy.result(600) and threads.submit(int).result(600) == 0


@pytest.mark.parametrize("handler", ["plain", "coroutine"])
def test_a_large_call_is_not_decoded_in_the_event_loop(handler, monkeypatch):
    """Nor in one go: other threads can run at the same time."""
    seen = []

    async def later(items):
        return len(items)

    with tl.serve(
        IDL, "Shop", {**HANDLER, "many": later if handler == "coroutine" else len}, background=True
    ) as server:
        handler = state_of(server).router.find("many")
        decode = handler.decode_arguments
        monkeypatch.setattr(
            handler,
            "decode_arguments",
            lambda event: seen.append(threading.current_thread().name) or decode(event),
        )
        with tl.connect(
            server.address, IDL, transport="framed", protocol="compact", timeout=600
        ) as client:
            assert client.many([{}] * 100_000) == 100_000
    assert len(seen) == 1 and seen[0].startswith("thriftlens ") and seen[0] != "thriftlens server"


def test_other_threads_run_while_a_large_value_is_decoded():
    decode = SHOP.function("many").arguments.decoder(protocol="compact")._decode_counted
    data = SHOP.function("many").arguments.encode({"items": [{}] * 2_000_000}, protocol="compact")
    turns, is_over = 0, threading.Event()

    def count():
        nonlocal turns
        while not is_over.is_set():
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    wait_until(lambda: turns > 0)
    last_turn = turns
    value, size = decode(data)
    assert len(value["items"]) == 2_000_000 and 64 * 2_000_000 <= size <= 100 * 2_000_000
    next_turn = turns
    is_over.set()
    thread.join()
    assert next_turn > last_turn


def test_the_memory_of_decoded_arguments_is_bounded():
    with tl.serve(IDL, "Shop", HANDLER, background=True, limits={"arguments": 1 << 20}) as server:
        with tl.connect(
            server.address, IDL, transport="framed", protocol="compact", timeout=600
        ) as client:
            with pytest.raises(tl.ApplicationError, match=r"limits\['arguments'\]") as caught:
                client.many([{}] * 100_000)
            assert caught.value.code == "protocol_error"
            assert client.many([{}] * 1000) == 1000
