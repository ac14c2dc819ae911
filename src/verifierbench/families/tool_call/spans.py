"""Finding the words of the public material that impose a clause.

A quote is always taken from the material itself, so that it occurs there by construction, whatever the instruction or
the tool list says and wherever they came from. What cannot be found is `Inconsistent`: a clause needs words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from verifierbench.core import Inconsistent, Span

Words: TypeAlias = str | re.Pattern[str] | Span
"""What a quote is sought by: words (letter case and spacing free), a pattern, or a span already made."""

_NAMES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip


class Brief(msgspec.Struct, frozen=True, kw_only=True):
    """What a solver is told: the instruction, the tool list, and further texts.

    `tools` is a list of `{"name", "description", "parameters": JSON Schema of an object}`; `texts` maps the names of
    further public materials (the day it is, a profile) to what they say.
    """

    instruction: str
    tools: list[dict[str, Any]]
    texts: dict[str, str] = {}

    def tool(self, name: str) -> dict[str, Any]:
        """A tool's definition; raises `Inconsistent` for one that is not in the list."""
        for tool in self.tools:
            if tool["name"] == name:
                return tool
        raise Inconsistent(f"no tool is called {name!r}")

    def parameters(self, name: str) -> dict[str, Any]:
        """The JSON Schema of a tool's arguments."""
        found: dict[str, Any] = self.tool(name)["parameters"]
        return found

    def schema(self, tool: str, argument: str) -> dict[str, Any]:
        """The JSON Schema of one argument; raises `Inconsistent` where the definition does not list it."""
        found: dict[str, Any] | None = self.parameters(tool).get("properties", {}).get(argument)
        if found is None:
            raise Inconsistent(f"{tool!r} defines no argument {argument!r}")
        return found

    def find(self, words: Words) -> Span:
        """Cite words of the instruction or, where it lacks them, of the tool list or a further text."""
        if isinstance(words, Span):
            return self._checked(words)
        return self.in_instruction(words) or self.in_tools(words) or self.in_texts(words) or _missing(words)

    def in_instruction(self, words: str | re.Pattern[str]) -> Span | None:
        """Cite words of the instruction, if it has them."""
        found = _pattern(words).search(self.instruction)
        return Span(material="instruction", quote=found[0]) if found and found[0] else None

    def in_tools(self, words: str | re.Pattern[str], tool: str | None = None) -> Span | None:
        """Cite words of the tool list, or of one tool in it, if it has them."""
        for text in strings(self.tools if tool is None else self.tool(tool)):
            if (found := _pattern(words).search(text)) and quotable(found[0]):
                return Span(material="tools", quote=found[0])
        return None

    def in_texts(self, words: str | re.Pattern[str]) -> Span | None:
        """Cite words of a further text, if one has them."""
        for name, text in self.texts.items():
            if (found := _pattern(words).search(text)) and found[0]:
                return Span(material=name, quote=found[0])
        return None

    def definition(self, tool: str, argument: str | None = None) -> Span:
        """Cite a tool's or an argument's own definition: its description, or its name where it has none."""
        part = self.tool(tool) if argument is None else self.schema(tool, argument)
        lines = [line.strip() for line in str(part.get("description", "")).splitlines()]
        quote = next((line for line in lines if quotable(line)), argument or tool)
        return Span(material="tools", quote=quote)

    def value(self, tool: str, argument: str, value: Any) -> tuple[Span, ...]:
        """Cite what says a value: its words in the instruction, or in the argument's definition (an enum, a default).

        A list or an object is cited leaf by leaf; raises `Inconsistent` where a leaf has no words.
        """
        found = {self._leaf(tool, argument, leaf): None for leaf in _leaves(value)}
        return tuple(found)

    def _leaf(self, tool: str, argument: str, leaf: Any) -> Span:
        forms = tuple(_forms(leaf))
        for form in forms:
            if span := self.in_instruction(form):
                return span
        for text in strings(self.schema(tool, argument)):
            for form in forms:
                if (found := form.search(text)) and quotable(found[0]):
                    return Span(material="tools", quote=found[0])
        raise Inconsistent(f"nothing public says {argument} = {leaf!r}: give the words that do")

    def _checked(self, span: Span) -> Span:
        holds = {"instruction": span.quote in self.instruction, "tools": occurs(self.tools, span.quote)}
        holds |= {name: span.quote in text for name, text in self.texts.items()}
        if not holds.get(span.material, span.material == "conventions"):
            raise Inconsistent(f"{span.material} does not say {span.quote!r}")
        return span


def strings(content: Any) -> Iterator[str]:
    """Every text of a JSON value: its texts and the names of its keys, in the order they stand."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        for key, part in content.items():
            yield str(key)
            yield from strings(part)
    elif isinstance(content, list | tuple):
        for part in content:
            yield from strings(part)


def occurs(content: Any, quote: str) -> bool:
    """Whether a JSON value says a quote in one of its texts."""
    return any(quote in text for text in strings(content))


def quotable(text: str) -> bool:
    """Whether a text reads the same inside JSON as outside it, so that both ways of looking find it."""
    return bool(text.strip()) and not re.search(r'["\\\x00-\x1f]', text)


_SPACED = re.compile(r"[^\W\u2e80-\U000323af]")
"""A letter or digit of a script that sets words apart; Chinese and Japanese do not."""


def _pattern(words: str | re.Pattern[str]) -> re.Pattern[str]:
    if isinstance(words, re.Pattern):
        return words
    text = r"\s+".join(map(re.escape, words.split()))
    left = rf"(?<!{_SPACED.pattern})" if _SPACED.match(words[:1]) else ""
    right = rf"(?!{_SPACED.pattern})" if _SPACED.match(words[-1:]) else ""
    return re.compile(f"{left}{text}{right}", re.IGNORECASE)


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    else:
        yield value


def _forms(leaf: Any) -> Iterator[re.Pattern[str]]:
    """The ways an instruction writes a value: as it is, with its thousands set apart, in words, as a percentage."""
    if isinstance(leaf, str) and leaf.strip():
        yield _pattern(leaf)
    elif isinstance(leaf, int | float) and not isinstance(leaf, bool):
        for text in _numerals(leaf):
            yield re.compile(
                rf"(?<!{_SPACED.pattern})(?<![.,]){re.escape(text)}(?!{_SPACED.pattern}|[.,]\d)", re.IGNORECASE
            )


def _numerals(number: int | float) -> Iterator[str]:
    whole = float(number).is_integer()
    yield f"{number:g}" if abs(number) < 1e6 else repr(number)
    yield repr(number)
    if whole:
        yield str(int(number))
        yield f"{int(number):,}"
        if 0 <= number < len(_NAMES):
            yield _NAMES[int(number)]
    yield f"{number * 100:g}%"
    yield f"{number * 100:g} percent"


def _missing(words: str | re.Pattern[str]) -> Span:
    raise Inconsistent(f"neither the instruction nor the tool list says {_pattern(words).pattern!r}")
