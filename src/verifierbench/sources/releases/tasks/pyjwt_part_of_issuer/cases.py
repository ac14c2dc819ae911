"""What is looked at in the patched PyJWT."""

import jwt
from jwt.api_jwt import decode_complete
from jwt.exceptions import PyJWTError

LOGIN = "https://login.example"


def decoded(iss, issuer, decode=jwt.decode, **more):
    try:
        decode(jwt.encode({"iss": iss}, "k" * 32), "k" * 32, algorithms=["HS256"], issuer=issuer, **more)
    except PyJWTError as error:
        return type(error).__name__
    return "accepted"


def case_issue():
    return [decoded(iss, LOGIN) for iss in (LOGIN, "https://", "")]


def case_beginnings():
    return [decoded(iss, LOGIN) for iss in ("h", "https://login", "https://login.exampl")]


def case_ends():
    return [decoded(iss, LOGIN) for iss in ("login.example", "e", "//login.example")]


def case_middles():
    return [decoded(iss, LOGIN) for iss in (".", "login", "ttps://login.exampl")]


def case_short_issuers():
    return [decoded(iss, issuer) for iss, issuer in (("", "a"), ("a", "aa"), ("a", "a"), ("ab", "abab"), ("", ""))]


def case_no_text():
    return [decoded(iss, LOGIN) for iss in (5, None, 1.5, True, [LOGIN], {"iss": LOGIN})]


def case_complete():
    lenient = jwt.PyJWT({"verify_exp": False})
    return (
        decoded("https://", LOGIN, decode_complete),
        decoded("login", LOGIN, lenient.decode),
        decoded(LOGIN, LOGIN, decode_complete),
    )


def case_one_of_several():
    listed = [decoded(iss, ["urn:a", LOGIN, "x"]) for iss in (LOGIN, "x", "urn:a", "urn:", "https://", "", "a")]
    in_tuple = [decoded(iss, ("urn:a", LOGIN)) for iss in (LOGIN, "urn:a", "urn", "")]
    return listed, in_tuple, decoded("", [""]), decoded("urn:a", ("urn:a",)), decoded("u", ("urn:a",))


def case_others_refused():
    issuers = [
        decoded(iss, LOGIN) for iss in (LOGIN + "/", "x" + LOGIN, LOGIN.upper(), LOGIN + " ", "other", LOGIN * 2)
    ]
    return issuers, decoded("x", []), decoded("x", ())


def case_without_iss():
    token = jwt.encode({"sub": "x"}, "k" * 32)
    said = []
    for issuer in (LOGIN, [LOGIN], None):
        try:
            said.append(jwt.decode(token, "k" * 32, algorithms=["HS256"], issuer=issuer))
        except PyJWTError as error:
            said.append(type(error).__name__)
    return said


def case_without_issuer():
    return decoded(LOGIN, None), decoded("", None), decoded(5, None)


def case_switched_off():
    off = {"verify_iss": False}
    token = jwt.encode({"iss": "other"}, "k" * 32)
    unverified = jwt.decode(token, options={"verify_signature": False}, issuer=LOGIN)
    return decoded("other", LOGIN, options=off), decoded("other", [LOGIN], options=off), unverified


def case_payload():
    token = jwt.encode({"iss": LOGIN, "aud": "a", "sub": "s"}, "k" * 32)
    return jwt.decode(token, "k" * 32, algorithms=["HS256"], issuer=LOGIN, audience=["a", "b"], subject="s")


def case_audience():
    token = jwt.encode({"aud": "aud"}, "k" * 32)
    said = []
    for audience in ("aud", "au", ["x", "aud"], ["au"]):
        try:
            said.append(jwt.decode(token, "k" * 32, algorithms=["HS256"], audience=audience))
        except PyJWTError as error:
            said.append(type(error).__name__)
    return said
