#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks that the tandem command writes the bytes that it wrote before.

    checksums.py --binary build/release/app/tandem               compares everything with checksums.txt
    checksums.py --binary build/release/app/tandem --update      writes checksums.txt anew

Each case is one tandem command in an empty folder. What it leaves there, and its standard output, are hashed
(SHA-256, the first 16 hex digits) and compared with the line of that name in checksums.txt. The first cases draw clips
with `tandem synth` and search a few fields; the later ones read these as in/NAME. What no two runs share is dropped:
- tables (.csv): the columns whose names end in _us, blocks_per_second and backend;
- reports (.json): times, speeds, versions, the machine, the instruction set, and who searched; numbers with a fraction
  are rounded to 10 significant digits, since compilers may round the last one otherwise;
- the table of `tandem motion` on standard output: its column blocks/s.

Every command searches on the CPU. poc, containers, .png and --verify are left out: they depend on libraries.
"""

import argparse
import csv
import functools
import hashlib
import io
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from collections import Counter, namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cases import CLIPS, ENCODE_AXES, ENCODES, MATRICES, MOTION_AXES, MOTIONS, MPEG2_AXES, SEARCH

TABLE = Path(__file__).resolve().parent / "checksums.txt"
HEADING = """\
# What the tandem command wrote when this file was last updated, by checksums.py, which explains it (--help).
# Each line is a case: its name, the command, then each file with the beginning of its SHA-256.
"""

# `source` goes to standard input; later cases read the files of an `is_input` case.
Case = namedtuple("Case", "name words source is_input")


def every(pattern):
    """All texts that the pattern stands for."""
    parts = re.split(r"\{(.*?)\}", pattern)
    choices = [part.split("|") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(chosen) for chosen in itertools.product(*choices)]


def pick(rng, values):
    """One of the values. Only random.Random.random() is promised to be the same in every version of Python."""
    return values[int(rng.random() * len(values))]


def some(rng, axes):
    """About a third of the options, each with one of its values."""
    axes = [axis.strip() for axis in axes.replace("SEARCH", SEARCH).split(",")]
    return " ".join(pick(rng, every(axis)).replace(":", ",") for axis in axes if rng.random() < 0.35)


class Matrix:
    """Collects the cases. Threads and instruction sets, which must change nothing, go by the case's name."""

    def __init__(self):
        self.cases, self.turns = [], Counter()

    def add(self, group, line, source=None, is_input=False):
        self.turns[group] += 1
        name = f"{group}.{self.turns[group]}"
        turn = zlib.crc32(name.encode())
        if not group.startswith("synth"):
            line += f" --device cpu --threads {1 + turn % 2} --simd {['auto', 'scalar', 'avx2'][turn // 2 % 3]}"
        self.cases.append(Case(name, line.split(), source, is_input))

    def encode(self, group, clip, options, output="o.m2v", source=None):
        if "--qp " not in options and group != "control":
            options += " --qp 8"  # Elsewhere the default is a quality, which rate control keeps.
        if "--grid " in options and "--me " not in options:
            options += " --me full"  # The one search that has a grid.
        recon = ["o.yuv", "o.y4m"][self.turns["encode." + group] % 2]
        self.add("encode." + group,
                 f"encode {clip} -o {output} --recon {recon} --csv o.csv --report o.json --quiet {options}", source)

    def motion(self, group, clip, options, field="o.tmf"):
        self.add("motion." + group, f"motion in/{clip}.y4m -o {field} --stats o.csv --report o.json --quiet {options}")


def add_inputs(matrix):
    """Clips, their true motion and the fields that other cases read."""
    for name, options in CLIPS.items():
        block = 1 if name == "zoom" else 16
        matrix.add("synth", f"synth {options} --block {block} -o {name}.y4m --truth {name}.npy --quiet", is_input=True)
    matrix.add("synth", f"synth {CLIPS['pan']} -o pan_97x65_25.yuv --threads 2 --quiet", is_input=True)
    matrix.add("synth", f"synth {CLIPS['zoom']} --fps 30000/1001 -o plain.yuv --threads 1 --quiet", is_input=True)
    for field, options in [("field.tmf", "objects.y4m --search diamond --precision 1/2 --candidates 2"),
                           ("field.npy", "objects.y4m --search diamond --precision 1/2 --candidates 2"),
                           ("flow-%02d.flo", "pan.y4m --search tss --block 8x8")]:
        matrix.add("field", f"motion in/{options} -o {field} --quiet", is_input=True)


