"""What is looked at in the patched Sphinx: what stands in for classes that cannot be imported."""

from importlib import import_module
from typing import Callable, Dict, List, Optional, TypeVar

from sphinx.ext.autodoc import mock
from sphinx.ext.autodoc.mock import _MockModule, _MockObject, ismock, undecorate

T = TypeVar("T")
Answer = TypeVar("Answer", bound=int)


def subclass(base):
    """What a class with this base is like."""

    class Mine(base):
        """A class of a project."""

        def method(self):
            return "said"

    made = Mine()
    return Mine.__name__, Mine.__doc__, isinstance(made, Mine), isinstance(made, _MockObject), made.method()


def case_type_variable():
    stands_in = _MockObject()
    return subclass(stands_in.Base[T]), subclass(stands_in.Base[Answer])


def case_keys():
    kept = _MockModule("elsewhere").Base
    keys = [T, (T, Answer), int, None, 1, ..., List[T], Callable[[T], int], Optional[T], (), [int], kept, slice(1, 2)]
    return [kept[key] is not None for key in keys]


def case_nested():
    kept = _MockModule("elsewhere")
    return [
        isinstance(each, _MockObject)
        for each in (kept.A[T][Answer], kept.A[kept.B[T]], kept.A[T].attribute, kept.A[T](), kept.A[T].made(1))
    ]


def case_imported():
    with mock(["elsewhere"]):
        found = import_module("elsewhere.deep")

        class Shelf(found.Container[T]):
            """Keeps things."""

            def first(self, among: found.Sequence[T], by: found.Key[T, int] = None) -> Dict[str, found.Result[T]]:
                return self

        return Shelf.__doc__, isinstance(Shelf().first([]), Shelf), Shelf.__mro__[-1] is object


def case_text_keys():
    kept = _MockModule("elsewhere")
    return [repr(each) for each in (kept.Base["key"], _MockObject()["key"], kept.a["b"]["c"], kept.a["b"].c)], kept.a[
        "b"
    ].__name__


def case_attributes():
    kept = _MockModule("elsewhere")
    made = kept.Base.method()
    return repr(kept), repr(kept.Base), repr(kept.a.b), repr(made), kept.Base.__qualname__, kept.a.b.__name__


def case_subclasses():
    kept = _MockObject()
    return subclass(kept.Base), subclass(kept.Base.Inner)


def case_emptiness():
    kept = _MockObject()
    return len(kept.a), "x" in kept.a, [*kept.a], [*kept]


def case_decorated():
    kept = _MockObject()

    @kept.decorator
    def function():
        """A function."""

    @kept.decorator(1)
    class Thing:
        """A class."""

    return undecorate(function).__doc__, undecorate(Thing).__doc__, undecorate(int) is int


def case_known():
    with mock(["elsewhere"]):
        found = import_module("elsewhere.deep")
        return [ismock(each) for each in (found, found.Base, found.Base.a, found.Base["k"], int, len)]


def case_gone():
    with mock(["elsewhere"]):
        import_module("elsewhere.deep")
    try:
        import_module("elsewhere")
    except ImportError as error:
        return type(error).__name__
