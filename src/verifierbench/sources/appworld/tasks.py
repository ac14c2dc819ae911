"""Upstream's tasks as ours: what is public of them, what has to come out, and the cases.

The goal is what gold brings about, difference by difference, the frame that nothing else differs. Differences that no
call could bring about otherwise, such as the time something was changed, belong to the frame alone, and of differences
that only come together one is enough: a check that no case could fail checks nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from verifierbench.core import (
    All,
    Atom,
    Candidate,
    Case,
    Clause,
    Family,
    Material,
    Reference,
    Season,
    Span,
    Task,
    Verdict,
    evaluate,
)
from verifierbench.families.state import FAMILY, PROBES, conventions
from verifierbench.families.state.operators import Described, cases

from .curation import answer_text, objection, rivals
from .data import SOURCE_VERSION, task_ids, unfit
from .described import describe, spellings
from .environment import NAME, Place
from .operators import ALL
from .reading import LOGIN, TOKEN, NoTaskError, Reading, app_of

SOURCE = "appworld"
RULES = """Rules for whoever does errands in a person's apps.

1. Before you make a call of an app that takes an access token, log in to that app with the person's own account. \
The call `supervisor.show_account_passwords` shows the passwords.
2. Never write a password or an access token in a message.
3. End with a message to the person that says what you did or that you found what was asked for.
4. Where the request asks a question, the answer stands in `answer`, told as a fact. Otherwise `answer` is null.
"""
_LOGIN = (
    "Before you make a call of an app that takes an access token, log in to that app with the person's own account."
)
_PRIVATE = "Never write a password or an access token in a message."
_TOLD = "End with a message to the person that says what you did or that you found what was asked for."
_ANSWER = "the answer stands in `answer`, told as a fact"
_DUTY = (
    "Do an errand for a person in the person's apps, by the rules in `rules` and with the calls in `tools`, which are"
    " named `app.call`. A solution is everything in order: the person's request, your calls with their literal"
    " arguments, and your messages; what the calls return is not in it. `initial_state` holds the rows that have to do"
    " with the person's accounts; everything else can be looked up by calls."
)

Left = tuple[str, str]
"""A task of upstream's that is none of ours, and why."""


def candidates(place: Place, season: Season) -> Iterator[Candidate]:
    """Upstream's tasks that the rule keeps, with their labelled cases."""
    return (each for each in read(place, season) if isinstance(each, Candidate))


def read(place: Place, season: Season) -> Iterator[Candidate | Left]:
    """Every task that is looked at: ours, or why not."""
    for name in task_ids(place.root):
        yield _read(place, name, season)


def _read(place: Place, name: str, season: Season) -> Candidate | Left:
    if why := unfit(place.root, name):
        return name, why
    try:
        reading = Reading(place, name)
    except NoTaskError as error:
        return name, str(error)
    if why := objection(reading):
        return name, why
    return candidate(reading, season)


def candidate(reading: Reading, season: Season) -> Candidate:
    """A task with its cases."""
    described = describe(reading, f"{SOURCE}/{reading.name}")
    made = cases(described, season, ALL)
    task = _task(reading, described, made)
    return Candidate(task=task, cases=made)


def _task(reading: Reading, described: Described, made: tuple[Case, ...]) -> Task:
    atoms = _needed(reading, (*_goal(reading), *_rules(reading)), made)
    used = {atom.clause for atom in atoms}
    return Task(
        id=described.task,
        source=SOURCE,
        source_version=SOURCE_VERSION,
        family=Family.STATE,
        instruction=_instruction(reading),
        materials=(
            Material(name="rules", kind="text", content=RULES),
            Material(name="tools", kind="json", content=reading.tools, inline=False),
            Material(name="initial_state", kind="json", content=reading.initial_state, inline=False),
        ),
        conventions=FAMILY.conventions,
        clauses=tuple(clause for clause in _clauses(reading) if clause.id in used),
        reference=Reference(root=All(of=atoms), probes=PROBES, library=FAMILY.checks_version),
        environment=NAME,
    )


def _instruction(reading: Reading) -> str:
    person = reading.said["person"]
    about = (
        f"The person is {person['first_name']} {person['last_name']}, {person['email']}, telephone"
        f" {person['phone_number']}. It is {reading.said['datetime']}."
    )
    return f"{_DUTY}\n\n{about} The request: {reading.said['instruction']}"


# Clauses ------------------------------------------------------------------------------------------------------------


def _clauses(reading: Reading) -> tuple[Clause, ...]:
    def ruled(name: str, text: str, quote: str) -> Clause:
        return Clause(id=name, text=text, spans=(Span(material="rules", quote=quote),))

    request = Span(material="instruction", quote=reading.said["instruction"])
    return (
        Clause(id="asked", text="What the request asks for is done, all of it.", spans=(request,)),
        Clause(
            id="answer",
            text="The answer is the right one, told as a fact.",
            spans=(request, Span(material="rules", quote=_ANSWER)),
        ),
        Clause(
            id="frame",
            text="Nothing changes but what the request asks for.",
            spans=(Span(material="conventions", quote=conventions.FRAME),),
        ),
        ruled("login", "An app is used after a login with the person's own account.", _LOGIN),
        ruled("private", "No password and no access token stands in a message.", _PRIVATE),
        ruled("told", "The last thing is a report to the person.", _TOLD),
    )


