"""What is looked at in the patched Jinja2."""

import importlib
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from jinja2 import Environment, PackageLoader, TemplateNotFound


@contextmanager
def installed(files, portions=("",)):
    """A folder with files, from whose portions Python imports."""
    before, path, place = set(sys.modules), list(sys.path), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, name).write_text(text, encoding="utf-8")
        sys.path[:0] = [str(Path(folder, portion)) for portion in portions]
        importlib.invalidate_caches()
        try:
            yield Path(folder)
        finally:
            os.chdir(place)
            sys.path[:] = path
            for name in set(sys.modules) - before:
                if name.startswith("made_"):
                    del sys.modules[name]


def rendered(name, *arguments, template="hello.html"):
    try:
        return Environment(loader=PackageLoader(*arguments)).get_template(template).render(name=name)
    except Exception as error:
        return type(error).__name__


SINGLE = {"made_shop.py": "", "templates/hello.html": "Hello {{ name }}!", "templates/mail/a.txt": "{{ name }}: a"}


def case_issue():
    with installed(SINGLE):
        return rendered("you", "made_shop")


def case_folders_in_it():
    with installed(SINGLE):
        return rendered("you", "made_shop", template="mail/a.txt"), rendered("you", "made_shop", template="mail/b.txt")


def case_other_folder():
    files = {**SINGLE, "pages/html/hello.html": "Page of {{ name }}", "hello.html": "Top of {{ name }}"}
    with installed(files):
        paths = ("pages/html", "./pages/html/", "templates/../pages/html", "", ".")
        return [rendered("you", "made_shop", path) for path in paths]


def case_in_a_package():
    files = {
        "made_plugins/__init__.py": "",
        "made_plugins/mail.py": "",
        "made_plugins/templates/hello.html": "Mail for {{ name }}",
        "templates/hello.html": "not this one",
    }
    with installed(files):
        return rendered("you", "made_plugins.mail")


def case_not_the_first_on_the_path():
    files = {"one/other.txt": "", "two/made_shop.py": "", "two/templates/hello.html": "two, {{ name }}"}
    with installed(files, ("one", "two")):
        return rendered("you", "made_shop")


def case_working_directory():
    with installed({**SINGLE, "elsewhere/templates/hello.html": "not this one"}) as folder:
        os.chdir(folder / "elsewhere")
        return rendered("you", "made_shop")


def case_listed():
    with installed(SINGLE):
        return PackageLoader("made_shop").list_templates()


def case_source():
    with installed(SINGLE) as folder:
        source, name, current = PackageLoader("made_shop").get_source(None, "hello.html")
        before = current()
        os.utime(name, (1, 1))
        return source, os.path.samefile(name, folder / "templates" / "hello.html"), before, current()


def case_no_such_folder():
    files = {"made_shop.py": "", "html/hello.html": "{{ name }}", "made_pack/__init__.py": "", "templates": "a file"}
    with installed(files):
        return [rendered("you", *given) for given in (("made_shop",), ("made_shop", "pages"), ("made_pack", "x"), ("sys",))]


def case_beside_a_package():
    files = {"made_pack/__init__.py": "", "templates/hello.html": "not this one", "made_pack/html/a": ""}
    with installed(files):
        return rendered("you", "made_pack"), rendered("you", "made_pack", "../templates")


def case_package():
    files = {
        "made_pack/__init__.py": "",
        "made_pack/templates/hello.html": "Pack of {{ name }}",
        "made_pack/sub/__init__.py": "",
        "made_pack/sub/pages/hello.html": "Sub of {{ name }}",
        "templates/hello.html": "not this one",
    }
    with installed(files):
        loader = PackageLoader("made_pack")
        return rendered("you", "made_pack"), rendered("me", "made_pack.sub", "pages"), loader.list_templates()


def case_namespace():
    files = {
        "one/made_space/a.py": "",
        "two/made_space/templates/hello.html": "Space of {{ name }}",
        "two/made_space/b.py": "",
    }
    with installed(files, ("one", "two")):
        return rendered("you", "made_space"), PackageLoader("made_space").list_templates()


def case_not_found():
    files = {"made_pack/__init__.py": "", "made_pack/templates/hello.html": "", "made_pack/secret": ""}
    with installed(files):
        names = ("other.html", "../secret", "hello.html/x")
        return [rendered("you", "made_pack", template=name) for name in names], issubclass(TemplateNotFound, LookupError)


def case_unknown():
    with installed({"made_wrong.py": "1 / 0"}):
        return rendered("you", "made_nothing"), rendered("you", "made_wrong")
