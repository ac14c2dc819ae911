"""What is looked at in the patched Django: conditions that are combined with `&` and `|`, by what they select."""

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django.db import connection, models
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When


class Product(models.Model):
    name = models.CharField(max_length=9)
    price = models.IntegerField()

    class Meta:
        app_label = "shop"


class Review(models.Model):
    product = models.ForeignKey(Product, models.CASCADE)
    stars = models.IntegerField()

    class Meta:
        app_label = "shop"


with connection.schema_editor() as editor:
    editor.create_model(Product)
    editor.create_model(Review)
for number, (name, stars) in enumerate([("a", [5]), ("b", []), ("c", [1, 2]), ("d", [])], 1):
    product = Product.objects.create(name=name, price=number * 10)
    for each in stars:
        Review.objects.create(product=product, stars=each)


def reviewed(**more):
    return Exists(Review.objects.filter(product=OuterRef("pk"), **more))


def names(condition):
    return "".join(Product.objects.filter(condition).order_by("pk").values_list("name", flat=True))


def case_and():
    return names(Q(price__gt=15) & reviewed()), names(Q(name="a", price=10) & reviewed(stars=5))


def case_or():
    return names(Q(price=20) | reviewed()), names(Q(price=20) | Q(price=40) | reviewed(stars=5))


def case_empty_and():
    return names(Q() & reviewed()), names(Q() & reviewed(stars=9))


def case_empty_or():
    return names(Q() | reviewed()), names(Q() | reviewed(stars=1))


def case_negated():
    return names(Q(price__lt=35) & ~reviewed()), names(~Q(name="a") & reviewed())


def case_in_a_row():
    return names(Q(price__gt=5) & reviewed() & Q(price__lt=25)), names(Q(price__gt=5) & reviewed() & reviewed(stars=2))


def case_or_in_a_row():
    return names((Q(price=20) | reviewed(stars=5)) & Q(price__lt=15)), names(~(Q(price=20) | reviewed()))


def case_in_an_expression():
    chosen = Case(When(Q(price__gt=15) & reviewed(), then=Value("x")), default=Value("-"))
    return list(Product.objects.annotate(mark=chosen).order_by("pk").values_list("mark", flat=True))


def case_left_alone():
    condition, other = Q(price__gt=15), reviewed()
    condition & other
    condition | other
    return str(condition), names(condition), names(other)


def case_exists_first():
    found = [reviewed() & Q(price__gt=15), reviewed() | Q(price=20), reviewed() & Q(), reviewed() & reviewed(stars=5)]
    return [names(condition) for condition in found]


def case_exists_alone():
    return names(reviewed()), names(~reviewed()), names(Q(reviewed()))


def case_plain():
    a, b = Q(price__gt=15), Q(name="a")
    return [str(each) for each in (a & b, a | b, ~a & b, a & Q(), Q() & a, Q() | a, a | Q(), Q() & Q())]


def case_deconstructed():
    combined = Q(price__gt=15) & Q(name="a")
    return combined.deconstruct(), (Q(name="a") | Q()).deconstruct(), combined == (Q(price__gt=15) & Q(name="a"))


def attempt(call):
    try:
        return str(call())
    except Exception as error:
        return type(error).__name__


def case_not_conditions():
    return [attempt(lambda x=x: Q(price=1) & x) for x in (5, None, "x", {}, object)]


def case_or_not_conditions():
    return [attempt(lambda x=x: Q(price=1) | x) for x in (5, None, "x", {}, object)]


def case_not_conditional():
    return attempt(lambda: Q(price=1) & F("price")), attempt(lambda: Q(price=1) | F("price"))


def case_other_way_round():
    return attempt(lambda: F("price") & Q(price=1)), attempt(lambda: 5 & F("price"))
