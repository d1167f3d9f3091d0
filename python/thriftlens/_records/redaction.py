"""Redaction of RPC messages, in recordings and in files of messages."""

from __future__ import annotations

import collections
from typing import Any, Callable, Iterable, Iterator, Literal, NamedTuple, Optional, Sequence, Union

from .._errors import Error, UnknownNameError
from .._rpc.message import Message, application_exception
from .._schema.results import RedactReport
from .._schema.schema import Function, Service, Type

Part = Literal["arguments", "result"]
_PARTS: tuple[Part, Part] = ("arguments", "result")


class PathRule(NamedTuple):
    """An action on a path of a function's arguments or result; `part` None: of both that have it. function: `get`, `Shop.get` or `*`."""

    function: str
    path: str
    action: str
    part: Optional[Part] = None


class Candidate(NamedTuple):
    """A function that a message may be of."""

    service: Service
    function: Function

    def type(self, part: Part) -> Type:
        return self.function.result if part == "result" else self.function.arguments

    def matches(self, name: str) -> bool:
        """Whether `get`, `Shop.get` or `*` names the function."""
        service, _, function = name.rpartition(".")
        return name == "*" or (function == self.function.name and (not service or is_named(self.service, service)))


def is_named(service: Service, name: str) -> bool:
    """Whether a multiplexed prefix or the service name in a header is that of the service."""
    return name in (service.name, service.name.rpartition(".")[2])


def functions_of(services: Iterable[Service]) -> Iterator[Candidate]:
    """All functions, inherited ones too."""
    for service in services:
        for function in {**service.inherited, **service.functions}.values():
            yield Candidate(service, function)


def candidates(functions: Iterable[Candidate], name: str, service_name: Optional[str] = None) -> list[Candidate]:
    """The functions that a message of that name may be of: those of the services that its multiplexed prefix and `service_name` allow. Functions
    with the same types count once."""
    prefix, _, short = name.rpartition(":")
    found: dict[int, Candidate] = {}
    for each in functions:
        named = all(is_named(each.service, text) for text in (prefix, service_name) if text)
        if named and each.function.name == short:
            found.setdefault(id(each.function.arguments), each)
    return list(found.values())


def reaches(of: Type, **rules: Any) -> bool:
    """Whether a rule applies to anything in a value of the type. Error for rules that make no sense."""
    return any(row.path != "#*" for row in of.redactions(**{**rules, "missing": "ignore"}))


class Redactor:
    """Redacts messages of some services. A message of which several functions come into question is redacted under each of them.

    rules: options of Type.redact, but for paths."""

    def __init__(self, services: Sequence[Service], rules: dict[str, Any], paths: Sequence[Union[PathRule, tuple[str, str, str]]], missing: str = "error"):
        self._services = services
        self._rules = {**rules, "missing": "ignore"}
        self._paths: dict[tuple[int, Part], dict[str, str]] = {}
        self._has_rules = bool(rules["annotation"] or rules.get("types"))
        functions = list(functions_of(services))
        self._by_name: dict[str, list[Candidate]] = collections.defaultdict(list)
        for each in functions:
            self._by_name[each.function.name].append(each)
        if not self._has_rules and not paths:
            raise Error("a redaction needs a rule: name an annotation, paths or types", code="bad_rule")
        for rule in paths:
            self._add(functions, PathRule(*rule))
        types = [each.type(part) for each in functions for part in _PARTS]
        if self._has_rules:
            for of in types:
                of.redactions(**self._rules)  # raises for rules that make no sense
        if missing == "error":
            self._check_annotation(types)
            self._check_types(types)

    def _check_annotation(self, types: Sequence[Type]) -> None:
        rules = {**self._rules, "types": None}
        if rules["annotation"] and not any([reaches(of, **rules) for of in types]):
            raise Error(f"no function has a field with the annotation {rules['annotation']!r}", code="bad_rule")

    def _check_types(self, types: Sequence[Type]) -> None:
        for name, action in (self._rules.get("types") or {}).items():
            rules = {**self._rules, "annotation": "", "values": None, "otherwise": "blank", "types": {name: action}}
            if not any([reaches(of, **rules) for of in types]):
                raise Error(f"no function has a value of {name}", code="bad_rule")

    def _add(self, functions: Sequence[Candidate], rule: PathRule) -> None:
        named = [each for each in functions if each.matches(rule.function)]
        if not named:
            for service in self._services:
                service.function(rule.function.rpartition(".")[2])  # suggests names
            raise UnknownNameError(f"no function {rule.function!r}", code="type_not_found")
        fault: Optional[Error] = None
        applied = False
        for each in named:
            for part in _PARTS if rule.part is None else (rule.part,):
                of = each.type(part)
                try:
                    of.redactions(paths={rule.path: rule.action}, key=self._rules["key"])
                except Error as error:
                    fault = fault or error
                    continue
                self._paths.setdefault((id(each.function.arguments), part), {})[rule.path] = rule.action
                applied = True
        if not applied:
            raise Error(f"{rule.function}: {rule.path}: {fault}", code="bad_rule")

    def options(self, of: Candidate, part: Part) -> dict[str, Any]:
        """The options of Type.redact for the arguments or the result of a function."""
        paths = self._paths.get((id(of.function.arguments), part)) or ({} if self._has_rules else {"$": "keep"})
        return {**self._rules, "paths": paths}

    def listing(self) -> Iterator[tuple[str, str, str]]:
        """What is redacted: path, action and reason."""
        for each in functions_of(self._services):
            for part in _PARTS:
                name = f"{each.service.name}.{each.function.name}.{part}"
                for path, action, why in each.type(part).redactions(**self.options(each, part)):
                    yield f"{name} {path}", action, why

    def __call__(self, message: Message, service_name: Optional[str] = None, report: Optional[Callable[[RedactReport], Any]] = None) -> Message:
        """The redacted message; `report` is called as that of Type.redact. UnknownNameError where no function comes into question, other Errors where it
        cannot be read."""
        protocol: Any = message.protocol
        if protocol == "tjson":
            raise Error("messages of Apache's JSON protocol are not redacted", code="unsupported")
        found = candidates(self._by_name.get(message.name.rpartition(":")[2], ()), message.name, service_name)
        if not found:
            raise UnknownNameError(f"no function {message.name!r} in the IDL", code="type_not_found")
        if message.kind == "exception":
            rules: Any = {"paths": {"$.message": "constant(redacted)"}, "missing_required": "omit", "missing": "ignore"}
            return message._replace(data=application_exception().redact(message.data, protocol=protocol, **rules), header=b"")
        part: Part = "result" if message.kind == "reply" else "arguments"
        data = message.data
        for each in found:
            data = each.type(part).redact(data, **self.options(each, part), protocol=protocol, report=report)
        return message._replace(data=data, header=b"")
