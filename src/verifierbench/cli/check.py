"""`verifierbench check VERIFIER --task T`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ._common import json_option, print_json, printable, progress, suite_option

if TYPE_CHECKING:
    from verifierbench.core import Case, Task
    from verifierbench.scoring import Checked
    from verifierbench.suite import Suite


@click.command("check")
@click.argument("verifier", type=click.Path(path_type=Path))
@click.option("--task", "name", required=True, help="The task, by id or alias; `suite show DIR` lists them.")
@suite_option
@click.option(
    "--solution", type=click.Path(path_type=Path), help="Decide this one solution instead of the hidden cases."
)
@json_option
def command(verifier: Path, name: str, suite_path: Path, solution: Path | None, as_json: bool) -> None:
    """Run your own verifier exactly as scoring will, and print each wrong decision with the clause it got wrong.

    \b
    verifierbench check verifier.py --task handmade/TASK
    verifierbench check verifier.py --task handmade/TASK --solution mine.json
    """
    from verifierbench.core.files import read_bytes
    from verifierbench.suite import Suite

    suite = Suite.load(suite_path)
    task, source = suite.task(name), read_bytes(verifier)
    if solution is not None:
        _one(suite, task, source, solution, as_json)
        return
    rows = [_row(task, checked) for checked in _decide(suite, task, source, suite.cases(task), quiet=as_json)]
    found = {"schema": 1, "task": task.id, **_figures(rows), "wrong": [row for row in rows if not row["right"]]}
    if as_json:
        print_json(found)
    else:
        _tell(found)


def _decide(suite: Suite, task: Task, source: bytes, cases: tuple[Case, ...], *, quiet: bool = True) -> list[Checked]:
    from verifierbench.scoring import check

    decided: list[Checked] = []
    with progress(quiet=quiet) as say:
        for checked in check(source, task, cases, evidence=suite.evidence):
            decided.append(checked)
            say("deciding", len(decided), len(cases))
    return decided


def _one(suite: Suite, task: Task, source: bytes, file: Path, as_json: bool) -> None:
    """Decide the user's own solution, which must fit the family's schema."""
    import msgspec

    from verifierbench.core import Case, CaseKind
    from verifierbench.core.files import decode

    content = decode(file, object)
    _refuse_misfit(task, content, file)
    case = Case(id="yours", task=task.id, kind=CaseKind.GOLD, content=content, operator="yours", grounds=())
    (checked,) = _decide(suite, task, source, (case,))
    decision = checked.row.decision
    if as_json:
        print_json({"schema": 1, "task": task.id, "decision": msgspec.to_builtins(decision), "output": checked.output})
        return
    click.echo(_said(msgspec.to_builtins(decision)))
    if checked.output:
        click.echo(printable(checked.output))


def _refuse_misfit(task: Task, content: Any, file: Path) -> None:
    import jsonschema

    from verifierbench.core import MalformedInput
    from verifierbench.families import family

    validator = jsonschema.Draft202012Validator(family(task.family).solution_schema)
    for error in validator.iter_errors(content):
        raise MalformedInput(file, error.json_path, f"does not fit the solution schema: {error.message[:200]}")


def _row(task: Task, checked: Checked) -> dict[str, Any]:
    import msgspec

    case, decision = checked.case, checked.row.decision
    clauses = {clause.id: clause.text for clause in task.clauses}
    return {
        "case": case.id,
        "kind": case.kind.value,
        "label": case.label.value,
        "decision": msgspec.to_builtins(decision),
        "right": decision.verdict is case.label,
        "grounds": [{"clause": g.clause, "text": clauses[g.clause], "note": g.note} for g in case.grounds],
    }


def _figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    def share(label: str) -> float:
        right = [row["right"] for row in rows if row["label"] == label]
        return float(100 * sum(right) / len(right))

    tpr, tnr = share("PASS"), share("FAIL")
    return {"cases": len(rows), "tpr": tpr, "tnr": tnr, "ba_norm": tpr + tnr - 100}


def _tell(found: dict[str, Any]) -> None:
    said = [_said(row["decision"]) for row in found["wrong"]]
    if len(said) == found["cases"] and len(set(said)) == 1 and found["wrong"][0]["decision"].get("reason"):
        click.echo(f"every case: {said[0]}")
        found = {**found, "told": True}
    for row in [] if found.get("told") else found["wrong"]:
        click.echo(f"{row['case']}: {_said(row['decision'])}, should be {row['label']} ({row['kind']})")
        for ground in row["grounds"]:
            click.echo(f"    {ground['clause']}: {ground['text']} ({ground['note']})")
    click.echo(
        f"{found['task']}: {found['cases'] - len(found['wrong'])} of {found['cases']} right; "
        f"TPR {found['tpr']:.1f}, TNR {found['tnr']:.1f}, TPR + TNR − 100 = {found['ba_norm']:.1f}"
    )


def _said(decision: dict[str, Any]) -> str:
    if decision.get("verdict"):
        return str(decision["verdict"])
    line = f" at line {decision['line']}" if decision.get("line") else ""
    return f"no decision, {decision['reason']}{line}: {decision.get('detail', '')}".rstrip(": ")
