"""Writing settings."""

from .values import quote

__all__ = ["dumps"]


def dumps(settings):
    """The text of sections of settings."""
    parts = []
    for section, values in settings.items():
        lines = [f"[{section}]"]
        lines += [f"{key} = {_text(value)}" for key, value in values.items()]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _text(value):
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value) + ("," if len(value) < 2 else "")
    if isinstance(value, str):
        return quote(value)
    return repr(value)
