# SPDX-License-Identifier: BSD-2-Clause
"""Loaders of Middlebury, KITTI and MPI Sintel on small folders laid out like theirs: test_flow_errors.py TANDEM"""

import json
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import clips  # noqa: E402
import flow_data  # noqa: E402

TANDEM = ""
WIDTH, HEIGHT = 64, 48


def write_png(path, rows, channels, depth, kind=0):
    """Rows of samples as a PNG whose rows have one filter."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    step = channels * depth // 8
    packed, above = b"", bytes(len(rows[0]) * depth // 8)
    for row in rows:
        plain = struct.pack(f">{len(row)}{'H' if depth == 16 else 'B'}", *row)
        filtered = bytearray([kind])
        for i, value in enumerate(plain):
            left, up = plain[i - step] if i >= step else 0, above[i]
            corner = above[i - step] if i >= step else 0
            near = left + up - corner
            paeth = min((left, up, corner), key=lambda one, near=near: abs(near - one))
            filtered.append((value - (0, left, up, (left + up) // 2, paeth)[kind]) & 0xFF)
        packed += filtered
        above = plain
    colours = {1: 0, 3: 2}[channels]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x89PNG\r\n\x1a\n"
                     + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), depth, colours, 0,
                                                  0, 0))
                     + chunk(b"IDAT", zlib.compress(packed)) + chunk(b"IEND", b""))


def write_flow(path, vector_at):
    vectors = [number for y in range(HEIGHT) for x in range(WIDTH) for number in vector_at(x, y)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"PIEH" + struct.pack("<ii", WIDTH, HEIGHT) + struct.pack(f"<{len(vectors)}f", *vectors))


class Flow(unittest.TestCase):
    """Pictures of a pan of (4, -2) pels, so that the first one's flow is (4, -2): first(p) = second(p + flow)."""
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        clip = self.root / "pan.yuv"
        subprocess.run([TANDEM, "synth", "--size", f"{WIDTH}x{HEIGHT}", "--frames", "2", "--speed", "4,-2", "--quiet",
                        "-o", clip], check=True)
        data = clip.read_bytes()
        picture = len(data) // 2
        self.pictures = [[data[n * picture + y * WIDTH:][:WIDTH] for y in range(HEIGHT)] for n in range(2)]

    def write_picture(self, path, number):
        write_png(path, [[value for sample in row for value in (sample, sample, sample)]
                         for row in self.pictures[number]], 3, 8)

    def middlebury(self):
        root = self.root / "middlebury"
        self.write_picture(root / "other-data/Pan/frame10.png", 0)
        self.write_picture(root / "other-data/Pan/frame11.png", 1)
        write_flow(root / "other-gt-flow/Pan/flow10.flo", lambda x, y: (4, -2) if x > 3 else (1e10, 1e10))
        write_flow(root / "other-gt-flow/WithoutPictures/flow10.flo", lambda x, y: (0, 0))
        return root

    def kitti(self, pictures="image_2"):
        root = self.root / "kitti"
        for number in (0, 1):
            self.write_picture(root / f"training/{pictures}/000007_1{number}.png", number)
        for folder, last in (("flow_occ", WIDTH), ("flow_noc", WIDTH - 4)):
            rows = [[value for x in range(WIDTH) for value in (32768 + 256, 32768 - 128, int(x < last))]
                    for _ in range(HEIGHT)]
            write_png(root / f"training/{folder}/000007_10.png", rows, 3, 16)
        return root

    def sintel(self):
        root = self.root / "sintel"
        for passed in ("clean", "final"):
            for number in (0, 1):
                self.write_picture(root / f"training/{passed}/alley_1/frame_{number + 1:04}.png", number)
        write_flow(root / "training/flow/alley_1/frame_0001.flo", lambda x, y: (4, -2) if x < WIDTH - 4 else (40, 30))
        write_png(root / "training/occlusions/alley_1/frame_0001.png",
                  [[0] * (WIDTH - 4) + [255] * 4 for _ in range(HEIGHT)], 1, 8)
        return root

    def test_pairs_are_found_by_their_layout(self):
        root = self.middlebury()
        pair, = flow_data.pairs_of(root)
        self.assertEqual((pair.group, pair.name, pair.visible), ("middlebury", "Pan", None))
        self.assertEqual((pair.first, pair.second), tuple(root / f"other-data/Pan/frame1{n}.png" for n in (0, 1)))
        root = self.kitti()
        pair, = flow_data.pairs_of(root)
        self.assertEqual((pair.group, pair.name), ("kitti 2015", "000007"))
        self.assertEqual(pair.truth, root / "training/flow_occ/000007_10.png")
        self.assertEqual(pair.visible, root / "training/flow_noc/000007_10.png")
        self.assertEqual(flow_data.pairs_of(root / "training"), [pair])
        root = self.sintel()
        pairs = flow_data.pairs_of(root)
        self.assertEqual([(pair.group, pair.name) for pair in pairs],
                         [("clean", "alley_1/0001"), ("final", "alley_1/0001")])
        self.assertEqual(pairs[0].second.name, "frame_0002.png")
        self.assertEqual(pairs[0].occluded, root / "training/occlusions/alley_1/frame_0001.png")
        with self.assertRaisesRegex(clips.BadInput, "not laid out as kitti"):
            flow_data.pairs_of(root, "kitti")
        with self.assertRaisesRegex(clips.BadInput, "no such folder"):
            flow_data.pairs_of(self.root / "none")

    def test_kitti_2012_has_other_folders(self):
        pair, = flow_data.pairs_of(self.kitti("image_0"))
        self.assertEqual(pair.group, "kitti 2012")

    def test_masks_are_read_with_every_filter(self):
        rows = [[(x * 7 + y * 13) % 256 for x in range(3 * 9)] for y in range(6)]
        for kind in range(5):
            path = self.root / f"mask{kind}.png"
            write_png(path, rows, 3, 8, kind)
            self.assertEqual(flow_data.read_mask(path),
                             (9, 6, bytearray(row[3 * x] for row in rows for x in range(9))), kind)
        for name, data in (("no.png", b"this is none"), ("deep.png", None)):
            path = self.root / name
            write_png(path, [[0, 0, 0]], 3, 16) if data is None else path.write_bytes(data)
            self.assertRaises(clips.BadInput, flow_data.read_mask, path)

    def errors(self, root, *words):
        figures = self.root / "figures.json"
        command = [sys.executable, "-B", SCRIPTS / "flow_errors.py", "--tandem", TANDEM, "--json", figures, root,
                   "--range", "8", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(figures.read_text()), done.stdout

    def test_errors_are_means_of_all_samples_and_of_visible_ones(self):
        errors, table = self.errors(self.sintel())
        self.assertEqual(list(errors), ["clean", "final"])
        by_full = errors["clean"]["full search 16x16"]
        # What is hidden is off by (36, 32) or more, or about that: 4 columns of 64.
        # Blocks at two edges, of 4 x 3, do not find theirs; the wrong direction would be off by 9.
        self.assertLess(by_full["visible"]["error"], 2)
        self.assertGreater(by_full["all"]["error"], 0.9 * 48 * 4 / WIDTH)
        self.assertGreater(by_full["all"]["outliers"], 4 / WIDTH - 0.001)
        self.assertIn("| clean, 1 pair | all | visible |", table)
        self.assertIn("| full search 16x16 |", table)

    def test_middlebury_and_kitti_are_measured(self):
        errors, _ = self.errors(self.middlebury())
        full = errors["middlebury"]["full search 8x8"]
        self.assertEqual(list(full), ["all"])
        self.assertLess(full["all"]["error"], 2)
        errors, _ = self.errors(self.kitti(), "--run", "still: --me full --merange 0 --precision 1", "--only")
        still = errors["kitti 2015"]["still"]
        self.assertAlmostEqual(still["all"]["error"], (4 * 4 + 2 * 2) ** 0.5, places=4)
        self.assertAlmostEqual(still["visible"]["error"], (4 * 4 + 2 * 2) ** 0.5, places=4)
        self.assertEqual(still["all"]["outliers"], 1)
        self.assertEqual(still["all"]["within"], 0)

    def test_scenes_are_laid_out_as_sintel(self):
        root = self.root / "scenes"
        command = [sys.executable, "-B", SCRIPTS / "make_flow_scenes.py", root, "--tandem", TANDEM]
        subprocess.run([*command, "--scene", "occlusion", "--size", "64x48", "--pairs", "2"], check=True)
        self.assertEqual([pair.name for pair in flow_data.pairs_of(root)], ["occlusion/0001", "occlusion/0002"])
        errors, table = self.errors(root, "--each", "--run", "full 4x4: --me full --block 4x4", "--only")
        found = errors["clean occlusion"]["full 4x4"]
        self.assertLess(found["visible"]["error"], found["all"]["error"])
        self.assertIn("| clean occlusion, 2 pairs |", table)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("is there already", done.stderr)

    def test_scenes_tell_searches_apart(self):
        figures = self.root / "figures.json"
        done = subprocess.run([sys.executable, "-B", SCRIPTS / "scene_errors.py", "--tandem", TANDEM, "--json", figures,
                               "--scene", "fade", "--block", "4", "--block", "64", "--size", "96x64", "--frames", "6"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        fade = json.loads(figures.read_text())["fade"]
        self.assertLess(fade["searches"]["full, ncc"], fade["searches"]["full"] / 3)
        self.assertEqual(list(fade["blocks"]), ["4", "64"])
        self.assertIn("| fade |", done.stdout)

    def test_bad_input_is_named(self):
        command = [sys.executable, "-B", SCRIPTS / "flow_errors.py", "--tandem", TANDEM]
        for words in ([self.root / "none"], [self.root], [self.middlebury(), "--run", "no options"]):
            done = subprocess.run([*command, *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    TANDEM = sys.argv.pop(1)
    unittest.main()
