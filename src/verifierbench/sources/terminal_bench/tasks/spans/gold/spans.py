"""Spans of whole numbers: pairs of start and end."""


def joined(spans):
    """The spans, with those that overlap joined."""
    result = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result
