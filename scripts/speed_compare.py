#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Encoders' speeds at one quantiser, by turns, medians, without reading and writing; the anchor is FFmpeg's mpeg2video.

    scripts/speed_compare.py CLIP... -o FOLDER [--qp 8] [--threads 1] [--repeat 5] -- [options of tandem compare]

Wall-clock time of whole encodes: Tandem's motion runs beside its coder, in a thread more than --threads. The processor
time of a further picture alone, and its stages, are what scripts/speed.py measures.
"""

from clips import main_of
from comparing import compare, parse, parser_of, show


def main():
    parser = parser_of(__doc__)
    for name, default in (("qp", 8), ("threads", 1), ("repeat", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parse(parser)
    summary = compare(options, ["--qps", str(options.qp), "--threads", str(options.threads),
                                "--repeat", str(options.repeat),
                                *options.more])
    speeds = {(one["clip"], one["series"]): one for one in summary["speed"]}
    for clip, about in enumerate(summary["clips"]):
        anchor = speeds.get((clip, summary["anchor"]))
        print(f"{about['name']}  {about['width']}x{about['height']}, {about['frames']} pictures")
        rows = []
        for i, series in enumerate(summary["series"]):
            one = speeds.get((clip, i))
            if one:
                rows.append(["  " + series["name"], f"{one['encode_ms']:.3f}",
                             f"{one['motion_ms']:.3f}" if "motion_ms" in one else "–",
                             f"{one['fps']:.1f}", f"{one['fps'] / anchor['fps']:.2f}" if anchor else "–"])
        show(["  series", "ms a picture", "motion", "pictures/s", "of the anchor's speed"], rows)
    return 0


if __name__ == "__main__":
    main_of(main)
