"""A flaw's reproduction: one Python file that carries its data and needs nothing but this package.

It prints what it sees and exits 1 while the flaw stands, 0 when it does not, so that a maintainer can put it into a
test run, change the data and see it turn.
"""

from __future__ import annotations

from typing import Any

from verifierbench.core import content_bytes

_FORM = '''"""{says}

Made by `verifierbench audit`; run it with a Python that has this package. It looks at the copy of the data below, not
at the suite. Exits 1 while the flaw stands, 0 when it does not, 3 where it could not look.
"""

import json
import os
import sys
import traceback


def unable(*error):
    """A script that breaks shows nothing: 3, so that it is not taken for a flaw that stands."""
    traceback.print_exception(*error)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(3)


sys.excepthook = unable
DATA = json.loads({data!r})

{body}

stands = flawed()
print("the flaw stands" if stands else "the flaw is gone")
sys.exit(1 if stands else 0)
'''


def script(says: str, data: Any, body: str) -> str:
    """The file: `data` is JSON and stands there as `DATA`; `body` defines `flawed() -> bool`."""
    plain = "".join(c if c.isprintable() else "\ufffd" for c in says)
    quoted = plain.replace("\\", "\\\\").replace('"', "'")
    return _FORM.format(says=quoted, data=content_bytes(data).decode(), body=body.strip())
