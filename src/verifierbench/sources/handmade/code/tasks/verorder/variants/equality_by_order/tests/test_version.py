import pathlib
import unittest

from verorder import Version

VECTORS = pathlib.Path(__file__).parent / "vectors"


class VersionTest(unittest.TestCase):
    def test_ordered_vectors(self):
        versions = [Version(line) for line in (VECTORS / "ordered.txt").read_text().split()]
        self.assertEqual(sorted(reversed(versions)), versions)
        for earlier, later in zip(versions, versions[1:]):
            self.assertLess(earlier, later)
            self.assertNotEqual(earlier, later)

    def test_parts(self):
        version = Version("1.2.3-rc.1+linux")
        self.assertEqual((version.release, version.pre, version.build), ((1, 2, 3), ("rc", "1"), "linux"))

    def test_text_is_kept(self):
        self.assertEqual(str(Version("1.2.3+linux")), "1.2.3+linux")

    def test_refused(self):
        for text in ("", "1", "1.2", "1.2.3.4", "v1.2.3", "1.2.3-", "1.2.3-a..b"):
            with self.assertRaises(ValueError):
                Version(text)

    def test_other_things(self):
        self.assertNotEqual(Version("1.0.0"), "1.0.0")
        with self.assertRaises(TypeError):
            Version("1.0.0") < "1.0.0"
