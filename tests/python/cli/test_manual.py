"""The manual page."""

import re
import shutil
import subprocess

from click.testing import CliRunner
from thriftlens._cli import main as cli


def test_manual_page():
    page = CliRunner().invoke(cli.main, ["help", "man"]).output
    assert page.startswith(".TH THRIFTLENS 1")
    for name in cli.main.commands:
        assert f".SS thriftlens {name}".replace("-", "\\-") in page
    assert "\n.SH PATHS\n" in page and not re.search(r"^'", page, re.M)
    assert "\n.SH EXIT STATUS\n.nf\n  0    success\n" in page
    assert page.count(r"\n.B \-h, \-\-help\n".replace(r"\n", "\n")) == len(cli.main.commands) + 1
    assert {line[3:].lstrip("\\")[:1] for line in page.splitlines() if line.startswith(".B ")} == {
        "-",
        "t",
    }, "only options and the name are bold"
    if shutil.which("groff"):
        result = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", "-Kutf8"], input=page, capture_output=True, text=True
        )
        assert result.returncode == 0 and "redact" in result.stdout and result.stderr == ""
