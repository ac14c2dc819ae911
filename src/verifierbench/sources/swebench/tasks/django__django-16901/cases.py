"""What is looked at in the patched Django: conditions joined by `^` on SQLite, which has no XOR of its own."""

import warnings

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=[],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

warnings.filterwarnings("ignore", "Model 'cases.number' was already registered")

from django.db import connection, models
from django.db.models import Case, Count, Max, Q, Value, When


class Number(models.Model):
    """From 0 to 11, in four groups of three."""

    num = models.IntegerField()
    group = models.CharField(max_length=1)

    class Meta:
        app_label = "cases"


if Number._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(Number)
    Number.objects.bulk_create(Number(id=each + 30, num=each, group="abcd"[each // 3]) for each in range(12))

A, B, C, D, E = (Q(num__gte=least) for least in (1, 3, 5, 7, 9))


def found(condition):
    """The numbers of which a condition is true."""
    return [*Number.objects.filter(condition).order_by("num").values_list("num", flat=True)]


def case_issue():
    one, counts = Q(id=37), []
    joined = one
    for _ in range(5):
        counts.append(Number.objects.filter(joined).count())
        joined ^= one
    return counts


def case_three():
    return found(A ^ B ^ C), found(Q(num=1) ^ Q(num__lt=3) ^ Q(num__lt=5))


def case_four():
    return found(A ^ B ^ C ^ D), found(Q(num__lt=4) ^ Q(num__lt=6) ^ Q(num=2) ^ Q(num__gt=1))


def case_five_and_more():
    return found(A ^ B ^ C ^ D ^ E), found(A ^ B ^ C ^ D ^ E ^ Q(num=11) ^ Q(num=0))


def case_all_true():
    every = Q(num__gte=0)
    joined, counts = every, []
    for number in range(2, 10):
        joined = joined ^ (every | Q(num=number))
        counts.append(len(found(joined)))
    return counts


def case_grouped():
    return found((A ^ B) ^ (C ^ D)), found(A ^ (B ^ (C ^ E))), found((A | E) ^ (B & ~D) ^ C)


def case_querysets():
    one, two, three = (Number.objects.filter(condition) for condition in (A, B, D))
    return sorted((one ^ two ^ three).values_list("num", flat=True))


def case_negated():
    return found(~(A ^ B ^ C)), found(~A ^ ~B ^ ~C), [*Number.objects.exclude(A ^ B ^ C).order_by("num").values_list("num", flat=True)]


def case_within_others():
    return found((A ^ B ^ C) & Q(num__lt=9)), found((A ^ B ^ C) | Q(num=0)), found(~((A ^ B ^ D) | Q(num=0)))


def case_in_expressions():
    odd = Case(When(A ^ B ^ C, then=Value("odd")), default=Value("even"))
    said = [*Number.objects.annotate(said=odd).order_by("num").values_list("said", flat=True)]
    return said, Number.objects.aggregate(count=Count("id", filter=A ^ B ^ C ^ D ^ E))["count"]


def case_after_grouping():
    groups = Number.objects.values("group").annotate(top=Max("num"), count=Count("id"))
    kept = groups.filter(Q(count=3) ^ Q(top__gt=2) ^ Q(top__gt=6)).order_by("group")
    return [*kept.values_list("group", "top")]


def case_two():
    return found(A ^ B), found(A ^ A), found(Q(num__lte=7) ^ Q(num__gte=3)), found(~A ^ C)


def case_two_negated():
    return found(~(A ^ C)), [*Number.objects.exclude(Q(num__lte=7) ^ Q(num__gte=3)).order_by("num").values_list("num", flat=True)]


def case_one():
    return found(Q() ^ B), found(B ^ Q()), found(Q(Q(num=3), _connector=Q.XOR)), len(found(Q() ^ Q()))


def case_nothing_and_all():
    return found(Q(num__in=[]) ^ E), found(~Q(num__in=[]) ^ E), found(Q(num__in=[]) ^ Q(num__in=[])), found(Q(num__in=[]) | E)


def case_other_connectors():
    return found(A & B & ~C), found(Q(num=1) | Q(num=3) | Q(num=5) | Q(num=1)), found(~(B | Q(num=1)))


def case_database_with_xor():
    features = connection.features
    features.supports_logical_xor = True
    try:
        statements = [str(Number.objects.filter(joined).query) for joined in (A ^ B, A ^ B ^ C, ~(A ^ B ^ C))]
    finally:
        del features.supports_logical_xor
    return [(text.count(" XOR "), text.count("NOT"), text.count("CASE")) for text in statements]


def case_conditions_themselves():
    joined = A ^ B ^ C
    return joined.connector, len(joined.children), joined == Q(num__gte=1) ^ Q(num__gte=3) ^ Q(num__gte=5), (A ^ B).negated
