# SPDX-License-Identifier: BSD-2-Clause
"""The scripts around tandem compare with the built command: test_comparing.py TANDEM"""

import importlib.util
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import clips  # noqa: E402
import comparing  # noqa: E402
import rd_compare  # noqa: E402

TANDEM = ""
COMMAND = ""  # The same as a shell would have it.
QPS = ["--qps", "4,8,16,31", "--repeat", "1"]


def has_history():
    """Not in a source archive, nor where there is no git."""
    try:
        return subprocess.run(["git", "-C", SCRIPTS, "rev-parse", "HEAD"], capture_output=True,
                              check=False).returncode == 0
    except OSError:
        return False


class Comparing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = None
        self.clip = self.folder / "pan.y4m"
        subprocess.run([TANDEM, "synth", "--size", "64x48", "--frames", "6", "--quiet", "-o", self.clip], check=True)

    def run_script(self, name, *words, output="out"):
        command = [sys.executable, "-B", SCRIPTS / name, self.clip, "-o", self.folder / output, "--tandem", TANDEM,
                   *words]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment)

    def rows(self, output):
        lines = (self.folder / output / "results.jsonl").read_text().splitlines()
        return {row["key"]: row for row in map(json.loads, lines)}

    def test_two_commands(self):
        done = self.run_script("rd_compare.py", "--one", COMMAND, "--other", f"{COMMAND} --ip-factor 2", "--", *QPS,
                               "--searches", "log")
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads((self.folder / "out" / "summary.json").read_text())
        self.assertEqual(len(summary["series"]), 2)
        self.assertTrue(summary["series"][0]["name"].endswith("(one)"))
        self.assertTrue(summary["series"][1]["name"].endswith("(other)"))
        figure = [one for one in summary["differences"]
                  if one["measure"] == "psnr_y" and one["anchor"] == 0][0]["rate"]["pchip"]
        self.assertIn(f"{figure:+.2f} %", done.stdout)
        self.assertTrue((self.folder / "out" / "report.html").exists())
        limited = self.run_script("rd_compare.py", "--one", COMMAND, "--other", f"{COMMAND} --ip-factor 2",
                                  "--at-most", "-99", "--", *QPS,
                                  "--searches", "log")
        self.assertEqual(limited.returncode, 1, limited.stderr)

    def rd_compare(self, other, *words):
        return self.run_script("rd_compare.py", "--one", COMMAND, "--other", other, *words, "--", *QPS,
                               "--searches", "log")

    def test_a_folder_does_not_mix_commands(self):
        """Another command in the same folder is measured, not taken for the one before; so is another program."""
        program = self.folder / "tandem-here"
        program.write_text(f'#!/bin/sh\nexec {COMMAND} "$@"\n')
        program.chmod(0o755)
        first = self.rd_compare(f"{program} --ip-factor 2")
        again = self.rd_compare(f"{program} --ip-factor 1.2")
        self.assertEqual((first.returncode, again.returncode), (0, 0), first.stderr + again.stderr)
        self.assertNotEqual(first.stdout, again.stdout)
        self.assertEqual(len(self.rows("out")), 8)
        program.write_text(f'#!/bin/sh\nexec {COMMAND} "$@" --ip-factor 2\n')
        self.assertEqual(self.rd_compare(str(program)).returncode, 0)
        self.assertEqual(len([path for path in (self.folder / "out").iterdir() if path.is_dir()]), 4)

    def test_series_are_paired_by_name(self):
        done = self.run_script("rd_compare.py", "--one", f"{COMMAND} --searches log,tss",
                               "--other", f"{COMMAND} --searches tss,log --trellis 0",
                               "--", *QPS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?s)log cpu trellis=0.*tss cpu trellis=0")
        lacking = self.run_script("rd_compare.py", "--one", f"{COMMAND} --searches log,tss",
                                  "--other", f"{COMMAND} --searches log", "--", *QPS,
                                  output="lacking")
        self.assertEqual(lacking.returncode, 2, lacking.stderr)
        self.assertIn("no partner for: tandem mpeg2 tss cpu (one)", lacking.stderr)
        self.assertFalse((self.folder / "lacking" / "results.jsonl").exists())

    def test_commands_that_are_not_there_are_told(self):
        for words in (["--other", "no-such-tandem --trellis 0"], ["--other", "'"],
                      ["--other", COMMAND, "--jobs", "-1"]):
            done = self.run_script("rd_compare.py", *words, "--", *QPS)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        os.symlink(TANDEM, self.folder / "tandem")
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        self.assertEqual(self.rd_compare("tandem --ip-factor 2").returncode, 0)

    @unittest.skipUnless(has_history(), "these sources are in no git repository, or git is not installed")
    def test_a_build_that_was_stopped_is_gone_on_with(self):
        sources = []

        def stopped(command, **options):
            if command[0] != "cmake":
                return comparing.checked(command, **options)
            if "-S" in command:
                sources.append(command[command.index("-S") + 1])
                self.assertTrue((sources[-1] / "CMakeLists.txt").exists())
            raise KeyboardInterrupt

        with mock.patch.object(rd_compare, "checked", stopped):
            for _ in range(2):
                self.assertRaises(KeyboardInterrupt, rd_compare.side_of_revision, "one", "HEAD", self.folder)
        self.assertEqual(len(sources), 2)
        self.assertEqual(sources[0], sources[1])

    def test_searches_and_devices(self):
        done = self.run_script("me_compare.py", "--searches", "full,log", "--devices", "cpu", "--", *QPS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("BD-rate against tandem mpeg2 full cpu", done.stdout)
        self.assertRegex(done.stdout, r"tandem mpeg2 log cpu +[+-]\d+\.\d\d %")

    def test_searches_beside_what_has_none(self):
        """A folder may hold an earlier run's peers."""
        words = [TANDEM, "compare", self.clip, "-o", self.folder / "out", "--quiet", *QPS]
        subprocess.run([*words, "--searches", "log", "--devices", "cpu", "--peers", "mpeg2video"], check=True)
        done = self.run_script("me_compare.py", "--searches", "full", "--devices", "cpu", "--", *QPS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("BD-rate against tandem mpeg2 full cpu", done.stdout)
        self.assertRegex(done.stdout, r"\nmpeg2video +[+-]\d+\.\d\d %|\nmpeg2video +–")

    def test_speeds(self):
        done = self.run_script("speed_compare.py", "--repeat", "1", "--", "--searches", "log", "--devices", "cpu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"mpeg2video .* 1\.00\n")

    def test_points_by_themselves_give_the_same_results(self):
        words = ["--", *QPS, "--threads", "1"]
        alone = self.run_script("me_compare.py", "--searches", "log", "--devices", "cpu", *words, output="alone")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        spread = self.run_script("me_compare.py", "--searches", "log", "--devices", "cpu", "--jobs", "2", *words,
                                 output="spread")
        self.assertEqual(spread.returncode, 0, spread.stderr)
        self.assert_same(self.rows("alone"), self.rows("spread"))
        summary = json.loads((self.folder / "spread" / "summary.json").read_text())
        self.assertEqual(len({one["command"] for one in summary["made_by"]}), 1)

    def test_what_a_killed_run_left_is_cut_off(self):
        words = ["--searches", "log", "--devices", "cpu", "--jobs", "2", "--", *QPS, "--threads", "1"]
        self.assertEqual(self.run_script("me_compare.py", *words).returncode, 0)
        results = self.folder / "out" / "results.jsonl"
        lines = results.read_text().splitlines(keepends=True)
        results.write_text(lines[0] + lines[1] + lines[2][:40])
        again = self.run_script("me_compare.py", *words)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(sorted(self.rows("out")), sorted(json.loads(line)["key"] for line in lines))
        results.write_text("no row\n")
        damaged = self.run_script("me_compare.py", *words)
        self.assertEqual(damaged.returncode, 2)
        self.assertIn("line 1 is no result", damaged.stderr)

    def test_a_summary_of_another_shape_is_none(self):
        for text in ("", "[" * 100000, "[]", '{"clips": 1, "series": 2, "differences": 3}'):
            (self.folder / "summary.json").write_text(text)
            with self.assertRaisesRegex(clips.BadInput, "summary.json: is no"):
                comparing.summary_of(self.folder)

    def test_a_summary_with_a_wrong_row_is_told(self):
        done = self.run_script("me_compare.py", "--searches", "log", "--devices", "cpu", "--", *QPS)
        self.assertEqual(done.returncode, 0)
        path = self.folder / "out" / "summary.json"
        good = json.loads(path.read_text())
        row = {"series": good["series"][0], "point": good["points"][0]}
        wrong = {"clips[0] is no object": {"clips": [5]}, "it has no list speed": {"speed": {}},
                 "anchor is 7": {"anchor": 7},
                 "search of series[1] is 3": {"series": [row["series"], {**row["series"], "search": 3}]},
                 'series of points[0] is "log"': {"points": [{**row["point"], "series": "log"}]},
                 "clip of points[0] is 1": {"points": [{**row["point"], "clip": 1}]},
                 "clip of motion[0] is null": {"motion": [{}]}}
        for words, change in wrong.items():
            path.write_text(json.dumps({**good, **change}))
            with self.assertRaises(clips.BadInput) as caught:
                comparing.summary_of(path.parent)
            self.assertEqual(str(caught.exception), f"{path}: is no summary of tandem compare: {words}")

    def test_one_writes_at_a_time(self):
        with comparing.only_writer(self.folder / "out" / "results.jsonl"):
            done = self.run_script("me_compare.py", "--jobs", "2", "--searches", "log", "--", *QPS)
        self.assertEqual(done.returncode, 1)
        self.assertIn("another tandem compare writes to it", done.stderr)

    def test_an_interrupt_ends_what_waits(self):
        begun = []

        def interrupted(submit, _command, _keys, _results):
            for number in range(100):
                submit(lambda number=number: (begun.append(number), time.sleep(0.2)))
            raise KeyboardInterrupt

        with mock.patch.object(comparing, "run_points", interrupted):
            self.assertRaises(KeyboardInterrupt, comparing.sweep_here, [], [], None, 2)
        self.assertLess(len(begun), 100)

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
            spread = self.run_script("me_compare.py", *words, "--scheduler", cluster.scheduler_address, *more,
                                     output="spread")
        self.assertEqual(spread.returncode, 0, spread.stderr)
        self.assert_same(self.rows("alone"), self.rows("spread"))

    def test_a_failure_is_told(self):
        self.clip.write_bytes(b"no clip")
        done = self.run_script("me_compare.py", "--", *QPS)
        self.assertEqual(done.returncode, 2)
        self.assertIn("me_compare.py: exit code 2 from:", done.stderr)

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None,
                     "matplotlib is not installed (scripts/setup.sh --report)")
    def test_figures_and_documents(self):
        done = self.run_script("me_compare.py", "--searches", "full,log", "--devices", "cpu", "--", *QPS)
        self.assertEqual(done.returncode, 0)
        root = self.folder / "root"
        (root / "docs" / "measurements").mkdir(parents=True)
        begin, end = "<!-- results of tandem compare, by scripts/make_figures.py -->", "<!-- end of results -->"
        for name in ("README.md", "docs/measurements/benchmarks.md"):
            (root / name).write_text(f"before\n{begin}\nold\n{end}\nafter\n")
        command = [sys.executable, "-B", SCRIPTS / "make_figures.py", self.folder / "out",
                   "-o", root / "pictures", "--documents", root]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("README.md", "docs/measurements/benchmarks.md"):
            text = (root / name).read_text()
            self.assertTrue(text.startswith(f"before\n{begin}\n") and text.endswith(f"{end}\nafter\n"), text)
            self.assertNotIn("old", text)
            self.assertNotIn(str(self.folder), text)
            self.assertIn("pictures/rate-psnr.png", text)
        for picture in ("rate-psnr", "rate-ssim", "speed-quality"):
            self.assertTrue((root / "pictures" / f"{picture}.png").read_bytes().startswith(b"\x89PNG"))
            self.assertIn("<svg", (root / "pictures" / f"{picture}.svg").read_text()[:2000])
        gpu = ["<!-- results of tandem compare on a GPU, by scripts/make_figures.py -->",
               "<!-- end of results on a GPU -->"]
        with (root / "docs/measurements/benchmarks.md").open("a") as benchmarks:
            benchmarks.write(f"{gpu[0]}\n{gpu[1]}\nlast\n")
        subprocess.run([*command, "--gpu-results", self.folder / "out"], check=True, capture_output=True)
        text = (root / "docs/measurements/benchmarks.md").read_text()
        self.assertIn("BD-rate", text[text.index(gpu[0]):text.index(gpu[1])])
        self.assertTrue(text.startswith(f"before\n{begin}\n") and text.endswith(f"{gpu[1]}\nlast\n"), text)
        alone = subprocess.run([*command[:-2], "--gpu-results", self.folder / "out"],
                               capture_output=True, text=True, check=False)
        self.assertEqual(alone.returncode, 2)
        self.assertIn("--gpu-results needs --documents", alone.stderr)
        (root / "README.md").write_text("no markers\n")
        self.assertEqual(subprocess.run(command, capture_output=True, check=False).returncode, 1)

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None,
                     "matplotlib is not installed (scripts/setup.sh --report)")
    def test_similarities_have_labels_that_can_be_read(self):
        import make_figures
        for values in ([0.73, 0.91, 0.985, 0.998], [0.1, 0.999999], [0.9412, 0.9413], [0.95], [0.9999, 1.0], [1.0], []):
            figure, axis = make_figures.plt.subplots(figsize=(3.6, 3.2))
            axis.plot(values, values)
            make_figures.similarity_axis(axis)
            figure.canvas.draw()
            labels = [label for label in axis.get_yticklabels() if label.get_text()]
            texts = [label.get_text() for label in labels]
            self.assertGreater(len(set(texts)), 1, values)
            self.assertEqual(len(set(texts)), len(texts), values)
            self.assertLessEqual(max(map(float, texts)), 1, values)
            boxes = sorted((label.get_window_extent().y0, label.get_window_extent().y1) for label in labels)
            for lower, upper in zip(boxes, boxes[1:]):
                self.assertGreater(upper[0], lower[1], texts)
            make_figures.plt.close(figure)


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    COMMAND = shlex.quote(TANDEM)
    unittest.main()
