"""The page to try a gateway, in headless Chromium: it lists the routes and calls one.

Driven by chromedriver, by its own protocol (WebDriver)."""

import base64
import contextlib
import json
import shutil
import subprocess
import urllib.request

import pytest
import thriftlens as tl

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None, reason="needs Chromium and chromedriver"
)


class Browser:
    """One session of WebDriver."""

    def __init__(self, driver):
        self.base = driver
        options = {
            "binary": CHROMIUM,
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--window-size=1200,1500",
            ],
        }
        session = self.send(
            "POST",
            "/session",
            {
                "capabilities": {
                    "alwaysMatch": {
                        "goog:chromeOptions": options,
                        "goog:loggingPrefs": {"browser": "ALL"},
                    }
                }
            },
        )
        self.base = f"{driver}/session/{session['sessionId']}"
        self.send("POST", "/timeouts", {"implicit": 30000, "pageLoad": 60000, "script": 60000})

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.base + path, data, {"content-type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def find(self, css):
        """The first that fits; waits for it."""
        return next(
            iter(self.send("POST", "/element", {"using": "css selector", "value": css}).values())
        )

    def click(self, css):
        self.send("POST", f"/element/{self.find(css)}/click", {})

    def type(self, css, text):
        self.send("POST", f"/element/{self.find(css)}/value", {"text": text})

    def run(self, script):
        return self.send("POST", "/execute/sync", {"script": script, "args": []})


@pytest.fixture
def browser():
    with subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            for line in process.stdout:
                if "started successfully on port" in line:
                    break
            browser = Browser(f"http://127.0.0.1:{line.rstrip().rstrip('.').rpartition(' ')[2]}")
            yield browser
            with contextlib.suppress(OSError):
                browser.send("DELETE", "")
        finally:
            process.terminate()


def test_it_lists_the_routes_and_calls_one(serving, browser, idl_file, upstream, shop, tmp_path):
    pytest.importorskip("swagger_ui")
    app = tl.gateway(idl_file, upstream=upstream)
    host, port = serving(app)
    browser.send("POST", "/url", {"url": f"http://{host}:{port}/docs"})
    browser.find(".opblock")
    listed = browser.run(
        "return [...document.querySelectorAll('.opblock')].map(e => "
        "[e.querySelector('.opblock-summary-method').innerText, "
        "e.querySelector('.opblock-summary-path').dataset.path])"
    )
    result = sorted(map(tuple, listed))
    assert result == sorted((method, path.replace(":id", "{id}")) for method, path, _ in app.routes)
    browser.click("#operations-Shop-Shop_get .opblock-summary-control")
    browser.type("#operations-Shop-Shop_get tr[data-param-name=id] input", "7")
    browser.type("#operations-Shop-Shop_get tr[data-param-name=fields] input", "{id user{name}}")
    browser.click("#operations-Shop-Shop_get .execute")
    browser.find("#operations-Shop-Shop_get .live-responses-table .microlight")
    shown = browser.run(
        "return document.querySelector('#operations-Shop-Shop_get .live-responses-table').innerText"
    )
    (tmp_path / "page.png").write_bytes(base64.b64decode(browser.send("GET", "/screenshot")))
    assert "200" in shown and '"name": "Ann"' in shown and "phone" not in shown
    assert shop.get_counts == {7: 1}
    faults = [
        entry["message"]
        for entry in browser.send("POST", "/se/log", {"type": "browser"})
        if entry["level"] == "SEVERE"
    ]
    assert faults == []


def test_it_sends_a_file_to_a_mounted_gateway(serving, browser, idl_file, upstream, shop, tmp_path):
    pytest.importorskip("swagger_ui")
    pytest.importorskip("python_multipart")
    app = tl.gateway(idl_file, upstream=upstream)

    async def mounted(scope, receive, send):
        await app(
            {**scope, "root_path": "/shop"} if scope["type"] == "http" else scope, receive, send
        )

    host, port = serving(mounted)
    browser.send("POST", "/url", {"url": f"http://{host}:{port}/shop/docs"})
    (tmp_path / "a.bin").write_bytes(bytes(range(256)))
    browser.click("#operations-Shop-Shop_upload .opblock-summary-control")
    browser.type("#operations-Shop-Shop_upload input[type=file]", str(tmp_path / "a.bin"))
    browser.click("#operations-Shop-Shop_upload .execute")
    browser.find("#operations-Shop-Shop_upload .live-responses-table .microlight")
    shown = browser.run(
        "return document.querySelector('#operations-Shop-Shop_upload "
        ".live-responses-table').innerText"
    )
    assert "256" in shown and shop.uploads[0]["file"] == bytes(range(256))
