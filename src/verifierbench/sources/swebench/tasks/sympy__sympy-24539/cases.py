"""What is looked at in the patched sympy: polynomials of a ring written as expressions of other symbols."""

from sympy import QQ, ZZ, Dummy, Symbol, field, ring, symbols


def made():
    return ring("x,y,z", ZZ)


def written(expr):
    """An expression's text, and the names of its symbols."""
    return str(expr), sorted(symbol.name for symbol in expr.free_symbols)


def refused(poly, *chosen):
    try:
        return written(poly.as_expr(*chosen))
    except ValueError as error:
        return type(error).__name__


def case_issue():
    _, x, y, z = made()
    return written((3 * x**2 * y - x * y * z + 7 * z**3 + 1).as_expr(*symbols("u v w")))


def case_swapped():
    own, x, y, z = made()
    a, b, c = own.symbols
    return written((x**3 + 2 * y**2 + 5 * z).as_expr(b, a, c))


def case_shifted():
    own, x, y, z = made()
    a, b, c = own.symbols
    return written((x - 4 * y**2 + y * z**5).as_expr(b, c, Symbol("t")))


def case_one():
    _, x = ring("x", QQ)
    return written((x**2 / 2 - 3 * x + 1).as_expr(Symbol("k")))


def case_dummies():
    _, x, y = ring("x,y", ZZ)
    p, q, r = Dummy("p"), Dummy("q"), Symbol("r", positive=True)
    first, second = (x * y + x).as_expr(p, q), (x - y).as_expr(r, q)
    return first.free_symbols == {p, q}, second.coeff(r) == 1, second.coeff(q) == -1


def case_coefficients():
    _, x, y = ring("x,y", ZZ["t"])
    return written((x**2 * 3 + y).as_expr(Symbol("t"), Symbol("x")))


def case_fractions():
    _, x, y = field("x,y", QQ)
    return written((x / (y + 2)).as_expr(Symbol("y"), Symbol("s")))


def case_own():
    _, x, y, z = made()
    return written((x**2 - 5 * y * z).as_expr()), written(ring("", ZZ)[0](3).as_expr())


def case_too_few():
    _, x, y, z = made()
    return refused(x + y, Symbol("u")), refused(x + y, *symbols("u v"))


def case_too_many():
    _, x, y, z = made()
    _, one = ring("x", ZZ)
    return refused(x + y, *symbols("s t u v")), refused(one, *symbols("u v"))


def case_changed():
    own, x, y, z = made()
    poly = (x + y).copy()
    before = written(poly.as_expr())
    poly[own.zero_monom] = ZZ(3)
    return before, written(poly.as_expr())


def case_unmoved():
    _, x, y, z = made()
    poly = x**2 + y
    try:
        poly.as_expr(*symbols("u v w"))
    finally:
        after = written(poly.as_expr()), sorted(poly.items())
    return after


def case_others():
    _, x, y, z = made()
    poly = 2 * x * y - z
    return str(poly), sorted(poly.as_expr_dict()), str(poly(1, 2, 3)), str(poly.evaluate(x, 2)), poly.degrees()
