"""What is looked at in the patched click."""

import os
import pathlib
import shutil
import tempfile
from contextlib import contextmanager

import click


@contextmanager
def folder():
    """A folder of files and links, and in it for a while."""
    before, top = os.getcwd(), os.path.realpath(tempfile.mkdtemp())
    os.chdir(top)
    try:
        os.makedirs("real/deep")
        for name in ("real/file", "real/deep/file", "plain"):
            pathlib.Path(name).write_text("")
        os.symlink(f"{top}/plain", "absolute")
        os.symlink("plain", "beside")
        os.symlink("beside", "chain")
        os.symlink("../chain", "real/far")
        os.symlink("real/deep", "linked")
        os.symlink("nowhere", "broken")
        yield top
    finally:
        os.chdir(before)
        shutil.rmtree(top)


def seen(value, top):
    """A value with the folder's own name taken out, and its type where that is not `str`."""
    if isinstance(value, str):
        return value.replace(top, "TOP")
    return type(value).__name__.replace("Posix", ""), os.fsdecode(value).replace(top, "TOP")


def got(value, **settings):
    """What a type with these settings makes of a value; `TOP` in it stands for the folder."""
    with folder() as top:
        if isinstance(value, str):
            value = value.replace("TOP", top)
        try:
            return seen(click.Path(**settings).convert(value, None, None), top)
        except click.BadParameter:
            return "BadParameter"


def resolved(*values, **settings):
    return [got(value, resolve_path=True, **settings) for value in values]


def case_issue():
    return resolved("real/file", "real/deep/file")


def case_chained():
    return resolved("chain", "real/far", "TOP/chain", "TOP/real/far")


def case_linked_folder():
    return resolved("linked/file", "TOP/linked/file", "linked")


def case_dots():
    return resolved("./real/../plain", "TOP/real/./deep/../file", "real/", "TOP/real/../real/deep/")


def case_dots_after_link():
    return resolved("linked/../file", "TOP/linked/../file")


def case_missing():
    return resolved("linked/new", "real/new", "broken", "TOP/linked/none/../new")


def case_paths():
    return resolved(pathlib.Path("real/file"), pathlib.Path("linked/file"), pathlib.Path("/"), pathlib.Path("/.."))


def case_path_type():
    return resolved("linked/file", path_type=pathlib.Path) + resolved("linked/file", path_type=bytes)


def case_checks():
    found = resolved("real/file", "linked/file", exists=True) + resolved("real/file", "linked/file", dir_okay=False)
    return found + resolved("linked", dir_okay=False) + resolved("real/none", "broken", exists=True)


def case_command():
    @click.command()
    @click.argument("paths", nargs=-1, type=click.Path(resolve_path=True))
    def show(paths):
        return paths

    with folder() as top:
        return [seen(each, top) for each in show.main(["real/file", "chain"], standalone_mode=False)]


def case_unresolved():
    given = ("real/file", "real/../plain", "chain", "linked/file", "TOP/linked/./file", "nothing")
    return [got(each) for each in given] + [got("linked", path_type=pathlib.Path)]


def case_dash():
    dashes = [got("-", resolve_path=True, allow_dash=True), got("-", resolve_path=True)]
    return dashes + [got("-", allow_dash=True, exists=True), got("-", exists=True)]


def case_names():
    return resolved("plain", "TOP/plain", "absolute", "beside", "none")


def case_tilde():
    return resolved("~", "~root")


def case_errors():
    plain = [got("none", exists=True), got("plain", file_okay=False), got("real", dir_okay=False)]
    return plain + resolved("none", exists=True) + resolved("plain", file_okay=False) + resolved("real", dir_okay=False)


def case_described():
    described = click.Path(resolve_path=True, exists=True, dir_okay=False).to_info_dict()
    return described, click.Path(file_okay=False).name, click.Path().name


def case_types():
    return [got("real/file", path_type=kind) for kind in (str, bytes, pathlib.Path)] + [got(b"real/file")]


def case_as_type():
    @click.command()
    @click.argument("path", type=pathlib.Path)
    def show(path):
        return path.as_posix()

    return show.main(["a/../b"], standalone_mode=False)
