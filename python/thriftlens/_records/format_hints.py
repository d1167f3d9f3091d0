"""Hints for inputs that are not in the framing and protocol in which they are read."""

from __future__ import annotations

from .._errors import Error, RelaxingOption
from .cuts import Options
from .detect import likely_guess

_FORMAT = ("framing", "protocol", "prefix_size")
_EQUIVALENT = {"kafka": "u32", "framed": "message"}
"""Framings in which the same bytes can be read."""


def add_format_hint(error: Error, front: memoryview, options: Options) -> bool:
    """Names the apparent format of the input in an error, unless it is that of the options. No
    option except framing, protocol and prefix_size accepts such an input, and no later position.

    front: the first bytes of the input, where reading began."""
    guess = likely_guess(front, options["depth"])
    differing: list[RelaxingOption] = [
        (name, value)
        for name, value in ({} if guess is None else guess.options).items()
        if name in _FORMAT and _EQUIVALENT.get(str(value), value) != _current(options, name)
    ]
    if not differing:
        return False
    error.hint = f"the data looks like {guess}"
    error.option = differing[0] if len(differing) == 1 else None
    error.option_name = differing[0][0]
    error.resume = None
    return True


def is_of_other_format(error: Error) -> bool:
    """Whether the error is that of an input in another framing or protocol."""
    return error.option_name in _FORMAT


def _current(options: Options, name: str) -> object:
    value = options.get(name, 0)
    return _EQUIVALENT.get(str(value), value)
