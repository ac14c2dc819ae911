"""The small pieces every section of the page is made of; whatever a suite says goes through `e`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from ..text import visible


def e(text: object) -> str:
    """Text as HTML: what cannot be seen is written out, what would be markup is escaped."""
    return escape(visible(str(text)))


def code(text: object) -> str:
    """The same, as code."""
    return f"<code>{e(text)}</code>"


def path(text: str) -> str:
    """A long name as code that breaks, where it must, between its parts."""
    broken = re.sub(r"([/_.])", r"\1<wbr>", e(text))
    return f"<code>{broken}</code>"


def table(headings: Sequence[str], rows: Iterable[str], *, note: str = "", kind: str = "") -> str:
    """A table that scrolls by itself where the screen is narrow; headings and rows are HTML already."""
    told = f'<p class="small faint">{note}</p>' if note else ""
    head = "".join(headings)
    return (
        f'{told}<div class="scroll" tabindex="0"><table class="{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def heading(text: str, kind: str = "") -> str:
    """A column's heading."""
    return f'<th scope="col" class="{kind}">{text}</th>' if kind else f'<th scope="col">{text}</th>'


def number(value: float | None, form: str = ",") -> str:
    """A cell with a number, or a dash where there is none."""
    return f'<td class="n">{"–" if value is None else format(value, form)}</td>'


def tally(counts: Mapping[str, int], what: str) -> str:
    """A small table of counts; nothing where there are none."""
    if not counts:
        return ""
    rows = (f'<tr><th scope="row">{code(name)}</th>{number(n)}</tr>' for name, n in counts.items())
    return table([heading(what), heading("tasks", "n")], rows)


def paragraphs(prose: str) -> str:
    """Plain prose: an empty line parts paragraphs."""
    return "".join(f"<p>{e(' '.join(part.split()))}</p>" for part in prose.split("\n\n") if part.strip())
