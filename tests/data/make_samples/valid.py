"""The valid values: edges of every type, containers of the sizes where a header grows, every
struct, some random ones.

The rows are (name, struct, value, tags). A value has all fields that are not optional: a bound
struct writes those always."""

import math
import random
import uuid

# fmt: off
EDGES = {
    "i8": [-128, -65, -1, 63, 64, 127],
    "i16": [-32768, -8193, 127, 128, 8192, 32767],
    "i32": [-2147483648, -1, 0, 63, 64, 8192, 134217728, 2147483647],
    "i64": [-(2**63), -(2**53) - 1, -(2**31) - 1, 0, 2**32, 2**53 + 1, 2**56, 2**62, 2**63 - 1],
    "double": [0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 5e-324, 2.2250738585072014e-308,
        1.7976931348623157e308, 1e21, 1e-7, 4.35, 123456789.125, 1e16, -8.41e21],
    "string": ["", "a", '"quoted"', "back\\slash", "sl/ash", "\b\f\n\r\t", "\0", "\x01\x1f\x7f",
        "\u00e9", "\u65e5\u672c\u8a9e", "\U0001f600", "\u2028\u2029", "\ufffd", "\U0010ffff",
        "</script>", '{"not":"json"}', "null", "x" * 15, "\u00e9" * 32, "y" * 127, "y" * 128],
    "binary": [b"", b"\0", b"\xff\xfe", b"abc", b"\xfb\xef\xbe", bytes(range(256)), b"z" * 127],
    "bool": [True, False],
    "enum": [0, 1, 5, 2147483647],
}
TEXTS = ["", "a", "key", "l\u00f6wen", "\u6f22\u5b57", "\U0001f600", "two words", '"', "\\",
    "tab\there", "0", "x" * 20]
# fmt: on
COLORS = [0, 1, 5, 2147483647]


def fields(**values):
    return list(values.items())


def row(head, value=None, **members):
    """The row of a head of words (name, struct and tags) and a value or its members."""
    name, struct, *tags = head.split()
    return name, struct, fields(**members) if value is None else value, tags


def edges(structs):
    for kind, values in EDGES.items():
        for number, value in enumerate(values):
            tag = "int" if kind[1:].isdigit() else kind
            yield row(f"edge_{kind}_{number} OptScalars edge {tag}", [(f"o_{kind}", value)])
    for name, value in (("nan", math.nan), ("inf", math.inf), ("ninf", -math.inf)):
        yield row(f"nonfinite_{name} OptScalars nonfinite", o_double=value)
    for name, value in (("unknown", 77), ("negative", -3)):
        yield row(f"enum_{name} OptScalars enum_unknown", o_enum=value)


def empties(structs):
    yield row("empty_struct Empty empty", [])
    yield row("empty_optscalars OptScalars empty", [])
    for struct in ("Lists", "Sets", "MapKeys"):
        for name in list(structs[struct].fields)[::2]:
            yield row(f"empty_{name} {struct} empty container", [(name, [])])


def sizes(structs):
    for size in (1, 2, 14, 15, 16, 127, 128):
        yield row(f"list_i32_n{size} Lists size", l3=[(i * 7919) % 1000 - 500 for i in range(size)])
        yield row(f"list_bool_n{size} Lists size bool", l0=[i % 3 == 0 for i in range(size)])
    for size in (1, 15, 129):
        yield row(f"list_empty_struct_n{size} Lists size zero_payload", l10=[[]] * size)
        yield row(f"map_n{size} MapVals size", v3=[(f"k{i}", i * i) for i in range(size)])
    yield row(
        "map_i64_n90 MapKeys size",
        k4=[((i - 45) * 2 ** (i % 3 * 20) + i, TEXTS[i % 12]) for i in range(90)],
    )
    yield row("list_i64_n700 Lists size", l4=[i << (i % 50) for i in range(700)])
    yield row("str_len_16384 OptScalars size", o_string="z" * 16384)
    yield row("bin_len_5000 OptScalars size", o_binary=bytes(i * i % 251 for i in range(5000)))


def tree(depth):
    return [("v", depth)] + ([("kids", [tree(depth - 1)])] if depth > 1 else [])


def point(x, y):
    return fields(x=x, y=y)


