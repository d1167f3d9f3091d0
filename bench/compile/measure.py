"""What the compiler takes for bound structs, beside Apache's generated code for the same types.

    measure.py chain N REFERENCES | complete N | idl FILE.thrift [N]     [--flags=-O0,-O2]
    [--compiler=g++] [--keep=FOLDER]

A struct of a chain refers to the next one, one of a complete graph to all others; of an IDL file
the first N structs are bound, decoded and encoded. Prints seconds of processor time, peak memory
and size of code per source.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

import units

SCALARS = {
    "bool": "bool",
    "byte": "std::int8_t",
    "i8": "std::int8_t",
    "i16": "std::int16_t",
    "i32": "std::int32_t",
    "i64": "std::int64_t",
    "double": "double",
    "string": "std::string",
    "binary": "std::string",
}
HEAD = "".join(
    f"#include <{name}>\n"
    for name in (
        "thriftlens/codec/decode.hpp",
        "thriftlens/codec/encode.hpp",
        "map",
        "memory",
        "optional",
        "set",
        "string",
        "vector",
    )
)
USE = """tl::result<{0}> read_{0}(tl::byte_view bytes) {{ return tl::try_decode<{0}>(bytes); }}
tl::result<void> write_{0}(const {0}& value, tl::buffer& out) {{
  return tl::try_append_encoded(value, out);
}}
"""
TYPE = r"(?:list|set|map)\s*<(?:[\w\s,]|<(?:[\w\s,]|<[\w\s,]*>)*>)*>|\w+"


def program(enums, structs, roots):
    """C++ for structs [(name, [(id, type, member, is_required)])], contained ones first."""
    lines = [HEAD, "namespace tl = thriftlens;"]
    lines += [f"enum class {name} : int {{ {members} }};" for name, members in enums]
    lines += [f"struct {name};" for name, _ in structs]
    for name, fields in structs:
        lines += [
            f"struct {name} {{",
            *(f"  {kind} {member}_{{}};" for _, kind, member, _ in fields),
            "};",
        ]
    for name, fields in structs:
        bound = (
            f"tl::field<{number}, &{name}::{member}_{', tl::required' if required else ''}>"
            for number, _, member, required in fields
        )
        lines.append(
            f"template <> struct tl::binding<{name}> : tl::fields<{', '.join(bound)}> {{}};"
        )
    return "\n".join(lines + [USE.format(root) for root in roots])


def chain(count, references):
    forms = ["std::optional<S{}>", "std::vector<S{}>", "std::unique_ptr<S{}>"]
    structs = [(f"S{count}", [(1, "std::int32_t", "number", False)])]
    for number in reversed(range(count)):
        links = [
            (2 + i, forms[i % 3].format(number + 1), f"to{i}", False) for i in range(references)
        ]
        structs.append((f"S{number}", [(1, "std::int32_t", "number", False), *links]))
    return program([], structs, ["S0"])


def complete(count):
    forms = ["std::vector<S{}>", "std::unique_ptr<S{}>"]
    structs = [
        (
            f"S{i}",
            [(1, "std::int32_t", "number", False)]
            + [
                (2 + j, forms[(i + j) % 2].format(j), f"to{j}", False)
                for j in range(count)
                if j != i
            ],
        )
        for i in range(count)
    ]
    return program([], structs, ["S0"])


class Idl:
    """The first structs of an IDL file, those that others contain first."""

    def __init__(self, path, count):
        text = re.sub(r"/\*.*?\*/", "", Path(path).read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"(#|//).*", "", text)
        self.typedefs = {
            name: kind for kind, name in re.findall(rf"\btypedef\s+({TYPE})\s+(\w+)", text)
        }
        self.enums = [
            (name, ", ".join(re.findall(r"\w+\s*=\s*\w+|\w+", body)))
            for name, body in re.findall(r"\benum\s+(\w+)\s*\{(.*?)\}", text, flags=re.S)
        ]
        declarations = re.findall(
            r"^(struct|union|exception)\s+(\w+)\s*\{(.*?)\}", text, flags=re.S | re.M
        )
        all_structs = [(kind, name, self.fields(body)) for kind, name, body in declarations]
        self.structs = self.sorted(all_structs[:count] if count else all_structs)

    @staticmethod
    def fields(body):
        body = re.sub(r"\([^)]*\)", "", body)
        return re.findall(rf"(-?\d+)\s*:\s*(optional|required)?\s*({TYPE})\s+(\w+)", body)

    @staticmethod
    def sorted(structs):
        by_name = {struct[1]: struct for struct in structs}
        seen, ordered = set(), []

        def visit(struct):
            if struct[1] in seen:
                return
            seen.add(struct[1])
            for _, _, kind, _ in struct[2]:
                if kind in by_name:
                    visit(by_name[kind])
            ordered.append(struct)

        for struct in structs:
            visit(struct)
        return ordered

    def cpp_type(self, kind):
        kind = kind.replace(" ", "")
        if kind in self.typedefs:
            return self.cpp_type(self.typedefs[kind])
        if not kind.endswith(">"):
            return SCALARS.get(kind, kind)
        outer = kind.partition("<")[0]
        inner = kind[len(outer) + 1 : -1]
        if outer != "map":
            return f"std::{'vector' if outer == 'list' else 'set'}<{self.cpp_type(inner)}>"
        comma = next(
            i
            for i, c in enumerate(inner)
            if c == "," and inner[:i].count("<") == inner[:i].count(">")
        )
        return f"std::map<{self.cpp_type(inner[:comma])}, {self.cpp_type(inner[comma + 1 :])}>"

    def bound(self):
        structs = []
        for kind, name, fields in self.structs:
            members = []
            for number, needed, of, member in fields:
                value = self.cpp_type(of)
                members.append(
                    (
                        number,
                        f"std::optional<{value}>"
                        if kind == "union" or needed == "optional"
                        else value,
                        member,
                        needed == "required",
                    )
                )
            structs.append((name, members))
        return program(self.enums, structs, [name for name, _ in structs])

    def text(self):
        lines = [f"typedef {kind} {name}" for name, kind in self.typedefs.items()]
        lines += [f"enum {name} {{ {members} }}" for name, members in self.enums]
        for kind, name, fields in self.structs:
            members = (
                f"  {number}: {needed} {of} {member}" for number, needed, of, member in fields
            )
            lines += [f"{kind} {name} {{", *members, "}"]
        return "\n".join(lines)


def measure(label, source, flags, compiler):
    taken = units.cost(source, compiler, *flags.split())
    if taken is None:
        print(f"{label:12} {flags:16} does not compile")
        return
    print(
        f"{label:12} {flags:16} {taken.seconds:7.1f} s {taken.peak_mb:>6} MB "
        f"{taken.text_bytes // 1024:6} KB of code",
        flush=True,
    )


def run(options, folder):
    source = folder / "bound.cpp"
    sources = [("thriftlens", source)]
    if options.what == "idl":
        idl = Idl(options.arguments[0], int((options.arguments + ["0"])[1]))
        source.write_text(idl.bound(), encoding="utf-8")
        (folder / "apache.thrift").write_text(idl.text(), encoding="utf-8")
        subprocess.run(
            [
                "thrift",
                "-nowarn",
                "--gen",
                "cpp",
                "-out",
                str(folder),
                str(folder / "apache.thrift"),
            ],
            check=True,
        )
        sources.append(("Apache", folder / "apache_types.cpp"))
    else:
        make = {"chain": chain, "complete": complete}[options.what]
        source.write_text(make(*map(int, options.arguments)), encoding="utf-8")
    for flags in options.flags.split(","):
        for label, program in sources:
            measure(label, program, flags, options.compiler)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["chain", "complete", "idl"])
    parser.add_argument("arguments", nargs="+")
    parser.add_argument("--flags", default="-fsyntax-only,-O0,-O2")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--keep", help="leave the generated sources in this folder")
    options = parser.parse_args()
    if options.keep:
        Path(options.keep).mkdir(parents=True, exist_ok=True)
        run(options, Path(options.keep))
        return
    with tempfile.TemporaryDirectory() as folder:
        run(options, Path(folder))


if __name__ == "__main__":
    main()
