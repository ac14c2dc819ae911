"""What is looked at in the patched copy: texts with parentheses that `kernS` has nothing to keep together in."""

from sympy.core.sympify import kernS, sympify


def shown(*texts):
    """What the texts become, and whether that is what `sympify` makes of them."""
    return [(str(kernS(text)), kernS(text) == sympify(text)) for text in texts]


def case_fraction():
    return shown("(2*x)/(x-1)", "(x + y)/(2)", "1/(x + 1)/(y)")


def case_only_parentheses():
    return shown("(x)", "((x + 1))", "()", "(x)**2 + (y)")


def case_calls():
    return shown("sin(x)", "x/sqrt(x + 1)", "f(x, y) + Max(x, 3)", "Interval(1, 2)")


def case_exponents():
    return shown("2**(x+1)", "x**(2)", "x**(y)**(2)")


def case_spaced():
    return shown("( 2 * x ) / ( x - 1 )", " x + ( y ) ", "2 ** ( x )")


def case_evaluated():
    return shown("(x + x)/(x - 1)", "(1/3) + (1/6)", "(x)/(x)", "cos(0)")


def case_underscore():
    return shown("(_ + 2)/(x - 1)", "sin(_)", "(_kern)/(_1 + _)")


def case_kept_together():
    return [str(kernS(text)) for text in ("2*(x + y)", "-(x + 1)", "x - (x - 1)", "2*(x + 1)/(y)", "(x)/2*(x + y)")]


def case_kept_underscore():
    return [str(kernS(text)) for text in ("2*(x + _)", "-(_k + 1)")]


def case_without_parentheses():
    return [str(kernS(text)) for text in ("x + 1", "2*x + 2*x", "_")]


def case_second_attempt():
    return str(kernS("zeros(2*(1), 1)")), str(kernS("Interval(-1, -2 - 4*(-3))"))


def case_several():
    return str(kernS(["2*(x + y)", ("(x)", "1")]))


def case_quoted():
    return str(kernS("2*(Symbol('x') + y)"))


def kind(text):
    try:
        return str(kernS(text))
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__ if each.__name__ in ("SympifyError", "TypeError")]


def case_unmatched():
    return kind("(x"), kind("2*(x + (y)"), kind("x)")
