"""Python commands that begin warm: forked from an interpreter that has run the standard library's start already.

Most of what a small Python program costs is the interpreter's start and the imports. Here both are done once, in
the process that serves, and a command is a fork of it that goes through the interpreter's own `main` again. It sees
what a fresh start would show:

* the arguments, flags, path and streams are made anew by that `main`, which also ends the process as it would;
* no module is imported yet. Those that were are set aside, and one is put in place when the program imports it,
  after those that it imports itself, in their order, each searched for as ever: a module that the search finds
  elsewhere, because the program brings its own, is loaded from there, and so is every module that imports it;
* there is no frame below the program's first, because the fork is made by a thread that has none.

What can be told apart: memory addresses and what the garbage collector knows, the exact depth of a recursion error (4
less), process numbers (one is spent on the thread), the order of three names in `sys.modules`, a finaliser that waits
in a standard module for the very end, and the time it takes. Anything but `python [-P] [-S] [-s] [-B] FILE.py …` and
`… -m MODULE …` starts as ever.

This module is loaded before any other and imports nothing: what is to be set aside must have been seen loading.
"""

import builtins
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

_bootstrap: "Any" = sys.modules["_frozen_importlib"]
_builtins: "Any" = builtins
_load: "Callable[[ModuleSpec], ModuleType]" = _bootstrap._load_unlocked
PRELOADED = (
    "runpy",
    "_sitebuiltins",
    "unittest",
    "datetime",
    "decimal",
    "fractions",
    "json",
    "dataclasses",
    "typing",
    "random",
    "tempfile",
    "subprocess",
    "threading",
    "pathlib",
    "string",
    "statistics",
    "calendar",
    "locale",
    "configparser",
    "csv",
)
"""What small programs and their tests import; none registers anything that would outlive its being set aside."""
_OPTIONS = frozenset({"-P", "-S", "-s", "-B"})
"""Options after which everything that was preloaded is what it would have been."""
_NAMES = frozenset({"python", "python3"})
_OWN = "verifierbench"
_OURS_NEED = frozenset({"warnings"})
"""What functions of the standard library import when this process calls them."""
_MAIN = frozenset({"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__annotations__", "__builtins__"})


class Kept:
    """A module set aside: what it imports itself, and what else it put among the modules."""

    def __init__(self, spec: "ModuleSpec") -> None:
        self.spec = spec
        self.module: ModuleType | None = None
        self.wanted: dict[str, int] = {}
        """Name to the module's id, in order; that of None for one that was tried in vain. No reference: a module shall
        go when the program lets go of it."""
        self.also: dict[str, ModuleType] = {}


class Recorder:
    """Listens while modules are loaded."""

    def __init__(self) -> None:
        self.before: frozenset[str] = frozenset()
        """The modules every interpreter has from the start."""
        self.paths: frozenset[str] = frozenset()
        """The places it has an importer for."""
        self.kept: dict[str, Kept] = {}
        self._loading: list[Kept] = []
        self._import = builtins.__import__

    def start(self, before: "Iterable[str]", paths: "Iterable[str]") -> None:
        """Listen from now on."""
        self.before, self.paths = frozenset(before), frozenset(paths)
        _bootstrap._load_unlocked, _builtins.__import__ = self._loaded, self._imported

    def stop(self) -> None:
        """Be heard of no more."""
        _bootstrap._load_unlocked, _builtins.__import__ = _load, self._import
        for kept in self.kept.values():
            kept.wanted = {name: id(sys.modules.get(name)) for name in kept.wanted}

    def _loaded(self, spec: "ModuleSpec") -> "ModuleType":
        kept, known = Kept(spec), set(sys.modules)
        self._loading.append(kept)
        try:
            module = _load(spec)
        finally:
            self._loading.pop()
        kept.module = module
        self.kept[spec.name] = kept
        new = [name for name in sys.modules if name not in known and name not in self.kept]
        kept.also = {name: sys.modules[name] for name in new}
        return module

    def _imported(
        self, name: str, space: "Any" = None, local: "Any" = None, fromlist: "Sequence[str]" = (), level: int = 0
    ) -> "ModuleType":
        absolute = name if level == 0 else _bootstrap._resolve_name(name, _bootstrap._calc___package__(space), level)
        try:
            return self._import(name, space, local, fromlist, level)
        finally:
            if self._loading:
                parts = [f"{absolute}.{part}" for part in fromlist or ()]
                names = [absolute, *[part for part in parts if part in sys.modules]]
                self._loading[-1].wanted.update(dict.fromkeys(names, 0))


