"""Messages of the size that programs send, in two dialects:

Simple with an enum field and without."""

from . import wire

SIMPLE = [
    ("ByteField", 127),
    ("I64Field", 2**63 - 1),
    ("DoubleField", 1.7976931348623157e308),
    ("I32Field", 2**31 - 1),
    ("StringField", "\u4f60\u597d,\b\n\r\t\u4e16\u754c"),
    ("BinaryField", bytes(range(32))),
]
IDL = """// Types of the payloads small (Simple), medium (Nesting) and large (Nesting2).
namespace py {module}
{enum}
struct Simple {{
  1: byte ByteField
  2: i64 I64Field
  3: double DoubleField
  4: i32 I32Field
  5: string StringField
  6: binary BinaryField{field}
}}

struct Nesting {{
  1: string String
  2: list<Simple> ListSimple
  3: double Double
  4: i32 I32
  5: list<i32> ListI32
  6: i64 I64
  7: map<string, string> MapStringString
  8: Simple SimpleStruct
  9: map<i32, i64> MapI32I64
  10: list<string> ListString
  11: binary Binary
  12: map<i64, string> MapI64String
  13: list<i64> ListI64
  14: byte Byte
  15: map<string, Simple> MapStringSimple
}}

struct Nesting2 {{
  1: map<Simple, Nesting> MapSimpleNesting
  2: Simple SimpleStruct
  3: byte Byte
  4: double Double
  5: list<Nesting> ListNesting
  6: i64 I64
  7: Nesting NestingStruct
  8: binary Binary
  9: string String
  10: set<Nesting> SetNesting
  11: i32 I32
}}
"""
DIALECTS = {
    "": IDL.format(module="payload", enum="", field=""),
    "frugal_": IDL.format(
        module="frugal_payload",
        enum="\nenum Enums { ValueA, ValueB, ValueC }\n",
        field="\n  7: Enums enumField",
    ),
}


def simple(number, more):
    value = [("ByteField", number % 128), *SIMPLE[1:]]
    return (value if number % 2 else SIMPLE) + ([("enumField", number % 3)] if more else [])


def nesting(count, more, turned=False):
    """`turned`: the entries of the maps in the other order, which is the same value."""
    turn = reversed if turned else iter
    text = SIMPLE[4][1]
    return [
        ("String", text),
        ("ListSimple", [simple(i, more) for i in range(count)]),
        ("Double", -0.1),
        ("I32", -(2**31)),
        ("ListI32", [(-1) ** i << (i % 31) for i in range(count)]),
        ("I64", -(2**63)),
        ("MapStringString", list(turn([(f"{text}{i}", text) for i in range(count)]))),
        ("SimpleStruct", simple(0, more)),
        ("MapI32I64", list(turn([(i * 1000, -i) for i in range(count)]))),
        ("ListString", [text * (i % 4) for i in range(count)]),
        ("Binary", bytes(range(256))[: 8 * count]),
        ("MapI64String", list(turn([(i << 33, text) for i in range(count)]))),
        ("ListI64", [(-1) ** i << (i % 63) for i in range(count)]),
        ("Byte", -128),
        ("MapStringSimple", list(turn([(f"key {i}", simple(i, more)) for i in range(count)]))),
    ]


def nesting2(count, more):
    some = [nesting(count - i, more) for i in range(count)]
    return [
        ("MapSimpleNesting", [(simple(2 * i + 1, more), item) for i, item in enumerate(some)]),
        ("SimpleStruct", simple(1, more)),
        ("Byte", 1),
        ("Double", 1e-7),
        ("ListNesting", some),
        ("I64", 1),
        ("NestingStruct", some[0]),
        ("Binary", b"\0\xff" * 100),
        ("String", "large"),
        *([] if more else [("SetNesting", some[:2])]),
        ("I32", 1),
    ]


def write_files(folder):
    for dialect, idl in DIALECTS.items():
        file = folder / f"{dialect}baseline.thrift"
        file.write_text(idl, encoding="ascii")
        types = wire.generated(file, f"{dialect}payload")
        structs = {
            name: wire.struct_of(getattr(types, name)) for name in ("Simple", "Nesting", "Nesting2")
        }
        more = dialect != ""
        for name, struct, value, other in (
            ("small", structs["Simple"], simple(0, more), None),
            ("medium", structs["Nesting"], nesting(6, more), nesting(6, more, True)),
            ("large", structs["Nesting2"], nesting2(5, more), None),
        ):
            data = wire.encoded("binary", struct, value)
            (folder / f"{dialect}{name}.bin").write_bytes(data)
            if name != "large":
                rewritten = wire.written_by_apache(
                    wire.read_by_apache("binary", struct.class_, data)
                )
                assert rewritten == data, (dialect, name)
            if not more and name != "large":
                for suffix, content in ((".t2j.json", value), (".json", other or value)):
                    text = wire.json_text(wire.plain(("struct", struct), content))
                    (folder / f"{name}{suffix}").write_text(text, encoding="utf-8")
