"""The report as one HTML file that needs nothing else: no script, no font, no network.

It is written for somebody who has never seen the suite. What a suite says is hostile until escaped, and the page
forbids itself everything but its own style, so that a case cannot act on whoever reads about it.
"""

from __future__ import annotations

import shlex

from ...report import Report
from ..text import count, verdict
from .flaws import flaws
from .parts import code, e
from .sections import about, agreement, candidates, checks, mutants, tasks
from .style import STYLE

__all__ = ["render"]

_SECTIONS = (
    ("checks", "The checks", checks),
    ("candidates", "What became of the candidates", candidates),
    ("tasks", "Task by task", tasks),
    ("mutants", "Mutants of the references", mutants),
    ("agreement", "Upstream's own checkers", agreement),
    ("flaws", "Flaws", flaws),
    ("mend", "How to mend", about),
)


def render(report: Report) -> str:
    """The whole page."""
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in _SECTIONS)
    sections = "\n".join(
        f'<section aria-labelledby="{name}"><h2 id="{name}">{title}</h2>{section(report)}</section>'
        for name, title, section in _SECTIONS
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Audit of {e(report.suite.name)}</title><style>{STYLE}</style></head><body>
<header><h1>Audit of {e(report.suite.name)}</h1>{_about(report)}{_verdict(report)}{_WHAT}
<nav aria-label="Sections"><ul>{links}</ul></nav></header>
<main>
{sections}
</main>
{_footer(report)}
</body></html>
"""


_WHAT = """<p>A suite judges verifiers: it holds tasks, solutions labelled PASS or FAIL, and a reference that decides
each of them. This audit (V4V, verification for verification) asks whether the suite itself may be believed. Each check
looks for one way in which labels, references and evidence can be wrong; a task stays only where no check finds a flaw,
and everything else is excluded with its reason and evidence.</p>
<p><b class="warn">Hidden cases are quoted below.</b> Do not publish this page, and keep it from the agents you
measure.</p>"""


def _about(report: Report) -> str:
    suite = report.suite
    size = f"{count(len(suite.tasks), 'task')}, {count(suite.cases, 'case')}"
    season = f", season {e(suite.season)}" if suite.season else ""
    return f'<p class="about faint">{size}{season}; {code(suite.path)}</p>'


def _verdict(report: Report) -> str:
    kind, word = ("bad", "Flawed.") if not report.ok else ("good", "Passed.")
    if report.ok and not (report.exercised and report.complete):
        kind, word = "warn", "Passed in part."
    link = "" if report.ok else ' <a href="#flaws">See them.</a>'
    return f'<p class="verdict {kind}"><strong>{word}</strong>{e(verdict(report))}{link}</p>'


def _footer(report: Report) -> str:
    suite = report.suite
    again = shlex.join(["verifierbench", "audit", suite.path])
    return (
        f'<footer class="small faint"><p>Suite {code(suite.hash)}; verifierbench '
        f"{e(report.version)}; {report.seconds:.1f} s. Recompute: {code(again)}</p></footer>"
    )
