"""The page's sections but the flaws: checks, candidates, mutants, upstream's checkers, tasks, how to mend."""

from __future__ import annotations

from ...report import CheckSummary, Finding, Mark, Outcome, Report
from ..document import counts
from .parts import code, e, heading, number, paragraphs, path, table, tally


def checks(report: Report) -> str:
    """One row per check."""
    headings = [
        heading("", "c"),
        heading("check"),
        heading("what it asks"),
        heading("held", "n"),
        heading("flaws", "n"),
    ]
    return table(
        headings,
        map(_check, report.checks),
        note="<b>Held</b> counts single assertions that were made and were true. A check that held nothing was "
        "<b>not exercised</b>: there was nothing in the suite it could look at, so its silence means nothing.",
        kind="wide stack",
    )


def _check(check: CheckSummary) -> str:
    kind, sign, words = _state(check)
    note = "" if check.exercised else ' <b class="warn">Not exercised.</b>'
    return (
        f'<tr class="{kind}"><td class="c"><b title="{words}" role="img" aria-label="{words}">{sign}</b></td>'
        f'<th scope="row"><a href="#about-{e(check.name)}">{e(check.name)}</a></th>'
        f'<td class="q">{e(check.question)}{note}</td><td class="n held">{check.passed:,}</td>'
        f'<td class="n" data-label="flaws:"><b>{len(check.findings):,}</b></td></tr>'
    )


def _state(check: CheckSummary) -> tuple[str, str, str]:
    if not check.ok:
        return "bad", "✗", "flaws were found"
    return ("good", "✓", "holds") if check.exercised else ("warn", "–", "not exercised")


def candidates(report: Report) -> str:
    """From candidates to what is retained, with every exclusion counted once."""
    found = counts(report)
    before = sum(1 for outcome in report.excluded if outcome.at == "build")
    steps = [
        (found["candidates"], "candidates"),
        (before, "excluded before the audit"),
        (len(report.excluded) - before, "excluded by this audit"),
        (found["retained"], "retained"),
    ]
    flow = "".join(f"<li><b>{n:,}</b>{words}</li>" for n, words in steps)
    kept = tally(found["retained_by_source"], "retained, by source")
    kept += tally(found["retained_by_family"], "retained, by family")
    lost = tally(found["excluded"], "excluded, by reason") + tally(found["excluded_by_source"], "excluded, by source")
    note = "<p class='small faint'>A task with several reasons counts once, under the first.</p>" if lost else ""
    tables = f'<div class="beside">{kept}</div><div class="beside">{lost}</div>'
    return f'<ol class="flow">{flow}</ol>{tables}{note}{_before(report)}'


def _before(report: Report) -> str:
    lost = [outcome for outcome in report.excluded if outcome.at == "build"]
    if not lost:
        return ""
    rows = "".join(
        f"<li>{code(one.task)}: {code(', '.join(one.reasons))}<br>{e('; '.join(one.evidence)[:600])}</li>"
        for one in lost
    )
    return f"<details><summary>The {len(lost):,} excluded before the audit</summary><ul>{rows}</ul></details>"


def mutants(report: Report) -> str:
    """What became of the references' mutants, with the survivors."""
    found = report.mutants
    if not found.total:
        return "<p>No mutant was made: the mutation check was not run, or no reference here has named parts.</p>"
    parts = [("killed", found.killed), ("equivalent", found.equivalent), ("survived", found.survived)]
    bar = "".join(f'<i class="{name}" style="flex:{n}"></i>' for name, n in parts if n)
    told = ", ".join(f"{n:,} {name} ({100 * n / found.total:.1f} %)" for name, n in parts)
    rows = (f'<tr><th scope="row">{code(name)}</th>{number(n)}</tr>' for name, n in found.by_operator.items())
    by_operator = table([heading("operator"), heading("mutants", "n")], rows) if found.by_operator else ""
    return (
        "<p>A mutant is a reference with one named part dropped or weakened. If no case is decided otherwise, nothing "
        "in the suite defends that part, and a verifier that omits it scores as well as one that does not.</p>"
        f'<div class="bar" role="img" aria-label="{told}">{bar}</div>'
        f"<p><b>{found.total:,} mutants</b>, {found.configurations_per_task or 0:.1f} per task: {told}.</p>"
        f"{_survivors(report)}{by_operator}"
    )


