"""Built-in pages of a gateway: health, metrics, the OpenAPI document and Swagger UI."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from .answers import JSON, Answer, Refusal

if TYPE_CHECKING:
    from .app import Gateway

NAMES = ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs")
_ASSETS = {
    "swagger-ui.css": b"text/css",
    "swagger-ui-bundle.js": b"text/javascript",
    "favicon-32x32.png": b"image/png",
}
_NO_STORE = (b"cache-control", b"no-store")
_POLICY = (
    b"content-security-policy",
    b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
)
_PAGE = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Try it</title>
<link rel="icon" href="docs/favicon-32x32.png"><link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="docs/swagger-ui-bundle.js"></script><script src="docs/start.js"></script></body></html>
"""
_START = b"""window.ui = SwaggerUIBundle({
  url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null, tryItOutEnabled: true, presets: [SwaggerUIBundle.presets.apis],
});
"""


async def page_of(gateway: Gateway, method: str, name: str, root: str) -> Answer:
    """The page `name`, which is one of NAMES or begins with /docs/. root: the path where the
    gateway is mounted.
    """
    if method not in ("GET", "HEAD"):
        raise Refusal(405, "method_not_allowed", f"{name} answers GET", [(b"allow", b"GET, HEAD")])
    return await _page(gateway, name, root)


async def _page(gateway: Gateway, name: str, root: str) -> Answer:
    if name == "/healthz":
        return Answer(200, [JSON, _NO_STORE], b'{"status":"ok"}')
    if name == "/readyz":
        return await _ready(gateway)
    if name == "/metrics":
        return gateway.metrics.answer(gateway.upstreams)
    if name == "/openapi.json":
        return Answer(200, [JSON], gateway.openapi(root))
    if name == "/docs":
        return Answer(200, [(b"content-type", b"text/html; charset=utf-8"), _POLICY], _PAGE)
    return _asset(name[len("/docs/") :])


async def _ready(gateway: Gateway) -> Answer:
    """Ready if every upstream can be reached."""
    upstreams = gateway.upstreams
    faults = await asyncio.gather(*(upstream.check() for upstream in upstreams.values()))
    results = {name: fault or "ok" for name, fault in zip(upstreams, faults)}
    is_ready = not any(faults)
    body = json.dumps({"status": "ok" if is_ready else "not ready", "upstreams": results}).encode()
    return Answer(200 if is_ready else 503, [JSON, _NO_STORE], body)


def _asset(name: str) -> Answer:
    if name == "start.js":
        return Answer(200, [(b"content-type", b"text/javascript")], _START)
    kind = _ASSETS.get(name)
    if kind is None:
        raise Refusal(404, "not_found", "the gateway has no such page")
    folder = _folder()
    if folder is None:
        raise Refusal(
            501,
            "missing_package",
            "the page needs swagger-ui-py: pip install 'thriftlens[gateway]'",
        )
    return Answer(
        200,
        [(b"content-type", kind), (b"cache-control", b"max-age=3600")],
        (folder / name).read_bytes(),
    )


def _folder() -> Optional[Path]:
    """Folder of Swagger UI in swagger-ui-py; found without importing the package."""
    spec = importlib.util.find_spec("swagger_ui")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "static"
