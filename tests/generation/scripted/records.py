"""What a script is, what one answer is, and what is kept of a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

TOKENS = {"input": 1200, "cached": 200, "output": 57, "reasoning": 7}
"""What every answer says it took; input counts what was cached, output the reasoning."""
VERIFIER = 'def verify(solution, env):\n    return "PASS"\n'


@dataclass(frozen=True)
class Script:
    """Commands to run, one a turn, and then the last words."""

    commands: tuple[str, ...]
    final: str = "The verifier is written."


DEFAULT = Script(
    (
        "pwd; ls",
        f"cat > verifier.py <<'END'\n{VERIFIER}END",
        "python3 verifier.py; echo to-stderr >&2; exit 3",
    )
)


@dataclass(frozen=True)
class Tool:
    """A tool that a request offers."""

    schema: dict[str, Any]
    kind: str = "function"
    """`custom` takes plain text, `local_shell` is OpenAI's own."""


@dataclass(frozen=True)
class Answer:
    """What the model says: words, or one call."""

    text: str = ""
    tool: str | None = None
    arguments: str = ""
    """JSON, or the plain text of a `custom` tool; may be broken on purpose."""
    kind: str = "function"
    cut: bool = False
    """Ended by the limit on tokens."""
    tokens: dict[str, int] = field(default_factory=lambda: dict(TOKENS))

    def pieces(self) -> list[str]:
        """Its arguments or its words, as they are streamed."""
        whole = self.arguments if self.tool else self.text
        return [whole[at : at + 40] for at in range(0, len(whole), 40)]


@dataclass(frozen=True)
class Received:
    """One request."""

    method: str
    path: str
    """The provider's own path, with its query."""
    script: str | None
    """The one in the URL."""
    fault: str
    dialect: str | None
    headers: dict[str, str]
    """Names in lower case."""
    body: Any
    turn: int
    """Tool results it holds."""
    streaming: bool
    answered: str
    """`call`, `text`, or the fault that fired."""
