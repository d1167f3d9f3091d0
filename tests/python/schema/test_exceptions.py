"""Exceptions of the IDL as Python classes."""

import copy
import pickle

import pytest
import thriftlens as tl

TEXT = """
exception Denied { 1: i32 code = 7, 2: string message, 3: string args, 4: list<i32> parts }
struct Point { 1: i32 x }
"""
IDL = tl.loads(TEXT)
Denied = IDL.exceptions["Denied"]


def test_fields_by_position_and_by_name():
    error = Denied(4, "no", parts=[1])
    assert (error.code, error.message, error.args_, error.parts) == (4, "no", None, [1])
    assert error.to_dict() == {"code": 4, "message": "no", "parts": [1]}
    assert Denied(args="a").args_ == Denied(args_="a").args_ == "a"


def test_defaults_of_the_idl():
    assert Denied().code == 7 and Denied().to_dict() == {"code": 7}


@pytest.mark.parametrize(
    "values, named, text",
    [
        ((1, "a", "b", [], 5), {}, "takes 4 values, not 5"),
        ((1,), {"code": 2}, "multiple values for 'code'"),
        ((), {"mesage": "a"}, "no field 'mesage'; did you mean 'message'?"),
    ],
)
def test_wrong_calls(values, named, text):
    with pytest.raises(TypeError) as caught:
        Denied(*values, **named)
    assert text in str(caught.value)


def test_the_text_is_the_message_or_the_fields():
    assert str(Denied(message="a\x1b[1m")) == "a\\u001b[1m"
    assert str(Denied(4, parts=[1])) == "code=4, parts=[1]"
    assert repr(Denied(4)) == "Denied(code=4)"


def test_equality_pickles_and_copies():
    error = Denied(4, "no")
    assert error == Denied(4, "no") != Denied(5, "no")
    for duplicate in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(duplicate) is Denied and duplicate == error


def test_equal_exceptions_share_a_class():
    assert tl.loads(TEXT).exceptions["Denied"] is Denied
    assert tl.loads("exception Denied { 1: i32 code }").exceptions["Denied"] is not Denied


def test_the_exceptions_of_a_schema():
    assert list(IDL.exceptions) == ["Denied"] and len(IDL.exceptions) == 1
    with pytest.raises(tl.UnknownNameError, match="'Point' is not an exception: it is a struct"):
        IDL.exceptions["Point"]
