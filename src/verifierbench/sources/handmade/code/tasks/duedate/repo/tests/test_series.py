import unittest
from datetime import date

from duedate import Rule, between, take


class TakeTest(unittest.TestCase):
    def test_days(self):
        self.assertEqual(take(Rule(date(2024, 2, 28), 1, "days"), 3)[-1], date(2024, 3, 1))

    def test_weeks(self):
        self.assertEqual(take(Rule(date(2023, 12, 25), 1, "weeks"), 2), [date(2023, 12, 25), date(2024, 1, 1)])

    def test_months(self):
        self.assertEqual(take(Rule(date(2024, 11, 5), 1, "months"), 3)[-1], date(2025, 1, 5))

    def test_short_month(self):
        self.assertEqual(take(Rule(date(2023, 1, 31), 1, "months"), 2), [date(2023, 1, 31), date(2023, 2, 28)])

    def test_years(self):
        self.assertEqual(take(Rule(date(2020, 5, 1), 2, "years"), 3)[-1], date(2024, 5, 1))


class BetweenTest(unittest.TestCase):
    def test_both_ends_included(self):
        rule = Rule(date(2024, 1, 10), 1, "months")
        self.assertEqual(between(rule, date(2024, 2, 10), date(2024, 3, 10)), [date(2024, 2, 10), date(2024, 3, 10)])

    def test_nothing_before_the_first(self):
        self.assertEqual(between(Rule(date(2024, 1, 10)), date(2023, 1, 1), date(2024, 1, 9)), [])
