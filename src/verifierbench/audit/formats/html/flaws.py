"""Each flaw with its sentence, evidence and script; long ones are cut with a word about where the whole is."""

from __future__ import annotations

import json
import shlex
from typing import Any

from ...report import Finding, Report
from ..text import by_task, kinds
from .parts import code, e, heading, number, path, table

TOLD = 300
"""Flaws told in full; past that, one line each."""

_WIDTH = 110

LONGEST = 20_000
"""Characters of evidence, or of a script, that stand on the page."""


def flaws(report: Report) -> str:
    """All of them, the suite's own first, then task by task."""
    command = shlex.join(["verifierbench", "audit", report.suite.path, "--reproduce"])
    if report.ok:
        return "<p>There is none.</p>"
    places = {outcome.task: place for place, outcome in enumerate(report.outcomes)}
    told, out = 0, [_kinds(report)]
    for task, findings in by_task(report).items():
        out.append(f'<h3 id="task-{places[task]}">{code(task)}</h3>' if task else "<h3>The suite as a whole</h3>")
        for finding in findings:
            out.append(_flaw(finding, command) if told < TOLD else _line(finding))
            told += 1
    return "".join(out)


def _kinds(report: Report) -> str:
    headings = [heading("flaws", "n"), heading("tasks", "n"), heading("reason"), heading("meaning")]
    rows = (
        f'<tr>{number(kind.flaws)}{number(kind.tasks)}<th scope="row">{path(kind.rule)}</th>'
        f"<td>{e(kind.meaning)}</td></tr>"
        for kind in kinds(report)
    )
    return table(headings, rows)


def _flaw(finding: Finding, command: str) -> str:
    return (
        f'<article id="{e(finding.id)}">'
        f'<h4>{_rule(finding)}<a class="small" href="#{e(finding.id)}">{e(finding.id)}</a></h4>'
        f"<p>{e(finding.says)}</p><p class='faint small'>This kind of flaw: {e(finding.meaning)}.{_where(finding)}</p>"
        f"{_evidence(finding.evidence)}{_script(finding, command)}</article>"
    )


def _line(finding: Finding) -> str:
    return f'<p id="{e(finding.id)}">{_rule(finding)} {e(finding.says)} <span class="faint">{e(finding.id)}</span></p>'


def _rule(finding: Finding) -> str:
    return f'<a href="#about-{e(finding.check)}">{code(finding.rule)}</a>'


def _where(finding: Finding) -> str:
    about = [("case", finding.case), ("place", finding.place)]
    return "".join(f" {name.capitalize()}: {code(value)}." for name, value in about if value)


def _evidence(evidence: dict[str, Any]) -> str:
    if not evidence:
        return ""
    text = _cut(_pretty(evidence), "--json shows all")
    return f'<details><summary>Evidence</summary><pre tabindex="0">{e(text)}</pre></details>'


def _script(finding: Finding, command: str) -> str:
    if not finding.reproduction:
        return ""
    size = len(finding.reproduction)
    script = (
        f'<p class="small faint">The script has {size:,} characters: let the command write it.</p>'
        if size > LONGEST
        else f'<pre class="copy" tabindex="0">{e(finding.reproduction)}</pre>'
    )
    line = f"{command} {finding.id} -o flaw.py && python flaw.py"
    return f'<details><summary>Reproduce</summary><pre class="copy" tabindex="0">{e(line)}</pre>{script}</details>'


def _pretty(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits into a line stands in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= _WIDTH or not isinstance(value, dict | list):
        return flat
    deeper = f"{indent}  "
    if isinstance(value, dict):
        lines = [f"{json.dumps(name, ensure_ascii=False)}: {_pretty(one, deeper)}" for name, one in value.items()]
        return "{\n" + ",\n".join(deeper + line for line in lines) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _pretty(one, deeper) for one in value) + f"\n{indent}]"


def _cut(text: str, where: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}\n… {len(text) - LONGEST:,} more characters; {where}"
