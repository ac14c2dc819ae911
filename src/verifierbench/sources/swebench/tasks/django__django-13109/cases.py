"""What is looked at in the patched Django: which rows a foreign key may name, where a model's manager hides some."""

import django
from django.conf import settings

if not settings.configured:
    memory = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
    settings.configure(
        USE_I18N=False,
        DATABASES={"default": memory, "other": dict(memory)},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django import forms
from django.core.exceptions import ValidationError
from django.db import connections, models


class Listed(models.Manager):
    def get_queryset(self):
        return super().get_queryset().filter(listed=True)


class Present(models.Manager):
    def get_queryset(self):
        return super().get_queryset().filter(lost=False)


class Shop(models.Model):
    class Meta:
        abstract = True
        app_label = "shop"


class Article(Shop):
    code = models.CharField(max_length=9, unique=True)
    listed = models.BooleanField(default=True)
    rank = models.IntegerField(default=0)
    objects = Listed()


class Copy(Shop):
    """Has a base manager of its own, which hides what is lost."""

    listed = models.BooleanField(default=True)
    lost = models.BooleanField(default=False)
    objects = Listed()
    present = Present()

    class Meta(Shop.Meta):
        abstract = False
        base_manager_name = "present"


class Open(Shop):
    """Hides nothing by default, and what is lost where it matters."""

    lost = models.BooleanField(default=False)
    objects = models.Manager()
    present = Present()

    class Meta(Shop.Meta):
        abstract = False
        base_manager_name = "present"


class Favourite(Shop):
    article = models.ForeignKey(Article, models.CASCADE)


class ByCode(Shop):
    article = models.ForeignKey(Article, models.CASCADE, to_field="code", null=True, blank=True)


class Only(Shop):
    article = models.OneToOneField(Article, models.CASCADE)


class Ranked(Shop):
    article = models.ForeignKey(Article, models.CASCADE, limit_choices_to={"rank__gt": 2})


class Lent(Shop):
    copy = models.ForeignKey(Copy, models.CASCADE, null=True)
    open = models.ForeignKey(Open, models.CASCADE, null=True)


MODELS = Article, Copy, Open, Favourite, ByCode, Only, Ranked, Lent
for alias in ("default", "other"):
    with connections[alias].schema_editor() as editor:
        for model in MODELS:
            editor.create_model(model)
Article(pk=1, code="shown", rank=3).save()
Article(pk=2, code="hidden", listed=False, rank=3).save()
Article(pk=3, code="low", listed=False, rank=1).save()
Article(pk=4, code="low-shown", rank=1).save()
Article(pk=7, code="elsewhere", listed=False).save(using="other")
Copy(pk=1, listed=False).save()
Copy(pk=2, lost=True).save()
Open(pk=1).save()
Open(pk=2, lost=True).save()


def refused(instance):
    """The fields that are refused, and why."""
    try:
        instance.clean_fields()
    except ValidationError as error:
        return {name: [each.code for each in errors] for name, errors in error.error_dict.items()}
    return {}


def chosen(key, everything):
    class FavouriteForm(forms.ModelForm):
        class Meta:
            model = Favourite
            fields = "__all__"

        def __init__(self, data):
            super().__init__(data)
            if everything:
                self.fields["article"].queryset = Article._base_manager.all()

    form = FavouriteForm({"article": key})
    valid = form.is_valid()
    return valid, sorted(form.errors), valid and form.save(commit=False).article_id


def elsewhere(kind, key):
    instance = kind(article_id=key)
    instance._state.db = "other"
    return refused(instance)


def case_hidden():
    return refused(Favourite(article_id=2)), refused(Favourite(article_id=3))


def case_in_a_form():
    return chosen(2, True), chosen(3, True)


def case_by_another_field():
    return refused(ByCode(article_id="hidden")), refused(ByCode(article_id="low"))


def case_one_to_one():
    return refused(Only(article_id=2)), refused(Only(article_id=3))


def case_hidden_and_limited():
    return refused(Ranked(article_id=2))


def case_own_base_manager():
    return refused(Lent(copy_id=1)), refused(Lent(copy_id=2)), refused(Lent(open_id=1)), refused(Lent(open_id=2))


def case_shown():
    return refused(Favourite(article_id=1)), refused(ByCode(article_id="shown")), refused(Only(article_id=4))


def case_missing():
    return refused(Favourite(article_id=99)), refused(ByCode(article_id="none")), refused(Only(article_id=99))


def case_told_what_is_missing():
    try:
        Favourite(article_id=99).clean_fields()
    except ValidationError as error:
        params = error.error_dict["article"][0].params
        return params["model"], params["pk"], params["field"], params["value"]
    return None


def case_limited():
    return [refused(Ranked(article_id=key)) for key in (1, 3, 4)]


def case_none():
    return refused(Favourite()), refused(ByCode()), refused(ByCode(article_id=""))


def case_forms_and_lists():
    field = Favourite._meta.get_field("article").formfield()
    forms = [chosen(2, False), chosen(1, False), chosen(99, False), chosen(99, True)]
    return forms, *([each.code for each in rows.order_by("pk")] for rows in (field.queryset, Article.objects))


def case_other_database():
    return elsewhere(Favourite, 1), refused(Favourite(article_id=7))
