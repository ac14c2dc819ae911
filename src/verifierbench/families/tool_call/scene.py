"""What an operator works on: a task's spec, its gold calls, and the places where a case may differ from gold.

Operators write labels by construction, so a place is offered only where the label is certain. `rivals` is the heart of
that: with several due calls of one tool, a changed call is wrong only if no other due call could take it in.
"""

from __future__ import annotations

import copy
import json
import unicodedata
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from verifierbench.core import CaseKind, Ground

from .content import solution
from .dates import parse_date
from .policies import Fits, ListOf, ObjectOf, OneOf, Policy, SetOf, gold
from .spans import Brief
from .spec import Argument, Call, Spec, gold_solution


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A case before it has an id. `control` is the matched valid solution of an attack."""

    content: dict[str, Any]
    grounds: tuple[Ground, ...]
    control: Draft | None = None
    kind: CaseKind | None = None
    """Where it is not its operator's: a control says whether it is cosmetic or alternative."""


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of one due call."""

    call: int
    name: str
    part: Argument
    schema: dict[str, Any]
    stated: bool
    """False for an argument the instruction leaves at its default."""

    @property
    def clause(self) -> str:
        """The clause that binds it."""
        return f"call{self.call + 1}.{self.name}"


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A task as operators see it."""

    brief: Brief
    spec: Spec

    @property
    def calls(self) -> list[dict[str, Any]]:
        """Gold's calls, a fresh copy each time."""
        return copy.deepcopy(gold_solution(self.spec)["turns"][0]["calls"])

    def sites(self, *, stated: bool | None = True) -> Iterator[Site]:
        """The arguments of the due calls: those gold states, those it leaves at their default, or (None) both."""
        for place, call in enumerate(self.spec.calls):
            for known, is_stated in ((call.arguments, True), (call.defaults, False)):
                for name, part in known.items():
                    if stated is None or stated == is_stated:
                        schema = self.brief.schema(call.tool, name)
                        yield Site(call=place, name=name, part=part, schema=schema, stated=is_stated)

    def put(self, site: Site, value: Any) -> list[dict[str, Any]]:
        """Gold's calls with another value at a site."""
        calls = self.calls
        calls[site.call]["arguments"][site.name] = copy.deepcopy(value)
        return calls

    def without(self, site: Site) -> list[dict[str, Any]]:
        """Gold's calls with an argument left out."""
        calls = self.calls
        del calls[site.call]["arguments"][site.name]
        return calls

    def rivals(self, call: int) -> tuple[int, ...]:
        """The due calls that could stand in for one another with this one, itself included."""
        found = {call}
        while more := {
            other
            for other in range(len(self.spec.calls))
            for one in found
            if other not in found and self._overlap(one, other)
        }:
            found |= more
        return tuple(sorted(found))

    def taken(self, site: Site) -> list[Any]:
        """Every value that is right at this argument for the call or one that could stand in for it."""
        parts = [known(self.spec.calls[place]).get(site.name) for place in self.rivals(site.call)]
        return [value for part in parts if part is not None for value in rights(part.policy)]

    def unused(self) -> list[dict[str, Any]]:
        """The tools of the list that no due call names."""
        due = {call.tool for call in self.spec.calls}
        return [tool for tool in self.brief.tools if tool["name"] not in due]

    def orders(self) -> list[tuple[int, int]]:
        """The stated orders, as (first, then)."""
        return [(order.first, order.then) for order in self.spec.order]

    def every(self, note: str) -> tuple[Ground, ...]:
        """Grounds that meet every clause of the due calls."""
        ids = [site.clause for site in self.sites(stated=None)]
        for place in range(len(self.spec.calls)):
            ids += [f"call{place + 1}", f"call{place + 1}.arguments"]
        ids += [f"order{place + 1}" for place in range(len(self.spec.order))]
        return tuple(Ground(clause=id, note=note) for id in ["turn", "calls", *ids])  # noqa: A001

    def _overlap(self, one: int, other: int) -> bool:
        left, right = self.spec.calls[one], self.spec.calls[other]
        if left.tool != right.tool:
            return False
        shared = left.arguments.keys() & right.arguments.keys()
        return not any(_apart(left.arguments[name], right.arguments[name]) for name in shared)


def _apart(one: Argument, other: Argument) -> bool:
    """Whether no call satisfies both: they want other values, and one of them must be stated."""
    return not (one.may_omit and other.may_omit) and disjoint(rights(one.policy), rights(other.policy))


