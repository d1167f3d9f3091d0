"""Writes the type matrix: an IDL file, C++ structs bound to it, and values for both Apache's
classes and ours.

    make_matrix.py DIRECTORY     writes there: matrix.thrift, matrix_apache_fill.hpp,
    matrix_apache_sides.inc,
                                 matrix_ours_1.cpp … _3.cpp, matrix_ours.cpp

A struct of the IDL holds one shape (plain, optional, list, set, map value, map key, list of list …)
over every base type, so that every combination of two levels occurs on the wire once. Both sides
generate values by the same rule."""

import sys
from pathlib import Path

UNITS = 3  # of our side, to be compiled side by side

# name, IDL type, our C++ type, its array of values, literals that both sides understand (distinct
# and ascending)
# fmt: off
BASES = [
    ("bool", "bool", "bool", ["false", "true"]),
    ("i8", "i8", "std::int8_t", ["-128", "-1", "0", "1", "127"]),
    ("i16", "i16", "std::int16_t", ["-32768", "-1", "0", "255", "32767"]),
    ("i32", "i32", "std::int32_t", ["-2147483647 - 1", "-1", "0", "65536", "2147483647"]),
    ("i64", "i64", "std::int64_t", ["INT64_MIN", "-1", "0", "4294967296", "INT64_MAX"]),
    ("double", "double", "double", ["-1e300", "-0.5", "0.0", "1e-300", "1.5"]),
    ("string", "string", "std::string", ['""', '"a"', '"fifteen letters"', '"sixteen letters."',
        '"\\xc3\\xa4 longer than every small buffer there is in use"']),
    ("binary", "binary", "std::string", ['""', '"\\x01"', '"\\x7f\\xff"']),
    ("color", "Color", "color", ["{}red", "{}green", "{}blue"]),
    ("point", "Point", "point", ["point{-1, 2}", "point{0, 0}", "point{7, 1 << 20}"]),
]
# fmt: on


def shapes():
    """(struct name, IDL type of a field, our type, C++ statement that fills `to` with `values`)."""
    scalar = "to = *(std::end({v}) - 1);"
    sequence, nested = "fill_sequence(to, {v});", "fill_nested(to, {v});"
    yield "Plain", "{t}", "{c}", scalar
    yield "Optional", "optional {t}", "std::optional<{c}>", scalar
    yield "Required", "required {t}", "{c}", scalar
    yield "ListOf", "list<{t}>", "std::vector<{c}>", sequence
    yield "SetOf", "set<{t}>", "std::set<{c}>", sequence
    yield "ListOfList", "list<list<{t}>>", "std::vector<std::deque<{c}>>", nested
    yield "ListOfSet", "list<set<{t}>>", "std::vector<std::set<{c}>>", nested
    yield "OptionalList", "optional list<{t}>", "std::optional<std::vector<{c}>>", sequence
    yield "KeyOf", "map<{t}, i32>", "std::map<{c}, std::int32_t>", "fill_keys(to, {v});"
    for name, idl, cpp, _ in BASES:
        ours = (
            "std::map" if name in ("i32", "string") else "pairs"
        )  # nodes cost the compiler more than they show
        yield (
            f"MapFrom{name.title()}",
            f"map<{idl}, {{t}}>",
            f"{ours}<{cpp}, {{c}}>",
            f"fill_map(to, values_{name}, {{v}});",
        )
    yield (
        "MapOfList",
        "map<string, list<{t}>>",
        "pairs<std::string, std::vector<{c}>>",
        "fill_map_of_list(to, {v});",
    )
    yield (
        "MapOfMap",
        "map<i32, map<i64, {t}>>",
        "std::map<std::int32_t, pairs<std::int64_t, {c}>>",
        "fill_map_of_map(to, {v});",
    )


# Shapes that are also decoded into an existing object: one per way of reading.
OVER = {"Plain", "Optional", "ListOf", "SetOf", "ListOfList", "MapFromString", "MapFromPoint"}


