"""Footers that are written back."""

from __future__ import annotations

import io
from typing import Any

import pytest
import thriftlens as tl

pa = pytest.importorskip("pyarrow")


pq = pytest.importorskip("pyarrow.parquet")


def changed_in_place(path: Any, table: Any) -> None:
    """Another file of the same name and number."""
    out = io.BytesIO()
    pq.write_table(table, out)
    with open(path, "r+b") as stream:
        stream.truncate()
        stream.write(out.getvalue())


def test_a_file_that_changed_since_it_was_opened_is_not_written(tmp_path: Any) -> None:
    path = tmp_path / "t.parquet"
    first, second = pa.table({"a": list(range(10))}), pa.table({"a": list(range(5000))})
    changes = {
        "replaced": lambda: (
            (tmp_path / "new").write_bytes(path.read_bytes()) and (tmp_path / "new").replace(path)
        ),
        "longer": lambda: changed_in_place(path, second),
        "footer": lambda: changed_in_place(path, first.rename_columns(["b"])),
        "cut": lambda: path.write_bytes(b""),
    }
    saves = {
        "in place": lambda file: file.save(),
        "atomic": lambda file: file.save(atomic=True),
        "elsewhere": lambda file: file.save(tmp_path / "out.parquet"),
        "bytes": lambda file: file.to_bytes(),
    }
    for change in changes.values():
        for save in saves.values():
            pq.write_table(first, path)
            file = tl.parquet.open(path)
            file.set_key_value("k", "v")
            change()
            original = path.read_bytes()
            with pytest.raises(tl.Error, match="changed since it was opened") as caught:
                save(file)
            assert caught.value.code == "edit_conflict"
            assert path.read_bytes() == original and not (tmp_path / "out.parquet").exists()


def test_a_file_can_be_saved_repeatedly(tmp_path: Any) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    file = tl.parquet.open(path)
    for number in range(4):
        file.set_key_value("k", "v" * number)
        file.save(atomic=number % 2 == 1)
        assert pq.read_metadata(path).metadata[b"k"] == b"v" * number
    assert pq.read_table(path).to_pydict() == {"a": [1]}
