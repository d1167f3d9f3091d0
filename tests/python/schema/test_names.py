"""Names that the IDL does not have, and hints for them."""

import pickle

import pytest
import thriftlens as tl


def test_unknown_names_are_key_and_attribute_errors_with_the_nearest(shop):
    with pytest.raises(
        tl.UnknownNameError, match="no type named 'Ordr'; did you mean 'Order'"
    ) as caught:
        shop["Ordr"]
    assert isinstance(caught.value, (KeyError, AttributeError))
    assert caught.value.code == "unknown_name"
    with pytest.raises(KeyError):
        shop["Ordr"]
    with pytest.raises(AttributeError):
        shop.Ordr
    assert not hasattr(shop, "Ordr") and getattr(shop, "Ordr", None) is None
    with pytest.raises(tl.UnknownNameError, match="no service named 'Shp'; did you mean 'Shop'"):
        shop.service("Shp")


def test_names_of_other_declarations_suggest_the_class():
    idl = tl.loads(
        "enum Status { NEW = 1, PAID = 2 } struct Order { 1: i64 id } exception NotFound { 1: i64 "
        "id } service S { void f() throws (1: NotFound n) }"
    )
    for ask, message in (
        (lambda: idl.Status.PAID, "idl.Status.enum_class.PAID"),
        (lambda: idl.Order.id, r"idl.Order.fields\['id'\]"),
        (lambda: idl.Order.nope, "has no attribute 'nope'"),
        (lambda: idl.Order(id=7), r"idl.classes.Order\(…\) .* idl.Order.encode\(\{'id': …\}\)"),
        (lambda: idl.NotFound(id=7), r"idl.exceptions\['NotFound'\]"),
        (lambda: idl.Status(2), "idl.Status.enum_class"),
    ):
        with pytest.raises((AttributeError, TypeError), match=message):
            ask()
    assert idl.classes.Order(id=7).id == 7
    assert not hasattr(idl.Order, "nope") and idl.Status.enum_class.PAID == 2
    NotFound = idl.exceptions["NotFound"]
    with pytest.raises(TypeError, match=r"write except idl.exceptions\['NotFound'\]"):
        try:
            raise NotFound(7)
        except idl.NotFound:
            pass
    with pytest.raises(TypeError, match=r"write except idl.exceptions\['NotFound'\]"):
        try:
            raise NotFound(7)
        except (ValueError, idl.NotFound):
            pass
    try:
        raise NotFound(7)
    except NotFound:
        assert idl.NotFound.kind == "exception", "inside a handler it is the type"


def test_a_typo_is_not_a_schema_error(shop, order_bytes):
    """It has the near name in its text, and is caught as what Python raises for names that are not
    there."""
    for ask in (
        lambda: shop["Ordr"],
        lambda: shop.Ordr,
        lambda: shop.service("Shp"),
        lambda: shop.Order.at("$.usr"),
        lambda: shop.Order.get(order_bytes, "$.usr.name"),
        lambda: shop.Order.get_many(order_bytes, ["$.usr"]),
        lambda: shop.Order.trim(order_bytes, "{ usr }"),
        lambda: shop.Order.to_json(order_bytes, select="{ usr }"),
        lambda: shop.Order.edit(order_bytes).set("$.usr", {}),
        lambda: shop.Order.rewrite(order_bytes).trim("{ usr }"),
        lambda: shop.Order.redact(order_bytes, paths={"$.usr": "drop"}),
        lambda: shop.Order.view(order_bytes).usr,
        lambda: shop.Order.view(order_bytes)["usr"],
        lambda: shop.Order.view(order_bytes).get("$.usr"),
    ):
        with pytest.raises(tl.UnknownNameError, match="did you mean '(user|Order|Shop)'") as caught:
            ask()
        assert isinstance(caught.value, (KeyError, AttributeError, ValueError, LookupError))
        assert not isinstance(caught.value, tl.SchemaError)


def test_names_of_services_and_functions():
    idl = tl.loads(
        "struct P { 1: i32 a } service Calculator { i32 add(1: i32 a) } service More extends "
        "Calculator { void clear() }"
    )
    with pytest.raises(
        tl.UnknownNameError,
        match=r"'Calculator' is a service, not a type; idl.service\('Calculator'\)",
    ):
        idl["Calculator"]
    for name in ("add", "Calculator.add"):
        with pytest.raises(
            tl.UnknownNameError,
            match=r"of Calculator, not a type; idl.service\('Calculator'\).function\('add'\)",
        ):
            idl[name]
    more = idl.service("More")
    assert more.function("add") is more.inherited["add"] and list(more.functions) == ["clear"]
    with pytest.raises(tl.UnknownNameError, match="no function 'ad' in More; did you mean 'add'"):
        more.function("ad")


def test_members_of_mappings_suggest_names(shop):
    idl = tl.loads(
        'include "base.thrift" enum E { EURO } struct A { 1: i32 count } const i32 MAX = 3',
        includes={"base.thrift": "struct Money { 1: i64 amount }"},
    )
    for ask, message in (
        (lambda: idl.A.fields["cnt"], "no field 'cnt'; did you mean 'count'?"),
        (lambda: idl.E.members["EUR"], "no member 'EUR'; did you mean 'EURO'?"),
        (lambda: idl.constants["MX"], "no constant 'MX'; did you mean 'MAX'?"),
        (lambda: shop.services["Shp"], "no service 'Shp'; did you mean 'Shop'?"),
        (lambda: idl.base, "'base' is an included file, not a type"),
    ):
        with pytest.raises(tl.UnknownNameError) as caught:
            ask()
        assert message in str(caught.value)
    assert caught.value.hint == "idl['base.Money']"
    assert idl.constants == {"MAX": 3} == pickle.loads(pickle.dumps(idl.constants))
