"""The page that `thriftlens inspect --html` writes: what is in it, and, where Chromium is
installed, what a reader sees."""

import base64
import html
import json
import re
import shutil
import subprocess

import pytest
import thriftlens as tl

IDL = tl.loads(
    "struct Point { 1: i32 x, 2: string name, 3: list<Point> next, 4: map<string, i32> marks }"
)
VALUE = {
    "x": 7,
    "name": "</script><b>home</b>",
    "next": [{"x": 1}, {"x": 2, "name": "away"}],
    "marks": {"red": 3},
}
DATA = IDL.Point.encode(VALUE)
CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")


def content_of(page):
    return json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1]
    )


def seen(page, tmp_path, anchor=""):
    """The page's elements once it has drawn itself."""
    file = tmp_path / "page.html"
    file.write_bytes(page)
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1200,600",
        "--virtual-time-budget=5000",
        "--dump-dom",
        f"{file.as_uri()}#{anchor}",
    ]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True
    ).stdout.decode()


def rows(dom):
    """The texts of the rows without markup."""
    tree = dom.split('id="bytes"')[0].split('id="tree"')[1]
    return [
        html.unescape(re.sub(r"<[^>]*>", "", content))
        for content in re.findall(r'<div class="row[^>]*>(.*?)</div>', tree, re.S)
    ]


def lit(dom):
    """The bytes that are lit, in hex."""
    side = dom.split('id="bytes"')[1].split("<script")[0]
    return "".join(re.findall(r'<span class="lit" data-byte="\d+">([0-9a-f]{2})</span>', side))


def test_the_page_embeds_the_data_and_loads_no_resources(run):
    result = run("inspect", "-", "--html", input=DATA)
    assert (result.returncode, result.stderr) == (0, b"")
    page = result.stdout.decode()
    content = content_of(page)
    assert content["guess"].startswith("guess: Binary, one struct")
    assert base64.b64decode(content["bytes"]) == DATA
    expected = [{"heading": "", "tree": tl.inspect(DATA, protocol="binary"), "size": len(DATA)}]
    assert content["values"] == expected
    assert "</script><b>" not in page and page.count("</script>") == 2
    assert "default-src 'none'" in page and not re.findall(
        r"(?:src|href)=|https?:|@import|url\(",
        page.replace("default-src", "").replace("script-src", "").replace("style-src", ""),
    )


def test_the_page_of_many_values(run, tmp_path):
    out = tmp_path / "page.html"
    assert run("inspect", "-", "--html", "-o", out, input=DATA * 3).returncode == 0
    content = content_of(out.read_text())
    result = [value["heading"].split(",")[0] for value in content["values"]]
    assert result == ["record 0", "record 1", "record 2"]
    assert base64.b64decode(content["bytes"]) == DATA * 3
    decoded = run(
        "inspect", "-", "--html --framing none --protocol binary", input=DATA * 3
    ).stdout.decode()
    forced = content_of(decoded)
    assert len(forced["values"]) == 3 and forced["guess"] == "Binary, records (none)"


def test_a_broken_value_has_a_page_and_a_status(run):
    result = run("inspect", "-", "--html", "--protocol", "binary", input=DATA[:-4])
    assert result.returncode == 1 and b"the data ends" in result.stderr
    assert (
        content_of(result.stdout.decode())["values"][0]["tree"]
        .splitlines()[-1]
        .startswith("! the data ends")
    )


@in_browser
@pytest.mark.parametrize("protocol", ["binary", "compact"])
def test_a_reader_sees_the_tree_and_the_bytes_of_a_value(run, tmp_path, protocol):
    data = IDL.Point.encode(VALUE, protocol=protocol)
    page = run("inspect", "-", "--html", "--protocol", protocol, input=data).stdout
    dom = seen(page, tmp_path)
    lines = [line for line in tl.inspect(data, protocol=protocol).splitlines()]
    assert [row.replace("▾", "▾ ").split() for row in rows(dom)] == [
        [line[:8], *(["▾"] if is_holder(lines, i) else []), *line[8:].split()]
        for i, line in enumerate(lines)
    ]
    assert lit(dom) == ""
    name = data.index(b"</script>")
    field = IDL.Point.encode({"name": VALUE["name"]}, protocol=protocol)[
        :-1
    ]  # without the end of the struct
    assert bytes.fromhex(lit(seen(page, tmp_path, f"byte={name}")))[-len(field) + 1 :] == field[1:]
    last = {"x": 2, "name": "away"}
    inner = IDL.Point.encode(last, protocol=protocol)
    at = data.index(inner)
    assert bytes.fromhex(lit(seen(page, tmp_path, f"byte={at + len(inner) - 1}"))) == inner, (
        "the end belongs to the struct"
    )


def is_holder(lines, i):
    depth = [len(line) - len(line[8:].lstrip()) for line in lines]
    return i + 1 < len(lines) and depth[i + 1] > depth[i]


@in_browser
def test_deeper_levels_begin_folded(run, tmp_path):
    dom = seen(run("inspect", "-", "--html", "--levels", "1", input=DATA).stdout, tmp_path)
    assert len(rows(dom)) == 5 and sum("▸" in row for row in rows(dom)) == 2


@in_browser
def test_searching_the_page_selects_the_match(run, tmp_path):
    page = run("inspect", "-", "--html", input=DATA).stdout
    dom = seen(page, tmp_path, "find=AWAY")
    assert "1 of 1" in dom and bytes.fromhex(lit(dom)).endswith(b"away")
    result = re.search(r'id="found"[^>]*>([^<]*)<', seen(page, tmp_path, "find=elsewhere"))
    assert "nothing" in result[1]


@in_browser
def test_a_large_value_draws_only_what_is_seen(run, tmp_path):
    data = tl.loads("struct Many { 1: list<i32> all }").Many.encode({"all": list(range(200_000))})
    dom = seen(
        run("inspect", "-", "--html", "--protocol", "binary", input=data).stdout,
        tmp_path,
        "find=199999",
    )
    assert 10 < len(rows(dom)) < 100 and lit(dom) == "00030d3f"


@in_browser
def test_the_page_takes_a_theme_from_its_address(run, tmp_path):
    page = run("inspect", "-", "--html", input=DATA).stdout
    assert re.search(r'<html[^>]* data-theme="dark"', seen(page, tmp_path, "theme=dark"))
    assert "data-theme" not in seen(page, tmp_path).split("<style")[0]
