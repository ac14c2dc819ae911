"""What is looked at in the patched Sphinx: what message catalogs say of where a text stands."""

import io
import re
import tempfile
from functools import cache
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.builders.gettext import Catalog, MsgOrigin

PROJECT = {
    "index.rst": """Start
=====

======  ======  ======
Type    Type    Colour
======  ======  ======
Type    Type    Blue
======  ======  ======

Said again.

Said again.

Only once, with "quotes".

.. include:: part.txt
.. include:: part.txt

Last of all, said again.

Start
-----
""",
    "part.txt": "Shared by many.\n",
    "sub/one.rst": "One\n===\n\nSaid again.\n\n.. include:: ../part.txt\n\nShared by many.\n",
    "sub/two.rst": "Two\n===\n\n.. include:: ../part.txt\n\nSaid again.\n",
    "sub/three.rst": "One\n===\n\n.. include:: ../part.txt\n\n.. include:: ../part.txt\n",
    "_templates/page.html": "{{ _('Hello') }} {{ _('Hello') }}\n{{ _('Bye') }}\n{{ _('Hello') }} {{ _('You') }}\n",
    "_templates/other.html": "{{ _('You') }}\n\n{{ _('Hello') }}\n",
}


@cache
def catalogs():
    """The catalogs of the project, each a list of messages with the places they come from."""
    sources, built = Path(tempfile.mkdtemp()), Path(tempfile.mkdtemp())
    for name, text in PROJECT.items():
        (sources / name).parent.mkdir(exist_ok=True)
        (sources / name).write_text(text)
    quiet = io.StringIO()
    settings = {"templates_path": ["_templates"], "exclude_patterns": ["part.txt"]}
    Sphinx(str(sources), None, str(built), str(built), "gettext", settings, quiet, quiet).build(True)
    return {path.stem: messages(path.read_text(), sources.name) for path in built.glob("*.pot")}


def messages(text, folder):
    """Message and places, sorted, of a catalog; the order of places is free."""
    found = []
    for block in text.split("\n\n")[1:]:
        lines = block.strip().splitlines()
        places = sorted(re.sub(rf"^#: .*{folder}/", "", line) for line in lines if line.startswith("#:"))
        said = "\n".join(line for line in lines if not line.startswith("#:"))
        found.append((re.sub(r'(?s)^msgid "(.*)"\nmsgstr ""$', r"\1", said), places))
    return found


def places(catalog, message):
    return dict(catalogs()[catalog])[message]


def added(*entries):
    catalog = Catalog()
    for message, source, line in entries:
        catalog.add(message, MsgOrigin(source, line))
    return list(catalog)


def case_table():
    return places("index", "Type")


def case_included():
    return places("index", "Shared by many.")


def case_across():
    return places("sub", "Shared by many.")


def case_templates():
    return places("sphinx", "Hello")


def case_lines():
    return places("index", "Said again."), places("index", "Start")


def case_files():
    return places("sub", "Said again."), places("sub", "One"), places("sphinx", "You")


def case_single():
    return places("index", 'Only once, with \\"quotes\\".'), places("sphinx", "Bye"), places("index", "Blue")


def case_order():
    return {name: [message for message, _ in catalog] for name, catalog in catalogs().items()}


def case_identities():
    """Every place a text was found at has its own identity, as many as there are."""
    made = added(("a", "x.rst", 1), ("b", "x.rst", 1), ("a", "x.rst", 1), ("a", "y.rst", 2))
    return [(each.text, len(each.uuids), len(set(each.uuids))) for each in made]


def case_catalog():
    made = added(("b", "x.rst", 2), ("a", "x.rst", 1), ("b", "y.rst", 2), ("b", "x.rst", 3))
    return [(each.text, sorted(each.locations)) for each in made], list(Catalog())


def case_unidentified():
    catalog = Catalog()
    catalog.add("a", object())
    return list(catalog)
