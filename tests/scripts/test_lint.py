#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What scripts/lint.py must find, and what it must pass, in small files made here."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "lint.py"
MISSING = [name for name in ("clang-format-14", "flake8", "eslint") if shutil.which(name) is None]


class Lint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def lint(self, *words, **files):
        """Runs the script on files, each named by name_ending."""
        paths = []
        for name, text in files.items():
            paths.append(self.folder / name.replace("_", "."))
            paths[-1].write_text(text, encoding="utf-8")
        return self.run_script(*words, *paths)

    def run_script(self, *words, path=None):
        environment = None if path is None else {"PATH": path}
        return subprocess.run([sys.executable, "-B", SCRIPT, *words], capture_output=True, text=True, check=False,
                              env=environment)

    def test_a_missing_tool_is_no_success(self):
        done = self.run_script(__file__, path=str(self.folder))
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("scripts/setup.sh --lint", done.stderr)

    @unittest.skipIf(MISSING, f"not installed: {MISSING} (scripts/setup.sh --lint)")
    def test_good_files_pass(self):
        done = self.lint(a_js="const twice = (x) => 2 * x;\n", b_js="document.title = twice(2);\n",
                         c_py="print(2)\n", d_cpp="int main() { return 0; }\n")
        self.assertEqual((done.returncode, done.stdout), (0, "lint: 4 files, 0 findings\n"), done.stderr)

    @unittest.skipIf(MISSING, f"not installed: {MISSING} (scripts/setup.sh --lint)")
    def test_each_finding_names_file_and_line(self):
        done = self.lint(a_js="const one = 1;\nconst two = 2 * one;\n", b_js="document.title = tow;\n",
                         c_py="import os\n", d_cpp="int main() {return 0;}\n", e_js="document.title = 'x';\n")
        self.assertEqual(done.returncode, 1)
        for words in ("a.js:2:7: 'two' is assigned a value", "b.js:1:18: 'tow' is not defined",
                      "c.py:1:1: F401 'os' imported but unused", "d.cpp:1:13: error: code should be clang-formatted",
                      "e.js:1:18: error: code should be clang-formatted"):
            self.assertIn(f"{self.folder}/{words}", done.stdout)

    @unittest.skipIf(MISSING, f"not installed: {MISSING} (scripts/setup.sh --lint)")
    def test_modules_stand_alone(self):
        done = self.lint(a_js="export const one = 1;\n", b_js="document.title = one;\n")
        self.assertIn("b.js:1:18: 'one' is not defined", done.stdout)

    @unittest.skipIf(MISSING, f"not installed: {MISSING} (scripts/setup.sh --lint)")
    def test_fix_writes_the_format(self):
        done = self.lint("--fix", d_cpp="int main() {return 0;}\n")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual((self.folder / "d.cpp").read_text(encoding="utf-8"), "int main() { return 0; }\n")


if __name__ == "__main__":
    unittest.main()