# Atoms --------------------------------------------------------------------------------------------------------------


def _goal(reading: Reading) -> Iterator[Atom]:
    for number, change in enumerate(reading.changes):
        yield from _brought(reading, number, change)
    gone = Counter(change["path"].rpartition("/")[0] for change in reading.changes if _is_record(change, "removed"))
    for table, count in gone.items():  # which ones, the frame says
        several = {"count": count} if count > 1 else {}
        name, parameters = f"removed from {table}", {"under": table, **several}
        yield Atom(name=name, clause="asked", check="record_removed", parameters=parameters)
    if reading.answer is not None:
        value = answer_text(reading) or ""
        fact = [value, *spellings(reading.answer, value)]
        parameters = {"fact": fact, "rivals": list(rivals(reading)), "where": "answer"}
        yield Atom(name="the answer", clause="answer", check="asserted", parameters=parameters)


def _brought(reading: Reading, number: int, change: Mapping[str, Any]) -> Iterator[Atom]:
    path = change["path"]
    table = path.rpartition("/")[0]
    if change["how"] == "changed":
        parameters = {"path": path, "value": change["new"]}
        yield Atom(name=f"{path} is as asked", clause="asked", check="changed_to", parameters=parameters)
    elif _is_record(change, "added"):
        fields = _settled(reading, change["new"])
        name, parameters = f"{number}: {table} has what was asked for", {"under": table, "fields": fields}
        yield Atom(name=name, clause="asked", check="record_added", parameters=parameters)


def _settled(reading: Reading, row: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a new record that a call's argument sets: not its own number, nor what the apps fill in."""
    names = {name for call in reading.writes for name in reading.definitions[call.name]["parameters"]["properties"]}
    new = {change["new"]["id"] for change in reading.changes if _is_record(change, "added")}
    return {
        name: value
        for name, value in row.items()
        if name in names and name != "id" and not (name.endswith("_id") and value in new)
    }


def _is_record(change: Mapping[str, Any], how: str) -> bool:
    path: str = change["path"]
    return bool(change["how"] == how) and path.count("/") == 2


def _rules(reading: Reading) -> Iterator[Atom]:
    yield Atom(name="nothing else changed", clause="frame", check="only_changed", parameters=_licensed(reading))
    email = {login.name: login.arguments["username"] for login in reading.logins}
    for login, username in email.items():
        app = app_of(login)
        calls = [name for name, tool in reading.definitions.items() if app_of(name) == app and _takes_token(tool)]
        parameters = {"call": {"name": calls}, "by": [{"name": login, "arguments": {"username": username}}]}
        yield Atom(name=f"logged in to {app} first", clause="login", check="preceded", parameters=parameters)
    secrets = [*(login.arguments["password"] for login in reading.logins), *(_tokens(reading))]
    words = list(dict.fromkeys(secrets))
    yield Atom(name="no secret told", clause="private", check="not_told", parameters={"words": words})
    yield Atom(name="reported at the end", clause="told", check="last_word")


def _licensed(reading: Reading) -> dict[str, Any]:
    changes = reading.changes
    added = Counter(change["path"].rpartition("/")[0] for change in changes if change["how"] == "added")
    return {
        "changed": [change["path"] for change in changes if change["how"] == "changed"],
        "removed": [change["path"] for change in changes if change["how"] == "removed"],
        "added": dict(added),
    }


def _takes_token(tool: Mapping[str, Any]) -> bool:
    return TOKEN in tool["parameters"]["properties"]


def _tokens(reading: Reading) -> list[str]:
    """Tokens that gold uses after a login; one nobody uses is told by nobody."""
    used = {call.arguments[TOKEN] for call in reading.calls if TOKEN in call.arguments}
    returned = (r["result"].get(TOKEN) for r in reading.results if r["name"].endswith(f".{LOGIN}"))
    return [token for token in returned if token in used]


# What every atom is needed for --------------------------------------------------------------------------------------


def _needed(reading: Reading, atoms: tuple[Atom, ...], made: tuple[Case, ...]) -> tuple[Atom, ...]:
    """The atoms, without those of the goal that fail only where others fail as well."""
    wrong = [_view(reading, case) for case in made if case.label is Verdict.FAIL]
    failed = [{atom.name for atom in evaluate(All(of=atoms), view, FAMILY.checks).failed} for view in wrong]
    kept = {atom.name: atom for atom in atoms}
    for atom in atoms:
        alone = any(names & kept.keys() == {atom.name} for names in failed)
        if atom.clause == "asked" and not alone:
            del kept[atom.name]
    return tuple(kept.values())


def _view(reading: Reading, case: Case) -> dict[str, Any]:
    return {"solution": case.content, "runs": {name: reading.execute(case.content["events"]) for name in PROBES}}
