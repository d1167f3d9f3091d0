"""JSON Schemas of IDL types, for the JSON that HTTP plans read and write."""

from __future__ import annotations

import base64
import re
from typing import Mapping, Optional

from .._schema.types import Field, Type
from .._typing import JsonObject, JsonValue, Value

_RANGES = {"i8": (-(1 << 7), (1 << 7) - 1), "i16": (-(1 << 15), (1 << 15) - 1)}
_SIMPLE: dict[str, JsonObject] = {
    "bool": {"type": "boolean"},
    "i8": {"type": "integer", "minimum": _RANGES["i8"][0], "maximum": _RANGES["i8"][1]},
    "i16": {"type": "integer", "minimum": _RANGES["i16"][0], "maximum": _RANGES["i16"][1]},
    "i32": {"type": "integer", "format": "int32"},
    "i64": {"type": "integer", "format": "int64"},
    "double": {"type": "number", "format": "double"},
    "string": {"type": "string"},
    "uuid": {"type": "string", "format": "uuid"},
}
_KEYS = {
    "bool": "^(true|false)$",
    "i8": "^-?[0-9]+$",
    "i16": "^-?[0-9]+$",
    "i32": "^-?[0-9]+$",
    "i64": "^-?[0-9]+$",
    "enum": "^-?[0-9]+$",
}
_NUMBERS = ("i8", "i16", "i32", "i64", "double", "enum")
_EXAMPLES: JsonObject = {
    "bool": True, "i8": 1, "i16": 1, "i32": 1, "i64": 1, "double": 1.5, "string": "text",
}  # fmt: skip
STRUCTS = ("struct", "exception")
_COMPOSITE_KEYS = ("struct", "union", "exception", "list", "set", "map")


class Components:
    """Builds schemas; enums, structs, unions and exceptions become components named as in the
    IDL."""

    def __init__(self, options: Mapping[str, object]):
        self.schemas: JsonObject = {}
        self._options = options

    def schema_of(self, type: Type) -> JsonObject:
        """A schema, or a reference to one."""
        if type.kind in _SIMPLE:
            is_text = type.kind == "i64" and self._options.get("int64") == "string"
            return _number_text() if is_text else dict(_SIMPLE[type.kind])
        if type.kind == "binary":
            is_raw = self._options.get("binary") == "raw"
            return {"type": "string", **({} if is_raw else {"contentEncoding": "base64"})}
        if type.kind in ("list", "set"):
            unique: JsonObject = {"uniqueItems": True} if type.kind == "set" else {}
            return {"type": "array", "items": self.schema_of(type.parameters[0]), **unique}
        if type.kind == "map":
            return self._map(*type.parameters)
        return self._named(type)

    def field(self, field: Field) -> JsonObject:
        """Schema of a field, with its doc comment, default and deprecation."""
        if "api.js_conv" in field.annotations and self._options.get("js_conv", "on") == "on":
            schema = self._quoted(field)
        else:
            schema = self.schema_of(field.type)
        notes: JsonObject = {}
        if field.doc:
            notes["description"] = field.doc
        if field.has_default:
            notes["default"] = value_of(field.default, field.type)
        if "deprecated" in field.annotations:
            notes["deprecated"] = True
        return {**schema, **notes}

    def object(self, rows: list[tuple[str, Field]], doc: str = "") -> JsonObject:
        """An object with these properties."""
        properties: JsonObject = {key: self.field(field) for key, field in rows}
        schema: JsonObject = {"type": "object", "properties": properties}
        required: JsonValue = [key for key, field in rows if field.requiredness == "required"]
        if required:
            schema["required"] = required
        return {**schema, "description": doc} if doc else schema

    def add(self, name: str, schema: JsonObject) -> JsonObject:
        """Adds a component; a number is appended to its name if another schema has that name."""
        candidate, number = name, 2
        while self.schemas.get(candidate, schema) != schema:
            candidate, number = f"{name}{number}", number + 1
        self.schemas[candidate] = schema
        return reference(candidate)

    def _map(self, key: Type, value: Type) -> JsonObject:
        if key.kind in _COMPOSITE_KEYS:
            return self._pairs(key, value)
        schema: JsonObject = {"type": "object", "additionalProperties": self.schema_of(value)}
        if key.kind in _KEYS:
            schema["propertyNames"] = {"pattern": _KEYS[key.kind]}
            schema["examples"] = [self._example(key, value)]
        if key.kind == "enum":
            schema["description"] = f"Keys are numbers of {key.name}."
            self._named(key)
        return schema

    def _pairs(self, key: Type, value: Type) -> JsonObject:
        pair: JsonObject = {
            "type": "array",
            "prefixItems": [self.schema_of(key), self.schema_of(value)],
            "minItems": 2,
            "maxItems": 2,
        }
        return {"type": "array", "items": pair, "description": "Pairs of key and value."}

    def _example(self, key: Type, value: Type) -> JsonObject:
        """A valid map: documentation pages would generate text keys."""
        text = (
            "true"
            if key.kind == "bool"
            else str(next(iter(key.members.values()), 1))
            if key.kind == "enum"
            else "1"
        )
        if value.kind == "i64" and self._options.get("int64") == "string":
            return {text: "1"}
        return {text: _EXAMPLES[value.kind]} if value.kind in _EXAMPLES else {}

    def _named(self, type: Type) -> JsonObject:
        name = re.sub(r"[^A-Za-z0-9._-]", "_", type.name)
        if name not in self.schemas:
            self.schemas[name] = {}  # a type may contain itself
            self.schemas[name] = (
                self._enum(type)
                if type.kind == "enum"
                else self._union(type)
                if type.kind == "union"
                else self._struct(type)
            )
        return reference(name)

    def _enum(self, type: Type) -> JsonObject:
        numbers: JsonValue = list(type.members.values())
        names: JsonValue = list(type.members)
        lines = [
            *([type.doc, ""] if type.doc else []),
            *(f"{number}: {name}" for name, number in type.members.items()),
        ]
        return {
            "type": "integer",
            "format": "int32",
            "enum": numbers,
            "x-enum-varnames": names,
            "description": "\n".join(lines),
        }

    def _struct(self, type: Type) -> JsonObject:
        return self.object(
            [(key_of(field), field) for field in type.fields.values() if not is_hidden(field)],
            type.doc,
        )

    def _union(self, type: Type) -> JsonObject:
        members: JsonValue = [
            {
                "title": f"{type.name}_{field.name}",
                "type": "object",
                "properties": {key_of(field): self.field(field)},
                "required": [key_of(field)],
                "additionalProperties": False,
            }
            for field in type.fields.values()
        ]
        schema: JsonObject = (
            {"oneOf": members} if members else {"type": "object", "maxProperties": 0}
        )
        return {**schema, "description": type.doc} if type.doc else schema

    def _quoted(self, field: Field) -> JsonObject:
        if field.type.kind in _NUMBERS:
            return _number_text()
        if field.type.kind in ("list", "set") and field.type.parameters[0].kind in _NUMBERS:
            return {"type": "array", "items": _number_text()}
        return self.schema_of(field.type)


