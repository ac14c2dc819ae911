"""Gold and the unrepaired repository of every code task, judged again and again under other hash seeds.

The commands of code tasks run with PYTHONHASHSEED=0, so a reference that holds by the luck of that seed would never be
seen. Here each run has a seed of its own. Run it on a machine that is busy with something else:

    python benchmarks/hash_seeds.py SUITE [RUNS [WORKERS]]

Prints one line for each decision that is not the label, and one JSON line at the end; exits 1 where there were any.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from verifierbench.audit.judges import TreeJudge
from verifierbench.core import Case, CaseKind, EnvironmentRefusal, Family, Task, Verdict
from verifierbench.families import family, view
from verifierbench.sources import environment_for
from verifierbench.suite import Suite


def judged(task: Task, case: Case, seeds: range) -> Iterator[tuple[int, bool]]:
    """Whether the reference accepts a case, seed by seed."""
    definition, environment = family(task.family), environment_for(task)
    assert environment is not None
    judge = TreeJudge.of(task.reference, definition)
    try:
        for seed in seeds:
            yield seed, judge.decide(view(definition, task.reference, case.content, seeded(environment, seed))).ok
    finally:
        environment.close()


def seeded(environment: Any, seed: int) -> Any:
    """Executes requests with every command under a hash seed."""

    def execute(request: Any) -> Any:
        commands = [["env", f"PYTHONHASHSEED={seed}", *command] for command in request["commands"]]
        return environment.execute({**request, "commands": commands})

    return execute


def wrong(work: tuple[Task, Case, int]) -> list[str]:
    """A line for each seed under which the decision is not the label."""
    task, case, runs = work
    try:
        found = list(judged(task, case, range(1, runs + 1)))
    except EnvironmentRefusal as refusal:
        return [f"{case.id}: {refusal}"]
    return [
        f"{case.id}: {'PASS' if ok else 'FAIL'} under seed {seed}"
        for seed, ok in found
        if ok is not (case.label is Verdict.PASS)
    ]


def chosen(suite: Suite) -> Iterator[tuple[Task, Case]]:
    """Each code task's gold, and its first unrepaired case."""
    for task in suite.tasks:
        if task.family is Family.CODE:
            cases = suite.cases(task)
            for kind in (CaseKind.GOLD, CaseKind.BASE):
                yield task, next(case for case in cases if case.kind is kind)


def main() -> None:
    """Judge and print."""
    suite = Suite.load(Path(sys.argv[1]))
    runs, workers = (int(word) for word in [*sys.argv[2:4], *("10", "2")[len(sys.argv) - 2 :]])
    work = [(task, case, runs) for task, case in chosen(suite)]
    with ProcessPoolExecutor(workers) as pool:
        lines = [line for found in pool.map(wrong, work) for line in found]
    for line in lines:
        print(line)
    print(json.dumps({"cases": len(work), "runs": runs, "decisions": len(work) * runs, "wrong": len(lines)}))
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
