"""What is looked at in the patched Django: where an admin site sends requests whose address lacks the last slash."""

from io import BytesIO

import django
from django.conf import settings
from django.urls import path


class Urls:
    """Filled in below, where applications are ready."""

    urlpatterns = []


if not settings.configured:
    settings.configure(
        USE_I18N=False,
        ALLOWED_HOSTS=["*"],
        ROOT_URLCONF=Urls,
        SECRET_KEY="of these cases",
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.admin"],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.auth.models import Group, User
from django.core.handlers.wsgi import WSGIHandler
from django.test.utils import override_settings
from django.urls import clear_script_prefix
from django.views.decorators.common import no_append_slash


class Open(AdminSite):
    """Everybody may see everything."""

    def has_permission(self, request):
        return True


class Unslashed(ModelAdmin):
    """Its list has to be asked for with the slash."""

    def get_urls(self):
        return [path("", no_append_slash(self.changelist_view), name="auth_group_changelist"), path("more/", self.changelist_view, name="more")]


class NotLast(Open):
    final_catch_all_view = False


site, closed, other, without = Open(), AdminSite("closed"), Open("other"), NotLast("without")
for each in (site, closed, other, without):
    each.register(User)
site.register(Group, Unslashed)

Urls.urlpatterns = [
    path("admin/", site.urls),
    path("closed/", closed.urls),
    path("deep/down/other/", other.urls),
    path("without/", without.urls),
]


def asked(info, script="", forced=None, **more):
    """Status and place of the answer of a whole server, where a script's name may stand before the path."""
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": info.encode().decode("latin-1"), "SCRIPT_NAME": script,
        "SERVER_NAME": "testserver", "SERVER_PORT": "80", "wsgi.url_scheme": "http", "wsgi.input": BytesIO(b""),
    }
    said = []
    try:
        with override_settings(ROOT_URLCONF=Urls, FORCE_SCRIPT_NAME=forced, **more):
            answer = WSGIHandler()(environ, lambda status, headers: said.extend((status[:3], dict(headers).get("Location"))))
            answer.close()
    except Exception as error:
        said.append("raises " + type(error).__name__)
    finally:
        clear_script_prefix()
    return said


def case_forced():
    return asked("/admin/auth/user", forced="/prefix"), asked("/admin/auth/user", forced="/prefix/")


def case_forced_over_another():
    return asked("/admin/auth/user", script="/real", forced="/said")


def case_of_the_server():
    return asked("/admin/auth/user", script="/prefix"), asked("/admin/auth", script="/prefix/")


def case_several_parts():
    return asked("/admin/auth/user/add", script="/a/b/c"), asked("/deep/down/other/auth/user", forced="/a/b")


def case_same_words():
    return asked("/admin/auth/user", script="/admin"), asked("/admin/auth/user", forced="/admin/auth/user")


def case_views_without_a_name():
    return asked("/admin/auth/user/1", script="/prefix"), asked("/admin/auth/user/1", forced="/prefix")


def case_quoted():
    return asked("/admin/auth/user/a b\xe9/change", script="/prefix"), asked("/admin/auth/user/a b/change", forced="/pre fix")


def case_no_script():
    infos = ("/admin/auth/user", "/admin/auth", "/admin/login", "/admin/auth/user/1/change", "/deep/down/other/auth/user", "/admin/auth/user/a b")
    return [asked(info) for info in infos]


def case_unknown():
    infos = ("/admin/unknown", "/admin/unknown/", "/admin/auth/nothing/", "/unknown")
    return [asked(info) for info in infos], [asked(info, script="/prefix") for info in infos], asked("/auth/user", script="/admin")


def case_slash_not_appended():
    return asked("/admin/auth/user", APPEND_SLASH=False), asked("/admin/auth/user", script="/prefix", APPEND_SLASH=False)


def case_view_refuses_it():
    return asked("/admin/auth/group"), asked("/admin/auth/group", script="/prefix"), asked("/admin/auth/group/more")


def case_no_last_view():
    return asked("/without/auth/user"), asked("/without/auth/user", script="/prefix"), asked("/without/nothing/")


def case_permission_asked():
    closed.has_permission = lambda request: False
    return asked("/closed/auth/user"), asked("/closed/auth/user", script="/prefix"), asked("/closed/nothing", forced="/prefix")
