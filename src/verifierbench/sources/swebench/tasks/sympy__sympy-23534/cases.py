"""What is looked at in the patched sympy: symbol-like objects made from names in several layers."""

from collections import deque

from sympy import Dummy, Function, Symbol, Wild, symbols, var

COLLECTIONS = (tuple, list, set, frozenset, deque)


class Own(Symbol):
    """A kind of symbols that is not sympy's."""


def leaves(value):
    """Class and name of everything in it, in order."""
    if isinstance(value, COLLECTIONS):
        return [leaf for each in value for leaf in leaves(each)]
    return [(type(value).__name__, value.name)]


def lengths(value):
    return [lengths(each) if isinstance(each[0], COLLECTIONS) else len(each) for each in value]


def refusal(names, **more):
    try:
        return leaves(symbols(names, **more))
    except Exception as error:
        return type(error).__name__


def case_issue():
    return leaves(symbols(("q:2", "u:2"), cls=Function))


def case_plain_names():
    return leaves(symbols(("f", "g,h"), cls=Function))


def case_in_a_list():
    return leaves(symbols(["f", "a:b"], cls=Function))


def case_deeper():
    return leaves(symbols((("a", "b"), ("c d",)), cls=Function))


def case_dummies():
    return leaves(symbols(("x", "y:2"), cls=Dummy))


def case_own_class():
    return leaves(symbols(("r", "s t"), cls=Own))


def case_wild():
    return leaves(symbols(("w", "v"), cls=Wild))


def case_layers():
    return [lengths(symbols(("q:2", "u:2"), cls=Function)), lengths(symbols((("a:1",), (("b c"),)), cls=Function))]


def case_texts():
    return [
        *leaves(symbols("f g", cls=Function)),
        *leaves(symbols("a,", cls=Dummy)),
        *leaves(symbols("w:2", cls=Wild)),
        *leaves(symbols("x")),
    ]


def case_assumed():
    one, two = symbols(("a:2", "b"), real=True)
    return [one[0].is_real, two.is_real, symbols(["p"], positive=True)[0].is_positive, symbols(("n",), even=True)[0].is_odd]


def case_containers():
    made = [symbols(kind(["a", "b"])) for kind in COLLECTIONS]
    return sorted(type(each).__name__ for each in made if len(each) == 2)


def case_sequences():
    return [
        [len(each) for each in symbols(("a",), seq=True)],
        [len(each) for each in symbols(("a,", "b,c"))],
        len(symbols(())),
    ]


def case_refused():
    return [refusal(("a", "")), refusal("a:"), refusal(5)]


def case_injected():
    return leaves(var(("xa", "xb:c")))
