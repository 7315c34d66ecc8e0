#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Rate-distortion of one Tandem against another: two commands, or two revisions of this repository.

    scripts/rd_compare.py CLIP... -o FOLDER --one 'build/old/tandem' --other 'build/new/tandem --trellis 0'
    scripts/rd_compare.py CLIP... -o FOLDER --revisions main HEAD -- --searches log --frames 60

A command is the program and options of tandem compare for it alone; words after -- are for both. FOLDER gets the
results of each side, in a folder named by the revision or by a checksum of program and options, and the report of both.
Series are set against each other by their names, or where options of one side differ by codec, search and device.
Against other encoders: tandem compare --peers.
"""

import hashlib
import json
import shlex
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from clips import BadInput, find_tandem, main_of
from comparing import (checked, compare_command, difference, listed_points, mean_difference, parse, parser_of, percent,
                       run, show, summary_of)

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Side:
    label: str
    program: str
    own: list    # its own options
    folder: str  # its name in FOLDER, which no other program or options have


def side_of_revision(label, revision, folder):
    name = checked(["git", "-C", ROOT, "rev-parse", "--short=12", revision + "^{commit}"],
                   capture_output=True, text=True).stdout.strip()
    return Side(label, built(name, folder.resolve() / "builds" / name), [], name)


def built(name, place):
    """The command of a revision, built once. An interrupted build goes on where it was: its source stays with it."""
    source, program = place / "source", place / "build" / "app" / "tandem"
    if not source.exists():
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place) as part:
            archive = Path(part) / "source.tar"
            checked(["git", "-C", ROOT, "archive", "--output", archive, name])
            shutil.unpack_archive(archive, Path(part) / "source")
            (Path(part) / "source").rename(source)
    if not program.exists():
        checked(["cmake", "-S", source, "-B", place / "build", "-G", "Ninja",
                 "-DCMAKE_BUILD_TYPE=Release", "-DTANDEM_TESTS=OFF",
                 "-DTANDEM_CUDA=OFF", f"-DTANDEM_REVISION={name}"])
        checked(["cmake", "--build", place / "build", "--target", "tandem"])
    return str(program)


def side_of_command(label, command):
    """The program's bytes count, not its name: the next build of it is another side."""
    try:
        program, *own = shlex.split(command)
    except ValueError as error:
        raise BadInput(f"--{label} '{command}': is no command: {error}") from error
    found = shutil.which(program)
    if found is None:
        raise BadInput(f"--{label} '{command}': there is no program {program}")
    path = Path(found).resolve()
    digest = hashlib.md5(path.read_bytes() + "\0".join(own).encode(), usedforsecurity=False)
    return Side(label, str(path), own, "command-" + digest.hexdigest()[:12])


def alike(name):
    """What a series has in common with the one that it is set against: options may be what the sides differ in."""
    words = name.split()
    return " ".join(words[:4]) if words[0] == "tandem" else name


def pairs_of(one, other):
    """The names of the other side's series by those of the one."""
    pairs = {name: name for name in one if name in other}
    for name in one:
        same = [[candidate for candidate in side if candidate not in pairs and alike(candidate) == alike(name)]
                for side in (one, other)]
        if name not in pairs and [len(candidates) for candidates in same] == [1, 1]:
            pairs[name] = same[1][0]
    alone = [f"{name} (one)" for name in one if name not in pairs]
    alone += [f"{name} (other)" for name in other if name not in pairs.values()]
    if alone:
        raise BadInput(f"the other side has no partner for: {', '.join(alone)}")
    return pairs


def joined(folder, sides, keys):
    """The rows of this comparison from both sides in one file, their series told apart by the side's name."""
    with (folder / "results.jsonl").open("w", encoding="utf-8") as out:
        for side in sides:
            for line in (folder / side.folder / "results.jsonl").read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                if row["key"] not in keys[side.label]:
                    continue
                row["series"] += f" ({side.label})"
                row["key"] += f" {side.label}"
                out.write(json.dumps(row, ensure_ascii=False) + "\n")


def measured(options, sides):
    """Runs both sides; the names of their series in pairs."""
    commands = {side.label: compare_command(options, ["--peers", "none", "--devices", "cpu", *side.own, *options.more],
                                            options.output / side.folder, side.program) for side in sides}
    points = {label: listed_points(command) for label, command in commands.items()}
    pairs = pairs_of(*(list(dict.fromkeys(points[side.label].values())) for side in sides))
    for side in sides:
        run(options, commands[side.label], options.output / side.folder)
    joined(options.output, sides, points)
    return pairs


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--one", metavar="COMMAND", help="default: the newest build")
    parser.add_argument("--other", metavar="COMMAND", help="what is compared with it")
    parser.add_argument("--revisions", nargs=2, metavar=("ONE", "OTHER"), help="builds and compares two revisions")
    parser.add_argument("--at-most", type=float, metavar="PERCENT",
                        help="fail where a mean BD-rate of OTHER is above this")
    options = parse(parser)
    if bool(options.other) == bool(options.revisions):
        parser.error("give --other or --revisions")
    options.output.mkdir(parents=True, exist_ok=True)
    if options.revisions:
        sides = [side_of_revision(label, revision, options.output)
                 for label, revision in zip(("one", "other"), options.revisions)]
    else:
        sides = [side_of_command("one", options.one or shlex.quote(find_tandem(options.tandem))),
                 side_of_command("other", options.other)]
    pairs = measured(options, sides)
    program = sides[1].program if options.revisions else find_tandem(options.tandem)
    checked([program, "compare", "--report-only", "-o", options.output])

    summary = summary_of(options.output)
    places = {series["name"]: i for i, series in enumerate(summary["series"])}
    rows, means = [], []
    for name, partner in pairs.items():
        one, other = places[f"{name} (one)"], places[f"{partner} (other)"]
        values = [difference(summary, clip, other, anchor=one) for clip in range(len(summary["clips"]))]
        means.append(mean_difference(summary, other, anchor=one))
        rows.append([summary["series"][other]["name"], *map(percent, values), percent(means[-1])])
    show(["BD-rate against the same of (one)", *(clip["name"] for clip in summary["clips"]), "mean"], rows)
    return int(options.at_most is not None and any(value is None or value > options.at_most for value in means))


if __name__ == "__main__":
    main_of(main)
