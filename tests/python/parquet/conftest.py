"""Fixtures of the tests of Parquet footers."""

from pathlib import Path

import pytest


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of several row groups with page indexes."""
    parquet = pytest.importorskip("pyarrow.parquet")
    from parquet_files import TABLE

    path = tmp_path / "t.parquet"
    parquet.write_table(TABLE, path, row_group_size=300, write_page_index=True)
    return path
