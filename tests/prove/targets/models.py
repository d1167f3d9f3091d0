"""Objects of classes: decode(into=) and encode hold the values that dicts hold."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import thriftlens as tl
from proving.case import Case, expect, expect_true
from proving.registry import target
from thriftlens._schema.classes import annotation_of


def holds(value: Any, expected: Any) -> bool:
    """Whether objects have the fields of dicts; absent ones may have the defaults of the IDL."""
    if isinstance(value, tl.Struct):
        fields = {field.name: name for name, field in value.__thrift_attributes__.items()}
        return all(holds(getattr(value, fields[name]), item) for name, item in expected.items())
    if isinstance(value, dict) and isinstance(expected, dict):
        keys = value.keys() == expected.keys()
        return keys and all(holds(value[key], item) for key, item in expected.items())
    if isinstance(value, list) and isinstance(expected, list):
        return len(value) == len(expected) and all(map(holds, value, expected))
    return bool(value == expected) or (value != value and expected != expected)


@target("Type.decode", "Type.encode", "Decoder.decode", "Struct", "Struct.decode", "Struct.encode",
        "UnionStruct", "UnionStruct.which", cost=2)  # fmt: skip
def models(seed: int) -> None:
    case = Case(seed)
    options: Any = {"protocol": case.protocol}
    class_ = annotation_of(case.type)
    plain = case.type.decode(case.data, **options)
    value = case.type.decode(case.data, into=class_, **options)
    expect_true(holds(value, plain), (case.seed, value, plain))
    decoder = tl.Decoder(case.type, into=class_, **options)
    expect(repr(decoder.decode(case.data)), repr(value))
    again = case.type.decode(case.type.encode(value, **options), **options)
    expect_true(holds(value, again), (case.seed, value, again))
    if not isinstance(value, tl.Struct):
        return
    expect(value.encode(**options), case.type.encode(value, **options))
    expect(repr(class_.decode(case.data, **options)), repr(value))
    for copied in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        expect(repr(copied), repr(value))
    if isinstance(value, tl.UnionStruct):
        which = value.which
        expect(None if which is None else value.__thrift_attributes__[which].name,
               next(iter(plain), None))  # fmt: skip
