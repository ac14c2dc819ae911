"""What is looked at in the patched duedate."""

import itertools
from datetime import date, datetime

from duedate import Rule, between, occurrences, parse, phrase, take


def texts(days):
    return [f"{type(day).__name__} {day.isoformat()}" for day in days]


def case_issue():
    return [day.isoformat() for day in take(Rule(date(2023, 1, 31), 1, "months"), 4)]


def case_thirtieth():
    return [day.day for day in take(Rule(date(2024, 12, 30), 1, "months"), 5)]


def case_twenty_ninth():
    return [day.day for day in take(Rule(date(2022, 11, 29), 1, "months"), 6)]


def case_every_three():
    return [day.isoformat() for day in take(Rule(date(2023, 8, 31), 3, "months"), 5)]


def case_every_eleven():
    return [day.isoformat() for day in take(Rule(date(2024, 3, 31), 11, "months"), 3)]


def case_long_run():
    return take(Rule(date(2000, 1, 31), 1, "months"), 1201)[-1].isoformat()


def case_between_months():
    found = between(Rule(date(2023, 1, 31), 1, "months"), date(2023, 3, 30), date(2023, 6, 30))
    return [day.isoformat() for day in found]


def case_occurrences():
    found = itertools.islice(occurrences(Rule(date(2023, 10, 31))), 6)
    return [day.isoformat() for day in found]


def case_leap_years():
    return [day.isoformat() for day in take(Rule(date(2024, 2, 29), 1, "years"), 5)]


def case_every_four_years():
    return [day.isoformat() for day in take(Rule(date(1892, 2, 29), 4, "years"), 4)]


def case_every_three_years():
    return [day.isoformat() for day in take(Rule(date(2020, 2, 29), 3, "years"), 5)]


def case_between_years():
    return [day.isoformat() for day in between(Rule(date(2024, 2, 29), 1, "years"), date(2027, 1, 1), date(2028, 12, 31))]


def case_last_of_april():
    return [day.isoformat() for day in take(Rule(date(2023, 4, 30)), 3)]


def case_last_of_february():
    return [day.isoformat() for day in take(Rule(date(2023, 2, 28), 1, "years"), 3)]


def case_last_of_february_monthly():
    return [day.isoformat() for day in take(Rule(date(2023, 2, 28)), 3)]


def case_weeks():
    return texts(take(Rule(date(2024, 2, 22), 1, "weeks"), 3))


def case_days():
    return texts(take(Rule(date(2023, 12, 31), 2, "days"), 2))


def case_two_readers():
    rule = Rule(date(2024, 1, 15))
    one, other = occurrences(rule), occurrences(rule)
    return [next(one).month, next(one).month, next(other).month, next(one).month, next(other).month], rule.first.isoformat()


def case_lazy():
    return next(occurrences(Rule(date(9999, 12, 31), 1, "days"))).isoformat()


def case_by_keyword():
    rule = Rule(first=date(2024, 1, 1), every=2, unit="weeks")
    return len(take(rule=rule, count=2)), len(between(rule=rule, start=date(2024, 1, 1), end=date(2024, 1, 31)))


def case_none_taken():
    return take(Rule(date(2024, 1, 31)), 0)


def case_first_is_a_plain_date():
    return Rule(datetime(2023, 5, 6, 7), 1, "years")


def case_shown():
    return repr(Rule(date(2024, 1, 31), 2, "weeks")), str(parse("every day", date(2024, 1, 1)))


def case_equal_and_hashed():
    rules = Rule(date(2024, 1, 31)), Rule(date(2024, 1, 31), 1, "months"), Rule(date(2024, 1, 31), 2), Rule(date(2024, 1, 30))
    return len(set(rules)), hash(rules[0]) == hash(rules[1]), rules[0] == rules[1], rules[0] != rules[2], rules[0] == "rule"


def case_phrases():
    return phrase(parse("Every 2 Months", date(2024, 1, 1))), phrase(Rule(date(2024, 1, 1), 1, "days"))