def _number_text() -> JsonObject:
    return {"type": "string", "pattern": r"^-?[0-9.eE+-]+$"}


def reference(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def is_hidden(field: Field) -> bool:
    return "api.none" in field.annotations or "dynamicgo.deprecated" in field.annotations


def has_raw_body(type: Type) -> bool:
    """Whether the response body is the bytes of a field (api.raw_body), not JSON."""
    return type.kind in STRUCTS and any(
        "api.raw_body" in field.annotations for field in type.fields.values()
    )


def key_of(field: Field) -> str:
    """Key of the field in JSON."""
    return field.annotations.get("api.body") or field.alias


def value_of(value: Value, type: Type) -> JsonValue:
    """A decoded value as a JSON value."""
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if type.kind in ("list", "set"):
        return [value_of(item, type.parameters[0]) for item in value]
    if type.kind == "map":
        return _map_value(value, *type.parameters)
    if type.kind in ("struct", "union", "exception"):
        pairs = [(type.fields[name], item) for name, item in value.items()]
        return {key_of(field): value_of(item, field.type) for field, item in pairs}
    return str(value) if type.kind == "uuid" else value


def _map_value(value: Value, key_type: Type, value_type: Type) -> JsonValue:
    pairs = value.items() if isinstance(value, Mapping) else value
    if key_type.kind in _COMPOSITE_KEYS:
        return [[value_of(key, key_type), value_of(item, value_type)] for key, item in pairs]
    return {_key_text(key): value_of(item, value_type) for key, item in pairs}


def _key_text(key: Value) -> str:
    if isinstance(key, bool):
        return "true" if key else "false"
    return base64.b64encode(key).decode() if isinstance(key, bytes) else str(key)


def struct_of(arguments: Type) -> Optional[Type]:
    """The struct with a request's annotations: the only argument, if it is a struct; None: the
    arguments themselves."""
    fields = list(arguments.fields.values())
    return fields[0].type if len(fields) == 1 and fields[0].type.kind == "struct" else None
