"""What is looked at in the patched Sphinx: signatures, and the values in them."""

import enum
import inspect
from collections import namedtuple
from typing import Literal, Optional

from sphinx.util.inspect import object_description, stringify_signature

Label = namedtuple("Label", ["name", "value"])


class Kind(enum.Enum):
    FIRST = 10
    SECOND = 20
    ALSO_FIRST = 10


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Colour(str, enum.Enum):
    RED = "r"
    BLUE = "b"


class Access(enum.Flag):
    READ = 1
    WRITE = 2


class Mixed(enum.Enum):
    TEXT = "a text"
    PAIR = (1, "x")
    NOTHING = None
    NUMBER = 1.5


class Named:
    """No member of anything, although it has a name and a value."""

    name = "n"
    value = 1

    def __repr__(self):
        return "<Named: n>"


class Lines:
    def __repr__(self):
        return "one\ntwo"


class Broken:
    def __repr__(self):
        raise RuntimeError


def written(function, **options):
    return stringify_signature(inspect.signature(function), **options)


def case_function():
    def function(e: Kind = Kind.FIRST) -> None: ...

    return written(function)


def case_several():
    def function(a, b=Kind.SECOND, c: Kind = Kind.FIRST, d=Kind.ALSO_FIRST): ...

    return written(function), written(function, show_annotation=False)


def case_kinds_of_parameters():
    def function(a=Kind.FIRST, /, b=Kind.SECOND, *more, c=Kind.FIRST, **rest): ...

    return written(function)


def case_kinds_of_members():
    def function(a=Level.LOW, b: Level = Level.HIGH, c=Colour.RED, d=Access.WRITE): ...

    return written(function)


def case_values():
    def function(a=Mixed.TEXT, b=Mixed.PAIR, c=Mixed.NOTHING, d=Mixed.NUMBER): ...

    return written(function)


def case_plain_defaults():
    def function(a=1, b="x", c=None, d: float = 1.5, *, e=(), f=True) -> int: ...

    return written(function), written(function, show_return_annotation=False), written(function, show_annotation=False)


def case_annotations():
    def function(a: Kind, b: Optional[Kind] = None, c: Literal["x", 1] = "x") -> Kind: ...

    return written(function)


def case_classes():
    def function(a=Kind, b=int, c=Level): ...

    return written(function), object_description(Kind), object_description(Access)


def case_named():
    return object_description(Label("n", 1)), object_description(Named())


def case_dictionaries():
    return object_description({"b": 1, "a": [2], "c": {"y": 0, "x": 1}}), object_description({1: "x", "a": 2})


def case_sets():
    return (
        object_description({"b", "a"}),
        object_description(frozenset({3, 1, 2})),
        object_description({(1, "z"), (0, "y")}),
        object_description(set()),
    )


def case_addresses():
    return object_description(Lines()), object_description(object()), object_description([object()])


def case_no_text():
    try:
        object_description(Broken())
    except Exception as error:
        return type(error).__name__
