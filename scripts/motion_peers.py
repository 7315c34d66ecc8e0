#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Tandem's motion search beside other programs' on one machine, in one run: motion fields per second of wall clock.

    scripts/motion_peers.py CLIP [--range N] [--json FILE]

Measured by turns, and medians shown: `tandem motion` by full search and hexagon on one thread and on all (a GPU's
steady state is tandem_cuda_bench's to measure); where Python has cv2, OpenCV's Lucas-Kanade (a point for each 16x16
block), Farneback and DIS flow; where there is ffmpeg, its mestimate filter (`tandem bench motion --peers`). What each
finds is not the same: block matching is exhaustive or not, optical flow is dense or sparse; this compares what a motion
field costs.
"""

import argparse
import csv
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from clips import count, default_cache, find_tandem, header_of, keep, main_of, open_clip, results_file, run

BLOCK = 16


def tandem_fields(options, threads, search):
    """A function that measures once: the median of the pictures' searches, one after the other."""
    def measure():
        with tempfile.TemporaryDirectory() as folder:
            stats, report = Path(folder) / "stats.csv", Path(folder) / "report.json"
            run([options.tandem, "motion", options.clip, "--frames", options.frames, "--device", "cpu",
                 "--threads", threads, "--search", search, "--range", options.range, "--quiet",
                 "--stats", stats, "--report", report])
            found = json.loads(report.read_text())
            with stats.open(newline="") as lines:
                speeds = [float(row["blocks_per_second"]) for row in csv.DictReader(lines)]
            blocks = -(-found["input"]["width"] // BLOCK) * -(-found["input"]["height"] // BLOCK)
            return statistics.median(speeds) / blocks
    return measure


def grey_pictures(options):
    """The luma of the clip's first pictures, as arrays; cv2 and numpy with them."""
    import cv2
    import numpy
    width, height, _, at = header_of(options.clip)
    data = Path(options.clip).read_bytes()
    chroma = 2 * ((width + 1) // 2) * ((height + 1) // 2)
    pictures = []
    while at < len(data) and len(pictures) < options.frames:
        at = data.index(b"\n", at) + 1
        pictures.append(numpy.frombuffer(data, numpy.uint8, width * height, at).reshape(height, width))
        at += width * height + chroma
    return cv2, numpy, pictures


def opencv_measures(options):
    """(name, function) for each of OpenCV's ways, on one thread and on all."""
    cv2, numpy, pictures = grey_pictures(options)
    height, width = pictures[0].shape
    rows, columns = numpy.mgrid[BLOCK // 2:height:BLOCK, BLOCK // 2:width:BLOCK]
    points = numpy.stack([columns, rows], axis=-1).reshape(-1, 1, 2).astype(numpy.float32)
    dis = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_ULTRAFAST)
    ways = {
        "Lucas-Kanade, a point a block": lambda a, b: cv2.calcOpticalFlowPyrLK(a, b, points, None),
        "Farneback": lambda a, b: cv2.calcOpticalFlowFarneback(a, b, None, 0.5, 3, 15, 3, 5, 1.2, 0),
        "DIS, ultrafast": lambda a, b: dis.calc(a, b, None),
    }

    def timed(way, threads, pairs):
        def measure():
            cv2.setNumThreads(threads)
            way(pictures[0], pictures[1])
            begin = time.perf_counter()
            for previous, current in pairs:
                way(current, previous)
            return len(pairs) / (time.perf_counter() - begin)
        return measure

    pairs = list(zip(pictures, pictures[1:]))[:4]
    words = {1: "1 thread", cv2.getNumberOfCPUs(): "all threads"}
    return [(f"OpenCV {cv2.__version__} {name}, {words[threads]}", timed(way, threads, pairs))
            for name, way in ways.items() for threads in words]


def mestimate_rows(options):
    """FFmpeg's filter, by tandem bench; its rounds alternate with Tandem's own search."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        run([options.tandem, "bench", "motion", options.clip, "--frames", "3", "--range", options.range,
             "--repeat", "3", "--peers", "--quiet", "--report", report])
        return {peer["name"]: peer["fields_per_second"] for peer in json.loads(report.read_text())["peers"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", metavar="CLIP", help="any file that FFmpeg reads")
    parser.add_argument("--tandem", help="the command to measure (default: the newest of build/*)")
    parser.add_argument("--frames", type=int, default=25, help="pictures that are searched")
    parser.add_argument("--range", type=int, default=32, help="whole pels each way")
    parser.add_argument("--repeat", type=count, default=5, help="rounds by turns, of which medians are shown")
    parser.add_argument("--json", metavar="FILE", help="keeps the figures")
    options = parser.parse_args()
    options.tandem = find_tandem(options.tandem)
    figures_file = results_file(options.json, [options.clip])
    clip = open_clip(options.clip, default_cache())
    options.clip = clip.path
    measures = [(f"tandem {search}, {name}", tandem_fields(options, threads, search))
                for search in ("full", "hexagon") for name, threads in (("1 thread", 1), ("all threads", 0))]
    try:
        measures += opencv_measures(options)
    except ImportError:
        print("motion_peers: no cv2: OpenCV is left out", file=sys.stderr)
    figures = {name: [] for name, _ in measures}
    for _ in range(options.repeat):
        for name, measure in measures:
            figures[name].append(measure())
    medians = {name: statistics.median(values) for name, values in figures.items()}
    if shutil.which("ffmpeg"):
        medians |= mestimate_rows(options)
    else:
        print("motion_peers: no ffmpeg: its mestimate is left out", file=sys.stderr)
    print(f"| {clip.name}, 16x16, +-{options.range} | fields/s |\n|---|---:|")
    for name, rate in medians.items():
        print(f"| {name} | {'too short to measure' if rate is None else f'{rate:.4g}'} |")
    keep(figures_file, medians)
    return 0


if __name__ == "__main__":
    main_of(main)
