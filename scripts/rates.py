#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""How near rate control comes to a bit rate, and whether decoders' buffers hold, beside FFmpeg's and x264's.

    scripts/rates.py CLIP... --tandem build/release/app/tandem --check build/release/tests/encoder/vbv_check
    scripts/rates.py CLIP... --seconds 4 --rates 300,1000 --skip buffers
    scripts/rates.py CLIP... --seconds 60 --skip rates --skip buffers --device gpu --threads 4 --jobs 6
    scripts/rates.py cuts:A.mkv,B.mkv,C.mkv noise:A.mkv still:A.mkv fades:A.mkv,B.mkv --words "--preset veryfast"

Each clip is looped to --seconds. What stands before a colon makes a clip of others, in the size and at the rate of the
first: another clip every second (cuts), black and noise by turns of a second (noise), the first picture for all the
time (still), clips that come out of black and go into it, two seconds each (fades). The first table has what each
encoder misses the rate by; "coarsest" is a rate that no quantiser reaches, "finest" one that is beyond quantiser 1.
The second counts the pictures that underflow a decoder's buffer (13818-2 annex C) of 0.5 and 1 seconds at a highest
rate equal to the rate. The third has what control costs: the BD-rate of luma of rate-controlled points against
constant quantisers.
Tables are Markdown, on standard output.
"""

import argparse
import json
import math
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from clips import Failure, main_of, run

# By luma samples of a picture: the rates in kbit/s at which a size is used.
RATES = [(50_000, [100, 300, 600]), (130_000, [300, 600, 1500, 3000]), (500_000, [600, 1500, 4000]),
         (1_000_000, [2000, 4000, 8000]), (3_000_000, [4000, 8000])]
MADE = ["cuts", "noise", "still", "fades"]
QUANTISERS = [3, 5, 8, 13, 20]


def new_file(folder, extension):
    number, name = tempfile.mkstemp(extension, dir=folder)
    os.close(number)
    return Path(name)


def size_and_rate(path):
    """As FFmpeg's filters say them: "352:288", "30000/1001"."""
    said = run(["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height,r_frame_rate",
                "-of", "csv=p=0", path]).stdout.strip().split(",")
    return f"{said[0]}:{said[1]}", said[2]


def parts_in_turn(paths, seconds, part_seconds, each):
    """FFmpeg's words for parts of so many seconds, from one clip after the other. `each` is a filter for every part."""
    size, rate = size_and_rate(paths[0])
    inputs, filters, labels = [], [], ""
    for i in range(math.ceil(seconds / part_seconds)):
        inputs += ["-stream_loop", "-1", "-i", paths[i % len(paths)]]
        filters.append(f"[{i}:v]fps={rate},scale={size},setsar=1,trim=0:{part_seconds},setpts=PTS-STARTPTS{each}[p{i}]")
        labels += f"[p{i}]"
    return [*inputs, "-filter_complex",
            ";".join(filters) + f";{labels}concat=n={len(filters)},fps={rate},format=yuv420p"]


def words_of(kind, paths, seconds):
    """FFmpeg's words that make a clip."""
    if kind == "cuts":
        return parts_in_turn(paths, seconds, 1, "")
    if kind == "fades":
        return parts_in_turn(paths, seconds, 2, ",fade=in:st=0:d=0.6,fade=out:st=1.4:d=0.6")
    if kind == "still":
        return ["-i", paths[0], "-vf", "select=eq(n\\,0),loop=-1:1,setpts=N/FRAME_RATE/TB"]
    if kind == "noise":
        size, rate = size_and_rate(paths[0])
        return ["-f", "lavfi", "-i", f"color=black:r={rate}:s={size.replace(':', 'x')}", "-vf",
                "noise=alls=100:allf=t:enable=mod(floor(t)\\,2)"]
    return ["-stream_loop", "-1", "-i", paths[0]]


