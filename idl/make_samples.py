"""Writes the sample payloads of shop.thrift with Apache Thrift's own Python encoder:
make_samples.py [FOLDER]

order.bin, order.cmp: one Order in Binary and Compact. order.json: the same order as `thriftlens
to-json` prints it. orders.frames: three orders in Binary, each behind its length as a big-endian
u32. orders.jsonl: one line each.
"""

import base64
import json
import struct
import sys
from pathlib import Path

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

# The types of shop.thrift as this writer needs them: a struct is {field id: (name, type)}.
STRING, BINARY, BOOL, I32, I64, DOUBLE = "string", "binary", "bool", "i32", "i64", "double"
BASE = {1: ("log_id", STRING), 2: ("caller", STRING), 3: ("sent_at", I64)}
USER = {1: ("id", I64), 2: ("name", STRING), 3: ("email", STRING)}
ITEM = {
    1: ("sku", STRING),
    2: ("price", DOUBLE),
    3: ("count", I32),
    4: ("attributes", ("map", STRING, STRING)),
}
PAYMENT = {1: ("card", STRING), 2: ("voucher", I64)}
ORDER = {
    1: ("id", I64),
    2: ("user", USER),
    3: ("items", ("list", ITEM)),
    4: ("status", I32),
    5: ("payment", PAYMENT),
    6: ("tags", ("list", STRING)),
    7: ("notes", ("map", I32, STRING)),
    8: ("signature", BINARY),
    9: ("gift", BOOL),
    10: ("debug", STRING),
    255: ("base", BASE),
}

ORDERS = [
    {
        "id": 4711000000001,
        "user": {"id": 42, "name": "Zoë Müller", "email": "zoe@example.org"},
        "items": [
            {"sku": "TEA-GREEN-100", "price": 4.75, "count": 2},
            {
                "sku": "CUP-01",
                "price": 12.5,
                "count": 1,
                "attributes": {"colour": "blue", "size": "0.3 l"},
            },
            {"sku": "POT-07", "price": 39.9, "count": 1},
            {"sku": 'SPOON-"S"', "price": 1.25, "count": 6},
        ],
        "status": 2,
        "payment": {"card": "4111 1111 1111 1111"},
        "tags": ["gift-wrap", "fragile"],
        "notes": {7: "ring twice", 9: "back door\nplease"},
        "signature": bytes(range(0, 250, 17)),
        "gift": True,
        "debug": "trace=8f3a",
        "base": {"log_id": "20260101-000001", "caller": "web", "sent_at": 1767225600123},
    },
    {"id": 4711000000002, "user": {"id": 43, "name": "李雷"}, "items": [], "status": 1, "tags": []},
    {
        "id": 4711000000003,
        "user": {"id": 42, "name": "Zoë Müller"},
        "items": [{"sku": "TEA-BLACK-50", "price": 3.05, "count": 10}],
        "status": 3,
        "payment": {"voucher": -5},
        "tags": ["repeat"],
        "gift": False,
    },
]

BASE_TYPES = {
    STRING: TType.STRING,
    BINARY: TType.STRING,
    BOOL: TType.BOOL,
    I32: TType.I32,
    I64: TType.I64,
    DOUBLE: TType.DOUBLE,
}


def ttype(of):
    if isinstance(of, dict):
        return TType.STRUCT
    if isinstance(of, tuple):
        return {"list": TType.LIST, "map": TType.MAP}[of[0]]
    return BASE_TYPES[of]


def write(out, of, value):
    if isinstance(of, dict):
        out.writeStructBegin("")
        for field_id, (name, inner) in of.items():
            if name in value:
                out.writeFieldBegin(name, ttype(inner), field_id)
                write(out, inner, value[name])
                out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
    elif isinstance(of, tuple) and of[0] == "list":
        out.writeListBegin(ttype(of[1]), len(value))
        for element in value:
            write(out, of[1], element)
        out.writeListEnd()
    elif isinstance(of, tuple):
        out.writeMapBegin(ttype(of[1]), ttype(of[2]), len(value))
        for key, mapped in value.items():
            write(out, of[1], key)
            write(out, of[2], mapped)
        out.writeMapEnd()
    else:
        getattr(out, "write" + of.capitalize())(value)


def encode(protocol, order):
    transport = TMemoryBuffer()
    write(protocol(transport), ORDER, order)
    return transport.getvalue()


def to_json(order):
    plain = {
        **order,
        **(
            {"signature": base64.b64encode(order["signature"]).decode()}
            if "signature" in order
            else {}
        ),
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


def samples():
    binary = [encode(TBinaryProtocol, order) for order in ORDERS]
    return {
        "order.bin": binary[0],
        "order.cmp": encode(TCompactProtocol, ORDERS[0]),
        "order.json": to_json(ORDERS[0]),
        "orders.frames": b"".join(struct.pack(">I", len(one)) + one for one in binary),
        "orders.jsonl": b"".join(to_json(order) + b"\n" for order in ORDERS),
    }


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, data in samples().items():
        (folder / name).write_bytes(data)
        print(f"{name}: {len(data)} bytes")
