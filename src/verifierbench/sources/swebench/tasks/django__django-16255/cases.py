"""What is looked at in the patched Django: sitemaps with and without items, alone and in an index."""

import datetime
from xml.etree import ElementTree

import django
from django.conf import settings
from django.contrib.sitemaps import Sitemap, views
from django.test import RequestFactory
from django.urls import path


class Urls:
    """Where sitemaps are had."""

    urlpatterns = [path("sitemap-<section>.xml", views.sitemap, name="django.contrib.sitemaps.views.sitemap")]


if not settings.configured:
    settings.configure(
        USE_I18N=False,
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=Urls,
        INSTALLED_APPS=["django.contrib.sitemaps"],
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    )
    django.setup()

OLD, NEW = datetime.date(2001, 2, 3), datetime.date(2020, 11, 12)
HOUR = datetime.datetime(2015, 6, 7, 8, 9)
AWARE = datetime.datetime(2015, 6, 7, 8, 9, tzinfo=datetime.timezone.utc)


class Rows:
    """A sequence that is no list."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]


class Dated(Sitemap):
    """Items are dates, or None: when they were changed last."""

    def __init__(self, items=()):
        self.given = items

    def items(self):
        return self.given

    def lastmod(self, item):
        return item

    def location(self, item):
        return "/at/"


class NoItems(Sitemap):
    """Says when an item was changed, and has none."""

    def lastmod(self, item):
        return item.changed


class Translated(Dated):
    i18n = True
    languages = ["en", "de"]


class Fixed(Dated):
    lastmod = NEW


class Undated(Dated):
    lastmod = property()


def latest(sitemap):
    try:
        return sitemap.get_latest_lastmod()
    except Exception as error:
        return "raises " + type(error).__name__


def shown(view, sitemaps, **more):
    """Status, header, and each place with its date."""
    try:
        answer = view(RequestFactory().get("/sitemap.xml"), sitemaps=sitemaps, **more).render()
    except Exception as error:
        return "raises " + type(error).__name__
    found = [[part.text for part in place if part.text.strip()] for place in ElementTree.fromstring(answer.content)]
    return answer.status_code, answer.headers.get("Last-Modified"), found


def case_no_items():
    return latest(NoItems()), latest(Dated([]))


def case_other_sequences():
    return [latest(Dated(none)) for none in ((), {}, "", Rows([]), range(0))]


def case_translated():
    return latest(Translated([])), latest(Translated(Rows([])))


def case_in_index():
    return shown(views.index, {"none": NoItems}), shown(views.index, {"none": Dated(())})


def case_beside_others():
    return shown(views.index, {"new": Dated([NEW]), "none": NoItems(), "old": Dated([OLD])})


def case_emptied():
    sitemap = Dated([OLD, NEW])
    before = latest(sitemap)
    sitemap.given = []
    return before, latest(sitemap)


def case_latest():
    return [latest(Dated(items)) for items in ([OLD, NEW], (NEW, OLD), Rows([OLD, NEW, OLD]), [HOUR], [AWARE])]


def case_not_comparable():
    return [latest(Dated(items)) for items in ([OLD, None], [None, NEW], [None], [None, None], [HOUR, AWARE])]


def case_not_callable():
    return [latest(sitemap) for sitemap in (Fixed([]), Fixed([OLD]), Undated([]), Undated([NEW]), Sitemap())]


def case_index_of_dated():
    return shown(views.index, {"a": Dated([OLD, NEW]), "b": Fixed([OLD])}), shown(views.index, {"a": Dated([OLD]), "b": Dated([None])})


def case_index_of_undated():
    return shown(views.index, {"a": Undated([]), "b": Dated([OLD])}), shown(views.index, {"f": Fixed([])})


def case_sections():
    sitemaps = {"a": Dated([OLD, NEW]), "none": NoItems()}
    return shown(views.sitemap, sitemaps, section="a"), shown(views.sitemap, sitemaps, section="none")


def case_pages():
    class Paged(Dated):
        limit = 1

    return shown(views.index, {"p": Paged([NEW, OLD])})
