"""What can be said of a verifier's source without running it, in a process that may die of it.

A stranger's megabyte is never parsed in this process: a parser can be made to exhaust memory or the stack. What is said
is a remark to its author and decides nothing.
"""

from __future__ import annotations

import subprocess
import sys

from verifierbench.generation.workspace import VERIFIER

__all__ = ["remark"]

_SECONDS = 10.0
_LONGEST = 300
_SCRIPT = f"""
import ast, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (8, 8))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
try:
    tree = ast.parse(sys.stdin.buffer.read())
except (SyntaxError, ValueError) as error:
    where = f", line {{error.lineno}}" if getattr(error, "lineno", None) else ""
    sys.stdout.write(ascii(f"{VERIFIER} cannot be parsed: {{getattr(error, 'msg', error)}}{{where}}")[1:-1])
    sys.exit()
# Whatever binds the name, in whatever block: `verify = make()` and an import do too.
bound = set()
for node in ast.walk(tree):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        bound.add(node.name)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        bound.add(node.id)
    elif isinstance(node, ast.alias):
        bound.add(node.asname or node.name)
if "verify" not in bound:
    sys.stdout.write("{VERIFIER} does not define verify")
"""


def remark(source: bytes) -> str:
    """One sentence on a file that cannot be a verifier, or ""."""
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-B", "-c", _SCRIPT],
            input=source,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env={"LC_ALL": "C.UTF-8"},
        )
    except (subprocess.TimeoutExpired, OSError):
        return f"{VERIFIER} could not be parsed in {_SECONDS:g} s"
    if done.returncode:
        return f"{VERIFIER} cannot be parsed: it is too deep or too large for the parser"
    return done.stdout.decode(errors="replace")[:_LONGEST]