def shapes(structs):
    for depth in (1, 5, 20, 31):
        yield row(f"tree_depth_{depth} Tree recursion", tree(depth))
    some = fields(
        i=-5, s="uni", st=scalars(random.Random(7)), li=list(range(16)), b=False, bin=b"\0\1"
    )
    for name, value in some:
        yield row(f"union_{name} Uni union", [(name, value)])
    yield row(
        "union_holder UniHolder union",
        u=fields(b=True),
        us=[[item] for item in some],
        um=[(name, [(name, value)]) for name, value in some],
    )
    yield row("mixed_required_only Mixed requiredness", req=1, req_d="")
    yield row(
        "mixed_all Mixed requiredness",
        req=0,
        opt=-1,
        dfl=2,
        req_d="rd",
        opt_d="",
        dfl_d=-7,
        lst_d=[],
        map_d=[],
        dbl_d=0.0,
        bool_d=False,
    )
    yield row(
        "sparse_all Sparse fieldid",
        a=1,
        b=True,
        c="c",
        d=False,
        e=-1,
        f=127,
        g=-128,
        h=point(1, -1),
        i=True,
        j=[0, -1],
    )
    yield row("sparse_last Sparse fieldid", j=[])
    yield row("sparse_far Sparse fieldid", b=False, i=False)
    yield row(
        "out_of_order Sparse out_of_order", j=[7], a=1, h=fields(y=2, x=1), b=True, g=-1, d=True
    )
    yield row(
        "structkey StructKeys structkey",
        ps=[(point(1, 2), "a"), (point(-1, 0), "b")],
        ss=[point(1, 1), point(2, 1)],
    )
    yield row("listkey StructKeys structkey", ls=[([1, 2, 3], "a"), ([], "b"), ([-1], "c")])
    yield row("wide_full Wide wide", [(f"w{i}", wide_value(i)) for i in range(1, 301)])
    yield row("oops Oops exception", code=-1, msg="no", details=fields(why="because"))
    example = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    yield row("uuid_empty Uuids uuid empty", lu=[], mu=[], su=[])
    yield row("uuid_then_field Uuids uuid", u=example, tail=9)
    yield row(
        "uuid_all Uuids uuid",
        u=uuid.UUID(int=0),
        lu=[example, uuid.UUID(int=2**128 - 1)],
        mu=[(example, "one")],
        su=[example],
        mv=fields(k=example),
        tail=-1,
    )


def wide_value(i):
    return (f"w{i}", i % 2 == 0, i - 150, i / 4, -i)[(i - 1) % 5]


# ---- random ones ----


def scalar(kind, chance):
    if kind == "bool":
        return chance.random() < 0.5
    if kind == "double":
        return chance.choice(
            [
                chance.uniform(-1e6, 1e6),
                float(chance.randrange(-1000, 1000)),
                chance.uniform(-1, 1) * 1e-9,
            ]
        )
    if kind == "string":
        return chance.choice(TEXTS) + chance.choice(TEXTS)
    if kind == "binary":
        return chance.randbytes(chance.choice([0, 1, 2, 3, 9, 20]))
    if kind == "uuid":
        return uuid.UUID(int=chance.getrandbits(128))
    bits = int(kind[1:])
    return chance.getrandbits(chance.randrange(1, bits)) * chance.choice([1, -1])


def value_of(field, kind, chance, depth):
    name = kind[0]
    if name == "struct":
        return struct_value(kind[1], chance, depth + 1)
    if name == "map":
        keys = distinct(
            [value_of(field, kind[1], chance, depth + 1) for _ in range(length(chance, depth))]
        )
        return [(key, value_of(field, kind[2], chance, depth + 1)) for key in keys]
    if name in ("list", "set"):
        items = [value_of(field, kind[1], chance, depth + 1) for _ in range(length(chance, depth))]
        return distinct(items) if name == "set" else items
    if name == "i32" and field in ENUM_FIELDS:
        return chance.choice(COLORS)
    return scalar(name, chance)


ENUM_FIELDS = {"f_enum", "o_enum", "r_enum", "l8", "s8", "k8", "v8"}
# Fields that a bound struct writes always.
ALWAYS = {"Point", "Scalars", "ReqScalars"}
NEEDED = {"Mixed": {"req", "req_d"}, "Tree": {"v"}, "Oops": {"code", "msg"}}


def length(chance, depth):
    return chance.choice([0, 1, 2, 3, 5, 17]) if depth == 0 else chance.choice([0, 1, 2])


def distinct(items):
    return list({repr(item): item for item in items}.values())


def struct_value(struct, chance, depth=0):
    if struct.name == "Uni":
        name = chance.choice(list(struct.fields))
        return [(name, value_of(name, struct.fields[name][1], chance, depth))]
    if struct.name == "Tree" and depth > 5:
        return [("v", depth)]
    return [
        (name, value_of(name, kind, chance, depth))
        for name, (_, kind) in struct.fields.items()
        if struct.name in ALWAYS or name in NEEDED.get(struct.name, ()) or chance.random() < 0.6
    ]


def scalars(chance):
    return fields(
        f_bool=True, f_i8=-8, f_i16=16, f_i32=-32, f_i64=64, f_double=0.5, f_string="text",
        f_binary=chance.randbytes(4), f_enum=5, f_uid=12345678901,
    )  # fmt: skip


COUNTS = {
    "Point": 2, "Scalars": 5, "OptScalars": 4, "ReqScalars": 5, "Mixed": 5, "Lists": 7, "Sets": 5,
    "MapKeys": 6, "MapVals": 6, "StructKeys": 3, "Nested": 9, "Tree": 4, "Uni": 4, "UniHolder": 4,
    "Oops": 3, "Sparse": 4, "Wide": 1, "Uuids": 4,
}  # fmt: skip


def randoms(structs):
    for name, count in COUNTS.items():
        for number in range(count):
            chance = random.Random(f"thriftlens {name} {number}")
            yield row(f"rand_{name}_{number} {name} random", struct_value(structs[name], chance))


def all_values(structs):
    for part in (edges, empties, sizes, shapes, randoms):
        for name, struct, value, tags in part(structs):
            yield name, structs[struct], value, tags
