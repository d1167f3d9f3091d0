"""Redaction of RPC messages, in recordings and in files of messages."""

from __future__ import annotations

import collections
import re
from typing import Any, Callable, Iterable, Iterator, Literal, NamedTuple, Optional, Sequence, Union

from .._errors import Error, UnknownNameError
from .._rpc.message import Message, application_exception
from .._schema.results import RedactReport
from .._schema.schema import Function, Service, Type
from .._text import quoted_name

Part = Literal["arguments", "result"]
_PARTS: tuple[Part, Part] = ("arguments", "result")


class PathRule(NamedTuple):
    """An action on a path of a function's arguments or result; `part` None: of both that have it. function: `get`, `Shop.get` or `*`."""

    function: str
    path: str
    action: str
    part: Optional[Part] = None

    @classmethod
    def parse(cls, text: str, action: str) -> PathRule:
        """`get.result.success.mail`, `Shop.get.arguments.id` or `*.arguments.token`. Error for anything else."""
        match = re.fullmatch(r"(\*|[\w.]+?)\.(arguments|result)(|[.\[{].*)", text, re.DOTALL)
        if match is None:
            raise Error(f"a path of a service is FUNCTION.arguments.FIELD or FUNCTION.result.FIELD, not {text!r}", code="path_syntax")
        return cls(match[1], "$" + match[3], action, match[2])  # type: ignore[arg-type]


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


def check_annotation(types: Sequence[Type], annotation: str, values: Iterable[str]) -> None:
    """Error if none of the types reaches the annotation, or one of the values of it."""
    if not any([reaches(of, annotation=annotation) for of in types]):
        raise Error(f"no function has a field with the annotation {annotation!r}", code="bad_rule")
    for value in values:
        faults: list[Error] = []
        for of in types:
            try:
                of.redactions(annotation=annotation, values={value: "keep"}, otherwise="keep", missing="error", missing_required="omit")
                break
            except Error as error:
                faults.append(error)
        else:
            raise max(faults, key=lambda fault: ("has the value" in str(fault), "did you mean" in str(fault)))


