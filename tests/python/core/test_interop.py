"""Apache Thrift's Python library reads the output of thriftlens, and the reverse."""

import inspect
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("thrift")
from thrift.protocol.TBinaryProtocol import TBinaryProtocol  # noqa: E402
from thrift.protocol.TCompactProtocol import TCompactProtocol  # noqa: E402
from thrift.transport.TTransport import TMemoryBuffer  # noqa: E402

PROTOCOLS = {"binary": TBinaryProtocol, "compact": TCompactProtocol}


def generated(idl, folder, module):
    """The imported modules that the Apache compiler generates."""
    compiler = shutil.which("thrift")
    if compiler is None:
        pytest.skip("no thrift compiler")
    subprocess.run(
        [compiler, "--gen", "py", "-out", str(folder), "-r", str(idl)],
        check=True,
        capture_output=True,
    )
    sys.path.insert(0, str(folder))
    try:
        return __import__(f"{module}.ttypes", fromlist=["ttypes"])
    finally:
        sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def open_py(vectors, tmp_path_factory):
    return generated(vectors.folder / "open.thrift", tmp_path_factory.mktemp("open"), "open_py")


@pytest.fixture(scope="module")
def shop_py(idl_folder, tmp_path_factory):
    return generated(idl_folder / "shop.thrift", tmp_path_factory.mktemp("shop"), "shop")


def apache_read(kind, data, protocol):
    reader = PROTOCOLS[protocol](TMemoryBuffer(data))
    if inspect.ismethod(kind.read):  # exceptions are immutable: a class method makes them
        return kind.read(reader)
    value = kind()
    value.read(reader)
    return value


def apache_write(value, protocol):
    memory = TMemoryBuffer()
    value.write(PROTOCOLS[protocol](memory))
    return memory.getvalue()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_apache_reads_and_rewrites_every_vector(vectors, open_py, protocol):
    """decode -> encode -> Apache reads -> Apache writes -> decode: the same value."""
    count = 0
    for vector, of, spoken, data in vectors.valid():
        # Apache's Python cannot read a set or map whose elements or keys are lists or structs
        # without __hash__.
        if spoken != protocol or vector["schema"] != "open" or vector["struct"] == "StructKeys":
            continue
        value = of.decode(data, protocol=protocol)
        theirs = apache_read(
            getattr(open_py, vector["struct"]), of.encode(value, protocol=protocol), protocol
        )
        # Its constructors give absent fields their defaults, so both are read with them.
        rewritten = of.decode(apache_write(theirs, protocol), protocol=protocol, defaults="write")
        assert repr_without_order(rewritten) == repr_without_order(
            of.decode(data, protocol=protocol, defaults="write")
        ), vector["id"]
        count += 1
    assert count > 200


def repr_without_order(value):
    if isinstance(value, dict):
        return sorted((repr(key), repr_without_order(item)) for key, item in value.items())
    if isinstance(value, (set, frozenset)):
        return sorted(map(repr, value))
    if isinstance(value, list):
        return [repr_without_order(item) for item in value]
    return repr(value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_apaches_bytes_are_decoded(shop, shop_py, protocol):
    order = shop_py.Order(
        id=5,
        user=shop_py.User(id=1, name="Zoë"),
        items=[shop_py.Item(sku="a", price=1.5, attributes={"k": "v"})],
        payment=shop_py.Payment(voucher=-1),
        tags=["x"],
        notes={-1: "n"},
        signature=b"\x00\xff",
        gift=False,
    )
    assert shop.Order.decode(apache_write(order, protocol), protocol=protocol) == {
        "id": 5,
        "user": {"id": 1, "name": "Zoë"},
        "items": [{"sku": "a", "price": 1.5, "count": 1, "attributes": {"k": "v"}}],
        "status": 1,
        "payment": {"voucher": -1},
        "tags": ["x"],
        "notes": {-1: "n"},
        "signature": b"\x00\xff",
        "gift": False,
    }


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_objects_of_generated_classes_encode(shop, shop_py, order_bytes, protocol):
    """A user who still has generated code can hand its objects over."""
    order = apache_read(shop_py.Order, order_bytes, "binary")
    assert shop.Order.encode(order, protocol=protocol) == apache_write(order, protocol)
