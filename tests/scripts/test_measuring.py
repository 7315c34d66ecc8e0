# SPDX-License-Identifier: BSD-2-Clause
"""scripts/speed.py and scripts/motion_figures.py with the built command: test_measuring.py TANDEM"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import clips  # noqa: E402

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

    def test_a_file_that_is_not_whole_is_not_left(self):
        with self.assertRaises(KeyboardInterrupt), clips.new_file(self.folder / "large.y4m") as part:
            part.write(b"half of it")
            raise KeyboardInterrupt
        self.assertEqual([path.name for path in self.folder.iterdir()], ["pan.y4m"])
        with clips.new_file(self.folder / "large.y4m") as part:
            part.write(b"all of it")
        self.assertEqual((self.folder / "large.y4m").read_bytes(), b"all of it")

    def motion_figures(self, *words):
        figures = self.folder / "figures.json"
        command = [sys.executable, "-B", SCRIPTS / "motion_figures.py", words[0], self.clip, "--tandem", TANDEM, "--json", figures,
                   *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(figures.read_text())["pan"]

    def test_searches_beside_full_search(self):
        rows = self.motion_figures("table", "--frames", "2", "--encode-frames", "2", "--repeat", "1", "--range", "4")
        by_name = {row["search"]: row for row in rows}
        self.assertEqual(by_name["full"]["sad_over_full"], 0)
        self.assertEqual(by_name["full"]["bd_rate"], 0)
        self.assertIsNone(by_name["full, 1/8-pel grid"]["bd_rate"])
        self.assertGreater(by_name["full, 1/8-pel grid"]["candidates"], by_name["tss"]["candidates"])

    def test_finer_precision_leaves_less(self):
        rows = self.motion_figures("curves", "--frames", "2")
        self.assertEqual([row["precision"] for row in rows], [1, 2, 4, 8])
        for coarse, fine in zip(rows, rows[1:]):
            self.assertGreaterEqual(fine["psnr_y"], coarse["psnr_y"] - 0.5)


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
