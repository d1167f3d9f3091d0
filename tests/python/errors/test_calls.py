"""Errors of calls: their classes by code, and the texts of servers."""

import copy
import pickle

import pytest
import thriftlens as tl


@pytest.mark.parametrize("code, family", [
    ("timeout", TimeoutError), ("closed", ConnectionError), ("connection_refused", ConnectionError),
    ("http_status", tl.Error),
])  # fmt: skip
def test_errors_of_connections_are_caught_as_pythons_own(code, family):
    error = tl.TransportError("host:1: it broke", code=code)
    assert isinstance(error, (tl.TransportError, family)) and isinstance(error, family)
    assert str(error) == "host:1: it broke" and error.code == code
    assert isinstance(error, OSError) == (family is not tl.Error)
    assert not isinstance(error, ValueError)
    for duplicate in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(duplicate) is type(error) and str(duplicate) == str(error)
        assert duplicate.code == code


def test_application_errors_have_the_number_of_their_code():
    assert tl.ApplicationError("no", code="unknown_method").number == 1
    assert tl.ApplicationError("no", code="their_own", number=77).number == 77


def test_texts_of_servers_are_escaped_and_shortened_but_stored_unchanged():
    text = "a\x1b[31m" + "b" * 2000
    error = tl.ApplicationError(text)
    assert error.message == text
    assert str(error).startswith("a\\u001b[31m") and len(str(error)) < 1100


def test_business_errors_without_text():
    error = tl.BusinessError(7, "", {"retry": "no"})
    assert (str(error), error.message, error.extra) == ("business error 7", "", {"retry": "no"})
