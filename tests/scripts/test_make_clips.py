# SPDX-License-Identifier: BSD-2-Clause
"""sequences/make_clips.sh with the built command: test_make_clips.py TANDEM"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "sequences" / "make_clips.sh"
TANDEM = ""


class MakeClips(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make(self, *words):
        return subprocess.run(["bash", SCRIPT, *words], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "TANDEM": TANDEM})

    def test_help_is_no_folder(self):
        for word in ("--help", "-h"):
            done = self.make(word)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("make_clips.sh FOLDER", done.stdout)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_it_does_not_know_is_refused(self):
        for words in ([], ["--folder"], ["clips", "pan_nowhere"]):
            self.assertEqual(self.make(*words).returncode, 2, words)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_clip_and_its_truth(self):
        done = self.make("clips", "fade_352x288_25")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(file.name for file in (self.folder / "clips").iterdir()),
                         ["fade_352x288_25.npy", "fade_352x288_25.y4m"])


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
