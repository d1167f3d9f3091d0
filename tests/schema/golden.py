"""Compares describe_json of every corpus file with its golden dump by the Apache compiler:
golden.py DESCRIBE_TOOL.

Exit status 77: the corpus of third-party IDL is absent (see tests/data/README.md)."""

import os
import subprocess
import sys
from pathlib import Path

shared = Path(
    os.environ.get("THRIFTLENS_SHARED") or Path(__file__).resolve().parents[2] / ".." / "shared"
).resolve()
if not (shared / "corpus-golden").exists():
    print(f"skipped: the corpus of third-party IDL is not in {shared} (see tests/data/README.md)")
    sys.exit(77)
sys.exit(
    subprocess.run(
        [
            sys.executable,
            str(shared / "corpus/compare_descriptors.py"),
            "--jobs",
            "2",
            "--manifest",
            str(shared / "corpus/open/MANIFEST.tsv"),
            "--corpus",
            str(shared / "corpus"),
            "--golden",
            str(shared / "corpus-golden"),
            "--run",
            sys.argv[1] + " {inc} {file}",
        ]
    ).returncode
)
