"""From an upstream entry and our reading of it to a task with its cases.

Gold's writes come from upstream's data and are executed; what they change makes the goals and the frame of the
reference. The rest of the conversation and all its sentences are ours. Where data and reading do not fit together
`Inconsistent` is raised: a task is right or is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from verifierbench.core import (
    All,
    Candidate,
    Family,
    Inconsistent,
    Material,
    Reference,
    Season,
    Task,
)
from verifierbench.environments.simulators import Simulators
from verifierbench.families.state import FAMILY, PROBES
from verifierbench.families.state.operators import OPERATORS, Described, cases

from .curation import Row
from .data import SOURCE_VERSION, Entry
from .effects import Played, played
from .environment import NAME
from .scene import Parts, Scene

SOURCE = "tau2"
_HEADS = {
    "reason_for_call": "Why the customer writes",
    "known_info": "What the customer knows",
    "unknown_info": "What the customer does not know",
    "task_instructions": "How the customer behaves",
}


class Kit:
    """What a domain's tasks have in common: its simulators, its policy, its public state and tools."""

    def __init__(self, domain: str, simulators: Simulators, policy: str) -> None:
        self.domain, self.simulators, self.policy = domain, simulators, policy
        self.rules: Any = import_module(f"{__package__}.{domain}.rules")
        self.conversation: Any = import_module(f"{__package__}.{domain}.conversation")
        self._public: dict[str, Any] = {}

    def public(self, scenario: str) -> Any:
        """`{"initial_state", "tools"}` of a scenario; that of a shop is the same for all."""
        key = scenario if self.domain == "telecom" else ""
        if key not in self._public:
            self._public[key] = self.simulators.ask({"public": scenario})
        return self._public[key]


def candidate(kit: Kit, row: Row, entry: Entry, season: Season) -> Candidate:
    """One curated task."""
    made = scene(kit, row, entry)
    parts = Parts(
        clauses=kit.rules.clauses(made), atoms=kit.rules.atoms(made), described=kit.conversation.described(made)
    )
    described = Described(task=made.task, execute=made.execute, **parts.described)
    unsafe = {*row.without, *kit.conversation.unlabelled(made)}
    operators = {name: operator for name, operator in OPERATORS.items() if name not in unsafe}
    return Candidate(task=task(kit, made, parts), cases=cases(described, season, operators))


def candidates(kit: Kit, rows: Mapping[str, tuple[Row, Entry]], season: Season) -> Iterator[Candidate]:
    """Every curated task of a domain, in the table's order."""
    for row, entry in rows.values():
        yield candidate(kit, row, entry, season)


def task(kit: Kit, made: Scene, parts: Parts) -> Task:
    """The task with its hidden half."""
    return Task(
        id=made.task,
        source=SOURCE,
        source_version=SOURCE_VERSION,
        family=Family.STATE,
        instruction=made.instruction,
        materials=tuple(materials(kit, made)),
        conventions=FAMILY.conventions,
        clauses=parts.clauses,
        reference=Reference(root=All(of=parts.atoms), probes=PROBES, library=FAMILY.checks_version),
        environment=NAME,
    )


def materials(kit: Kit, made: Scene) -> Iterator[Material]:
    """What is public: the policy, the tools of both sides, and the state before anything is done."""
    tools = kit.public(made.entry.id)["tools"]
    yield Material(name="policy", kind="text", content=kit.policy)
    yield Material(name="tools", kind="json", content=tools["assistant"])
    if "user" in tools:
        yield Material(name="user_tools", kind="json", content=tools["user"])
    yield Material(name="initial_state", kind="json", content=made.initial, inline=False)


def scene(kit: Kit, row: Row, entry: Entry) -> Scene:
    """What the domain's rules need of a task."""
    execute = _executed(kit.simulators, entry.id)
    return Scene(
        row=row,
        entry=entry,
        instruction=instruction(kit.rules.DUTY, entry),
        policy=kit.policy,
        initial=kit.public(entry.id)["initial_state"],
        played=_played(kit, row, entry),
        execute=execute,
    )


def instruction(duty: str, entry: Entry) -> str:
    """What the solver is asked: the agent's duty, and what the customer has been told."""
    told = [f"{_HEADS[part]}: {text.strip()}" for part, text in entry.scenario.items()]
    agrees = "Asked about exactly what this comes to, the customer agrees."
    return "\n\n".join((duty, "The customer has been told the following.", *told, agrees))


def _played(kit: Kit, row: Row, entry: Entry) -> Played:
    writes = [call for call in entry.gold if call["name"] in kit.rules.WRITES]
    if kit.domain != "telecom" and len(writes) != len(row.write):  # telecom reads a write by its tool
        raise Inconsistent(f"{entry.id}: gold has {len(writes)} writes and the reading {len(row.write)}")
    events = [{"role": one["role"], "call": {"name": one["name"], "arguments": one["arguments"]}} for one in writes]
    asked = [{"events": events[:count]} for count in range(len(events) + 1)]
    answers = kit.simulators.play_all(entry.id, asked)
    for one, result in zip(writes, answers[-1]["results"], strict=True):
        if "error" in result:
            raise Inconsistent(f"{entry.id}: {one['name']} of gold ends in an error: {result['error']}")
    return played(answers, writes)


def _executed(simulators: Simulators, scenario: str) -> Callable[[list[dict[str, Any]]], Mapping[str, Any]]:
    """Replays of our own events; the same events are replayed once."""
    known: dict[str, Any] = {}

    def execute(events: list[dict[str, Any]]) -> Mapping[str, Any]:
        key = repr(events)
        if key not in known:
            known[key] = simulators.play(scenario, {"events": events})
        answer: Mapping[str, Any] = known[key]
        return answer

    return execute
