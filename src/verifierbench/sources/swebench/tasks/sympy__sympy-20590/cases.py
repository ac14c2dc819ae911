"""What is looked at in the patched sympy: what instances of its classes have room for."""

import copy
import pickle

from sympy import Array, Basic, Dummy, Matrix, Symbol, Wild, latex, symbols
from sympy.printing.defaults import Printable


class Own(Symbol):
    """A kind of symbols with room for more."""


def attempt(call):
    try:
        return call()
    except (AttributeError, TypeError) as error:
        return type(error).__name__


def case_issue():
    return attempt(lambda: Symbol("s").__dict__)


def case_told():
    return attempt(lambda: vars(Symbol("s"))), attempt(lambda: vars(Symbol("t", real=True)))


def case_room():
    return Symbol.__dictoffset__


def case_assigned():
    symbol = Symbol("s")
    return attempt(lambda: setattr(symbol, "note", 1)), hasattr(symbol, "note")


def case_dummies():
    return [hasattr(each, "__dict__") for each in (Dummy("d"), Wild("w"))]


def case_written():
    x, y = symbols("x y")
    return str([x**2 + y]), repr({x: 1}), (x / y)._repr_latex_(), latex(x**2), Symbol("x")._repr_png_()


def case_printable():
    made = (Symbol("x"), Dummy("d"), Symbol("x") + 1, Matrix([1]), Array([1]))
    return [isinstance(each, Printable) for each in made]


def case_own_classes():
    own = Own("o")
    own.note = "kept"
    return own.note, own.name, own == Own("o")


def case_copied():
    symbol = Symbol("p", positive=True)
    again = pickle.loads(pickle.dumps(symbol)), copy.copy(symbol), copy.deepcopy(symbol)
    return [each == symbol and each.is_positive for each in again]


def case_assumed():
    x = Symbol("x", negative=True)
    return x.is_negative, x.is_real, (x * Dummy("k", integer=True)).is_real, sorted(x.assumptions0)[:3]


def case_arrays():
    matrix, array = Matrix([[1, 2], [3, 4]]), Array([1, 2])
    matrix.note = "kept"
    return matrix.note, str(array), str(matrix.det()), type(Basic(Symbol("x")).args[0]).__name__
