"""How a model is asked for an effort where its dialect has two ways: by a level, or by a budget of thinking tokens.

Older models refuse a level and newer ones a budget, so the way follows from the model's name; an unknown name is
taken for a new one's. OpenAI's dialects have levels alone.
"""

from __future__ import annotations

import re
from typing import Any

from verifierbench.core import Effort

from .base import Brief

BUDGETS: dict[Effort, int] = {"low": 1_024, "medium": 8_192, "high": 24_576}
"""Thinking tokens, as Google's own OpenAI-compatible endpoint maps the levels."""

_BY_BUDGET = re.compile(r"gemini-2\.|claude-(3|(opus|sonnet|haiku)-4(-[0-5])?(-20\d{6})?$)")


def by_level(model: str) -> bool:
    """Whether it takes a level."""
    return not _BY_BUDGET.match(model)


def gemini_thinking(brief: Brief) -> dict[str, Any]:
    """Gemini's `thinkingConfig`."""
    if by_level(brief.model):
        return {"thinkingLevel": brief.effort.upper()}
    return {"thinkingBudget": BUDGETS[brief.effort]}


def anthropic_thinking(brief: Brief) -> dict[str, Any]:
    """Anthropic's request fields; a budget has to be smaller than the output limit."""
    if by_level(brief.model):
        return {"thinking": {"type": "adaptive"}, "output_config": {"effort": brief.effort}}
    budget = min(BUDGETS[brief.effort], max(brief.output_tokens // 2, 1_024))
    return {"thinking": {"type": "enabled", "budget_tokens": budget}}