class Redactor:
    """Redacts messages of some services. A message of which several functions come into question is redacted under each of them.

    rules: options of Type.redact, but for paths. exempt: functions that need no rule. With paths only, any other function without a path is an error."""

    def __init__(
        self,
        services: Sequence[Service],
        rules: dict[str, Any],
        paths: Sequence[Union[PathRule, tuple[str, str, str]]],
        missing: str = "error",
        exempt: Sequence[str] = (),
    ):
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
        actions = {self._key(each, part): self._actions(each, part) for each in functions for part in _PARTS}  # raises for rules that make no sense
        self._check_functions(functions, exempt)
        self._redacted = {key for key, words in actions.items() if words - {"keep"}}
        if missing == "error":
            types = [each.type(part) for each in functions for part in _PARTS]
            if rules["annotation"]:
                check_annotation(types, rules["annotation"], rules.get("values") or {})
            self._check_types(types)
            self._check_effect(set().union(*actions.values()))

    @staticmethod
    def _key(of: Candidate, part: Part) -> tuple[int, Part]:
        return id(of.function.arguments), part

    def _actions(self, of: Candidate, part: Part) -> set[str]:
        return {row.action for row in of.type(part).redactions(**self.options(of, part)) if row.path != "#*"}

    def _check_effect(self, actions: set[str]) -> None:
        if not actions - {"keep"}:
            raise Error("nothing to redact: the action of all rules is keep", code="bad_rule")
        if self._rules.get("key") and "hash" not in actions:
            raise Error("a key is given, and nothing is hashed", code="bad_rule")

    def _check_functions(self, functions: Sequence[Candidate], exempt: Sequence[str]) -> None:
        """Rules by annotation or type are about all functions; paths are about those that they name."""
        for name in exempt:
            self._named(functions, name)
        uncovered = [
            f"{each.service.name}.{each.function.name}"
            for each in functions
            if not any(self._key(each, part) in self._paths for part in _PARTS)
            and any(each.type(part).fields for part in _PARTS)
            and not any(each.matches(name) for name in exempt)
        ]
        if uncovered and not self._has_rules:
            raise Error(f"no rule for {', '.join(uncovered)}; add rules, or exempt the functions", code="bad_rule")

    def _check_types(self, types: Sequence[Type]) -> None:
        for name, action in (self._rules.get("types") or {}).items():
            rules = {**self._rules, "annotation": "", "values": None, "otherwise": "blank", "types": {name: action}}
            if not any([reaches(of, **rules) for of in types]):
                raise Error(f"no function has a value of {name}", code="bad_rule")

    def _add(self, functions: Sequence[Candidate], rule: PathRule) -> None:
        fault: Optional[Error] = None
        applied = False
        for each in self._named(functions, rule.function):
            for part in _PARTS if rule.part is None else (rule.part,):
                of = each.type(part)
                try:
                    of.redactions(paths={rule.path: rule.action}, key=self._rules["key"])
                except Error as error:
                    fault = fault or error
                    continue
                self._paths.setdefault(self._key(each, part), {})[rule.path] = rule.action
                applied = True
        if not applied:
            raise Error(f"{rule.function}: {rule.path}: {fault}", code="bad_rule")

    def _named(self, functions: Sequence[Candidate], name: str) -> list[Candidate]:
        named = [each for each in functions if each.matches(name)]
        if not named:
            for service in self._services:
                service.function(name.rpartition(".")[2])  # suggests names
            raise UnknownNameError(f"no function {name!r}", code="unknown_name")
        return named

    def options(self, of: Candidate, part: Part) -> dict[str, Any]:
        """The options of Type.redact for the arguments or the result of a function."""
        paths = self._paths.get(self._key(of, part)) or ({} if self._has_rules else {"$": "keep"})
        return {**self._rules, "paths": paths}

    def listing(self) -> Iterator[tuple[str, str, str]]:
        """What is redacted: path, action and reason."""
        for each in functions_of(self._services):
            for part in _PARTS:
                name = f"{each.service.name}.{each.function.name}.{part}"
                for path, action, why in each.type(part).redactions(**self.options(each, part)):
                    yield f"{name} {path}", action, why

    def _candidates(self, message: Message, service_name: Optional[str]) -> list[Candidate]:
        return candidates(self._by_name.get(message.name.rpartition(":")[2], ()), message.name, service_name)

    def has_rule(self, message: Message, service_name: Optional[str] = None) -> bool:
        """Whether a rule hides something in messages of that function and kind."""
        return message.kind == "exception" or any(self._key(each, _part_of(message)) in self._redacted for each in self._candidates(message, service_name))

    def __call__(self, message: Message, service_name: Optional[str] = None, report: Optional[Callable[[RedactReport], Any]] = None) -> Message:
        """The redacted message; `report` is called as that of Type.redact. UnknownNameError where no function comes into question, other Errors where it
        cannot be read."""
        protocol: Any = message.protocol
        if protocol == "tjson":
            raise Error("messages of Apache's JSON protocol are not redacted", code="unsupported")
        found = self._candidates(message, service_name)
        if not found:
            raise UnknownNameError(f"no function {quoted_name(message.name)} in the IDL", code="unknown_name")
        if message.kind == "exception":
            rules: Any = {"paths": {"$.message": "constant(redacted)"}, "missing_required": "omit", "missing": "ignore"}
            return message._replace(data=application_exception().redact(message.data, protocol=protocol, **rules), header=b"")
        part = _part_of(message)
        data = message.data
        for each in found:
            data = each.type(part).redact(data, **self.options(each, part), protocol=protocol, report=report)
        return message._replace(data=data, header=b"")


def _part_of(message: Message) -> Part:
    return "result" if message.kind == "reply" else "arguments"
