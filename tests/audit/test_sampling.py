"""Which cases an audit sees again: all, and of very many code cases gold, what is unrepaired, and one of each kind."""

from types import SimpleNamespace

from verifierbench.audit.sampling import MOST, seen_again
from verifierbench.core import CaseKind, Family

PER_TASK = (
    [CaseKind.GOLD, CaseKind.BASE, CaseKind.BASE]
    + [CaseKind.ALTERNATIVE] * 5
    + [CaseKind.HACK] * 4
    + [CaseKind.PARTIAL]
)


def suite(tasks, family):
    made = [SimpleNamespace(id=f"t{number}", family=family) for number in range(tasks)]
    cases = [
        SimpleNamespace(id=f"{task.id}#{number}", task=task.id, kind=kind)
        for task in made
        for number, kind in enumerate(PER_TASK)
    ]
    return made, cases


def test_few_code_cases_are_all_seen_again():
    tasks, cases = suite(MOST // len(PER_TASK), Family.CODE)
    assert sum(map(len, seen_again(tasks, cases).values())) == len(cases)


def test_of_many_code_cases_gold_and_base_and_one_of_each_other_kind_are():
    tasks, cases = suite(MOST // len(PER_TASK) + 1, Family.CODE)
    again = seen_again(tasks, cases)
    kinds = {case.id: case.kind for case in cases}
    for task in tasks:
        seen = sorted(kinds[name].value for name in again[task.id])
        assert seen == ["alternative", "base", "base", "gold", "hack", "partial"]
    assert again == seen_again(tasks, cases)


def test_tasks_of_other_families_are_always_seen_whole():
    tasks, cases = suite(MOST, Family.STATE)
    assert all(len(ids) == len(PER_TASK) for ids in seen_again(tasks, cases).values())


def test_cases_of_tasks_that_are_not_asked_about_do_not_count():
    tasks, cases = suite(MOST, Family.CODE)
    assert seen_again(tasks[:1], cases) == {"t0": frozenset(case.id for case in cases[: len(PER_TASK)])}
