"""Nothing half-written, and every complaint names file, place and cause."""

import os

import msgspec
import pytest

from verifierbench.core import MalformedInput, Span, Unavailable
from verifierbench.core.files import decode, decode_lines, encode, encode_lines, write_atomically


def test_round_trip(tmp_path):
    spans = [Span(material="instruction", quote="one"), Span(material="tools", quote="two")]
    write_atomically(tmp_path / "deep/a.jsonl", encode_lines(spans))
    assert list(decode_lines(tmp_path / "deep/a.jsonl", Span)) == spans
    write_atomically(tmp_path / "one.json", encode(spans[0]))
    assert decode(tmp_path / "one.json", Span) == spans[0]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"material": "m", "quote": 5}', r"a\.jsonl, line 2, \$\.quote: Expected `str`, got `int`"),
        ('{"material": "m"}', r"a\.jsonl, line 2: Object missing required field `quote`"),
        ('{"material": ', r"a\.jsonl, line 2: not JSON"),
        ('{"material": "m", "quote": "q", "extra": 1}', r"a\.jsonl, line 2: Object contains unknown field `extra`"),
    ],
)
def test_a_malformed_line_is_told_in_one_sentence(tmp_path, text, complaint):
    file = tmp_path / "a.jsonl"
    file.write_text('{"material": "m", "quote": "q"}\n' + text + "\n")
    with pytest.raises(MalformedInput, match=complaint):
        list(decode_lines(file, Span))


def test_a_missing_file_is_told_in_one_sentence(tmp_path):
    with pytest.raises(MalformedInput, match=r"none\.json: No such file"):
        decode(tmp_path / "none.json", Span)


def test_a_failed_write_leaves_the_old_content_and_no_scraps(tmp_path, monkeypatch):
    file = tmp_path / "a.json"
    write_atomically(file, b"old")

    def full(_fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unavailable, match=r"a\.json cannot be written: No space left on device"):
        write_atomically(file, b"new")
    assert file.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_a_place_that_is_a_file_cannot_hold_files(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="cannot be written"):
        write_atomically(tmp_path / "file/a.json", b"")


def test_identity_survives_storage():
    value = {"z": 5.0, "a": 5, "n": [1e300, True, None], "long": 2**70}
    assert msgspec.json.encode(msgspec.json.decode(msgspec.json.encode(value))) == msgspec.json.encode(value)
