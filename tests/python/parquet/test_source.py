"""Where the footer of a file is, and files without a readable one."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
import thriftlens as tl
from parquet_files import file_of, footer_of, run
from thriftlens import parquet

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_corrupted_files(file: Path, tmp_path: Path) -> None:
    data = file.read_bytes()
    for size in (0, 3, 11, 12, len(data) - 1, len(data) - 8, len(data) // 2):
        with pytest.raises(tl.DecodeError) as caught:
            parquet.open(data[:size])
        assert caught.value.offset is not None and caught.value.offset <= size
    with pytest.raises(tl.DecodeError, match="encrypted"):
        parquet.open(data[:-4] + b"PARE")
    with pytest.raises(tl.DecodeError, match="the footer has 4294967295 bytes"):
        parquet.open(data[:-8] + b"\xff\xff\xff\xff" + data[-4:])
    with pytest.raises(FileNotFoundError):
        parquet.open(tmp_path / "none")
    footer = parquet.open(file).footer
    for cut in range(1, len(footer), 7):
        with pytest.raises(tl.DecodeError):
            parquet.open(b"PAR1" + footer[:cut] + struct.pack("<I", cut) + b"PAR1")
    seen = set()
    for at in range(0, len(footer), 5):
        changed = bytearray(footer)
        changed[at] ^= 0x55
        try:
            of = parquet.open(data[: len(data) - 8 - len(footer)] + bytes(changed) + data[-8:])
            seen.update(finding.code for finding in of.findings())
            (
                of.tree(),
                of.statistics(),
                [
                    page
                    for column in of.columns.values()
                    for chunk in column.chunks
                    for page in chunk.pages()
                ],
            )
        except tl.Error as error:
            assert str(error)
            seen.add(error.code)
    assert len(seen) > 3, "many kinds of damage are distinguished"


def test_footers_with_oversized_declarations() -> None:
    for footer in (
        b"\x19\xfc\xff\xff\xff\xff\x07", b"\x29\xfc\xff\xff\x7f", b"\x48\xff\xff\xff\xff\x07",
        b"\x1c" * 200, b"\x0f", b"\x15", b"\xff" * 64,
    ):  # fmt: skip
        with pytest.raises(tl.DecodeError, match="invalid footer") as caught:
            parquet.open(file_of(footer))
        assert caught.value.offset is not None and 4 <= caught.value.offset <= 4 + len(footer)
    with pytest.raises(tl.DecodeError, match="bytes follow the metadata") as caught:
        parquet.open(file_of(footer_of() + b"\0"))
    assert caught.value.code == "trailing_bytes" and caught.value.offset == 4 + len(footer_of())
    with pytest.raises(tl.DecodeError, match="bytes follow the metadata"):
        parquet.open(file_of(footer_of() + bytes(28)))


def encrypted(path: Path, plaintext_footer: bool) -> None:
    """A file of the columns a, encrypted with a separate key, and b."""
    encryption = pytest.importorskip("pyarrow.parquet.encryption")

    class Keys(encryption.KmsClient):  # type: ignore[misc, name-defined]
        def wrap_key(self, key: bytes, master: str) -> bytes:
            return key

        def unwrap_key(self, wrapped: bytes, master: str) -> bytes:
            return wrapped

    configuration = encryption.EncryptionConfiguration(
        footer_key="f" * 16, column_keys={"c" * 16: ["a"]}, plaintext_footer=plaintext_footer
    )
    properties = encryption.CryptoFactory(lambda _: Keys()).file_encryption_properties(
        encryption.KmsConnectionConfig(), configuration
    )
    table = pa.table({"a": [1, 2], "b": [3, 4]})
    with pq.ParquetWriter(path, table.schema, encryption_properties=properties) as writer:
        writer.write_table(table)


def test_encrypted_files(tmp_path: Path) -> None:
    path = tmp_path / "e.parquet"
    encrypted(path, plaintext_footer=False)
    with pytest.raises(tl.DecodeError, match="encrypted: the file ends in PARE"):
        parquet.open(path)
    encrypted(path, plaintext_footer=True)
    of, original = parquet.open(path), path.read_bytes()
    assert of.num_rows == 2 and list(of.columns) == ["a", "b"] and of.findings() == []
    chunk = of.row_groups[0].columns["a"]
    assert chunk.is_encrypted and chunk.statistics.min is None
    with pytest.raises(tl.DecodeError, match="'a' is encrypted"):
        list(chunk.pages())
    for change in (
        lambda: of.set_key_value("k", "v"),
        lambda: of.drop_statistics(),
        lambda: of.redact(paths={"$.created_by": "drop"}),
    ):
        with pytest.raises(tl.Error, match="signed"):
            change()
    of.save(tmp_path / "copy.parquet")
    assert (tmp_path / "copy.parquet").read_bytes() == original and of.to_bytes() == original
    status, text, _ = run(path)
    assert status == 0 and text.startswith("2 rows, 2 columns, 1 row groups")
