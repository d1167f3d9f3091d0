"""Enums of IDL as IntEnum classes."""

from __future__ import annotations

import enum
import threading
import weakref
from typing import Any

_Members = tuple[tuple[str, int], ...]
_MEMBERS = "idl members"  # an attribute of the classes that no member can be called as


class _IDLEnum(enum.IntEnum):
    """The base of the classes: members carry what is needed to make their class in another process."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _member, (type(self).__name__, getattr(type(self), _MEMBERS), int(self))


# Two loads of the same IDL, and a pickle from another process, have one class.
_made: weakref.WeakValueDictionary[tuple[str, _Members], type[enum.IntEnum]] = weakref.WeakValueDictionary()
_making = threading.Lock()


def enum_of(name: str, members: _Members) -> type[enum.IntEnum]:
    """The class of these members; of equal names and members the same."""
    short = name.rpartition(".")[2]
    with _making:
        found = _made.get((short, members))
        if found is None:
            names = python_names(short, [each for each, _ in members])
            pairs = [(each, number) for each, (_, number) in zip(names, members)]
            make: Any = _IDLEnum  # type checkers see no members, so that the call would be that of a member
            found = _made[short, members] = make(short, pairs, module="thriftlens")
            type.__setattr__(found, _MEMBERS, members)
        return found


def members_of(name: str, members: _Members) -> tuple[enum.IntEnum, ...]:
    """The members in the order of the IDL; of two names of a number the first one's. What the compiled part calls."""
    of = enum_of(name, members)
    return tuple(of(number) for _, number in members)


def python_names(of: str, names: list[str]) -> list[str]:
    """The names of the members; behind those that Python keeps for itself stand underscores, as in mro_."""
    taken = set(names)
    return [_free_name(each, of, taken) for each in names]


def _free_name(name: str, of: str, taken: set[str]) -> str:
    is_private = name.startswith(f"_{of}__")
    is_reserved = name == "mro" or (name.startswith("_") and name.endswith("_"))
    if not is_private and not is_reserved:
        return name
    free = name + "__" if is_private else name + "_"
    while free in taken:
        free += "_"
    taken.add(free)
    return free


def _member(name: str, members: _Members, number: int) -> enum.IntEnum:
    """What a pickled member becomes."""
    return enum_of(name, members)(number)
