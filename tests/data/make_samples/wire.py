"""Values, their bytes as Apache Thrift's Python library writes them, and their plain JSON.

A struct is a list of (field name, value) in the order of the wire, a map a list of (key, value),
list and set a list; integers, bools and doubles as they are, string a str, binary bytes, uuid a
uuid.UUID.
What type a field has is read from the code that Apache's compiler generates (`thrift_spec`)."""

import base64
import inspect
import json
import math
import shutil
import subprocess
import sys
import tempfile

from thrift.protocol.TBinaryProtocol import TBinaryProtocol
from thrift.protocol.TCompactProtocol import TCompactProtocol
from thrift.protocol.TJSONProtocol import TJSONProtocol
from thrift.Thrift import TType
from thrift.transport.TTransport import TMemoryBuffer

PROTOCOLS = {"binary": TBinaryProtocol, "compact": TCompactProtocol, "tjson": TJSONProtocol}
SCALARS = {
    TType.BOOL: "bool",
    TType.BYTE: "i8",
    TType.I16: "i16",
    TType.I32: "i32",
    TType.I64: "i64",
    TType.DOUBLE: "double",
}
TTYPES = {name: code for code, name in SCALARS.items()} | {
    "string": TType.STRING,
    "binary": TType.STRING,
    "uuid": TType.UUID,
    "struct": TType.STRUCT,
    "list": TType.LIST,
    "set": TType.SET,
    "map": TType.MAP,
}
WRITERS = {
    "bool": "writeBool", "i8": "writeByte", "i16": "writeI16", "i32": "writeI32", "i64": "writeI64",
    "double": "writeDouble", "binary": "writeBinary", "uuid": "writeUuid",
}  # fmt: skip


def generated(idl, module):
    """The package that Apache's compiler makes of the IDL, imported."""
    if shutil.which("thrift") is None:
        raise SystemExit("the Apache Thrift compiler is required (Debian: thrift-compiler)")
    folder = tempfile.mkdtemp()
    subprocess.run(
        ["thrift", "--gen", "py", "-out", folder, str(idl)], check=True, capture_output=True
    )
    sys.path.insert(0, folder)
    return __import__(f"{module}.ttypes", fromlist=["ttypes"])


class Struct:
    """A struct's name and fields: name -> (id, kind).

    A kind is a tuple: its name, then its parameters."""

    def __init__(self, name, fields, class_=None):
        self.name, self.fields, self.class_ = name, fields, class_


def kind_of(code, details):
    if code == TType.STRUCT:
        return ("struct", struct_of(details[0]))
    if code in (TType.LIST, TType.SET):
        return ("list" if code == TType.LIST else "set", kind_of(*details[:2]))
    if code == TType.MAP:
        return ("map", kind_of(*details[:2]), kind_of(*details[2:4]))
    if code == TType.STRING:
        return ("binary" if details == "BINARY" else "string",)
    return (SCALARS[code],)


KNOWN = {}


def struct_of(class_):
    """The Struct of a generated class."""
    if class_ not in KNOWN:
        KNOWN[class_] = Struct(class_.__name__, {}, class_)
        KNOWN[class_].fields.update(
            {spec[2]: (spec[0], kind_of(spec[1], spec[3])) for spec in class_.thrift_spec if spec}
        )
    return KNOWN[class_]


def write(out, kind, value):
    name = kind[0]
    if name == "struct":
        out.writeStructBegin("")
        for field, item in value:
            number, inner = kind[1].fields[field]
            out.writeFieldBegin("", TTYPES[inner[0]], number)
            write(out, inner, item)
            out.writeFieldEnd()
        out.writeFieldStop()
        out.writeStructEnd()
    elif name == "map":
        out.writeMapBegin(TTYPES[kind[1][0]], TTYPES[kind[2][0]], len(value))
        for key, item in value:
            write(out, kind[1], key)
            write(out, kind[2], item)
        out.writeMapEnd()
    elif name in ("list", "set"):
        begin, end = (
            (out.writeListBegin, out.writeListEnd)
            if name == "list"
            else (out.writeSetBegin, out.writeSetEnd)
        )
        begin(TTYPES[kind[1][0]], len(value))
        for item in value:
            write(out, kind[1], item)
        end()
    elif name == "string" and isinstance(out, TJSONProtocol):  # base64 is for binaries
        out.writeString(value)
    elif name == "string":
        out.writeBinary(value.encode())
    else:
        getattr(out, WRITERS[name])(value)


def encoded(protocol, struct, value):
    memory = TMemoryBuffer()
    write(PROTOCOLS[protocol](memory), ("struct", struct), value)
    return memory.getvalue()


def plain(kind, value):
    """What json.dumps is to write: enum = number, NaN and infinities = strings, binary = base64,
    keys = strings."""
    name = kind[0]
    if name == "struct":
        return {field: plain(kind[1].fields[field][1], item) for field, item in value}
    if name in ("list", "set"):
        return [plain(kind[1], item) for item in value]
    if name == "map":
        return {key_text(plain(kind[1], key)): plain(kind[2], item) for key, item in value}
    if name == "binary":
        return base64.b64encode(value).decode()
    if name == "uuid":
        return str(value)
    if name == "double" and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def key_text(key):
    return key if isinstance(key, str) else json_text(key)


def json_text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def read_by_apache(protocol, class_, data):
    reader = PROTOCOLS[protocol](TMemoryBuffer(data))
    if inspect.ismethod(class_.read):  # exceptions are immutable: a class method makes them
        return class_.read(reader)
    value = class_()
    value.read(reader)
    return value


def written_by_apache(value, protocol="binary"):
    memory = TMemoryBuffer()
    value.write(PROTOCOLS[protocol](memory))
    return memory.getvalue()
