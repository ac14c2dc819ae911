"""What a value's text means."""

from .lines import scan

__all__ = ["parse_value", "quote"]

_WORDS = {"yes": True, "no": False}


def parse_value(text):
    """A number, truth value, list or text; raises ValueError for a quote that is not closed."""
    items = _items(text)
    if len(items) > 1:
        return [parse_value(item) for item in items if item]
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


def _items(text):
    items = [""]
    for _, character, quoted in scan(text):
        if character == "," and not quoted:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items]


def _unquote(text):
    if len(text) < 2 or not text.endswith('"'):
        raise ValueError(f"a quote is not closed: {text}")
    out = []
    characters = iter(text[1:-1])
    for character in characters:
        out.append(next(characters, "") if character == "\\" else character)
    return "".join(out)
