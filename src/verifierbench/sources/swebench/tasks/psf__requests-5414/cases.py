"""What is looked at in the patched requests: URLs whose host begins with a dot, and those that may be asked for."""

import requests
from requests.exceptions import InvalidSchema, InvalidURL, MissingSchema, RequestException


class Answers(requests.adapters.BaseAdapter):
    """Answers every request by itself, with the address it was sent to."""

    def send(self, request, **_):
        answer = requests.Response()
        answer.status_code, answer.url, answer.request = 200, request.url, request
        answer._content = request.url.encode()
        return answer

    def close(self):
        """Nothing is open."""


def kind(error):
    return [
        known.__name__
        for known in (InvalidURL, MissingSchema, InvalidSchema, RequestException, ValueError)
        if isinstance(error, known)
    ]


def got(call):
    """What became of a request that cannot be sent."""
    try:
        return call().status_code
    except Exception as error:
        return kind(error)


def prepared(url, **more):
    try:
        return requests.Request("GET", url, **more).prepare().url
    except Exception as error:
        return kind(error)


def case_issue():
    return got(lambda: requests.get("http://.example.com"))


def case_https():
    return got(lambda: requests.get("https://.example.org/path"))


def case_port_and_user():
    return got(lambda: requests.get("http://user:pass@.example.com:8080/")), got(
        lambda: requests.get("http://.intranet:81")
    )


def case_long():
    return got(lambda: requests.get("http://.a.b.c.example.net/?q=1#f"))


def case_session():
    with requests.Session() as session:
        return got(lambda: session.post("http://.example.com/form", data={"a": "1"})), got(
            lambda: session.head("http://.x.y/")
        )


def case_first_dot_not_ascii():
    return got(lambda: requests.get("http://.b\xfccher.example/"))


def case_sendable():
    urls = (
        "http://example.com",
        "http://example.com./",
        "http://localhost:80/x",
        "http://[::1]/",
        "http://127.0.0.1/a",
    )
    return [prepared(url) for url in urls]


def case_dots_elsewhere():
    urls = (
        "http://example.com/.hidden/..x",
        "http://.user:.pass@example.com/",
        "http://example.com?x=//.y",
        "http://a.b.c.example.com/#.f",
    )
    return [prepared(url) for url in urls]


def case_wildcards():
    return [prepared(url) for url in ("http://*example.com", "http://*.example.com/", "http://a*.example.com/")]


def case_not_ascii():
    return [prepared(url) for url in ("http://b\xfccher.example/", "http://\u2603.net/\xfc")]


def case_other_errors():
    return [
        prepared(url) for url in ("example.com", ".example.com", "http://", "http:///path", "mailto:.a@example.com")
    ]


def case_parameters():
    return prepared("http://example.com/?a=1", params={"b": [".", "2"]})


def case_sent():
    with requests.Session() as session:
        session.mount("http://", Answers())
        return session.get("http://example.com/there", params={"q": "a b"}).text, session.get(
            "http://example.com.:99"
        ).url
