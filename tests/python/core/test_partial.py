"""Values that lack what the IDL requires, cuts on the way to JSON, and bytes from which nothing can
be absent."""

import gzip
import struct

import pytest
import thriftlens as tl

IDL = """
struct User { 1: required i64 id, 2: string name, 3: required string mail }
struct Item { 1: required string sku, 2: double price, 3: User seller }
struct Order { 1: required i64 id, 2: User user, 3: list<Item> items, 4: string debug,
  5: optional i64 seen }
struct Loose { 1: i64 id, 2: User user, 3: list<i32> numbers, 4: map<string, i32> notes,
  5: string tag = "none" }
"""
DATA = {
    "id": 7,
    "user": {"id": 1, "name": "Ann", "mail": "a@b.c"},
    "items": [{"sku": "a", "price": 1.5}, {"sku": "b"}],
    "debug": "x",
}
PROTOCOLS = ["binary", "compact"]


@pytest.fixture(scope="module")
def idl():
    return tl.loads(IDL)


@pytest.fixture
def cut(idl, protocol):
    """What README's selection leaves: users without id and mail."""
    data = idl.Order.encode(DATA, protocol=protocol)
    return idl.Order.trim(data, "{ id user { name } }", protocol=protocol)


def test_to_json_with_a_selection(idl, protocol):
    data = idl.Order.encode(DATA, protocol=protocol)

    def json(selection, **options):
        return idl.Order.to_json(data, select=selection, protocol=protocol, **options)

    assert json("{ id user { name } }") == b'{"id":7,"user":{"name":"Ann"}}'
    assert json("{ items { price } }") == b'{"items":[{"price":1.5},{}]}'
    assert json(["$.id", "$.items[*].sku"]) == b'{"id":7,"items":[{"sku":"a"},{"sku":"b"}]}'
    assert json(None) == json("{ * }") == idl.Order.to_json(data, protocol=protocol)
    assert json("{ id }", pretty=True) == b'{\n  "id": 7\n}'
    with pytest.raises(tl.Error, match="no field 'usr'"):
        json("{ usr }")
    with pytest.raises(TypeError, match="a selection must be text"):
        json(7)


def test_only_selected_required_fields_are_required(idl, protocol, cut):
    def json(selection, **options):
        return idl.Order.to_json(cut, select=selection, protocol=protocol, **options)

    assert json("{ user { name } }") == b'{"user":{"name":"Ann"}}'
    with pytest.raises(tl.DecodeError) as caught:
        json("{ user { name id } }")
    assert (caught.value.code, caught.value.path) == ("missing_required", "$.user.id")
    assert json("{ user { name id } }", missing_required="omit") == b'{"user":{"name":"Ann"}}'


def test_partial_values_are_an_error_unless_omitted(idl, protocol, cut):
    readable = {"id": 7, "user": {"name": "Ann"}}
    Order = idl.Order
    reads = {
        "decode": lambda **o: Order.decode(cut, protocol=protocol, **o),
        "to_json": lambda **o: Order.to_json(cut, protocol=protocol, **o),
        "validate": lambda **o: Order.validate(cut, protocol=protocol, **o),
        "get": lambda **o: Order.get(cut, "$.user", protocol=protocol, **o),
        "get_many": lambda **o: Order.get_many(cut, ["$.id", "$.user"], protocol=protocol, **o),
        "view": lambda **o: Order.view(cut, protocol=protocol, **o).to_dict(),
    }
    for name, read in reads.items():
        with pytest.raises(tl.DecodeError) as caught:
            read()
        assert (caught.value.code, caught.value.path) == ("missing_required", "$.user.id"), name
    results = {name: read(missing_required="omit") for name, read in reads.items()}
    assert results == {
        "decode": readable,
        "to_json": b'{"id":7,"user":{"name":"Ann"}}',
        "validate": None,
        "get": readable["user"],
        "get_many": [7, readable["user"]],
        "view": readable,
    }
    result = [finding.path for finding in Order.findings(cut, protocol=protocol)]
    assert result == ["$.user.id", "$.user.mail"]
    assert Order.findings(cut, protocol=protocol, missing_required="omit") == []
    with pytest.raises(ValueError, match="missing_required must be 'error' or 'omit'"):
        Order.decode(cut, missing_required="keep")


def test_a_missing_required_field_of_the_root_is_not_absent(idl, protocol):
    Order = idl.Order
    data = Order.trim(Order.encode(DATA, protocol=protocol), "{ user }", protocol=protocol)
    view = Order.view(data, protocol=protocol)
    asks = [
        lambda: Order.get(data, "$.id", protocol=protocol),
        lambda: Order.get_many(data, ["$.id"], protocol=protocol),
        lambda: "id" in view,
        lambda: view.get("$.id", 0),
        lambda: view.id,
        lambda: view["id"],
        lambda: hasattr(view, "id"),
    ]
    for ask in asks:
        with pytest.raises(tl.DecodeError) as caught:
            ask()
        assert (caught.value.code, caught.value.path) == ("missing_required", "$.id")
    partial = Order.view(data, protocol=protocol, missing_required="omit")
    assert Order.get(data, "$.id", 5, protocol=protocol, missing_required="omit") == 5
    assert Order.get_many(data, ["$.id"], 5, protocol=protocol, missing_required="omit") == [5]
    assert "id" not in partial and partial.get("$.id", 5) == 5 and not hasattr(partial, "id")
    with pytest.raises(tl.AbsentError):
        partial["id"]
    assert Order.get(data, "$.seen", protocol=protocol) is None and "seen" not in view


