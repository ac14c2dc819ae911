"""What is looked at in the patched sympy: what a browser displays of symbols printed as MathML."""

import re
from xml.dom.minidom import parseString

from sympy import Function, MatrixSymbol, Rational, Symbol, mathml, symbols

TOKENS = ("mi", "mn", "mo", "mtext", "ms")


def shown(node):
    """A tree of what is displayed: text, or an element with its parts; rows of one part are that part."""
    parts = [each for each in node.childNodes if each.nodeType == each.ELEMENT_NODE]
    if node.tagName in TOKENS:
        return "nothing" if parts else "".join(each.data for each in node.childNodes)
    if node.tagName == "mrow" and len(parts) == 1:
        return shown(parts[0])
    return [node.tagName, *map(shown, parts)]


def displayed(expr, **more):
    text = mathml(expr, printer="presentation", **more)
    return shown(parseString(re.sub(r"&(\w+);", r"\1", text)).documentElement)


def named(*names):
    return [displayed(Symbol(name)) for name in names]


def case_issue():
    x2, z = symbols("x2 z")
    return displayed(x2 * z + x2**3)


def case_numbers():
    return named("x1", "x2", "y12", "ab3")


def case_words():
    return named("x_k", "x_max", "speed_0"), displayed(Function("f")(Symbol("t1")) / Symbol("m_e"))


def case_superscripts():
    return named("x^2", "x__2", "y^k")


def case_both():
    return named("x_1^2", "x^3_2", "y__a_b")


def case_many():
    return named("x_2_a", "x_1_2")


def case_matrices():
    return displayed(MatrixSymbol("A1", 2, 2)), displayed(MatrixSymbol("B_k", 2, 2), mat_symbol_style="bold")


def case_plain():
    return [mathml(Symbol(name), printer="presentation") for name in ("x", "abc", "X")]


def case_bold():
    matrix = MatrixSymbol("A", 2, 2)
    return mathml(matrix, printer="presentation", mat_symbol_style="bold"), mathml(matrix, printer="presentation")


def case_greek():
    return named("alpha", "Omega"), mathml(Symbol("alpha"))


def case_content():
    return mathml(Symbol("x2")), mathml(Symbol("x_1^2")), mathml(Symbol("x") + 1)


def case_expressions():
    x, y = symbols("x y")
    return displayed(x**2 / y + Rational(1, 2)), displayed(-(x + y) ** 3), displayed(Function("f")(x, y))
