"""AppWorld onto this machine: its packages, its apps unpacked by its own command, and its data where they are.

Upstream publishes its apps and data encrypted, so that they are not found by whoever collects texts. They are unpacked
in this source's home and nowhere else, and the data are linked, not copied: a suite made of them is the user's own and
must not be published (see `sources.protected`).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from verifierbench.core import Unavailable
from verifierbench.core.files import write_atomically
from verifierbench.sources.environment import install, is_installed

from .data import COMMAND, DATA_VERSION, VERSION, has_data
from .environment import GUEST

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
PYTHONS = ((3, 11), (3, 12))
"""Those for which upstream's dependencies have wheels."""
UNPACKED = "unpacked.txt"
"""Written when all of upstream's apps lie in the package directory."""
_UNPACK = """\
import os, sys
packages, guest, home = sys.argv[1:]
sys.path[:0] = [packages, guest]
os.environ["APPWORLD_ROOT"] = os.environ["APPWORLD_CACHE"] = home
import hollow
hollow.install()
from appworld.install import install_package
install_package()
"""


def fits_python() -> bool:
    """Whether upstream can be installed for this interpreter."""
    return sys.version_info[:2] in PYTHONS


def is_ready(packages: Path) -> bool:
    """Whether the packages are there and the apps are unpacked in them."""
    return is_installed(packages, REQUIREMENTS) and (packages / UNPACKED).is_file()


def bring(packages: Path, root: Path, origin: Path | None) -> None:
    """Install and unpack, and link the data where `origin` has them; raises `Unavailable`.

    `origin` is the folder in which `appworld download data` was run, or its `data`; wheels in it are taken, too.
    """
    if not fits_python():
        raise Unavailable(python_sentence())
    data = None if origin is None else _data(origin)
    wheels = origin if origin is not None and (origin.suffix == ".whl" or any(origin.glob("*.whl"))) else None
    if origin is not None and data is None and wheels is None:
        raise Unavailable(
            f"{origin} has neither AppWorld's data {DATA_VERSION} (data/version.txt says so) nor its wheels; give the"
            " folder in which `appworld download data` was run"
        )
    install(packages, REQUIREMENTS, wheels)
    if not is_ready(packages):
        _unpack(packages)
    if data is not None:
        _link(root / "data", data)


def python_sentence() -> str:
    """What is wrong with this interpreter."""
    known = " or ".join(".".join(map(str, version)) for version in PYTHONS)
    return f"AppWorld's packages exist for Python {known}, and this is {sys.version_info[0]}.{sys.version_info[1]}"


def data_sentence() -> str:
    """What is missing where there are no data, and the commands that bring them."""
    return (
        f"ready without tasks: run `pip install appworld=={VERSION}`, `appworld install`, `appworld download data` in"
        f" an environment and a folder of your own, then `{COMMAND} --from` that folder"
    )


def _data(origin: Path) -> Path | None:
    """Upstream's data in a folder: in its `data`, or itself."""
    if has_data(origin):
        return origin / "data"
    return origin if origin.name == "data" and has_data(origin.parent) else None


def _unpack(packages: Path) -> None:
    """Run upstream's own unpacking; its tests, which it unpacks as well, go away again."""
    scratch = packages / ".unpacking"
    scratch.mkdir(exist_ok=True)
    command = [sys.executable, "-I", "-S", "-c", _UNPACK, str(packages), str(GUEST), str(scratch)]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, errors="replace", check=False)
    shutil.rmtree(scratch, ignore_errors=True)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise Unavailable(f"AppWorld's apps could not be unpacked in {packages} ({said}); remove it and try again")
    write_atomically(packages / UNPACKED, b"by appworld install\n")


def _link(place: Path, data: Path) -> None:
    """Have a place point at the data; whatever pointed elsewhere is replaced."""
    place.parent.mkdir(parents=True, exist_ok=True)
    new = place.with_name(".data.new")
    new.unlink(missing_ok=True)
    new.symlink_to(data.resolve(), target_is_directory=True)
    new.replace(place)
