"""What a value's text means."""

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


def _items(text):
    """Split at commas; what begins with a quote goes on to the quote that closes it."""
    items = []
    while True:
        text = text.strip()
        end = _closing(text) if text.startswith('"') else 0
        comma = text.find(",", end)
        if comma < 0:
            return [*items, text]
        items.append(text[:comma].strip())
        text = text[comma + 1 :]


def _closing(text):
    """Where the quote at the start is closed, or the end."""
    position = 1
    while position < len(text) and text[position] != '"':
        position += 2 if text[position] == "\\" else 1
    return position


def quote(text):
    """Text between quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _unquote(text):
    if len(text) < 2 or not text.endswith('"'):
        raise ValueError(f"a quote is not closed: {text}")
    out = []
    characters = iter(text[1:-1])
    for character in characters:
        out.append(next(characters, "") if character == "\\" else character)
    return "".join(out)
