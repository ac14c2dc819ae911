"""ACEBench's real entries: our reading against upstream's gold, and upstream's checker against the ledger.

Uses the folder that VERIFIERBENCH_ACEBENCH names (upstream's layout, data alone), or what `verifierbench sources
install acebench` left; without either the tests are skipped.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from verifierbench.core import DEVELOPMENT, Candidate, Verdict
from verifierbench.families import decide
from verifierbench.families.tool_call import FAMILY
from verifierbench.sources.acebench import ACEBENCH
from verifierbench.sources.acebench.bring import is_here
from verifierbench.sources.acebench.checker import AceChecker
from verifierbench.sources.acebench.comparison import listed, taken_call
from verifierbench.sources.acebench.curation import curation
from verifierbench.sources.acebench.data import COMMAND, Entry, load, split_id
from verifierbench.sources.acebench.explanations import explain
from verifierbench.sources.acebench.tasks import WHY, candidates
from verifierbench.sources.due import entry_of, slots
from verifierbench.sources.environment import is_installed
from verifierbench.suite.validate import validate

TABLES = curation()
SAMPLE = 4
"""Upstream is asked about every so many cases: each question takes a fork of the worker."""


@pytest.fixture(scope="session")
def folder() -> Path:
    chosen = os.environ.get("VERIFIERBENCH_ACEBENCH")
    found = Path(chosen) if chosen else ACEBENCH.folder
    if not is_here(found):
        pytest.skip(f"needs `{COMMAND}`, or VERIFIERBENCH_ACEBENCH to name a folder with upstream's files")
    return found


@pytest.fixture(scope="session")
def entries(folder: Path) -> dict[str, Entry]:
    return load(folder, [task.id for task in TABLES.task])


@pytest.fixture(scope="session")
def made(entries: dict[str, Entry]) -> dict[str, Candidate]:
    return {entry_of(found.task.id): found for found in candidates(entries, TABLES, DEVELOPMENT)}


@pytest.fixture(scope="session")
def checker(entries: dict[str, Entry]) -> Iterator[AceChecker]:
    from verifierbench.sources.acebench import REQUIREMENTS

    if not is_installed(ACEBENCH.packages, REQUIREMENTS):
        pytest.skip(f"needs `{COMMAND}`")
    found = AceChecker(ACEBENCH.packages, entries)
    yield found
    found.close()


def test_the_suite_is_bilingual_and_has_every_kind(made: dict[str, Candidate], entries: dict[str, Entry]) -> None:
    kinds = Counter((split_id(each)[0], entries[each].category in WHY) for each in made)
    assert kinds["en", False] >= 30
    assert kinds["en", True] >= 6
    assert kinds["zh", False] + kinds["zh", True] >= 10
    assert {entries[each].category for each in made} >= WHY.keys()


def test_every_case_is_labelled_as_the_reference_decides(made: dict[str, Candidate]) -> None:
    for candidate in made.values():
        validate(candidate)
        for case in candidate.cases:
            finding = decide(FAMILY, candidate.task.reference, case.content, lambda _: None)
            assert finding.ok == (case.label is Verdict.PASS), case.id
    assert sum(len(each.cases) for each in made.values()) >= 25 * len(made)


def test_a_place_that_must_be_stated_is_one_of_upstreams_gold(
    made: dict[str, Candidate], entries: dict[str, Entry]
) -> None:
    for identifier, candidate in made.items():
        due = slots(candidate.task)
        for number, (slot, gold) in enumerate(zip(due, entries[identifier].gold.values(), strict=True) if due else ()):
            gone = {
                each.argument
                for each in TABLES.defect
                if (each.task, each.call) == (identifier, number) and each.remove
            }
            assert {place.argument for place in slot.places.values() if listed(place)} == gold.keys() - gone, identifier


def test_an_entry_is_a_task_or_left_out_with_a_reason(folder: Path) -> None:
    kept, out = [task.id for task in TABLES.task], [each.id for each in TABLES.left_out]
    assert len({*kept, *out}) == len(kept) + len(out)
    assert set(load(folder, out)) == set(out)
    assert all(len(each.why.split()) > 3 for each in TABLES.left_out)


def test_the_tables_hold_a_few_words_and_no_sentence() -> None:
    for task in TABLES.task:
        for due in task.call:
            said = (text for words in due.said.values() for text in ([words] if isinstance(words, str) else words))
            for text in (due.why, *said):
                assert len(re.findall(r"[A-Za-z'-]+", text)) <= 6, text
                assert len(re.findall(r"[\u4e00-\u9fff]", text)) <= 16, text


def test_the_ledger_describes_upstream_on_every_case_asked(made: dict[str, Candidate], checker: AceChecker) -> None:
    for candidate in made.values():
        due = slots(candidate.task)
        for case in candidate.cases[::SAMPLE]:
            decision = checker.decide(candidate.task, case.content)
            assert decision.verdict is not None, case.id
            if decision.verdict is not case.label:
                assert explain(candidate.task, case, decision) is not None, case.id
            if due:
                calls = [call for turn in case.content["turns"] for call in turn["calls"]]
                names = Counter(call["name"] for call in calls) == Counter(slot.tool for slot in due)
                taken = names and all(any(taken_call(slot, call) is not None for call in calls) for slot in due)
                assert taken == (decision.verdict is Verdict.PASS), case.id
