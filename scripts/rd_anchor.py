#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Rate-distortion of `tandem encode` against FFmpeg's mpeg2video (or mpeg1video) as the anchor.

For each clip and quantiser: the bytes of the elementary stream, and the PSNR of what FFmpeg decodes from it (global:
from the mean squared error over all pictures). Then the BD-rate of luma (PCHIP; negative: tandem needs less).

    scripts/rd_anchor.py CLIP... -- --me log --merange 31      # what follows -- goes to tandem encode

The anchor's results are kept in --cache by the clip's checksum, so that only tandem runs again while it is tuned.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bd_rate import bd_rate, is_monotone
from clips import Failure, default_cache, ffmpeg_version, find_tandem, open_clip, run

PSNR_LINE = re.compile(r"PSNR y:(\S+) u:(\S+) v:(\S+)")


def measure(stream, clip, idct):
    """Bytes, picture count and global PSNR of a stream decoded by FFmpeg with its strict checks.

    The psnr filter pairs pictures by time: both inputs get one time base and the picture's number as time stamp, or
    they would be compared one picture apart. It repeats the last picture of the shorter input, so the decoded pictures
    are counted on a branch of their own. Its summary is computed from the mean squared error over all pictures.
    """
    with tempfile.TemporaryDirectory(dir=stream.parent) as folder:
        by_number = "settb=1/25,setpts=N"
        graph = f"[0:v]{by_number},split[a][count];[1:v]{by_number}[b];[a][b]psnr[difference]"
        said = run(["ffmpeg", "-hide_banner", "-nostats", "-v", "info", "-xerror", "-err_detect", "explode",
                    "-progress", "progress", "-threads", "1", *(["-idct", idct] if idct else []), "-r", "25",
                    "-i", stream, "-r", "25", "-i", clip.path, "-filter_complex", graph, "-map", "[count]",
                    "-f", "null", "-", "-map", "[difference]", "-f", "null", "-"], cwd=folder).stderr
        counts = re.findall(r"^frame=\s*(\d+)", (Path(folder) / "progress").read_text(), re.MULTILINE)
    found = PSNR_LINE.findall(said)
    if not found or not counts:
        raise Failure(f"{stream}: FFmpeg's psnr filter said nothing:\n{said[-2000:]}")
    pictures = int(counts[-1])
    if pictures != clip.frames:
        raise Failure(f"{stream}: FFmpeg decodes {pictures} pictures of {clip.frames}")
    psnr_y, psnr_u, psnr_v = (float(value) for value in found[-1])
    return {"bytes": stream.stat().st_size, "frames": pictures, "psnr_y": psnr_y, "psnr_u": psnr_u, "psnr_v": psnr_v}


def anchor_command(clip, qp, options, output):
    encoder = "mpeg1video" if options.codec == "mpeg1" else "mpeg2video"
    return ["ffmpeg", "-v", "error", "-y", "-i", clip.path, "-threads", "1", "-c:v", encoder, "-g", options.keyint,
            "-bf", options.bframes, "-qscale:v", qp, *shlex.split(options.anchor_args), "-f", encoder, output]


def run_anchor(clip, qp, options):
    """FFmpeg's point, from the cache when the same clip was coded by the same FFmpeg with the same arguments."""
    arguments = [str(word) for word in anchor_command(clip, qp, options, "")[6:]]
    key = json.dumps([clip.md5, options.ffmpeg, options.idct, arguments])
    kept = options.cache / "anchor" / f"{hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()}.json"
    if kept.exists():
        return json.loads(kept.read_text())["point"]
    with tempfile.TemporaryDirectory(dir=options.cache) as folder:
        stream = Path(folder) / "anchor.mpv"
        run(anchor_command(clip, qp, options, stream))
        point = measure(stream, clip, options.idct)
        written = Path(folder) / "point.json"
        written.write_text(json.dumps({"key": json.loads(key), "point": point}))
        kept.parent.mkdir(parents=True, exist_ok=True)
        written.rename(kept)
    return point