def _survivors(report: Report) -> str:
    found = [finding for check in report.checks if check.name == "mutation" for finding in check.findings]
    if not found:
        return "<p>None survived without an account.</p>"
    rows = "".join(f'<li><a href="#{e(one.id)}">{_named(one)}</a></li>' for one in found[:50])
    more = f"<li>and {len(found) - 50:,} more, below</li>" if len(found) > 50 else ""
    return (
        f"<details open><summary>What the check found wrong ({len(found):,})</summary><ul>{rows}{more}</ul></details>"
    )


def _named(finding: Finding) -> str:
    named = " ".join(path(name) for name in (finding.task, finding.place) if name)
    return named if finding.task and finding.place else e(finding.says)


def agreement(report: Report) -> str:
    """The upstream checkers, measured like any verifier."""
    if not report.source_agreement:
        return "<p>No source of this suite brings a checker of its own, or the agreement check was not run.</p>"
    names = ("tasks", "cases", "agree", "differ, explained", "differ, not explained", "BA_norm")
    rows = (
        f'<tr><th scope="row">{code(source)}</th>'
        + "".join(map(number, (one.tasks, one.cases, one.agree, one.explained, one.unexplained)))
        + number(one.ba_norm, ".1f")
        + "</tr>"
        for source, one in report.source_agreement.items()
    )
    return (
        "<p>Upstream's checker is never trusted and always measured. Where it differs from a label, an entry in its "
        "ledger of defects must say why; a difference nobody has explained is a flaw. BA_norm is TPR + TNR − 100 in "
        "percent, each task weighing the same: 100 is perfect agreement, 0 a constant verdict.</p>"
        + table([heading("source"), *(heading(name, "n") for name in names)], rows)
    )


def tasks(report: Report) -> str:
    """One row per task, a mark per check."""
    headings = [heading("task"), heading("outcome"), heading("family"), heading("cases", "n")]
    headings += [heading(f"<span>{e(check.name)}</span>", "turned") for check in report.checks]
    rows = (_task(report, place, outcome) for place, outcome in enumerate(report.outcomes) if outcome.at != "build")
    return table(
        headings,
        rows,
        note="✓ holds; ✗ and a number: that many flaws; · nothing to look at in this task.",
        kind="marks",
    )


def _task(report: Report, place: int, outcome: Outcome) -> str:
    marks = "".join(_mark(outcome.marks[check.name], f"#task-{place}") for check in report.checks)
    said = "retained" if outcome.retained else f'<a href="#task-{place}">excluded</a>'
    return (
        f'<tr><th scope="row">{path(outcome.task)}</th><td>{said}</td>'
        f"<td>{e((outcome.family or '').replace('_', '-'))}</td>{number(outcome.cases)}{marks}</tr>"
    )


def _mark(mark: Mark, flaws: str) -> str:
    if mark.failed:
        words = f"{mark.failed} flaws, {mark.passed} held"
        return (
            f'<td class="c bad"><a href="{flaws}" title="{words}" aria-label="{words}"><b>✗ {mark.failed}</b></a></td>'
        )
    if mark.passed:
        return f'<td class="c good"><b title="{mark.passed} held" role="img" aria-label="holds">✓</b></td>'
    return (
        '<td class="c faint"><span title="nothing to look at" role="img" aria-label="nothing to look at">·</span></td>'
    )


def about(report: Report) -> str:
    """How to mend, and every check in its own words."""
    return _MEND + "".join(map(_about, report.checks))


_MEND = """<p>A flaw says that label, reference, evidence and task do not fit together; it does not say which of them is
wrong. Read the task's words first: they decide.</p><ol>
<li>Run the flaw's script and see it. It exits 1 while the flaw stands.</li>
<li>Decide from the clause and the words it cites. If they do not settle the case, drop the case.</li>
<li>Mend the source (a label, a reference, a case) and build the suite again. Never bend a label to please a
checker.</li>
<li>Audit again, or let <code>verifierbench audit DIR --exclude</code> move what you cannot mend out of the suite with
its reason.</li></ol>"""


def _about(check: CheckSummary) -> str:
    reasons = "".join(f"<li>{code(f'{check.name}.{reason}')}: {e(text)}</li>" for reason, text in check.reasons.items())
    return (
        f"<details{' open' if check.findings else ''}><summary><b>{e(check.name)}</b>: {e(check.question)}</summary>"
        f'<div id="about-{e(check.name)}" class="words">{paragraphs(check.prose)}</div>'
        f"<p>Reasons it may give:</p><ul>{reasons}</ul>{_facts(check)}</details>"
    )


def _facts(check: CheckSummary) -> str:
    told = ", ".join(f"{e(name.replace('_', ' '))} {count:,.10g}" for name, count in check.facts.items())
    return f"<p class='faint small'>Counted in all tasks together: {told}.</p>" if told else ""
