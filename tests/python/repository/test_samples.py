"""The committed samples in idl/ are what Apache Thrift's encoder writes today."""

import importlib.util
from pathlib import Path

import pytest

IDL = Path(__file__).parents[3] / "idl"


def test_samples_are_the_bytes_of_apache_thrift():
    pytest.importorskip("thrift")
    spec = importlib.util.spec_from_file_location("make_samples", IDL / "make_samples.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    samples = module.samples()
    assert len(samples) == 5
    for name, data in samples.items():
        assert (IDL / name).read_bytes() == data, name
