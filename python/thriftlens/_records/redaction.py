"""Redaction of RPC messages, in recordings and in files of messages."""

from __future__ import annotations

import collections
import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Callable, Literal, NamedTuple, Optional, Union

from .._errors import Error, UnknownNameError
from .._rpc.message import Message, application_exception
from .._schema.results import RedactReport
from .._schema.services import Function, Service
from .._schema.types import Type
from .._text import did_you_mean, quoted_name

Rules = Mapping[str, Any]
"""Options of Type.redact."""
Part = Literal["arguments", "result"]
_PARTS: tuple[Part, Part] = ("arguments", "result")


class PathRule(NamedTuple):
    """An action on a path in the arguments or result of functions. part: None for both. function:
    `get`, `Shop.get` or `*`."""

    function: str
    path: str
    action: str
    part: Optional[Part] = None

    @classmethod
    def parse(cls, text: str, action: str) -> PathRule:
        """Parses `get.result.success.mail`, `Shop.get.arguments.id` or `*.arguments.token`. Error
        for anything else."""
        match = re.fullmatch(r"(\*|[\w.]+?)\.(arguments|result)(|[.\[{].*)", text, re.DOTALL)
        if match is None:
            raise Error(
                f"invalid path {text!r}; expected FUNCTION.arguments.FIELD or "
                "FUNCTION.result.FIELD",
                code="path_syntax",
            )
        return cls(match[1], "$" + match[3], action, match[2])  # type: ignore[arg-type]


class Candidate(NamedTuple):
    """A function that a message may belong to."""

    service: Service
    function: Function

    def type(self, part: Part) -> Type:
        return self.function.result if part == "result" else self.function.arguments

    def matches(self, name: str) -> bool:
        """Whether `get`, `Shop.get` or `*` names the function."""
        service, _, function = name.rpartition(".")
        return name == "*" or (
            function == self.function.name and (not service or is_named(self.service, service))
        )


def is_named(service: Service, name: str) -> bool:
    """Whether a multiplexed prefix or the service name in a header names the service."""
    return name in (service.name, service.name.rpartition(".")[2])


def functions_of(services: Iterable[Service]) -> Iterator[Candidate]:
    """All functions, including inherited ones."""
    for service in services:
        for function in {**service.inherited, **service.functions}.values():
            yield Candidate(service, function)


def candidates(
    functions: Iterable[Candidate], name: str, service_name: Optional[str] = None
) -> list[Candidate]:
    """The functions that a message of that name may belong to, in the services that its multiplexed
    prefix and `service_name` allow. Functions with the same types count once."""
    prefix, _, short = name.rpartition(":")
    matches: dict[int, Candidate] = {}
    for candidate in functions:
        named = all(is_named(candidate.service, text) for text in (prefix, service_name) if text)
        if named and candidate.function.name == short:
            matches.setdefault(id(candidate.function.arguments), candidate)
    return list(matches.values())


def reaches(type_: Type, **rules: Any) -> bool:
    """Whether a rule applies to any part of a value of the type. Error for invalid rules."""
    return any(row.path != "#*" for row in type_.redactions(**{**rules, "unmatched": "ignore"}))


def check_annotation(types: Sequence[Type], annotation: str, values: Iterable[str]) -> None:
    """Raises an Error if no type contains the annotation, or one of its values."""
    if not any([reaches(type_, annotation=annotation) for type_ in types]):
        keys = sorted({key for own in _annotations_in(types) for key in own})
        raise _unmatched(f"no field has the annotation {annotation!r}", annotation, keys)
    for value in values:
        if not any(_has_value(type_, annotation, value) for type_ in types):
            known = {own[annotation] for own in _annotations_in(types) if annotation in own}
            text = f"no annotation {annotation!r} has the value {value!r}"
            raise _unmatched(text, value, sorted(known))


def _unmatched(text: str, name: str, known: list[str]) -> Error:
    return Error(f"{text}{did_you_mean(name, known)}", code="bad_rule")


