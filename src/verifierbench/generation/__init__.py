"""Task × agent → submission: workspaces, built-in agents, and a run over a suite."""

from .agents import Agent, agent, agent_names, generate
from .handwritten import Handwritten
from .submission import collect, finished, load
from .workspace import VERIFIER, lay_out

__all__ = [
    "VERIFIER",
    "Agent",
    "Handwritten",
    "agent",
    "agent_names",
    "collect",
    "finished",
    "generate",
    "lay_out",
    "load",
]