_recorder = Recorder()
_aside: "dict[str, Kept]" = {}


def record(before: "Iterable[str]", paths: "Iterable[str]") -> None:
    """Listen from now on; these modules and importers every interpreter has from the start."""
    _recorder.start(before, paths)


def settle() -> "dict[str, Kept]":
    """Load what programs will want, and stop listening; returns what has been set aside.

    Whoever asked keeps that alive for good: taking it apart at the end of each fork would cost more than the fork.
    """
    for name in PRELOADED:
        builtins.__import__(name)
    _recorder.stop()
    _aside.update((name, kept) for name, kept in _recorder.kept.items() if name.partition(".")[0] != _OWN)
    _recorder.kept.clear()
    for name, kept in _aside.items():
        parent, _, last = name.rpartition(".")
        if parent in _aside and vars(sys.modules[parent]).get(last) is kept.module:
            delattr(sys.modules[parent], last)
    forget(keep=_OURS_NEED)
    return _aside


def forget(keep: "Container[str]" = ()) -> None:
    """Leave no module but those that every interpreter has."""
    for name in [name for name in sys.modules if name not in _recorder.before and name not in keep]:
        del sys.modules[name]


def can_start(command: "Sequence[str]") -> bool:
    """Whether a command is one that begins warm."""
    if not command or command[0] not in _NAMES:
        return False
    rest = command[1:]
    while rest and rest[0] in _OPTIONS:
        rest = rest[1:]
    if not rest:
        return False
    return (rest[0] == "-m" and len(rest) > 1) or (not rest[0].startswith("-") and rest[0].endswith(".py"))


def become(command: "Sequence[str]") -> None:
    """In the fork: forget what a fresh interpreter has not seen. Nothing of ours may import afterwards."""
    forget()
    for path in [path for path in sys.path_importer_cache if path not in _recorder.paths]:
        del sys.path_importer_cache[path]
    space = vars(sys.modules["__main__"])
    for name in [name for name in space if name not in _MAIN]:
        del space[name]
    _bootstrap._load_unlocked = _put_in_place
    options = command[1 : next(n for n, word in enumerate(command) if n and word not in _OPTIONS)]
    if "-S" not in options:
        _import_site_first(module="-m" in command[: len(options) + 2], path_is_first="-P" not in options)


def _put_in_place(spec: "ModuleSpec") -> "ModuleType":
    """Load a module as the interpreter does, but without executing one that lies ready and that nothing replaces."""
    kept = _aside.pop(spec.name, None)
    if kept is None or kept.module is None or not _is_same(spec, kept.spec):
        return _load(spec)
    sys.modules[spec.name] = kept.module
    for name in kept.wanted:
        if name not in sys.modules:
            _import_for(kept, name)
    complete = all(id(sys.modules.get(name)) == wanted for name, wanted in kept.wanted.items())
    del sys.modules[spec.name]
    if not complete:
        return _load(spec)
    sys.modules.update(kept.also)
    sys.modules[spec.name] = kept.module
    return kept.module


def _import_for(kept: Kept, name: str) -> None:
    if name in kept.also:
        sys.modules[name] = kept.also[name]
        return
    try:  # noqa: SIM105  # `contextlib` is among what is set aside
        _bootstrap._gcd_import(name)
    except ImportError:  # as it was when the module tried
        pass


def _is_same(found: "ModuleSpec", kept: "ModuleSpec") -> bool:
    return found.origin == kept.origin and type(found.loader) is type(kept.loader)


def _import_site_first(*, module: bool, path_is_first: bool) -> None:
    """Have `site` imported at the first thing that `main` does for a script or a module, as it would be before."""
    hooks = sys.path_hooks

    def before_runpy(spec: "ModuleSpec") -> "ModuleType":
        _bootstrap._load_unlocked = _put_in_place
        first = sys.path[:1] if path_is_first else []
        del sys.path[: len(first)]
        builtins.__import__("site")
        sys.path[:0] = first
        return _put_in_place(spec)

    def before_script(_: str) -> "Any":
        sys.path_hooks = hooks
        builtins.__import__("site")
        raise ImportError

    if module:
        _bootstrap._load_unlocked = before_runpy
    else:
        sys.path_hooks = [before_script, *hooks]
