import unittest

from verorder import latest, satisfies


class SatisfiesTest(unittest.TestCase):
    def test_bounds(self):
        self.assertTrue(satisfies("1.5.0", ">=1.0.0, <2.0.0"))
        self.assertFalse(satisfies("2.0.0", ">=1.0.0, <2.0.0"))
        self.assertTrue(satisfies("1.5.0", "!=1.5.1"))

    def test_nothing_asked(self):
        self.assertTrue(satisfies("1.0.0", ""))

    def test_refused(self):
        with self.assertRaises(ValueError):
            satisfies("1.0.0", "~1.0.0")


class LatestTest(unittest.TestCase):
    def test_highest(self):
        self.assertEqual(latest(["1.9.0", "1.10.0", "1.2.0"]), "1.10.0")

    def test_none(self):
        self.assertIsNone(latest(["1.0.0"], ">1.0.0"))

    def test_pre_releases(self):
        self.assertEqual(latest(["1.0.0", "1.1.0-rc.1"]), "1.0.0")
        self.assertEqual(latest(["1.0.0", "1.1.0-rc.1"], pre=True), "1.1.0-rc.1")
