"""What is looked at in the patched Django: how migrations write down classes."""

import decimal
import enum
import functools
import sys
import types
import uuid

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django.db import migrations, models
from django.db.migrations.writer import MigrationWriter


class Outer:
    """Has classes inside."""

    class Inner(models.CharField):
        pass

    class Plain:
        class Deep(enum.Enum):
            a = 1

        class Deeper:
            class Deepest:
                pass

    def twice(value):
        return value * 2


class Thing:
    """Has enumerations inside, as a model may."""

    class State(enum.Enum):
        on = "on"
        off = "off"

    class Colour(models.TextChoices):
        RED = "r", "Red"

    class Size(models.IntegerChoices):
        BIG = 1


class Alone:
    """Stands for itself."""


class EnumField(models.Field):
    """A field that is told its enumeration."""

    def __init__(self, *args, enum=None, **kwargs):
        self.enum = enum
        super().__init__(*args, **kwargs)

    def deconstruct(self):
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "enum": self.enum}


cases = sys.modules["cases"] = types.ModuleType("cases")
cases.Outer, cases.Thing, cases.Alone, cases.EnumField = Outer, Thing, Alone, EnumField


def written(value):
    text, imports = MigrationWriter.serialize(value)
    return text, sorted(imports)


def read_back(value):
    """Whether what was written down is the value when it is run."""
    text, imports = MigrationWriter.serialize(value)
    space = {}
    exec("\n".join([*sorted(imports), f"found = {text}"]), space)
    return space["found"] is value


def migration(*operations):
    """A written migration without its first line, which has a date."""
    made = type("Migration", (migrations.Migration,), {"operations": list(operations), "dependencies": []})
    return MigrationWriter(made("0001", "x"), include_header=False).as_string()


def case_inner_enum():
    return written(Thing.State), read_back(Thing.State)


def case_inner_choices():
    return written(Thing.Colour), written(Thing.Size), read_back(Thing.Colour)


def case_inner_field():
    return written(Outer.Inner), read_back(Outer.Inner)


def case_inner_plain():
    return written(Outer.Plain), read_back(Outer.Plain)


def case_deep_enum():
    return written(Outer.Plain.Deep), read_back(Outer.Plain.Deep)


def case_deep_plain():
    kind = Outer.Plain.Deeper.Deepest
    return written(Outer.Plain.Deeper), written(kind), read_back(kind)


def case_in_containers():
    return written([Outer.Plain, Alone]), written({"k": (Outer.Plain,)}), written(functools.partial(dict, k=Outer.Inner))


def case_of_a_field():
    return written(EnumField(enum=Thing.State)), written(models.CharField(default=Thing.Colour))


def case_in_a_migration():
    return migration(migrations.AddField("thing", "state", EnumField(enum=Thing.State)))


def case_at_top():
    return written(Alone), read_back(Alone), written(EnumField(enum=Alone))


def case_of_others():
    return written(decimal.Decimal), written(uuid.UUID), written(models.TextChoices), written(migrations.AddField)


def case_builtins():
    return [written(kind) for kind in (int, str, list, dict, ValueError)]


def case_special():
    return written(type(None)), written(models.Model), written(models.CharField)


def case_members():
    return written(Thing.State.on), written(Outer.Plain.Deep.a), written(Thing.Colour.RED)


def case_field_itself():
    field = Outer.Inner(max_length=20)
    lines = migration(migrations.AddField("a", "f", field)).split("\n")
    return written(field)[0], [line.strip() for line in lines if "Inner" in line and "import" not in line]


def case_functions():
    return written(Outer.twice), written(functools.partial(Outer.twice, 3))
