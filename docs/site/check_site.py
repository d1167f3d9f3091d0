"""check_site.py FOLDER: every link of the built pages leads to an existing file and anchor,
and no page loads anything from elsewhere.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("link", "href")}
NAMED_ONLY = {"canonical", "author", "license"}  # links of a head that a browser does not load


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(
            filter(None, (values.get("id"), values.get("name") if tag == "a" else None))
        )
        for name in ("href", "src"):
            if values.get(name) and values.get("rel") not in NAMED_ONLY:
                self.links.append((values[name], (tag, name) in LOADED))


def faults(folder):
    pages = {
        path.resolve(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")
    }
    for path, page in sorted(pages.items()):
        for link, is_loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") or link.startswith("//"):
                if is_loaded:
                    yield f"{path}: loads {link}"
                continue
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path}: no such file: {link}"
            elif (
                parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].anchors
                and not parts.fragment.startswith("byte=")
            ):
                yield f"{path}: no such anchor: {link}"


def main():
    messages = list(faults(Path(sys.argv[1])))
    print("\n".join(messages) or "links and anchors are right; nothing is loaded from elsewhere")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
