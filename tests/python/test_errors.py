"""The classes of errors: families, attributes, pickles."""

import copy
import pickle

import pytest
import thriftlens as tl


def test_errors_can_be_pickled(shop):
    with pytest.raises(tl.DecodeError) as caught:
        shop.Order.decode(b"\x0b")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is tl.DecodeError and str(copy) == str(caught.value)
    assert (copy.code, copy.path, copy.offset) == (
        caught.value.code,
        caught.value.path,
        caught.value.offset,
    )
    with pytest.raises(tl.SchemaError) as caught:
        tl.loads("struct")
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics
    with pytest.raises(tl.FileError) as caught:
        tl.load("absent.thrift")
    for error in (
        caught.value,
        tl.BusinessError(7, ""),
        tl.hive.HiveError("failed", sql_state="08S01"),
    ):
        error.context, error.call_state = ("file",), "answered"
        copy = pickle.loads(pickle.dumps(error))
        assert vars(copy) == vars(error) and str(copy) == str(error)


def test_the_family_of_errors():
    for class_ in (
        tl.UsageError,
        tl.DecodeError,
        tl.EncodeError,
        tl.SchemaError,
        tl.JSONError,
        tl.UnknownNameError,
        tl.AbsentError,
    ):
        assert issubclass(class_, ValueError) and class_.__bases__[0] is tl.Error
    for class_ in (
        tl.Error,
        tl.TransportError,
        tl.FileError,
        tl.ApplicationError,
        tl.BusinessError,
    ):
        assert not issubclass(class_, ValueError) and issubclass(class_, tl.Error)
    assert type(tl.Error("x", code="bad_option")) is tl.UsageError


@pytest.mark.parametrize(
    "code, family",
    [
        ("timeout", TimeoutError),
        ("closed", ConnectionError),
        ("connection_refused", ConnectionError),
        ("http_status", tl.Error),
    ],
)
def test_errors_of_connections_are_caught_as_pythons_own(code, family):
    error = tl.TransportError("host:1: it broke", code=code)
    assert (
        isinstance(error, (tl.TransportError, family))
        and isinstance(error, family)
        and str(error) == "host:1: it broke"
        and error.code == code
    )
    assert isinstance(error, OSError) == (family is not tl.Error) and not isinstance(
        error, ValueError
    )
    for duplicate in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(duplicate) is type(error) and (str(duplicate), duplicate.code) == (
            str(error),
            code,
        )