def run_tandem(clip, qp, options):
    with tempfile.TemporaryDirectory(dir=options.cache) as folder:
        stream = Path(folder) / ("tandem.m1v" if options.codec == "mpeg1" else "tandem.m2v")
        command = [options.tandem, "encode", clip.path, "-o", stream, "--quiet", "--codec", options.codec, "--qp", qp,
                   "--keyint", options.keyint, "--bframes", options.bframes, *options.extra]
        if "--threads" not in options.extra:
            command += ["--threads", max(1, (os.cpu_count() or 1) // options.jobs)]
        start = time.monotonic()
        run(command)
        seconds = time.monotonic() - start
        return {**measure(stream, clip, options.idct), "seconds": round(seconds, 3)}


def summary(clip, points, options):
    """One clip's result: all points and the BD-rates that can be computed."""
    result = {"clip": clip.name, "md5": clip.md5, "width": clip.width, "height": clip.height, "frames": clip.frames,
              "points": points, "notes": []}
    rates = {side: [point[side]["bytes"] for point in points] for side in ("anchor", "tandem")}
    for plane in ("y", "u", "v"):
        curves = {side: list(zip(rates[side], [point[side][f"psnr_{plane}"] for point in points])) for side in rates}
        try:
            per_cent, low, high = bd_rate(curves["anchor"], curves["tandem"])
            result[f"bd_rate_{plane}"] = round(per_cent, 3)
            result[f"overlap_{plane}_db"] = [round(low, 3), round(high, 3)]
            result["notes"] += [f"{side}'s {plane} curve is not monotone" for side in curves
                                if not is_monotone(curves[side])]
        except ValueError as problem:
            result[f"bd_rate_{plane}"] = None
            result["notes"].append(f"no BD-rate of {plane}: {problem}")
    return result


def show(result, options):
    print(f"{result['clip']}  {result['width']}x{result['height']}, {result['frames']} pictures")
    if not options.brief:
        print("   qp |  anchor bytes     Y dB |  tandem bytes     Y dB |    bytes      dB |  seconds")
        for point in result["points"]:
            a, t = point["anchor"], point["tandem"]
            print(f"   {point['qp']:2} | {a['bytes']:13} {a['psnr_y']:8.3f} | {t['bytes']:13} {t['psnr_y']:8.3f} |"
                  f" {100 * (t['bytes'] / a['bytes'] - 1):+7.2f}% {t['psnr_y'] - a['psnr_y']:+7.3f} |"
                  f" {t['seconds']:8.2f}")
    rates = [f"{plane.upper()} {percent(result[f'bd_rate_{plane}'])}" for plane in ("y", "u", "v")]
    print(f"   BD-rate {'  '.join(rates)}")
    for note in result["notes"]:
        print(f"   note: {note}")


def percent(value):
    return "not defined" if value is None else f"{value:+.2f} %"


def parse_arguments(words):
    extra = []
    if "--" in words:
        cut = words.index("--")
        words, extra = words[:cut], words[cut + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", metavar="CLIP", help="any file that FFmpeg reads")
    parser.add_argument("--tandem", metavar="PATH", help="the command to measure (default: the newest in build/)")
    parser.add_argument("--qps", default="2,4,8,16,31", help="quantisers, by commas (default 2,4,8,16,31)")
    parser.add_argument("--codec", choices=["mpeg1", "mpeg2"], default="mpeg2")
    parser.add_argument("--keyint", type=int, default=12)
    parser.add_argument("--bframes", type=int, default=0, help="for both encoders (default 0)")
    parser.add_argument("--frames", type=int, help="only the first N pictures of each clip")
    parser.add_argument("--idct", default="", help="FFmpeg's -idct when decoding both (default: its own choice)")
    parser.add_argument("--anchor-args", default="", help='more arguments for FFmpeg\'s encoder, such as "-trellis 1"')
    parser.add_argument("--cache", type=Path, default=default_cache(),
                        help="folder of decoded clips and anchor results")
    parser.add_argument("--jobs", type=int, default=2, help="encodes at a time (default 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures")
    parser.add_argument("--brief", action="store_true", help="BD-rates only")
    parser.add_argument("--at-most", type=float, metavar="PERCENT",
                        help="fail when the mean BD-rate of Y is above this")
    options = parser.parse_args(words)
    options.extra = extra
    options.qps = [int(value) for value in options.qps.split(",")]
    if options.jobs < 1 or (options.frames is not None and options.frames < 1):
        parser.error("--jobs and --frames must be at least 1")
    return options


def measure_all(clips, options):
    """All points of all clips, several at a time; clips come out whole and in order."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            waiting = [[(qp, pool.submit(run_anchor, clip, qp, options), pool.submit(run_tandem, clip, qp, options))
                        for qp in options.qps] for clip in clips]
            for clip, row in zip(clips, waiting):
                points = [{"qp": qp, "anchor": anchor.result(), "tandem": tandem.result()}
                          for qp, anchor, tandem in row]
                yield summary(clip, points, options)
        finally:
            pool.shutdown(cancel_futures=True)


def main():
    options = parse_arguments(sys.argv[1:])
    options.tandem = find_tandem(options.tandem)
    options.cache = options.cache.resolve()
    options.cache.mkdir(parents=True, exist_ok=True)
    options.ffmpeg = ffmpeg_version()
    clips = [open_clip(path, options.cache, options.frames) for path in options.clips]
    results = []
    for result in measure_all(clips, options):
        show(result, options)
        results.append(result)
    known = [result["bd_rate_y"] for result in results if result["bd_rate_y"] is not None]
    mean = statistics.fmean(known) if len(known) == len(results) else None
    print(f"mean BD-rate of Y over {len(results)} clips: {percent(mean)}")
    if options.json:
        document = {"tandem_args": options.extra, "codec": options.codec, "keyint": options.keyint,
                    "bframes": options.bframes, "anchor_args": options.anchor_args, "ffmpeg": options.ffmpeg,
                    "idct": options.idct or "default", "mean_bd_rate_y": mean, "clips": results}
        options.json.write_text(json.dumps(document, indent=1) + "\n")
    if mean is None or (options.at_most is not None and mean > options.at_most):
        print("failed: no mean BD-rate" if mean is None else f"failed: above {options.at_most} %", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"rd_anchor: {failure}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
