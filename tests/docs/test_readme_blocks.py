"""Every code block of every README.md and every page of docs/ runs, what is skipped is listed here;
so does every call of the table, and links are not dead."""

import contextlib
import importlib.util
import io
import itertools
import re
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location(
    "readme_blocks", Path(__file__).with_name("readme_blocks.py")
)
readme_blocks = sys.modules["readme_blocks"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(readme_blocks)

# File and reason of every block that is not run; the README must match.
SKIPPED = [
    ("README.md", "installs; scripts/test.sh and the consumers in tests/style do the same"),
    ("bench/README.md", "builds and runs for minutes"),
    ("docs/engines.md", "needs pandas; tests/python/test_polars.py runs it"),
    ("docs/engines.md", "needs DataFusion; tests/python/test_polars.py runs it"),
    ("docs/engines.md", "needs Spark; tests/python/test_spark.py runs it"),
    ("docs/engines.md", "needs Ray; tests/python/test_arrow.py runs it"),
    ("docs/engines.md", "needs a broker; tests/python/test_kafka.py runs it"),
    ("CONTRIBUTING.md", "builds and tests everything, for half an hour"),
    ("CONTRIBUTING.md", "builds for minutes"),
]

BLOCKS = [
    block
    for path in readme_blocks.readmes()
    for block in readme_blocks.blocks_of(
        path, (readme_blocks.ROOT / path).read_text(encoding="utf-8")
    )
]
sessions = {}


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.skip], ids=str)
def test_block(block, tmp_path_factory):
    if block.path not in sessions:
        sessions[block.path] = readme_blocks.Session(tmp_path_factory.mktemp("readme"))
    sessions[block.path].run(block)


def test_skips_are_few_and_listed():
    listed = [skip for skip in SKIPPED if (readme_blocks.ROOT / skip[0]).exists()]
    assert sorted((str(block.path), block.skip) for block in BLOCKS if block.skip) == sorted(listed)
    assert len(SKIPPED) <= 10


def table_of(page):
    table = (
        (readme_blocks.ROOT / page)
        .read_text(encoding="utf-8")
        .split("| I have | I want |")[1]
        .split("\n\n")[0]
    )
    return table.split("\n")[2:]


def test_the_front_page_has_eight_rows_of_the_table():
    assert len(table_of("README.md")) == 8
    assert set(table_of("README.md")) <= set(table_of("docs/calls.md"))


def calls_of_table(column):
    """The code in one column of the table `I have | I want | C++ | Python | shell`, a list per row
    that has some."""
    rows = [line.split("|")[3:] for line in table_of("docs/calls.md")]
    calls_by_row = [re.findall(r"`([^`]+)`", row[column]) for row in rows]
    return [calls for calls in calls_by_row if calls]


CPP, PYTHON, SHELL = range(3)
TABLE_PROGRAM = """
#include <thriftlens/json.hpp>
#include <thriftlens/json/bound.hpp>
#include <thriftlens/json/tjson.hpp>
#include <thriftlens/thriftlens.hpp>
#include <fstream>
#include <iterator>
namespace tl = thriftlens;
struct Point { std::int32_t x; };
template <> struct tl::binding<Point> : tl::fields<tl::field<1, &Point::x>> {};
std::string read(const char* name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
int main() {
  const std::string file = "idl/shop.thrift", base = read("idl/base.thrift");
  const std::string text = read("idl/shop.thrift"), bytes = read("idl/order.bin");
  const std::string json_text = read("idl/order.json"), point_json = R"({"x": 1})";
  const tl::schema schema = tl::schema::load(file);
  const tl::type order = schema.type("Order");
  const tl::schema small =
    tl::schema::parse("struct Times { 1: list<i64> times } struct Point { 1: i32 x }");
  const tl::type point_type = small.type("Point");
  const std::vector<tl::type> types{order, point_type};
  const tl::buffer some_times =
    tl::from_json<tl::binary>(small.type("Times"), R"({"times": [1, 2]})");
  const tl::view<tl::binary> an_order(bytes, order), times(some_times, small.type("Times"));
  const tl::view<tl::binary> a = an_order, b = an_order;
  const tl::selection selection = tl::selection::compile(order, "{ id user { name } }");
  tl::buffer message;
  tl::binary::writer writer(message);
  tl::message_header header{"get", tl::message_type::call, 7};
  tl::write_message(writer, header);
  tl::binary::reader reader(message);
  std::vector<tl::view<tl::binary>> found;
  const Point point{1};
"""


def test_table_calls_in_cpp(tmp_path):
    text = TABLE_PROGRAM
    for calls in calls_of_table(CPP):
        text += "{ tl::buffer out; tl::document document; tl::inference draft;\n"
        for call in calls:
            text += (
                f"  {{ const auto& view = "
                f"{'times' if 'times' in call else 'an_order'}; static_cast<void>(view);\n"
            )
            loop = re.match(r"for \(\S+ (\w+) :", call)
            text += (
                f"    {call} static_cast<void>({loop[1]}); }}\n"
                if loop
                else f"    static_cast<void>({call}); }}\n"
            )
        text += "}\n"
    run(tmp_path, f"```cpp\n{text}}}\n```")


