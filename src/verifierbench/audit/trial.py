"""The auditor on trial: what each check says of defects that were planted and of controls that are sound.

Sensitivity is the share of planted defects that the check names, the false-alarm rate the share of controls about
which it says anything; each with its exact interval. Plants are chosen, not drawn, so the interval speaks of plants
like these, not of every defect there may be; what the audit finds of real defects is measured apart (`recall`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from verifierbench.core import UnknownName, canonical_hash
from verifierbench.execution import Job, Ledger, LocalExecutor, Progress, Unit, silent
from verifierbench.measures import exact_interval
from verifierbench.scoring import PublicEnvironments
from verifierbench.suite import Suite

from .checks import NAMES, check
from .gather import Gatherer
from .selfaudit import Plant, plants, with_runs


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one plant."""

    name: str
    task: str
    says: str
    expect: str
    odd: bool
    right: bool
    """A defect that was named, or a control about which nothing was said."""
    said: tuple[str, ...]
    """What the check said, `<reason>: <sentence>`."""


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """A share with its exact 95 % interval, in percent."""

    count: int
    of: int

    @property
    def percent(self) -> float:
        """The share; NaN never: a share of nothing is 0."""
        return 100 * self.count / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float] | None:
        """Clopper–Pearson; None where there was nothing to try."""
        bounds = exact_interval(self.count, self.of)
        return None if bounds is None else (100 * bounds[0], 100 * bounds[1])


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """All plants of one check."""

    check: str
    tried: tuple[Tried, ...]

    @property
    def sensitivity(self) -> Share:
        """Planted defects that were named."""
        return _share(one.right for one in self.tried if one.expect == "flaw")

    @property
    def false_alarms(self) -> Share:
        """Controls about which something was said."""
        return _share(not one.right for one in self.tried if one.expect == "silence")

    @property
    def odd(self) -> int:
        """How many controls invite a false alarm."""
        return sum(one.odd for one in self.tried)

    @property
    def tasks(self) -> int:
        """Over how many tasks the plants are spread."""
        return len({one.task for one in self.tried})


def trials(
    suite: Suite, names: Sequence[str] = NAMES, *, workers: int | None = None, said: Progress = silent
) -> tuple[Trial, ...]:
    """Try every plant of these checks on a suite; raises `UnknownName` where a plant's task is not in it."""
    units = [_unit(name, task) for name in names for task in _tasks(suite, name)]
    job = Job(entry=f"{__name__}:Planter", settings={"suite": str(suite.path.resolve())}, at_once=1)
    with TemporaryDirectory(prefix="verifierbench-") as scratch:
        ledger = Path(scratch) / "trials.sqlite"
        LocalExecutor(workers).run(job, units, ledger, said)
        with Ledger(ledger) as finished:
            results = finished.results([unit.key for unit in units])
    tried: dict[str, list[Tried]] = defaultdict(list)
    for unit in units:
        tried[unit.payload["check"]] += msgspec.json.decode(results[unit.key], type=list[Tried])
    return tuple(Trial(check=name, tried=tuple(tried[name])) for name in names)


class Planter:
    """Meets `execution.Worker`: a unit is one check's plants in one task."""

    def __init__(self, settings: dict[str, str]) -> None:
        suite = Suite.load(Path(settings["suite"]))
        self._environments = PublicEnvironments(suite.evidence)
        self._gatherer = Gatherer(suite, self._environments)

    def compute(self, payload: dict[str, Any]) -> bytes:
        """Plant and look."""
        subject = with_runs(self._gatherer.subject(self._gatherer.suite.task(payload["task"])))
        chosen = [plant for plant in plants(payload["check"]) if plant.task == payload["task"]]
        return msgspec.json.encode([_try(plant, subject) for plant in chosen])

    def close(self) -> None:
        """Close environments and evidence."""
        self._environments.close()


def _try(plant: Plant, subject: Any) -> Tried:
    flaws = check(plant.check).examine(plant.change(subject)).flaws
    named = [flaw for flaw in flaws if not plant.where or plant.where in (flaw.case, flaw.place)]
    return Tried(
        name=plant.name,
        task=plant.task,
        says=plant.says,
        expect=plant.expect,
        odd=plant.odd,
        right=bool(named) if plant.expect == "flaw" else not flaws,
        said=tuple(f"{flaw.reason}: {flaw.says}" for flaw in flaws),
    )


def _tasks(suite: Suite, name: str) -> list[str]:
    wanted = sorted({plant.task for plant in plants(name)})
    known = {task.id for task in suite.tasks}
    for task in wanted:
        if task not in known:
            raise UnknownName("task", task, tuple(known))
    return wanted


def _unit(name: str, task: str) -> Unit:
    payload = {"check": name, "task": task}
    return Unit(key=canonical_hash(payload), payload=payload)


def _share(held: Iterable[bool]) -> Share:
    counted = list(held)
    return Share(count=sum(counted), of=len(counted))
