import unittest

from tinyconf import ConfigError, loads


class LoadsTest(unittest.TestCase):
    def value(self, text):
        return loads(f"[s]\nk = {text}\n")["s"]["k"]

    def test_numbers(self):
        self.assertEqual(self.value("12"), 12)
        self.assertEqual(self.value("-0.5"), -0.5)

    def test_words(self):
        self.assertIs(self.value("Yes"), True)
        self.assertIs(self.value("no"), False)

    def test_lists(self):
        self.assertEqual(self.value("a, 2, no"), ["a", 2, False])
        self.assertEqual(self.value("a,"), ["a"])

    def test_quotes(self):
        self.assertEqual(self.value('"12"'), "12")
        self.assertEqual(self.value(r'"say \"hi\""'), 'say "hi"')

    def test_remarks(self):
        self.assertEqual(loads("# top\n[s] ; here\nk = v # there\n"), {"s": {"k": "v"}})

    def test_sections_join(self):
        self.assertEqual(loads("[a]\nx=1\n[b]\n[a]\ny=2\n"), {"a": {"x": 1, "y": 2}, "b": {}})

    def test_errors_name_the_line(self):
        for text, line in (("x = 1\n", 1), ("[a]\nnonsense\n", 2)):
            with self.assertRaises(ConfigError) as caught:
                loads(text)
            self.assertEqual(caught.exception.line, line)
