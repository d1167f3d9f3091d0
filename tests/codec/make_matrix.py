"""Writes the type matrix: an IDL file, C++ structs bound to it, and values for both Apache's classes and ours.

    make_matrix.py DIRECTORY        writes matrix.thrift and matrix_cases.hpp there

Each struct of the IDL holds one shape (plain, optional, list, set, map value, map key, list of list …) over every base
type, so that every combination of two levels stands on the wire once. Values are made by the same rule on both sides.
"""
import sys
from pathlib import Path

# name, IDL type, our C++ type, literals that both sides understand (distinct and ascending)
BASES = [
    ("bool", "bool", "bool", ["false", "true"]),
    ("i8", "i8", "std::int8_t", ["-128", "-1", "0", "1", "127"]),
    ("i16", "i16", "std::int16_t", ["-32768", "-1", "0", "255", "32767"]),
    ("i32", "i32", "std::int32_t", ["-2147483647 - 1", "-1", "0", "65536", "2147483647"]),
    ("i64", "i64", "std::int64_t", ["INT64_MIN", "-1", "0", "4294967296", "INT64_MAX"]),
    ("double", "double", "double", ["-1e300", "-0.5", "0.0", "1.5", "1e-300"]),
    ("string", "string", "std::string", ['""', '"a"', '"fifteen letters"', '"sixteen letters."', '"\\xc3\\xa4 longer than every small buffer there is in use"']),
    ("binary", "binary", "std::string", ['""', '"\\x01"', '"\\x7f\\xff"']),
    ("color", "Color", "color", ["color::red", "color::green", "color::blue"]),
    ("point", "Point", "point", ["point{-1, 2}", "point{0, 0}", "point{7, 1 << 20}"]),
]
APACHE = {"color": lambda v: v.replace("color::", "matrix::Color::").upper().replace("MATRIX::COLOR::", "matrix::Color::"),
          "point": lambda v: v.replace("point{", "apache_point(").replace("}", ")")}
CPP_KEYS = [b for b in BASES]


def shapes():
    """(struct name, IDL type of a field, our type, expression maker) for each base type."""
    yield "Plain", "{t}", "{c}", "scalar"
    yield "Optional", "optional {t}", "std::optional<{c}>", "scalar"
    yield "Required", "required {t}", "{c}", "scalar"
    yield "ListOf", "list<{t}>", "std::vector<{c}>", "sequence"
    yield "SetOf", "set<{t}>", "std::set<{c}>", "sequence"
    yield "ListOfList", "list<list<{t}>>", "std::vector<std::deque<{c}>>", "nested"
    yield "ListOfSet", "list<set<{t}>>", "std::vector<std::set<{c}>>", "nested"
    yield "OptionalList", "optional list<{t}>", "std::optional<std::vector<{c}>>", "sequence"
    yield "KeyOf", "map<{t}, i32>", "std::map<{c}, std::int32_t>", "key"
    for name, idl, cpp, values in BASES:
        yield f"MapFrom{name.title()}", "map<" + idl + ", {t}>", "std::map<" + cpp + ", {c}>", ("map", name, values)
    yield "MapOfList", "map<string, list<{t}>>", "std::map<std::string, std::vector<{c}>>", "map_of_list"
    yield "MapOfMap", "map<i32, map<i64, {t}>>", "std::map<std::int32_t, std::map<std::int64_t, {c}>>", "map_of_map"


def apache_literal(base, literal):
    return APACHE[base](literal) if base in APACHE else literal


