"""Truncated, corrupted and oversized bytes: a value or a tl.Error from every operation."""

from __future__ import annotations

import functools
from typing import Any, Callable

import thriftlens as tl
from proving import wire
from proving.case import Case, expect, expect_true
from proving.paths import PathMaker, text_of
from proving.registry import target
from thriftlens._schema.classes import annotation_of

from .selections import draw_selection

HUGE = (0x7F, 0xFF, 0x80, 0xFE)


def operations(case: Case) -> list[Callable[[bytearray], Any]]:
    """Calls of one case with fixed paths, selections and rules."""
    options: Any = {"protocol": case.protocol}
    paths = [PathMaker(case.choices, case.protocol).make(case.root, case.payload) for _ in "abc"]
    texts = [text_of(steps) for steps in paths]
    single = [text_of(steps) for steps in paths if not any(step.is_many for step in steps)]
    _, selection = draw_selection(case.choices, case.root)
    type_ = case.type
    sound = case.canonical(case.payload)
    return [
        lambda data: type_.decode(data, **options),
        lambda data: type_.decode(data, unknown="keep", mismatch="drop", duplicates="last",
                                  missing_required="omit", invalid_utf8="replace", **options),
        lambda data: type_.decode(data, into=annotation_of(type_), **options),
        lambda data: type_.to_json(data, **options),
        lambda data: type_.to_json(data, unknown="keep", nonfinite="string", mismatch="drop",
                                   duplicates="last", invalid_utf8="replace", **options),
        lambda data: type_.validate(data, **options),
        lambda data: type_.findings(data, **options),
        lambda data: [type_.get(data, text, **options) for text in texts],
        lambda data: type_.get_many(data, single, **options),
        lambda data: type_.trim(data, selection, **options),
        lambda data: type_.edit(data, **options).erase(texts[0]).apply(),
        lambda data: type_.redact(data, paths={"$": "keep"}, **options),
        lambda data: type_.redact(data, paths={"$": "hash"}, key=b"k", **options),
        lambda data: type_.diff(data, sound, **options),
        lambda data: type_.diff(sound, data, **options),
        lambda data: type_.view(data, **options).to_dict(),
        lambda data: walk(type_.view(data, **options)),
        lambda data: tl.convert(data, source=case.protocol, target="compact"),
        lambda data: tl.convert(data, source=case.protocol, target="tjson", type=type_),
        lambda data: tl.inspect(data, type=type_, **options),
        lambda data: [*tl.scan(bytes(data), type_, to="bytes", **options)],
        lambda data: [*tl.scan(bytes(data), type_, to="dict", framing="u32", **options)],
    ]  # fmt: skip


def walk(view: Any) -> None:
    """Reads all of a view, child by child."""
    items = view.values() if isinstance(view, (tl.StructView, tl.MapView)) else view
    for item in items:
        if isinstance(item, tl.View):
            walk(item)
    len(view), bytes(view), view == view


def attempt(case: Case, calls: list[Callable[[bytearray], Any]], data: bytearray) -> None:
    original = bytes(data)
    for call in calls:
        try:
            call(data)
        except tl.Error as error:
            in_range = error.offset is None or 0 <= error.offset <= len(data)
            expect_true(in_range, (case.seed, error, len(data)))
        expect(bytes(data), original)


@target("Type.decode", "Type.get", "Type.edit", "DecodeError", cost=6)
def truncated(seed: int) -> None:
    case = Case(seed)
    calls = operations(case)
    sizes = range(len(case.data))
    for size in sorted(case.choices.sample(sizes, k=min(len(sizes), 12))):
        attempt(case, calls, bytearray(case.data[:size]))
        for call in (case.type.decode, case.type.to_json, case.type.validate):
            try:
                call(case.data[:size], protocol=case.protocol)
            except tl.DecodeError:
                continue
            raise AssertionError(f"{size} of {len(case.data)} bytes are a value")


@target("Type.decode", "Type.get", "Type.edit", "DecodeError", cost=6)
def corrupted(seed: int) -> None:
    case = Case(seed)
    calls = operations(case)
    for _ in range(12):
        data = bytearray(case.data)
        for _ in range(case.choices.randint(1, 3)):
            at = case.choices.randrange(len(data))
            if case.choices.random() < 0.5:
                data[at] ^= 1 << case.choices.randrange(8)
            else:
                data[at : at + case.choices.randint(1, 4)] = bytes(
                    [case.choices.choice((*HUGE, case.choices.randrange(256)))]
                )
        attempt(case, calls, data)
        agree(case, bytes(data))


def agree(case: Case, data: bytes) -> None:
    """The reference reader and validate agree whether the bytes are a value."""
    try:
        payload = wire.read(case.protocol, data)
    except (wire.Malformed, RecursionError):
        payload = None
    try:
        case.type.validate(
            data,
            protocol=case.protocol,
            enum_numbers="any",
            missing_required="omit",
            invalid_utf8="keep",
        )
        expect_true(payload is not None, ("validate accepts", data.hex()))
    except tl.DecodeError as error:
        codes = ("type_mismatch", "duplicate_field", "union_members", "depth_limit", "bad_ttype")
        expect_true(payload is None or error.code in codes, (error.code, data.hex()))


@target("Type.decode", "DecodeError")
def deep(seed: int) -> None:
    """Nesting beyond the depth is depth_limit everywhere."""
    nested = recursive()
    case = Case(seed)
    depth = case.choices.randint(1, 80)
    payload: Any = wire.Struct()
    for _ in range(depth - 1):
        payload = wire.Struct([[1, "struct", payload]])
    data = wire.write(case.protocol, "struct", payload)
    limit = case.choices.randint(1, 80)
    options: Any = {"protocol": case.protocol, "depth": limit}
    for call in (
        lambda: nested.decode(data, **options),
        lambda: nested.to_json(data, **options),
        lambda: nested.validate(data, **options),
        lambda: nested.view(data, **options).to_dict(),
        lambda: nested.redact(data, paths={"$": "keep"}, **options),
        lambda: nested.trim(data, "{ n { n } }", **options),
        lambda: nested.diff(data, data, **options),
        lambda: tl.convert(data, source=case.protocol, target="binary", depth=limit),
    ):
        try:
            call()
            code = None
        except tl.Error as error:
            code = error.code
        expect(code, "depth_limit" if depth > limit else None, (depth, limit))


@functools.lru_cache(maxsize=None)
def recursive() -> Any:
    return tl.loads("struct N { 1: N n }").N
