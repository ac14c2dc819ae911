"""What is looked at in the patched sympy: which elements an image set shares with the reals."""

from sympy import FiniteSet, I, ImageSet, Intersection, Interval, Lambda, Range, Rational, S, symbols

n, m = symbols("n m")


def image(expr, base=S.Integers):
    return ImageSet(Lambda(n, expr), base)


def held(expr, base=S.Integers, within=range(-6, 11)):
    """The integers of a range that are in the intersection."""
    common = image(expr, base).intersect(S.Reals)
    return [k for k in within if k in common]


def case_issue():
    first = image(n + (n - 1) * (n + 1) * I)
    common = first.intersect(S.Reals)
    return 2 in first, 2 in common, common == FiniteSet(-1, 1), [k for k in range(-6, 11) if k in common]


def case_linear():
    return [held(n + k * I) for k in ((n - 3) * (n + 1), n * (n - 1) * (n - 2), n - 4, 3 * (n + 2) * (n - 6))]


def case_quadratic():
    return [held(n + k * I) for k in (n**2 - 4, n**2 + 1, n**2 - 2, (n - 1) * (n**2 + 1), (n - 1) ** 2)]


def case_bases():
    imaginary = (n - 1) * (n + 1) * (n - 7)
    bases = (S.Naturals, Range(5), Interval(0, 6), FiniteSet(1, 2, 7))
    return [held(n + imaginary * I, base) for base in bases]


def case_moved():
    return [held(e) for e in (2 * n + n * (n - 2) * (n - 5) * I, n**2 + (n - 2) * (n + 3) * I, n - 4 + (n - 1) * I)]


def case_halves():
    expr = n + (2 * n - 1) * (n - 4) * I
    half = Rational(1, 2)
    return held(expr), half in image(expr).intersect(S.Reals), half in image(expr, S.Reals).intersect(S.Reals)


def case_all_real():
    return image(n).intersect(S.Reals) == S.Integers, held(2 * n), held(n**2 + 1)


def case_nowhere_real():
    return [image(e).intersect(S.Reals) is S.EmptySet for e in (n + I, 2 * n - 3 * I)]


def case_two_symbols():
    common = image(n + (n - m) * I).intersect(S.Reals)
    return type(common).__name__, common.subs(m, 3) == FiniteSet(3) or isinstance(common, Intersection)


def case_intervals():
    found = image(2 * n).intersect(Interval(0, 7)), image(n + 3).intersect(Interval(-1, 1))
    return [sorted(int(k) for k in each) for each in found]


def case_members():
    first = image(n + (n - 1) * (n + 1) * I)
    return [k in first for k in (-1, 0, 1, 2, 2 + 3 * I)], image(n).is_subset(S.Reals), first.is_subset(S.Complexes)
