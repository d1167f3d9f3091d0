"""Services and their functions."""

from __future__ import annotations

from typing import Literal, NamedTuple, Optional

from .._errors import UnknownNameError
from .._text import did_you_mean, quoted_name
from .html import cut
from .types import Type


class Function(NamedTuple):
    """A function of a service. `arguments` and `result` are the struct types of its calls and
    replies."""

    name: str
    oneway: bool
    returns: Optional[Type]
    arguments: Type
    result: Type
    doc: str
    annotations: dict[str, str]
    streaming: Literal["none", "client", "server", "bidirectional"] = "none"
    """The side that streams messages, by Kitex's annotation `streaming.mode` ("bidirectional" for
    an unknown value)."""

    def __repr__(self) -> str:
        return f"<thriftlens.Function {self.name}({cut(', '.join(self.arguments.fields))})>"


class Service(NamedTuple):
    """A service: its own functions, those it inherits, and the name of the service it extends."""

    name: str
    extends: Optional[str]
    functions: dict[str, Function]
    doc: str
    annotations: dict[str, str]
    inherited: dict[str, Function] = {}

    def __repr__(self) -> str:
        functions = ", ".join([*self.functions, *self.inherited])
        return f"<thriftlens.Service {self.name}: {cut(functions)}>"

    def function(self, name: str) -> Function:
        """A function by name, own or inherited. UnknownNameError suggests a similar name."""
        declared = self.functions.get(name) or self.inherited.get(name)
        if declared is not None:
            return declared
        suggestion = did_you_mean(name, [*self.functions, *self.inherited])
        raise UnknownNameError(f"no function {quoted_name(name)} in {self.name}{suggestion}")
