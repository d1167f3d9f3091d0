"""Packages that are not installed, and packages that are installed but cannot be loaded, such as
under a memory limit."""

import os
import subprocess
import sys

import pytest
import thriftlens as tl

IDL = "struct T { 1: i32 x, 2: list<i32> l }"
DATA = (
    f"import thriftlens as tl; T = tl.loads({IDL!r})['T']; data = T.encode({{'x': 1, 'l': [1]}}); "
)
SHELL = "from thriftlens._cli.main import main; main()"
USES = {  # package: code, arguments, extra
    "pyarrow": (SHELL, ["table", "T.thrift", "T", "data", "-o", "out.parquet"],
    "'thriftlens[arrow]'"),
    "pyarrow.parquet": (SHELL, ["table", "T.thrift", "T", "data", "-o", "out.parquet"],
    "'thriftlens[arrow]'"),
    "pyarrow.csv": (SHELL, ["table", "T.thrift", "T", "data", "-o", "out.csv", "--select", "{ x }"],
    "'thriftlens[arrow]'"),
    "dpkt": (SHELL, ["pcap", "data"], "'thriftlens[pcap]'"),
    "uvicorn": (SHELL, ["serve", "T.thrift", "--upstream", "127.0.0.1:1", "--listen", ":0",
    "--routes", "all"], "'thriftlens[gateway]'"),
    "zstandard": (SHELL, ["to-json", "T.thrift", "T", "packed"], "'thriftlens[zstd]'"),
    "h11": (DATA + "import thriftlens._rpc.server_http", [], "'thriftlens[http]'"),
    "numpy": (DATA + "T.columns([data]).to_numpy('x')", [], "numpy"),
    "pyspark": (DATA + "tl.spark.from_thrift('value', T).schema", [], "pyspark"),
}  # fmt: skip
CANNOT_LOAD = "libx.so.1: failed to map segment\n  from shared object"


def outcome(tmp_path, package, setup):
    code, arguments, extra = USES[package]
    (tmp_path / "T.thrift").write_text(IDL + " service S { T get() }")
    (tmp_path / "data").write_bytes(tl.loads(IDL)["T"].encode({"x": 1}))
    (tmp_path / "packed").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    result = subprocess.run(
        [sys.executable, "-c", setup + code, *arguments],
        capture_output=True,
        cwd=tmp_path,
        env=environment,
    )
    return result, result.stderr.decode().splitlines()[-1], extra


def skip_where_unused(package):
    if package == "zstandard" and sys.version_info >= (3, 14):
        pytest.skip("Python has zstd")
    if package == "pyspark":
        pytest.importorskip("pyarrow")
    if "." in package:
        pytest.importorskip(package)


@pytest.mark.parametrize("package", USES)
def test_a_package_that_is_not_installed_is_named_with_the_command_that_installs_it(
    tmp_path, package
):
    skip_where_unused(package)
    result, line, extra = outcome(
        tmp_path, package, f"import sys; sys.modules[{package!r}] = None; "
    )
    assert result.returncode != 0, result.stderr
    assert f"which is not installed: pip install {extra}" in line, result.stderr


@pytest.mark.parametrize("package", USES)
def test_a_package_that_cannot_be_loaded_is_not_called_missing(tmp_path, package):
    skip_where_unused(package)
    setup = f"""
import sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == {package!r}:
            raise ImportError({CANNOT_LOAD!r})
sys.meta_path.insert(0, Broken())
"""
    result, line, _ = outcome(tmp_path, package, setup)
    assert result.returncode != 0, result.stderr
    assert (
        "which is installed but cannot be loaded: libx.so.1: failed to map segment from shared "
        "object" in line
    )
    assert b"pip install" not in result.stderr
    if USES[package][0] == SHELL:
        assert result.stderr.count(b"\n") == 1


def test_a_package_without_memory_to_load_is_out_of_memory(tmp_path):
    setup = """
import sys
class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == "pyarrow":
            raise MemoryError
sys.meta_path.insert(0, Broken())
"""
    result, line, _ = outcome(tmp_path, "pyarrow", setup)
    assert (result.returncode, line) == (2, "thriftlens: out of memory")
