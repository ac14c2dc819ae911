"""An environment whose answers are remembered.

The environment is asked the canonical form of the request (keys sorted), because that is what the key stands for:
the answer may then depend on nothing that the key leaves out.
"""

from __future__ import annotations

import json
from typing import Any

from verifierbench.core import BudgetExhausted, Environment, EnvironmentRefusal, Overrun, canonical_bytes

from .cache import Evidence, EvidenceCache


class CachedEnvironment:
    """Meets `core.Environment`; counts what was found and what had to be executed."""

    def __init__(self, environment: Environment, cache: EvidenceCache) -> None:
        self._environment, self._cache = environment, cache
        self.hits = 0
        self.executions = 0

    @property
    def version(self) -> str:
        """The environment's own."""
        return self._environment.version

    def execute(self, request: Any) -> Any:
        """Answer from evidence, or execute and remember; raises what the environment raises."""
        request, key = self._identify(request)
        evidence = self._cache.find(key)
        if evidence is not None:
            self.hits += 1
        else:
            evidence = self._execute_alone(key, request)
        if evidence.refused:
            raise EnvironmentRefusal(evidence.answer)
        return evidence.answer

    def close(self) -> None:
        """Close the environment; the cache belongs to whoever opened it."""
        self._environment.close()

    def _identify(self, request: Any) -> tuple[Any, str]:
        request = canonical(request)
        try:
            return request, self._cache.key(self.version, request)
        except RecursionError as error:  # the key holds the request one level deeper than it is itself
            raise EnvironmentRefusal("the request is nested too deeply") from error

    def _execute_alone(self, key: str, request: Any) -> Evidence:
        with self._cache.flight(key):
            # Whoever held the key before us has the answer, unless it failed or may not be kept.
            evidence = self._cache.find(key)
            if evidence is not None:
                self.hits += 1
                return evidence
            self.executions += 1
            evidence = observe(self._environment, request)
            if not timed_out(evidence):
                self._cache.keep(key, evidence)
            return evidence


def canonical(request: Any) -> Any:
    """The request with its keys sorted; raises `EnvironmentRefusal` for what is not JSON."""
    try:
        return json.loads(canonical_bytes(request))
    except (ValueError, TypeError, RecursionError) as error:
        raise EnvironmentRefusal(f"the request is not JSON: {error}") from error


def observe(environment: Environment, request: Any) -> Evidence:
    """Execute once; a refusal is an observation. One for a budget or a clock is none, nor is a failure: they escape."""
    try:
        return Evidence(environment.execute(request))
    except (BudgetExhausted, Overrun):
        raise
    except EnvironmentRefusal as refusal:
        return Evidence(str(refusal), refused=True)


def timed_out(evidence: Evidence) -> bool:
    """Whether the answer tells of a command that was stopped by the clock: on a faster machine it would be another."""
    commands = evidence.answer.get("commands") if isinstance(evidence.answer, dict) else None
    return isinstance(commands, list) and any(
        isinstance(command, dict) and command.get("ended") == "timeout" for command in commands
    )
