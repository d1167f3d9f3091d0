"""Options of tl.http.plan by the names of dynamicgo's."""

from __future__ import annotations

from typing import Mapping

from .._text import did_you_mean, not_one_of, shown

# Behaviour of dynamicgo without options, except for its bugs.
_DYNAMICGO = {
    "agw": "off", "js_conv": "off", "defaults": "off", "base": "off", "unknown": "drop",
    "enums": "number", "invalid_utf8": "keep", "body": "stated", "url_syntax": "go",
    "unplaced": "error",
}  # fmt: skip
# Our equivalents of its options, if True.
_SWITCHES: dict[str, dict[str, str]] = {
    "EnableValueMapping": {"js_conv": "on"},
    "EnableHttpMapping": {},  # see _mapped
    "NoHttpMapping": {"mapping": "off"},
    "EnableThriftBase": {"base": "context"},
    "String2Int64": {"quoted_numbers": "accept"},
    "Int642String": {"int64": "string"},
    "NoBase64Binary": {"binary": "raw"},
    "ByteAsUint8": {"unsigned_bytes": "on"},
    "WriteOptionalField": {"absent_optional": "write"},
    "WriteDefaultField": {"absent_default": "write"},
    "WriteRequireField": {"absent_required": "write"},
    "DisallowUnknownField": {"unknown": "error", "unknown_fields": "error"},
    "ReadHttpValueFallback": {"fallback": "on"},
    "WriteHttpValueFallback": {},
    "TracebackRequredOrRootFields": {"traceback": "on"},
    "OmitHttpMappingErrors": {"unplaced": "body", "unfit": "drop"},
    "UseKitexHttpEncoding": {"text": "kitex"},
    "EncodeNullJSONForInfOrNan": {"null_nonfinite": "on"},
    "UseDefaultValue": {"defaults": "on"},
    "SetOptionalBitmap": {"plain_optional": "on"},
    "ApiBodyFastPath": {"body_as_alias": "on"},
    "InitAGWAnnos": {"agw": "on"},
    # Internals of dynamicgo, without effect here.
    "NoCopyString": {},
    "UseNativeSkip": {},
    "ConvertException": {},
    "PutNameSpaceToAnnotation": {},
    "PutThriftFilenameToAnnotation": {},
    "ForceHashMapAsFieldNameMap": {},
}
_CHOICES: dict[str, dict[object, dict[str, str]]] = {
    "MapFieldWay": {
        "alias": {},
        "name": {"names": "field"},
        "both": {"names": "both"},
        0: {},
        1: {"names": "field"},
        2: {"names": "both"},
    },
    "MergeBaseFunc": {None: {}, "kitex": {"base": "merge"}},
    "CtxConvOptions": {None: {}, "value": {}, "pointer": {}},
    "ParseServiceMode": {0: {}, 1: {}, 2: {}},
    "ParseFunctionMode": {0: {}, 1: {}, 2: {}},
}


def from_dynamicgo(options: Mapping[str, object]) -> dict[str, str]:
    """The options of plan() for dynamicgo's options. Raises ValueError, TypeError."""
    mapped = dict(_DYNAMICGO)
    for name, value in options.items():
        mapped.update(_mapped(name, value))
    if options.get("WriteHttpValueFallback") and options.get("OmitHttpMappingErrors"):
        mapped["unfit"] = "body"
    if not options.get("EnableThriftBase") and mapped["base"] == "merge":
        mapped["base"] = "off"
    elif options.get("EnableThriftBase") and options.get("MergeBaseFunc"):
        mapped["base"] = "merge"
    return mapped


def _choice(name: str, value: object) -> dict[str, str]:
    choices = _CHOICES[name]
    if value not in choices:
        raise ValueError(f"{name} {not_one_of(value, choices)}")
    return choices[value]


def _mapped(name: str, value: object) -> dict[str, str]:
    """The options of plan() for one option."""
    if name in _CHOICES:
        return _choice(name, value)
    if name == "ParseEnumAsInt64":
        if value:
            raise ValueError(
                "unsupported option ParseEnumAsInt64: it writes i64 for an enum, which other "
                "readers reject"
            )
        return {}
    if name not in _SWITCHES:
        known = [*_SWITCHES, *_CHOICES, "ParseEnumAsInt64"]
        raise ValueError(f"unknown option {name!r}{did_you_mean(name, known)}")
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {shown(value)}")
    if name == "EnableHttpMapping":
        return {"mapping": "on" if value else "off"}
    return _SWITCHES[name] if value else {}
