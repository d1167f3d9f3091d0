"""Collects the sources of the site: the pages of docs/, pages elsewhere in the tree, and the
generated reference.

    prepare.py OUT [--doxygen XML]      replaces OUT/; an XML folder of doxygen adds the C++
    reference

A relative link of a page leads to a file of the tree. In the site it leads to the page of that file
or, without one, to a copy of it.
"""

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

ELSEWHERE = {
    "bench/README.md": "benchmarks.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "idl/README.md": "sample-data.md",
    "examples/README.md": "examples.md",
}
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s#]*)(#[^)\s]*)?(\))")
FENCE = re.compile(r"^(```+|:::+).*?^\1\s*$", flags=re.M | re.S)


def pages():
    """Path of a page in the tree: name in the site."""
    pages = {f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))}
    pages.update({f"docs/site/{path.name}": path.name for path in sorted(HERE.glob("*.md"))})
    pages.update({path: name for path, name in ELSEWHERE.items() if (ROOT / path).exists()})
    return pages


def retarget(text, origin, site, copied):
    """The text with its relative links as the site has them; `copied` collects the files that are
    no pages.
    """

    def moved(match):
        opening, target, anchor, closing = match[1], match[2], match[3] or "", match[4]
        if not target or re.match(r"[a-z]+:", target):
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
        if path == "README.md":
            return f"{opening}index.md{closing}"
        if path in site:
            return f"{opening}{site[path]}{anchor}{closing}"
        if path.startswith("docs/site/"):
            return f"{opening}{path[len('docs/site/') :]}{anchor}{closing}"
        if path.startswith("docs/"):
            return f"{opening}{path[len('docs/') :]}{anchor}{closing}"
        if (ROOT / path).is_file() and path.endswith(
            ".md"
        ):  # a page that the navigation leaves out
            site[path] = path.replace("/", "-").lower()
            return f"{opening}{site[path]}{anchor}{closing}"
        if (ROOT / path).is_file():
            copied.add(path)
            return f"{opening}files/{path}{closing}"
        if (ROOT / path).is_dir():  # a folder is named, not shown
            return f"`{path}/`"
        raise SystemExit(f"{origin}: no such file: {target}")

    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(moved, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, LINK.sub(moved, text[end:])])


def included(text, site):
    """Uncovers the text of a page for the site alone, <!-- site: ... -->.

    In the navigation `?name` is an optional page, `?*` are all pages not named otherwise.
    """
    names = {name.removesuffix(".md") for name in site.values()}
    named = set(re.findall(r"^\??([a-z-]+)$", text, flags=re.M))
    text = re.sub(r"<!-- site:\n(.*?)-->", r"\1", text, flags=re.S)
    text = re.sub(
        r"^\?([a-z-]+)\n",
        lambda match: f"{match[1]}\n" if match[1] in names else "",
        text,
        flags=re.M,
    )
    return re.sub(r"^\?\*$", "\n".join(sorted(names - named - {"index"})), text, flags=re.M)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("out", type=Path)
    options.add_argument("--doxygen", type=Path)
    arguments = options.parse_args()
    shutil.rmtree(arguments.out, ignore_errors=True)
    (arguments.out / "extra").mkdir(parents=True)
    site, copied = pages(), set()
    listed, written = set(site), set()
    while waiting := [path for path in site if path not in written]:
        for path in waiting:
            written.add(path)
            text = included(
                (ROOT / path).read_text(encoding="utf-8"), {path_: site[path_] for path_ in listed}
            )
            head = "" if path in listed else "---\norphan: true\n---\n\n"
            (arguments.out / site[path]).write_text(
                head + retarget(text, path, site, copied), encoding="utf-8"
            )
    for picture in HERE.glob("*.svg"):
        shutil.copy(picture, arguments.out)
    for path in sorted(copied):
        target = arguments.out / "files" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, target)

    import python_reference
    import thriftlens

    (arguments.out / "version.txt").write_text(thriftlens.__version__)
    python_reference.write(arguments.out / "reference-python")
    if arguments.doxygen:
        import cpp_reference

        cpp_reference.write(arguments.doxygen, arguments.out / "reference-cpp")

    import module_graph

    (arguments.out / "modules.svg").write_text(module_graph.svg(), encoding="utf-8")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "thriftlens",
            "inspect",
            "idl/order.bin",
            "--idl",
            "idl/shop.thrift",
            "--type",
            "Order",
            "--html",
            "-o",
            str(arguments.out.resolve() / "extra" / "inspect-sample.html"),
        ],
        cwd=ROOT,
        check=True,
    )


if __name__ == "__main__":
    main()
