"""The built-in pages, and the metrics."""

import asyncio

import pytest
import thriftlens as tl


def test_pages(fetch, upstream):
    assert fetch("GET", "/healthz").json() == {"status": "ok"}
    assert fetch("GET", "/readyz").json() == {"status": "ok", "upstreams": {"Shop": "ok"}}
    ready = fetch("GET", "/readyz", upstream="127.0.0.1:1", transport="framed", protocol="binary")
    assert ready.status == 503 and "refused" in ready.json()["upstreams"]["Shop"]
    assert fetch("GET", "/healthz", upstream="127.0.0.1:1").status == 200
    assert (
        fetch("GET", "/_/healthz", pages="/_").status == 200
        and fetch("GET", "/healthz", pages="/_").status == 404
    )
    assert fetch("GET", "/healthz", pages=None).status == 404
    assert fetch("HEAD", "/healthz").body == b""


def test_the_documentation_page_loads_no_foreign_resources(fetch):
    pytest.importorskip("swagger_ui")
    page = fetch("GET", "/docs")
    assert (
        b"http" not in page.body.replace(b"http-equiv", b"")
        and "default-src 'self'" in page.headers["content-security-policy"]
    )
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "start.js"):
        assert f"docs/{name}".encode() in page.body and fetch("GET", f"/docs/{name}").status == 200
    for name in (
        "../pyproject.toml",
        "%2e%2e/core.py",
        "index.html",
        "",
        "swagger-ui.css/../../core.py",
    ):
        assert fetch("GET", f"/docs/{name}").status == 404


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
