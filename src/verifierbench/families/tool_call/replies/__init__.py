"""Tasks answered by a structured reply: no call is right, and the solver says why in a form that is public.

A `Reply` says what is right; `build_reply` makes the task and its cases from it. The form is a text of our own, the
same in every such task, so that it does not give the verdict away.
"""

from __future__ import annotations

from .build import build_reply, reply_task
from .form import FORM, MATERIAL, POINTER, Why
from .spec import Reply, answer_of, reply_clauses, reply_reference

__all__ = [
    "FORM",
    "MATERIAL",
    "POINTER",
    "Reply",
    "Why",
    "answer_of",
    "build_reply",
    "reply_clauses",
    "reply_reference",
    "reply_task",
]
