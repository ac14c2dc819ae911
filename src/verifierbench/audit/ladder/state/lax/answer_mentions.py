"""Lax: what gold changes is changed, and the figures and names that gold's answer tells are found in what was said.

Whether they are told as facts, denied, or some of many is not looked at. Where there is no answer, gold's last message
stands for it.
"""
# mypy: ignore-errors
# ruff: noqa: D103, F821  # GOLD, the gold solution, is put before this file by the audit

import re


def said(solution):
    messages = [e["message"] for e in solution["events"] if "message" in e and e["role"] == "assistant"]
    return messages if solution["answer"] is None else [*messages, solution["answer"]]


def telling(text):
    """Figures, and words with a capital that are not the first of a longer sentence."""
    for sentence in re.split(r"(?<=[.!?])\s+|\n+", text):
        words = re.findall(r"\w+", sentence)
        later = words[1:] if len(words) > 3 and words[0].istitle() else words
        yield from (word.lower() for word in later if re.search("[A-Z0-9]", word) and word != "I")


def verify(solution, env):
    due = env.run({"events": GOLD["events"]})["changes"]
    told = re.findall(r"\w+", " ".join(said(solution)).lower())
    missing = [word for word in telling((said(GOLD) or [""])[-1]) if word not in told]
    if missing:
        return "FAIL"
    return "PASS" if env.run({"events": solution["events"]})["changes"] == due else "FAIL"
