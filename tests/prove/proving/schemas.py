"""Random IDL together with descriptions of its types, which owe nothing to a parser."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Iterator, Optional

from .wire import Mapping, Sequence

SCALARS = ("bool", "i8", "i16", "i32", "i64", "double", "string", "binary", "uuid", "enum")
RECORDS = ("struct", "union", "exception")
# Names of methods of views, of keywords of other languages, of long and of short keys.
FIELD_NAMES = (
    "id", "name", "items", "keys", "values", "get", "class", "def", "x", "user_id", "createdAt",
    "a_field_with_a_name_longer_than_thirty_two_bytes", "_", "T", "to_dict", "index", "count",
)  # fmt: skip


@dataclass(eq=False)
class Kind:
    """A type of the IDL. `text` is form the IDL refers to it, maybe by a typedef."""

    kind: str
    text: str = ""
    key: Optional[Kind] = None
    element: Optional[Kind] = None  # of a map its value type
    members: dict[str, int] = field(default_factory=dict)
    fields: list[FieldKind] = field(default_factory=list)

    @property
    def wire(self) -> str:
        names = {"enum": "i32", "binary": "string", "union": "struct", "exception": "struct"}
        return names.get(self.kind, self.kind)

    @property
    def is_record(self) -> bool:
        return self.kind in RECORDS

    @property
    def inner(self) -> Kind:
        assert self.element is not None
        return self.element

    @property
    def keys(self) -> Kind:
        assert self.key is not None
        return self.key

    def by_id(self, number: int) -> Optional[FieldKind]:
        return next((field for field in self.fields if field.id == number), None)

    def by_name(self, name: str) -> FieldKind:
        return next(field for field in self.fields if field.name == name)


@dataclass(eq=False)
class FieldKind:
    id: int
    name: str
    type: Kind
    requiredness: str = ""
    default: Any = None  # a payload
    annotations: dict[str, str] = field(default_factory=dict)

    @property
    def alias(self) -> str:
        return self.annotations.get("api.key", self.name)


@dataclass(eq=False)
class FunctionKind:
    name: str
    arguments: Kind
    result: Kind
    returns: Optional[Kind]
    oneway: bool


@dataclass(eq=False)
class ServiceKind:
    name: str
    base: Optional[ServiceKind]
    functions: list[FunctionKind]

    def all_functions(self) -> Iterator[FunctionKind]:
        names = set()
        service: Optional[ServiceKind] = self
        while service is not None:
            for function in service.functions:
                if function.name not in names:
                    names.add(function.name)
                    yield function
            service = service.base


@dataclass
class SchemaKind:
    text: str
    root: Kind
    records: list[Kind]
    enums: list[Kind]
    services: list[ServiceKind]
    maker: SchemaMaker

    def without(self, removed: frozenset[int]) -> int:
        """Removes fields, numbered in the order of the text, and the services, which have the last
        number; returns the number of parts."""
        number = 0
        for record in self.records:
            numbered = list(enumerate(record.fields, number))
            number += len(numbered)
            record.fields[:] = [field for at, field in numbered if at not in removed]
        if number in removed:
            self.services.clear()
        if removed:
            self.text = self.maker.text(self.services)
        return number + 1


def has_record_key(kind: Kind) -> bool:
    return kind.kind not in SCALARS


class SchemaMaker:
    """Draws a schema."""

    def __init__(self, choices: random.Random):
        self.choices = choices
        self.enums: list[Kind] = []
        self.records: list[Kind] = []
        self.typedefs: list[str] = []
        self.aliases: list[tuple[str, Kind]] = []

    def make(self) -> SchemaKind:
        choices = self.choices
        for number in range(choices.randint(1, 2)):
            self.enums.append(self.enum(f"E{number}"))
        kinds = ["struct", *choices.choices(RECORDS, (5, 2, 1), k=choices.randint(1, 4))]
        self.records = [Kind(kind, f"S{number}") for number, kind in enumerate(kinds)]
        for number in range(choices.randint(0, 3)):
            kind = self.type(2)
            self.aliases.append((f"A{number}", kind))
            self.typedefs.append(f"typedef {kind.text} A{number}")
        for number, record in enumerate(self.records):
            self.fill(record, number)
        services = self.services()
        text = self.text(services)
        return SchemaKind(text, self.records[0], self.records, self.enums, services, self)

    def text(self, services: list[ServiceKind]) -> str:
        lines = [
            *(self.enum_text(enum) for enum in self.enums),
            *self.typedefs,
            *(self.record_text(record) for record in self.records),
            *(self.service_text(service) for service in services),
        ]
        return "\n".join(lines) + "\n"

    def enum(self, name: str) -> Kind:
        numbers = self.choices.sample([0, 1, 2, 5, -1, 127, 300000, 2**31 - 1], k=3)
        return Kind("enum", name, members=dict(zip(("RED", "BLUE", "GREEN"), numbers)))

    def type(self, depth: int, scalar: bool = False) -> Kind:
        choices = self.choices
        if self.aliases and not scalar and choices.random() < 0.1:
            name, kind = choices.choice(self.aliases)
            return Kind(kind.kind, name, kind.key, kind.element, kind.members, kind.fields)
        if scalar or depth == 0 or choices.random() < 0.45:
            kind = choices.choice(SCALARS)
            return choices.choice(self.enums) if kind == "enum" else Kind(kind, kind)
        if choices.random() < 0.3:
            return choices.choice(self.records)
        kind = choices.choice(("list", "list", "set", "map"))
        if kind == "map":
            key = self.type(depth - 1, scalar=choices.random() < 0.8)
            inner = self.type(depth - 1)
            return Kind(kind, f"map<{key.text}, {inner.text}>", key, inner)
        inner = self.type(depth - 1, scalar=kind == "set" and choices.random() < 0.6)
        return Kind(kind, f"{kind}<{inner.text}>", element=inner)

    def ids(self, count: int) -> list[int]:
        choices = self.choices
        numbers = []
        last = 0
        for _ in range(count):
            last += choices.choice((1, 1, 1, 1, 2, 15, 16, 40))
            numbers.append(last)
        if choices.random() < 0.15:
            numbers[choices.randrange(count)] = choices.choice((32767, -1, -300, 0, 5000))
        if choices.random() < 0.2:
            choices.shuffle(numbers)
        return numbers

    def fill(self, record: Kind, number: int) -> None:
        choices = self.choices
        count = choices.randint(1, 8)
        names = choices.sample(FIELD_NAMES, k=count)
        for number_of_field, name in zip(self.ids(count), names):
            kind = self.type(3)
            field_kind = FieldKind(number_of_field, name, kind)
            if record.kind != "union":
                field_kind.requiredness = choices.choice(("", "", "optional", "optional"))
                if choices.random() < 0.1 and not self.leads_to_record(kind):
                    field_kind.requiredness = "required"
                elif choices.random() < 0.25:
                    field_kind.default = self.default(kind)
            if choices.random() < 0.2:
                field_kind.annotations["pii"] = choices.choice(("name", "mail", "card"))
            if choices.random() < 0.1:
                field_kind.annotations["api.key"] = f"alias{number_of_field & 0xFFFF}"
            record.fields.append(field_kind)

    @staticmethod
    def leads_to_record(kind: Kind) -> bool:
        return kind.is_record

    def default(self, kind: Kind) -> Any:
        """A payload that has a constant; None for other types."""
        choices = self.choices
        if kind.kind == "bool":
            return choices.random() < 0.5
        if kind.kind in ("i8", "i16", "i32", "i64"):
            return choices.choice((0, 1, -1, 100, 5))
        if kind.kind == "double":
            return choices.choice((0.5, -2.25, 1e100))
        if kind.kind in ("string", "binary"):
            return choices.choice((b"", b"default", b"x y"))
        if kind.kind == "enum":
            return choices.choice(list(kind.members.values()))
        if kind.kind == "list" and kind.inner.kind in ("i32", "string", "bool"):
            return Sequence(
                kind.inner.wire, [self.default(kind.inner) for _ in range(choices.randint(0, 2))]
            )
        if kind.kind == "map" and (kind.keys.kind, kind.inner.kind) == ("string", "i32"):
            return Mapping("string", "i32", [[b"k", 7]] if choices.random() < 0.5 else [])
        return None

    def services(self) -> list[ServiceKind]:
        choices = self.choices
        services: list[ServiceKind] = []
        exceptions = [record for record in self.records if record.kind == "exception"]
        for number in range(choices.randint(0, 2)):
            base = services[-1] if services and choices.random() < 0.7 else None
            functions = []
            for at in range(choices.randint(1, 3)):
                arguments = Kind("struct")
                for position in range(choices.randint(0, 3)):
                    arguments.fields.append(FieldKind(position + 1, f"a{position}", self.type(2)))
                oneway = choices.random() < 0.15
                returns = None if oneway or choices.random() < 0.2 else self.type(2)
                result = Kind("struct")
                if returns is not None:
                    result.fields.append(FieldKind(0, "success", returns))
                if exceptions and not oneway and choices.random() < 0.5:
                    result.fields.append(FieldKind(1, "failure", exceptions[0]))
                functions.append(FunctionKind(f"f{number}{at}", arguments, result, returns, oneway))
            services.append(ServiceKind(f"V{number}", base, functions))
        return services

    @staticmethod
    def enum_text(enum: Kind) -> str:
        members = ", ".join(f"{name} = {number}" for name, number in enum.members.items())
        return f"enum {enum.text} {{ {members} }}"

    def record_text(self, record: Kind) -> str:
        lines = [self.field_text(field_kind) for field_kind in record.fields]
        return "\n".join([f"{record.kind} {record.text} {{", *lines, "}"])

    def field_text(self, field_kind: FieldKind) -> str:
        text = (
            f"  {field_kind.id}: {field_kind.requiredness} {field_kind.type.text} {field_kind.name}"
        )
        if field_kind.default is not None:
            text += f" = {self.constant_text(field_kind.type, field_kind.default)}"
        if field_kind.annotations:
            pairs = ", ".join(
                f'{name} = "{value}"' for name, value in field_kind.annotations.items()
            )
            text += f" ({pairs})"
        return text

    def constant_text(self, kind: Kind, payload: Any) -> str:
        if kind.kind == "bool":
            return "true" if payload else "false"
        if kind.kind in ("string", "binary"):
            return f'"{payload.decode()}"'
        if kind.kind == "enum":
            return next(
                f"{kind.text}.{name}" for name, number in kind.members.items() if number == payload
            )
        if kind.kind == "list":
            return f"[{', '.join(self.constant_text(kind.inner, item) for item in payload.items)}]"
        if kind.kind == "map":
            return (
                "{" + ", ".join(f'"{key.decode()}": {item}' for key, item in payload.entries) + "}"
            )
        return repr(payload)

    def service_text(self, service: ServiceKind) -> str:
        lines = []
        for function in service.functions:
            arguments = ", ".join(
                f"{field_kind.id}: {field_kind.type.text} {field_kind.name}"
                for field_kind in function.arguments.fields
            )
            returns = "void" if function.returns is None else function.returns.text
            throws = "".join(
                f" throws (1: {field_kind.type.text} failure)"
                for field_kind in function.result.fields
                if field_kind.name == "failure"
            )
            oneway = "oneway " if function.oneway else ""
            lines.append(f"  {oneway}{returns} {function.name}({arguments}){throws}")
        extends = f" extends {service.base.name}" if service.base else ""
        return "\n".join([f"service {service.name}{extends} {{", *lines, "}"])


def make_schema(choices: random.Random) -> SchemaKind:
    return SchemaMaker(choices).make()
