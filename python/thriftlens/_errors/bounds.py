"""Bounds of numeric arguments."""

from __future__ import annotations

import numbers
import operator
from typing import NamedTuple, SupportsIndex

from .._text import shown
from .errors import Error

_MAX_SECONDS = 2_000_000  # poll counts milliseconds in an int


class IntegerRange(NamedTuple):
    """An integer option and its bounds, inclusive."""

    minimum: int
    maximum: int

    def __str__(self) -> str:
        return f"an integer from {self.minimum} to {self.maximum}"

    def check(self, option: str, value: object) -> None:
        """Raises TypeError for a value that is not an integer, an Error for one out of bounds."""
        if isinstance(value, bool) or not isinstance(value, SupportsIndex):
            raise TypeError(f"{option} must be {self}, not {shown(value)}")
        if not self.minimum <= operator.index(value) <= self.maximum:
            raise Error(f"{option} must be {self}, not {shown(value)}", code="bad_option")


class Seconds(NamedTuple):
    """A duration. none: meaning of None, empty if None is not allowed."""

    can_be_zero: bool = False
    none: str = ""

    def __str__(self) -> str:
        minimum = "0 or more" if self.can_be_zero else "above 0"
        return f"a number of seconds, {minimum} and at most {_MAX_SECONDS}" + (
            f" (None: {self.none})" if self.none else ""
        )

    def check(self, option: str, value: object) -> None:
        """Raises TypeError for a value that is not a number, an Error for one out of bounds."""
        if value is None and self.none:
            return
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise TypeError(f"{option} must be {self}, not {shown(value)}")
        seconds = float(value)
        is_in_bounds = 0 <= seconds <= _MAX_SECONDS  # False for NaN
        if not is_in_bounds or (seconds == 0 and not self.can_be_zero):
            raise Error(f"{option} must be {self}, not {shown(value)}", code="bad_option")
