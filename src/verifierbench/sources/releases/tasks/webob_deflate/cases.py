"""What is looked at in the patched WebOb."""

import hashlib
import zlib

from webob import Response

TEXT = b"Hello, Hello, Hello"


def encoded(body, encoding="deflate"):
    response = Response(body=body, content_type="application/octet-stream")
    response.content_encoding = encoding
    return response


def decoded(body):
    response = encoded(body)
    response.decode_content()
    return response.body, response.content_encoding, response.content_length


def refused(body):
    response = encoded(body)
    try:
        response.decode_content()
    except zlib.error:
        return "zlib.error", response.body == body, response.content_encoding
    return "nothing", response.body == body, response.content_encoding


def stream(data, level=6, window=15):
    compressor = zlib.compressobj(level, zlib.DEFLATED, window)
    return compressor.compress(data) + compressor.flush()


def case_issue():
    return decoded(zlib.compress(TEXT))


def case_levels():
    return [decoded(zlib.compress(TEXT, level)) == (TEXT, None, len(TEXT)) for level in range(10)]


def case_windows():
    return [decoded(stream(TEXT, 6, window)) == (TEXT, None, len(TEXT)) for window in range(9, 16)]


def case_no_content():
    return decoded(zlib.compress(b""))


def case_long_content():
    data = bytes(n * n % 251 for n in range(70000))
    return decoded(zlib.compress(data)) == (data, None, len(data))


def case_many_parts():
    whole = zlib.compress(TEXT)
    response = Response(
        app_iter=[whole[:1], whole[1:7], whole[7:]], content_type="text/plain", content_encoding="deflate"
    )
    response.decode_content()
    return response.body, response.content_encoding, response.content_length


def case_identity_asked_for():
    response = encoded(zlib.compress(TEXT))
    response.encode_content("identity")
    return response.body, response.content_encoding


def case_bare():
    return decoded(stream(TEXT, window=-15)), decoded(stream(TEXT, 0, -15)), decoded(stream(b"", window=-15))


def case_bare_far_back():
    noise = b"".join(hashlib.sha256(bytes((n,))).digest() for n in range(200))
    return [
        decoded(stream(text, 9, -15)) == (text, None, len(text)) for text in (noise * 2, noise * 6, noise[:2000] * 3)
    ]


def case_bare_windows():
    return [decoded(stream(TEXT, 9, -window))[0] == TEXT for window in range(9, 16)]


def case_bare_like_a_header():
    end = b"\x01\x00\x00\xff\xff"
    return [
        decoded(bytes((0x78, n, 0, 255 - n, 255)) + b"A" * n + end) == (b"A" * n, None, n)
        for n in (0x01, 0x5E, 0x9C, 0xDA)
    ]


def case_neither():
    return refused(b"no deflate data at all"), refused(b""), refused(b"\x78\x9c")


def case_cut_short():
    return refused(zlib.compress(TEXT)[:-1]), refused(zlib.compress(TEXT)[:-6]), refused(stream(TEXT, window=-15)[:-2])


def case_wrong_checksum():
    whole = zlib.compress(TEXT)
    return refused(whole[:-4] + b"\x00\x00\x00\x01"), refused(whole[:-1] + bytes((whole[-1] ^ 1,)))


def case_gzip():
    response = Response(body=TEXT, content_type="text/plain")
    response.encode_content()
    before = response.content_encoding, response.body[:2]
    response.decode_content()
    return before, response.body, response.content_encoding


def case_identity():
    response = Response(body=TEXT, content_type="text/plain")
    response.decode_content()
    again = encoded(TEXT, "identity")
    again.decode_content()
    return response.body, response.content_encoding, again.body, again.content_encoding


def case_unknown():
    response = encoded(TEXT, "br")
    try:
        response.decode_content()
    except ValueError as error:
        return type(error).__name__, response.body, response.content_encoding
    return "nothing"


def case_other_headers():
    response = Response(body=TEXT, content_type="text/plain")
    response.encode_content()
    response.etag, response.content_md5 = "x", "y"
    response.decode_content()
    return response.etag, response.content_md5, response.content_type, response.status


def case_lazily_encoded():
    response = Response(body=TEXT, content_type="text/plain")
    response.encode_content(lazy=True)
    response.decode_content()
    return response.body, response.content_encoding, response.content_length
