#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Figures (SVG and PNG) of a folder that tandem compare wrote, and the sections of documents that show its results.

    scripts/make_figures.py FOLDER -o PICTURES                   # figures alone, for a paper
    scripts/make_figures.py FOLDER -o docs/pictures --documents  # and the documents that show them

All figures come from FOLDER's summary.json. The documents are README.md and docs/measurements/benchmarks.md; a section
is what stands between its two marker lines.
"""

import argparse
import math
import os
import re
from pathlib import Path

from clips import Failure, main_of
from comparing import mean_difference, percent, summary_of

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator
    MISSING = None
except ImportError as error:
    MISSING = error

ROOT = Path(__file__).resolve().parent.parent
# The page's palette for light paper: tells apart without red and green.
COLOURS = ["#0068a8", "#c14b06", "#007f5c", "#a2487f", "#8f6200", "#5350c4", "#3d4450", "#2590a5"]
MARKERS = ["o", "s", "^", "D", "v", "P"]
BEGIN, END = "<!-- results of tandem compare, by scripts/make_figures.py -->", "<!-- end of results -->"
GPU_BEGIN = "<!-- results of tandem compare on a GPU, by scripts/make_figures.py -->"
GPU_END = "<!-- end of results on a GPU -->"

STYLE = {
    "svg.hashsalt": "tandem", "svg.fonttype": "none", "font.size": 9, "axes.titlesize": 10, "axes.titleweight": "bold",
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": "#8a8f98", "axes.labelcolor": "#3d4450",
    "xtick.color": "#565c66", "ytick.color": "#565c66", "axes.grid": True, "grid.color": "#ece9e2",
    "axes.axisbelow": True,
    "font.family": "sans-serif", "legend.frameon": False, "figure.facecolor": "white",
    "figure.constrained_layout.use": True,
}


def looks(summary):
    """A colour and marker for each search or peer; hollow and dashed off the CPU."""
    families, found = [], []
    for one in summary["series"]:
        family = (one["name"] if one["encoder"] != "tandem" else "", one["codec"], one.get("search"), one["options"])
        if family not in families:
            families.append(family)
        index = families.index(family)
        hollow = one.get("device", "cpu") != "cpu"
        found.append({"color": COLOURS[index % len(COLOURS)], "marker": MARKERS[index % len(MARKERS)],
                      "markersize": 5.5 if hollow else 4, "markerfacecolor": "white" if hollow else None,
                      "linestyle": ":" if hollow else "-", "linewidth": 1.3})
    return [{name: value for name, value in look.items() if value is not None} for look in found]


def save(figure, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", bbox_inches="tight", dpi=120, metadata={"Software": None})
    plt.close(figure)
    print(folder / f"{name}.svg", folder / f"{name}.png", sep="\n")


def log_axis(axis):
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


# What is left to 1 is what differs in SSIM; nothing is beyond it.
SIMILARITIES = [1 - part * 10.0 ** -power for power in range(1, 7) for part in (10, 5, 3, 2)]


def similarity_axis(axis):
    """Even in log(1 - SSIM), with ticks of its own: matplotlib's go beyond 1 and print over each other."""
    values = [min(value, 0.999999) for line in axis.lines for value in line.get_ydata()]
    far = [-math.log10(1 - value) for value in (min(values), max(values))] if values else [0, 1]
    margin = 0.05 * (far[1] - far[0]) or 0.1
    axis.set_yscale("function", functions=(lambda s: -1 * np.log10(1 - np.minimum(s, 0.9999999)),
                                           lambda v: 1 - 10.0 ** -v))
    low, high = (1 - 10 ** -edge for edge in (far[0] - margin, far[1] + margin))
    axis.set_ylim(low, high)
    inside = [tick for tick in SIMILARITIES if low <= tick <= high]
    # At most six, so that no label lies on another.
    ticks = inside[::-(-len(inside) // 6)] if len(inside) > 1 else list(np.linspace(low, high, 4))
    axis.yaxis.set_major_locator(FixedLocator(ticks))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.7f}".rstrip("0")))


def curves(summary, folder):
    clips = summary["clips"]
    for measure, label in (("psnr_y", "PSNR Y, dB"), ("ssim_y", "SSIM Y")):
        columns, rows = min(3, len(clips)), math.ceil(len(clips) / 3)
        figure, axes = plt.subplots(rows, columns, figsize=(3.6 * columns, 3.2 * rows), squeeze=False)
        for axis in axes.flat[len(clips):]:
            axis.remove()
        for number, (clip, axis) in enumerate(zip(clips, axes.flat)):
            for i, look in enumerate(looks(summary)):
                points = sorted((p["kbps"], p[measure]) for p in summary["points"]
                                if p["clip"] == number and p["series"] == i and isinstance(p.get(measure), float))
                if points:
                    axis.plot(*zip(*points), label=summary["series"][i]["name"], **look)
            axis.set(title=clip["name"], xscale="log", xlabel="kbit/s", ylabel=label if number % columns == 0 else "")
            if measure == "ssim_y":
                similarity_axis(axis)
            log_axis(axis.xaxis)
        figure.legend(*axes[0][0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0),
                      ncols=min(4, len(summary["series"])))
        save(figure, folder, "rate-" + measure.split("_")[0])


def speed(summary, folder):
    """Geometric mean of the pictures in a second against the mean BD-rate."""
    figure, axis = plt.subplots(figsize=(6.6, 3.9))
    axis.axhline(0, color="#8a8f98", linewidth=0.8, linestyle=(0, (3, 4)))
    for i, look in enumerate(looks(summary)):
        rates = [one["fps"] for one in summary["speed"] if one["series"] == i]
        saving = mean_difference(summary, i)
        if saving is None or len(rates) != len(summary["clips"]):
            continue
        fps = math.exp(sum(map(math.log, rates)) / len(rates))
        axis.plot([fps], [saving], label=summary["series"][i]["name"], **{**look, "linestyle": "none", "markersize": 7})
    anchor = summary["series"][summary["anchor"]]["name"]
    axis.set(xscale="log", xlabel="pictures in a second", ylabel=f"BD-rate against {anchor}, %")
    axis.margins(x=0.12, y=0.12)
    axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    log_axis(axis.xaxis)
    save(figure, folder, "speed-quality")


def machine_of(one):
    """Processor, GPU, threads, instruction set, libavcodec and revision of one maker of results, as far as known."""
    parts = [one.get("cpu"), one.get("gpu"), f"{one['threads']} threads" if "threads" in one else None, one.get("simd"),
             f"libavcodec {one['libavcodec']}" if "libavcodec" in one else None,
             f"revision {one['git']}" if "git" in one else None]
    return ", ".join(filter(None, parts))


def origin(summary):
    """Who measured: a sentence a machine."""
    machines = sorted({machine_of(one) for one in summary["made_by"]})
    clips = ", ".join(f"{clip['name']} ({clip['width']}x{clip['height']}, {clip['frames']} pictures)"
                      for clip in summary["clips"])
    return f"Clips: {clips}. Measured on {'; '.join(machines)}.\n"


def commands(summary):
    """The command lines, with names of files less their folders."""
    texts = sorted({one["command"] for one in summary["made_by"] if "command" in one})
    return "```sh\n" + "\n".join(re.sub(r"(?<=[\s=])[^\s]*/([^\s/]+)", r"\1", text) for text in texts) + "\n```\n"


def short_table(summary):
    """A row a series: bits, quality and speed over all clips."""
    anchor = summary["series"][summary["anchor"]]["name"]
    clip = summary["clips"][0]["name"]
    text = (f"| | bits at equal PSNR against {anchor} | PSNR at equal bits | pictures/s, {clip} |\n"
            "|---|---:|---:|---:|\n")
    for i, one in enumerate(summary["series"]):
        quality = mean_difference(summary, i, kind="quality")
        fps = next((row["fps"] for row in summary["speed"] if row["series"] == i and row["clip"] == 0), None)
        text += (f"| {one['name']} | {percent(mean_difference(summary, i))} | "
                 f"{'–' if quality is None else f'{quality:+.2f} dB'} | "
                 f"{'–' if fps is None else f'{fps:.0f}'} |\n")
    return text


def put(document, text, begin=BEGIN, end=END):
    """Replaces what is between the markers."""
    old = document.read_text(encoding="utf-8")
    if old.count(begin) != 1 or old.count(end) != 1 or old.index(end) < old.index(begin):
        raise Failure(f"{document}: needs one line '{begin}' and after it one line '{end}'")
    new = old[:old.index(begin) + len(begin)] + "\n\n" + text.strip() + "\n\n" + old[old.index(end):]
    part = document.with_name(document.name + ".part")
    part.write_text(new, encoding="utf-8")
    part.replace(document)
    print(document)


def documents(summary, results, pictures, root):
    def image(document, name, about):
        return f"![{about}]({os.path.relpath(pictures / name, document.parent)})\n"

    benchmarks, readme = root / "docs" / "measurements" / "benchmarks.md", root / "README.md"
    put(benchmarks, "\n".join([commands(summary), origin(summary), (results / "results.md").read_text(encoding="utf-8"),
                               image(benchmarks, "rate-psnr.png", "PSNR over bitrate"),
                               image(benchmarks, "rate-ssim.png", "SSIM over bitrate"),
                               image(benchmarks, "speed-quality.png", "Speed against quality")]))
    put(readme, "\n".join([commands(summary), origin(summary), short_table(summary),
                           image(readme, "rate-psnr.png", "PSNR over bitrate"),
                           image(readme, "speed-quality.png", "Speed against quality")]))


def gpu_documents(results, root):
    """The same tables of a run on a machine with a GPU."""
    summary = summary_of(results)
    put(root / "docs" / "measurements" / "benchmarks.md",
        "\n".join([commands(summary), origin(summary), (results / "results.md").read_text(encoding="utf-8")]),
        GPU_BEGIN, GPU_END)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", type=Path, metavar="FOLDER", help="what tandem compare -o wrote")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="PICTURES")
    parser.add_argument("--documents", nargs="?", type=Path, const=ROOT, metavar="ROOT",
                        help="also writes the sections of README.md and docs/measurements/benchmarks.md "
                             "(default: of this checkout)")
    parser.add_argument("--gpu-results", type=Path, metavar="FOLDER",
                        help="with --documents: results of a machine with a GPU, for their own section of "
                             "docs/measurements/benchmarks.md")
    options = parser.parse_args()
    if options.gpu_results and not options.documents:
        parser.error("--gpu-results needs --documents")
    if MISSING:
        raise Failure(f"{MISSING}: scripts/setup.sh --report installs what figures need")
    plt.rcParams.update(STYLE)
    summary = summary_of(options.results)
    curves(summary, options.output)
    speed(summary, options.output)
    if options.documents:
        documents(summary, options.results, options.output.resolve(), options.documents.resolve())
        if options.gpu_results:
            gpu_documents(options.gpu_results, options.documents.resolve())
    return 0


if __name__ == "__main__":
    main_of(main)
