"""The built-in pages."""

import pytest


def test_pages(fetch, upstream):
    assert fetch("GET", "/healthz").json() == {"status": "ok"}
    assert fetch("GET", "/readyz").json() == {"status": "ok", "upstreams": {"Shop": "ok"}}
    ready = fetch("GET", "/readyz", upstream="127.0.0.1:1", transport="framed", protocol="binary")
    assert ready.status == 503 and "refused" in ready.json()["upstreams"]["Shop"]
    assert fetch("GET", "/healthz", upstream="127.0.0.1:1").status == 200
    assert fetch("GET", "/_/healthz", pages="/_").status == 200
    assert fetch("GET", "/healthz", pages="/_").status == 404
    assert fetch("GET", "/healthz", pages=None).status == 404
    assert fetch("HEAD", "/healthz").body == b""


def test_the_documentation_page_loads_no_foreign_resources(fetch):
    pytest.importorskip("swagger_ui")
    page = fetch("GET", "/docs")
    assert b"http" not in page.body.replace(b"http-equiv", b"")
    assert "default-src 'self'" in page.headers["content-security-policy"]
    for name in ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png", "start.js"):
        assert f"docs/{name}".encode() in page.body and fetch("GET", f"/docs/{name}").status == 200
    for name in (
        "../pyproject.toml", "%2e%2e/core.py", "index.html", "", "swagger-ui.css/../../core.py",
    ):  # fmt: skip
        assert fetch("GET", f"/docs/{name}").status == 404