def add_systematic(matrix):
    for group, clips, pattern in ENCODES:
        for clip, options in itertools.product(every(clips), every(pattern)):
            matrix.encode(group, f"in/{clip}.y4m", options)
    for clip, options, source in [("-", "", "in/pan.y4m"), ("-", "--input-res 33x17 --fps 25", "in/plain.yuv"),
                                  ("in/pan_97x65_25.yuv", "--bframes 1", None),
                                  ("in/plain.yuv", "--input-res 33x17 --fps 24", None)]:
        matrix.encode("input", clip, options, source=source)
    for output, options in [("o.m1v", ""), ("-", "--bframes 1"), ("o.mpv", "--codec mpeg1")]:
        matrix.encode("output", "in/pan.y4m", options, output)
    matrix.add("encode.alone", "encode in/pan.y4m -o o.m2v --qp 8 --quiet")
    for group, clips, pattern in MOTIONS:
        for clip, options in itertools.product(every(clips), every(pattern)):
            matrix.motion(group, clip, options)
    for clip in CLIPS:
        matrix.motion("truth", clip, f"--range 8 --precision 1/4 --truth in/{clip}.npy")
    for field in ["o.npy", "o.flo --frames 2", "flow-%03d.flo", "mv.yuview.csv", "mv.csv", "o.jsonl"]:
        matrix.motion("format", "pan", "--range 7 --candidates 2 --precision 1/2", field)
    for options in ["--precision 1/2", "--compare in/field.tmf --search diamond", "--truth in/objects.npy"]:
        matrix.add("motion.table", f"motion in/objects.y4m {options}")
    matrix.add("motion.two", "motion in/pan.y4m in/noise.y4m -o o.tmf --quiet")


def add_random(matrix):
    """Options thrown together. Another seed makes other cases."""
    rng = random.Random(20)
    for _ in range(60):
        clip = pick(rng, ["objects", "pan", "pan", "zoom", "turn", "noise", "fade", "cut", "cut", "thin"])
        codec = pick(rng, ["mpeg1", "mpeg2"])
        options = some(rng, ENCODE_AXES + (", " + MPEG2_AXES if codec == "mpeg2" else ""))
        if clip in ("zoom", "turn", "thin"):  # They have fewer macroblocks.
            options = options.replace("--slices 35", "")
        if rng.random() < 0.2 and "--me " not in options:
            options += " --grid 2"
        matrix.encode("random", f"in/{clip}.y4m", f"--codec {codec} {options}")
    rng = random.Random(21)
    for _ in range(50):
        clip = pick(rng, ["objects", "pan", "pan", "zoom", "turn", "noise", "fade", "cut", "thin"])
        search, precision = pick(rng, every(SEARCH)), pick(rng, [1, 2, 4, 8])
        options = f"--search {search} --precision {precision} {some(rng, MOTION_AXES)}"
        if search == "full" and "--range picture" not in options:
            options += f" --grid {min(precision, pick(rng, [1, 1, 2, 4]))}"
        if precision < 8 and rng.random() < 0.4:
            options += " --interpolation six-tap"
        matrix.motion("random", clip, options)


DROPPED_KEYS = {"seconds", "search_seconds", "measuring_seconds", "fps", "blocks_per_second", "backend", "device",
                "simd", "versions", "machine"}


def steady_json(value):
    """A report without what no two runs share."""
    if isinstance(value, dict):
        return {key: steady_json(item) for key, item in value.items() if key not in DROPPED_KEYS}
    if isinstance(value, list):
        return [steady_json(item) for item in value]
    return f"{value:.10g}" if isinstance(value, float) else value


def steady_csv(text):
    """A table of --stats without times and devices; the tables of vectors have no such columns and stay as they are."""
    rows = list(csv.reader(io.StringIO(text)))
    kept = [i for i, name in enumerate(rows[0])
            if not name.endswith("_us") and name not in ("blocks_per_second", "backend")]
    return "".join(",".join(row[i] for i in kept) + "\n" for row in rows) if len(kept) < len(rows[0]) else text


def steady_table(text):
    """The table of `tandem motion` without the column blocks/s; each is 10 wide and ends where its heading does."""
    heading = text.split("\n", 1)[0]
    end = heading.index("blocks/s") + len("blocks/s")
    return "".join((line[:end - 10] + line[end:] if len(line) == len(heading) else line) + "\n"
                   for line in text.splitlines())


def checksum(name, content):
    if name == "o.json":
        content = json.dumps(steady_json(json.loads(content)), sort_keys=True).encode()
    elif name == "o.csv":
        content = steady_csv(content.decode()).encode()
    elif name == "stdout" and content.startswith(b" picture"):
        content = steady_table(content.decode()).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def shown_command(case):
    return " ".join(case.words) + (f" < {case.source}" if case.source else "")


