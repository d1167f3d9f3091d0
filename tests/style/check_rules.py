"""Rules of the code base that no compiler checks: includes, file comments, sizes, macros, tests,
dispatch, umbrella, version, clocks, limits.

check_rules.py ROOT [rule ...]     prints every breach as file:line: sentence; exit 1 if there is
one check_rules.py --self-test         breaks every rule in a small tree and expects a breach for
every one"""

import re
import sys
import tempfile
from pathlib import Path

# Module: the modules that it may include besides itself.
VALUES = {"core", "simd", "text", "protocol", "transport", "schema", "path"}
ALLOWED_INCLUDES = {
    "core": set(),
    "simd": {"core"},
    "text": {"core", "simd"},
    "idl": {"core"},
    "protocol": {"core", "simd"},
    "transport": {"core", "protocol"},
    "records": {"core", "simd", "protocol"},
    "schema": {"core", "idl", "protocol"},
    "path": {"core", "protocol", "schema"},
    "view": VALUES,
    "columns": VALUES | {"view"},
    "rewrite": {"core", "simd", "protocol", "schema", "path", "view"},
    "edit": {"core", "protocol", "schema", "path", "view", "rewrite"},
    "compare": {"core", "simd", "protocol", "schema", "view"},
    "policy": {"core", "simd", "text", "protocol", "schema", "path", "view", "rewrite", "edit"},
    "dom": {"core", "protocol", "schema", "path", "view", "policy"},
    "codec": {"core", "simd", "protocol", "schema"},
    "rpc": {"core", "protocol", "transport", "schema", "view", "rewrite", "policy", "codec"},
    "asio": {"core", "protocol", "transport", "schema", "rpc"},
    "json": VALUES | {"idl", "view", "edit", "compare", "policy", "codec", "rpc"},
    "http": VALUES | {"idl", "view", "edit", "compare", "policy", "codec", "rpc", "json"},
}
# At the top: thriftlens.hpp includes every module but those that need simdjson or Asio, MODULE.hpp
# one module, compiled*.ipp the bodies.
UMBRELLA_HEADER = "thriftlens.hpp"
WITH_SIMDJSON = ("json", "http")
APART = (*WITH_SIMDJSON, "asio")
ASIO_HOME = "asio/net.hpp"  # the one header that includes Asio's
LOADER = ("idl", "schema")
BODIES = {
    "loader.ipp": lambda module: module in LOADER,
    "compiled.ipp": lambda module: module not in WITH_SIMDJSON + LOADER,
    "compiled_json.ipp": lambda module: module in WITH_SIMDJSON,
}
KERNELS = ("simd", "text")  # modules that no user includes: <immintrin.h> costs much
MACRO_HOMES = {"core/config.hpp", "core/errc.hpp"}
FOREIGN_MACROS = {
    "columns/arrow_abi.hpp": "ARROW_"
}  # guards and flags as Arrow's specification spells them
WINDOWS_MACROS = re.compile(
    r"\b(near|far|small|hyper|interface|pascal|cdecl)\b"
)  # what <windows.h> leaves to those who include it
INCLUDED_BY_NAME = ("json/bound.hpp", "json/tjson.hpp")  # heavy, so not part of json.hpp
DISPATCH = "protocol/dispatch.hpp"
HEADER_LINES, FUNCTION_LINES = 700, 80

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Tree:
    """The headers of one tree, read once: path relative to include/thriftlens -> lines. X.ipp holds
    bodies of X.hpp, which includes it at
    its end; to include rules and reach the two are one header."""

    def __init__(self, root):
        self.root = Path(root)
        self.base = self.root / "include" / "thriftlens"
        self.headers = {
            path.relative_to(self.base).as_posix(): path.read_text(encoding="utf-8").split("\n")
            for path in sorted(self.base.rglob("*.hpp"))
        }
        self.bodies = {
            path.relative_to(self.base).as_posix(): path.read_text(encoding="utf-8").split("\n")
            for path in sorted(self.base.rglob("*.ipp"))
        }

    def files(self):
        """(path, lines) of headers and bodies."""
        yield from self.headers.items()
        yield from self.bodies.items()

    def includes(self, header):
        """(line number, bracket, target) of every #include of a header and its bodies, except that
        of its own other half."""
        pair = (header, header.removesuffix(".hpp") + ".ipp")
        for path in pair:
            for number, line in enumerate(self.headers.get(path) or self.bodies.get(path) or [], 1):
                if (match := INCLUDE.match(line)) and match[2].removeprefix(
                    "thriftlens/"
                ) not in pair:
                    yield number, match[1], match[2]

    def own_includes(self, header):
        """(line number, header) of every include of a thriftlens header."""
        for number, _, target in self.includes(header):
            if target.startswith("thriftlens/"):
                yield number, target.removeprefix("thriftlens/")

    def reached_from(self, header):
        seen, todo = set(), [header]
        while todo:
            current = todo.pop()
            if current in seen or current not in self.headers:
                continue
            seen.add(current)
            todo += [target for _, target in self.own_includes(current)]
        return seen


