"""What is looked at in the patched WebOb."""

from webob import Request, Response
from webob.dec import wsgify


def answered(location, path="/start/here", status=302, **environ):
    response = Response(status=status, location=location)
    return Request.blank(path, **environ).get_response(response).location


def sent(response, **environ):
    """What is handed to the server: status and headers as they are."""
    seen = []
    list(
        response(
            Request.blank("/start", environ=environ).environ, lambda status, headers, *_: seen.extend([status, headers])
        )
    )
    return seen[0], [(str(name), value) for name, value in seen[1] if "location" in name.lower()]


def case_issue():
    response = Response(status=301)
    response.location = "//www.example.com/test"
    return Request.blank("/start").get_response(response).location


def case_any_host_name():
    names = ["//a", "//a.b:8080/c", "//user@a/", "//[::1]/x", "//localhost/x"]
    return [answered(name) for name in names]


def case_rest_kept():
    return [answered(name) for name in ("//a/b?c=//d#//e", "//a//b", "//", "//a/b/", "//?q=1")]


def case_more_slashes():
    return [answered(name) for name in ("///a/b", "////a", "///")]


def case_any_status():
    return [answered("//a/b", status=status) for status in (200, 201, 301, 303, 307, 308, 404)]


def case_any_method():
    return [answered("//a/b", method=method) for method in ("GET", "HEAD", "POST", "PUT", "OPTIONS")]


def case_conditional():
    response = Response(status=302, location="//a/b", conditional_response=True, etag="x")
    later = sent(response, HTTP_IF_NONE_MATCH='"x"')
    return Request.blank("/start").get_response(response).location, later


def case_requested_host():
    return [
        answered("//a/b", base_url="https://shop.example:8443/app"),
        answered("//a/b", path="/", base_url="http://shop.example"),
        answered("//a/b", path="//c/d"),
        answered("//a/b", environ={"HTTP_HOST": "other:81"}),
    ]


def case_header_set_otherwise():
    by_list = Response(status=302, headerlist=[("location", "//a/b")])
    by_name = Response(status=302)
    by_name.headers["LOCATION"] = "//a/b"
    return sent(by_list)[1], sent(by_name)[1]


def case_function():
    @wsgify
    def app(request):
        return Response(status=302, location=request.path_info)

    return Request.blank("//a/b").get_response(app).location


def case_not_changed():
    response = Response(status=302, location="//a/b")
    before = response.location, response.headers["location"]
    Request.blank("/").get_response(response)
    conditional = Response(status=302, location="//a/b", conditional_response=True)
    sent(conditional)
    other = Response(status=302, location="/a/b")
    sent(other)
    return before, response.location, response.headerlist[-1], conditional.location, other.location


def case_full_urls():
    return [
        answered(name)
        for name in ("http://other/a//b", "https://www.example.com", "HTTP://x//y", "mailto:a@b.c", "ftp://x/")
    ]


def case_paths():
    names = ["/a/b", "/a//b", "/", "a/b", "a//b", "?q=//x", "#//y", "/?next=//x", "/a:b//c"]
    return [answered(name) for name in names], [answered(name, base_url="https://h:99/app") for name in names[:4]]


def case_other_headers():
    response = Response(
        status=302, headerlist=[("Content-Location", "//a/b"), ("Link", "//c"), ("location", "/d"), ("X", "//e")]
    )
    seen = []
    list(response(Request.blank("/").environ, lambda _, headers, *__: seen.extend(headers)))
    return seen


def case_no_location():
    return answered(None), sent(Response("text"))


def case_environ_left():
    request = Request.blank("/start", base_url="http://h")
    before = dict(request.environ)
    request.get_response(Response(status=302, location="/a"))
    return {name: value for name, value in request.environ.items() if before.get(name) is not value}


def case_requests():
    return [Request.blank(path).url for path in ("/a", "/a//b?c=//d", "http://x/y")], Request.blank(
        "/a/b"
    ).relative_url("c")
