"""What is looked at in the patched copy: sums of vectors in which a 0 stands."""

from sympy import Matrix, S, Symbol
from sympy.physics.vector import Point, ReferenceFrame, Vector, cross, dot

N = ReferenceFrame("N")
B = N.orientnew("B", "Axis", [Symbol("q"), N.z])
x, y = Symbol("x"), Symbol("y")


def shown(*vectors):
    """Each as text, and whether it is a vector."""
    return [(str(each), isinstance(each, Vector)) for each in vectors]


def kind(add):
    try:
        return str(add())
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__ if each is TypeError]


def case_sum():
    return shown(sum([N.x, (0 * N.x)])), sum([N.x, (0 * N.x)]) == N.x


def case_longer_sums():
    return shown(sum([x * N.x, y * N.y, N.x]), sum(v for v in (B.x, N.z)), sum([2 * B.y - N.x]))


def case_sum_of_nothing_much():
    return shown(sum([Vector(0), 0 * B.x]), sum([N.x, -N.x])), sum([N.x, -N.x]) == 0


def case_zero_after():
    return shown(N.x + 0, x * B.x + y * N.y + 0), N.x + 0 == N.x


def case_zero_before():
    return shown(0 + N.x, 0 + (x * B.x + y * N.y)), 0 + B.z == B.z


def case_zero_of_sympy():
    return shown(N.y + S.Zero, S.Zero + N.y, N.x + (x - x), sum([N.x, N.y], S.Zero))


def case_zero_and_zero():
    return shown(Vector(0) + 0, 0 + Vector(0)), Vector(0) + 0 == Vector(0)


def case_left_alone():
    vector = x * N.x + y * B.y
    before = str(vector), len(vector.args)
    return (vector + 0) + N.y != vector, before == (str(vector), len(vector.args))


def case_vectors():
    return shown(N.x + N.y, x * N.x - B.y, 2 * N.x + 3 * N.x, N.x - N.x, -B.z), str(dot(N.x + N.y, x * N.x)), N.x == 0


def case_other_numbers():
    return [kind(add) for add in (lambda: N.x + 1, lambda: 1 + N.x, lambda: N.x + x, lambda: N.x + S.Half)]


def case_no_numbers():
    others = (None, "", "0", [], Matrix([0, 0, 0]), ())
    return [kind(lambda other=other: N.x + other) for other in others]


def case_products_with_zero():
    return [kind(product) for product in (lambda: dot(N.x, 0), lambda: N.x & 0, lambda: N.x ^ 0, lambda: cross(N.x, 0))]


def case_velocity():
    return kind(lambda: Point("P").set_vel(N, N.x + 1)), kind(lambda: N.x.express(B)), kind(lambda: N.set_ang_vel(B, 1))