def module_of(header):
    return header.split("/")[0] if "/" in header else None


def allowed_includes(tree):
    """Includes name an allowed module by its full path and precede the first declaration; only json
    includes simdjson."""
    for header in tree.headers:
        module = module_of(header)
        if module is not None and module not in ALLOWED_INCLUDES:
            yield header, 1, f"module {module} is not in ALLOWED_INCLUDES"
            continue
        for number, bracket, target in tree.includes(header):
            if fault := include_fault(tree, header, module, bracket, target):
                yield header, number, fault
        yield from late_includes(tree, header)
    yield from cycles(tree)
    yield from strays(tree)


def strays(tree):
    """Bodies include their header, and one unit of a library includes them all."""
    for path, lines in tree.bodies.items():
        if path in BODIES:
            listed = {
                match[2].removeprefix("thriftlens/")
                for line in lines
                if (match := INCLUDE.match(line)) and match[2].count("/") > 1
            }
            expected = {
                body for body in tree.bodies if "/" in body and BODIES[path](module_of(body))
            }
            if listed != expected:
                yield (
                    path,
                    1,
                    f"does not include exactly the bodies: {', '.join(sorted(listed ^ expected))}",
                )
            continue
        header = path.removesuffix(".ipp") + ".hpp"
        if header not in tree.headers or f"#include <thriftlens/{header}>" not in lines:
            yield path, 1, f"does not include {header}, whose bodies these are"


def include_fault(tree, header, module, bracket, target):
    if bracket == '"' or target.startswith("."):
        return f'include <thriftlens/...> instead of "{target}"'
    if target == "simdjson.h":
        return None if module == "json" else "only the module json includes simdjson"
    if re.match(r"(boost/)?asio[/.]", target):
        return None if header == ASIO_HOME else f"only {ASIO_HOME} includes Asio's headers"
    if not target.startswith("thriftlens/"):
        foreign = "/" in target or (target.endswith(".h") and module != "simd")
        return f"<{target}> is neither the standard library nor thriftlens" if foreign else None
    inner = target.removeprefix("thriftlens/")
    if inner not in tree.headers:
        return f"<{target}> does not exist"
    other = module_of(inner)
    if module is None:
        if header == UMBRELLA_HEADER:
            included = other or Path(inner).stem
            return f"thriftlens.hpp must not include {included}" if included in APART else None
        return None if other == Path(header).stem else f"{header} includes another module"
    if other is None:
        return f"a module does not include the umbrella <{target}>"
    if other != module and other not in ALLOWED_INCLUDES[module]:
        return f"{module} may not include {other}"
    return None


def late_includes(tree, header):
    begun, lines = False, tree.headers[header]
    bodies = header.removesuffix(".hpp") + ".ipp"
    if bodies in tree.bodies:
        macro = (
            "THRIFTLENS_COMPILED_LOADER" if module_of(header) in LOADER else "THRIFTLENS_COMPILED"
        )
        end = [f"#if !defined({macro})", f"#include <thriftlens/{bodies}>", "#endif", ""]
        if lines[-4:] != end:
            yield (
                header,
                len(lines),
                f"the header ends with the include of {bodies}, unless {macro} is defined",
            )
        lines = lines[:-4]
    for number, line in enumerate(lines, 1):
        begun = begun or re.match(r"\s*(inline )?namespace\b", line) is not None
        if begun and INCLUDE.match(line):
            yield header, number, "an include in mid-file"


