"""What each role may see of answers."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Optional

from .._errors import Error
from .._schema import Function, Type
from ._answers import Refusal

Policy = Optional[Mapping[str, Any]]
_NONE = "thriftlens.none"  # no field has it: what the IDL does not know is dropped all the same
Roles = Callable[[Mapping[str, Any]], Any]


class Redaction(NamedTuple):
    """The options of Rewrite.redact for the result of one function; None: all may be seen."""

    options: Optional[Mapping[str, Any]]


class Policies:
    """The redactions of all roles. Fails closed: a role without policy sees nothing, and a policy that reaches nothing is an error."""

    def __init__(self, roles: Optional[Roles], policies: Optional[Mapping[str, Policy]]):
        if (roles is None) != (policies is None):
            raise ValueError("roles and policies go together: roles(scope) names the policy")
        if policies is not None and not policies:
            raise ValueError("policies is empty: every request would be refused")
        self._roles = roles
        self._policies = dict(policies or {})
        for role, policy in self._policies.items():
            if policy is not None and not isinstance(policy, Mapping):
                raise TypeError(f"the policy of {role!r} is a mapping of options of Type.redact, or None where all may be seen, not {policy!r}")

    @property
    def names(self) -> list[str]:
        return list(self._policies)

    async def role(self, scope: Mapping[str, Any]) -> Optional[str]:
        """The caller's; None where there are no roles. Refuses the unknown."""
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
            raise Refusal(403, "forbidden", "the caller has no role that may ask here")
        return role

    def redactions(self, function: Function) -> dict[Optional[str], Redaction]:
        """By role."""
        if self._roles is None:
            return {None: Redaction(None)}
        return {role: Redaction(None if policy is None else _fitted(policy, function.result)) for role, policy in self._policies.items()}

    def check(self, functions: Iterable[Function]) -> None:
        """ValueError for a policy of which a rule reaches nothing in any answer."""
        results = [each.result for each in functions]
        for role, policy in self._policies.items():
            if policy is None:
                continue
            paths = policy.get("paths") or {}
            for path, action in paths.items():
                if not any([_reaches(result, path, action) for result in results]):
                    raise ValueError(f"the policy of {role!r} reaches nothing: no answer has the path {path!r}")
            if not paths or "annotation" in policy:
                _check_annotation(role, {name: value for name, value in policy.items() if name != "paths"}, results)


def _check_annotation(role: str, policy: Mapping[str, Any], results: list[Type]) -> None:
    for result in results:
        try:
            if result.redactions(**{**policy, "missing": "error"}):
                return
        except Error as error:
            if error.code != "bad_rule" or "has the annotation" not in str(error):
                raise ValueError(f"the policy of {role!r}: {error}") from None
    raise ValueError(f"the policy of {role!r} reaches nothing: no answer has the annotation {policy.get('annotation')!r}")


def _placed(path: str) -> str:
    """A path on the answer as one on the result struct."""
    return "$.success" + (path[1:] if path.startswith("$") else f".{path}")


def _reaches(result: Type, path: str, action: str) -> bool:
    """Whether the result has the path. ValueError for a rule that is wrong wherever it stands."""
    try:
        result.redactions(paths={_placed(path): action})
    except Error as error:
        if error.code in ("no_such_field", "wrong_type"):
            return False
        raise ValueError(f"the policy's path {path!r}: {error}") from None
    return True


def _fitted(policy: Mapping[str, Any], result: Type) -> dict[str, Any]:
    """With the paths that the result has."""
    paths = {_placed(path): action for path, action in (policy.get("paths") or {}).items() if _reaches(result, path, action)}
    made = {"missing_required": "omit", "annotation": _NONE, **policy, "missing": "ignore"}
    made.pop("paths", None)
    if paths:
        made["paths"] = paths
    result.redactions(**made)
    return made
