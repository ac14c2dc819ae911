import unittest

from shelf import Cache, ManualClock


class SizeTest(unittest.TestCase):
    def test_least_recently_used_goes(self):
        cache = Cache(2)
        cache.set("a", 1)
        cache.set("b", 2)
        cache.get("a")
        cache.set("c", 3)
        self.assertEqual(cache.keys(), ["a", "c"])
        self.assertEqual(cache.stats.evictions, 1)

    def test_same_key_needs_no_room(self):
        cache = Cache(2)
        cache.set("a", 1)
        cache.set("b", 2)
        cache.set("a", 3)
        self.assertEqual(cache.keys(), ["b", "a"])
        self.assertEqual(cache.get("a"), 3)

    def test_no_room_at_all(self):
        with self.assertRaises(ValueError):
            Cache(0)


class LifetimeTest(unittest.TestCase):
    def setUp(self):
        self.clock = ManualClock()
        self.cache = Cache(3, lifetime=10, clock=self.clock)

    def test_goes_stale(self):
        self.cache.set("a", 1)
        self.clock.advance(9)
        self.assertIn("a", self.cache)
        self.clock.advance(1)
        self.assertNotIn("a", self.cache)
        self.assertEqual(self.cache.get("a", "gone"), "gone")

    def test_reading_does_not_refresh(self):
        self.cache.set("a", 1)
        self.clock.advance(6)
        self.assertEqual(self.cache.get("a"), 1)
        self.clock.advance(6)
        self.assertIsNone(self.cache.get("a"))

    def test_stale_entries_do_not_count(self):
        self.cache.set("a", 1)
        self.clock.advance(10)
        self.cache.set("b", 1)
        self.assertEqual(len(self.cache), 1)

    def test_delete(self):
        self.cache.set("a", 1)
        self.assertTrue(self.cache.delete("a"))
        self.assertFalse(self.cache.delete("a"))


class StatsTest(unittest.TestCase):
    def test_counts(self):
        cache = Cache(1)
        cache.get("a")
        cache.set("a", None)
        cache.get("a")
        self.assertEqual(cache.stats.as_tuple(), (1, 1, 0))
        self.assertEqual(cache.stats.ratio(), 0.5)