class Clip:
    """A clip as y4m, as long as is asked for."""

    def __init__(self, text, seconds, folder):
        kind, _, rest = text.rpartition(":") if text.split(":")[0] in MADE else ("", "", text)
        paths = rest.split(",") if kind else [rest]
        self.name = kind or Path(rest).stem.split("_")[0]
        self.path = new_file(folder, ".y4m")
        run(["ffmpeg", "-v", "error", "-y", *words_of(kind, paths, seconds), "-t", seconds, "-an", "-pix_fmt",
             "yuv420p", self.path])
        with self.path.open("rb") as file:
            head = file.readline().decode()
            size = self.path.stat().st_size - len(head)
        self.width, self.height = int(re.search(r" W(\d+)", head)[1]), int(re.search(r" H(\d+)", head)[1])
        above, below = map(int, re.search(r" F(\d+):(\d+)", head).groups())
        self.pictures = size // (6 + self.width * self.height + 2 * ((self.width + 1) // 2) * ((self.height + 1) // 2))
        self.seconds = self.pictures * below / above

    def rates(self):
        return next(rates for samples, rates in RATES if self.width * self.height <= samples)


class Coding:
    """One stream: its size and, where it was measured, its PSNR."""

    def __init__(self, clip, path, psnr=None):
        self.path, self.psnr = path, psnr
        self.kbps = path.stat().st_size * 8 / 1000 / clip.seconds


def tandem(options, clip, folder, *words):
    stream = new_file(folder, ".m2v")
    report = stream.with_suffix(".json")
    run([options.tandem, "encode", clip.path, "-o", stream, "--report", report, "-q", "--threads", options.threads,
         "--device", options.device, *words, *options.words.split()])
    return Coding(clip, stream, json.loads(report.read_text())["psnr_y"])


def ffmpeg(clip, folder, kbps, *words):
    stream = new_file(folder, ".m2v")
    run(["ffmpeg", "-v", "error", "-y", "-i", clip.path, "-c:v", "mpeg2video", "-b:v", f"{kbps}k", "-g", 12, "-bf", 2,
         "-threads", 1, *words, "-f", "mpeg2video", stream])
    return Coding(clip, stream)


def x264(clip, folder, kbps):
    stream = new_file(folder, ".264")
    run(["x264", "--quiet", "--preset", "veryfast", "--threads", 1, "--bitrate", kbps, "-o", stream, clip.path])
    return Coding(clip, stream)


def miss(coding, kbps):
    return f"{100 * (coding.kbps / kbps - 1):+.1f}"


def table(heads, rows):
    print("| " + " | ".join(heads) + " |\n|" + "---|" * len(heads))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print()


def reach(options, clip, folder, two, kbps):
    """Whether a rate is beyond the coarsest or the finest quantiser: " (coarsest)", " (finest)" or nothing."""
    qp = 31 if two.kbps > kbps else 1
    least_or_most = tandem(options, clip, folder, "--bframes", 2, "--ip-factor", 1, "--pb-factor", 1, "--qp", qp).kbps
    if qp == 31:
        return " (coarsest)" if kbps < least_or_most else ""
    return " (finest)" if kbps > least_or_most else ""


def rate_rows(options, clip, folder):
    for kbps in options.rates or clip.rates():
        one = tandem(options, clip, folder, "--bframes", 2, "--bitrate", kbps)
        two = tandem(options, clip, folder, "--bframes", 2, "--bitrate", kbps, "--two-pass")
        is_missed = abs(two.kbps / kbps - 1) > 0.005
        note = reach(options, clip, folder, two, kbps) if is_missed else ""
        yield [clip.name, f"{clip.width}x{clip.height}", f"{kbps}{note}", miss(one, kbps), miss(two, kbps),
               miss(ffmpeg(clip, folder, kbps), kbps), miss(x264(clip, folder, kbps), kbps)]


def underflows(options, coding):
    text = subprocess.run([options.check, coding.path], capture_output=True, text=True, check=False).stdout
    found = re.search(r"(\d+) underflows", text)
    others = re.search(r"(\d+) (?:overflows|wrong)", text)
    if not found and not others and "holds" not in text:
        raise Failure(text)
    return (found[1] if found else "0") + (f" (and {others[0]})" if others else "")


