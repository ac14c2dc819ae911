import unittest

from shelf import ManualClock, SystemClock


class ClockTest(unittest.TestCase):
    def test_manual(self):
        clock = ManualClock(5)
        clock.advance(2.5)
        self.assertEqual(clock.now(), 7.5)

    def test_not_backwards(self):
        with self.assertRaises(ValueError):
            ManualClock().advance(-1)

    def test_system(self):
        clock = SystemClock()
        self.assertLessEqual(clock.now(), clock.now())
