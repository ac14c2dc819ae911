"""A tiny candidate, made in one place and broken in many; and a small suite with every kind of file, really built."""

import shutil
from pathlib import Path

import pytest

from verifierbench.core import (
    DEVELOPMENT,
    All,
    Atom,
    Candidate,
    Case,
    CaseKind,
    Clause,
    Convention,
    Family,
    Ground,
    Material,
    Reference,
    Span,
    Task,
)
from verifierbench.families import family
from verifierbench.sources import source
from verifierbench.suite import build, lock, new_season, open_plugin, read_season


def solution(*names):
    return {"turns": [{"calls": [{"name": name, "arguments": {}} for name in names], "message": None, "answer": None}]}


def case(kind, number, content, **changes):
    fields = {
        "id": f"tiny/lamp#{kind.value}.{number}",
        "task": "tiny/lamp",
        "kind": kind,
        "content": content,
        "operator": kind.value,
        "grounds": (Ground(clause="lamp", note="the lamp is asked for"),),
    }
    return Case(**(fields | changes))


@pytest.fixture
def candidate():
    check = sorted(family(Family.TOOL_CALL).checks)[0]
    task = Task(
        id="tiny/lamp",
        source="handmade",
        source_version="1",
        family=Family.TOOL_CALL,
        instruction="Turn on the lamp.",
        materials=(
            Material(name="tools", kind="json", content=[{"name": "lamp", "description": 'the "big" one'}]),
            Material(name="notes", kind="text", content="Lamps are safe."),
            Material(name="code", kind="files", content={"a.py": "x = 1\n"}, inline=False),
        ),
        conventions=(Convention(id="C1", text="Order is free."),),
        clauses=(
            Clause(id="lamp", text="the lamp", spans=(Span(material="instruction", quote="the lamp"),)),
            Clause(id="order", text="order", spans=(Span(material="conventions", quote="C1"),)),
        ),
        reference=Reference(root=All(of=(Atom(name="a", clause="lamp", check=check),))),
    )
    cases = (
        case(CaseKind.GOLD, 0, solution("lamp")),
        case(CaseKind.HACK, 0, solution()),
        case(CaseKind.ALTERNATIVE, 0, solution("lamp", "lamp"), control_of="tiny/lamp#hack.0"),
    )
    return Candidate(task=task, cases=cases)


PLUGIN = Path(__file__).parent / "plugin"
USED = ("glasshouse", "telescope")
"""The bundled tasks the test season does not hold back: a build of them takes seconds."""


@pytest.fixture(scope="module")
def shelves():
    """The test source `shelves`, installed for one module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PLUGIN))
        yield source("shelves")


@pytest.fixture(scope="module")
def season_file(tmp_path_factory):
    """A sealed season that holds back most bundled tasks and an operator, and has a plug-in."""
    held = tuple(c.task.id for c in source("handmade").candidates(DEVELOPMENT) if c.task.id.split("/")[1] not in USED)
    folder = tmp_path_factory.mktemp("season")
    _, secret, _ = new_season(
        folder, "test", withheld_tasks=held, withheld_operators=("wrong_tool",), plugin=PLUGIN / "extra.py"
    )
    return secret


@pytest.fixture(scope="module")
def built(shelves, season_file, tmp_path_factory):
    """A small suite with every kind of file, really built."""
    season = read_season(season_file)
    plugin = open_plugin(season, season_file.parent)
    place = tmp_path_factory.mktemp("built") / "suite"
    return build(place, ["handmade", "shelves"], season, workers=2, plugin=plugin)


@pytest.fixture(scope="module")
def locked(built, tmp_path_factory):
    """A copy of the built suite, locked; whoever changes it puts it back."""
    place = tmp_path_factory.mktemp("locked") / "suite"
    shutil.copytree(built.path, place)
    lock(place, unaudited=True)
    return place
