"""The metrics of a gateway."""

import asyncio

import pytest
import thriftlens as tl


def test_metrics(ask, upstream, idl_file):
    parser = pytest.importorskip("prometheus_client.parser")

    async def main():
        app = tl.gateway(idl_file, upstream=upstream)
        for target in ("/orders/7", "/orders/8", "/orders/x", "/nothing/1", "/nothing/2"):
            await ask(app, "GET", target)
        app.reload()
        answer = await ask(app, "GET", "/metrics")
        await app.close()
        return answer

    answer = asyncio.run(main())
    samples = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in parser.text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }

    def value(name, **labels):
        return samples[f"thriftlens_gateway_{name}", tuple(sorted(labels.items()))]

    assert value("requests_total", method="GET", route="/orders/:id", status="200") == 2
    assert value("requests_total", method="GET", route="/orders/:id", status="400") == 1
    assert value("requests_total", method="", route="", status="404") == 2
    assert (
        value("seconds_count", method="GET", route="/orders/:id")
        == 3
        == value("seconds_bucket", method="GET", route="/orders/:id", le="+Inf")
    )
    assert value("reloads_total", outcome="ok") == 1 and value("in_flight") == 1
