"""What is looked at in the patched sympy: Hermite normal forms, column by column."""

from sympy import Matrix, Rational
from sympy.matrices.normalforms import hermite_normal_form, smith_normal_form
from sympy.polys.domains import QQ, ZZ
from sympy.polys.matrices import DM, DomainMatrix
from sympy.polys.matrices.normalforms import hermite_normal_form as of_domain_matrix


def plain(matrix):
    """Shape and rows."""
    return matrix.shape, [[int(each) for each in row] for row in matrix.tolist()]


def form(*rows, **more):
    return plain(hermite_normal_form(Matrix(rows), **more))


def flipped(rows):
    return [list(reversed(row)) for row in reversed(rows)]


def refusal(call):
    try:
        return call()
    except Exception as error:
        return type(error).__name__


def case_issue():
    return form([1, 12], [0, 8], [0, 5])


def case_row_style():
    wanted = ([[5, 8, 12], [0, 0, 1]], [[2, 4, 1, 9], [0, 0, 3, 5]])
    found = [hermite_normal_form(Matrix(flipped(rows)).T).T.tolist() for rows in wanted]
    return [[[int(each) for each in row] for row in flipped(rows)] for rows in found]


def case_one_column():
    return form([3], [0]), form([6], [0], [0]), form([5], [7], [0], [0])


def case_taller():
    return form([1, 2], [0, 0], [0, 3], [0, 0]), form([7, 2], [0, 0], [0, 0], [0, 4], [0, 6])


def case_deficient():
    return form([2, 7], [0, 0], [0, 0]), form([4, 6], [0, 0], [0, 0]), form([1, 2], [2, 4], [0, 0])


def case_domain_matrices():
    made = DM([[1, 12], [0, 8], [0, 5]], ZZ), DM([[9], [0]], ZZ).to_sparse()
    return [plain(of_domain_matrix(each).to_Matrix()) for each in made]


def case_square():
    return form([2, 7], [3, 5]), form([2, 4], [1, 2]), form([-3, 1], [0, -2]), form([3, 1, 2], [0, 5, 1], [4, 4, 4])


def case_wide():
    return form([2, 7, 3]), form([1, 2, 3], [4, 5, 6]), form([0, 0, 4], [2, 6, 8])


def case_tall():
    return form([1, 2], [3, 4], [5, 7]), form([4], [6]), form([8, 1], [3, 3], [2, 0], [1, 5])


def case_zeros():
    made = Matrix.zeros(3, 2), Matrix.zeros(2, 2), Matrix.zeros(1, 3)
    return [hermite_normal_form(each).shape for each in made]


def case_modulo():
    return form([2, 7], [3, 5], D=11), form([2, 7, 1], [3, 5, 4], D=ZZ(11), check_rank=True)


def case_refused():
    tall = DM([[1, 2], [0, 8], [0, 5]], ZZ)
    return (
        refusal(lambda: of_domain_matrix(DomainMatrix([[QQ(1, 2)]], (1, 1), QQ)).shape),
        refusal(lambda: of_domain_matrix(tall, D=ZZ(6)).shape),
        refusal(lambda: hermite_normal_form(Matrix([[Rational(1, 2)]])).shape),
    )


def case_unmoved():
    matrix = Matrix([[1, 12], [0, 8], [0, 5]])
    domain_matrix = DM([[1, 12], [0, 8], [0, 5]], ZZ)
    of_domain_matrix(domain_matrix)
    hermite_normal_form(matrix)
    return plain(matrix), plain(domain_matrix.to_Matrix()), plain(smith_normal_form(matrix, domain=ZZ))
