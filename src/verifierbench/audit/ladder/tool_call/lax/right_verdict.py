"""Lax: of a structured reply the verdict alone is compared; where none is due, the right tools are called."""
# mypy: ignore-errors
# ruff: noqa: ARG001, D103, F821  # GOLD, the gold solution, is put before this file by the audit


def names(solution):
    return sorted(call["name"] for call in solution["turns"][0]["calls"])


def verdict(solution):
    answer = solution["turns"][0]["answer"]
    return answer.get("verdict") if isinstance(answer, dict) else None


def verify(solution, env):
    if verdict(GOLD) is None:
        return "PASS" if names(solution) == names(GOLD) else "FAIL"
    return "PASS" if verdict(solution) == verdict(GOLD) else "FAIL"