def cycles(tree):
    state = {}

    def walk(header, trail):
        state[header] = "open"
        for number, target in tree.own_includes(header):
            if state.get(target) == "open":
                yield (
                    header,
                    number,
                    "include cycle: " + " -> ".join(trail[trail.index(target) :] + [target]),
                )
            elif target in tree.headers and target not in state:
                yield from walk(target, trail + [target])
        state[header] = "done"

    for header in tree.headers:
        if header not in state:
            yield from walk(header, [header])


def file_comments(tree):
    """A file comment whose first line names the header, then #pragma once."""
    for header, lines in tree.files():
        name = Path(header).stem
        if not re.match(rf"// {re.escape(name)}: \S", lines[0]):
            yield header, 1, f"the file comment begins with `// {name}: `"
        end = next(
            (number for number, line in enumerate(lines) if not line.startswith("// ")), len(lines)
        )
        if end == len(lines) or lines[end] != "#pragma once":
            yield header, end + 1, "#pragma once follows the file comment"


def sizes(tree):
    """Headers of at most 700 lines, functions of at most 80."""
    for header, lines in tree.files():
        if len(lines) - 1 > HEADER_LINES:
            yield header, len(lines) - 1, f"{len(lines) - 1} lines; the cap is {HEADER_LINES}"
        for first, last in functions(lines):
            if last - first + 1 > FUNCTION_LINES:
                yield (
                    header,
                    first,
                    f"a function of {last - first + 1} lines; the cap is {FUNCTION_LINES}",
                )


def code_only(lines):
    """The text with comments, literals, directives, attributes and alignas(…) blanked and only the
    first branch of every #if; same lines."""
    text, skipping, continued = [], [], False
    for line in lines:
        directive = continued or line.lstrip().startswith("#")
        if directive:
            directive_name = "" if continued else re.match(r"\s*#\s*(\w*)", line)[1]
            if directive_name in ("if", "ifdef", "ifndef"):
                skipping.append(False)
            elif directive_name in ("else", "elif") and skipping:
                skipping[-1] = True
            elif directive_name == "endif" and skipping:
                skipping.pop()
            continued = line.endswith("\\")
            line = ""
        text.append("" if any(skipping) else line)

    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    return re.sub(
        r'\[\[[^\[\]]*\]\]|\balignas\([^()]*\)|R"(\w*)\(.*?\)\1"|//[^\n]*'
        r'|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n]){1,4}\'',
        blank,
        "\n".join(text),
        flags=re.S,
    )


NOT_A_FUNCTION = re.compile(
    r"^\s*(?:template\s*<[^{}]*>\s*)?(?:inline\s+)?(?:namespace|extern|if|for|while|switch)\b"
    r"|^\s*(?:template\s*<[^{}]*>\s*)?(?:class|struct|union|enum)\b[^()]*(?:$|:[^:])"
)
# Text before the brace of a value, not of a body: `= {`, `f({`, `a, {`, a member's `: x_{` or `,
# y_{`.
BEFORE_A_VALUE = re.compile(r"[=(,]\s*$|\breturn\s*$|\)[^()]*[^:]:[^:][^{}]*[\w>]\s*$")
LAMBDA = re.compile(r"=\s*\[[^\]]*\]\s*$")


def functions(lines):
    """(first line, last line) of what looks like a function body outside other functions."""
    text, line, head, stack = code_only(lines), 1, "", []
    for char in text:
        if char == "\n":
            line += 1
        if char == "{":
            inside = any(kind == "function" for kind, _, _ in stack)
            if "(" in head and BEFORE_A_VALUE.search(head):
                stack.append(("value", line, head))
                continue
            is_function = (
                not inside
                and ("(" in head or LAMBDA.search(head))
                and not NOT_A_FUNCTION.match(head)
            )
            stack.append(("function" if is_function else "other", line, ""))
        elif char == "}" and stack:
            kind, first, prefix = stack.pop()
            if kind == "value":
                head = prefix + "()"
                continue
            if kind == "function":
                yield first, line
        head = "" if char in "{};" else head + char


