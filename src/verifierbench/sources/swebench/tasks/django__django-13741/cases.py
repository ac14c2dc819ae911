"""What is looked at in the patched Django: forms that show a password's hash, and what a submitter can do to it."""

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        SECRET_KEY="x",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django import forms
from django.contrib.auth.forms import AdminPasswordChangeForm, ReadOnlyPasswordHashField, UserChangeForm, UserCreationForm
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection

HASH = "md5$salt$5ebe2294ecd0e0f08eab7690d2a6ee69"

with connection.schema_editor() as editor:
    for model in (ContentType, Permission, Group, User):
        editor.create_model(model)


class Noted(ReadOnlyPasswordHashField):
    """An application's own kind of the field."""


def plain(**options):
    class Account(forms.Form):
        name = forms.CharField()
        password = ReadOnlyPasswordHashField(**options)

    return Account


class Profile(forms.ModelForm):
    """A form for users that has no `clean_password`."""

    password = ReadOnlyPasswordHashField(label="Password", help_text="Not stored.")

    class Meta:
        model = User
        fields = ["username", "password"]


def cleaned(form):
    return form.is_valid(), form.cleaned_data.get("password")


def user():
    return User(username="ann", password=HASH)


def changed(**data):
    joined = {"username": "bob", "date_joined": "2020-01-01 00:00:00"}
    form = UserChangeForm({**joined, **data}, instance=user())
    valid = form.is_valid()
    saved = form.save(commit=False)
    return valid, saved.username, saved.password, form.changed_data


def case_disabled():
    return [ReadOnlyPasswordHashField(**more).disabled for more in ({}, {"label": "P"}, {"required": True})]


def case_disabled_in_forms():
    return [form.base_fields["password"].disabled for form in (plain(), plain(label="P"), Profile, UserChangeForm)]


def case_own_kind():
    field = Noted(label="P")
    form = type("F", (forms.Form,), {"password": field})
    return field.disabled, cleaned(form({"password": "evil"}, initial={"password": HASH}))


def case_tampered():
    return [
        cleaned(plain(**more)({"name": "n", "password": "evil"}, initial={"password": HASH}))
        for more in ({}, {"label": "P"}, {"help_text": "h", "label": "P"})
    ]


def case_not_sent():
    return [cleaned(plain(**more)({"name": "n"}, initial={"password": HASH})) for more in ({}, {"label": "P"})]


def saved():
    for data in ({"username": "bob", "password": "evil"}, {"username": "bob"}):
        form = Profile(data, instance=user())
        form.is_valid()
        saved = form.save(commit=False)
        yield saved.username, saved.password


def case_saved():
    return list(saved())


def case_asked_for_otherwise():
    return ReadOnlyPasswordHashField(disabled=False).disabled, ReadOnlyPasswordHashField(disabled=True).disabled


def case_user_changed():
    return changed(), changed(password="evil")


def case_nothing_changed():
    form = plain(label="P")({"name": "n", "password": "evil"}, initial={"name": "n", "password": HASH})
    return form.has_changed(), form.changed_data, ReadOnlyPasswordHashField().has_changed("aaa", "bbb")


def case_drawn():
    shown = []
    for data in (None, {"name": "n", "password": "evil"}, {"name": "n"}):
        html = str(plain()(data, initial={"password": HASH})["password"])
        shown.append(("md5" in html, "sa**" in html, "evil" in html, "<input" in html))
    return shown


def case_value_shown():
    sent = {"name": "n", "password": "evil"}
    return [plain()(data, initial={"password": HASH})["password"].value() for data in (None, sent)]


def case_may_be_missing():
    field = ReadOnlyPasswordHashField()
    return field.required, ReadOnlyPasswordHashField(required=True).required, cleaned(plain()({"name": "n"}))


def case_other_fields():
    new, admins = UserCreationForm(), AdminPasswordChangeForm(user())
    fields = [*new.fields.items(), *admins.fields.items(), *UserChangeForm.base_fields.items(), *Profile.base_fields.items()]
    return [(name, field.disabled, field.required) for name, field in fields if name != "password"]


def case_texts():
    field = Profile.base_fields["password"]
    return field.label, field.help_text, type(field.widget).__name__
