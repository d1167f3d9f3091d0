"""Declared exceptions of IDL as Python classes."""

from __future__ import annotations

import keyword
import re
import threading
import weakref
from typing import TYPE_CHECKING, Iterator, Mapping, NamedTuple

from .._errors import UnknownNameError
from .._text import MESSAGE_LENGTH, did_you_mean, escaped, shortened
from .._typing import Value
from .pickles import ClassOfType
from .types import Type, TypeTable


class _Field(NamedTuple):
    id: int
    name: str
    type: str
    default: Value


_Fields = tuple[_Field, ...]


class ThriftException(Exception, metaclass=ClassOfType):
    """The base of the classes of exceptions in IDL: `idl.exceptions["InvalidOperation"]`.

    Fields are attributes, None if absent; names reserved by Python get an underscore: `args_`. The
    constructor takes fields by position, in source order, or by name. Equal exceptions of several
    loads of a file have the same class.

    >>> import thriftlens as tl
    >>> idl = tl.loads("exception InvalidOperation { 1: i32 code, 2: string reason }")
    >>> InvalidOperation = idl.exceptions["InvalidOperation"]
    >>> try:
    ...     raise InvalidOperation(4, reason="no")
    ... except tl.ThriftException as error:
    ...     print(type(error).__name__, error.code, error.to_dict())
    InvalidOperation 4 {'code': 4, 'reason': 'no'}
    """

    _fields: _Fields = ()
    _attributes: tuple[str, ...] = ()

    if TYPE_CHECKING:  # of the fields

        def __getattr__(self, name: str) -> Value: ...

    def __init__(self, /, *values: Value, **named: Value):
        super().__init__(*values)
        if len(values) > len(self._attributes):
            raise TypeError(
                f"{type(self).__name__}() takes {len(self._attributes)} values, not {len(values)}"
            )
        defaults = [field.default for field in self._fields[len(values) :]]
        for attribute, value in zip(self._attributes, [*values, *defaults]):
            setattr(self, attribute, value)
        for name, value in named.items():
            self._set(name, value, len(values))

    def _set(self, name: str, value: Value, positional: int) -> None:
        names = [field.name for field in self._fields]
        if name in names:
            position = names.index(name)
        elif name in self._attributes:
            position = self._attributes.index(name)
        else:
            suggestion = did_you_mean(name, names)
            raise TypeError(f"{type(self).__name__} has no field {name!r}{suggestion}")
        if position < positional:
            raise TypeError(f"{type(self).__name__}() got multiple values for {name!r}")
        setattr(self, self._attributes[position], value)

    def to_dict(self) -> dict[str, Value]:
        """The fields that are present, by their names in the IDL."""
        pairs = (
            (field.name, getattr(self, attribute))
            for attribute, field in zip(self._attributes, self._fields)
        )
        return {name: value for name, value in pairs if value is not None}

    def __str__(self) -> str:
        """The field `message`, or all fields, without control characters; long texts are
        shortened."""
        fields = self.to_dict()
        text = fields.get("message")
        if not isinstance(text, str):
            text = ", ".join(f"{name}={value!r}" for name, value in fields.items())
        return escaped(shortened(text, MESSAGE_LENGTH))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self.to_dict().items())
        return f"{type(self).__name__}({fields})"

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and isinstance(other, ThriftException)
            and other.to_dict() == self.to_dict()
        )

    __hash__ = Exception.__hash__

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (type(self), self.args, vars(self))


_classes: weakref.WeakValueDictionary[tuple[str, str], type[ThriftException]] = (
    weakref.WeakValueDictionary()
)
_lock = threading.Lock()


def exception_of(type: Type) -> type[ThriftException]:
    """The class of an exception of IDL."""
    program, _, short = type.name.rpartition(".")
    program = program or type.schema._program
    prefix = re.compile(rf"(?<![\w.]){re.escape(program)}\.")
    rows = (
        _Field(field.id, field.name, prefix.sub("", field.type.name), field.default)
        for field in type.fields.values()
    )
    class_ = _class_of(f"{program}.{short}", tuple(rows))
    class_.__doc__ = type.doc or class_.__doc__
    return class_


def _class_of(name: str, fields: _Fields) -> type[ThriftException]:
    key = name, repr(fields)
    with _lock:
        class_ = _classes.get(key)
        if class_ is None:
            attributes = tuple(exception_attribute(field.name) for field in fields)
            body = {
                "_fields": fields,
                "_attributes": attributes,
                "__match_args__": attributes,
                "__module__": "thriftlens",
                "_creation": (_class_of, (name, fields)),
            }
            class_ = _classes[key] = type(name.rpartition(".")[2], (ThriftException,), body)
        return class_


def exception_attribute(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) or hasattr(ThriftException, name) else name


def _restore(
    class_: type[ThriftException], args: tuple[Value, ...], attributes: Mapping[str, Value]
) -> ThriftException:
    """Unpickles an exception."""
    error = class_.__new__(class_, *args)
    vars(error).update(attributes)
    return error


class Exceptions(Mapping[str, "type[ThriftException]"]):
    """The classes of the exceptions of a schema by name: idl.exceptions."""

    def __init__(self, schema: TypeTable):
        self._schema = schema

    def __getitem__(self, name: str) -> type[ThriftException]:
        type = self._schema[name]
        if type.kind != "exception":
            raise UnknownNameError(
                f"{name!r} is not an exception: it is {_article(type.kind)} {type.kind}"
            )
        return exception_of(type)

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._schema.types if self._schema[name].kind == "exception")

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return f"<exceptions {', '.join(self)}>"


def _article(word: str) -> str:
    return "an" if word[:1] in "aeiou" else "a"


ThriftException.__module__ = "thriftlens"
