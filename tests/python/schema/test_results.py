"""Results of diff and redact."""

import pytest
import thriftlens as tl
from notebook_tables import IDL, shown


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


def test_differences_are_a_list_and_a_table(idl, protocol):
    lhs, rhs = (idl.Order.encode({"id": i, "tags": {"a" * i}}, protocol=protocol) for i in (1, 2))
    differences = idl.Order.diff(lhs, rhs, protocol=protocol)
    assert type(differences) is tl.Differences and isinstance(differences, list)
    assert differences == list(differences) and differences[0] == ("changed", "$.id", 1, 2)
    assert shown(differences).startswith("3 differencespathleftrightchanged$.id12")
    assert shown(differences[0]) == "1 differencepathleftrightchanged$.id12"
    same = idl.Order.diff(lhs, lhs, protocol=protocol)
    assert same == [] and shown(same) == "0 differences"