def strangers(Loose, protocol):
    other = PROTOCOLS[1 - PROTOCOLS.index(protocol)]
    value = {"numbers": [1, 70000], "tag": "x"}
    here, there = Loose.encode(value, protocol=protocol), Loose.encode(value, protocol=other)
    call = {"binary": b"\x80\x01\0\1\0\0\0\4find\0\0\0\1", "compact": b"\x82\x21\x01\x04find"}
    return {
        f"a 32-bit frame length before {protocol.title()}": struct.pack(">I", len(here)) + here,
        other.title(): there,
        f"a {protocol.title()} message": call[protocol] + here,
        f"a {other.title()} message": call[other] + there,
        "gzip": gzip.compress(here),
        "JSON text": b'{"id": 1}',
    }


def test_foreign_bytes_raise_instead_of_being_absent(idl, protocol):
    Loose = idl.Loose
    for looks, data in strangers(Loose, protocol).items():
        view = Loose.view(data, protocol=protocol)
        asks = {
            "get": lambda: Loose.get(data, "$.id", protocol=protocol),
            "get nested": lambda: Loose.get(data, "$.user.name", protocol=protocol),
            "get many values": lambda: Loose.get(data, "$.numbers[*]", protocol=protocol),
            "get default": lambda: Loose.get(
                data, "$.tag", "?", protocol=protocol, defaults="write"
            ),
            "get_many": lambda: Loose.get_many(data, ["$.id", "$.notes{'x'}"], protocol=protocol),
            "in": lambda: "id" in view,
            "view.get": lambda: view.get("$.id", 0),
            "view.get nested": lambda: view.get("$.user.name"),
            "attribute": lambda: view.user,
            "hasattr": lambda: hasattr(view, "user"),
            "item": lambda: view["user"],
            "len": lambda: len(view),
            "iter": lambda: list(view),
            "items": lambda: list(view.items()),
            "to_dict": lambda: view.to_dict(),
            "==": lambda: view == {},
            "decode": lambda: Loose.decode(data, protocol=protocol),
            "to_json": lambda: Loose.to_json(data, protocol=protocol),
            "select": lambda: Loose.to_json(data, select="{ id }", protocol=protocol),
            "trim": lambda: Loose.trim(data, "{ id }", protocol=protocol),
            "validate": lambda: Loose.validate(data, protocol=protocol),
        }
        for name, ask in asks.items():
            with pytest.raises(tl.DecodeError) as caught:
                ask()
            assert f"; the data looks like {looks}" in str(caught.value), name


def test_a_match_ends_the_search(idl, protocol):
    data = idl.Loose.encode({"id": 5}, protocol=protocol) + b"more"
    assert idl.Loose.get(data, "$.id", protocol=protocol) == 5
    assert "id" in idl.Loose.view(data, protocol=protocol)
    with pytest.raises(tl.DecodeError) as caught:
        idl.Loose.get(data, "$.tag", protocol=protocol)
    assert (caught.value.code, caught.value.offset) == ("trailing_bytes", len(data) - 4)


@pytest.fixture
def files(tmp_path, idl, protocol):
    (tmp_path / "o.thrift").write_text(IDL)
    data = idl.Order.encode(DATA, protocol=protocol)
    (tmp_path / "o.bin").write_bytes(data)
    (tmp_path / "cut.bin").write_bytes(
        idl.Order.trim(data, "{ id user { name } }", protocol=protocol)
    )
    return tmp_path


def test_the_shell_with_a_selection(run, files, protocol):
    result = run(
        "to-json", files / "o.thrift", "Order", files / "o.bin", "--select", "{ id user { name } }",
        "--protocol", protocol,
    )  # fmt: skip
    assert (result.returncode, result.stdout) == (0, b'{"id":7,"user":{"name":"Ann"}}\n')
    result = run(
        "to-json", files / "o.thrift", "Order", files / "o.bin", "--select", "{ usr }",
        "--protocol", protocol,
    )  # fmt: skip
    assert result.returncode == 2 and b"no field 'usr'" in result.stderr


def test_the_shell_reads_partial_values_on_request(run, files, protocol):
    for command, out in (
        (["to-json", files / "o.thrift", "Order", files / "cut.bin"],
            b'{"id":7,"user":{"name":"Ann"}}\n'),
        (["get", files / "o.thrift", "Order", "$.user", files / "cut.bin"], b'{"name":"Ann"}\n'),
        (["check", files / "o.thrift", "Order", files / "cut.bin"],
            f"{files / 'cut.bin'}: fine, 1 value of Order\n".encode()),
    ):  # fmt: skip
        result = run(*command, "--protocol", protocol)
        assert result.returncode == 1 and b"a required field is missing" in result.stderr, command
        result = run(*command, "--protocol", protocol, "--missing-required", "omit")
        assert (result.returncode, result.stdout) == (0, out), command


def test_the_shell_names_foreign_formats(run, files, idl, protocol):
    samples = strangers(idl.Loose, protocol)
    packed = samples.pop("gzip")
    result = run(
        "get", files / "o.thrift", "Loose", "$.tag", "-", "--protocol", protocol, input=packed
    )
    assert (result.returncode, result.stdout) == (0, b'"x"\n'), "gzip is opened"
    for looks, data in samples.items():
        for command in (
            ["to-json", files / "o.thrift", "Loose"],
            ["check", files / "o.thrift", "Loose"],
            ["get", files / "o.thrift", "Loose", "$.id"],
        ):
            result = run(*command, "-", "--protocol", protocol, input=data)
            assert result.returncode == 1, command
            assert f"; the data looks like {looks}".encode() in result.stderr, command
            assert (
                b"; --framing u32 reads records in frames\n" in result.stderr
            ) == looks.endswith(("length before Binary", "length before Compact")), command
