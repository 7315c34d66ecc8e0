# SPDX-License-Identifier: BSD-2-Clause
"""The measuring scripts with the built command: test_measuring.py TANDEM"""

import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import clips  # noqa: E402

TANDEM = ""
HAS_SCIPY = importlib.util.find_spec("scipy") is not None


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
        command = [sys.executable, "-B", SCRIPTS / "motion_figures.py", words[0], self.clip,
                   "--tandem", TANDEM, "--json", figures,
                   *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(figures.read_text())["pan"]

    def test_searches_beside_full_search(self):
        rows = self.motion_figures("table", "--frames", "2", "--encode-frames", "2", "--repeat", "1", "--range", "4")
        by_name = {row["search"]: row for row in rows}
        self.assertEqual(by_name["full"]["sad_over_full"], 0)
        self.assertEqual(by_name["full"]["bd_rate"], 0)
        self.assertEqual([name for name, row in by_name.items() if row["bd_rate"] is None], ["full, 1/8-pel grid"])
        self.assertGreater(by_name["full, 1/8-pel grid"]["candidates"], by_name["tss"]["candidates"])

    @unittest.skipUnless(HAS_SCIPY, "scipy is not there")
    def test_tables_of_the_plan(self):
        import plan_tables  # It needs scipy.
        curve = [plan_tables.Point(bits, psnr, 0) for bits, psnr in ((900, 41), (500, 37), (300, 34), (200, 30))]
        dearer = [plan_tables.Point(1.1 * point.bits, point.psnr, 0) for point in curve]
        self.assertAlmostEqual(plan_tables.bd_rate(curve, dearer), 10)
        apart = [plan_tables.Point(point.bits, point.psnr + 20, 0) for point in curve]
        self.assertTrue(math.isnan(plan_tables.bd_rate(curve, apart)))

        command = [sys.executable, "-B", SCRIPTS / "plan_tables.py", "search", self.clip, "--frames", "4",
                   "--tandem", TANDEM, "--cache", self.folder / "cache"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
        self.assertEqual(rows[0], ["", "pan", "mean", "seconds"])
        self.assertEqual(rows[2][:3], ["`--me full --merange 128`", "+0.0", "+0.0"])
        self.assertEqual(rows[3][0], "default")
        self.assertEqual(rows[3][1], rows[3][2])
        self.assertGreater(float(rows[3][3]), 0)

    @unittest.skipUnless(HAS_SCIPY, "scipy is not there")
    def test_a_stream_that_lacks_pictures_is_no_point_of_a_table(self):
        import plan_tables
        clip = clips.open_clip(self.clip, self.folder / "cache")
        stream = self.folder / "short.m2v"
        subprocess.run([TANDEM, "encode", self.clip, "--frames", "5", "--quiet", "-o", stream], check=True)
        with self.assertRaises(clips.Failure):
            plan_tables.psnr_of(str(stream), clip)

    @unittest.skipUnless(HAS_SCIPY, "scipy is not there")
    def test_a_stream_without_a_loss_is_no_point_of_a_table(self):
        import plan_tables
        grey = self.folder / "grey.y4m"
        grey.write_bytes(b"YUV4MPEG2 W32 H32 F25:1 C420jpeg\n" + 3 * (b"FRAME\n" + 1536 * b"\x80"))
        clip = clips.open_clip(grey, self.folder / "cache")
        stream = self.folder / "grey.m2v"
        subprocess.run([TANDEM, "encode", grey, "--quiet", "-o", stream], check=True)
        with self.assertRaisesRegex(clips.Failure, "without a loss"):
            plan_tables.psnr_of(str(stream), clip)

    def refused(self, script, *words):
        """What a script says that refuses what it was given; exit code 2, and no figures are measured before."""
        command = [sys.executable, "-B", SCRIPTS / script, *words, "--tandem", TANDEM]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def test_an_input_is_not_overwritten(self):
        before = self.clip.read_bytes()
        for script, *words in (("motion_figures.py", "curves", "--frames", "2"), ("motion_figures.py", "table"),
                               ("motion_peers.py",), ("speed.py",)):
            self.assertIn("is an input", self.refused(script, *words, self.clip, "--json", self.clip))
        self.assertIn("is an input", self.refused("motion_figures.py", "curves", self.clip, "--plot", self.clip))
        self.assertEqual(self.clip.read_bytes(), before)

    def test_bad_input_is_named(self):
        nowhere = self.folder / "none" / "figures.json"
        self.assertIn("no folder", self.refused("motion_figures.py", "curves", self.clip, "--json", nowhere))
        self.assertIn("no folder", self.refused("motion_peers.py", self.clip, "--json", nowhere))
        self.assertIn("--plot", self.refused("motion_figures.py", "curves", self.clip, "--plot", self.folder / "p.foo"))
        self.assertIn("0: must be", self.refused("motion_figures.py", "table", self.clip, "--repeat", "0"))
        self.assertIn("5000", self.refused("motion_figures.py", "table", self.clip, "--range", "5000"))
        self.assertIn("no such file", self.refused("motion_peers.py", self.folder / "none.y4m"))
        self.assertIn("none.y4m", self.refused("motion_figures.py", "curves", self.folder / "none.y4m"))
        self.assertIn("none.y4m", self.refused("me_compare.py", self.folder / "none.y4m", "-o", self.folder / "out"))
        (self.folder / "summary.json").write_text("{}")
        done = subprocess.run([sys.executable, "-B", "-c", "import comparing; comparing.summary_of('.')"],
                              cwd=self.folder, env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
                              capture_output=True, text=True, check=False)
        self.assertIn("is no summary", done.stderr)

    def test_a_broken_header_is_bad_input(self):
        for header in (b"YUV4MPEG2 F25:1", b"YUV4MPEG2 W65 H50 F0:0", b"YUV4MPEG2 Wxx H50 F25:1"):
            self.clip.write_bytes(header + b"\n")
            self.assertIn("the header's", self.refused("motion_peers.py", self.clip))

    def test_results_go_where_their_name_leads(self):
        target, link = self.folder / "target.json", self.folder / "link.json"
        target.write_text("before")
        link.symlink_to(target)
        self.assertEqual(clips.results_file("/dev/stdout", []), Path("/dev/stdout"))
        clips.keep(clips.results_file(link, [self.clip]), {"a": 1})
        self.assertTrue(link.is_symlink())
        self.assertEqual(json.loads(target.read_text()), {"a": 1})
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            clips.keep(clips.results_file(pipe, []), {"a": 2})
            self.assertEqual(json.loads(reader.stdout.read()), {"a": 2})

    def test_clips_of_one_name_are_told_apart(self):
        other = self.folder / "other" / "pan.y4m"
        other.parent.mkdir()
        shutil.copy(self.clip, other)
        self.assertEqual(clips.names_of([self.clip, "a/b.y4m", other]), [str(self.clip), "b", str(other)])
        self.assertRaises(clips.BadInput, clips.names_of, [other, other])

    def test_finer_precision_leaves_less(self):
        rows = self.motion_figures("curves", "--frames", "2")
        self.assertEqual([row["precision"] for row in rows], [1, 2, 4, 8])
        for coarse, fine in zip(rows, rows[1:]):
            self.assertGreaterEqual(fine["psnr_y"], coarse["psnr_y"] - 0.5)


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
