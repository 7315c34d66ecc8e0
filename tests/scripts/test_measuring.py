# SPDX-License-Identifier: BSD-2-Clause
"""scripts/speed.py with the built command: test_measuring.py TANDEM"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
TANDEM = ""


class Measuring(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.clip = self.folder / "pan.y4m"
        subprocess.run([TANDEM, "synth", "--size", "65x50", "--frames", "8", "--quiet", "-o", self.clip], check=True)

    def measure(self, script, *arguments):
        figures = self.folder / "figures.json"
        command = [sys.executable, "-B", SCRIPTS / script, "--tandem", TANDEM, "--cache", self.folder / "cache",
                   "--json", figures, self.clip, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done, json.loads(figures.read_text()) if figures.exists() else None

    def test_speed_of_both_encoders(self):
        done, figures = self.measure("speed.py", "--rounds", "1", "--times", "3", "--run", "log: --me log")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = figures["clips"][0]["results"]
        self.assertEqual(list(results), ["ffmpeg", "log"])
        self.assertTrue({"total", "motion", "refine", "residual", "entropy"} <= set(results["log"]["us_per_frame"]))


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
