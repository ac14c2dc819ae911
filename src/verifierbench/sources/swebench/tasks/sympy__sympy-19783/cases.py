"""What is looked at in the patched copy: adjoint operators multiplied by an identity operator on their right."""

from sympy import I, Matrix, Symbol, latex, srepr
from sympy.physics.quantum import IdentityOperator, Ket, qapply
from sympy.physics.quantum.dagger import Dagger
from sympy.physics.quantum.operator import HermitianOperator, Operator, UnitaryOperator


class Ladder(Operator):
    """An application's own kind of operator."""


A, B = Operator("A"), Operator("B")
ONE = IdentityOperator()
x = Symbol("x")


def shown(*products):
    return [(str(each), type(each).__name__) for each in products]


def case_adjoint():
    return shown(Dagger(A) * ONE), Dagger(A) * ONE == Dagger(A)


def case_other_operators():
    return shown(Dagger(B) * ONE, Dagger(Operator("long_name")) * ONE, Dagger(Operator("t", x)) * ONE)


def case_own_kind():
    return shown(Dagger(Ladder("A")) * ONE), Dagger(Ladder("L")) * ONE == Dagger(Ladder("L"))


def case_with_dimension():
    return [Dagger(A) * IdentityOperator(n) == Dagger(A) for n in (2, 5, Symbol("N"))]


def case_more_than_once():
    return shown(Dagger(A) * ONE * ONE, Dagger(A) * ONE * B, Dagger(A) * ONE * Dagger(A), B * (Dagger(A) * ONE))


def case_adjoint_identity():
    return Dagger(A) * Dagger(ONE) == Dagger(A), Dagger(Dagger(A) * ONE) == A


def case_among_terms():
    return str(Dagger(A) * ONE + Dagger(B) * ONE), Dagger(A) * ONE - Dagger(A) == 0


def case_other_factors():
    return shown(Dagger(A) * B, B * Dagger(A), Dagger(A) * Dagger(A), Dagger(A) * 3, x * Dagger(A), Dagger(A) * x)


def case_orders():
    return Dagger(A) * B != B * Dagger(A), (Dagger(A) * B).args == (Dagger(A), B), latex(Dagger(A) * B)


def case_plain_operators():
    return shown(A * ONE, ONE * A, ONE * ONE, 3 * ONE, ONE * x, A * B), A * ONE == A


def case_adjoints():
    made = [Dagger(A), Dagger(Dagger(A)), Dagger(HermitianOperator("H")), Dagger(x), Dagger(2 * I), Dagger(A * B)]
    return [str(each) for each in made], srepr(Dagger(A)), str(Dagger(Matrix([[1, I]])))


def case_powers_and_sums():
    return shown(Dagger(A) ** 2, Dagger(A) / 2, Dagger(A) + ONE, -Dagger(A), UnitaryOperator("U") * Dagger(UnitaryOperator("U")))


def case_states():
    ket = Ket("k")
    return [str(each) for each in (Dagger(A) * ket, qapply(ONE * A * ket), qapply(A * ONE), Dagger(ket), Dagger(ket) * A)]

