"""Bounds of numeric arguments."""

import pytest
import thriftlens as tl
from thriftlens._errors.bounds import IntegerRange, Seconds


@pytest.mark.parametrize("bounds,value", [
    (IntegerRange(1, 5), 6), (Seconds(), 0), (Seconds(), float("nan")), (Seconds(), 1e9),
])  # fmt: skip
def test_a_value_out_of_bounds(bounds, value):
    with pytest.raises(tl.UsageError, match=f"x must be {bounds}".replace("(", r"\(")):
        bounds.check("x", value)


@pytest.mark.parametrize("bounds", [IntegerRange(0, 5), Seconds(can_be_zero=True, none="never")])
def test_types_of_numbers(bounds):
    bounds.check("x", 0)
    for value in ("1", True):
        with pytest.raises(TypeError, match="x must be"):
            bounds.check("x", value)
