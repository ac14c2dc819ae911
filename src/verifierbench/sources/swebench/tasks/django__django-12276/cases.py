"""What is looked at in the patched Django: which inputs for files say that one is required."""

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
    )
    django.setup()

from django import forms
from django.contrib.admin.widgets import AdminFileWidget
from django.db import models
from django.db.models.fields.files import FieldFile


class Document(models.Model):
    file = models.FileField()

    class Meta:
        app_label = "shop"


class DocumentForm(forms.ModelForm):
    class Meta:
        model = Document
        fields = ["file"]
        widgets = {"file": forms.FileInput}


class Own(forms.FileInput):
    """An input of an application's own kind."""


class Hidden(forms.FileInput):
    input_type = "hidden"


class Stored:
    """A file as a storage of some kind has it."""

    def __init__(self, url="/m/a.txt"):
        self.url = url


def form(widget=forms.FileInput, more=(), **options):
    fields = {"file": forms.FileField(widget=widget, **dict(more))}
    return type("SomeForm", (forms.Form,), fields)(auto_id=False, **options)


def html(*args, **options):
    return str.__getitem__(str(form(*args, **options)["file"]), slice(None)).strip()


def asked(widget, *initials):
    return [widget.use_required_attribute(initial) for initial in initials]


def stored(name):
    return FieldFile(Document(), Document._meta.get_field("file"), name)


def case_rendered():
    return html(initial={"file": "notes.txt"}), html(initial={"file": "resume.txt"}, data={}, files={})


def case_asked():
    return asked(forms.FileInput(), "resume.txt", "a", "0", "notes.txt")


def case_attributes():
    widget = forms.FileInput(attrs={"class": "c"})
    return html(widget, initial={"file": "a.txt"}), asked(widget, "a.txt")


def case_field():
    return html(more={"initial": "a.txt"}), html(more={"initial": lambda: "b.txt"}), html(initial={"file": lambda: "c"})


def case_objects():
    return asked(forms.FileInput(), Stored(), Stored(""), stored("a.txt"), object(), ["a"])


def case_instance():
    saved = DocumentForm(instance=Document(file="a.txt"), auto_id=False)
    return str(saved["file"]).count("required"), str(saved["file"]).count("a.txt")


def case_own_kinds():
    return asked(Own(), "a.txt", "b"), html(Own, initial={"file": "a.txt"})


def case_nothing_yet():
    return html(), html(initial={"file": None}), html(initial={"file": ""}), html(initial={"other": "a.txt"})


def case_asked_of_nothing():
    return asked(forms.FileInput(), None, "", stored(None), stored(""), False), asked(Own(), None)


def case_new_instance():
    return str(DocumentForm(auto_id=False)["file"]).count("required")


def case_not_required():
    one = html(more={"required": False}), html(more={"required": False}, initial={"file": "a.txt"})
    return one, html(use_required_attribute=False)


def case_clearable():
    widget = forms.ClearableFileInput()
    return asked(widget, None, "", "a.txt", Stored()), asked(AdminFileWidget(), None, "a.txt", stored("b"))


def case_clearable_rendered():
    return html(forms.ClearableFileInput), html(forms.ClearableFileInput, initial={"file": "a.txt"})


def case_hidden():
    return asked(Hidden(), None, "a.txt"), html(Hidden)


def case_other_inputs():
    kinds = (forms.TextInput, forms.NumberInput, forms.Textarea, forms.CheckboxInput, forms.HiddenInput)
    return [asked(kind(), None, "a.txt") for kind in kinds]


def case_other_fields():
    kind = type("SomeForm", (forms.Form,), {"name": forms.CharField()})
    return str(kind(initial={"name": "a"}, auto_id=False)["name"]).count("required")


def case_values():
    widget, files = forms.FileInput(), {"f": 1}
    found = widget.value_from_datadict({}, files, "f"), widget.value_omitted_from_data({}, files, "g")
    return found, widget.format_value("a.txt"), form(data={}, files={}, initial={"file": "a.txt"}).is_valid()
