"""Calls in flight of a server connection, without a socket."""

import asyncio
from types import SimpleNamespace

import pytest
import thriftlens as tl
from thriftlens._rpc.budget import Account
from thriftlens._rpc.handlers import HandlerOptions
from thriftlens._rpc.in_flight import CallsInFlight
from thriftlens._rpc.options import Limits
from thriftlens._rpc.router import Router
from thriftlens._rpc.server_state import ServerState

IDL = tl.loads("service S { i32 get(1: i32 a), oneway void note() }")
S = IDL.service("S")


class Connection:
    user, peer = None, "peer"
    is_http = is_lost = is_taking = False

    def __init__(self):
        self.session = tl._core.Session("server", transport="framed", protocol="binary")
        self.client = tl._core.Session("client", transport="framed", protocol="binary")
        self.stream = SimpleNamespace(is_closing=lambda: False)
        self.outgoing, self.replies, self.ended = [], [], 0

    def event(self, name, **arguments):
        function = S.functions[name]
        data = function.arguments.encode(arguments)
        self.session.feed(self.client.call(name, data, oneway=function.oneway)[1])
        return self.session.next()

    def flush(self):
        for reply in self.outgoing:
            self.client.feed(reply)
            event = self.client.next()
            self.replies.append((event.kind, S.functions["get"].result.decode(event.data)))
        self.outgoing.clear()

    def call_ended(self):
        self.ended += 1


def calls_of(handler, use, users=None):
    async def main():
        router = Router({"S": (S, handler)}, HandlerOptions(False, 1 << 20))
        loop = asyncio.get_running_loop()
        state = ServerState(loop, router, "framed", "binary", Limits(), None, users, 0)
        connection, account = Connection(), Account()
        calls = CallsInFlight(state, account, connection)
        await use(calls, connection)
        assert state.budget.total == account.total == 0 and not calls.running

    asyncio.run(main())


def test_replies_are_sent_in_the_order_of_the_calls():
    release = {}

    async def get(a):
        release[a] = asyncio.get_running_loop().create_future()
        await release[a]
        return a

    async def use(calls, connection):
        for number in (1, 2):
            calls.start(connection.event("get", a=number))
        while len(release) < 2:
            await asyncio.sleep(0)
        release[2].set_result(None)
        while len(calls.running) == 2:
            await asyncio.sleep(0)
        assert connection.replies == [] and len(calls.unsent) == 2
        release[1].set_result(None)
        while calls.running:
            await asyncio.sleep(0)
        assert connection.replies == [("reply", {"success": 1}), ("reply", {"success": 2})]
        assert connection.ended == 2

    calls_of({"get": get}, use)


def test_plain_functions_run_in_the_loop_without_threads():
    async def use(calls, connection):
        calls.start(connection.event("get", a=3))
        assert connection.replies == [("reply", {"success": 3})]

    calls_of({"get": lambda a: a}, use)


def test_cancelled_calls_are_not_answered():
    async def get(a):
        await asyncio.get_running_loop().create_future()

    async def use(calls, connection):
        calls.start(connection.event("get", a=1))
        await asyncio.sleep(0)
        calls.cancel(lambda call: call is not None)
        calls.drop_unsent(skip_replies=True)
        await asyncio.sleep(0)
        assert connection.replies == [] and not calls.unsent

    calls_of({"get": get}, use)


def test_a_oneway_call_has_no_reply():
    noted = []

    async def use(calls, connection):
        calls.start(connection.event("note"))
        assert noted == [1] and not calls.unsent and connection.replies == []

    calls_of({"note": lambda: noted.append(1)}, use)


def test_a_call_without_a_required_user_is_refused():
    async def use(calls, connection):
        with pytest.raises(tl.DecodeError, match="has no user") as caught:
            calls.start(connection.event("get", a=1))
        assert caught.value.code == "refused"

    calls_of({"get": lambda a: a}, use, users=object())
