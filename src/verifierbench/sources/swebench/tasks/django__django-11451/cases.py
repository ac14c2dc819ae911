"""What is looked at in the patched Django: who is let in with which credentials, and what that costs."""

import sys
import types

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        SECRET_KEY="x",
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
        PASSWORD_HASHERS=["counted.Counted"],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django.contrib.auth import authenticate, signals
from django.contrib.auth.backends import AllowAllUsersModelBackend, BaseBackend, ModelBackend
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.http import HttpRequest
from django.test.utils import CaptureQueriesContext, override_settings

MODEL = "django.contrib.auth.backends.ModelBackend"


class Counted(MD5PasswordHasher):
    """Counts how often a password is hashed."""

    calls = 0

    def encode(self, *args, **kwargs):
        Counted.calls += 1
        return super().encode(*args, **kwargs)


class ByToken(BaseBackend):
    """Lets in by a token alone."""

    def authenticate(self, request, token=None):
        return User(username="by-token") if token == "t" else None


class Reader(AbstractBaseUser):
    """Somebody who is known by an address."""

    email = models.EmailField(unique=True)
    objects = BaseUserManager()
    USERNAME_FIELD = "email"

    class Meta:
        app_label = "auth"


counted = sys.modules["counted"] = types.ModuleType("counted")
counted.Counted, counted.ByToken = Counted, ByToken
with connection.schema_editor() as editor:
    for model in (ContentType, Permission, Group, User, Reader):
        editor.create_model(model)
User.objects.create_user("ann", password="secret")
User.objects.create_user("gone", password="secret", is_active=False)
User.objects.create_user("open", password="")
nameless = User(username="")
nameless.set_password("secret")
nameless.save()
reader = Reader(email="r@example.com")
reader.set_password("secret")
reader.save()


def cost(call):
    """Who was let in, how many queries that took, and how many passwords were hashed."""
    Counted.calls = 0
    with CaptureQueriesContext(connection) as queries:
        user = call()
    return user if user is None else user.get_username(), len(queries), Counted.calls


def said(**credentials):
    return cost(lambda: authenticate(**credentials))


def by_email(**credentials):
    with override_settings(AUTH_USER_MODEL="auth.Reader"):
        return said(**credentials)


def case_nothing():
    return said()


def case_password_alone():
    return said(password="secret"), said(password=""), said(username=None, password="secret")


def case_name_alone():
    return said(username="ann"), said(username="ann", password=None)


def case_unknown_name_alone():
    return said(username="nobody"), said(username="gone")


def case_email_alone():
    return by_email(email="r@example.com"), by_email(username="r@example.com")


def case_no_email():
    return by_email(password="secret"), by_email(email=None, password="secret")


def case_asked_itself():
    kinds = ModelBackend, AllowAllUsersModelBackend
    return [
        cost(lambda kind=kind, given=given: kind().authenticate(None, **given))
        for kind in kinds
        for given in ({}, {"username": "ann"}, {"password": "secret"})
    ]


def case_with_request():
    request = HttpRequest()
    return said(request=request), said(request=request, username="ann"), said(request=request, password="secret")


def case_let_in():
    return said(username="ann", password="secret"), said(request=HttpRequest(), username="ann", password="secret")


def case_by_email():
    return by_email(email="r@example.com", password="secret"), by_email(username="r@example.com", password="secret")


def case_wrong_password():
    return said(username="ann", password="wrong"), said(username="gone", password="secret")


def case_unknown():
    return said(username="nobody", password="secret"), by_email(email="x@example.com", password="secret")


def case_empty_password():
    return said(username="open", password=""), said(username="ann", password="")[0]


def case_empty_name():
    return said(username="", password="secret")


def case_next_backend():
    with override_settings(AUTHENTICATION_BACKENDS=[MODEL, "counted.ByToken"]):
        return said(token="t")[0], said(token="other")[0], said(username="ann", password="secret")[0]


def case_failure_told():
    told = []

    def listen(credentials, **_):
        told.append(credentials)

    signals.user_login_failed.connect(listen)
    for given in ({}, {"username": "ann"}, {"username": "ann", "password": "wrong"}):
        authenticate(**given)
    signals.user_login_failed.disconnect(listen)
    return [sorted(given) for given in told]
