"""What is looked at in the patched Django: what `model_to_dict` takes from models that are never saved."""

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    )
    django.setup()

from django.db import models
from django.forms import ModelForm
from django.forms.models import model_to_dict


class Shelf(models.Model):
    name = models.CharField(max_length=9)

    class Meta:
        app_label = "shop"


class Book(models.Model):
    title = models.CharField(max_length=9)
    price = models.IntegerField(default=3)
    shelf = models.ForeignKey(Shelf, models.CASCADE)
    stamp = models.CharField(max_length=9, editable=False, default="s")
    near = models.ManyToManyField(Shelf, related_name="+")

    class Meta:
        app_label = "shop"


class Atlas(Book):
    scale = models.IntegerField(default=5)

    class Meta:
        app_label = "shop"


class Pair(models.Model):
    code = models.CharField(max_length=9, primary_key=True)
    books = models.ManyToManyField(Book)

    class Meta:
        app_label = "shop"


class TitleForm(ModelForm):
    class Meta:
        model = Book
        fields = ["title", "shelf"]


def book(**more):
    return Book(title="t", shelf_id=7, **more)


def case_issue():
    return model_to_dict(book(), fields=[])


def case_by_position():
    return model_to_dict(book(), []), model_to_dict(book(), [], None), model_to_dict(book(), [], ["title"])


def case_tuple():
    return model_to_dict(book(), fields=()), model_to_dict(Shelf(name="n"), fields=())


def case_other_empty():
    return [model_to_dict(book(), fields=none) for none in (set(), frozenset(), {}, {}.keys())]


def case_with_exclude():
    return [model_to_dict(book(), fields=[], exclude=names) for names in ([], ["price"], ("id", "near"), None)]


def case_other_models():
    return [model_to_dict(made, fields=[]) for made in (Shelf(), Atlas(title="a"), Pair(code=None), book(price=0))]


def case_not_shared():
    model_to_dict(book(), fields=[])["more"] = 1
    return model_to_dict(book(), fields=[]), len(model_to_dict(book(), fields=[])), list(model_to_dict(book(), []))


def case_all():
    return model_to_dict(book()), model_to_dict(book(price=1), fields=None), model_to_dict(book(), None)


def case_all_of_others():
    return model_to_dict(Shelf(id=2, name="n")), model_to_dict(Atlas(title="a")), model_to_dict(Pair(code=None))


def case_named():
    return [model_to_dict(book(), fields=names) for names in (["title"], ("price", "shelf"), {"near"}, {"id": 1})]


def case_unknown():
    return model_to_dict(book(), fields=["none"]), model_to_dict(book(), fields=["none", "title"])


def case_not_editable():
    return model_to_dict(book(), fields=["stamp"]), model_to_dict(book(), fields=["stamp", "price"])


def case_excluded():
    return model_to_dict(book(), exclude=["near", "shelf"]), model_to_dict(book(), None, ("title", "stamp"))


def case_nothing_excluded():
    return [sorted(model_to_dict(book(), exclude=names)) for names in ([], (), set(), None)]


def case_both():
    return model_to_dict(book(), ["title", "price"], ["price"]), model_to_dict(book(), ["title"], ["title"])


def case_arguments_left():
    fields, exclude = ["title", "price"], ["price"]
    model_to_dict(book(), fields, exclude)
    return fields, exclude


def case_form():
    return TitleForm(instance=book()).initial, TitleForm(initial={"title": "u"}, instance=book()).initial
