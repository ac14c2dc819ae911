"""What is said of appointments that cannot be."""

__all__ = ["short"]


def short(title):
    """A title as a message names it: in quotes, and not at any length."""
    text = repr(title)
    return text if len(text) <= 30 else f"{text[:13]}...{text[-14:]}"
