"""What is looked at in the patched Django: tokens for resetting a password, after the user's e-mail address changed."""

import datetime

import django
from django.conf import settings

if not settings.configured:
    settings.configure(
        USE_I18N=False,
        SECRET_KEY="of these cases",
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth"],
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.contrib.auth.tokens import PasswordResetTokenGenerator, default_token_generator
from django.db import models


class Reader(AbstractBaseUser):
    """The address has another name."""

    contact = models.EmailField(null=True)
    EMAIL_FIELD = "contact"
    USERNAME_FIELD = "contact"

    class Meta:
        app_label = "cases"


class Writer(AbstractBaseUser):
    """Has an address, and does not say so."""

    email = models.EmailField(null=True)
    USERNAME_FIELD = "email"

    class Meta:
        app_label = "cases"


class Guest(AbstractBaseUser):
    """Has no address."""

    name = models.CharField(max_length=9)
    USERNAME_FIELD = "name"

    class Meta:
        app_label = "cases"


class At(PasswordResetTokenGenerator):
    """Tokens of a certain time."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    def _now(self):
        return datetime.datetime(2020, 1, 2, 3, 4, 5) + datetime.timedelta(seconds=self.seconds)


class Named(PasswordResetTokenGenerator):
    """Hashes what it likes."""

    key_salt = "named"

    def _make_hash_value(self, user, timestamp):
        return f"{user.username}{timestamp}"


def someone(kind=User, **more):
    return kind(pk=7, password="hashed$secret", **more)


def changed(user, generator=default_token_generator, **more):
    """Whether a token is good before and after something of its user changed."""
    token = generator.make_token(user)
    before = generator.check_token(user, token)
    for name, value in more.items():
        setattr(user, name, value)
    return before, generator.check_token(user, token)


def case_issue():
    return changed(someone(email="foo@example.com"), email="bar@example.com")


def case_same_name():
    return changed(someone(email="someone@example.com"), email="someone@example.org")


def case_same_place():
    return changed(someone(email="first@mail.example.net"), email="second@mail.example.net")


def case_named_otherwise():
    return changed(someone(Reader, contact="a@b.example"), contact="c@b.example")


def case_not_named():
    return changed(someone(Writer, email="a@b.example"), email="a@c.example")


def case_given_and_taken():
    given = changed(someone(email=""), email="new@example.com"), changed(someone(Reader, contact=None), contact="a@b.example")
    return given, changed(someone(email="old@example.com"), email=""), changed(someone(Reader, contact="a@b.example"), contact=None)


def case_own_generator():
    return changed(someone(email="foo@example.com"), At(0), email="bar@example.com")


def case_unchanged():
    users = someone(email="a@b.example"), someone(email=""), someone(Reader, contact="a@b.example"), someone(Reader, contact=None)
    return [changed(user) for user in users]


def case_no_address():
    return changed(someone(Guest, name="g")), changed(someone(Guest, name="g"), name="h")


def case_something_else():
    return changed(someone(email="a@b.example"), first_name="F", username="u"), changed(someone(email="a@b.example"), is_staff=True)


def case_password():
    return [changed(someone(email=email), password="hashed$other") for email in ("", "a@b.example")]


def case_login():
    login = datetime.datetime(2020, 5, 6, 7, 8, 9, 123)
    same = changed(someone(email="a@b.example", last_login=login), last_login=login.replace(microsecond=0))
    return same, changed(someone(email="a@b.example", last_login=login), last_login=login.replace(year=2021)), changed(someone(), last_login=login)


def case_other_user():
    one, other = someone(email="a@b.example"), User(pk=8, password="hashed$secret", email="a@b.example")
    return default_token_generator.check_token(other, default_token_generator.make_token(one))


def case_time():
    user, week = someone(email="a@b.example"), 7 * 24 * 60 * 60
    token, later = At(0).make_token(user), At(100).make_token(user)
    found = [At(seconds).check_token(user, token) for seconds in (0, 1000, settings.PASSWORD_RESET_TIMEOUT, settings.PASSWORD_RESET_TIMEOUT + 1, week)]
    return found, token == At(0).make_token(user), token == later, token.split("-")[0] == later.split("-")[0]


def case_no_token():
    user = someone(email="a@b.example")
    wrong = None, "", "no", "a-b-c", "!-x", default_token_generator.make_token(user)[:-1]
    return [default_token_generator.check_token(user, token) for token in wrong], default_token_generator.check_token(None, "a-b")


def case_form():
    token = default_token_generator.make_token(someone(email="a@b.example"))
    return token.count("-"), len(token.split("-")[1]), token.isascii(), "@" in token


def case_hashed_by_a_subclass():
    return changed(someone(username="u", email="a@b.example"), Named()), changed(someone(username="u"), Named(), username="v")
