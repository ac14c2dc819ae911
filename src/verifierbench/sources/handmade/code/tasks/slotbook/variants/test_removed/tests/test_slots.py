import unittest

from slotbook import gaps, merge, overlaps


class MergeTest(unittest.TestCase):
    def test_overlapping(self):
        self.assertEqual(merge([(540, 600), (590, 660)]), [(540, 660)])

    def test_inside(self):
        self.assertEqual(merge([(540, 720), (600, 630)]), [(540, 720)])

    def test_apart(self):
        self.assertEqual(merge([(700, 710), (540, 600)]), [(540, 600), (700, 710)])

    def test_backwards(self):
        with self.assertRaises(ValueError):
            merge([(10, 5)])


class GapsTest(unittest.TestCase):
    def test_between(self):
        self.assertEqual(gaps([(60, 120), (180, 240)], 0, 300), [(0, 60), (120, 180), (240, 300)])

    def test_outside(self):
        self.assertEqual(gaps([(0, 30), (400, 500)], 60, 120), [(60, 120)])


class OverlapsTest(unittest.TestCase):
    def test_touching_is_not_sharing(self):
        self.assertFalse(overlaps((0, 10), (10, 20)))
        self.assertTrue(overlaps((0, 10), (9, 20)))
