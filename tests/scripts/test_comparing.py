# SPDX-License-Identifier: BSD-2-Clause
"""The scripts around tandem compare with the built command: test_comparing.py TANDEM"""

import importlib.util
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
TANDEM = ""
QPS = ["--qps", "4,8,16,31", "--repeat", "1"]


class Comparing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.clip = self.folder / "pan.y4m"
        subprocess.run([TANDEM, "synth", "--size", "64x48", "--frames", "6", "--quiet", "-o", self.clip], check=True)

    def run_script(self, name, *words, output="out"):
        command = [sys.executable, "-B", SCRIPTS / name, self.clip, "-o", self.folder / output, "--tandem", TANDEM, *words]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def rows(self, output):
        lines = (self.folder / output / "results.jsonl").read_text().splitlines()
        return {row["key"]: row for row in map(json.loads, lines)}

    def test_two_commands(self):
        done = self.run_script("rd_compare.py", "--one", TANDEM, "--other", f"{TANDEM} --ip-factor 2", "--", *QPS, "--searches", "log")
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        self.assertEqual(len(summary["series"]), 2)
        self.assertTrue(summary["series"][0]["name"].endswith("(one)") and summary["series"][1]["name"].endswith("(other)"))
        figure = [one for one in summary["differences"] if one["measure"] == "psnr_y" and one["anchor"] == 0][0]["rate"]["pchip"]
        self.assertIn(f"{figure:+.2f} %", done.stdout)
        self.assertTrue((self.folder / "out" / "report.html").exists())
        limited = self.run_script("rd_compare.py", "--one", TANDEM, "--other", f"{TANDEM} --ip-factor 2", "--at-most", "-99", "--", *QPS,
                                  "--searches", "log")
        self.assertEqual(limited.returncode, 1, limited.stderr)

    def test_searches_and_devices(self):
        done = self.run_script("me_compare.py", "--searches", "full,log", "--devices", "cpu", "--", *QPS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("BD-rate against tandem mpeg2 full cpu", done.stdout)
        self.assertRegex(done.stdout, r"tandem mpeg2 log cpu +[+-]\d+\.\d\d %")

    def test_speeds(self):
        done = self.run_script("speed_compare.py", "--repeat", "1", "--", "--searches", "log", "--devices", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"mpeg2video .* 1\.00\n")

    def test_points_by_themselves_give_the_same_results(self):
        words = ["--", *QPS, "--threads", "1"]
        alone = self.run_script("me_compare.py", "--searches", "log", "--devices", "cpu", *words, output="alone")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        spread = self.run_script("me_compare.py", "--searches", "log", "--devices", "cpu", "--jobs", "2", *words, output="spread")
        self.assertEqual(spread.returncode, 0, spread.stderr)
        self.assert_same(self.rows("alone"), self.rows("spread"))

    def assert_same(self, first, second):
        self.assertEqual(sorted(first), sorted(second))
        for key, row in first.items():
            for name in ("stream_md5", "bytes", "psnr_y", "ssim", "pictures"):
                self.assertEqual(row[name], second[key][name])

    @unittest.skipIf(importlib.util.find_spec("distributed") is None, "Dask is not installed (pip install distributed)")
    def test_points_on_dask_give_the_same_results(self):
        from dask.distributed import LocalCluster
        words = ["--searches", "log", "--devices", "cpu"]
        more = ["--", *QPS, "--threads", "1"]
        alone = self.run_script("me_compare.py", *words, *more, output="alone")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            spread = self.run_script("me_compare.py", *words, "--scheduler", cluster.scheduler_address, *more, output="spread")
        self.assertEqual(spread.returncode, 0, spread.stderr)
        self.assert_same(self.rows("alone"), self.rows("spread"))

    def test_a_failure_is_told(self):
        self.clip.write_bytes(b"no clip")
        done = self.run_script("me_compare.py", "--", *QPS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("me_compare.py: exit code 2 from:", done.stderr)

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None, "matplotlib is not installed (scripts/setup.sh --report)")
    def test_figures_and_documents(self):
        self.assertEqual(self.run_script("me_compare.py", "--searches", "full,log", "--devices", "cpu", "--", *QPS).returncode, 0)
        root = self.folder / "root"
        (root / "docs").mkdir(parents=True)
        begin, end = "<!-- results of tandem compare, by scripts/make_figures.py -->", "<!-- end of results -->"
        for name in ("README.md", "docs/benchmarks.md"):
            (root / name).write_text(f"before\n{begin}\nold\n{end}\nafter\n")
        command = [sys.executable, "-B", SCRIPTS / "make_figures.py", self.folder / "out", "-o", root / "pictures", "--documents", root]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("README.md", "docs/benchmarks.md"):
            text = (root / name).read_text()
            self.assertTrue(text.startswith(f"before\n{begin}\n") and text.endswith(f"{end}\nafter\n"), text)
            self.assertNotIn("old", text)
            self.assertNotIn(str(self.folder), text)
            self.assertIn("pictures/rate-psnr.png", text)
        for picture in ("rate-psnr", "rate-ssim", "speed-quality"):
            self.assertTrue((root / "pictures" / f"{picture}.png").read_bytes().startswith(b"\x89PNG"))
            self.assertIn("<svg", (root / "pictures" / f"{picture}.svg").read_text()[:2000])
        gpu = [f"<!-- {words} -->" for words in ("results of tandem compare on a GPU, by scripts/make_figures.py", "end of results on a GPU")]
        with (root / "docs/benchmarks.md").open("a") as benchmarks:
            benchmarks.write(f"{gpu[0]}\n{gpu[1]}\nlast\n")
        subprocess.run([*command, "--gpu-results", self.folder / "out"], check=True, capture_output=True)
        text = (root / "docs/benchmarks.md").read_text()
        self.assertIn("BD-rate", text[text.index(gpu[0]):text.index(gpu[1])])
        self.assertTrue(text.startswith(f"before\n{begin}\n") and text.endswith(f"{gpu[1]}\nlast\n"), text)
        (root / "README.md").write_text("no markers\n")
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
