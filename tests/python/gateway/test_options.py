"""Checks of the options and limits of the gateway."""

import asyncio

import pytest
import thriftlens as tl
from gateway_answers import KNOWN, problem, role


def test_invalid_options_are_errors_at_startup(idl, idl_file):
    def refused(message, error=ValueError, **options):
        with pytest.raises(error, match=message):
            tl.gateway(options.pop("idl", idl_file), **{"upstream": "127.0.0.1:1", **options})

    refused("did you mean 'body'", limits={"boddy": 1})
    refused("integer from 1", limits={"body": 0})
    refused("above 0", limits={"body_seconds": float("nan")})
    refused("used together", roles=role)
    refused("Schema", idl=idl, watch=1.0)
    refused("no service|Shopp", service="Shopp")
    refused(
        "no upstream",
        upstream={"Shop": "127.0.0.1:1"},
        service=["Shop", "Shop2"],
        idl=tl.loads("service Shop {} service Shop2 {}"),
    )
    refused("no routes", idl=tl.loads("service S { void a() }"))
    refused("missing port", upstream="nowhere")
    refused("slash", pages="/_/")
    refused("list of header names", carry="x-user", error=TypeError)
    for options in ({"timeout": 0}, {"timeout": None}, {"watch": True}, {"pool": 1.5}):
        refused(f"{list(options)[0]} must be", error=(tl.UsageError, TypeError), **options)
    refused("transport must be", transport="framd")
    refused("page of the gateway", idl=tl.loads('service S { void a() (api.get="/docs") }'))
    refused(
        "same paths|/a/:y",
        idl=tl.loads(
            'service S { void a(1: i32 x) (api.get="/a/:x") void b(1: i32 y) (api.get="/a/:y") }'
        ),
    )
    refused("unknwn|unknown", plan={"unknwn": "drop"}, error=Exception)
    refused("address", upstream={"Shop": {"adress": "x"}})


def test_a_reply_beyond_the_limit(fetch):
    problem(fetch("GET", "/orders?size=1000", limits={"reply": 1000}, **KNOWN), 502)


@pytest.mark.parametrize("options,status,limits", [
    ({"body": b"x" * 101}, 413, {"body": 100}),
    ({"headers": {"content-length": "999999999999"}, "chunks": [b""]}, 413, {"body": 100}),
    ({"chunks": [b"x" * 60, b"x" * 60]}, 413, {"body": 100}),
    ({"headers": {"x": "y" * 200}}, 431, {"headers": 100}),
    ({"headers": {f"x{n}": "y" for n in range(6)}}, 431, {"header_count": 5}),
    ({"target": "/orders?" + "x" * 100}, 414, {"url": 100}),
    ({"body": b"[" * 5000}, 400, {}), ({"body": b'{"id":5,"tags":' + b"[" * 5000}, 400, {}),
])  # fmt: skip
def test_oversized_requests(fetch, shop, options, status, limits):
    problem(fetch("POST", options.pop("target", "/orders"), **options, limits=limits), status)
    assert not shop.get_counts


def test_a_body_that_does_not_arrive(fetch):
    async def never():
        await asyncio.get_running_loop().create_future()

    answer = fetch("POST", "/orders", chunks=[b"{", never], limits={"body_seconds": 0.05})
    problem(answer, 408, "timeout")
    assert answer.headers["connection"] == "close"


def test_too_many_concurrent_requests(ask, idl, idl_file):
    async def main():
        reached, go = asyncio.Event(), asyncio.Event()

        async def get(req):
            reached.set()
            await go.wait()
            return {"id": req["id"]}

        async with await tl.aio.serve(idl, "Shop", {"get": get}) as server:
            app = tl.gateway(idl_file, upstream=server.address, limits={"calls": 1}, **KNOWN)
            first = asyncio.ensure_future(ask(app, "GET", "/orders/1"))
            await reached.wait()
            refused = await ask(app, "GET", "/orders/2")
            problem(refused, 503, "busy")
            assert (
                refused.headers["retry-after"] == "1"
                and (await ask(app, "GET", "/healthz")).status == 200
            )
            go.set()
            assert (await first).status == 200 and (
                await ask(app, "GET", "/orders/3")
            ).status == 200
            await app.close()

    asyncio.run(main())
