"""Redaction of responses by role."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import re
from typing import Any, Callable, Iterator, Mapping, NamedTuple, Optional

from ... import _core
from ..._errors import Error
from ..._records.redaction import check_annotation, reaches
from ..._schema.schemas import Schema
from ..._schema.services import Function
from ..._schema.types import Type
from ..._text import did_you_mean, shown
from ..._typing import ErrorCode, Scope
from .answers import Refusal

PolicyOptions = Mapping[str, Any]  # keywords of Type.redact, and `exempt`
Policy = Optional[PolicyOptions]
_NONE = "thriftlens.none"  # no field has it; still, redaction drops fields that are not in the IDL
_OPTIONS = {*_core.signatures()["redactions"], "exempt"}
_STRUCTS = ("struct", "union", "exception")
Roles = Callable[[Scope], object]


class PolicyError(ValueError, TypeError):
    """A policy with wrong options or rules; the message names its role.

    code: of the error of the rules, if it has one."""

    def __init__(self, message: str, code: Optional[ErrorCode] = None):
        super().__init__(message)
        self.code = code


@contextlib.contextmanager
def _errors_naming(role: str) -> Iterator[None]:
    try:
        yield
    except (Error, TypeError, ValueError) as error:
        code = error.code if isinstance(error, Error) else None
        raise PolicyError(f"the policy of {role!r}: {error}", code) from None


class Redaction(NamedTuple):
    """The options of Rewrite.redact for the result of one function; None: no restrictions."""

    options: Policy


class Policies:
    """The redactions of all roles.

    Fails closed: a role without policy is refused, and a policy must reach every answer and
    exception or exempt the function."""

    def __init__(self, roles: Optional[Roles], policies: Optional[Mapping[str, Policy]]):
        if (roles is None) != (policies is None):
            raise ValueError("roles and policies must be used together: roles(scope) selects one")
        if policies is not None and not policies:
            raise PolicyError("policies is empty: every request would be refused")
        self._roles = roles
        self._policies = dict(policies or {})
        for role, policy in self._policies.items():
            with _errors_naming(role):
                _check_options(policy)

    @property
    def names(self) -> list[str]:
        return list(self._policies)

    async def role(self, scope: Scope) -> Optional[str]:
        """The caller's role; None without roles. Raises Refusal for an unknown role."""
        if self._roles is None:
            return None
        try:
            role = self._roles(scope)
            if inspect.isawaitable(role):
                role = await role
        except (Exception, asyncio.CancelledError):
            raise
        except BaseException as error:  # would end the server
            raise RuntimeError(f"roles raised {type(error).__name__}") from error
        if not isinstance(role, str) or role not in self._policies:
            raise Refusal(403, "forbidden", "the caller has no role with access")
        return role

    def redactions(self, function: Function) -> dict[Optional[str], Redaction]:
        """The redactions of a function by role."""
        if self._roles is None:
            return {None: Redaction(None)}
        redactions: dict[Optional[str], Redaction] = {}
        for role, policy in self._policies.items():
            with _errors_naming(role):
                redactions[role] = Redaction(
                    None if policy is None else _options_of(policy, function.result)
                )
        return redactions

    def warnings(self, schema: Schema) -> list[str]:
        """Annotations of the policies that are contradictory or have no effect."""
        warnings: dict[str, None] = {}
        for policy in self._policies.values():
            if policy and policy.get("annotation"):
                values = list((policy.get("values") or {}).items())
                warnings.update(
                    dict.fromkeys(
                        schema._core.check_annotations(
                            policy["annotation"], values, policy.get("default_action", "blank")
                        )
                    )
                )
        return list(warnings)

    def check(self, functions: Mapping[str, Function]) -> None:
        """Raises PolicyError for a policy with a rule that applies to no response, and for one that
        leaves a response or an exception unchanged, unless
        the policy exempts the function. functions: by full name, such as "Shop.get"."""
        for role, policy in self._policies.items():
            if policy is not None:
                with _errors_naming(role):
                    _check(policy, functions)


def _check_options(policy: Policy) -> None:
    if policy is not None and not isinstance(policy, Mapping):
        raise TypeError(
            f"expected options of Type.redact, or None for no restrictions, not {shown(policy)}"
        )
    for name in policy or ():
        if name not in _OPTIONS:
            raise ValueError(f"unknown option {name!r}{did_you_mean(str(name), _OPTIONS)}")


