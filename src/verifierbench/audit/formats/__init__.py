"""A report in every form it is asked for; each module here has `render(report) -> str`.

What is rendered holds hidden cases, so it belongs beside them and not where an agent or the public reads.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from verifierbench.core import UnknownName

if TYPE_CHECKING:
    from ..report import Report

FORMATS = {"text": "terminal", "json": "document", "html": "html", "sarif": "sarif", "junit": "junit"}
"""Name → module."""


def render(report: Report, name: str) -> str:
    """The report in one format; raises `UnknownName`."""
    if name not in FORMATS:
        raise UnknownName("format", name, tuple(FORMATS))
    rendered: str = importlib.import_module(f"{__name__}.{FORMATS[name]}").render(report)
    return rendered


def to_bytes(rendered: str) -> bytes:
    """UTF-8; a lone surrogate, which a case may hold, is written as JSON writes it."""
    return rendered.encode(errors="backslashreplace")