def structs():
    """(name, [(field, id, IDL type, our type, statement)]); ids have gaps, so that Compact writes
    both forms of headers."""
    for name, idl, cpp, fill in shapes():
        yield (
            name,
            [
                (
                    f"{base}_f",
                    1 + i * (1 if i < 5 else 7),
                    idl.format(t=t),
                    cpp.format(c=c),
                    fill.format(v=f"values_{base}"),
                )
                for i, (base, t, c, _) in enumerate(BASES)
            ],
        )


def idl_text():
    lines = [
        "namespace cpp matrix",
        "enum Color { red = 0, green = 1, blue = 70000 }",
        "struct Point { 1: i32 x, 2: i32 y }",
    ]
    for name, fields in structs():
        lines.append(f"struct {name} {{")
        lines += [f"  {number}: {idl} {field}" for field, number, idl, _, _ in fields]
        lines.append("}")
    return "\n".join(lines) + "\n"


def values_text(color_scope):
    return (
        "\n".join(
            f"const {cpp} values_{name}[] = "
            f"{{{', '.join(v.replace('{}', color_scope) for v in values)}}};"
            for name, _, cpp, values in BASES
        )
        + "\n"
    )


def apache_text():
    out = [values_text("matrix::Color::").replace("color values", "color::type values")]
    for name, fields in structs():
        out.append(f"void fill(matrix::{name}& object) {{")
        out += [
            f"  {{ auto to = object.{field}; {fill} object.__set_{field}(to); }}"
            for field, _, _, _, fill in fields
        ]
        out.append("}")
    return "\n".join(out) + "\n"


def our_struct(name, fields):
    required = ", tl::required" if name == "Required" else ""
    bound = ", ".join(
        f"tl::field<{number}, &matrix_test::{name}::{field}{required}>"
        for field, number, *_ in fields
    )
    return "\n".join(
        [
            "namespace matrix_test {",
            f"struct {name} {{",
            *(f"  {cpp} {field}{{}};" for field, _, _, cpp, _ in fields),
            "};",
            f"void fill({name}& object) {{",
            *(
                f"  {{ auto& to = object.{field}{'.emplace()' if name == 'OptionalList' else ''}; "
                f"{fill} }}"
                for field, _, _, _, fill in fields
            ),
            "}",
            "}  // namespace matrix_test",
            "namespace tl = thriftlens;",
            f"template <> struct thriftlens::binding<matrix_test::{name}> : tl::fields<{bound}> "
            f"{{}};",
        ]
    )


def unit_text(number, some):
    sides = ", ".join(f'side_of<{name}, {str(name in OVER).lower()}>("{name}")' for name, _ in some)
    return (
        "\n".join(
            [
                '#include "codec/matrix_ours.hpp"',
                "namespace matrix_test {",
                "namespace {",
                values_text("color::"),
                "}",
                "}",
                *(our_struct(name, fields) for name, fields in some),
                f"namespace matrix_test {{ std::vector<our_side> our_sides_{number}() {{ return "
                f"{{{sides}}}; }} }}",
            ]
        )
        + "\n"
    )


def main(directory):
    def write(name, text):
        Path(directory, name).write_text(text, encoding="utf-8")

    every = list(structs())
    write("matrix.thrift", idl_text())
    write("matrix_apache_fill.hpp", apache_text())
    joined = "".join(f'side_of<matrix::{name}>("{name}"),\n' for name, _ in every)
    write("matrix_apache_sides.inc", joined)
    for unit in range(UNITS):
        some = every[len(every) * unit // UNITS : len(every) * (unit + 1) // UNITS]
        write(f"matrix_ours_{unit + 1}.cpp", unit_text(unit + 1, some))
    parts = range(1, UNITS + 1)
    write(
        "matrix_ours.cpp",
        "\n".join(
            [
                '#include "codec/matrix.hpp"',
                "namespace matrix_test {",
                *(f"std::vector<our_side> our_sides_{n}();" for n in parts),
                "std::vector<our_side> our_sides() {",
                "  std::vector<our_side> all;",
                *(
                    f"  for (const our_side& each : our_sides_{n}()) all.push_back(each);"
                    for n in parts
                ),
                "  return all;",
                "}",
                "}",
            ]
        )
        + "\n",
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
