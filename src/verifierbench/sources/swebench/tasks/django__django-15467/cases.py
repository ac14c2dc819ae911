"""What is looked at in the patched Django: labels of the empty choice among an admin's radio buttons."""

import re

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.admin"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    )
    django.setup()

from django import forms
from django.contrib import admin
from django.db import connection, models
from django.utils.translation import gettext_lazy


class Shelf(models.Model):
    class Meta:
        app_label = "shop"


class Book(models.Model):
    near = models.ForeignKey(Shelf, models.SET_NULL, blank=True, null=True, related_name="+")
    far = models.ForeignKey(Shelf, models.SET_NULL, blank=True, null=True, related_name="+")
    must = models.ForeignKey(Shelf, models.CASCADE, related_name="+")
    one = models.OneToOneField(Shelf, models.SET_NULL, blank=True, null=True, related_name="+")
    kind = models.CharField(max_length=1, blank=True, choices=[("a", "A")])

    class Meta:
        app_label = "shop"


RADIO = {"near": admin.HORIZONTAL, "far": admin.VERTICAL, "must": admin.VERTICAL, "one": admin.VERTICAL}


class BookAdmin(admin.ModelAdmin):
    radio_fields = RADIO


class IssueAdmin(admin.ModelAdmin):
    radio_fields = {"near": admin.VERTICAL, "far": admin.VERTICAL}

    def formfield_for_foreignkey(self, db_field, *args, **kwargs):
        if db_field.name == "near":
            kwargs["empty_label"] = "I WANT TO SET MY OWN EMPTY LABEL"
        return super().formfield_for_foreignkey(db_field, *args, **kwargs)


class LabelledAdmin(BookAdmin):
    formfield_overrides = {models.ForeignKey: {"empty_label": "Nowhere"}}


class BookInline(admin.TabularInline):
    model = Book
    fk_name = "must"
    radio_fields = {"near": admin.VERTICAL}
    formfield_overrides = {models.ForeignKey: {"empty_label": "Loose"}}


def made(kind=BookAdmin):
    return kind(Book, admin.site)


def field(name, made, **more):
    return made.formfield_for_dbfield(Book._meta.get_field(name), None, **more)


def label(name, made, **more):
    text = field(name, made, **more).empty_label
    return None if text is None else str(text)


def direct(name, **more):
    text = made().formfield_for_foreignkey(Book._meta.get_field(name), None, **more).empty_label
    return None if text is None else str(text)


def case_issue():
    return label("near", made(IssueAdmin)), label("far", made(IssueAdmin))


def case_given():
    return direct("near", empty_label="Mine"), direct("far", empty_label="Some other"), direct("near")


def case_overrides():
    return [label(name, made(LabelledAdmin)) for name in ("near", "far")]


def case_to_the_admin():
    return label("near", made(), empty_label="0"), label("far", made(), empty_label=" ? ")


def case_known_labels():
    return [direct("far", empty_label=text) for text in ("---------", "None", "none", "-")]


def case_lazy():
    return direct("near", empty_label=gettext_lazy("Nobody")), direct("far", empty_label=gettext_lazy("x"))


def case_one_to_one():
    return label("one", made(LabelledAdmin), empty_label="Alone"), direct("one", empty_label="Alone")


def case_inline():
    inline = BookInline(Shelf, admin.site)
    return label("near", inline), label("near", inline, empty_label="Free")


def case_rendered():
    if Shelf._meta.db_table not in connection.introspection.table_names():
        with connection.schema_editor() as editor:
            editor.create_model(Shelf)
    shown = forms.Form()
    shown.fields["near"] = direct_field = field("near", made(), empty_label="Mine")
    texts = re.findall(r">\s*([^<>\s][^<>]*?)\s*</label>", str(shown["near"]))
    return texts, [str(text) for _, text in direct_field.choices]


def case_default():
    return label("near", made()), label("far", made()), label("one", made()), direct("near", required=False)


def case_required():
    return label("must", made()), direct("must"), label("must", made(LabelledAdmin)), direct("must", empty_label="No")


def case_not_radio():
    plain = made(admin.ModelAdmin)
    return label("near", plain), label("near", plain, empty_label="Mine"), label("must", plain)


def case_own_widget():
    own = field("near", made(), widget=forms.Select, empty_label="Mine")
    return str(own.empty_label), type(own.widget.widget).__name__, label("near", made(), widget=forms.Select())


def case_choices():
    radio = admin.ModelAdmin(Book, admin.site)
    radio.radio_fields = {"kind": admin.VERTICAL}
    one = radio.formfield_for_dbfield(Book._meta.get_field("kind"), None)
    return [(value, str(text)) for value, text in one.choices], type(one.widget).__name__


def case_widgets():
    near, far = field("near", made(LabelledAdmin)).widget.widget, field("far", made()).widget.widget
    return type(near).__name__, near.attrs["class"], type(far).__name__, far.attrs["class"]


def case_overrides_left():
    field("near", made(LabelledAdmin))
    field("must", made(LabelledAdmin))
    return LabelledAdmin.formfield_overrides[models.ForeignKey], sorted(RADIO)
