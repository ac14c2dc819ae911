"""What is looked at in the patched Django: primary keys that models get by default."""

import sys
import types

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False, DEFAULT_AUTO_FIELD="django.db.models.AutoField")
    django.setup()

from django.apps import AppConfig
from django.apps.registry import Apps
from django.db import models
from django.test.utils import override_settings


class Noted:
    """Something that fields of an application have in common."""

    note = "noted"


class MyBigAutoField(models.BigAutoField):
    pass


class MySmallAutoField(models.SmallAutoField):
    pass


class Further(MyBigAutoField):
    pass


class Furthest(Further):
    pass


class SmallFurther(Noted, MySmallAutoField):
    pass


class NotedBig(Noted, models.BigAutoField):
    pass


class Generated(models.BigAutoField):
    def get_internal_type(self):
        return "BigAutoField"


class MyAutoField(models.AutoField):
    pass


class MyIntegerField(models.IntegerField):
    pass


PLACE = types.ModuleType("shop_fields")
vars(PLACE).update({name: each for name, each in list(globals().items()) if isinstance(each, type)})
sys.modules["shop_fields"] = PLACE


def made(registry=None):
    """The primary key of a new model."""

    class Meta:
        app_label = "shop"
        apps = registry or Apps()

    body = {"__module__": "shop_models", "name": models.CharField(max_length=9), "Meta": Meta}
    return type("Thing", (models.Model,), body)._meta.pk


def said(path, make=made):
    with override_settings(DEFAULT_AUTO_FIELD=path):
        try:
            key = make()
        except Exception as error:
            return type(error).__name__
        return type(key).__name__, key.name, key.primary_key, key.auto_created


def own(*names):
    return [said(f"shop_fields.{name}") for name in names]


def configured(path):
    """A model's key where the application's configuration says which."""
    kind = type("ShopConfig", (AppConfig,), {"path": "/nowhere", "default_auto_field": path})
    registry = Apps()
    registry.app_configs["shop"] = config = kind("shop", types.ModuleType("shop"))
    config.apps, config.models = registry, registry.all_models["shop"]
    return said("django.db.models.AutoField", lambda: made(registry))


def case_issue():
    return own("MyBigAutoField")


def case_small():
    return own("MySmallAutoField")


def case_further():
    return own("Further", "Furthest")


def case_with_others():
    return own("NotedBig", "SmallFurther")


def case_overriding():
    return own("Generated"), said("shop_fields.Generated", lambda: made().model._meta.pk)


def case_by_configuration():
    return [configured(f"shop_fields.{name}") for name in ("MyBigAutoField", "MySmallAutoField", "Furthest")]


def case_kinds():
    with override_settings(DEFAULT_AUTO_FIELD="shop_fields.MyBigAutoField"):
        big = made()
    with override_settings(DEFAULT_AUTO_FIELD="shop_fields.SmallFurther"):
        small = made()
    return type(big) is MyBigAutoField, big.get_internal_type(), type(small) is SmallFurther, small.get_internal_type()


def case_known():
    return [said(f"django.db.models.{name}") for name in ("AutoField", "BigAutoField", "SmallAutoField")]


def case_own_auto():
    return own("MyAutoField"), configured("shop_fields.MyAutoField"), issubclass(MyAutoField, models.AutoField)


def case_text():
    return said("django.db.models.TextField"), configured("django.db.models.TextField"), own("Noted")


def case_integers():
    names = ("IntegerField", "BigIntegerField", "SmallIntegerField", "PositiveBigIntegerField")
    return [said(f"django.db.models.{name}") for name in names], own("MyIntegerField")


def case_missing():
    return said("django.db.models.NoField"), said(None), said(""), configured("no_module.Field")


def case_instances():
    kinds = (models.AutoField, models.BigAutoField, models.SmallAutoField, MyBigAutoField, MyAutoField)
    others = (models.IntegerField, models.BigIntegerField, models.TextField, MyIntegerField)
    return [isinstance(kind(), models.AutoField) for kind in (*kinds, *others)], isinstance(5, models.AutoField)


def case_subclasses():
    known = [
        issubclass(kind, models.AutoField) for kind in (models.AutoField, models.BigAutoField, models.SmallAutoField)
    ]
    others = [issubclass(kind, models.AutoField) for kind in (models.IntegerField, models.BigIntegerField, int, Noted)]
    return (
        known,
        others,
        issubclass(MyBigAutoField, models.SmallAutoField),
        issubclass(models.AutoField, MyBigAutoField),
    )


def case_no_class():
    try:
        return issubclass(5, models.AutoField)
    except TypeError:
        return "TypeError"


def case_own_keys():
    class Meta:
        app_label = "shop"
        apps = Apps()

    body = {"__module__": "shop_models", "code": models.CharField(primary_key=True, max_length=9), "Meta": Meta}
    return said(None, lambda: type("Coded", (models.Model,), body)._meta.pk)
