"""The view: exactly what a verifier may see of a case, and the reference's decision on it.

`{"solution": …, "runs": {probe: answer}}`, where an answer is what `env.run` returned, or `{"refused": text}` when the
public environment declined. Executions go through the caller's `execute`, which is where evidence is cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from verifierbench.core import (
    EnvironmentRefusal,
    FamilyDefinition,
    Finding,
    InfrastructureError,
    Overrun,
    Reference,
    evaluate,
)


def view(
    family: FamilyDefinition, reference: Reference, solution: Any, execute: Callable[[Any], Any]
) -> dict[str, Any]:
    """Build the view of one solution; `execute` answers a request of the public environment."""
    runs = {name: _answer(execute, family.request(solution, probe)) for name, probe in reference.probes.items()}
    return {"solution": solution, "runs": runs}


def decide(family: FamilyDefinition, reference: Reference, solution: Any, execute: Callable[[Any], Any]) -> Finding:
    """Decide one solution by a reference."""
    return evaluate(reference.root, view(family, reference, solution, execute), family.checks)


def _answer(execute: Callable[[Any], Any], request: Any) -> Any:
    try:
        return execute(request)
    except Overrun as late:
        # How long an execution takes is no property of the solution: it is never evidence.
        raise InfrastructureError(str(late)) from late
    except EnvironmentRefusal as refusal:
        return {"refused": str(refusal)}
