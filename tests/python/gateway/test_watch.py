"""Reloads when the files of the IDL change."""

import asyncio
import os

import thriftlens as tl
from gateway_answers import KNOWN


def test_watching_the_files(tmp_path, monkeypatch):
    from thriftlens._http.gateway import watch as _watch

    (tmp_path / "a.thrift").write_text("struct A {}")
    first = _watch.signature_of([tmp_path])
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "b.thrift").write_text("struct B {}")
    assert _watch.signature_of([tmp_path]) != first
    assert {os.path.basename(entry[0]) for entry in first} == {"a.thrift"}

    async def main():
        looks, outcomes, loads, all_reloaded = (
            iter([1, 1, 2, 2, 3, 3, 4]),
            iter([None, ValueError("bad"), None]),
            [],
            asyncio.Event(),
        )

        def reload():
            loads.append(1)
            outcome = next(outcomes)
            if len(loads) == 3:
                loop.call_soon_threadsafe(all_reloaded.set)
            if outcome:
                raise outcome

        loop = asyncio.get_running_loop()
        task = asyncio.ensure_future(
            _watch.watch([], 1, 0.001, reload, lambda folders: next(looks, 4))
        )
        await asyncio.wait_for(all_reloaded.wait(), 600)
        task.cancel()

    asyncio.run(main())


def test_a_mounted_gateway_watches_from_its_first_request_on(ask, tmp_path):
    """Applications around do not pass the lifespan on; what has changed before is seen too."""
    file = tmp_path / "a.thrift"
    file.write_text('service S { void a() (api.get="/a") }')

    async def main():
        app = tl.gateway(file, upstream="127.0.0.1:1", watch=0.001, **KNOWN)
        file.write_text('service S { void a() (api.get="/other") }')
        while (await ask(app, "GET", "/other")).status == 404:
            await asyncio.sleep(0.001)
        await app.close()
        assert (await ask(app, "GET", "/other")).status == 502 and app._watching is None

    asyncio.run(asyncio.wait_for(main(), 600))
