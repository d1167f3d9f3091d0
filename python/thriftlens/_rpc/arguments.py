"""The arguments of a call by name, by position, and as options in Python names."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Sequence

from .._text import did_you_mean, shown
from .._typing import Value, Values
from .services import parameters_of

if TYPE_CHECKING:
    from .._schema.services import Function


OPTIONS = frozenset(("select", "result", "timeout", "headers"))
"""Options of a call."""


class Arguments:
    """Binds the arguments of one function. parameters: of its method."""

    def __init__(self, function: Function):
        self.parameters = tuple(parameters_of(function))
        self._function = function.name
        self._names = tuple(function.arguments.fields)
        pairs = list(zip(self._names, self.parameters))
        self._required = frozenset(
            name for name, parameter in pairs if parameter.default is inspect.Parameter.empty
        )
        # Python keywords have an underscore.
        self._idl_names = {
            parameter.name: name for name, parameter in pairs if parameter.name != name
        }

    def bind(self, values: Sequence[Value], named: Values) -> Values:
        """The arguments by name. Raises TypeError as a Python call would."""
        if not named and len(values) == len(self._names):
            return dict(zip(self._names, values))
        if not values and named.keys() == self._required:
            return named
        if len(values) > len(self._names):
            raise self._too_many(len(values))
        bound = dict(zip(self._names, values))
        for argument, value in named.items():
            name = self._idl_names.get(argument, argument)
            if name in bound or name not in self._names:
                raise self._rejected(name, name in bound)
            bound[name] = value
        if not self._required <= bound.keys():
            raise self._incomplete(bound)
        return bound

    def _too_many(self, count: int) -> TypeError:
        plural = "" if len(self._names) == 1 else "s"
        return TypeError(
            f"{self._function}() takes {len(self._names)} argument{plural}, not {count}"
        )

    def _incomplete(self, bound: Values) -> TypeError:
        missing = self._required - bound.keys()
        names = ", ".join(repr(name) for name in self._names if name in missing)
        return TypeError(f"{self._function}() is missing {names}")

    def _rejected(self, name: str, is_bound: bool) -> TypeError:
        if is_bound:
            return TypeError(f"{self._function}() got two values for {name!r}")
        suggestion = did_you_mean(name, [*self._names, *sorted(OPTIONS)])
        return TypeError(f"{self._function}() has no argument {name!r}{suggestion}")

    def check_named(self, arguments: Value) -> Values:
        """No arguments. Raises TypeError for arguments by position, which call() does not take."""
        if arguments is None or arguments == ():
            return {}
        example = ", ".join(f"{field!r}: …" for field in self._names)
        raise TypeError(
            f"call() expects the arguments of {self._function} by name, {{{example}}}, "
            f"not {shown(arguments)}; use client.{self._function}(…) for arguments by position"
        )
