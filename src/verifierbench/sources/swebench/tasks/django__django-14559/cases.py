"""What is looked at in the patched Django: what `bulk_update` returns, and what it does."""

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

warnings.filterwarnings("ignore", "Model 'cases.")

from django.db import IntegrityError, connection, models
from django.db.models import F
from django.test.utils import CaptureQueriesContext


class Shelf(models.Model):
    class Meta:
        app_label = "cases"


class Book(models.Model):
    title = models.CharField(max_length=20, unique=True)
    pages = models.IntegerField(default=0)
    read = models.BooleanField(default=False)
    shelf = models.ForeignKey(Shelf, models.CASCADE, null=True, related_name="books")

    class Meta:
        app_label = "cases"


if Book._meta.db_table not in connection.introspection.table_names():
    with connection.schema_editor() as editor:
        editor.create_model(Shelf)
        editor.create_model(Book)


def books(count=5):
    """That many books in an otherwise empty table, each with twice its number of pages."""
    Book.objects.all().delete()
    Shelf.objects.all().delete()
    return Book.objects.bulk_create(Book(id=each, title=f"t{each}", pages=each) for each in range(1, count + 1))


def read(rows):
    for row in rows:
        row.pages, row.read = row.pages * 2, True
    return rows


def pages():
    return [*Book.objects.order_by("id").values_list("pages", flat=True)]


def attempt(call):
    try:
        return call()
    except Exception as error:
        return [kind.__name__ for kind in (ValueError, TypeError, IntegrityError) if isinstance(error, kind)]


def case_all():
    return Book.objects.bulk_update(read(books()), ["pages"]), Book.objects.all().bulk_update(read(books(1)), ["pages", "read"])


def case_batches():
    return [Book.objects.bulk_update(read(books(7)), ["pages"], batch_size=size) for size in (1, 3, 7, 50, None)]


def case_no_objects():
    books()
    return [attempt(lambda none=none: Book.objects.bulk_update(none, ["pages"])) for none in ([], (), iter([]))]


def case_rows_gone():
    rows = read(books(6))
    Book.objects.filter(id__in=[1, 2, 4]).delete()
    return Book.objects.bulk_update(rows, ["pages"]), Book.objects.bulk_update(rows, ["read"], batch_size=2), Book.objects.bulk_update(rows[:2], ["read"])


def case_no_row_left_in_the_last_batch():
    rows = read(books(5))
    rows[4].delete()
    rows[4].pk = 5
    return Book.objects.bulk_update(rows, ["pages"], batch_size=2), pages()


def case_within_a_filter():
    rows = read(books(6))
    return Book.objects.filter(id__gt=4).bulk_update(rows, ["pages"]), pages()


def case_no_longer_in_the_filter():
    rows = read(books(4))
    return Book.objects.filter(read=False).bulk_update(rows, ["read"], batch_size=3), Book.objects.filter(read=False).bulk_update(rows, ["pages"])


def case_same_object_twice():
    rows = read(books(3))
    return Book.objects.bulk_update([rows[0], rows[1], rows[0]], ["pages"]), pages()


def case_of_a_related_manager():
    rows, shelf = read(books(5)), Shelf.objects.create(id=1)
    Book.objects.filter(id__lt=4).update(shelf=shelf)
    return shelf.books.bulk_update(rows, ["pages"])


def case_values_unchanged():
    return Book.objects.bulk_update(books(4), ["pages", "title"])


def case_updated():
    rows = read(books(4))
    rows[1].pages, rows[2].shelf = F("pages") + 100, Shelf.objects.create(id=3)
    Book.objects.bulk_update(tuple(rows), ["pages", "shelf"], batch_size=3)
    return pages(), [*Book.objects.order_by("id").values_list("shelf", flat=True)], Book.objects.filter(read=True).count()


def case_refused():
    rows = books(2)
    calls = [
        lambda: Book.objects.bulk_update(rows, []),
        lambda: Book.objects.bulk_update(rows, ["id"]),
        lambda: Book.objects.bulk_update(rows, ["pages"], batch_size=-1),
        lambda: Book.objects.bulk_update([Book(title="new")], ["pages"]),
        lambda: Book.objects.bulk_update([], []),
        lambda: Book.objects.bulk_update([], ["id"]),
    ]
    return [attempt(call) for call in calls]


def case_all_or_nothing():
    rows = read(books(4))
    rows[3].title = "t1"
    return attempt(lambda: Book.objects.bulk_update(rows, ["pages", "title"], batch_size=2)), pages()


def case_statements():
    rows, counts = read(books(6)), []
    for given, size in ((rows, None), (rows, 2), ([], None)):
        with CaptureQueriesContext(connection) as seen:
            Book.objects.bulk_update(given, ["pages"], batch_size=size)
        counts.append(sum(each["sql"].startswith("UPDATE") for each in seen.captured_queries))
    return counts


def case_other_ways():
    rows = books(3)
    return Book.objects.filter(id__lt=3).update(pages=9), Book.objects.none().update(pages=1), len(Book.objects.in_bulk([1, 2])), Book.objects.filter(pk=rows[0].pk).delete()


def case_objects_left_alone():
    rows = read(books(2))
    before = [dict(vars(row), _state=None) for row in rows]
    Book.objects.bulk_update(rows, ["pages"])
    return before == [dict(vars(row), _state=None) for row in rows], Book.objects.all().bulk_update.alters_data
