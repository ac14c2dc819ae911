"""What is looked at in the patched PyJWT."""

import time
from datetime import UTC, datetime, timedelta

import jwt
from jwt.api_jwt import decode_complete
from jwt.exceptions import PyJWTError

YEAR_2100 = 4102444800
CENTURIES = 400 * 365 * 86400


def token(**claims):
    return jwt.encode(claims, "secret")


def decoded(claims, decode=jwt.decode, **more):
    try:
        decode(jwt.encode(claims, "secret"), "secret", algorithms=["HS256"], **more)
    except PyJWTError as error:
        return type(error).__name__
    return "accepted"


def case_issue():
    return decoded({"iat": YEAR_2100})


def case_near():
    return [decoded({"iat": int(time.time()) + seconds}) for seconds in (600, 4000, 90000)]


def case_far():
    return decoded({"iat": 10**14}), decoded({"iat": 10**30})


def case_floats():
    return decoded({"iat": YEAR_2100 + 0.5}), decoded({"iat": time.time() + 600}), decoded({"iat": 1e15})


def case_datetimes():
    return decoded({"iat": datetime(2100, 1, 1, tzinfo=UTC)}), decoded({"iat": datetime.now(UTC) + timedelta(days=2)})


def case_other_claims():
    claims = {"iat": YEAR_2100, "exp": YEAR_2100 + 60, "sub": "x"}
    return decoded(claims), decoded({**claims, "nbf": 1000000000}), decoded({**claims, "aud": "a"}, audience="a")


def case_complete():
    return decoded({"iat": YEAR_2100}, decode_complete), decoded({"iat": YEAR_2100}, jwt.PyJWT().decode_complete)


def case_small_leeway():
    return decoded({"iat": YEAR_2100}, leeway=60), decoded({"iat": YEAR_2100}, leeway=timedelta(days=1))


def case_signature_unverified():
    options = {"verify_signature": False, "verify_iat": True}
    return decoded({"iat": YEAR_2100}, options=options), decoded(
        {"iat": YEAR_2100}, options={"verify_exp": False, "require": ["iat"]}
    )


def case_leeway():
    near = {"iat": int(time.time()) + 600}
    return [
        decoded({"iat": YEAR_2100}, leeway=CENTURIES),
        decoded({"iat": YEAR_2100 + 0.5}, leeway=float(CENTURIES)),
        decoded(near, leeway=3600),
        decoded(near, decode_complete, leeway=3600.5),
    ]


def case_leeway_as_timedelta():
    near = {"iat": int(time.time()) + 600}
    return decoded({"iat": YEAR_2100}, leeway=timedelta(days=400 * 365)), decoded(near, leeway=timedelta(hours=1))


def case_leeway_and_past():
    past = {"iat": int(time.time()) - 600}
    return decoded(past, leeway=3600), decoded(past, leeway=timedelta(hours=1)), decoded({"iat": 0}, leeway=10)


def case_switched_off():
    off = {"verify_iat": False}
    by_call = decoded({"iat": YEAR_2100}, options=off), decoded({"iat": YEAR_2100}, decode_complete, options=off)
    return by_call, decoded({"iat": "yesterday"}, options=off)


def case_object_with_options():
    lenient = jwt.PyJWT({"verify_iat": False})
    return decoded({"iat": YEAR_2100}, lenient.decode), decoded({"iat": YEAR_2100}, lenient.decode_complete)


def case_unverified():
    return decoded({"iat": YEAR_2100}, options={"verify_signature": False}), jwt.decode(
        token(iat=YEAR_2100), options={"verify_signature": False}
    )


def case_past():
    return [decoded({"iat": when}) for when in (0, -1, 1000000000, 1000000000.75, int(time.time()) - 600)]


def case_missing():
    return decoded({}), decoded({"sub": "x"}), decoded({}, options={"require": ["iat"]})


def case_no_number():
    return decoded({"iat": "yesterday"}), decoded({"iat": ""}), decoded({"iat": "2100-01-01"})


def case_not_before():
    return (
        decoded({"nbf": YEAR_2100}),
        decoded({"nbf": 0}),
        decoded({"nbf": YEAR_2100, "iat": 0}),
        decoded({"nbf": "x", "iat": 0}),
    )


def case_expired():
    return (
        decoded({"exp": 1000000000, "iat": 0}),
        decoded({"exp": YEAR_2100, "iat": 0}),
        decoded({"exp": "x", "iat": 0}),
    )


def case_payload():
    return jwt.decode(token(iat=5, sub="x"), "secret", algorithms=["HS256"]), jwt.decode(
        token(iat=5.5), "secret", algorithms=["HS256"]
    )


def case_encoding():
    soon = {"iat": YEAR_2100}
    return (
        token(**soon).count("."),
        soon,
        decoded({"iat": 1, "aud": "a"}, audience="b"),
        decoded({"iat": 1, "iss": "a"}, issuer="b"),
    )
