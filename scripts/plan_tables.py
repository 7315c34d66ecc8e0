#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The tables of docs/plan.md: what presets and tools bring, and how far FFmpeg and x264 are.

    scripts/plan_tables.py presets foreman.mkv BasketballPass.mkv city.mkv bmx-trees.mkv
    scripts/plan_tables.py tools foreman.mkv BasketballPass.mkv mobile.mkv city.mkv bmx-trees.mkv --frames 30
    scripts/plan_tables.py same-groups CLIP...
    scripts/plan_tables.py free-groups CLIP...
    scripts/plan_tables.py search CLIP... --frames 20

A cell is the BD-rate of luma (PCHIP) against the table's first row: the bits that the row takes at the same PSNR, in
per cent. PSNR is from the squared errors of all pictures, as FFmpeg decodes them with its exact inverse DCT. A row's
seconds are a processor's for all its encodes on one thread, with the reading of y4m, and Tandem's with its PSNR and
SSIM. The table is Markdown, on standard output.
"""

import argparse
import math
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scipy.interpolate import PchipInterpolator

from clips import Failure, count, default_cache, find_tandem, main_of, open_clip, processor_seconds, run

BEST_FLAGS = "-mbd rd -trellis 2 -cmp satd -subcmp satd -dia_size 4"
PRESETS = ["ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo"]
TOOLS = ["--decision cost", "--trellis 0", "--mbtree 0", "--mcstf 0", "--bframes 0", "--b-adapt 0", "--candidates 1",
         "--rc-lookahead 20", "--scenecut 0", "--me hexagon", "--wide-range 0", "--me full --merange 32"]
# x264's quantisers beside those of MPEG-2.
H264 = {2: 14, 4: 20, 8: 26, 14: 31, 16: 32, 24: 36, 31: 38}


@dataclass(frozen=True)
class Row:
    name: str
    encoder: str  # tandem, ffmpeg or x264
    words: str


def tandem(name, words):
    return Row(name, "tandem", words)


DEFAULTS = Row("FFmpeg, `-g 12 -bf 0`", "ffmpeg", "-g 12 -bf 0")
# A table's quantisers and its rows, of which the first is the anchor.
TABLES = {
    "presets": ([4, 8, 14, 24],
                [DEFAULTS,
                 Row("FFmpeg, `-g 120 -bf 2`, best flags", "ffmpeg", f"-g 120 -bf 2 {BEST_FLAGS}"),
                 *(tandem(f"`{preset}`", f"--preset {preset}") for preset in PRESETS)]),
    "tools": ([4, 8, 16, 24], [tandem("`medium`", ""), *(tandem(f"`{tool}`", tool) for tool in TOOLS)]),
    "same-groups": ([2, 4, 8, 16, 31],
                    [DEFAULTS,
                     Row("FFmpeg's best flags", "ffmpeg", f"-g 12 -bf 0 {BEST_FLAGS}"),
                     *(tandem(f"`{preset}`", f"--preset {preset} --keyint 12 --bframes 0")
                       for preset in ("ultrafast", "faster", "medium", "veryslow"))]),
    "free-groups": ([2, 4, 8, 16, 31],
                    [DEFAULTS,
                     Row("FFmpeg's best flags, `-g 300 -bf 2`", "ffmpeg", f"-g 300 -bf 2 {BEST_FLAGS}"),
                     tandem("`medium`, `--bframes 0`", "--keyint 300 --bframes 0"),
                     tandem("`medium`", "--keyint 300"),
                     tandem("`veryslow`", "--preset veryslow --keyint 300"),
                     Row("x264 superfast, `--keyint 300 --tune psnr`", "x264",
                         "--preset superfast --tune psnr --keyint 300")]),
    "search": ([4, 8, 16],
               [tandem("`--me full --merange 128`", "--keyint 12 --bframes 0 --me full --merange 128"),
                tandem("default", "--keyint 12 --bframes 0")]),
}


def command_of(row, clip, quantiser, stream, program):
    if row.encoder == "tandem":
        return [program, "encode", str(clip.path), "-o", stream, "--qp", str(quantiser), "--quiet", "--threads", "1",
                "--device", "cpu", "--report", stream + ".json", *row.words.split()]
    if row.encoder == "x264":
        return ["x264", "--quiet", "--threads", "1", "--qp", str(H264[quantiser]), *row.words.split(), "-o", stream,
                str(clip.path)]
    return ["ffmpeg", "-v", "error", "-y", "-i", str(clip.path), "-c:v", "mpeg2video", "-threads", "1",
            *row.words.split(), "-qscale:v", str(quantiser), stream]


def psnr_of(stream, clip):
    """Of luma, as FFmpeg decodes it; a failure where every sample is equal, since no curve goes through that."""
    both = "[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]psnr=shortest=1"
    said = run(["ffmpeg", "-idct", "faani", "-i", stream, "-i", clip.path, "-lavfi", both, "-f", "null", "-"]).stderr
    pictures = re.findall(r"frame=\s*(\d+)", said)
    if not pictures or int(pictures[-1]) != clip.frames:
        raise Failure(f"{stream}: {pictures[-1:]} pictures are decoded, not {clip.frames}")
    psnr = float(re.search(r"PSNR y:(\S+)", said)[1])
    if math.isinf(psnr):
        raise Failure(f"{clip.path}: coded without a loss, which no table can have")
    return psnr


@dataclass(frozen=True)
class Point:
    bits: int
    psnr: float
    seconds: float


def point_of(row, clip, quantiser, program):
    with tempfile.TemporaryDirectory() as folder:
        stream = str(Path(folder) / ("stream.264" if row.encoder == "x264" else "stream.m2v"))
        seconds = processor_seconds(command_of(row, clip, quantiser, stream, program))
        return Point(8 * os.path.getsize(stream), psnr_of(stream, clip), seconds)


def bd_rate(anchor, test):
    """Mean difference of log rate over the PSNR that both have, in per cent; nan where they have none."""
    curves = [sorted(points, key=lambda point: point.psnr) for points in (anchor, test)]
    low, high = max(curve[0].psnr for curve in curves), min(curve[-1].psnr for curve in curves)
    if low >= high:
        return math.nan
    means = [PchipInterpolator([point.psnr for point in curve], [math.log(point.bits) for point in curve])
             .integrate(low, high) / (high - low) for curve in curves]
    return 100 * math.expm1(means[1] - means[0])


def lines_of(rows, clips, points):
    """A line of Markdown for each row; points has a list for each row and clip."""
    yield "| | " + " | ".join(clip.name.split("_")[0] for clip in clips) + " | mean | seconds |"
    yield "|---" * (len(clips) + 3) + "|"
    for row in rows:
        cells = [bd_rate(points[rows[0], clip], points[row, clip]) for clip in clips]
        seconds = sum(point.seconds for clip in clips for point in points[row, clip])
        yield (f"| {row.name} | " + " | ".join(f"{cell:+.1f}" for cell in [*cells, sum(cells) / len(cells)])
               + f" | {seconds:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("clips", nargs="+", metavar="CLIP")
    parser.add_argument("--frames", type=count, default=60, metavar="N", help="of each clip at most; default: 60")
    parser.add_argument("--tandem", metavar="PATH", help="the command (default: the newest in build/)")
    parser.add_argument("--jobs", type=count, default=2, metavar="N",
                        help="encodes at a time, 1 where seconds are to be compared; default: 2")
    parser.add_argument("--cache", type=Path, default=default_cache(), metavar="FOLDER", help="for decoded clips")
    options = parser.parse_args()
    program = find_tandem(options.tandem)
    clips = [open_clip(path, options.cache, options.frames) for path in options.clips]
    quantisers, rows = TABLES[options.table]
    with ThreadPoolExecutor(options.jobs) as pool:
        # Rows take turns on each clip, so that what else the machine does falls on all of them.
        waiting = {(row, clip): [] for row in rows for clip in clips}
        for clip in clips:
            for quantiser in quantisers:
                for row in rows:
                    waiting[row, clip].append(pool.submit(point_of, row, clip, quantiser, program))
        points = {place: [future.result() for future in futures] for place, futures in waiting.items()}
    for line in lines_of(rows, clips, points):
        print(line)


if __name__ == "__main__":
    main_of(main)
