"""Results of diff and redact."""

import html.parser

import pytest
import thriftlens as tl

IDL = """
struct Item { 1: string sku = "<b>\\"'&", 2: double price }
enum Color { RED = 1, BLUE = 5 }
struct Order { 1: required i64 id, 2: optional string text, 3: list<Item> items,
  4: map<string, string> notes, 5: set<string> tags, 6: binary raw,
               7: Color color, 8: uuid key }
"""


MAX_SIZE = 65536


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


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


def test_differences_are_a_list_and_a_table(idl, protocol):
    lhs, rhs = (idl.Order.encode({"id": i, "tags": {"a" * i}}, protocol=protocol) for i in (1, 2))
    differences = idl.Order.diff(lhs, rhs, protocol=protocol)
    assert (
        type(differences) is tl.Differences
        and isinstance(differences, list)
        and differences == list(differences)
        and differences[0] == ("changed", "$.id", 1, 2)
    )
    assert (
        shown(differences).startswith("3 differencespathleftrightchanged$.id12")
        and shown(differences[0]) == "1 differencepathleftrightchanged$.id12"
    )
    same = idl.Order.diff(lhs, lhs, protocol=protocol)
    assert same == [] and shown(same) == "0 differences"
