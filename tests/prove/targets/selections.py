"""Selections: trim, to_json(select=...) and rewrites."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Optional

import thriftlens as tl
from proving import wire
from proving.case import Case, error_of, expect, expect_payload, expect_true
from proving.plain import decoded
from proving.registry import target
from proving.schemas import FieldKind, Kind
from proving.values import has_equal_elements


@dataclass
class Chosen:
    """Fields of a struct; those without an entry are preserved only with `star`."""

    star: bool = False
    parts: dict[int, Optional[Chosen]] = field(default_factory=dict)
    excluded: set[int] = field(default_factory=set)


def record_in(kind: Kind) -> Optional[Kind]:
    """The struct that braces after a field select from."""
    while kind.kind in ("list", "set", "map"):
        kind = kind.inner
    return kind if kind.is_record and kind.fields else None


def draw_selection(choices: random.Random, kind: Kind, depth: int = 3) -> tuple[Chosen, str]:
    chosen = Chosen(star=choices.random() < 0.3)
    parts = ["*"] if chosen.star else []
    fields = choices.sample(kind.fields, k=choices.randint(1, len(kind.fields)))
    if choices.random() < 0.2:
        chosen.star = True
        for item in fields:
            chosen.excluded.add(item.id)
            parts.append(f"-{name_of(choices, item)}")
        return chosen, "{ " + " ".join(parts) + " }"
    for item in fields:
        inner = record_in(item.type)
        part_text = name_of(choices, item)
        if chosen.star and choices.random() < 0.5:
            chosen.excluded.add(item.id)
            parts.append(f"-{part_text}")
        elif inner is not None and depth > 0 and choices.random() < 0.7:
            part, text = draw_selection(choices, inner, depth - 1)
            chosen.parts[item.id] = part
            parts.append(f"{part_text} {text}")
        else:
            chosen.parts[item.id] = None
            parts.append(part_text)
    separator = choices.choice((" ", ", ", "  "))
    return chosen, "{ " + separator.join(parts) + " }"


def name_of(choices: random.Random, item: FieldKind) -> str:
    return f"#{item.id}" if choices.random() < 0.2 else item.name


def trimmed(kind: Kind, payload: Any, chosen: Optional[Chosen], unknown: str, defaults: str) -> Any:
    """The selected part of a payload; None selects everything."""
    if chosen is None:
        return payload
    if kind.kind in ("list", "set"):
        items = [trimmed(kind.inner, item, chosen, unknown, defaults) for item in payload.items]
        return wire.Sequence(payload.wire, items)
    if kind.kind == "map":
        entries = [
            [key, trimmed(kind.inner, item, chosen, unknown, defaults)]
            for key, item in payload.entries
        ]
        return wire.Mapping(payload.key_wire, payload.value_wire, entries)
    out = wire.Struct()
    for number, name, item in payload.fields:
        known = kind.by_id(number)
        if known is None:
            if unknown == "keep" or (unknown == "selected" and chosen.star):
                out.fields.append([number, name, item])
        elif is_selected(chosen, number):
            part = chosen.parts.get(number)
            out.fields.append([number, name, trimmed(known.type, item, part, unknown, defaults)])
    if defaults == "write" and kind.kind != "union":
        present = {number for number, _, _ in payload.fields}
        for item in kind.fields:
            if item.default is not None and item.id not in present and is_selected(chosen, item.id):
                out.fields.append([item.id, item.type.wire, item.default])
    return out


def is_selected(chosen: Chosen, number: int) -> bool:
    return number in chosen.parts or (chosen.star and number not in chosen.excluded)


@target("Type.trim", "Rewrite.trim", "Type.rewrite", "Rewrite.apply", "Type.to_json")
def trim(seed: int) -> None:
    case = Case(seed, unknown_rate=0.3)
    chosen, text = draw_selection(case.choices, case.root)
    unknown = case.choices.choice(("selected", "selected", "keep", "drop"))
    defaults = case.choices.choice(("omit", "omit", "write"))
    expected = trimmed(case.root, case.payload, chosen, unknown, defaults)
    out = case.type.trim(
        case.data, text, protocol=case.protocol, unknown=unknown, defaults=defaults
    )
    expect_payload(case.root, out, expected, case.protocol, text)
    if defaults == "omit" and case.is_canonical:
        expect(out, case.canonical(expected), text)
    if (unknown, defaults) == ("selected", "omit"):
        rewritten = case.type.rewrite(case.data, protocol=case.protocol).trim(text).apply()
        expect(rewritten, out, text)
        if has_equal_elements(case.root, expected):
            options: Any = {"protocol": case.protocol, "missing_required": "omit"}
            expect(error_of(lambda: case.type.decode(out, **options)), "duplicate_key", text)
            case.type.decode(out, duplicates="last", **options)
            return
        expect(
            case.type.to_json(
                case.data, protocol=case.protocol, select=text, missing_required="omit"
            ),
            case.type.to_json(out, protocol=case.protocol, missing_required="omit"),
            text,
        )
        value = case.type.decode(out, protocol=case.protocol, missing_required="omit")
        expect(value, decoded(case.root, expected), text)
    everything = case.type.trim(case.data, case.type, protocol=case.protocol)
    expect_payload(case.root, everything, case.payload, case.protocol)


@target("Type.trim", "UnknownNameError")
def wrong_selection(seed: int) -> None:
    """A selection with wrong characters is a tl.Error or another selection."""
    case = Case(seed)
    _, text = draw_selection(case.choices, case.root)
    at = case.choices.randrange(len(text))
    wrong = (
        text[:at] + case.choices.choice("{}*-#, x0é\0") + text[at + case.choices.randint(0, 1) :]
    )
    try:
        out = case.type.trim(case.data, wrong, protocol=case.protocol)
    except tl.Error:
        return
    expect_true(wire.read(case.protocol, out) is not None)
    case.type.validate(out, protocol=case.protocol, missing_required="omit", enum_numbers="any")
