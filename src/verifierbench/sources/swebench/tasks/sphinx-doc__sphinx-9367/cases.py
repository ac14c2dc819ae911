"""What is looked at in the patched Sphinx: expressions turned back into text."""

from sphinx.pycode import ast


def said(*sources):
    """Each expression as it is rendered."""
    return [ast.unparse(ast.parse(source).body[0].value, source) for source in sources]


def case_one():
    return said("(1,)", "1,", "( 1 , )")


def case_elements():
    return said("('a',)", "(a.b,)", "(f(x),)", "(None,)", "(-1,)", "([],)", "(a + b,)", "((),)", "((1, 2),)")


def case_within():
    return said("((1,),)", "(1, (b,))", "[(1,)]", "{'k': (2,)}", "f((1,), k=(b,))", "lambda x=(1,): x")


def case_several():
    return said("(1, 2)", "1, 2", "(1, 2, 3)", "(a, b,)", "((1, 2), (a, 'b'))", "[(1, 2)]", "f((1, 2))")


def case_none():
    return said("()", "[()]", "lambda x=(): x")


def case_not_tuples():
    return said("(1)", "(a)", "[1]", "[a]", "{1}", "f(1)", "f(a,)", "{'k': 1}", "lambda x: x")


def case_subscripts():
    return said("Tuple[int, int]", "Tuple[int]", "Dict[str, Tuple[a, b]]", "Tuple[()]", "Callable[[int], str]")


def case_arithmetic():
    return said("a + b", "not a", "- 1", "a and b and c", "0x10", "1_000", "b'x'", "...")


def case_without_source():
    return [ast.unparse(ast.parse(s).body[0].value) for s in ("(1, 0x10)", "()", "a.b")], ast.unparse(None)


def case_unknown():
    return said("a if b else c")
