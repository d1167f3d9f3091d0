"""Handlers that do not fit their service."""

import logging
import unittest.mock

import pytest
import thriftlens as tl
from service_options import IDL, is_wrong


class Shop:
    def version(self):
        return "1"

    def get(self, id, note):
        return id

    def note(self, text):
        pass

    def from_(self, context):
        return context


class Partly:
    """Has one function of four, one under another name, and private attributes."""

    orders = {}

    def get(self, number, text, context):
        return number

    def versions(self):
        return []

    def open_the_doors(self):
        pass


def start(handler, service="Shop"):
    with tl.serve(
        IDL, service, handler, background=True, transport="framed", protocol="binary"
    ) as server:
        with tl.connect(
            server.address,
            IDL,
            service if isinstance(service, str) else "Shop",
            transport="framed",
            protocol="binary",
            timeout=600,
        ) as client:
            return client.get(3, "x")


def warnings(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def without(name):
    return type("Shop", (Shop,), {name: None})()


def with_get(function):
    return type("Shop", (Shop,), {"get": function})()


@pytest.mark.parametrize(
    "handler",
    [
        Shop(),
        {"version": str, "get": lambda id, note: id, "note": print, "from": abs},
        with_get(lambda self, *arguments: arguments[0]),
        with_get(lambda self, id, note=None, more=None, *, context: id),
        with_get(staticmethod(lambda id, text: id)),
        lambda name, arguments, context: arguments["id"],
        lambda *arguments: arguments[1]["id"],
        unittest.mock.Mock(**{"get.return_value": 3}),
        type(
            "Shop",
            (),
            {
                name: staticmethod(call)
                for name, call in (
                    ("get", lambda id, note: id),
                    ("note", print),
                    ("version", str),
                    ("from_", abs),
                )
            },
        ),
    ],
)
def test_handlers_that_fit(handler, caplog):
    assert start(handler) == 3 and warnings(caplog) == []


def test_missing_handler_functions_are_logged_at_startup(caplog):
    assert start(Partly()) == 3
    assert warnings(caplog) == [
        "Shop: the handler has no 'version' (it has 'versions'), 'note', 'from': calls are "
        "answered with unknown_method"
    ]
    caplog.clear()
    assert start({"get": lambda id, note: id, "note": print, "from": abs}) == 3
    result = warnings(caplog)
    assert result == ["Shop: the handler has no 'version': calls are answered with unknown_method"]
    caplog.clear()
    assert start(without("from_")) == 3
    result = warnings(caplog)
    assert result == ["Shop: the handler has no 'from': calls are answered with unknown_method"]


def test_many_missing_functions_are_one_line(caplog):
    idl = tl.loads(
        "service Many { i32 get(1: i64 id, 2: string note), %s }"
        % ", ".join(f"void f{number}()" for number in range(100))
    )
    with tl.serve(idl, "Many", {"get": lambda id, note: id}, background=True):
        (line,) = warnings(caplog)
    assert "'f0', 'f1'" in line and "'f9' and 90 more: calls" in line and "'f10'" not in line


@pytest.mark.parametrize(
    "handler, message",
    [
        (
            object(),
            "the handler (object) has none of the functions of Shop (version, get, note, from); "
            "expected an object with methods, a dict of functions",
        ),
        ({}, "the handler (dict) has none of the functions of Shop"),
        ("shop.tlrec", "one function for all, or a Recording"),
        (type("Wrong", (), {"gets": print})(), "the handler (Wrong) has none"),
        (Shop, "the handler is the class Shop; pass an instance, Shop()"),
        ({"get": 3}, "the handler of Shop.get must be a function, not 3"),
        ({"get": None}, "the handler of Shop.get must be a function, not None"),
        (
            {"get": lambda id: id},
            "the handler of Shop.get takes (id), but is called with (id, note)",
        ),
        (
            {"get": lambda id, note, more: id},
            "the handler of Shop.get takes (id, note, more), but is called with (id, note)",
        ),
        (
            {"get": lambda id, *, note: id},
            "the handler of Shop.get takes (id, *, note), but is called with (id, note)",
        ),
        ({"get": lambda context, id: id}, "is called with (id, note, context=…)"),
        (
            with_get(lambda self, id: id),
            "the handler of Shop.get takes (id), but is called with (id, note)",
        ),
        (
            lambda name, arguments: None,
            "the handler of all functions of Shop takes (name, arguments), but is called with "
            "(name, arguments, context)",
        ),
        (type("Empty", (), {}), "the handler of all functions of Shop takes"),
    ],
)
def test_handlers_that_cannot_serve(handler, message):
    is_wrong(TypeError, message, tl.serve, IDL, "Shop", handler, background=True)
    is_wrong(
        TypeError,
        message,
        tl.serve,
        IDL,
        {"Other": {"other": lambda: None}, "Shop": handler},
        background=True,
    )


def test_parameters_in_another_order_are_logged(caplog):
    result = start(
        {
            **{name: lambda *arguments: None for name in ("version", "note", "from")},
            "get": lambda note, id: note,
        }
    )
    assert result == 3
    assert warnings(caplog) == [
        "the handler of Shop.get takes (note, id), but is called with (id, note) by position"
    ]


def test_a_service_without_functions_asks_for_none(caplog):
    with tl.serve(IDL, {"Nothing": object(), "Other": {"other": lambda: None}}, background=True):
        assert warnings(caplog) == []