def _has_value(type_: Type, annotation: str, value: str) -> bool:
    """Whether the type contains the annotation with this value."""
    try:
        type_.redactions(
            annotation=annotation,
            values={value: "keep"},
            default_action="keep",
            unmatched="error",
            missing_required="omit",
        )
    except Error:
        return False
    return True


def _annotations_in(types: Sequence[Type]) -> Iterator[Mapping[str, str]]:
    """The annotations of the types and of their parts."""
    pending, seen = list(types), set(types)
    while pending:
        type_ = pending.pop()
        yield from _annotations_of(type_)
        parts = {*type_.parameters, *(field.type for field in type_.fields.values())} - seen
        pending += parts
        seen |= parts


def _annotations_of(type_: Type) -> Iterator[Mapping[str, str]]:
    """The annotations of a type, its fields and their types as written."""
    yield type_.annotations
    for field in type_.fields.values():
        yield field.annotations
        yield field.type_annotations


class Redactor:
    """Redacts messages of some services. A message that may belong to several functions is redacted
    by the rules of all of them.

    rules: options of Type.redact, except paths. exempt: functions that need no rule. With paths
        only, other functions without a path are an error."""

    def __init__(
        self,
        services: Sequence[Service],
        rules: Rules,
        paths: Sequence[Union[PathRule, tuple[str, str, str]]],
        unmatched: str = "error",
        exempt: Sequence[str] = (),
    ):
        self._services = services
        self._rules = {**rules, "unmatched": "ignore"}
        self._paths: dict[tuple[int, Part], dict[str, str]] = {}
        self._has_rules = bool(rules["annotation"] or rules.get("types"))
        if not self._has_rules and not paths:
            raise Error("no redaction rule; add an annotation, paths or types", code="bad_rule")
        functions = list(functions_of(services))
        self._by_name: dict[str, list[Candidate]] = collections.defaultdict(list)
        for candidate in functions:
            self._by_name[candidate.function.name].append(candidate)
        for rule in paths:
            self._add(functions, PathRule(*rule))
        actions = self._actions(functions)  # raises for invalid rules
        self._check_functions(functions, exempt)
        self._redacted = {key for key, names in actions.items() if names - {"keep"}}
        if unmatched == "error":
            self._check_rules(functions, set().union(*actions.values()))

    @staticmethod
    def _key(candidate: Candidate, part: Part) -> tuple[int, Part]:
        return id(candidate.function.arguments), part

    def _actions(self, functions: Iterable[Candidate]) -> dict[tuple[int, Part], set[str]]:
        """The actions on the arguments and results of the functions."""
        return {
            self._key(candidate, part): {
                row.action
                for row in candidate.type(part).redactions(**self.options(candidate, part))
                if row.path != "#*"
            }
            for candidate, part in itertools.product(functions, _PARTS)
        }

    def _check_rules(self, functions: Iterable[Candidate], actions: set[str]) -> None:
        """Raises an Error for rules without effect. actions: those of all rules."""
        types = [candidate.type(part) for candidate, part in itertools.product(functions, _PARTS)]
        if annotation := self._rules["annotation"]:
            check_annotation(types, annotation, self._rules.get("values") or {})
        self._check_types(types)
        if not actions - {"keep"}:
            raise Error("nothing to redact: every rule has the action keep", code="bad_rule")
        if self._rules.get("key") and "hash" not in actions:
            raise Error("key has no effect: no rule has the action hash", code="bad_rule")

    def _check_functions(self, functions: Sequence[Candidate], exempt: Sequence[str]) -> None:
        """Rules by annotation or type apply to all functions, paths to the functions that they
        name."""
        for name in exempt:
            self._named(functions, name)
        uncovered = [
            f"{candidate.service.name}.{candidate.function.name}"
            for candidate in functions
            if not self._is_covered(candidate, exempt)
        ]
        if uncovered and not self._has_rules:
            raise Error(
                f"no rule for {', '.join(uncovered)}; add rules, or exempt the functions",
                code="bad_rule",
            )

    def _is_covered(self, candidate: Candidate, exempt: Sequence[str]) -> bool:
        """Whether a path names a function, or it needs none."""
        return (
            any(self._key(candidate, part) in self._paths for part in _PARTS)
            or not any(candidate.type(part).fields for part in _PARTS)
            or any(candidate.matches(name) for name in exempt)
        )

    def _check_types(self, types: Sequence[Type]) -> None:
        for name, action in (self._rules.get("types") or {}).items():
            rules = {
                **self._rules,
                "annotation": "",
                "values": None,
                "default_action": "blank",
                "types": {name: action},
            }
            if not any([reaches(type_, **rules) for type_ in types]):
                raise Error(f"no function has a value of {name}", code="bad_rule")

    def _add(self, functions: Sequence[Candidate], rule: PathRule) -> None:
        fault: Optional[Error] = None
        applied = False
        for candidate in self._named(functions, rule.function):
            for part in _PARTS if rule.part is None else (rule.part,):
                type_ = candidate.type(part)
                try:
                    type_.redactions(paths={rule.path: rule.action}, key=self._rules["key"])
                except Error as error:
                    fault = fault or error
                    continue
                self._paths.setdefault(self._key(candidate, part), {})[rule.path] = rule.action
                applied = True
        if not applied:
            raise Error(f"{rule.function}: {rule.path}: {fault}", code="bad_rule")

    def _named(self, functions: Sequence[Candidate], name: str) -> list[Candidate]:
        matches = [candidate for candidate in functions if candidate.matches(name)]
        if not matches:
            for service in self._services:
                service.function(name.rpartition(".")[2])  # suggests names
            raise UnknownNameError(f"no function {name!r}")
        return matches

    def options(self, candidate: Candidate, part: Part) -> Rules:
        """The options of Type.redact for the arguments or the result of a function."""
        paths = self._paths.get(self._key(candidate, part)) or (
            {} if self._has_rules else {"$": "keep"}
        )
        return {**self._rules, "paths": paths}

    def listing(self) -> Iterator[tuple[str, str, str]]:
        """What is redacted: path, action and reason."""
        for candidate, part in itertools.product(functions_of(self._services), _PARTS):
            name = f"{candidate.service.name}.{candidate.function.name}.{part}"
            rows = candidate.type(part).redactions(**self.options(candidate, part))
            for path, action, reason in rows:
                yield f"{name} {path}", action, reason

    def _candidates(self, message: Message, service_name: Optional[str]) -> list[Candidate]:
        return candidates(
            self._by_name.get(message.name.rpartition(":")[2], ()), message.name, service_name
        )

    def has_rule(self, message: Message, service_name: Optional[str] = None) -> bool:
        """Whether a rule redacts messages of that function and kind."""
        return message.kind == "exception" or any(
            self._key(candidate, _part_of(message)) in self._redacted
            for candidate in self._candidates(message, service_name)
        )

    def __call__(
        self,
        message: Message,
        service_name: Optional[str] = None,
        report: Optional[Callable[[RedactReport], object]] = None,
    ) -> Message:
        """The redacted message; `report` is called as by Type.redact. UnknownNameError if no
        function matches, other Errors if the message cannot be read."""
        protocol = message.protocol
        if protocol == "tjson":
            raise Error("messages of Apache's JSON protocol cannot be redacted", code="unsupported")
        matches = self._candidates(message, service_name)
        if not matches:
            raise UnknownNameError(f"no function {quoted_name(message.name)} in the IDL")
        data = message.data
        if message.kind == "exception":
            data = application_exception().redact(data, protocol=protocol, **_EXCEPTION_RULES)
        else:
            part = _part_of(message)
            for candidate in matches:
                data = candidate.type(part).redact(
                    data, **self.options(candidate, part), protocol=protocol, report=report
                )
        return message._replace(data=data, header=b"")


_EXCEPTION_RULES: Rules = {
    "paths": {"$.message": "constant(redacted)"},
    "missing_required": "omit",
    "unmatched": "ignore",
}


def _part_of(message: Message) -> Part:
    return "result" if message.kind == "reply" else "arguments"
