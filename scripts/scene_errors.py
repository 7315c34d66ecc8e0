#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What scenes of `tandem synth` tell of searches: end-point errors in pels by scene, search and block size.

    scripts/scene_errors.py [--scene NAME]... [--block N]... [--frames N] [--json FILE]

Each scene is drawn with its true motion at every pel, once without the pels that the picture before did not show and
once with them (`--hidden counted`). What a search finds is measured at every pel (`tandem motion --measure`). Two
tables: searches in blocks of 16x16, and full search by block size. A cell is the mean error over the pels that both
pictures show; in the column "hidden too" it is that of the first search over all.
"""

import argparse
import json
import tempfile
from pathlib import Path

from clips import count, find_tandem, keep, main_of, results_file, run

SCENES = ["pan", "objects", "occlusion", "noise", "fade", "repeats", "blur"]
RATE = ["--lambda", "4", "--predictor", "neighbours"]
SEARCHES = {
    "full": ["--me", "full"],
    "full, rate": ["--me", "full", *RATE],
    "full, satd": ["--me", "full", "--metric", "satd"],
    "full, zsad": ["--me", "full", "--metric", "zsad"],
    "full, ncc": ["--me", "full", "--metric", "ncc"],
    "hier": ["--me", "hier"],
    "tss": ["--me", "tss"],
    "diamond": ["--me", "diamond"],
    "predictive": ["--me", "predictive", *RATE],
}
BLOCKS = [4, 8, 16, 32, 64]


class Scene:
    """A scene drawn into a folder."""
    def __init__(self, arguments, folder, name):
        self.arguments, self.clip, self.folder = arguments, folder / f"{name}.y4m", folder
        self.truths = {"unknown": folder / f"{name}.npy", "counted": folder / f"{name}.all.npy"}
        for hidden, truth in self.truths.items():
            run([arguments.tandem, "synth", "--scene", name, "--size", arguments.size, "--frames", arguments.frames,
                 "-o", self.clip, "--truth", truth, "--block", "1", "--hidden", hidden, "--quiet"])

    def fields(self, options, block):
        field = self.folder / "field.tmf"
        ranged = [] if "predictive" in options else ["--merange", self.arguments.range]
        run([self.arguments.tandem, "motion", self.clip, "-o", field, "--block", f"{block}x{block}", "--precision", "4",
             "--device", "cpu", *ranged, *options, "--quiet"])
        return field

    def error(self, field, hidden):
        report = self.folder / "report.json"
        run([self.arguments.tandem, "motion", self.clip, "--measure", field, "--truth", self.truths[hidden],
             "--report", report, "--quiet"])
        return json.loads(report.read_text())["total"]["end_point_error"]


def figures_of(arguments):
    """By scene: errors of searches, of full search with hidden pels, and of full search by block."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.scene or SCENES:
            scene = Scene(arguments, Path(folder), name)
            errors = {}
            for search, options in SEARCHES.items():
                fields = scene.fields(options, 16)
                errors[search] = scene.error(fields, "unknown")
                if search == "full":
                    errors["hidden too"] = scene.error(fields, "counted")
            blocks = {block: scene.error(scene.fields(SEARCHES["full"], block), "unknown")
                      for block in arguments.block or BLOCKS}
            figures[name] = {"searches": errors, "blocks": blocks}
    return figures


def table(figures, kind, heading):
    names = list(next(iter(figures.values()))[kind])
    lines = [f"| {heading} | " + " | ".join(map(str, names)) + " |", "|---|" + "---:|" * len(names)]
    for scene, of in figures.items():
        lines.append(f"| {scene} | " + " | ".join(f"{of[kind][name]:.3f}" for name in names) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tandem", help="the command to measure (default: the newest of build/*)")
    parser.add_argument("--scene", action="append", metavar="NAME", help="of tandem synth; several with several")
    parser.add_argument("--block", type=count, action="append", metavar="N", help="sides of square blocks")
    parser.add_argument("--size", default="352x288")
    parser.add_argument("--frames", type=count, default=9)
    parser.add_argument("--range", type=count, default=16, help="whole pels each way, of searches about zero")
    parser.add_argument("--json", metavar="FILE", help="keeps the figures")
    arguments = parser.parse_args()
    arguments.tandem = find_tandem(arguments.tandem)
    figures_file = results_file(arguments.json, [])
    figures = figures_of(arguments)
    print(table(figures, "searches", "16x16"), table(figures, "blocks", "full, by block"), sep="\n\n")
    keep(figures_file, figures)
    return 0


if __name__ == "__main__":
    main_of(main)