def buffer_rows(options, clip, folder):
    for kbps in options.rates or clip.rates():
        for seconds in (0.5, 1):
            size = int(kbps * seconds)
            bounded = ["--bframes", 2, "--bitrate", kbps, "--vbv-bufsize", size, "--vbv-soft"]
            variable = tandem(options, clip, folder, *bounded, "--vbv-maxrate", kbps)
            constant = tandem(options, clip, folder, *bounded, "--cbr")
            theirs = ffmpeg(clip, folder, kbps, "-maxrate", f"{kbps}k", "-bufsize", f"{size}k")
            yield [clip.name, kbps, seconds, *(f"{underflows(options, each)}, {miss(each, kbps)} %"
                                               for each in (variable, constant, theirs))]


def slope_integral(xs, ys, low, high, steps=400):
    """Of the straight lines through the points, over low..high."""
    def at(x):
        for (x0, y0), (x1, y1) in zip(zip(xs, ys), zip(xs[1:], ys[1:])):
            if x <= x1 or x1 == xs[-1]:
                return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
        return ys[-1]
    return sum(at(low + (high - low) * (i + 0.5) / steps) for i in range(steps)) / steps


def bd_rate(anchor, test):
    """Mean difference of rate at equal PSNR, in per cent, by straight lines of log rate over PSNR."""
    curves = [sorted((one.psnr, math.log(one.kbps)) for one in points) for points in (anchor, test)]
    low, high = max(curve[0][0] for curve in curves), min(curve[-1][0] for curve in curves)
    if low >= high:
        return "no overlap"
    means = [slope_integral(*zip(*curve), low, high) for curve in curves]
    return f"{100 * (math.exp(means[1] - means[0]) - 1):+.1f}"


def cost_rows(options, clip, folder):
    constant = [tandem(options, clip, folder, "--bframes", 2, "--qp", qp) for qp in options.quantisers]
    one, two = ([tandem(options, clip, folder, "--bframes", 2, "--bitrate", round(each.kbps), *words)
                 for each in constant]
                for words in ([], ["--two-pass"]))
    quality = [tandem(options, clip, folder, "--bframes", 2, "--crf", crf) for crf in (18, 22, 26, 30, 34)]
    yield [clip.name, *(bd_rate(constant, each) for each in (one, two, quality))]


PARTS = {
    "rates": (["clip", "size", "kbit/s", "one pass, %", "two passes, %", "FFmpeg -b:v, %", "x264 --bitrate, %"],
              rate_rows),
    "buffers": (["clip", "kbit/s", "buffer, s", "underflows, rate", "CBR", "FFmpeg"], buffer_rows),
    "cost": (["clip", "one pass, %", "two passes, %", "crf, %"], cost_rows),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", metavar="CLIP")
    parser.add_argument("--tandem", default="build/release/app/tandem")
    parser.add_argument("--check", default="build/release/tests/encoder/vbv_check")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rates", type=lambda text: [int(word) for word in text.split(",")],
                        help="kbit/s, for all clips")
    parser.add_argument("--quantisers", type=lambda text: [int(word) for word in text.split(",")], default=QUANTISERS,
                        help="whose rates the cost of control is measured at")
    parser.add_argument("--skip", action="append", choices=sorted(PARTS), default=[])
    parser.add_argument("--words", default="", help="more for every tandem encode, as \"--preset veryfast\"")
    parser.add_argument("--device", default="cpu", help="whose motion and coding are used: the streams are the same")
    parser.add_argument("--threads", type=int, default=1, help="of every tandem encode")
    parser.add_argument("--jobs", type=int, default=2, help="clips at a time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clips = [Clip(path, options.seconds, folder) for path in options.clips]
        for part, (heads, rows_of) in PARTS.items():
            if part in options.skip:
                continue
            with ThreadPoolExecutor(options.jobs) as pool:
                table(heads, (row for rows in pool.map(lambda clip: list(rows_of(options, clip, folder)), clips)
                              for row in rows))


if __name__ == "__main__":
    main_of(main)
