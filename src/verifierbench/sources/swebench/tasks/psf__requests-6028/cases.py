"""What is looked at in the patched requests: what a proxy is told of the user that its address names."""

import base64
import socket
import threading

import requests
from requests import utils
from requests.exceptions import InvalidProxyURL


class Server:
    """Listens on this machine, answers one connection after another, and keeps what it is asked.

    A proxy with a `user` answers 407 to all others; what is to be tunnelled is refused after that, with 502.
    """

    def __init__(self, user=None):
        self.user, self.asked = user, []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()

    def serve(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                first, headers = lines.readline().decode().split(), {}
                for line in iter(lines.readline, b"\r\n"):
                    name, _, value = line.decode().strip().partition(": ")
                    headers.setdefault(name.lower(), []).append(value)
                known = [base64.b64decode(each.removeprefix("Basic ")).decode() for each in headers.get("proxy-authorization", [])]
                self.asked.append((first[:2], known, "authorization" in headers))
                status = 407 if self.user and known != [self.user] else 502 if first[0] == "CONNECT" else 200
                connection.sendall(b"HTTP/1.1 %d Said\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % status)


def plain():
    session = requests.Session()
    session.trust_env = False
    return session


def through(user, address, url, scheme="http"):
    """Status, or that there is none, of a request through a proxy that knows one user; and what it was told."""
    with Server(user) as proxy, plain() as session:
        try:
            status = session.get(url, proxies={scheme: address % proxy.port}).status_code
        except OSError:
            status = None
        return status, proxy.asked


def case_user():
    return through("user:pass", "http://user:pass@127.0.0.1:%d", "http://example.net/path?q=1")


def case_issue_target():
    return through("someone:secret", "http://someone:secret@127.0.0.1:%d/", "http://example.org/")


def case_tunnel():
    return through("me:word", "http://me:word@127.0.0.1:%d", "https://secure.example.net/", "https")


def case_no_scheme():
    return through("user:pass", "//user:pass@127.0.0.1:%d", "http://example.net/")


def case_quoted():
    return through("us@er:p/a:s%s", "http://us%%40er:p%%2Fa%%3As%%25s@127.0.0.1:%d", "http://example.net/")


def case_two_users():
    with Server() as proxy, plain() as session:
        for user in ("one:1", "two:2", "one:1"):
            session.get("http://example.net/", proxies={"http": f"http://{user}@127.0.0.1:{proxy.port}"})
        return proxy.asked


def case_user_of_the_target_too():
    return through("user:pass", "http://user:pass@127.0.0.1:%d", "http://other:word@example.net/x")


def case_no_user():
    return through(None, "http://127.0.0.1:%d", "http://example.net/path?q=1"), through(None, "127.0.0.1:%d", "http://example.net/")


def case_wrong_user():
    return through("user:pass", "http://127.0.0.1:%d", "http://user:pass@example.net/")


def case_no_proxy():
    with Server() as server, plain() as session:
        address = f"http://127.0.0.1:{server.port}/there"
        return session.get(address, proxies={"https": "http://user:pass@127.0.0.1:1"}).status_code, server.asked


def case_tunnel_without_user():
    return through(None, "http://127.0.0.1:%d", "https://secure.example.net/", "https")


def case_schemes():
    values = ("example.com/a?b=c", "https://example.com/a?b=c#d", "//example.com:80", "socks5://localhost:1", "localhost")
    return [(utils.prepend_scheme_if_needed(value, "http"), utils.prepend_scheme_if_needed(value, "ftp")) for value in values]


def case_malformed():
    try:
        requests.adapters.HTTPAdapter().get_connection("http://example.net/", {"http": "http:///x"})
    except InvalidProxyURL:
        return "refused"


def case_read_from_addresses():
    urls = ("http://a:b@c/", "http://a%20b:c%3Ad@e:1/f", "http://a@b/", "c/")
    return [utils.get_auth_from_url(url) for url in urls], [utils.urldefragauth(url) for url in urls]
