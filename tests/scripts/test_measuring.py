# SPDX-License-Identifier: BSD-2-Clause
"""scripts/rd_anchor.py and scripts/speed.py with the built command: test_measuring.py TANDEM"""

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

    def test_rate_distortion_of_both_encoders(self):
        done, figures = self.measure("rd_anchor.py", "--qps", "4,8,16,31", "--", "--me", "log")
        self.assertEqual(done.returncode, 0, done.stderr)
        points = figures["clips"][0]["points"]
        self.assertEqual([point["qp"] for point in points], [4, 8, 16, 31])
        for encoder in ("anchor", "tandem"):
            quality = [point[encoder]["psnr_y"] for point in points]
            self.assertEqual(quality, sorted(quality, reverse=True))
            self.assertTrue(all(20 < value < 60 for value in quality), quality)
        self.assertLess(abs(figures["mean_bd_rate_y"]), 50)

        kept = sorted((self.folder / "cache" / "anchor").iterdir())
        self.assertEqual(len(kept), 4)
        again, same = self.measure("rd_anchor.py", "--qps", "4,8,16,31", "--", "--me", "log")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual([point["anchor"] for point in same["clips"][0]["points"]], [p["anchor"] for p in points])

    def test_a_lost_picture_is_no_result(self):
        done, figures = self.measure("rd_anchor.py", "--qps", "4,8,16,31", "--", "--frames", "7")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FFmpeg decodes 7 pictures of 8", done.stderr)
        self.assertIsNone(figures)

    def test_a_rate_above_the_limit_fails(self):
        done, _ = self.measure("rd_anchor.py", "--qps", "4,8,16,31", "--brief", "--at-most", "-99")
        self.assertEqual(done.returncode, 1)
        self.assertIn("above -99", done.stderr)

    def test_speed_of_both_encoders(self):
        done, figures = self.measure("speed.py", "--rounds", "1", "--times", "3", "--run", "log: --me log")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = figures["clips"][0]["results"]
        self.assertEqual(list(results), ["ffmpeg", "log"])
        self.assertTrue({"total", "motion", "refine", "residual", "entropy"} <= set(results["log"]["us_per_frame"]))


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
