"""What a state reference is built from: pure checks over a conversation and what its replay was seen to do.

They read the view `{"solution", "runs": {"replay": {"results", "state"}, "initial": {"state"}}}`. Checks on the state
compare the replayed end with the initial state; checks on the way look at successful calls unless told otherwise, for
a call that failed did nothing; checks on messages look only at what the assistant said, at the place where it counts.
Those that say "every" hold where there is nothing to speak of: that something happened is another check's business.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from verifierbench.core import Absent, Check, at
from verifierbench.core.hashing import canonical_bytes

from .changes import changes, fits, matches, same
from .content import is_solution
from .text import has_number, has_words, plain
from .trace import INITIAL, REPLAY, Message, Performed, messages, performed, selected

# The end state ------------------------------------------------------------------------------------------------------


def well_formed(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The solution meets the family's schema."""
    return is_solution(at(view, "/solution"))


def replayed(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The environment replayed the events and reported every call and the state."""
    performed(view)
    return isinstance(_end(view), dict | list)


def state_is(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The value at a pointer into the end state: `{"pointer", "value"}`."""
    return same(at(_end(view), parameters["pointer"]), parameters["value"])


def state_has(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The end state has a record with these fields: `{"under": pointer, "fields", "count": exactly n, else some}`."""
    return _counted(sum(fits(row, parameters["fields"]) for row in _rows(_end(view), parameters)), parameters)


def state_lacks(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The end state has no record with these fields: `{"under": pointer, "fields"}`."""
    return not any(fits(row, parameters["fields"]) for row in _rows(_end(view), parameters))


def record_added(view: Any, parameters: Mapping[str, Any]) -> bool:
    """A record with these fields is there that was not: `{"under": pointer, "fields", "count": exactly n, else some}`.

    Which identifier or place the new record got is free.
    """
    under = parameters["under"]
    added = [change.path for change in changes(at(_start(view), under), at(_end(view), under)) if change.how == "added"]
    rows = [at(at(_end(view), under), path) for path in added]
    return _counted(sum(fits(row, parameters["fields"]) for row in rows), parameters)


def only_changed(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Nothing differs from the initial state but: `{"changed": [pattern], "added": {parent: n}, "removed": [pattern]}`.

    A pattern is a pointer in which `*` stands for one token; `n` bounds what may be added below a parent. All parts may
    be left out: `{}` says that nothing changed.
    """
    below: Counter[str] = Counter()
    for change in changes(_start(view), _end(view)):
        if change.how == "added":
            below[change.path.rpartition("/")[0]] += 1
        elif not any(matches(change.path, pattern) for pattern in parameters.get(change.how, ())):
            return False
    allowed = parameters.get("added", {})
    return all(count <= allowed.get(parent, 0) for parent, count in below.items())


# The way ------------------------------------------------------------------------------------------------------------


def called(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Calls of a pattern are there: `{"call", "at_least": 1, "at_most": no bound}`."""
    count = len(selected(view, parameters["call"]))
    return bool(parameters.get("at_least", 1) <= count <= parameters.get("at_most", count))


def not_called(view: Any, parameters: Mapping[str, Any]) -> bool:
    """No call of a pattern is there: `{"call"}`."""
    return not selected(view, parameters["call"])


def all_succeeded(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Every call of a pattern succeeded: `{"call"}`."""
    return not selected(view, {**parameters["call"], "outcome": "error"})


def always_with(view: Any, parameters: Mapping[str, Any]) -> bool:
    """In every call of a pattern these arguments, where it has them, have these values: `{"call", "arguments"}`."""
    wanted = parameters["arguments"].items()
    calls = selected(view, parameters["call"])
    return all(key not in call.arguments or same(call.arguments[key], value) for call in calls for key, value in wanted)


def preceded(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Before every call of one pattern there is one of each of others: `{"call", "by": [pattern]}`."""
    firsts = [min((call.place for call in selected(view, pattern)), default=None) for pattern in parameters["by"]]
    calls = selected(view, parameters["call"])
    return all(first is not None and first < call.place for call in calls for first in firsts)


def never_after(view: Any, parameters: Mapping[str, Any]) -> bool:
    """No call of a pattern comes after one of another: `{"call", "after": pattern}`."""
    first = min((call.place for call in selected(view, parameters["after"])), default=None)
    return first is None or all(call.place < first for call in selected(view, parameters["call"]))


def consented(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Before every call of these patterns the assistant named what it is about, and the user's last word is yes.

    `{"calls": [{"call", "words": [..], "numbers": [..]}], "yes": ["yes"], "no": ["no"]}`: the words and numbers stand
    in messages of the assistant after the user's previous message and before the consent. One consent may serve
    several calls. A consent has a word of `yes` and none of `no`. A list among the words is a choice.
    """
    for asked in parameters["calls"]:
        for call in selected(view, asked["call"]):
            question, answer = _exchange(view, call)
            if not (_agrees(answer, parameters) and _tells([question], asked)):
                return False
    return True


# What was said ------------------------------------------------------------------------------------------------------


def told(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The assistant told all of these: `{"words": [..], "numbers": [..], "after": pattern}`.

    They may be spread over several messages; a list among the words is a choice. With `after`, only
    what was said after the first such call counts, and there must be one.
    """
    return _tells(_said_after(view, parameters.get("after")), parameters)


def not_told(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The assistant told none of these: `{"words": [..], "numbers": [..]}`."""
    said = [message.text for message in messages(view, "assistant")]
    words = any(has_words(text, word) for text in said for word in parameters.get("words", ()))
    return not words and not any(has_number(text, n) for text in said for n in parameters.get("numbers", ()))


def told_only_after(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Whatever the assistant says with one of these comes after a call of a pattern: `{"words": [..], "after"}`."""
    first = min((call.place for call in selected(view, parameters["after"])), default=None)
    said = [m for m in messages(view, "assistant") if any(has_words(m.text, word) for word in parameters["words"])]
    return all(first is not None and first < message.place for message in said)


def result_told(view: Any, parameters: Mapping[str, Any]) -> bool:
    """After every call of a pattern the assistant told a value of its result: `{"call", "pointer"}`."""
    said = messages(view, "assistant")
    return all(
        any(message.place > call.place and has_words(message.text, str(value)) for message in said)
        for call in selected(view, parameters["call"])
        for value in [at(call.result, parameters["pointer"])]
    )


def told_only_returned(view: Any, parameters: Mapping[str, Any]) -> bool:
    """What looks like this was returned by an earlier call wherever the assistant says it: `{"pattern": expression}`.

    The regular expression is tried on the message in lower case, with single spaces.
    """
    known = [(call.place, plain(canonical_bytes(call.result).decode())) for call in performed(view) if call.ok]
    return all(
        any(place < message.place and has_words(result, token) for place, result in known)
        for message in messages(view, "assistant")
        for token in re.findall(parameters["pattern"], plain(message.text))
    )


def last_word(view: Any, parameters: Mapping[str, Any]) -> bool:  # noqa: ARG001
    """The last thing that happened is a message of the assistant to the user, and it is not empty."""
    events = at(view, "/solution/events")
    return bool(events) and events[-1]["role"] == "assistant" and bool(events[-1].get("message", "").strip())


def answer_is(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The answer is the value, as a number where both are, else as text with case and spaces ignored: `{"value"}`."""
    answer, value = _answer(view), str(parameters["value"])
    number = _number(answer)
    return number == _number(value) if number is not None else plain(answer).strip() == plain(value).strip()


def answer_tells(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The answer tells all of these: `{"words": [..], "numbers": [..]}`."""
    return _tells([_answer(view)], parameters)


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        well_formed,
        replayed,
        state_is,
        state_has,
        state_lacks,
        record_added,
        only_changed,
        called,
        not_called,
        all_succeeded,
        always_with,
        preceded,
        never_after,
        consented,
        told,
        not_told,
        told_only_after,
        result_told,
        told_only_returned,
        last_word,
        answer_is,
        answer_tells,
    )
}


def _start(view: Any) -> Any:
    return at(view, f"/runs/{INITIAL}/state")


def _end(view: Any) -> Any:
    return at(view, f"/runs/{REPLAY}/state")


def _rows(state: Any, parameters: Mapping[str, Any]) -> Iterable[Any]:
    table = at(state, parameters["under"])
    if not isinstance(table, dict | list):
        raise Absent(parameters["under"])
    return table.values() if isinstance(table, dict) else table


def _counted(count: int, parameters: Mapping[str, Any]) -> bool:
    return count == parameters["count"] if "count" in parameters else count >= 1


def _exchange(view: Any, call: Performed) -> tuple[str, str]:
    """The user's last message before a call, and what the assistant had said just before it."""
    answers = [message for message in messages(view, "user") if message.place < call.place]
    if not answers:
        return "", ""
    since = answers[-2].place if len(answers) > 1 else -1
    asked = [m.text for m in messages(view, "assistant") if since < m.place < answers[-1].place]
    return "\n".join(asked), answers[-1].text


def _agrees(answer: str, parameters: Mapping[str, Any]) -> bool:
    agrees = any(has_words(answer, word) for word in parameters.get("yes", ("yes",)))
    return agrees and not any(has_words(answer, word) for word in parameters.get("no", ("no",)))


def _tells(said: Iterable[str], parameters: Mapping[str, Any]) -> bool:
    texts = list(said)
    words = all(_says(texts, word) for word in parameters.get("words", ()))
    return words and all(any(has_number(text, n) for text in texts) for n in parameters.get("numbers", ()))


def _says(texts: Iterable[str], word: str | list[str]) -> bool:
    """Whether some text has the word, or one of several that say the same."""
    return any(has_words(text, one) for text in texts for one in ([word] if isinstance(word, str) else word))


def _said_after(view: Any, pattern: Mapping[str, Any] | None) -> list[str]:
    said: list[Message] = messages(view, "assistant")
    if pattern is None:
        return [message.text for message in said]
    first = min((call.place for call in selected(view, pattern)), default=None)
    if first is None:
        raise Absent("a call after which it could have been told")
    return [message.text for message in said if message.place > first]


def _answer(view: Any) -> str:
    answer = at(view, "/solution/answer")
    if not isinstance(answer, str):
        raise Absent("/solution/answer")
    return answer


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text.strip())
    except InvalidOperation:
        return None
