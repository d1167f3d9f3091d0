"""Every code block of every README.md runs; what is skipped is listed here."""

import importlib.util
import sys
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("readme_blocks", Path(__file__).with_name("readme_blocks.py"))
readme_blocks = sys.modules["readme_blocks"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(readme_blocks)

# File and reason of each block that is not run; the README must say the same.
SKIPPED = [
    ("README.md", "installs; scripts/test.sh and the consumers in tests/house do the same"),
    ("bench/README.md", "builds and runs for minutes"),
]

BLOCKS = [block for path in readme_blocks.readmes()
          for block in readme_blocks.blocks_of(path, (readme_blocks.ROOT / path).read_text(encoding="utf-8"))]
sessions = {}


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.skip], ids=str)
def test_block(block, tmp_path_factory):
    if block.path not in sessions:
        sessions[block.path] = readme_blocks.Session(tmp_path_factory.mktemp("readme"))
    sessions[block.path].run(block)


def test_skips_are_few_and_listed():
    listed = [skip for skip in SKIPPED if (readme_blocks.ROOT / skip[0]).exists()]
    assert sorted((str(block.path), block.skip) for block in BLOCKS if block.skip) == sorted(listed)
    assert len(SKIPPED) <= 8


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
    "```python\nassert False\n```",
    "```sh\nfalse\ntrue\n```",
    "```bash\nfalse\n```",
    "```console\n$ echo one\ntwo\n```",
    "```console\n$ false\n```",
    "```cpp\nint x = missing;\n```",
    "```cpp\nint main() { return 3; }\n```",
    "```cpp\nreturn 3;\n```",
    "```json\n{a: 1}\n```",
    "```python\nx = 1\n",
])
def test_runner_notices_bad_blocks(tmp_path, text):
    with pytest.raises(Exception):
        run(tmp_path, text)
