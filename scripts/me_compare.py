#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Searches and devices side by side, in the encoder: bits at equal PSNR against full search, motion time, same bytes.

    scripts/me_compare.py CLIP... -o FOLDER [--searches LIST] [--devices LIST] -- [options of tandem compare]
"""

from clips import main_of
from comparing import compare, mean_difference, parse, parser_of, percent, show


def milliseconds(value):
    return f"{value:.3f}" if isinstance(value, (int, float)) else "–"


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--searches", default="all", help="default: all")
    parser.add_argument("--devices", help="default: cpu, and gpu where there is one")
    options = parse(parser)
    words = ["--searches", options.searches, "--peers", "none", *options.more]
    summary = compare(options, words + (["--devices", options.devices] if options.devices else []))
    series, clips = summary["series"], summary["clips"]
    base = next((i for i, one in enumerate(series) if one.get("search") == "full"), 0)
    show([f"BD-rate against {series[base]['name']}", "mean"],
         [[one["name"], percent(mean_difference(summary, i, anchor=base))]
          for i, one in enumerate(series) if i != base])
    print()
    show(["motion, ms a pair", "clip", "device", "same bytes", "PSNR", "CPU", "device"],
         [[series[one["cpu"]]["name"], clips[one["clip"]]["name"],
           *([series[one["other"]]["device"], f"{one['same_streams']} of {one['points']}",
              f"{one['psnr_difference']:+.4f} dB"]
             if "other" in one else ["–"] * 3),
           milliseconds(one["motion_ms"][0]), milliseconds(one["motion_ms"][1]) if "other" in one else "–"]
          for one in summary["motion"]])
    return 0


if __name__ == "__main__":
    main_of(main)