def run_case(binary, folder, has_simd, case):
    """The case's line; raises RuntimeError where the command fails."""
    place = folder / "cases" / case.name
    place.mkdir(parents=True)
    (place / "in").symlink_to(folder / "in")
    words = ["auto" if word in ("avx2", "avx512") and not has_simd else word for word in case.words]
    with open(place / case.source if case.source else os.devnull, "rb") as source:
        run = subprocess.run([binary, *words], cwd=place, stdin=source, capture_output=True, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"exit code {run.returncode}: {run.stderr.decode(errors='replace').strip()}")
    (place / "in").unlink()
    files = sorted(path for path in place.rglob("*") if path.is_file())
    sums = [f"{path.relative_to(place)}={checksum(path.name, path.read_bytes())}" for path in files]
    if run.stdout:
        sums.append(f"stdout={checksum('stdout', run.stdout)}")
    for path in files if case.is_input else []:
        path.replace(folder / "in" / path.name)
    shutil.rmtree(place)
    return f"{case.name} | {shown_command(case)} | {' '.join(sums)}"


def run_cases(binary, cases, only, jobs):
    """The lines of the wanted cases and what went wrong, by name. Inputs are made first, one after the other."""
    lines, failures = {}, {}

    def attempt(run, case):
        try:
            lines[case.name] = run(case)
        except (RuntimeError, OSError, ValueError, LookupError) as error:
            failures[case.name] = f"{error}\n    tandem {shown_command(case)}"

    with tempfile.TemporaryDirectory(prefix="tandem-golden-") as name:
        folder = Path(name)
        (folder / "in").mkdir()
        for file, text in MATRICES.items():
            (folder / "in" / file).write_text(text)
        probe = [binary, *"encode - -o - --device cpu --frames 1 --simd avx2 --quiet".split()]
        gray = b"YUV4MPEG2 W16 H16 F25:1 C420\nFRAME\n" + bytes(16 * 16 * 3 // 2)
        has_simd = subprocess.run(probe, input=gray, capture_output=True, check=False).returncode == 0
        run = functools.partial(run_case, binary, folder, has_simd)
        for case in cases:
            if case.is_input:
                attempt(run, case)
        if not failures:
            rest = [case for case in cases if not case.is_input and only(case)]
            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(functools.partial(attempt, run), rest))
    return {case.name: lines[case.name] for case in cases if case.name in lines and only(case)}, failures


def read_table():
    """The lines of checksums.txt by the names of their cases."""
    text = TABLE.read_text(encoding="utf-8") if TABLE.exists() else ""
    return {line.split(" ", 1)[0]: line for line in text.splitlines() if line and not line.startswith("#")}


def difference(known, found):
    """What differs between two lines of a case, in words."""
    if known is None or found is None:
        return "checksums.txt has no such case" if known is None else "checksums.txt alone has this case"
    old, new = known.split(" | "), found.split(" | ")
    if len(old) != 3:
        return "its line in checksums.txt is broken"
    if old[1] != new[1]:
        return f"the command is another one\n    was tandem {old[1]}\n    is  tandem {new[1]}"
    was, now = (dict(item.rpartition("=")[::2] for item in line[2].split()) for line in (old, new))
    changes = [f"{name} was {was.get(name, 'not there')}, is {now.get(name, 'not there')}"
               for name in sorted({*was, *now}) if was.get(name) != now.get(name)]
    return ("; ".join(changes) or "its line in checksums.txt is broken") + f"\n    tandem {new[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True, metavar="PATH", help="the tandem command to check")
    parser.add_argument("--update", action="store_true", help="writes checksums.txt instead of comparing with it")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), metavar="REGEX",
                        help="takes only the cases in whose names this is found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="commands at a time")
    arguments = parser.parse_args()
    if arguments.jobs < 1 or not os.access(arguments.binary, os.X_OK):
        parser.error("--jobs must be at least 1" if arguments.jobs < 1 else f"{arguments.binary} is no program")
    matrix = Matrix()
    for add in (add_inputs, add_systematic, add_random):
        add(matrix)
    cases, only = matrix.cases, arguments.only.search
    lines, failures = run_cases(os.path.abspath(arguments.binary), cases, lambda case: only(case.name), arguments.jobs)
    known = read_table()
    if arguments.update and not failures:
        kept = [lines.get(case.name, known.get(case.name)) for case in cases]  # Those that were not run stay.
        TABLE.write_text(HEADING + "".join(line + "\n" for line in kept if line), encoding="utf-8")
        print(f"checksums.txt: {len(lines)} cases written")
        return 0
    gone = [name for name in known if only(name) and name not in {case.name for case in cases}]
    for name in [*lines, *gone]:
        if known.get(name) != lines.get(name):
            failures[name] = difference(known.get(name), lines.get(name))
    for name, text in list(failures.items())[:20]:
        print(f"{name}: {text}")
    print(f"{len(lines)} cases ran, {len(failures)} failed or differ from checksums.txt"
          + (", of which 20 are shown" if len(failures) > 20 else ""))
    return 0 if lines and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
