"""What is looked at in the patched Django: ids of the single boxes of a widget with choices."""

import django
from django.conf import settings

if not settings.configured:
    settings.configure(USE_I18N=False)
    django.setup()

from django import forms

CHOICES = [("a", "A"), ("b", "B"), ("c", "C")]
GROUPED = [("First", [("a", "A"), ("b", "B")]), ("c", "C"), ("Last", [("d", "D"), ("e", "E")])]


class Dashed(forms.CheckboxSelectMultiple):
    """A widget whose boxes have ids of another form."""

    def id_for_label(self, id_, index=None):
        return super().id_for_label(id_) if index is None else f"{id_}-box-{index}"


class Valued(forms.CheckboxSelectMultiple):
    """A widget whose boxes are named for their values."""

    def create_option(self, name, value, *args, **kwargs):
        option = super().create_option(name, value, *args, **kwargs)
        option["attrs"]["id"] = f"{name}={value}"
        return option


def form(widget=None, choices=CHOICES, **more):
    class Menu(forms.Form):
        drinks = forms.MultipleChoiceField(choices=choices, widget=widget or forms.CheckboxSelectMultiple)
        name = forms.CharField(required=False)

    return Menu(**more)


def ids(*args, **more):
    return [box.id_for_label for box in form(*args, **more)["drinks"].subwidgets]


def rendered(*args, **more):
    """What the boxes have in their HTML."""
    return [str(box.tag()).partition(' id="')[2].partition('"')[0] for box in form(*args, **more)["drinks"]]


def case_prefixed():
    return ids(auto_id="prefix_%s")


def case_suffixed():
    return ids(auto_id="%s-of-menu"), ids(auto_id="%s", prefix="p")


def case_bare_name():
    return ids(auto_id=True)


def case_own_id():
    return ids(forms.CheckboxSelectMultiple(attrs={"id": "mine"})), ids(
        forms.CheckboxSelectMultiple(attrs={"id": "mine", "class": "x"}), auto_id="other_%s"
    )


def case_grouped():
    return ids(choices=GROUPED, auto_id="g_%s")


def case_own_form_of_ids():
    return ids(Dashed), ids(Dashed, auto_id="d_%s")


def case_own_option():
    return ids(Valued), ids(Valued, auto_id="v_%s")


def case_bound():
    return ids(data={"drinks": ["b"]}, auto_id="bound_%s"), ids(initial={"drinks": ["c"]}, auto_id="init_%s")


def case_by_default():
    return ids(), ids(prefix="p"), ids(choices=GROUPED), ids(data={"drinks": ["a"]})


def case_of_the_field():
    made = [form(), form(auto_id="x_%s"), form(forms.Select), form(forms.Select, auto_id="x_%s")]
    return [(each["drinks"].id_for_label, each["name"].id_for_label) for each in made]


def case_drawn():
    return rendered(), rendered(auto_id="x_%s"), rendered(Dashed), rendered(choices=GROUPED, auto_id="g_%s")


def case_labels_and_values():
    boxes = form(choices=GROUPED, initial={"drinks": ["b"]})["drinks"].subwidgets
    return [(box.choice_label, box.data["value"], box.data["index"], box.data["selected"]) for box in boxes]


def case_of_the_widget():
    boxes, menu = forms.CheckboxSelectMultiple(), forms.Select()
    return boxes.id_for_label("i"), boxes.id_for_label("i", "2"), menu.id_for_label("i"), menu.id_for_label("i", "2")


def case_whole_field():
    return str(form(choices=[("a", "A")], auto_id="w_%s")["drinks"]).split()
