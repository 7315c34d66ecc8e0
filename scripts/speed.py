#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Speed on one core: `tandem encode --threads 1` against FFmpeg's mpeg2video with -threads 1, at quantiser 8.

    scripts/speed.py CLIP... [-- options for every run of tandem encode]

Each round runs every encoder once on the clip (short) and once on the clip several times over, to and fro so that
there is no cut (long). The difference of the two is the cost of the further pictures alone: start-up drops out. Time
is processor time of all threads (user and system), so it is the work of one core whatever ran beside it; the median
of the rounds is shown. The search works on a thread of its own even with --threads 1: its time and that of the
half-pel refinement (spans of tandem's --trace, so wall clock: measure on an idle machine) are shown apart, and the rest
of the encoder is what remains.
"""

import argparse
import json
import shlex
import statistics
import sys
import tempfile
from pathlib import Path

from clips import (count, default_cache, ffmpeg_version, find_tandem, keep, main_of, new_file, open_clip,
                   processor_seconds, results_file)

LONG_SAMPLES = 60_000_000  # luma samples that the long run has more than the short one
DEFAULT_RUNS = ["log: --me log --merange 16", "full: --me full --merange 16"]


def to_and_fro(clip, times, cache):
    """A y4m file of `times` times the clip's pictures: forwards, backwards, forwards, ..."""
    target = cache / f"{clip.path.stem}.{clip.md5[:12]}.times{times}.y4m"
    if target.exists():
        return target
    picture = clip.width * clip.height + 2 * ((clip.width + 1) // 2) * ((clip.height + 1) // 2) + len("FRAME\n")
    with new_file(target) as part, open(clip.path, "rb") as source:
        header = source.readline()
        part.write(header)
        period = max(1, 2 * (clip.frames - 1))
        for number in range(times * clip.frames):
            place = number % period
            source.seek(len(header) + (place if place < clip.frames else period - place) * picture)
            part.write(source.read(picture))
    return target


def stage_seconds(trace):
    """Sums of the spans in tandem's --trace, by stage name, without the time that one thread waits for another."""
    events = json.loads(trace.read_text())["traceEvents"]
    sums = {"motion": 0.0, "refine": 0.0}
    for event in events:
        if event["ph"] == "X" and not event["name"].startswith("wait"):
            sums[event["name"]] = sums.get(event["name"], 0.0) + event["dur"] / 1e6
    return sums


def run_ffmpeg(source, folder, options):
    command = ["ffmpeg", "-v", "error", "-y", "-threads", "1", "-filter_threads", "1", "-i", source, "-threads", "1",
               "-c:v", "mpeg2video", "-g", options.keyint, "-bf", options.bframes, "-qscale:v", options.qp,
               *shlex.split(options.anchor_args), "-f", "mpeg2video", folder / "ffmpeg.m2v"]
    return {"total": processor_seconds(command)}


def run_tandem(arguments, source, folder, options):
    trace = folder / "trace.json"
    command = [options.tandem, "encode", source, "-o", folder / "tandem.m2v", "--quiet", "--threads", "1", "--qp",
               options.qp, "--keyint", options.keyint, "--bframes", options.bframes, "--trace", trace,
               *arguments, *options.extra]
    total = processor_seconds(command)
    return {"total": total, **stage_seconds(trace)}


def measure(clip, options):
    """Median microseconds per further picture, by run and stage."""
    times = options.times or 1 + max(1, -(-LONG_SAMPLES // (clip.width * clip.height * clip.frames)))
    long_source = to_and_fro(clip, times, options.cache)
    further = (times - 1) * clip.frames
    runs = {"ffmpeg": lambda source, folder: run_ffmpeg(source, folder, options)}
    for name, arguments in options.runs.items():
        runs[name] = lambda source, folder, words=arguments: run_tandem(words, source, folder, options)
    samples = {name: [] for name in runs}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            for name, encode in runs.items():
                short, long = encode(clip.path, Path(folder)), encode(long_source, Path(folder))
                samples[name].append({stage: 1e6 * (long[stage] - short.get(stage, 0.0)) / further for stage in long})
    return {name: {stage: statistics.median(row[stage] for row in rows) for stage in rows[0]}
            for name, rows in samples.items()}


def derived(medians):
    """Frames per second of the whole and of what is left without the search and without the refinement."""
    whole = medians["ffmpeg"]["total"]
    result = {}
    for name, stages in medians.items():
        search, refine = stages.get("motion", 0.0), stages.get("refine", 0.0)
        entry = {"us_per_frame": {stage: round(value, 2) for stage, value in stages.items()}}
        for label, cost in (("fps", stages["total"]), ("fps_without_search", stages["total"] - search),
                            ("fps_without_motion", stages["total"] - search - refine)):
            entry[label] = round(1e6 / cost, 2) if cost > 0 else None
            entry[label.replace("fps", "ratio")] = round(whole / cost, 3) if cost > 0 else None
        result[name] = entry
    return result


def show(clip, result):
    print(f"{clip.name}  {clip.width}x{clip.height}, {clip.frames} pictures")
    print("   run      | us per picture: whole   search   refine     rest |"
          " frames/s   ratio | without motion   ratio")
    busy = False
    for name, entry in result.items():
        stages = entry["us_per_frame"]
        search, refine = stages.get("motion", 0.0), stages.get("refine", 0.0)
        rest = stages["total"] - search - refine
        busy |= rest <= 0
        print(f"   {name:8} | {stages['total']:21.1f} {search:8.1f} {refine:8.1f} {rest:8.1f} |"
              f" {number(entry['fps'], 8, 1)} {number(entry['ratio'], 7, 2)} |"
              f" {number(entry['fps_without_motion'], 14, 1)} {number(entry['ratio_without_motion'], 7, 2)}")
    if busy:
        print("   note: the search took longer than all processor time: the machine is busy, and what is left over"
              " means nothing")


def number(value, width, digits):
    return f"{value:{width}.{digits}f}" if value is not None else "-".rjust(width)


def parse_arguments(words):
    extra = []
    if "--" in words:
        cut = words.index("--")
        words, extra = words[:cut], words[cut + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", metavar="CLIP", help="any file that FFmpeg reads")
    parser.add_argument("--tandem", metavar="PATH", help="the command to measure (default: the newest in build/)")
    parser.add_argument("--run", action="append", metavar="'NAME: OPTIONS'",
                        help=f"a run of tandem; may be given again (default: {DEFAULT_RUNS})")
    parser.add_argument("--qp", type=int, default=8)
    parser.add_argument("--keyint", type=int, default=12)
    parser.add_argument("--bframes", type=int, default=0)
    parser.add_argument("--anchor-args", default="", help="more arguments for FFmpeg's encoder")
    parser.add_argument("--frames", type=count, help="only the first N pictures of each clip")
    parser.add_argument("--times", type=int, default=0,
                        help="length of the long run in clips (default: at least 60 million samples more)")
    parser.add_argument("--rounds", type=int, default=5, help="the median is of so many (default 5)")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder of decoded and repeated clips")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures")
    options = parser.parse_args(words)
    if options.times == 1 or options.times < 0 or options.rounds < 1:
        parser.error("--times must be at least 2 and --rounds at least 1")
    options.extra = extra
    options.runs = {}
    for run in options.run or DEFAULT_RUNS:
        name, colon, arguments = run.partition(":")
        if not colon or name in ("", "ffmpeg"):
            parser.error(f"--run {run!r}: it is 'NAME: OPTIONS', and NAME is not ffmpeg")
        options.runs[name] = shlex.split(arguments)
    return options


def main():
    options = parse_arguments(sys.argv[1:])
    options.tandem = find_tandem(options.tandem)
    figures = results_file(options.json, options.clips)
    options.cache = options.cache.resolve()
    options.cache.mkdir(parents=True, exist_ok=True)
    document = {"ffmpeg": ffmpeg_version(), "qp": options.qp, "keyint": options.keyint, "bframes": options.bframes,
                "anchor_args": options.anchor_args, "tandem_args": options.extra, "rounds": options.rounds,
                "runs": options.runs, "clips": []}
    for path in options.clips:
        clip = open_clip(path, options.cache, options.frames)
        result = derived(measure(clip, options))
        show(clip, result)
        document["clips"].append({"clip": clip.name, "width": clip.width, "height": clip.height, "frames": clip.frames,
                                  "results": result})
    keep(figures, document)
    return 0


if __name__ == "__main__":
    main_of(main)
