"""A model that follows a script: what harnesses and the gateway are tested against, without a provider.

    with ScriptedServer({"tides": Script(("pwd", "echo … > verifier.py"), "Done.")}) as server:
        server.url(script="tides", fault="429x2")   # a base URL: the provider's own path follows
        server.received                             # what was asked, in order

It speaks OpenAI chat completions and responses, Anthropic messages and Gemini, whole and streamed. Each command goes
to whatever tool for commands the request offers. The position in the script is the number of tool results in the
request (and of those a summary tells of), so that nothing about a conversation is kept here. A request without
tools, and one that asks for a summary, is answered in words.

Which script: the one whose name is in the URL; else the first whose name occurs in the request; else "default".
Faults are in `faults`. Standard library only: `python -m tests.generation.scripted --help`.
"""

from .faults import Fault
from .records import TOKENS, Received, Script
from .server import ScriptedServer

__all__ = ["TOKENS", "Fault", "Received", "Script", "ScriptedServer"]
