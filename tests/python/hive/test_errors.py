"""Errors of HiveServer2: their fields come from the status of a reply."""

import pickle

from thriftlens._hive.errors import error_of


def test_an_error_has_the_fields_of_its_status():
    error = error_of(
        {"errorMessage": "no", "sqlState": "42P01", "errorCode": 3, "infoMessages": ["a"]}, "failed"
    )
    assert (str(error), error.code) == ("no", "hive_error")
    assert (error.sql_state, error.error_code, error.information) == ("42P01", 3, ("a",))
    assert pickle.loads(pickle.dumps(error)).sql_state == "42P01"


def test_a_status_without_a_message():
    assert str(error_of({"statusCode": 4}, "failed")) == "invalid handle"
    assert str(error_of({"statusCode": 3}, "Fetch failed")) == "Fetch failed"
