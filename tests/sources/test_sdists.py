"""Source distributions: archives are what was pinned, and a repository is what is kept of them."""

import io
import tarfile

import pytest

from verifierbench.core import MalformedInput, Unavailable
from verifierbench.core import sha256 as hash_of
from verifierbench.sources.sdists import Sdists, files, under


def packed(path, members):
    with tarfile.open(path, "w:gz") as tar:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return path.read_bytes()


@pytest.fixture
def pinned(tmp_path):
    origin = tmp_path / "origin"
    origin.mkdir()
    content = packed(
        origin / "p-1.tar.gz", {"p-1/p/__init__.py": b"x = 1\n", "p-1/logo.png": b"\x89PNG\xff", "p-1": b""}
    )
    table = tmp_path / "archives.toml"
    table.write_text(f'[[archive]]\npackage = "p"\nversion = "1"\nfile = "p-1.tar.gz"\nsha256 = "{hash_of(content)}"\n')
    return Sdists(table), origin


def test_archives_are_copied_when_their_hashes_are_right(pinned, tmp_path):
    (sdists, origin), here = pinned, tmp_path / "here"
    assert [each.file for each in sdists.missing(here)] == ["p-1.tar.gz"]
    sdists.bring(here, origin)
    assert sdists.missing(here) == ()
    assert files(here / "p-1.tar.gz") == {"p/__init__.py": "x = 1\n"}
    sdists.bring(here, tmp_path / "no such folder")


def test_an_archive_with_other_bytes_is_refused_and_nothing_is_left(pinned, tmp_path):
    sdists, origin = pinned
    (origin / "p-1.tar.gz").write_bytes(b"other")
    with pytest.raises(Unavailable, match=r"p-1\.tar\.gz is not the file"):
        sdists.bring(tmp_path / "here", origin)
    assert list((tmp_path / "here").iterdir()) == []


def test_a_folder_without_an_archive_is_refused_by_name(pinned, tmp_path):
    sdists, origin = pinned
    (origin / "p-1.tar.gz").unlink()
    with pytest.raises(Unavailable, match=r"no p-1\.tar\.gz"):
        sdists.bring(tmp_path / "here", origin)


def test_a_release_that_is_not_pinned_is_refused_by_name(pinned):
    assert pinned[0].named("p", "1").file == "p-1.tar.gz"
    with pytest.raises(MalformedInput, match="no archive of p 2 is pinned"):
        pinned[0].named("p", "2")


def test_a_file_that_is_no_archive_is_named(tmp_path):
    (tmp_path / "x.tar.gz").write_bytes(b"no archive")
    with pytest.raises(MalformedInput, match=r"x\.tar\.gz"):
        files(tmp_path / "x.tar.gz")


def test_a_place_is_a_file_or_a_folder_and_no_beginning_of_a_name():
    tree = {"p/a.py": "", "p/b/c.py": "", "pp/d.py": "", "setup.py": ""}
    assert sorted(under(tree, ["p", "setup.py"])) == ["p/a.py", "p/b/c.py", "setup.py"]


@pytest.mark.parametrize(
    ("places", "kept"),
    [
        (["p", "!p/b"], ["p/a.py"]),
        (["p", "!*/c.py", "p/b/c.py"], ["p/a.py", "p/b/c.py"]),
        (["*.py", "!p*"], ["setup.py"]),
        (["!p", "p"], ["p/a.py", "p/b/c.py"]),
        ([], []),
    ],
)
def test_the_last_place_that_names_a_file_decides(places, kept):
    tree = {"p/a.py": "", "p/b/c.py": "", "pp/d.py": "", "setup.py": ""}
    assert sorted(under(tree, places)) == kept
