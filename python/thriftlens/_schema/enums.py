"""Enums of IDL as IntEnum classes."""

from __future__ import annotations

import copyreg
import enum
import threading
import weakref
from typing import TYPE_CHECKING, Callable, cast

_Members = tuple[tuple[str, int], ...]
if TYPE_CHECKING:

    class _AnyMembers(enum.EnumMeta):
        def __getattr__(cls, name: str) -> enum.IntEnum: ...

    class EnumClass(enum.IntEnum, metaclass=_AnyMembers):
        """An IntEnum whose members are not known to type checkers."""

else:
    EnumClass = enum.IntEnum
_MEMBERS = "idl members"  # an attribute of the classes; no member can have this name


class _IDLEnumMeta(enum.EnumMeta):
    pass


class _IDLEnum(enum.IntEnum, metaclass=_IDLEnumMeta):
    """The base of the classes. Pickled members and classes contain what is needed to create the
    class in another process."""

    def __reduce_ex__(self, protocol: object) -> tuple[object, ...]:
        return type(self), (int(self),)


def _reduce_class(class_: type) -> object:
    members = getattr(class_, _MEMBERS, None)
    return class_.__qualname__ if members is None else (enum_of, (class_.__name__, members))


copyreg.pickle(_IDLEnumMeta, _reduce_class)  # type: ignore[arg-type]


# Equal enums share a class, also after several loads of the IDL, and in pickles from another
# process.
_classes: weakref.WeakValueDictionary[tuple[str, _Members], type[EnumClass]] = (
    weakref.WeakValueDictionary()
)
_lock = threading.Lock()


def enum_of(name: str, members: _Members) -> type[EnumClass]:
    """The class of these members. Equal names and members have the same class."""
    short = name.rpartition(".")[2]
    with _lock:
        class_ = _classes.get((short, members))
        if class_ is None:
            class_ = _classes[short, members] = _create(short, members)
        return class_


def _create(name: str, members: _Members) -> type[EnumClass]:
    names = python_names(name, [member for member, _ in members])
    pairs = [(member, number) for member, (_, number) in zip(names, members)]
    # Type checkers see no members and take the call for a look-up by value.
    create = cast(Callable[..., type[EnumClass]], _IDLEnum)
    class_ = create(name, pairs, module="thriftlens")
    type.__setattr__(class_, _MEMBERS, members)
    return class_


def members_of(name: str, members: _Members) -> tuple[enum.IntEnum, ...]:
    """The members in the order of the IDL; of two names of a number, the first. Called by the
    compiled module."""
    class_ = enum_of(name, members)
    return tuple(class_(number) for _, number in members)


def python_names(enum_name: str, names: list[str]) -> list[str]:
    """The Python names of the members. Names reserved by Python get underscores, as in mro_."""
    taken = set(names)
    return [_free_name(name, enum_name, taken) for name in names]


def _free_name(name: str, enum_name: str, taken: set[str]) -> str:
    is_private = name.startswith(f"_{enum_name}__")
    is_reserved = name == "mro" or (name.startswith("_") and name.endswith("_"))
    if not is_private and not is_reserved:
        return name
    free = name + "__" if is_private else name + "_"
    while free in taken:
        free += "_"
    taken.add(free)
    return free
