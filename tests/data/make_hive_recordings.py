"""Makes the recordings in tests/data/hive: python make_hive_recordings.py HOST:PORT of a
HiveServer2 without SASL.

Needs thriftlens, PyHive and impyla. The statements of the programs are in hive_statements.py, which
the tests run against the recordings."""

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import hive_statements  # noqa: E402


def record(server, name, ask):
    file = HERE / "hive" / f"{name}.tlrec"
    command = [sys.executable, "-m", "thriftlens", "record", server, str(file)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as proxy:
        port = int(re.search(r"listening on 127\.0\.0\.1:(\d+)", proxy.stderr.readline())[1])
        try:
            print(name, ask("127.0.0.1", port))
        finally:
            proxy.terminate()
            print(proxy.stderr.read(), end="")


if __name__ == "__main__":
    (HERE / "hive").mkdir(exist_ok=True)
    for name in ("thriftlens", "pyhive", "impyla"):
        record(sys.argv[1], name, getattr(hive_statements, f"ask_{name}"))
