import unittest

from tinyconf import dumps, loads


class DumpsTest(unittest.TestCase):
    def test_text(self):
        self.assertEqual(dumps({"a": {"x": 1, "y": True}, "b": {"z": "w"}}), "[a]\nx = 1\ny = yes\n\n[b]\nz = w\n")

    def test_there_and_back(self):
        settings = {"s": {"text": "12", "empty": "", "spaces": " x ", "list": ["a", 1], "one": ["a"], "none": []}}
        self.assertEqual(loads(dumps(settings)), settings)

    def test_plain_text_stays_plain(self):
        self.assertEqual(dumps({"s": {"k": "a b"}}), "[s]\nk = a b\n")
