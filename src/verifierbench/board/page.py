"""The board as one HTML file that needs nothing else: no script, no font, no network.

It shows figures and how to recompute them. No label, case or clause ever stands on it: the page may be published.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from verifierbench import __version__
from verifierbench.core import Family

from .configurations import Configuration
from .table import cells

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #2563eb }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 84rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 2rem } h2 { font-size: 1.3rem; margin-top: 2rem } p { max-width: 46rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .4rem .55rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
thead th { background: var(--soft) }
.bar { position: relative; width: 7rem; height: 1.2rem }
.bar i { position: absolute; top: .5rem; height: .2rem; background: var(--accent); opacity: .5 }
.bar b { position: absolute; top: .3rem; width: .6rem; height: .6rem; margin-left: -.3rem; border-radius: 50%;
         background: var(--accent) }
.bar u { position: absolute; left: 50%; top: 0; bottom: 0; border-left: 1px dashed var(--line) }
dt { font-weight: 600 } dd { margin: 0 0 .5rem 1rem }
"""

_HEADINGS = ("configuration", "tasks", "BA_norm", "95 % interval", "TPR", "TNR", "FPR_h", "invalid")

_GLOSSARY = (
    ("TPR", "share of hidden valid solutions the verifier accepted, averaged over tasks"),
    ("TNR", "share of hidden invalid solutions it rejected with an explicit FAIL, averaged over tasks"),
    ("BA_norm", "TPR + TNR − 100: a constant verdict scores 0, perfect agreement 100, no verifier −100"),
    ("FPR_h", "share of attacks it accepted, averaged over the tasks that have attacks; lower is better"),
    ("invalid", "share of cases with no decision (crash, time, memory, malformed); they stay in the denominator"),
    ("interval", "95 % t-interval over tasks: what new tasks of the same kind would do to the figure"),
)


def page(configurations: Sequence[Configuration], command: str) -> str:
    """The whole page; `command` recomputes it."""
    families = [family for family in Family if any(family in one.families for one in configurations)]
    headings = "".join(f'<th scope="col">{escape(name)}</th>' for name in (*_HEADINGS, "−100 … 100"))
    headings += "".join(f'<th scope="col">{escape(family.value.replace("_", "-"))}</th>' for family in families)
    rows = "\n".join(_row(one, families) for one in configurations)
    glossary = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in _GLOSSARY)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>VerifierBench board</title><style>{_STYLE}</style></head><body>
<h1>VerifierBench</h1>
<p>Each row is an agent that wrote an executable verifier for every task without seeing a solution to it; the
verifier was frozen and run on hidden solutions labelled PASS or FAIL. All figures are in percent and every task
weighs the same.</p>
<div class="scroll"><table><thead><tr>{headings}</tr></thead><tbody>
{rows}
</tbody></table></div>
<h2>How to read it</h2><dl>{glossary}</dl>
<p><b>reference</b> and <b>source-checker</b> are decided on the trusted side: the first must score 100, the second is
the upstream benchmark's own checker, measured like any verifier on the tasks that have one.</p>
<p>{_about(configurations)} Recompute: <code>{escape(command)}</code></p>
</body></html>
"""


def _about(configurations: Sequence[Configuration]) -> str:
    suites = sorted({one.run.suite_hash[:12] for one in configurations})
    tiers = sorted({one.run.tier for one in configurations if one.run.tier})
    warning = " <b>These runs are of different suites and must not be compared.</b>" if len(suites) > 1 else ""
    named, contained = escape(", ".join(suites)), escape(", ".join(tiers) or "none")
    return f"Suite {named}; sandbox tier {contained}; version {__version__}.{warning}"


def _row(one: Configuration, families: Sequence[Family]) -> str:
    figures = "".join(f"<td>{escape(cell)}</td>" for cell in cells(one.figures))
    by_family = "".join(
        f"<td>{one.families[family].ba_norm:.1f}</td>" if family in one.families else "<td>–</td>"
        for family in families
    )
    return f"<tr><td>{escape(one.run.name)}</td>{figures}<td>{_bar(one)}</td>{by_family}</tr>"


def _bar(one: Configuration) -> str:
    low, high = one.figures.ba_norm_ci or (one.figures.ba_norm, one.figures.ba_norm)
    left, right = _position(low), _position(high)
    dot = _position(one.figures.ba_norm)
    return (
        f'<div class="bar"><u></u><i style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
        f'<b style="left:{dot:.1f}%"></b></div>'
    )


def _position(score: float) -> float:
    return (min(100.0, max(-100.0, score)) + 100) / 2
