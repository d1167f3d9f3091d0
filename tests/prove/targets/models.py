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
        "UnionStruct", "UnionStruct.which", "Schema.classes", cost=2)  # fmt: skip
def models(seed: int) -> None:
    case = Case(seed)
    options: Any = {"protocol": case.protocol}
    class_ = annotation_of(case.type)
    if case.type.name in case.type.schema.classes:
        expect_true(case.type.schema.classes[case.type.name] is class_, case.type.name)
    plain = case.type.decode(case.data, **options)
    value = case.type.decode(case.data, into=class_, **options)
    expect_true(holds(value, plain), (case.seed, value, plain))
    encoded = case.type.encode(value, **options)
    repeated = case.type.decode(encoded, into=class_, **options)
    expect(case.type.encode(repeated, **options), encoded)
    decoder = tl.Decoder(case.type, into=class_, **options)
    expect(case.type.encode(decoder.decode(case.data), **options), encoded)
    if not isinstance(value, tl.Struct):
        return
    same = [value, class_.decode(case.data, **options), pickle.loads(pickle.dumps(value))]
    for copied in (*same, copy.copy(value), copy.deepcopy(value)):
        expect(copied.encode(**options), encoded)
    if isinstance(value, tl.UnionStruct):
        which = value.which
        expect(None if which is None else value.__thrift_attributes__[which].name,
               next(iter(plain), None))  # fmt: skip
