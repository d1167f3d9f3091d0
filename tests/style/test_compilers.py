"""The headers under unusual compiler settings: an older standard, other instruction sets,
sanitizers. scripts/lanes.sh compiles full programs."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = ["g++", "clang++-16"]


def compiled(compiler, text, *flags):
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    command = [compiler, f"-I{ROOT / 'include'}", "-x", "c++", *flags, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True)


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("header", ["thriftlens", "view", "json", "codec"])
def test_an_older_standard_is_one_error(compiler, header):
    result = compiled(
        compiler, f"#include <thriftlens/{header}.hpp>\n", "-std=c++17", "-fsyntax-only"
    )
    assert result.returncode != 0
    assert "thriftlens needs C++20: compile with -std=c++20" in result.stderr
    assert len(result.stderr.splitlines()) < 40, result.stderr[:2000]


SETTINGS = [
    "", "-mssse3", "-msse4.1", "-msse4.2", "-mavx", "-mavx2", "-mavx2 -mbmi", "-mavx2 -mbmi2 -mbmi",
    "-mfma", "-mavx512f", "-march=x86-64-v4", "-D_GLIBCXX_DEBUG", "-fno-exceptions",
]  # fmt: skip


@pytest.mark.parametrize("compiler", COMPILERS)
def test_units_of_other_settings_do_not_share_names(compiler):
    """Every setting names the inline namespace differently, so that mixtures do not link."""
    names = set()
    for setting in SETTINGS:
        result = compiled(
            compiler,
            "#include <thriftlens/core/config.hpp>\nname THRIFTLENS_ABI\n",
            "-std=c++20",
            "-E",
            "-P",
            *setting.split(),
        )
        assert result.returncode == 0, result.stderr
        names.add(result.stdout.split("name ")[-1].strip())
    assert len(names) == len(SETTINGS), names


KERNELS = """#include <thriftlens/simd/json_unescape.hpp>
namespace simd = thriftlens::detail::simd::detail;
auto* escapes = simd::escape_json_bodies;
auto* unescapes = simd::unescape_json_bodies;
auto* specials = simd::find_json_special_bodies;
"""


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("sanitizers", ["address,undefined", "thread"])
def test_kernels_compile_under_sanitizers(compiler, sanitizers):
    result = compiled(
        compiler, KERNELS, "-std=c++20", "-O1", f"-fsanitize={sanitizers}", "-c", "-o", "/dev/null"
    )
    assert result.returncode == 0, result.stderr[-2000:]


def test_path_headers_compile_on_their_own():
    result = compiled(
        "g++",
        "#include <thriftlens/path/path.ipp>\n",
        "-std=c++20",
        "-DTHRIFTLENS_COMPILED",
        "-fsyntax-only",
    )
    assert result.returncode == 0, result.stderr[:2000]


def test_headers_compile_after_macros_of_other_libraries():
    """asio.hpp is not here: `emit` is a member of Asio."""
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "include").rglob("*.?pp")]
    includes = {
        name
        for source in sources
        for name in re.findall(r"^ *#include <((?!thriftlens|asio|boost|intrin).*)>", source, re.M)
    }
    macros = (Path(__file__).with_name("foreign_macros.txt")).read_text(encoding="utf-8")
    names = [line.split("#")[0].strip() for line in macros.splitlines() if line.split("#")[0]]
    lines = [f"#include <{name}>" for name in sorted(includes)] + [
        f"#undef {re.match(r'[A-Za-z0-9_]+', name)[0]}\n#define {name} @" for name in names
    ]
    joined = "\n".join(
        [*lines, "#include <thriftlens/thriftlens.hpp>", "#include <thriftlens/http.hpp>"]
    )
    result = compiled("g++", joined, "-std=c++20", "-fsyntax-only")
    assert result.returncode == 0, result.stderr[:4000]
