import unittest
from datetime import date

from duedate import Rule, parse, phrase

FIRST = date(2024, 1, 1)


class PhraseTest(unittest.TestCase):
    def test_there_and_back(self):
        for text in ("every day", "every week", "every 3 months", "every 10 years"):
            self.assertEqual(phrase(parse(text, FIRST)), text)

    def test_singular_with_number(self):
        self.assertEqual(parse("every 2 week", FIRST), Rule(FIRST, 2, "weeks"))

    def test_refused(self):
        for text in ("", "every", "each month", "every x months", "every 2 fortnights", "every 0 days"):
            with self.assertRaises(ValueError):
                parse(text, FIRST)
