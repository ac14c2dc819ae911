"""Lists of a view that repeat each other: calls in a solution, and what a run reports of each of them.

Nothing tells the generator which lists these are. An element answers another one when it holds all that some object
inside that one says, and answers come in the order of what they answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from .edits import ABSENT, Edit, Path, apply, at_path, has

_DEEP = 4
"""Keys on the way to a list, at most."""
_Twins: TypeAlias = dict[Path, Path]


class Echoes:
    """Per view: an element in the solution → the element of a run that answers it."""

    def __init__(self, views: Sequence[Any]) -> None:
        self._views = views
        self._twins = [_twins(view) for view in views]
        self._answers: dict[str, Any] = {}
        """An element as text → an answer to it that was seen."""
        for view, twins in zip(views, self._twins, strict=True):
            self._answers.update({repr(at_path(view, one)): at_path(view, other) for one, other in twins.items()})

    def along(self, number: int, edit: Edit, changed: Any) -> Any:
        """A changed view with the same change where another list repeats what was changed; itself where none does."""
        likely = self._of(number, edit)
        echo = next((each for each in likely if each.how == "repeated" or has(changed, each.path)), None)
        return changed if echo is None else apply(changed, echo)

    def _of(self, number: int, edit: Edit) -> Iterator[Edit]:
        """What a change in the view of that number would be in the other list, the likeliest first."""
        twins = self._twins[number]
        if not twins or edit.path[0] != "solution":
            return
        if edit.how in ("repeated", "moved"):
            yield from self._shifted(number, edit)
            return
        lengths = range(len(edit.path), 1, -1)
        element = next((edit.path[:length] for length in lengths if edit.path[:length] in twins), None)
        if element is not None:
            yield from self._changed(number, twins[element], edit, edit.path[len(element) :])

    def _changed(self, number: int, twin: Path, edit: Edit, inner: Path) -> Iterator[Edit]:
        answer = at_path(self._views[number], twin)
        if not inner and edit.how == "gone":
            yield edit._replace(path=twin)
        elif not inner:
            yield Edit(twin, "put", self._answer(edit.now, answer))
        yield from (edit._replace(path=(*twin, *inner[start:])) for start in range(len(inner)))
        if inner and isinstance(edit.now, dict):
            yield Edit(twin, "put", {**answer, **edit.now})

    def _shifted(self, number: int, edit: Edit) -> Iterator[Edit]:
        """An element put somewhere: its answer goes where the order of the other answers says."""
        holder, place, twins = edit.path[:-1], int(edit.path[-1]), self._twins[number]
        mine = [(int(path[-1]), twin) for path, twin in twins.items() if path[:-1] == holder]
        if not mine or (edit.how == "moved" and edit.path not in twins):
            return
        target = int(edit.now) if edit.how == "moved" else place
        *_, last = mine
        before = [twin for at, twin in mine if at < target and (at != place or edit.how == "repeated")]
        goal = len(before)
        if edit.how == "moved":
            yield Edit(twins[edit.path], "moved", goal)
        elif (answer := self._answer(edit.now, at_path(self._views[number], last[1]))) is not ABSENT:
            yield Edit((*last[1][:-1], goal), "repeated", answer)

    def _answer(self, element: Any, like: Any) -> Any:
        """What answers an element: as it was seen, or an answer like another one that says what the element says."""
        seen = self._answers.get(repr(element), ABSENT)
        if seen is not ABSENT or not isinstance(element, dict):
            return seen
        said = next((part for part in element.values() if isinstance(part, dict)), None)
        return ABSENT if said is None else {**like, **said}


def _twins(view: Any) -> _Twins:
    lists = list(_lists(view, ()))
    told = [each for each in lists if each[0][:1] == ("solution",)]
    seen = [each for each in lists if each[0][:1] == ("runs",)]
    found: _Twins = {}
    for one, values in told:
        for other, answers in seen:
            pairs = [((*one, a), (*other, b)) for a, b in _paired(values, answers)]
            found.update({element: twin for element, twin in pairs if element not in found})
    return found


def _lists(value: Any, path: Path) -> Iterator[tuple[Path, list[Any]]]:
    """The lists that are not far down and not in other lists."""
    if isinstance(value, list) and value:
        yield path, value
    elif isinstance(value, dict) and len(path) < _DEEP:
        for key, part in value.items():
            yield from _lists(part, (*path, key))


def _paired(values: Sequence[Any], answers: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Elements of two lists that belong together, in order."""
    start = 0
    for place, value in enumerate(values):
        fits = (other for other in range(start, len(answers)) if _answers(answers[other], value))
        other = next(fits, None)
        if other is not None:
            yield place, other
            start = other + 1


def _answers(answer: Any, said: Any) -> bool:
    if not (isinstance(answer, dict) and isinstance(said, dict)):
        return False
    inner = [part for part in said.values() if isinstance(part, dict) and len(part) > 1]
    return any(all(key in answer and answer[key] == part for key, part in each.items()) for each in inner)
