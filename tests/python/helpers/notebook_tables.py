"""Tables that notebooks show: their text, checked for tags and size."""

import html.parser

IDL = """
struct Item { 1: string sku = "<b>\\"'&", 2: double price }
enum Color { RED = 1, BLUE = 5 }
struct Order { 1: required i64 id, 2: optional string text, 3: list<Item> items,
  4: map<string, string> notes, 5: set<string> tags, 6: binary raw,
               7: Color color, 8: uuid key }
"""

MAX_SIZE = 65536


class Tags(html.parser.HTMLParser):
    """The tags and texts of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add((tag, *attributes))

    def handle_data(self, data):
        self.text += data


def shown(value):
    """The text of a table, which has no tags but its own, no attributes and no characters that
    cannot be seen."""
    page = value._repr_html_()
    assert type(page) is str and len(page) <= MAX_SIZE and page.isprintable()
    tags = Tags(page)
    assert tags.tags <= {("table",), ("caption",), ("tr",), ("th",), ("td",), ("p",)}
    return tags.text
