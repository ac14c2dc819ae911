import unittest

from slotbook import format_time, parse_time


class ClockTest(unittest.TestCase):
    def test_there_and_back(self):
        for text in ("00:00", "09:05", "23:59"):
            self.assertEqual(format_time(parse_time(text)), text)

    def test_end_of_day(self):
        self.assertEqual(parse_time("24:00"), 1440)
        self.assertEqual(format_time(1440), "24:00")

    def test_refused(self):
        for text in ("", "9", "09:60", "24:01", "9:5", "aa:bb", "-1:00"):
            with self.assertRaises(ValueError):
                parse_time(text)


if __name__ == "__main__":
    unittest.main()