def _check(policy: PolicyOptions, functions: Mapping[str, Function]) -> None:
    _check_rules(policy, [function.result for function in functions.values()])
    exempt = _exempt(policy, functions)
    unreached = [
        text
        for name, function in functions.items()
        if name not in exempt
        for text in _unreached(name, policy, function.result)
    ]
    if unreached:
        raise ValueError(
            f"no rule for {', '.join(unreached)}; add rules (a path, a type, an annotation), or "
            "list the functions in 'exempt'"
        )


def _check_rules(policy: PolicyOptions, results: list[Type]) -> None:
    """Raises for a rule that applies to no result."""
    paths, types = policy.get("paths") or {}, policy.get("types") or {}
    for path, action in paths.items():
        if not any([_paths_in(result, path, action) for result in results]):
            raise ValueError(f"no result has the path {path!r}")
    key = policy.get("key", b"")
    for name, action in types.items():
        if not any([reaches(result, types={name: action}, key=key) for result in results]):
            raise ValueError(f"no result has a value of {name!r}")
    if key and not any(_hashes(policy, result) for result in results):
        raise ValueError("key has no effect: no rule has the action hash")
    if "annotation" in policy or not (paths or types):
        _check_annotation_rule(policy, results)


def _hashes(policy: PolicyOptions, result: Type) -> bool:
    return any(row.action == "hash" for row in result.redactions(**_options_of(policy, result)))


def _check_annotation_rule(policy: PolicyOptions, results: list[Type]) -> None:
    others = ("paths", "types", "exempt")
    options = {name: value for name, value in policy.items() if name not in others}
    for result in results:
        result.redactions(**{**options, "unmatched": "ignore"})
    check_annotation(results, policy.get("annotation", ""), policy.get("values") or ())


def _exempt(policy: PolicyOptions, functions: Mapping[str, Function]) -> set[str]:
    """Full names of the functions that the policy need not reach."""
    names = policy.get("exempt") or ()
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"exempt must be a list of function names, not {shown(names)}")
    exempt_functions: set[str] = set()
    for name in names:
        matches = {full for full in functions if full == name or full.rpartition(".")[2] == name}
        if not matches:
            raise ValueError(f"exempt: no served function {name!r}")
        exempt_functions |= matches
    return exempt_functions


def _unreached(name: str, policy: PolicyOptions, result: Type) -> Iterator[str]:
    """The answer and the exceptions of a function that no rule applies to."""
    reached = {
        re.split(r"[.[{]", row.path[2:])[0]
        for row in result.redactions(**_options_of(policy, result))
        if not row.path.endswith("#*")
    }
    for field in result.fields.values():
        is_empty = field.type.kind in _STRUCTS and not field.type.fields
        if not is_empty and field.name not in reached:
            yield name if field.id == 0 else f"{name} (exception {field.name!r})"


def _paths_in(result: Type, path: str, action: str) -> dict[str, str]:
    """The paths of a result struct that match a policy's path: in the return value, and in the
    exception that its first step names. Raises ValueError for
    an invalid rule."""
    rest = path[1:] if path.startswith("$") else f".{path}"
    candidates = [f"$.success{rest}"]
    name = re.match(r"\.(\w+)", rest)
    if name is not None and name[1] in result.fields and result.fields[name[1]].id != 0:
        candidates.append(f"${rest}")
    paths: dict[str, str] = {}
    for candidate in candidates:
        try:
            result.redactions(paths={candidate: action}, key=b"?" if action == "hash" else b"")
        except Error as error:
            if error.code in ("no_such_field", "wrong_type"):
                continue
            raise ValueError(f"path {path!r}: {error}") from None
        paths[candidate] = action
    return paths


def _options_of(policy: PolicyOptions, result: Type) -> PolicyOptions:
    """The options of Rewrite.redact, with the paths that the result has."""
    paths: dict[str, str] = {}
    for path, action in (policy.get("paths") or {}).items():
        paths.update(_paths_in(result, path, action))
    options = {"missing_required": "omit", "annotation": _NONE, **policy, "unmatched": "ignore"}
    options.pop("paths", None)
    options.pop("exempt", None)
    if paths:
        options["paths"] = paths
    result.redactions(**options)
    return options
