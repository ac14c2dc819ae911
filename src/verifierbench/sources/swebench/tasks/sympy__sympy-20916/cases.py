"""What is looked at in the patched copy: names that end with digits, Greek and other ones."""

from sympy import Matrix, Symbol, latex, pretty, symbols
from sympy.printing.conventions import split_super_sub

GREEK = "\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8\u03b9\u03ba\u03bb\u03bc\u03bd\u03be\u03bf\u03c0\u03c1\u03c3\u03c4\u03c5\u03c6\u03c7\u03c8\u03c9"
CAPITALS = "\u0393\u0394\u0398\u039b\u039e\u03a0\u03a3\u03a6\u03a8\u03a9"


def printed(*names):
    return [pretty(Symbol(name), use_unicode=True) for name in names]


def case_product():
    t0, t1, w = symbols("t0 t1 \u03c90")
    return pretty(Matrix([[-t0 * w, -t1 * w]]), use_unicode=True)


def case_small_letters():
    return printed(*(letter + "0" for letter in GREEK))


def case_capitals():
    return printed(*(letter + "1" for letter in CAPITALS))


def case_several_digits():
    return printed("\u03c912", "\u03b11234567890", "\u0394007")


def case_several_letters():
    return printed("\u03b1\u03b22", "\u0394x1", "x\u03c93")


def case_with_superscript():
    return printed("\u03c90^2", "\u03c91__a", "\u03b11_2")


def case_in_sums():
    w1, w2 = symbols("\u03c91 \u03c92")
    return pretty(w1 + 2 * w2, use_unicode=True), pretty(w1**2, use_unicode=True)


def case_latin_names():
    return printed("w0", "t12", "abc3", "x", "X9"), [split_super_sub(name) for name in ("w1", "w11", "w1^a", "abc2")]


def case_spelled_greek():
    return printed("omega0", "alpha_1", "Delta12", "omega"), latex(Symbol("omega0")), latex(Symbol("w1"))


def case_bare_greek():
    return printed(*(letter for letter in GREEK + CAPITALS)), printed("\u03c9_0", "\u03c9__2", "\u03b1_1_2")


def case_digits_within():
    return [split_super_sub(name) for name in ("a1b", "2a", "12", "a1b2", "x_a_b1", "\u03c91x", "1\u03c9", "_1")]


def case_marks_within():
    return [split_super_sub(name) for name in ("x_1^aa", "x_11__a", "x^a^b_c_d", "a.b1", "x'1", "a b1", "")]


def case_ascii():
    return pretty(Symbol("w0"), use_unicode=False), pretty(Symbol("\u03c90"), use_unicode=False)
