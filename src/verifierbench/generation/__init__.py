"""Task × agent → submission: workspaces, built-in agents, and a run over a suite."""

from .agents import Agent, agent, agent_names
from .handwritten import Handwritten
from .harnesses import harness, harness_names
from .runs import Outage, Writer, generate
from .submission import collect, finished, load
from .workspace import VERIFIER, lay_out

__all__ = [
    "VERIFIER",
    "Agent",
    "Handwritten",
    "Outage",
    "Writer",
    "agent",
    "agent_names",
    "collect",
    "finished",
    "generate",
    "harness",
    "harness_names",
    "lay_out",
    "load",
]
