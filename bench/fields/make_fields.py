#!/usr/bin/env python3
"""Schemas of structs with 9 to 1033 fields for every contestant of the task `fields`, and the C++
lines that set and read them.

usage: make_fields.py FOLDER
"""

import sys
from pathlib import Path

SIZES = [9, 33, 73, 137, 521, 1033]
KINDS = ["i32", "bool", "i64", "double", "string"]
CPP = {
    "i32": "std::int32_t",
    "bool": "bool",
    "i64": "std::int64_t",
    "double": "double",
    "string": "std::string_view",
}
NAMES = {
    "proto": {
        "i32": "sint32",
        "bool": "bool",
        "i64": "sint64",
        "double": "double",
        "string": "string",
    },
    "fbs": {"i32": "int", "bool": "bool", "i64": "long", "double": "double", "string": "string"},
    "capnp": {
        "i32": "Int32",
        "bool": "Bool",
        "i64": "Int64",
        "double": "Float64",
        "string": "Text",
    },
}


def kind(i):
    return KINDS[(i - 1) % len(KINDS)]


def value(i):
    return {
        "i32": str(i),
        "bool": "true",
        "i64": f"{i * 1000003}",
        "double": f"{i}.5",
        "string": f'"value {i}"',
    }[kind(i)]


def read_ids(n):
    return [1, n // 4, n // 2, n * 3 // 4, n]


def schemas():
    thrift, proto, fbs = (
        ["namespace cpp fields_thrift"],
        ['syntax = "proto3";', "package fields_proto;"],
        ["namespace fields_fbs;"],
    )
    capnp = [
        "@0xb2f5e1c0a9d87643;",
        '$import "/capnp/c++.capnp".namespace("fields_capnp");',
        "struct Entry { key @0 :Text; value @1 :Int32; }",
    ]
    fbs.append("table Entry { key: string (key); value: int; }")
    for n in SIZES:
        ids = range(1, n + 1)
        thrift.append(
            f"struct F{n} {{ "
            + " ".join(f"{i}: {kind(i)} f{i}" for i in ids)
            + f" {n + 1}: optional map<string, i32> m }}"
        )
        proto.append(
            f"message F{n} {{ "
            + " ".join(f"{NAMES['proto'][kind(i)]} f{i} = {i};" for i in ids)
            + f" map<string, sint32> m = {n + 1}; }}"
        )
        fbs.append(
            f"table F{n} {{ "
            + " ".join(f"f{i}: {NAMES['fbs'][kind(i)]};" for i in ids)
            + " m: [Entry]; }"
        )
        capnp.append(
            f"struct F{n} {{ "
            + " ".join(f"f{i} @{i - 1} :{NAMES['capnp'][kind(i)]};" for i in ids)
            + f" m @{n} :List(Entry); }}"
        )
    return {"thrift": thrift, "proto": proto, "fbs": fbs, "capnp": capnp}


def per_field(line):
    """C++ lines for the fields of every size; line(n, i) returns one."""
    return {n: [line(n, i) for i in range(1, n + 1)] for n in SIZES}


def number(i, text):
    return (
        f"static_cast<double>({text})"
        if kind(i) != "string"
        else f"static_cast<double>({text}.size())"
    )


def header(name, includes, per_size):
    lines = ["#pragma once", *includes, "#include <tuple>", f"namespace fields_of_{name} {{"]
    for n in SIZES:
        lines += [
            f"struct f{n} {{",
            f"  static constexpr int size = {n};",
            *("  " + row for row in per_size(n)),
            "};",
        ]
    return lines + [f"using all = std::tuple<{', '.join(f'f{n}' for n in SIZES)}>;", "}"]


def reads(n, text):
    return "return " + " + ".join(number(i, text(i)) for i in read_ids(n)) + ";"


def apache(n):
    sets = per_field(lambda n, i: f"to.__set_f{i}({value(i)});")[n]
    return [
        f"using message = fields_thrift::F{n};",
        "static void fill(message& to) {",
        *sets,
        "}",
        f"static double read(const message& from) {{ {reads(n, lambda i: f'from.f{i}')} }}",
    ]


def protobuf(n):
    sets = per_field(lambda n, i: f"to.set_f{i}({value(i)});")[n]
    return [
        f"using message = fields_proto::F{n};",
        "static void fill(message& to) {",
        *sets,
        "}",
        f"static double read(const message& from) {{ {reads(n, lambda i: f'from.f{i}()')} }}",
    ]


def flatbuffers(n):
    strings = [
        f"const auto s{i} = out.CreateString({value(i)});"
        for i in range(1, n + 1)
        if kind(i) == "string"
    ]
    adds = per_field(lambda n, i: f"to.add_f{i}({f's{i}' if kind(i) == 'string' else value(i)});")[
        n
    ]

    def getter(i):
        return f"from.f{i}()" + ("->" if kind(i) == "string" else "")

    return [
        f"using message = fields_fbs::F{n};",
        "template <class Entries>",
        "static void build(flatbuffers::FlatBufferBuilder& out, Entries entries) {",
        *strings,
        f"fields_fbs::F{n}Builder to(out);",
        *adds,
        "if (!entries.IsNull()) to.add_m(entries);",
        "out.Finish(to.Finish());",
        "}",
        f"static double read(const message& from) {{ {reads(n, getter).replace('->.', '->')} }}",
    ]


def capnp(n):
    sets = per_field(lambda n, i: f"to.setF{i}({value(i)});")[n]
    return [
        f"using message = fields_capnp::F{n};",
        "static void fill(message::Builder to) {",
        *sets,
        "}",
        f"static double read(message::Reader from) {{ {reads(n, lambda i: f'from.getF{i}()')} }}",
    ]


def thriftlens(n):
    write = {"i32": "i32", "bool": "bool", "i64": "i64", "double": "double", "string": "bytes"}
    wire = {"i32": "i32", "bool": "bool_", "i64": "i64", "double": "double_", "string": "string"}

    def text(i):
        return f"std::string_view({value(i)})"

    sets = per_field(
        lambda n, i: (
            f"out.write_field(thriftlens::ttype::{wire[kind(i)]}, {i}); "
            f"out.write_{write[kind(i)]}({text(i) if kind(i) == 'string' else value(i)});"
        )
    )[n]

    def put(i):
        if kind(i) == "string":
            size = len(value(i)) - 2
            return (
                f"std::memcpy(to = Protocol::put_size(to, {size}), {value(i)}, "
                f"{size}), to += {size};"
            )
        return f"to = Protocol::put_{write[kind(i)]}(to, {value(i)});"

    puts = per_field(
        lambda n, i: (
            f"to = Protocol::put_field(to, thriftlens::ttype::{wire[kind(i)]}, {i}, last); {put(i)}"
        )
    )[n]
    ids = ", ".join(f'"#{i}"' for i in read_ids(n))

    def as_(at, i):
        return number(i, f"found[{at}].template as<{CPP[kind(i)]}>()")

    sums = " + ".join(as_(at, i) for at, i in enumerate(read_ids(n)))
    return [
        "template <class Writer>",
        "static void fill(Writer& out) {",
        *sets,
        "}",
        "static constexpr std::size_t capacity = "
        f"{sum(3 + (len(value(i)) + 2 if kind(i) == 'string' else 8) for i in range(1, n + 1))};",
        "template <class Protocol>",
        "static std::uint8_t* put(std::uint8_t* to) {",
        "std::int16_t last = 0;",
        *puts,
        "return to;",
        "}",
        f"static constexpr std::string_view paths[] = {{{ids}}};",
        "template <class Views>",
        f"static double read(const Views& found) {{ return {sums}; }}",
        "struct five {",
        *(f"{CPP[kind(i)]} f{i}{{}};" for i in read_ids(n)),
        "};",
        f"static double read(const five& from) {{ {reads(n, lambda i: f'from.f{i}')} }}",
    ]


def bindings():
    """The five fields that are read, as structs of the codec."""

    def fields(n):
        return ", ".join(
            f"thriftlens::field<{i}, &fields_of_thriftlens::f{n}::five::f{i}>" for i in read_ids(n)
        )

    return [
        f"template <> struct thriftlens::binding<fields_of_thriftlens::f{n}::five> : "
        f"thriftlens::fields<{fields(n)}> {{}};"
        for n in SIZES
    ]


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in schemas().items():
        (folder / f"fields.{name}").write_text("\n".join(lines) + "\n")
    for name, includes, per_size in [
        ("apache", ["#include <fields_types.h>", "#include <fields_types.tcc>"], apache),
        ("protobuf", ["#include <fields.pb.h>"], protobuf),
        ("flatbuffers", ["#include <fields_generated.h>"], flatbuffers),
        ("capnp", ["#include <fields.capnp.h>"], capnp),
        ("thriftlens", ["#include <thriftlens/thriftlens.hpp>"], thriftlens),
    ]:
        (folder / f"fields_{name}.hpp").write_text(
            "\n".join(
                header(name, includes, per_size) + (bindings() if name == "thriftlens" else [])
            )
            + "\n"
        )


main()
