import unittest

from slotbook import Agenda


class AgendaTest(unittest.TestCase):
    def setUp(self):
        self.day = Agenda()
        self.day.add("planning", "09:00", "10:00")
        self.day.add("review", "13:00", "14:30")

    def test_busy(self):
        self.assertEqual(self.day.busy(), [("09:00", "10:00"), ("13:00", "14:30")])

    def test_free(self):
        self.assertEqual(self.day.free("08:00", "13:30"), [("08:00", "09:00"), ("10:00", "13:00")])

    def test_minutes(self):
        self.assertEqual(self.day.minutes(), 150)

    def test_clashes(self):
        self.day.add("call", "14:00", "15:00")
        self.assertEqual(self.day.clashes(), [("review", "call")])

    def test_backwards(self):
        with self.assertRaises(ValueError):
            self.day.add("never", "10:00", "09:00")
