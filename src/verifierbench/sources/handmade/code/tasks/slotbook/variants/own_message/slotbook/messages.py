"""What is said of slots that cannot be."""

__all__ = ["backwards"]


def backwards(start, end):
    """The message for a slot that ends before it starts."""
    return f"ends before it starts: ({start!r}, {end!r})"
