import pathlib
import unittest

from verorder import Version


class NumbersTest(unittest.TestCase):
    def test_ordered(self):
        lines = (pathlib.Path(__file__).parent / "local" / "numbers.txt").read_text().split()
        self.assertEqual([str(version) for version in sorted(map(Version, reversed(lines)))], lines)
