"""What is looked at in the patched Django: enumerations of choices in templates, and all else that templates call."""

import enum

from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)

from django.db import models
from django.template import Context, Engine


class Year(models.TextChoices):
    FIRST = "FI", "The first"
    LAST = "LA"


class Level(models.IntegerChoices):
    LOW = 1
    VERY_HIGH = 20, "At the top"

    __empty__ = "(none)"


class Mark(bytes, models.Choices):
    RECORD = b"\x1e", "Record"
    UNIT = b"\x1f", "Unit"


class Amount(float, models.Choices):
    HALF = 0.5
    ALL = 1.0, "The whole"


Made = models.TextChoices("Made", "NORTH SOUTH")


class Student:
    """Has an enumeration of its own, as models often do."""

    class Group(models.IntegerChoices):
        A = 1
        B = 2, "The second"

    def __init__(self, year, group):
        self.year, self.group = year, group

    @classmethod
    def groups(cls):
        return cls.Group


class Counter:
    """A class that can be made without arguments."""

    made = "by the template"

    def __init__(self):
        self.made = "called"


class Needs(Counter):
    def __init__(self, one):
        self.made = one


def rendered(text, **names):
    return "".join(list(Engine(string_if_invalid="INVALID").from_string(text).render(Context(names))))


def attempt(call):
    try:
        return call()
    except Exception as error:
        return [kind.__name__ for kind in (TypeError, ValueError, AttributeError, KeyError) if isinstance(error, kind)]


def case_issue():
    text = "{% if student.year == Year.FIRST %}first{% else %}other{% endif %}"
    return [rendered(text, student=Student(year, 1), Year=Year) for year in ("FI", Year.FIRST, "LA", None)]


def case_members():
    return rendered("{{ Year.FIRST }} {{ Year.LAST.label }} {{ Year.FIRST.value }} {{ Year.LAST.name }}", Year=Year)


def case_integers():
    text = "{{ Level.LOW }} {{ Level.LOW.label }} {{ Level.VERY_HIGH.value }} {% if Level.LOW < 2 %}less{% endif %}"
    return rendered(text, Level=Level)


def case_lists():
    text = "{% for value, label in kind.choices %}{{ value }}={{ label }};{% endfor %}{{ kind.names|join:' ' }}|{{ kind.labels|join:' ' }}|{{ kind.values|join:' ' }}"
    return [rendered(text, kind=kind) for kind in (Year, Level)]


def case_iterated():
    return rendered("{% for each in Year %}{{ each.label }},{% endfor %}{{ Year|length }}", Year=Year)


def case_other_types():
    return rendered("{{ Mark.UNIT.label }} {{ Amount.ALL.label }} {{ Amount.HALF.value }}", Mark=Mark, Amount=Amount)


def case_made_by_call():
    return rendered("{{ Made.NORTH }} {{ Made.SOUTH.label }}", Made=Made)


def case_within_an_object():
    text = "{{ student.Group.B.label }} {% if student.group == student.Group.A %}A{% endif %} {{ kinds.0.FIRST }} {{ by.name.LAST }}"
    return rendered(text, student=Student("FI", 1), kinds=[Year], by={"name": Year})


def case_returned():
    return rendered("{{ student.groups.B.label }}", student=Student("FI", 1))


def case_called_as_before():
    names = {"counter": Counter, "function": lambda: "said", "method": Student("LA", 2).groups.__func__, "needs": Needs, "kind": int}
    return rendered("{{ counter.made }} {{ function }} {{ needs.made }} {{ needs }} {{ kind }} {{ function|upper }}", **names)


def case_marked():
    def changes():
        return "changed"

    def left():
        return "called"

    changes.alters_data, left.do_not_call_in_templates, left.word = True, True, "left"
    return rendered("{{ changes }} {{ left.word }}", changes=changes, left=left)


def case_raised_within():
    def wrong():
        return len(3)

    return attempt(lambda: rendered("{{ wrong }}", wrong=wrong))


def case_without_a_value():
    return [attempt(lambda kind=kind: kind()) for kind in (Year, Level, Student.Group)]


def case_looked_up():
    return Year("FI") is Year.FIRST, Level(20).label, Year["LAST"].value, attempt(lambda: Year("no")), attempt(lambda: Year["no"])


def case_lists_in_python():
    return [(kind.names, kind.values, kind.labels, kind.choices, len(kind)) for kind in (Year, Level, Student.Group)]


def case_equal_values():
    return attempt(lambda: models.TextChoices("Twice", {"A": "x", "B": "x"})), callable(Year), isinstance(Year, enum.EnumMeta)


def case_contained():
    return "FI" in Year, "no" in Year, 20 in Level, Level.LOW in Level, Year.FIRST in Year