def statements(kind, base, values, side):
    """C++ statements that fill `to`, a container of the field's type; `side` is apache or ours."""
    lit = lambda v, b=base: apache_literal(b, v) if side == "apache" else v
    text = lambda v, b: f"std::string({lit(v, b)}, sizeof({lit(v, b)}) - 1)" if b in ("string", "binary") else lit(v, b)
    values = [text(v, base) for v in values]
    if kind == "scalar":
        return [f"to = {values[-1]};"]
    if kind == "sequence":
        return [f"to.insert(to.end(), {v});" for v in values]
    if kind == "nested":
        return ["to.resize(3);"] + [f"to[{i}].insert(to[{i}].end(), {v});" for i in (0, 2) for v in values]
    if kind == "key":
        return [f"to[{v}] = {i * 1000 - 1};" for i, v in enumerate(values)]
    if kind == "map_of_list":
        return [f'to["k{i}"].assign({i * 4}u, {v});' for i, v in enumerate(values)]
    if kind == "map_of_map":
        return [f"to[{i - 1}][{i}ll << 40] = {v};" for i, v in enumerate(values)] + ["to[99];"]
    _, key, keys = kind
    return [f"to[{text(k, key)}] = {values[i % len(values)]};" for i, k in enumerate(keys)]


def structs():
    for name, idl, cpp, kind in shapes():
        yield name, [(f"{b[0]}_{'f'}", b, idl.format(t=b[1]), cpp.format(c=b[2]), kind) for b in BASES]


def idl_text():
    lines = ["namespace cpp matrix", "enum Color { RED = 0, GREEN = 1, BLUE = 70000 }", "struct Point { 1: i32 x, 2: i32 y }"]
    for name, fields in structs():
        lines.append(f"struct {name} {{")
        # Ids with gaps and one beyond a nibble's delta, so that Compact writes both forms of headers.
        for i, (field, _, idl, _, _) in enumerate(fields):
            lines.append(f"  {1 + i * (1 if i < 5 else 7)}: {idl} {field}")
        lines.append("}")
    return "\n".join(lines) + "\n"


def cpp_text():
    out = ["// Made by make_matrix.py. Apache's classes and our structs with the same values.", "#pragma once",
           "inline matrix::Point apache_point(std::int32_t x, std::int32_t y) { matrix::Point made; made.__set_x(x); made.__set_y(y); return made; }",
           "enum class color : std::int32_t { red = 0, green = 1, blue = 70000 };",
           "struct point { std::int32_t x = 0; std::int32_t y = 0; auto operator<=>(const point&) const = default; };",
           "template <> struct thriftlens::binding<point> : thriftlens::numbered {};"]
    names = []
    for name, fields in structs():
        ours = f"our_{name}"
        names.append(name)
        out.append(f"struct {ours} {{")
        out += [f"  {cpp} {field}{{}};" for field, _, _, cpp, _ in fields]
        out.append(f"  bool operator==(const {ours}&) const = default;\n}};")
        bound = ", ".join(f"thriftlens::field<{1 + i * (1 if i < 5 else 7)}, &{ours}::{field}{', thriftlens::required' if name == 'Required' else ''}>"
                          for i, (field, *_) in enumerate(fields))
        out.append(f"template <> struct thriftlens::binding<{ours}> : thriftlens::fields<{bound}> {{}};")
        for side, owner in (("apache", f"matrix::{name}"), ("ours", ours)):
            out.append(f"inline void fill({owner}& object) {{")
            for field, base, idl, _, kind in fields:
                body = statements(kind, base[0], base[3], side)
                if side == "apache":
                    out.append(f"  {{ auto made = object.{field}; auto& to = made; {' '.join(body)} object.__set_{field}(made); }}")
                elif name == "OptionalList":
                    out.append(f"  {{ auto& to = object.{field}.emplace(); {' '.join(body)} }}")
                else:
                    out.append(f"  {{ auto& to = object.{field}; {' '.join(body)} }}")
            out.append("}")
    out.append("#define MATRIX_STRUCTS(X) " + " ".join(f"X({n})" for n in names))
    return "\n".join(out) + "\n"


def main(directory):
    Path(directory, "matrix.thrift").write_text(idl_text(), encoding="utf-8")
    Path(directory, "matrix_cases.hpp").write_text(cpp_text(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
