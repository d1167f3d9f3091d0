"""The window of bytes around an error."""

import gzip
import re
from pathlib import Path

from click.testing import CliRunner
from thriftlens._cli import main as cli
from thriftlens._cli import window as _window

ROOT = Path(__file__).resolve().parents[3]
SHOP = str(ROOT / "idl" / "shop.thrift")


def checked(data, *options, tmp_path, name="broken.bin", **run_options):
    (tmp_path / name).write_bytes(data)
    return CliRunner().invoke(
        cli.main, ["check", SHOP, "Order", str(tmp_path / name), *options], **run_options
    )


def test_window_shows_the_byte(tmp_path):
    data = (ROOT / "idl" / "order.bin").read_bytes()[:100]
    result = checked(data, "--window", "8", tmp_path=tmp_path)
    assert result.exit_code == 1
    first, *rows, caret = result.output.rstrip("\n").split("\n")
    assert "(byte 98)" in first and caret == " " * 18 + "^^ byte 98"
    assert rows == [
        f"  00000050  {data[80:88].hex(' ')}  {data[88:96].hex(' ')}  ..TEA-GREEN-100.",
        f"  00000060  {data[96:].hex(' '):47}   ..@.",
    ]
    assert checked(data, tmp_path=tmp_path).output == first + "\n"


def test_window_of_packed_and_framed_input(tmp_path):
    data = (ROOT / "idl" / "order.bin").read_bytes()[:100]
    assert "^^ byte 98" in checked(gzip.compress(data), "--window", "8", tmp_path=tmp_path).output
    frames = (ROOT / "idl" / "orders.frames").read_bytes()
    bad = bytearray(frames)
    second = 4 + int.from_bytes(frames[:4], "big")
    bad[second + 4] = 0x7F  # no wire type
    output = checked(bytes(bad), "--framing", "u32", "--window", "16", tmp_path=tmp_path).output
    at = int(re.search(r"\^\^ byte (\d+)", output)[1])
    assert at == second + 4 and f"{at // 16 * 16:08x}" in output and " 7f" in output


def test_window_of_a_consumed_pipe():
    frames = (ROOT / "idl" / "orders.frames").read_bytes()[:-5]
    result = CliRunner().invoke(
        cli.main, ["check", SHOP, "Order", "-", "--framing", "u32", "--window", "16"], input=frames
    )
    assert result.exit_code == 1 and "the input is a pipe" in result.output


def test_window_at_the_end_and_of_json(tmp_path):
    rows = list(_window.rows(b"\x00" * 16, 16, 4))
    assert rows[-1].endswith("^^ byte 16") and "__" in rows[-2]
    (tmp_path / "bad.json").write_text('{"id": 1, "user": 7}')
    result = CliRunner().invoke(
        cli.main,
        [
            "from-json",
            SHOP,
            "Order",
            str(tmp_path / "bad.json"),
            "-o",
            str(tmp_path / "o"),
            "--window",
            "8",
        ],
    )
    assert result.exit_code == 1 and "^^ byte 18" in result.output and not (tmp_path / "o").exists()


def test_colours_on_a_terminal_only(tmp_path, monkeypatch):
    data = (ROOT / "idl" / "order.bin").read_bytes()[:100]
    assert "\x1b" not in checked(data, "--window", "8", tmp_path=tmp_path).output
    assert "\x1b[31m" in checked(data, "--window", "8", tmp_path=tmp_path, color=True).output
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in checked(data, "--window", "8", tmp_path=tmp_path, color=True).output
    for command in (
        ["--help"],
        ["describe", SHOP],
        ["check", SHOP, "Order", str(ROOT / "idl" / "order.bin")],
    ):
        assert "\x1b" not in CliRunner().invoke(cli.main, command, color=True).output
