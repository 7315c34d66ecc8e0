#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""End-point errors on true motion: exhaustive block matching beside optical flow.

    scripts/flow_errors.py FOLDER... [--layout middlebury|kitti|sintel] [--every N] [--limit N] [--json FILE]

FOLDER is Middlebury's, KITTI's or MPI Sintel's, as it unpacks (scripts/flow_data.py says where what lies). Each row of
the table is a way to find motion: searches of `tandem motion`, more of them by --run "NAME: OPTIONS", and where Python
has cv2, OpenCV's DIS and Farneback. What each finds is written as a dense .flo and measured by `tandem motion
--measure`, at every sample whose truth is known: the mean end-point error in pels, over all samples and over those that
the second picture shows too (where the data say it), the share within a pel, and KITTI's outliers (more than 3 pels and
5 % off). Means are of samples, all pairs of a group together.
"""

import argparse
import json
import shlex
import sys
import tempfile
from pathlib import Path

from clips import BadInput, count, find_tandem, keep, main_of, results_file, run
from flow_data import LAYOUTS, pairs_of, write_visible_truth

SEARCHES = [
    "full search 16x16: --me full --block 16x16",
    "full search 8x8: --me full --block 8x8",
    "full search 8x8, rate: --me full --block 8x8 --lambda 8 --predictor neighbours",
    "full search 16x16, zero-mean: --me full --block 16x16 --metric zsad",
    "full search 16x16, correlation: --me full --block 16x16 --metric ncc",
    "predictive 8x8, rate: --me predictive --block 8x8 --lambda 8 --predictor neighbours",
]


def named(text):
    """(name, options) of --run."""
    name, colon, options = text.partition(":")
    if not colon or not name.strip():
        raise argparse.ArgumentTypeError(f"{text}: NAME: OPTIONS is wanted")
    return name.strip(), shlex.split(options)


def tandem_way(arguments, options):
    """A function that writes the flow of a pair by a search."""
    usual = {"--precision": "4"} | ({} if "predictive" in options else {"--merange": arguments.range})
    more = [word for name, value in usual.items() if name not in options for word in (name, value)]

    def find(pair, target):
        run([arguments.tandem, "motion", pair.second, pair.first, "-o", target, *more, *options,
             "--device", arguments.device, "--threads", arguments.threads, "--quiet"])
    return find


def opencv_ways(arguments):
    """The same by OpenCV; none where Python has no cv2."""
    try:
        import cv2
    except ImportError:
        print("flow_errors: no cv2: OpenCV is left out", file=sys.stderr)
        return {}
    cv2.setNumThreads(arguments.threads)
    dis = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    ways = {"DIS, medium": lambda a, b: dis.calc(a, b, None),
            "Farneback": lambda a, b: cv2.calcOpticalFlowFarneback(a, b, None, 0.5, 5, 15, 3, 7, 1.5, 0)}

    def finding(way):
        def find(pair, target):
            first, second = (cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in (pair.first, pair.second))
            flow = way(first, second).astype("<f4")
            height, width = first.shape
            Path(target).write_bytes(b"PIEH" + width.to_bytes(4, "little") + height.to_bytes(4, "little")
                                     + flow.tobytes())
        return find

    return {f"OpenCV {cv2.__version__} {name}": finding(way) for name, way in ways.items()}


def measured(arguments, pair, flow, truth):
    """What `tandem motion --measure` says of a flow: figures and how many samples they are of."""
    report = Path(flow).with_suffix(".json")
    run([arguments.tandem, "motion", pair.second, pair.first, "--measure", flow, "--truth", truth, "--report", report,
         "--threads", arguments.threads, "--quiet"])
    total = json.loads(report.read_text())["total"]
    known = total["blocks"] * total["truth_known"] * (1 - total["share_without_vector"])
    return {"samples": known, "error": total["end_point_error"], "within": total["within_one_pel"],
            "outliers": total["outliers"]}


def truths_of(pair, folder):
    """By name: all samples, and those that both pictures show, where that is known."""
    truths = {"all": pair.truth}
    if pair.visible:
        truths["visible"] = pair.visible
    elif pair.occluded:
        truths["visible"] = Path(folder) / "visible.flo"
        write_visible_truth(pair, truths["visible"])
    return truths


class Sums:
    """Figures of many pairs, each weighed by its samples."""
    def __init__(self):
        self.samples, self.sums = 0, {}

    def add(self, figures):
        if not figures["samples"]:
            return
        self.samples += figures["samples"]
        for name in ("error", "within", "outliers"):
            self.sums[name] = self.sums.get(name, 0) + figures[name] * figures["samples"]

    def means(self):
        return {name: total / self.samples for name, total in self.sums.items()}


def group_of(arguments, pair):
    return f"{pair.group} {pair.name.split('/')[0]}" if arguments.each else pair.group


def errors_of(arguments, pairs, ways):
    """Means by group, way and truth."""
    sums = {}
    with tempfile.TemporaryDirectory() as folder:
        for pair in pairs:
            truths = truths_of(pair, folder)
            for name, find in ways.items():
                flow = Path(folder) / "found.flo"
                find(pair, flow)
                for of, truth in truths.items():
                    group = sums.setdefault(group_of(arguments, pair), {}).setdefault(name, {})
                    group.setdefault(of, Sums()).add(measured(arguments, pair, flow, truth))
    return {group: {name: {of: one.means() for of, one in truths.items()} for name, truths in rows.items()}
            for group, rows in sums.items()}


def cell(means, of, figure, digits):
    value = means.get(of, {}).get(figure)
    return "–" if value is None else f"{value:.{digits}f}"


def table(group, pairs, rows):
    lines = [f"| {group}, {pairs} {'pair' if pairs == 1 else 'pairs'} | all | visible | within 1 pel | outliers |",
             "|---|---:|---:|---:|---:|"]
    for name, means in rows.items():
        lines.append(f"| {name} | {cell(means, 'all', 'error', 3)} | {cell(means, 'visible', 'error', 3)} | "
                     f"{cell(means, 'all', 'within', 3)} | {cell(means, 'all', 'outliers', 4)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", metavar="FOLDER", nargs="+")
    parser.add_argument("--tandem", help="the command to measure (default: the newest of build/*)")
    parser.add_argument("--layout", choices=["auto", *LAYOUTS], default="auto")
    parser.add_argument("--range", type=count, default=32, help="whole pels each way, of searches about zero")
    parser.add_argument("--each", action="store_true", help="a table for each scene of Sintel, not for each pass")
    parser.add_argument("--every", type=count, default=1, help="every Nth pair")
    parser.add_argument("--limit", type=count, help="at most N pairs of a folder")
    parser.add_argument("--run", type=named, action="append", default=[], metavar="NAME: OPTIONS",
                        help="another search of tandem motion")
    parser.add_argument("--only", action="store_true", help="those of --run and OpenCV alone")
    parser.add_argument("--device", default="cpu", help="as of tandem motion")
    parser.add_argument("--threads", type=count, default=1)
    parser.add_argument("--json", metavar="FILE", help="keeps the figures")
    arguments = parser.parse_args()
    arguments.tandem = find_tandem(arguments.tandem)
    figures_file = results_file(arguments.json, [])
    pairs = [pair for folder in arguments.folders
             for pair in pairs_of(folder, arguments.layout)[::arguments.every][:arguments.limit]]
    searches = [*([] if arguments.only else map(named, SEARCHES)), *arguments.run]
    ways = {name: tandem_way(arguments, options) for name, options in searches} | opencv_ways(arguments)
    if not ways:
        raise BadInput("--only leaves nothing to measure: there is no --run and no cv2")
    errors = errors_of(arguments, pairs, ways)
    groups = [group_of(arguments, pair) for pair in pairs]
    print("\n\n".join(table(group, groups.count(group), rows) for group, rows in errors.items()))
    keep(figures_file, errors)
    return 0


if __name__ == "__main__":
    main_of(main)
