#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Rate-distortion of one Tandem against another: two commands, or two revisions of this repository.

    scripts/rd_compare.py CLIP... -o FOLDER --one 'build/old/tandem' --other 'build/new/tandem --trellis 0'
    scripts/rd_compare.py CLIP... -o FOLDER --revisions main HEAD -- --searches log --frames 60

A command is the program and options of tandem compare for it alone; words after -- are for both. FOLDER gets the results
of each side and the report of both. Against other encoders: tandem compare --peers.
"""

import json
import shlex
import tempfile
from pathlib import Path

from comparing import checked, compare, difference, find_tandem, main_of, mean_difference, parse, parser_of, percent, show, summary_of

ROOT = Path(__file__).resolve().parent.parent


def built(revision, folder):
    """The command of a revision, built once in FOLDER/builds."""
    name = checked(["git", "-C", ROOT, "rev-parse", "--short=12", revision + "^{commit}"], capture_output=True, text=True).stdout.strip()
    build = folder.resolve() / "builds" / name
    if not (build / "app" / "tandem").exists():
        with tempfile.TemporaryDirectory() as place:
            source = Path(place) / "source"
            checked(["git", "-C", ROOT, "worktree", "add", "--detach", "--quiet", source, name])
            try:
                checked(["cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DTANDEM_TESTS=OFF",
                         "-DTANDEM_CUDA=OFF", f"-DTANDEM_REVISION={name}"])
                checked(["cmake", "--build", build, "--target", "tandem"])
            finally:
                checked(["git", "-C", ROOT, "worktree", "remove", "--force", source])
    return str(build / "app" / "tandem")


def joined(folder, sides):
    """Both sides' rows in one file, their series told apart by the side's name."""
    with (folder / "results.jsonl").open("w", encoding="utf-8") as out:
        for side in sides:
            for line in (folder / side / "results.jsonl").read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                row["series"] += f" ({side})"
                row["key"] += f" {side}"
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--one", metavar="COMMAND", help="default: the newest build")
    parser.add_argument("--other", metavar="COMMAND", help="what is compared with it")
    parser.add_argument("--revisions", nargs=2, metavar=("ONE", "OTHER"), help="builds and compares two revisions")
    parser.add_argument("--at-most", type=float, metavar="PERCENT", help="fail where a mean BD-rate of OTHER is above this")
    options = parse(parser)
    if bool(options.other) == bool(options.revisions):
        parser.error("give --other or --revisions")
    commands = [[built(revision, options.output)] for revision in options.revisions] if options.revisions else \
        [shlex.split(options.one or find_tandem(options.tandem)), shlex.split(options.other)]
    summaries = {}
    for side, (program, *own) in zip(("one", "other"), commands):
        options.output.mkdir(parents=True, exist_ok=True)
        summaries[side] = compare(options, ["--peers", "none", "--devices", "cpu", *own, *options.more], options.output / side,
                                  str(Path(program).resolve()))
    joined(options.output, summaries)
    program = find_tandem(options.tandem) if not options.revisions else commands[1][0]
    checked([program, "compare", "--report-only", "-o", options.output])

    summary = summary_of(options.output)
    count = len(summary["series"]) // 2
    rows, means = [], []
    for one, other in zip(range(count), range(count, 2 * count)):
        values = [difference(summary, clip, other, anchor=one) for clip in range(len(summary["clips"]))]
        means.append(mean_difference(summary, other, anchor=one))
        rows.append([summary["series"][other]["name"], *map(percent, values), percent(means[-1])])
    show(["BD-rate against the same of (one)", *(clip["name"] for clip in summary["clips"]), "mean"], rows)
    return int(options.at_most is not None and any(value is None or value > options.at_most for value in means))


if __name__ == "__main__":
    main_of(main)
