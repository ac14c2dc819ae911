"""What a value's text means."""

import ast
import re

from .lines import split_list

__all__ = ["parse_value", "quote"]

_WORDS = {"yes": True, "no": False}


def parse_value(text):
    """A number, truth value, list or text; raises ValueError for a quote that is not closed."""
    parts = split_list(text)
    if len(parts) > 1:
        return [parse_value(part.strip()) for part in parts if part.strip()]
    if text.startswith('"'):
        return _unquote(text)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def quote(text):
    """Text between quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _unquote(text):
    if len(text) < 2 or not text.endswith('"'):
        raise ValueError(f"a quote is not closed: {text}")
    try:
        return ast.literal_eval(re.sub(r"\\.", lambda pair: pair[0] if pair[0][1] in '"\\' else pair[0][1], text))
    except SyntaxError as error:
        raise ValueError(f"not a quoted text: {text}") from error
