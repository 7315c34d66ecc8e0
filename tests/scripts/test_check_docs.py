#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What scripts/check_docs.py must find, and what it must pass, in a small house made here."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "check_docs.py"


class CheckDocs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("docs/deep", "video/sources"):
            (self.root / name).mkdir(parents=True)
        (self.root / "video/sources/y4m.cpp").write_text("")
        (self.root / "docs/other.md").write_text("# One `word`, two\n")

    def check(self, text):
        (self.root / "docs/deep/page.md").write_text(text)
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--root", self.root], capture_output=True, text=True,
                              check=False)
        return done.returncode, done.stdout.splitlines()[:-1]

    def test_what_is_there_passes(self):
        text = ("[a](../other.md) [b](../other.md#one-word-two) [c](#here) [d](https://example.org)\n## Here\n"
                "`video/sources/y4m` `video/` `out/report.html` `16x16/8x8` `std::vector`\n")
        self.assertEqual(self.check(text), (0, []))

    def test_each_problem_names_its_line(self):
        for text, words in (("\n[a](other.md)", "docs/deep/page.md:2: links to other.md, which is not there"),
                            ("[a](../other.md#two)", "docs/deep/page.md:1: links to ../other.md#two, and other.md has"
                             " no such heading"),
                            ("`video/y4m.cpp`", "docs/deep/page.md:1: names video/y4m.cpp, which is not there"),
                            ("`video/sources/y4`", "docs/deep/page.md:1: names video/sources/y4, which is not there")):
            self.assertEqual(self.check(text), (1, [words]))

    def test_a_house_without_documents_is_a_mistake(self):
        (self.root / "docs/other.md").unlink()
        self.assertEqual(subprocess.run([sys.executable, "-B", SCRIPT, "--root", self.root], capture_output=True,
                                        check=False).returncode, 1)


if __name__ == "__main__":
    unittest.main()
