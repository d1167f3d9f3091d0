"""The installed package: its version, its types, its command."""

import email
import importlib.util
import re
import subprocess
import sys
import sysconfig
import tarfile
from importlib import metadata, resources
from pathlib import Path

import pytest
import thriftlens
from scikit_build_core.build import build_sdist, prepare_metadata_for_build_wheel

ROOT = Path(__file__).resolve().parents[2]


def test_one_version_everywhere():
    assert thriftlens.__version__ == metadata.version("thriftlens")
    result = subprocess.run(
        [sys.executable, "-m", "thriftlens", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert thriftlens.__version__ in result.stdout


def test_an_import_loads_no_codecs_sockets_or_engines():
    names = ("asyncio", "bz2", "gzip", "html", "json", "lzma", "multiprocessing", "numpy", "socket")
    program = f"import sys, thriftlens; print(*[name for name in {names} if name in sys.modules])"
    command = [sys.executable, "-S", "-c", program]
    environment = {"PYTHONPATH": str(Path(thriftlens.__file__).parents[1])}
    result = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert result.stdout == "\n"


def test_carries_its_types():
    files = resources.files("thriftlens")
    assert (files / "py.typed").is_file()
    assert (files / "_core.pyi").is_file()
    assert (files / "parquet.thrift").is_file()


def test_source_archive_holds_what_a_build_needs_and_no_more(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / build_sdist(str(tmp_path))) as archive:
        held = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    sources = {
        path.relative_to(ROOT).as_posix()
        for folder in ("cmake", "include", "python", "src")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in (".pyc", ".so")
    }
    licenses = {path.relative_to(ROOT).as_posix() for path in (ROOT / "licenses").iterdir()}
    needed = (
        sources
        | licenses
        | {"CMakeLists.txt", "LICENSE", "NOTICE", "README.md", "pyproject.toml", "PKG-INFO"}
    )
    assert needed <= held
    assert {name.split("/")[0] for name in held - needed} <= {
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "examples",
        "idl",
    }


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="needs a free-threaded Python"
)
def test_leaves_the_gil_off():
    program = "import sys, thriftlens; sys.exit(sys._is_gil_enabled())"
    assert subprocess.run([sys.executable, "-W", "error", "-c", program]).returncode == 0


@pytest.fixture
def dist_info(tmp_path, monkeypatch):
    """The .dist-info of a wheel of this tree."""
    monkeypatch.chdir(ROOT)
    return tmp_path / prepare_metadata_for_build_wheel(str(tmp_path))


def test_wheel_holds_the_licences_of_what_is_compiled_into_it(dist_info):
    texts = {
        path.name: path.read_text(encoding="utf-8")
        for path in (dist_info / "licenses").rglob("*")
        if path.is_file()
    }
    assert set(texts) == {"LICENSE", "NOTICE", "simdjson.txt", "pybind11.txt"}
    for phrase in (
        "simdjson authors",
        "END OF TERMS AND CONDITIONS",
        "Facebook, Inc",
        "Florian Loitsch",
        "Boost Software License",
    ):
        assert phrase in texts["simdjson.txt"]
    assert "Wenzel Jakob" in texts["pybind11.txt"]
    metadata = email.message_from_string((dist_info / "METADATA").read_text(encoding="utf-8"))
    result = sorted(metadata.get_all("License-File"))
    assert result == ["LICENSE", "NOTICE", "licenses/pybind11.txt", "licenses/simdjson.txt"]


def test_the_licence_of_simdjson_is_that_of_the_version_in_use(dist_info):
    """Who moves to another simdjson looks at its licences again."""
    version = re.search(
        r"version ([0-9.]+),", (ROOT / "licenses" / "simdjson.txt").read_text(encoding="utf-8")
    )[1]
    spec = importlib.util.find_spec("simdjson")
    if spec is None:
        pytest.skip("pysimdjson is not installed here")
    header = (Path(spec.submodule_search_locations[0]) / "simdjson.h").read_text(encoding="utf-8")
    assert f'#define SIMDJSON_VERSION "{version}"' in header


def test_metadata_can_be_read_where_the_tree_is_not(dist_info):
    metadata = email.message_from_string((dist_info / "METADATA").read_text(encoding="utf-8"))
    links = dict(entry.split(", ", 1) for entry in metadata.get_all("Project-URL"))
    assert links and all(link.startswith("https://") for link in links.values())
    text = metadata.get_payload()
    targets = re.findall(r"\]\(([^)]*)\)|<img[^>]*src=\"([^\"]*)", text)
    assert "import thriftlens" in text
    assert [url for pair in targets for url in pair if url and not url.startswith("https://")] == []
