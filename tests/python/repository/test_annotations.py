"""Annotations: the package and a program that uses it under mypy --strict; stubs against the
compiled module."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import thriftlens

HERE = Path(__file__).parent
PACKAGE = Path(thriftlens.__file__).parent


def mypy(*arguments, folder):
    pytest.importorskip("mypy")
    result = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, cwd=folder
    )
    assert result.returncode == 0, result.stdout + result.stderr


def needs_imports():
    """Modules whose types the package names, and which have no wheel for every Python."""
    for package in ("duckdb", "polars", "pyarrow", "zstandard"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"no {package}")


def test_the_package_is_typed(tmp_path):
    needs_imports()
    mypy("mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "thriftlens", folder=tmp_path)


def test_a_typed_program(tmp_path):
    mypy(
        "mypy",
        "--strict",
        "--cache-dir",
        str(tmp_path),
        str(HERE / "typed_sample.py"),
        folder=tmp_path,
    )


def test_a_typed_program_for_pyright(tmp_path):
    pytest.importorskip("pyright")
    command = ["-m", "pyright", "--pythonpath", sys.executable, str(HERE / "typed_sample.py")]
    output = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=tmp_path
    ).stdout
    assert "0 errors" in output, output


def test_a_misspelt_program_is_an_error(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "wrong.py").write_text(
        'import thriftlens as tl\nof = tl.load("a.thrift")["A"]\nof.decode("text")\nof.encode({}, '
        'protocol="json")\nof.decod(b"")\ntl.Schma\n'
        'def f(e: tl.Error) -> bool:\n    return e.code == "trucnated"\n'
        'a: str = next(tl.scan(b"", of, to="json"))\n'
    )
    command = [
        sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"),
        "wrong.py",
    ]  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert [f"wrong.py:{line}: error" in result.stdout for line in (3, 4, 5, 6, 8, 9)] == [
        True
    ] * 6, result.stdout


@pytest.mark.skipif(
    sys.version_info < (3, 11), reason="stubtest takes typing.Any for a function there"
)
def test_stubs_match_the_module(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("no mypy")
    needs_imports()
    allow = tmp_path / "allow"
    allow.write_text(
        # pybind11's metaclass
        "thriftlens._core.(Schema|Redaction|Validator|HttpPlan|HttpRouter)(.__init__)?\n"
        "thriftlens._core.View.__getattr__\n"  # tp_getattro
        # struct sequences
        "thriftlens._core.\\w+.(n_(sequence_|unnamed_)?fields|_asdict|_make|_replace)\n"
        # lru_cache
        "thriftlens.(_rpc.message.(application_exception|_finagle)|application_exception)\n"
        "thriftlens._rpc.options._rows_of\n"
        "thriftlens.(_capture.recording(_format)?.schema|_parquet.source.parquet_idl)\n"
        "thriftlens.(hive|_hive.idl|_hive.columns).(metastore_idl|server_idl|_column_type)\n"
        # aliases of Literal
        "thriftlens.*.(Absence|AnyProtocol|CallState|Compression|ErrorCode|Form|Part|Sender)\n"
        "thriftlens.*.StructProtocol\n"
        "thriftlens.*.(_?Protocol|Transport|WireProtocol)\n"
        "thriftlens._records.scan.(_Messages|_OnError)\n"
        # overloads whose options are a TypedDict
        "thriftlens.(_records.scan.scan|_rpc.serve.serve)\n"
        "thriftlens._core.(Decoder.__new__|Type.decoder?)\n"
        # for types alone
        "thriftlens.(arrow|_records.table_files).(pa|pyarrow)\n"
        "thriftlens.spark.(pyarrow|DataFrame|StructField|StructType)\n"
        "thriftlens._schema.numpy.Array\n"
        "thriftlens._schema.exceptions.ThriftException.__getattr__\n"
        "thriftlens._records.writer._Stream.*\n"
    )
    mypy(
        "mypy.stubtest",
        "thriftlens",
        "--allowlist",
        str(allow),
        "--ignore-disjoint-bases",
        folder=tmp_path,
    )


def test_the_sample_runs(order_bytes):
    spec = importlib.util.spec_from_file_location("typed_sample", HERE / "typed_sample.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["typed_sample"] = module
    spec.loader.exec_module(module)
    assert module.main(order_bytes) == []
