"""The checks of a state reference on what was said: what the assistant told or kept back, what the user allowed.

Only the side that has to say it counts, at the place where it counts. Words and figures are looked for in free text, so
a check finds what is there and never what was meant: parameters are chosen so that a valid message needs no word that
is looked for in vain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from verifierbench.core import Absent, at
from verifierbench.core.hashing import canonical_bytes

from .text import has_code, has_number, has_words, plain, sentences
from .trace import Message, Performed, messages, performed, selected

_YES, _NO = ("yes",), ("no",)


def told_by_user(view: Any, parameters: Mapping[str, Any]) -> bool:
    """What calls of a pattern have in an argument the user said before, in some message: `{"call", "argument"}`.

    Digits may be set as the user likes; a call without the argument used nothing.
    """
    said, key = messages(view, "user"), parameters["argument"]
    calls = [call for call in selected(view, parameters["call"]) if key in call.arguments]
    return all(
        any(message.place < call.place and _mentions(message.text, call.arguments[key]) for message in said)
        for call in calls
    )


def consented(view: Any, parameters: Mapping[str, Any]) -> bool:
    """Before every call of these patterns the assistant named what it is about, and the user then said yes.

    `{"calls": [{"call", "words": [..], "numbers": [..]}], "yes": ["yes"], "no": ["no"]}`: the words and numbers stand
    in messages of the assistant before the consent, which is the user's last message before the call that has a word
    of `yes` or of `no`, and has none of `no`. Messages with neither, such as a question back or a remark, leave it as
    it is; a refusal settles what was told before it. One consent may serve several calls. A list among the words is
    a choice.
    """
    for asked in parameters["calls"]:
        for call in selected(view, asked["call"]):
            told_before, answer = _exchange(view, call, parameters)
            if not (_any_words(answer, parameters.get("yes", _YES)) and tells(told_before, asked)):
                return False
    return True


def told(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The assistant told all of these, and so something: `{"words": [..], "numbers": [..], "after": pattern}`.

    They may be spread over several messages; a list among the words is a choice. With `after`, only
    what was said after the first such call counts, and there must be one.
    """
    said = said_after(view, parameters.get("after"))
    return any(text.strip() for text in said) and tells(said, parameters)


def not_told(view: Any, parameters: Mapping[str, Any]) -> bool:
    """The assistant told none of these: `{"words": [..], "numbers": [..]}`.

    A word of digits is found however its digits are set.
    """
    said = [message.text for message in messages(view, "assistant")]
    words = any(has_code(text, word) for text in said for word in parameters.get("words", ()))
    return not words and not any(has_number(text, n) for text in said for n in parameters.get("numbers", ()))


def told_only_after(view: Any, parameters: Mapping[str, Any]) -> bool:
    """What the assistant says with one of these comes after a call: `{"words": [..], "unless": [..], "after"}`.

    A sentence that has one of `unless` does not count: "I cannot renew it before I have looked" declines nothing.
    """
    first = min((call.place for call in selected(view, parameters["after"])), default=None)
    early = [m.text for m in messages(view, "assistant") if first is None or m.place < first]
    return not any(
        _any_words(sentence, parameters["words"]) and not _any_words(sentence, parameters.get("unless", ()))
        for text in early
        for sentence in sentences(text)
    )


def not_stated(view: Any, parameters: Mapping[str, Any]) -> bool:
    """No sentence of the assistant has one of the words with one of the numbers.

    `{"words": [..], "numbers": [..], "unless": [numbers], "after": pattern}`: a sentence that has a number of `unless`
    as well compares the two and is free, and so is what was said before the first such call.
    """
    after = parameters.get("after")
    said = said_after(view, after) if after is None or selected(view, after) else []
    return not any(
        _any_words(sentence, parameters["words"])
        and any(has_number(sentence, number) for number in parameters["numbers"])
        and not any(has_number(sentence, number) for number in parameters.get("unless", ()))
        for text in said
        for sentence in sentences(text)
    )


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
    return tells([_answer(view)], parameters)


def tells(said: Iterable[str], parameters: Mapping[str, Any]) -> bool:
    """Whether some texts have all of `{"words": [..], "numbers": [..]}` among them; a list of words is a choice."""
    texts = list(said)
    words = all(_says(texts, word) for word in parameters.get("words", ()))
    return words and all(any(has_number(text, n) for text in texts) for n in parameters.get("numbers", ()))


def _exchange(view: Any, call: Performed, parameters: Mapping[str, Any]) -> tuple[list[str], str]:
    """What the assistant had said before the user's last yes or no before a call, and that answer; "" for a no.

    A no settles what was asked before it: a later yes counts for what was told since.
    """
    yes, no = parameters.get("yes", _YES), parameters.get("no", _NO)
    before = [message for message in messages(view, "user") if message.place < call.place]
    answers = [message for message in before if _any_words(message.text, (*yes, *no))]
    if not answers or _any_words(answers[-1].text, no):
        return [], ""
    since = max((message.place for message in answers if _any_words(message.text, no)), default=-1)
    told_before = [m.text for m in messages(view, "assistant") if since < m.place < answers[-1].place]
    return told_before, answers[-1].text


def _any_words(text: str, words: Iterable[str]) -> bool:
    return any(has_words(text, word) for word in words)


def _mentions(text: str, value: Any) -> bool:
    return str(value).strip() != "" and has_code(text, str(value))


def _says(texts: Iterable[str], word: str | list[str]) -> bool:
    """Whether some text has the word, or one of several that say the same."""
    return any(has_words(text, one) for text in texts for one in ([word] if isinstance(word, str) else word))


def said_after(view: Any, pattern: Mapping[str, Any] | None) -> list[str]:
    """The assistant's messages, after the first call of a pattern; raises `Absent` where there is no such call."""
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