def test_table_calls_in_python(tmp_path, monkeypatch):
    import thriftlens as tl
    from thriftlens._capture.recording_format import Writer

    readme_blocks.Session(tmp_path)
    monkeypatch.chdir(tmp_path)
    idl = tl.load("idl/shop.thrift")
    data = Path("idl/order.bin").read_bytes()
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.gz").touch()
    service = idl.service("Shop")
    message = tl.Message(
        "get", "call", 1, service.functions["get"].arguments.encode({"id": 1})
    ).to_bytes()
    Writer(recording := io.BytesIO())
    pyarrow = pytest.importorskip("pyarrow")
    parquet_file = io.BytesIO()
    __import__("pyarrow.parquet").parquet.write_table(pyarrow.table({"a": [1]}), parquet_file)
    names = {
        "tl": tl, "idl": idl, "parquet_file": parquet_file, "service": service, "message": message,
        "Order": idl.Order, "data": data, "a": data, "b": data, "obj": idl.Order.decode(data),
        "file": "idl/shop.thrift", "text": Path("idl/shop.thrift").read_text(),
        "base": Path("idl/base.thrift").read_text(),
        "json_text": Path("idl/order.json").read_text(), "recording": recording.getvalue(),
    }  # fmt: skip
    names["shop"] = {"get": lambda id: names["obj"]}
    with contextlib.ExitStack() as servers:
        names["address"] = servers.enter_context(
            contextlib.closing(tl.serve(idl, "Shop", names["shop"], background=True))
        ).address
        for call in itertools.chain.from_iterable(calls_of_table(PYTHON)):
            server = eval(call, names)
            if "tl.serve" in call:
                servers.enter_context(contextlib.closing(server))


@pytest.mark.parametrize(
    "call",
    [call for calls in calls_of_table(SHELL) for call in calls if call.startswith("thriftlens")],
)
def test_table_calls_in_shell(tmp_path, call):
    file = {
        (True, True): "orders.jsonl",
        (True, False): "orders.frames",
        (False, True): "order.json",
    }.get(("--lines" in call, "from-json" in call), "order.bin")
    arguments = {
        "IDL": "idl/shop.thrift",
        "TYPE": "Order",
        "PATH": "'$.debug'",
        "JSON": "'\"x\"'",
        "SELECTION": "'{ id }'",
        "FILE": f"idl/{file}",
        "A": "idl/order.bin",
        "B": "idl/order.bin",
        "OUT": "out",
    }
    command = " ".join(
        arguments.get(argument, argument)
        for argument in call.replace("[", "").replace("]", "").split(" ")
    )
    readme_blocks.Session(tmp_path).call("bash", "-euo", "pipefail", "-c", command)


def test_links_are_valid():
    prose = {
        path: re.sub(
            r"^```.*?^```",
            "",
            (readme_blocks.ROOT / path).read_text(encoding="utf-8"),
            flags=re.M | re.S,
        )
        for path in readme_blocks.readmes()
    }
    dead = [
        f"{path}: {target}"
        for path, text in prose.items()
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text)
        if not target.startswith("https://")
        and not (readme_blocks.ROOT / path.parent / target).exists()
    ]
    assert not dead


def run(tmp_path, text):
    session = readme_blocks.Session(tmp_path)
    for block in readme_blocks.blocks_of(Path("x.md"), text):
        session.run(block)


GOOD = """
```python
total = 1
```
text
```python
assert total == 1 and open("order.json").read() == open("idl/order.json").read()
```
<!-- file: made/a.txt -->
```text
hello
```
```sh
grep -q hello made/a.txt
```
```console
$ echo one; echo two; echo three
one
...
three
$ cat made/a.txt
hello
```
```cpp
#include <cstdio>
struct point {
  int x;
};
auto p = point{1};
```
<!-- continues -->
```cpp
if (p.x != 1) {
  return 1;
}
std::puts("one\\ntwo");
```
<!-- output -->
```text
one
...
```
```python
print(total)
```
<!-- output -->
```text
1
```
```json
{"a": 1}
```
<!-- skip: cannot run -->
```sh
exit 1
```
"""


def test_runner_runs_good_blocks(tmp_path):
    run(tmp_path, GOOD)


@pytest.mark.parametrize("text", [
    "```python\nassert False\n```", "```sh\nfalse\ntrue\n```", "```bash\nfalse\n```",
    "```console\n$ echo one\ntwo\n```", "```console\n$ false\n```", "```cpp\nint x = missing;\n```",
    "```cpp\nint main() { return 3; }\n```", "```cpp\nreturn 3;\n```", "```json\n{a: 1}\n```",
    "```python\nprint(1)\n```\n<!-- output -->\n```text\n2\n```",
    "```cpp\nint main() {}\n```\n<!-- output -->\n```text\n2\n```",
    "```python\nprint(1)\n```\n```python\nx = 1\n```\n<!-- output -->\n```text\n1\n```",
    "```python\nx = 1\n",
])  # fmt: skip
def test_runner_notices_bad_blocks(tmp_path, text):
    with pytest.raises(Exception):
        run(tmp_path, text)
