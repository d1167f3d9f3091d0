"""Built-in pages of a gateway: health, metrics, the OpenAPI document and Swagger UI."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from pathlib import Path
from typing import Mapping, Optional

from .answers import JSON, Answer, Refusal
from .metrics import Metrics
from .table import Table
from .upstream import Upstream

_NAMES = ("/healthz", "/readyz", "/metrics", "/openapi.json", "/docs")
_ASSETS = {
    "swagger-ui.css": b"text/css",
    "swagger-ui-bundle.js": b"text/javascript",
    "favicon-32x32.png": b"image/png",
}
_NO_STORE = (b"cache-control", b"no-store")
_POLICY = (
    b"content-security-policy",
    b"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"frame-ancestors 'none'",
)
_PAGE = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Try it</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css"></head>
<body><div id="swagger-ui"></div><script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script></body></html>
"""
_START = b"""window.ui = SwaggerUIBundle({
  url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true, validatorUrl: null,
  tryItOutEnabled: true, presets: [SwaggerUIBundle.presets.apis],
});
"""


class Pages:
    """The built-in pages below a path prefix. prefix: None: no such pages."""

    def __init__(self, prefix: Optional[str], metrics: Metrics):
        self.paths = frozenset() if prefix is None else frozenset(prefix + name for name in _NAMES)
        self._prefix = prefix
        self._metrics = metrics

    def route_of(self, path: str) -> str:
        """The route of a page for the metrics; empty if the path is not that of a page."""
        if path in self.paths:
            return path
        assets = f"{self._prefix}/docs/"
        return f"{assets}*" if self._prefix is not None and path.startswith(assets) else ""

    async def answer(self, method: str, path: str, table: Table, root: str) -> Answer:
        """The page at `path`, which has a route. root: the path where the gateway is mounted."""
        name = path[len(self._prefix or "") :]
        if method not in ("GET", "HEAD"):
            raise Refusal(
                405, "method_not_allowed", f"{name} supports only GET", [(b"allow", b"GET, HEAD")]
            )
        if name == "/healthz":
            return Answer(200, [JSON, _NO_STORE], b'{"status":"ok"}')
        if name == "/readyz":
            return await _ready(table.upstreams)
        if name == "/metrics":
            return self._metrics.answer(table.upstreams)
        if name == "/openapi.json":
            return Answer(200, [JSON], table.openapi(root))
        if name == "/docs":
            return Answer(200, [(b"content-type", b"text/html; charset=utf-8"), _POLICY], _PAGE)
        return _asset(name[len("/docs/") :])


async def _ready(upstreams: Mapping[str, Upstream]) -> Answer:
    """Ready if every upstream can be reached."""
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
        text = "the page needs swagger-ui-py: pip install 'thriftlens[gateway]'"
        raise Refusal(501, "missing_package", text)
    headers = [(b"content-type", kind), (b"cache-control", b"max-age=3600")]
    return Answer(200, headers, (folder / name).read_bytes())


def _folder() -> Optional[Path]:
    """Folder of Swagger UI in swagger-ui-py; found without importing the package."""
    spec = importlib.util.find_spec("swagger_ui")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "static"