def macros(tree):
    """Macros begin with THRIFTLENS_ and are defined in core/config.hpp, core/errc.hpp and simd/, or
    undefined in the same header; no name is one of <windows.h>."""
    for header, lines in tree.files():
        undefined = {
            match[1] for line in lines if (match := re.match(r"\s*#\s*undef\s+(\w+)", line))
        }
        home = header in MACRO_HOMES or module_of(header) == "simd"
        for number, line in enumerate(lines, 1):
            if match := WINDOWS_MACROS.search(re.sub(r'"(?:[^"\\]|\\.)*"|//.*', "", line)):
                yield header, number, f"{match[1]} is a macro of <windows.h>"
            if match := re.match(r"\s*#\s*define\s+(\w+)", line):
                if (
                    match[1].startswith(FOREIGN_MACROS.get(header, "THRIFTLENS_"))
                    and header in FOREIGN_MACROS
                ):
                    continue
                if not home and match[1] not in undefined:
                    yield (
                        header,
                        number,
                        f"macro {match[1]} outside core/config.hpp, core/errc.hpp and simd/, "
                        "without #undef",
                    )
                elif not match[1].startswith("THRIFTLENS_"):
                    yield header, number, f"macro {match[1]} without the prefix THRIFTLENS_"


def tests(tree):
    """A header x/y.hpp has its test tests/x/y_test.cpp, which includes it first and tests
    something."""
    for header in tree.headers:
        module, name = module_of(header), Path(header).stem
        if module is None or name == "fwd":
            continue
        path = tree.root / "tests" / module / f"{name}_test.cpp"
        if not path.exists():
            yield header, 1, f"no test tests/{module}/{name}_test.cpp"
            continue
        text = path.read_text(encoding="utf-8")
        includes = [match[2] for line in text.split("\n") if (match := INCLUDE.match(line))]
        if not includes or includes[0] != f"thriftlens/{header}":
            yield header, 1, f"tests/{module}/{name}_test.cpp does not include it first"
        if not re.search(r"^(TYPED_)?TEST(_F|_P)?\(", text, flags=re.M):
            yield header, 1, f"tests/{module}/{name}_test.cpp holds no test"


def dispatch(tree):
    """Only protocol/dispatch.hpp switches over ttype."""
    for header, lines in tree.files():
        if header == DISPATCH:
            continue
        text = code_only(lines)
        for match in re.finditer(
            r"\bcase\b[\s(]*(?:\w+::)*ttype\s*(?:::|\{)|\busing\s+enum\s+(\w+::)*ttype\b", text
        ):
            yield (
                header,
                text.count("\n", 0, match.start()) + 1,
                f"a switch over ttype outside {DISPATCH}",
            )


KERNEL_BODY = re.compile(
    r"^[^\n=;]*?\b(\w+)_(scalar|swar|words|sse2|ssse3|avx2|vbmi2)\([^;{]*\)\s*noexcept\s*\{",
    flags=re.M,
)


def bodies(tree):
    """A kernel in simd/ with several bodies lists them all as K_bodies; its test iterates over that
    list."""
    for header, lines in tree.headers.items():
        if module_of(header) != "simd":
            continue
        text = "\n".join(lines)
        macros = {}
        for match in KERNEL_BODY.finditer(text):
            macros.setdefault(match[1], {})[match[2]] = text.count("\n", 0, match.start()) + 1
        for kernel, by_suffix in macros.items():
            if len(by_suffix) < 2 or not by_suffix.keys() & {"scalar", "swar", "words"}:
                continue
            listed = re.search(rf"\b{kernel}_bodies\[\] = \{{(.*?)\n\}};", text, flags=re.S)
            for suffix, line in by_suffix.items():
                if listed is None or not re.search(rf"\b{kernel}_{suffix}\b", listed[1]):
                    yield header, line, f"{kernel}_{suffix} is not in {kernel}_bodies"
            test = tree.root / "tests" / "simd" / f"{Path(header).stem}_test.cpp"
            if not test.exists() or f"{kernel}_bodies" not in test.read_text(encoding="utf-8"):
                yield (
                    header,
                    min(by_suffix.values()),
                    f"tests/simd/{Path(header).stem}_test.cpp does not run {kernel}_bodies",
                )


