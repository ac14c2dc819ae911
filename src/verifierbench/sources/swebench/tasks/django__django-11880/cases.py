"""What is looked at in the patched Django: error messages of a form field and of its copies."""

import copy

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.contenttypes"],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django import forms
from django.contrib.contenttypes.models import ContentType
from django.core.validators import MaxLengthValidator


class Careful(forms.IntegerField):
    """A field of an application's own, with a copy of its own."""

    def __deepcopy__(self, memo):
        twin = super().__deepcopy__(memo)
        twin.copied = True
        return twin


class Pair(forms.MultiValueField):
    def __init__(self, **more):
        super().__init__(fields=[forms.CharField(), forms.IntegerField()], **more)

    def compress(self, values):
        return values


class Profile(forms.Form):
    name = forms.CharField(error_messages={"required": "Your name?"})
    age = forms.IntegerField(required=False)
    colour = forms.ChoiceField(choices=[("r", "Red")])


class Kind(forms.ModelForm):
    class Meta:
        model = ContentType
        fields = ["app_label", "model"]
        error_messages = {"model": {"required": "Which?"}}


def apart(field):
    """Whether changes of either field's messages stay where they are made."""
    other = copy.deepcopy(field)
    before = dict(field.error_messages)
    other.error_messages["required"] = "changed"
    other.error_messages["more"] = "new"
    kept = dict(field.error_messages) == before
    field.error_messages["later"] = "new"
    field.error_messages.pop("required")
    return kept, "later" in other.error_messages, other.error_messages.get("required")


def said(form, name):
    return [str(text) for text in form.errors.get(name, [])]


def case_text():
    return apart(forms.CharField()), apart(forms.CharField(max_length=3, required=False))


def case_given():
    return apart(forms.CharField(error_messages={"required": "R", "invalid": "I"})), apart(
        forms.IntegerField(error_messages={"invalid": "I"})
    )


def case_other_kinds():
    kinds = [forms.Field, forms.IntegerField, forms.DateField, forms.BooleanField, forms.FileField, forms.DecimalField]
    return [apart(kind()) for kind in kinds]


def case_choices():
    return apart(forms.ChoiceField(choices=[(1, "One")])), apart(forms.MultipleChoiceField(choices=[(1, "One")]))


def case_of_models():
    return apart(forms.ModelChoiceField(ContentType.objects.all())), apart(forms.ModelChoiceField(None))


def case_of_several():
    field = Pair()
    inner = copy.deepcopy(field).fields[1]
    inner.error_messages["invalid"] = "changed"
    return apart(field), str(field.fields[1].error_messages["invalid"])


def case_own_copy():
    return apart(Careful()), copy.deepcopy(Careful()).copied


def case_copy_of_a_copy():
    first = copy.deepcopy(forms.CharField())
    second = copy.deepcopy(first)
    second.error_messages["required"] = "second"
    return apart(first), str(second.error_messages["required"])


def case_in_containers():
    fields = copy.deepcopy({"a": forms.CharField(), "b": [forms.CharField()]})
    again = copy.deepcopy(fields)
    again["b"][0].error_messages.clear()
    return sorted(fields["b"][0].error_messages), sorted(again["a"].error_messages)


def case_two_forms():
    one, two = Profile({}), Profile({})
    one.fields["name"].error_messages["required"] = "Who?"
    return said(one, "name"), said(two, "name"), said(Profile({}), "name")


def case_forms_of_models():
    one, two = Kind({}), Kind({})
    one.fields["model"].error_messages.update(required="One.")
    one.fields["app_label"].error_messages.update(required="Two.")
    return [[str(form.fields[name].error_messages["required"]) for name in form.fields] for form in (one, two, Kind())]


def case_form_itself():
    form = Profile()
    form.fields["age"].error_messages["invalid"] = "A number!"
    form.fields["colour"].error_messages["required"] = "Which?"
    base = Profile.base_fields
    return str(base["age"].error_messages["invalid"]), str(base["colour"].error_messages["required"])


def case_same_messages():
    fields = forms.CharField(error_messages={"required": "R", "own": "O"}), Pair(error_messages={"incomplete": "I"})
    copies = [copy.deepcopy(field).error_messages for field in fields]
    return [{code: str(text) for code, text in messages.items()} for messages in copies]


def case_raised_by_a_copy():
    field = copy.deepcopy(Profile.base_fields["name"])
    try:
        field.clean("")
    except forms.ValidationError as error:
        return error.messages
    return None


def case_validators():
    field = forms.CharField(validators=[MaxLengthValidator(3)])
    other = copy.deepcopy(field)
    other.validators.append(MaxLengthValidator(2))
    return len(field.validators), len(other.validators), field.validators[0] is other.validators[0]


def case_widgets():
    field = forms.CharField(widget=forms.TextInput(attrs={"class": "a"}))
    other = copy.deepcopy(field)
    other.widget.attrs["class"] = "b"
    return field.widget.attrs, other.widget.attrs, field.widget is other.widget


def case_choice_lists():
    field = forms.ChoiceField(choices=[("a", "A")])
    other = copy.deepcopy(field)
    other.choices = [("b", "B")]
    return field.choices, other.choices, field.widget.choices, other.widget.choices


def case_what_is_shared():
    initial = ["x"]
    field = forms.CharField(initial=initial, label="L", help_text="H")
    other = copy.deepcopy(field)
    return other.initial is initial, other.label, other.help_text, type(other).__name__, type(other.error_messages).__name__
