"""Release pairs: gold is a part of what changed between two releases, and every task reads whole."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifierbench.core import DEVELOPMENT, Inconsistent
from verifierbench.families.code.operators import OPERATORS, cases
from verifierbench.families.code.pytest_operators import PYTEST
from verifierbench.sources.releases import RELEASES
from verifierbench.sources.releases.gold import merged, repaired, runs
from verifierbench.sources.releases.reading import TASKS, Reading

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n"]), max_size=8).map("".join)
FOLDERS = sorted(path for path in TASKS.iterdir() if (path / "task.toml").exists())


@given(LINES, LINES)
def test_all_runs_together_are_the_newer_text_and_none_the_older(old, new):
    assert merged(old, new, None) == new
    assert merged(old, new, []) == old
    assert merged(old, new, range(len(runs(old, new)))) == new


@given(LINES, LINES, st.data())
def test_runs_left_out_can_be_taken_later(old, new, data):
    count = len(runs(old, new))
    some = data.draw(st.sets(st.integers(0, count - 1))) if count else set()
    assert merged(old, new, some).count("\n") - old.count("\n") == sum(
        len(after) - len(before) for number, (before, after) in enumerate(runs(old, new)) if number in some
    )


def test_gold_takes_the_runs_of_one_bug_and_nothing_else():
    # Runs: 0 replaces "a", 1 adds "x" after "b".
    old, new = {"m.py": "a\nb\nc\n", "gone.py": "1\n"}, {"m.py": "A\nb\nx\nc\n"}
    assert repaired(old, new, {"m.py": [1]}) == {"m.py": "a\nb\nx\nc\n"}
    assert repaired(old, new, {"m.py": [], "gone.py": []}) == {"m.py": "A\nb\nx\nc\n", "gone.py": None}
    with pytest.raises(Inconsistent, match="2 changed runs"):
        repaired(old, new, {"m.py": [2]})


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_an_issue_has_one_script_and_what_it_must_print(folder):
    blocks = re.findall(r"^```(\w*)\n", (folder / "issue.md").read_text(), re.M)
    assert sorted(block for block in blocks if block) == ["python", "text"]


@pytest.fixture(scope="module")
def installed():
    if not RELEASES.status().ready:
        pytest.skip(RELEASES.status().needs)
    return RELEASES.archives


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_a_task_reads_whole_and_makes_its_cases(installed, folder):
    reading = Reading(folder, installed)
    made = list(cases(reading.draft, DEVELOPMENT))
    assert len({case.content["patch"] for case in made}) == len(made) >= 18
    assert sum(case.label.value == "PASS" for case in made) >= 0.35 * len(made)
    attacks = [case for case in made if case.kind.is_attack]
    assert len(attacks) >= 4
    assert {case.id for case in attacks} <= {case.control_of for case in made}
    table = {**OPERATORS, **PYTEST}
    assert set(reading.said.operators) <= set(table)


@pytest.mark.parametrize("folder", FOLDERS, ids=[folder.name for folder in FOLDERS])
def test_nothing_public_names_the_newer_release_or_holds_gold(installed, folder):
    reading = Reading(folder, installed)
    public, draft = reading.task.public, reading.draft
    assert set(public["materials"]) == {"test_command"}
    for path, text in draft.gold.items():
        assert text is None or reading.repository.get(path) != text
    assert not any(path.startswith(".probe") for path in reading.repository)
