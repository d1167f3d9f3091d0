"""Forms with files."""

import pytest
from gateway_answers import problem


def form(*parts):
    head = b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n%s\r\n%s\r\n'
    return b"".join(head % part for part in parts) + b"--x--\r\n"


FILE = (b"file", b'; filename="a.bin"', b"Content-Type: image/png\r\n", bytes(range(256)))
MULTIPART = {"content-type": "multipart/form-data; boundary=x"}
URLENCODED = {"content-type": "application/x-www-form-urlencoded"}


def test_forms(fetch, shop):
    pytest.importorskip("python_multipart")
    text = (b"text", b'; filename="t.txt"', b"", "é & = +%".encode())
    body = form((b"title", b"", b"", b"a=b&c"), FILE, text)
    assert fetch("POST", "/files", MULTIPART, body).json() == 256
    assert shop.uploads == [{"title": "a=b&c", "file": bytes(range(256)), "text": "é & = +%"}]
    assert fetch("POST", "/files", URLENCODED, b"title=t&file=aGk%3D").json() == 2
    assert fetch("POST", "/notes", URLENCODED, b"text=t").status == 202
    assert fetch("POST", "/files", MULTIPART, form(FILE), plan={"binary": "raw"}).json() == 256


@pytest.mark.parametrize("headers,body", [
    (MULTIPART, form(FILE)[:-8]), ({"content-type": "multipart/form-data"}, form(FILE)),
    (MULTIPART, b"--y" + form(FILE)[3:]),
    (MULTIPART, form((b"text", b'; filename="t"', b"", b"\xff"), FILE)),
])  # fmt: skip
def test_bad_forms(fetch, shop, headers, body):
    pytest.importorskip("python_multipart")
    assert fetch("POST", "/files", headers, body).status == 400 and not shop.uploads


@pytest.mark.parametrize("headers,path,body", [
    (URLENCODED, "/orders", b"id=1"), (URLENCODED, "/notes", b' {"text": "t"}'),
    (MULTIPART, "/orders", form((b"id", b"", b"", b"1"))),
])  # fmt: skip
def test_a_form_that_is_not_read(fetch, shop, headers, path, body):
    result = problem(fetch("POST", path, headers, body), 415, "content_type")
    assert headers["content-type"].partition(";")[0] in result["detail"] and not shop.notes


def test_without_the_package_for_files(fetch, shop, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "python_multipart", None)
    result = problem(fetch("POST", "/files", MULTIPART, form(FILE)), 501, "missing_package")
    assert "thriftlens[gateway]" in result["detail"]
    assert fetch("POST", "/files", MULTIPART, form((b"file", b"", b"", b"aGk="))).json() == 2