def known(call: Call) -> dict[str, Argument]:
    """All arguments a due call may state."""
    return {**call.arguments, **call.defaults}


class Leaf(msgspec.Struct, frozen=True, kw_only=True):
    """One simple value somewhere inside an argument, and how to put another in its place."""

    site: Site
    policy: Policy
    path: tuple[int | str, ...]
    schema: dict[str, Any]

    @property
    def gold(self) -> Any:
        """The right value as gold writes it."""
        return gold(self.policy)

    def whole(self, value: Any) -> Any:
        """The argument with another value at this leaf."""
        return _planted(self.site.part.gold, self.path, value)


def leaves(site: Site) -> Iterator[Leaf]:
    """The simple values of an argument, from the outside in."""
    yield from _leaves(site, site.part.policy, (), site.schema)


def _leaves(site: Site, policy: Policy, path: tuple[int | str, ...], schema: dict[str, Any]) -> Iterator[Leaf]:
    if isinstance(policy, ListOf | SetOf):
        items = schema.get("items", {})
        for place, item in enumerate(policy.items):
            yield from _leaves(site, item, (*path, place), items if isinstance(items, dict) else {})
    elif isinstance(policy, ObjectOf):
        for key, part in policy.keys.items():
            yield from _leaves(site, part, (*path, key), schema.get("properties", {}).get(key, {}))
    elif not isinstance(policy, Fits) and not isinstance(gold(policy), dict | list):
        yield Leaf(site=site, policy=policy, path=path, schema=schema)


def _planted(whole: Any, path: tuple[int | str, ...], value: Any) -> Any:
    if not path:
        return value
    copied = copy.copy(whole)
    copied[path[0]] = _planted(whole[path[0]], path[1:], value)
    return copied


def rights(policy: Policy) -> list[Any]:
    """The values a policy accepts outright, undecided ones included."""
    if isinstance(policy, OneOf):
        return [value for part in (*policy.of, *policy.undecided) for value in rights(part)]
    return [gold(policy)]


def loose(value: Any) -> Any:
    """A value up to everything a reader might overlook: coarser than any policy, so that what differs here differs.

    Letter case, spacing and punctuation of a text, the spelling of a date, a number's type and a list's order are gone.
    """
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, str):
        text = unicodedata.normalize("NFKC", value).casefold()
        return str(parse_date(value.strip()) or "".join(filter(str.isalnum, text)) or text.strip())
    if isinstance(value, list):
        return sorted(repr(loose(part)) for part in value)
    return sorted((key, repr(loose(part))) for key, part in value.items())


def unlike(value: Any, others: list[Any]) -> bool:
    """Whether a value is beyond doubt none of the others."""
    return all(loose(value) != loose(other) for other in others)


def disjoint(ones: list[Any], others: list[Any]) -> bool:
    """Whether two lists of right values have beyond doubt nothing in common."""
    return all(unlike(one, others) for one in ones)


def sample(schema: dict[str, Any], rng: Random) -> Any:
    """A value that fits a definition, for calls nobody asked for."""
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "default" in schema:
        return copy.deepcopy(schema["default"])
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        required = schema.get("required", ())
        return {name: sample(part, rng) for name, part in schema.get("properties", {}).items() if name in required}
    low = schema.get("minimum", 1)
    plain: dict[Any, Any] = {
        "integer": low,
        "number": low,
        "boolean": True,
        "array": [sample(schema.get("items", {}), rng)] if schema.get("minItems", 0) else [],
        "null": None,
    }
    return plain.get(kind, "sample")


def sample_call(tool: dict[str, Any], rng: Random) -> dict[str, Any]:
    """A call of a tool with its required arguments."""
    return {"name": tool["name"], "arguments": sample({**tool["parameters"], "type": "object"}, rng)}


def written(calls: list[dict[str, Any]]) -> str:
    """Calls as text, the way a model would write them."""
    return json.dumps(calls, ensure_ascii=False, indent=2)


def breaks(clause: str, note: str) -> tuple[Ground, ...]:
    """The ground of a FAIL."""
    return (Ground(clause=clause, note=note),)


uses = breaks
"""The ground of a PASS: the freedom used around a clause."""


def draft(calls: list[dict[str, Any]], grounds: tuple[Ground, ...], message: str | None = None) -> Draft:
    """A draft of one turn."""
    return Draft(content=solution(calls, message), grounds=grounds)