def umbrella(tree):
    """thriftlens.hpp includes every header except those of the separate modules and the kernels;
    json.hpp, http.hpp and asio.hpp include all of theirs except those that users include by name.
    """
    inside = {
        module: {header for header in tree.headers if module_of(header) == module}
        for module in APART
    }
    outside = {
        header for header in tree.headers if module_of(header) not in (None, *APART, *KERNELS)
    }
    for name, expected in (
        (UMBRELLA_HEADER, outside),
        *((f"{module}.hpp", headers) for module, headers in inside.items() if headers),
    ):
        if name not in tree.headers:
            yield name, 1, "does not exist"
        elif missed := sorted(
            expected - tree.reached_from(name).union(*map(tree.reached_from, INCLUDED_BY_NAME))
        ):
            yield name, 1, f"does not reach {', '.join(missed)}"


def version(tree):
    """The version's text and its three numbers in core/config.hpp agree."""
    text = "\n".join(tree.headers.get("core/config.hpp", []))
    macros = dict(re.findall(r"^#define THRIFTLENS_(VERSION\w*) (\S+)$", text, flags=re.M))
    numbers = ".".join(macros.get(f"VERSION_{part}", "?") for part in ("MAJOR", "MINOR", "PATCH"))
    if macros.get("VERSION") != f'"{numbers}"':
        yield (
            "core/config.hpp",
            1,
            f"THRIFTLENS_VERSION is {macros.get('VERSION')}, its parts are {numbers}",
        )


CLOCK = re.compile(
    r"\b\w+_clock\b|\bclock(?:::now\b|\s*\(\s*\))|\bclock_gettime\b"
    r"|\bgettimeofday\b|\btimespec_get\b|\bstd::time\s*\("
    r"|\btime\.(?:time|monotonic|perf_counter|process_time|thread_time|clock_gettime)(?:_ns)?\b"
    r"|\bfrom time import (?!sleep\b)|\btimeit\b|\bdatetime\.(?:now|utcnow"
    r"|today)\b|\bdate \+|\bSECONDS\b|\bEPOCH\w+"
)
TEST_SOURCES = {".cpp", ".hpp", ".py", ".sh", ".cmake"}


def clocks(tree):
    """No test reads a clock, whose answer depends on the load.

    Growth is counted in steps (tests/support/step_count.hpp)."""
    for path in sorted((tree.root / "tests").rglob("*")):
        if path.suffix not in TEST_SOURCES or path.name == Path(__file__).name:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if match := CLOCK.search(line):
                yield (
                    path.relative_to(tree.root).as_posix(),
                    number,
                    f"a test reads a clock: {match[0].strip()}",
                )


# A limit of five seconds or more ends a hung test; a shorter one is the subject of a test.
SHORT_LIMIT = re.compile(
    r"(?:\btimeout=|\.(?:wait|join|result|settimeout)\()(?:[5-9]|[1-9]\d"
    r"|[1-5]\d\d)(?![\d.])|\bwait_for\(.*, (?:[5-9]|[1-9]\d|[1-5]\d\d)\)"
)


def time_limits(tree):
    """No test times out on a busy machine: limits that end a hung test are at least 600 s, and
    programs are awaited without a limit."""
    for path in sorted((tree.root / "tests").rglob("*.py")):
        if path.name == Path(__file__).name:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if (match := SHORT_LIMIT.search(line)) and "# no limit" not in line:
                yield (
                    path.relative_to(tree.root).as_posix(),
                    number,
                    f"a test times out after less than 600 s: {match[0].strip()}",
                )


