"""Mends what the generator's HTML lacks for readers with a screen reader or a keyboard, as axe-core
finds it.
"""

import re
from pathlib import Path

CHANGES = [
    # What scrolls can be reached by the keyboard.
    (r"<pre>", '<pre tabindex="0">'),
    (r'<p>(?=<img [^>]*src="[^"]*/(?:intel|engines)[^"]*svg")', '<p class="chart" tabindex="0">'),
    (r'(<div class="table-wrapper[^"]*")(?=>)', r'\1 tabindex="0"'),
    # Two landmarks of one kind have names; captions that are headings have a level.
    (r'<aside class="sidebar-drawer"', '<aside class="sidebar-drawer" aria-label="Pages"'),
    (r'<aside class="toc-drawer', '<aside aria-label="On this page" class="toc-drawer'),
    (r'role="heading"(?! aria-level)', 'role="heading" aria-level="2"'),
    (r'<th class="(head[^"]*)">(?:<p></p>)?</th>', r'<td class="\1"></td>'),
    (r'<div id="search-results">', '<h1>Search</h1><div id="search-results">'),
]
SIGNATURE = re.compile(r"<dl>\s*(<dd>.*?)</dl>", re.S)


def mended(html):
    for pattern, new in CHANGES:
        html = re.sub(pattern, new, html)
    # A long signature is a list of terms without a term.
    return SIGNATURE.sub(
        lambda match: (
            '<span class="parameters">'
            + match[1].replace("<dd>", '<span class="parameter">').replace("</dd>", "</span>")
            + "</span>"
        ),
        html,
    )


def mend(app, exception):
    if exception is None and app.builder.format == "html":
        for path in Path(app.outdir).rglob("*.html"):
            if path.name != "inspect-sample.html":
                text = path.read_text(encoding="utf-8")
                if 'aria-label="Pages"' not in text:  # written in this build, not in an earlier one
                    path.write_text(mended(text), encoding="utf-8")
