"""What versions are ordered by."""

__all__ = ["order_key"]


class Part:
    """A part of a pre-release."""

    def __init__(self, text):
        self.number = int(text) if text.isdigit() else None
        self.text = text

    def __eq__(self, other):
        return not self < other and not other < self

    def __lt__(self, other):
        if self.number is None or other.number is None:
            return other.number is None and (self.number is not None or self.text < other.text)
        return self.number < other.number

    def __hash__(self):
        return hash(self.text if self.number is None else self.number)


def order_key(release, pre):
    """Comparable and hashable; a release comes after its pre-releases."""
    return (release, not pre, tuple(map(Part, pre)))