RULES = [
    allowed_includes, file_comments, sizes, macros, tests, dispatch, bodies, umbrella, version,
    clocks, time_limits,
]  # fmt: skip


def breaches(root, rules=RULES):
    tree = Tree(root)
    if not tree.headers:
        yield "include/thriftlens: no headers here"
    for rule in rules:
        for header, line, sentence in rule(tree):
            path = header if header.startswith("tests/") else f"include/thriftlens/{header}"
            yield f"{path}:{line}: {rule.__name__}: {sentence}"


CONFIG = "\n".join(
    [
        "// config: c.",
        "// In.",
        "// Never.",
        "#pragma once",
        "#define THRIFTLENS_VERSION_MAJOR 1",
        "#define THRIFTLENS_VERSION_MINOR 2",
        "#define THRIFTLENS_VERSION_PATCH 3",
        '#define THRIFTLENS_VERSION "1.2.3"',
        "",
    ]
)


def header_file(name, body=""):
    return f"// {name}: a.\n// In.\n// Never.\n#pragma once\n{body}\n"


KERNEL = """inline void swap_scalar(int* to) noexcept {
}
inline void swap_sse2(int* to) noexcept {
}
inline constexpr kernel_body<decltype(&swap_scalar)> swap_bodies[] = {
    {instructions::any, swap_scalar},
    {instructions::sse2, swap_sse2},
};"""
GOOD = {
    "include/thriftlens/core/config.hpp": CONFIG,
    "include/thriftlens/protocol/dispatch.hpp": header_file(
        "dispatch", "#include <thriftlens/core/config.hpp>\ncase ttype::i8:"
    ),
    "include/thriftlens/json/read.hpp": header_file(
        "read", "#include <simdjson.h>\n#include <thriftlens/protocol/dispatch.hpp>"
    ),
    "include/thriftlens/thriftlens.hpp": header_file(
        "thriftlens", "#include <thriftlens/protocol/dispatch.hpp>\n#include <thriftlens/simd.hpp>"
    ),
    "include/thriftlens/json.hpp": header_file("json", "#include <thriftlens/json/read.hpp>"),
    "include/thriftlens/simd.hpp": header_file(
        "simd", "#include <thriftlens/simd/copy.hpp>\n#include <thriftlens/simd/swap.hpp>"
    ),
    "include/thriftlens/simd/copy.hpp": header_file(
        "copy", "#if !defined(THRIFTLENS_COMPILED)\n#include <thriftlens/simd/copy.ipp>\n#endif"
    ),
    "include/thriftlens/simd/copy.ipp": header_file(
        "copy", "#include <thriftlens/simd/copy.hpp>\n#include <thriftlens/simd/swap.hpp>"
    ),
    "include/thriftlens/compiled.ipp": header_file(
        "compiled", "#include <thriftlens/simd/copy.ipp>"
    ),
    "tests/simd/copy_test.cpp": "#include <thriftlens/simd/copy.hpp>\nTEST(copy, runs) {}\n",
    "include/thriftlens/simd/swap.hpp": header_file("swap", KERNEL),
    "tests/simd/swap_test.cpp": "#include <thriftlens/simd/swap.hpp>\nTEST(swap, runs) { "
    "all(swap_bodies); "
    "}\n",
    "tests/core/config_test.cpp": "#include <thriftlens/core/config.hpp>\nTEST(config, holds) {}\n",
    "tests/protocol/dispatch_test.cpp": "#include <thriftlens/protocol/dispatch.hpp>\n"
    "TYPED_TEST(dispatch, "
    "holds) "
    "{}\n",
    "tests/json/read_test.cpp": "#include <thriftlens/json/read.hpp>\nTEST_F(read, holds) {}\n",
    "tests/python/test_a.py": "import time\ntime.sleep(0)\nresource.monotonic_buffer = 1\n"
    "event.wait(600)\n"
    "client.get(1, timeout=0.1)\n",
}
CONFIG_H, DISPATCH_H, READ_H, SWAP_H = (
    f"include/thriftlens/{n}"
    for n in ("core/config.hpp", "protocol/dispatch.hpp", "json/read.hpp", "simd/swap.hpp")
)
BODY = " {\n" + "  if (a) {\n  }\n" * 40 + "}"
LONG = "void f(int a)" + BODY
# (part of the expected breach, changed file of the good tree, its text)
# fmt: off
BAD = [
    ("core may not include protocol", CONFIG_H,
        CONFIG + "#include <thriftlens/protocol/dispatch.hpp>\n"),
    ("include cycle: core/config.hpp", CONFIG_H,
        CONFIG + "#include <thriftlens/protocol/dispatch.hpp>\n"),
    ("only the module json includes simdjson", DISPATCH_H, header_file("dispatch",
        "#include <simdjson.h>")),
    ("instead of", DISPATCH_H, header_file("dispatch", '#include "../core/config.hpp"')),
    ("does not exist", DISPATCH_H, header_file("dispatch", "#include <thriftlens/core/gone.hpp>")),
    ("neither the standard library", DISPATCH_H, header_file("dispatch",
        "#include <boost/any.hpp>")),
    ("only asio/net.hpp includes Asio", DISPATCH_H, header_file("dispatch",
        "#include <asio/post.hpp>")),
    ("neither the standard library", DISPATCH_H, header_file("dispatch", "#include <immintrin.h>")),
    ("must not include json", "include/thriftlens/thriftlens.hpp", header_file("thriftlens",
        "#include <thriftlens/json/read.hpp>")),
    ("does not include the umbrella", READ_H, header_file("read",
        "#include <thriftlens/thriftlens.hpp>")),
    ("not in ALLOWED_INCLUDES", "include/thriftlens/attic/box.hpp", header_file("box")),
    ("simd.hpp includes another module", "include/thriftlens/simd.hpp", header_file("simd",
        "#include <thriftlens/protocol/dispatch.hpp>")),
    ("does not reach core/more.hpp", "include/thriftlens/core/more.hpp", header_file("more")),
    ("does not include simd/copy.hpp", "include/thriftlens/simd/copy.ipp", header_file("copy")),
    ("ends with the include of simd/copy.ipp", "include/thriftlens/simd/copy.hpp",
        header_file("copy")),
    ("does not include exactly the bodies: simd/copy.ipp", "include/thriftlens/compiled.ipp",
        header_file("compiled")),
    ("simd may not include protocol", "include/thriftlens/simd/copy.ipp", header_file("copy",
        "#include <thriftlens/simd/copy.hpp>\n#include <thriftlens/protocol/dispatch.hpp>")),
    ("the file comment begins with", "include/thriftlens/simd/copy.ipp", header_file("cpoy",
        "#include <thriftlens/simd/copy.hpp>")),
    ("in mid-file", READ_H, header_file("read",
        "namespace a {}\n#include <thriftlens/core/config.hpp>")),
    ("the file comment begins with", DISPATCH_H, header_file("despatch")),
    ("#pragma once follows", DISPATCH_H, header_file("dispatch").replace("#pragma once\n", "")),
    ("the cap is 700", DISPATCH_H, header_file("dispatch", "\n" * 700)),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch", LONG)),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        "namespace x {\nstruct s {\n" + LONG + "\n};\n}")),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        "void f(options o = {}, int a = 1) const" + BODY)),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        "struct s {\n explicit s(int a) noexcept : a_{a}, b_{f<int>{}} " + BODY + "\n};")),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        "struct s : base<f()> {\n auto f(int a) -> std::vector<int>" + BODY + "\n};")),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        "inline constexpr auto f = []" + BODY + ";")),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        'class [[nodiscard("f()")]] s {\n void f(int a)' + BODY + "\n};")),
    ("a function of 82 lines", DISPATCH_H, header_file("dispatch",
        "struct alignas(16) s {\n struct point f(int a)" + BODY + "\n};")),
    ("macro SWAP outside", READ_H, header_file("read", "#  define SWAP(x) x")),
    ("without the prefix", CONFIG_H, CONFIG + "#define LIKELY 1\n"),
    ("near is a macro of <windows.h>", CONFIG_H, CONFIG + "int near = 1;\n"),
    ("no test tests/json/write_test.cpp", "include/thriftlens/json/write.hpp",
        header_file("write")),
    ("holds no test", "tests/json/read_test.cpp", "#include <thriftlens/json/read.hpp>\n"),
    ("does not include it first", "tests/json/read_test.cpp",
        "#include <vector>\n#include <thriftlens/json/read.hpp>\n"),
    ("a switch over ttype", READ_H, header_file("read",
        "switch (t) {\n case tl::ttype::i32: break; }")),
    ("a switch over ttype", READ_H, header_file("read",
        "switch (auto u = t; u) {\n default: break;\n case (tl::ttype::i32): break; }")),
    ("a switch over ttype", READ_H, header_file("read", "switch (t) {\n case ttype{9}: break; }")),
    ("a switch over ttype", READ_H, header_file("read", "using enum ttype;")),
    ("swap_sse2 is not in swap_bodies", SWAP_H, header_file("swap",
        KERNEL.replace("    {instructions::sse2, swap_sse2},\n", ""))),
    ("swap_scalar is not in swap_bodies", SWAP_H, header_file("swap",
        KERNEL.replace("swap_bodies[]", "swap_some[]"))),
    ("does not run swap_bodies", "tests/simd/swap_test.cpp",
        "#include <thriftlens/simd/swap.hpp>\nTEST(swap, runs) {}\n"),
    ("does not reach core/more.hpp", "include/thriftlens/core/more.hpp", header_file("more")),
    ("reads a clock: steady_clock", "tests/json/more_test.cpp",
        "const auto begin = std::chrono::steady_clock::now();\n"),
    ("reads a clock: clock::now", "tests/support/more.hpp", "const auto begin = clock::now();\n"),
    ("reads a clock: clock()", "tests/support/more.hpp", "const long begin = clock();\n"),
    ("reads a clock: time.monotonic_ns", "tests/python/test_a.py", "begin = time.monotonic_ns()\n"),
    ("reads a clock: from time import", "tests/python/test_a.py",
        "from time import perf_counter\n"),
    ("reads a clock: SECONDS", "tests/style/a.sh", "begin=$SECONDS\n"),
    ("times out after less than 600 s: timeout=300", "tests/python/test_a.py",
        "subprocess.run(command, timeout=300)\n"),
    ("times out after less than 600 s: .wait(30", "tests/python/test_a.py",
        "assert event.wait(30)\n"),
    ("times out after less than 600 s: wait_for", "tests/python/test_a.py",
        "await asyncio.wait_for(event.wait(), 30)\n"),
    ("its parts are 1.3.3", CONFIG_H, CONFIG.replace("MINOR 2", "MINOR 3")),
]
# fmt: on


def plant(folder, files):
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def self_test():
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        plant(folder, GOOD)
        faults += [f"the good tree has a breach: {line}" for line in breaches(folder)]
    for expected, name, text in BAD:
        with tempfile.TemporaryDirectory() as folder:
            plant(folder, GOOD | {name: text})
            breach_lines = list(breaches(folder))
            if not any(expected in line for line in breach_lines):
                faults.append(f"not detected: {expected} (found {breach_lines})")
    silent = {rule.__name__ for rule in RULES} - {r.__name__ for r in RULES if any_breach_of(r)}
    return faults + [f"no case breaks the rule {name}" for name in sorted(silent)]


def any_breach_of(rule):
    for _, name, text in BAD:
        with tempfile.TemporaryDirectory() as folder:
            plant(folder, GOOD | {name: text})
            if any(breaches(folder, [rule])):
                return True
    return False


def main(arguments):
    if arguments == ["--self-test"]:
        faults = self_test()
    else:
        names = {rule.__name__: rule for rule in RULES}
        faults = list(breaches(arguments[0], [names[name] for name in arguments[1:]] or RULES))
    print("\n".join(faults) if faults else "no breaches")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
