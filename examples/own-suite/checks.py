"""Checks that reference.json may use beside its family's: plain functions, run in the auditor's own process."""


def avoids_word(view, parameters):
    """`{"word"}`: the filter does not use this word."""
    return parameters["word"] not in view["solution"]["filter"].split()
