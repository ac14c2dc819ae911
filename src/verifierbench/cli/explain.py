"""`verifierbench explain RUN TASK [CASE]`."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._common import json_option, print_json, printable

if TYPE_CHECKING:
    from verifierbench.analysis import Explanation
    from verifierbench.core import CaseDecision, Run
    from verifierbench.scoring import RunFolder
    from verifierbench.suite import Suite


@click.command("explain")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("task")
@click.argument("case", required=False)
@click.option(
    "--suite", "suite_path", type=click.Path(path_type=Path), help="The suite; default: where the run found it."
)
@json_option
def command(run: Path, task: str, case: str | None, suite_path: Path | None, as_json: bool) -> None:
    """Show one decision: what the verifier could see, what the reference checks, the line that decided.

    Without CASE, list the run's decisions on TASK, the wrong ones first. CASE is a case's id, or what follows its #.

    \b
    verifierbench explain verifierbench-demo/runs/heuristic handmade/TASK
    verifierbench explain verifierbench-demo/runs/heuristic handmade/TASK gold.0
    """
    from verifierbench.scoring import RunFolder
    from verifierbench.suite import Suite

    folder = RunFolder(run)
    about = folder.run()
    suite = Suite.load(suite_path or run / about.suite)
    rows = [row for row in folder.rows() if row.task == suite.task(task).id]
    if case is None:
        _list(rows, as_json)
        return
    explanation = _explain(suite, folder, about, task, case)
    if as_json:
        import msgspec

        print_json({"schema": 1, "right": explanation.right, **msgspec.to_builtins(explanation)})
    else:
        _tell(explanation)


def _list(rows: list[CaseDecision], as_json: bool) -> None:
    import msgspec

    rows = sorted(rows, key=lambda row: (row.decision.verdict is row.label, row.case))
    if as_json:
        print_json({"schema": 1, "decisions": [{**msgspec.to_builtins(row), "label": row.label.value} for row in rows]})
        return
    for row in rows:
        said = row.decision.verdict or row.decision.reason
        mark = " " if row.decision.verdict is row.label else "✗"
        click.echo(f"{mark} {row.case:60} {row.kind.value:18} label {row.label.value}  said {said}")


def _explain(suite: Suite, folder: RunFolder, about: Run, task_name: str, case_name: str) -> Explanation:
    from verifierbench.analysis import explain
    from verifierbench.core import UnknownName, UserError
    from verifierbench.sandbox import Tier

    task = suite.task(task_name)
    cases = {case.id: case for case in suite.cases(task)}
    case = cases.get(case_name) or cases.get(f"{task.id}#{case_name}")
    if case is None:
        raise UnknownName("case of this task", case_name, tuple(name.partition("#")[2] for name in cases))
    digest = folder.verifier_hash(task)
    if digest is None or about.tier is None:
        raise UserError(f"{folder.path} has no verifier for {task.id}: it is decided on the trusted side, or missing")
    return explain(suite, task, case, folder.verifier(task, digest), tier=Tier(about.tier), limits=about.limits)


def _tell(found: Explanation) -> None:
    said = found.decision.verdict or f"no decision, {found.decision.reason}: {found.decision.detail}"
    click.echo(f"{found.case}  ({found.kind}, by {found.operator})")
    click.echo(f"label {found.label}, the verifier said {said}: {'right' if found.right else 'WRONG'}")
    click.echo("\nwhy the label:")
    for clause, note in found.grounds:
        click.echo(f"  {clause.id}: {clause.text} ({note})")
        for span in clause.spans:
            click.echo(f"    {span.material}: {span.quote!r}")
    click.echo(
        f"\nthe reference says {found.reference}" + ("; not satisfied:" if found.broken else "; every atom holds")
    )
    for atom in found.broken:
        click.echo(f"  {atom.name}: {atom.check} {_short(atom.parameters)} (clause {atom.clause})")
    click.echo("\nwhat a verifier may see (env.run as the reference asks it):")
    _tell_parts("solution", found.view["solution"])
    for name, run in found.view["runs"].items():
        _tell_parts(f"env.run, {name}:", run)
    if found.deciding_line:
        click.echo(f"\ndeciding line {found.decision.line}: {found.deciding_line}")
    for (number, text), again in itertools.groupby(found.trail):
        times = len(list(again))
        click.echo(f"  {number:5} {text}" + (f"   ({times} times)" if times > 1 else ""))
    if found.output:
        click.echo(f"\nit printed:\n{printable(found.output)}")


def _tell_parts(name: str, value: Any) -> None:
    """An object part by part and a list item by item, each cut on its own: what decides is seldom at the beginning."""
    if not isinstance(value, dict):
        click.echo(f"  {name} {_short(value, 2000)}")
        return
    click.echo(f"  {name}")
    for key, part in sorted(value.items()):
        items = part if isinstance(part, list) else ()
        for number, item in enumerate(items):
            click.echo(f"    {key}/{number} {_short(item, 500)}")
        if not items:
            click.echo(f"    {key} {_short(part, 2000)}")


def _short(value: Any, limit: int = 300) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters; --json shows all)"
