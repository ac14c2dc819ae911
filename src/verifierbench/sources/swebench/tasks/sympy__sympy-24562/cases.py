"""What is looked at in the patched copy: rationals made of two parts, some of them texts."""

from fractions import Fraction

from sympy import Integer, Rational, S


def parts(*pairs):
    """Numerator and denominator of each, as plain integers, and whether its class is one of SymPy's own."""
    made = [Rational(*pair) for pair in pairs]
    return [(int(each.p), int(each.q), isinstance(each, (Rational, Integer))) for each in made]


def kind(*arguments, **keywords):
    try:
        return str(Rational(*arguments, **keywords))
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__ if each in (TypeError, ValueError, ZeroDivisionError)]


def case_half_of_hundredth():
    return parts(("0.5", "100")), Rational("0.5", "100") == Rational(0.5, 100) == Rational(1, 200)


def case_decimal_texts():
    return parts(("1.5", "1.5"), ("0.25", "0.1"), ("-0.1", "3"), ("2.5", "-7"), ("1e-2", "1e2"))


def case_whole_denominators():
    return parts(("0.5", "3"), ("0.125", "1000000000000"), ("1.75", "10"))


def case_fraction_texts():
    return parts(("1/3", "2"), ("7/9", "11"))


def case_fractions_in_both():
    return parts(("2/3", "4/5"), ("0.5", "1/4"), ("-1/2", "-1/2"))


def case_numbers_over_texts():
    return parts((0.5, "100"), (Rational(1, 3), "2"), (Fraction(3, 4), "5"), (S.Half, "3"))


def case_integers():
    return parts((1, 3), (2, 4), (2, -4), (10, 5), (0, 7)), kind(1, 0), kind(0, 0)


def case_numbers():
    return parts((0.5, 100), (1.5, 1.5), (1, 0.5), (Fraction(1, 2), Fraction(3, 4)), (Rational(1, 2), Rational(1, 3)))


def case_texts_that_worked():
    return parts(("1", "100"), ("3", "4"), ("2", "1.5"), ("0.5", 100), (3, "1/4"), ("4", "-6")), kind("0.5", "0")


def case_one_part():
    return parts(("1/3",), ("0.75",), (" 2 / 6 ",), (1.5,), (5,))


def case_kept_common_divisors():
    return kind(2, 4, gcd=1), kind(2, 4), kind("2", "4", gcd=1)


def case_no_numbers():
    return kind("a", "b"), kind("1/2/3"), kind("1", "x"), kind("0.5", "x")
