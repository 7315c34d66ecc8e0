#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The figures of docs/measurements/searches.md: each search beside exhaustive search, and Kelly and Kokaram's curves.

    scripts/motion_figures.py table CLIP...              # Markdown, all its tables; --json FILE keeps the figures
    scripts/motion_figures.py curves CLIP... --plot FILE.svg

`table` runs every search of the five papers and a few more with `tandem motion` on one thread, by turns, and then
`tandem compare` for the BD-rate of each against full search. `curves` runs full search at 1, 1/2, 1/4
and 1/8 pel (16x16, range 4, as in Kelly and Kokaram 2003) and plots PSNR and the entropy of the DFD.
"""

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from clips import BadInput, Failure, count, find_tandem, keep, main_of, names_of, results_file, run
from comparing import difference, summary_of

# Name, what it is, the search, its parameters, and the encoder's further options (None: MPEG codes no such vectors).
SEARCHES = [
    ("full", "exhaustive, half-pel steps after it", "full", [], []),
    ("full, half-pel grid", "Massanes: every half-pel position", "full", ["--grid", "2"], []),
    ("full, 1/8-pel grid", "Kelly and Kokaram: every 1/8-pel position", "full", ["--grid", "8", "--precision", "8"],
     None),
    ("tss", "Bonanno: three steps, squared error on all planes", "tss", ["--metric", "ssd", "--planes", "all"], []),
    ("tss, SAD of luma", "the same steps", "tss", [], []),
    ("log", "Mazaré: m, m - 1, ... 1", "log", [], []),
    ("hier", "Mazaré: three sizes, four predictors", "hier", [], []),
    ("poc, one peak", "Asmara: two layers, windows of 64", "poc",
     ["--phase-window", "64", "--phase-layers", "2", "--phase-peaks", "1"], ["--candidates", "1"]),
    ("poc", "four peaks measured, one layer, windows of 32", "poc", [], []),
    ("diamond", "small patterns until the centre wins", "diamond", [], []),
    ("hexagon", "the same with a hexagon", "hexagon", [], []),
    ("smpuhex", "the joint model's, in passes", "smpuhex", [], []),
    ("smpuhex, raster", "the joint model's, in its own order", "smpuhex", ["--block-order", "raster"], []),
]


def motion(tandem, clip, frames, options):
    """The totals of one run of `tandem motion`."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        run([tandem, "motion", clip, "--frames", frames, "--threads", "1", "--device", "cpu", "--quiet",
             *options, "--report", report])
        return json.loads(report.read_text())["total"]


def bd_rates(arguments, clip):
    """BD-rate of each search in the encoder against full search, by its name in SEARCHES."""
    series_of = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, _, search, options, more in SEARCHES:
            if more is None:
                continue
            run([arguments.tandem, "compare", clip, "-o", folder, "--frames", arguments.encode_frames, "--repeat", 1,
                 "--quiet", "--searches", search, "--devices", "cpu", "--peers", "none", "--merange", arguments.range,
                 "--me-start", "zero",
                 *options, *more])
            summary = summary_of(folder)
            known = set(series_of.values())
            series_of[name] = next(one["name"] for one in summary["series"] if one["name"] not in known)
    index = {one["name"]: place for place, one in enumerate(summary["series"])}
    anchor = index[series_of["full"]]
    return {name: difference(summary, 0, index[series], anchor=anchor) for name, series in series_of.items()}


def measure_searches(arguments, clip):
    """A row of figures for each search on one clip; runs alternate, and speeds are medians."""
    common = ["--range", arguments.range]
    rows = {name: [] for name, *_ in SEARCHES}
    for _ in range(arguments.repeat):
        for name, _, search, options, _ in SEARCHES:
            half_pel = [] if "--precision" in options else ["--precision", "2"]
            rows[name].append(motion(arguments.tandem, clip, arguments.frames,
                                     ["--search", search, *common, *half_pel, *options]))
    rates = bd_rates(arguments, clip)
    best = rows["full"][0]["sad_per_pel"]
    speed = statistics.median(run["blocks_per_second"] for run in rows["full"])
    table = []
    for name, what, *_ in SEARCHES:
        first = rows[name][0]
        table.append({
            "search": name, "what": what, "psnr_y": first["psnr_y"], "dfd_entropy": first["dfd_entropy"],
            "vector_entropy": first["vector_entropy"], "candidates": first["candidates_per_block"],
            "sad_over_full": 100 * (first["sad_per_pel"] / best - 1),
            "speed": statistics.median(run["blocks_per_second"] for run in rows[name]) / speed,
            "bd_rate": rates.get(name),
        })
    return table


def markdown(clip, table):
    lines = [f"**{clip}**", "",
             "| search | PSNR Y | DFD bits | vector bits | tried per block | SAD over full | speed of full | BD-rate |",
             "|---|---|---|---|---|---|---|---|"]
    for row in table:
        rate = "" if row["bd_rate"] is None else f"{row['bd_rate']:+.2f} %"
        lines.append(f"| {row['search']} | {row['psnr_y']:.2f} | {row['dfd_entropy']:.3f} | "
                     f"{row['vector_entropy']:.2f} | {row['candidates']:.0f} | {row['sad_over_full']:+.1f} % | "
                     f"{row['speed']:.3g} | {rate} |")
    return "\n".join(lines) + "\n"


def mean_of(tables):
    """The table of averages over clips; a figure that one of them lacks is left out."""
    mean = []
    for rows in zip(*tables):
        averages = {key: None if any(row[key] is None for row in rows) else statistics.fmean(row[key] for row in rows)
                    for key, value in rows[0].items() if not isinstance(value, str)}
        mean.append({"search": rows[0]["search"], "what": rows[0]["what"], **averages})
    return mean


def by_clip(results):
    """A column for each clip: PSNR, SAD over full search's, BD-rate."""
    def cell(row):
        rate = "" if row["bd_rate"] is None else f", {row['bd_rate']:+.2f} %"
        return f"{row['psnr_y']:.2f} dB, {row['sad_over_full']:+.1f} %{rate}"
    lines = [f"| search | {' | '.join(results)} |", "|---" * (len(results) + 1) + "|"]
    lines += [f"| {rows[0]['search']} | {' | '.join(map(cell, rows))} |" for rows in zip(*results.values())]
    return "\n".join(lines) + "\n"


def table_command(arguments):
    figures = results_file(arguments.json, arguments.clips)
    results = {}
    for name, clip in zip(names_of(arguments.clips), arguments.clips):
        results[name] = measure_searches(arguments, clip)
        print(markdown(name, results[name]), flush=True)
    if len(results) > 1:
        print(markdown(f"mean of {len(results)} clips", mean_of(results.values())))
    print("\n".join(["| | |", "|---|---|", *(f"| {name} | {what} |" for name, what, *_ in SEARCHES)]) + "\n")
    print(by_clip(results))
    keep(figures, results)


def curves_command(arguments):
    figures = results_file(arguments.json, arguments.clips)
    if results_file(arguments.plot, [*arguments.clips, *([figures] if figures else [])]):
        check_plot(arguments.plot)
    precisions = [1, 2, 4, 8]
    results = {}
    for name, clip in zip(names_of(arguments.clips), arguments.clips):
        totals = [motion(arguments.tandem, clip, arguments.frames,
                         ["--range", "4", "--grid", p, "--precision", p]) for p in precisions]
        results[name] = [{"precision": p, **{key: total[key] for key in (
            "psnr_y", "psnr_kelly", "dfd_entropy", "vector_entropy")}} for p, total in zip(precisions, totals)]
    print("| clip | precision | PSNR Y | Kelly's PSNR | DFD bits/pel | vector bits |\n|---|---|---|---|---|---|")
    for name, rows in results.items():
        for row in rows:
            print(f"| {name} | 1/{row['precision']} | {row['psnr_y']:.2f} | {row['psnr_kelly']:.2f} | "
                  f"{row['dfd_entropy']:.3f} | {row['vector_entropy']:.2f} |")
    keep(figures, results)
    if arguments.plot:
        plot(results, arguments.plot)


def check_plot(path):
    """Before anything is measured."""
    if Path(path).suffix not in (".svg", ".png", ".pdf"):
        raise BadInput(f"--plot {path}: must end in .svg, .png or .pdf")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise Failure("plots need matplotlib: scripts/setup.sh --report") from error


def plot(results, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams["svg.hashsalt"] = "tandem"
    figure, axes = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for axis, key, title in ((axes[0], "psnr_kelly", "PSNR by Kelly's formula (dB)"),
                             (axes[1], "dfd_entropy", "entropy of the DFD (bits per pel)")):
        for name, rows in results.items():
            axis.plot(range(len(rows)), [row[key] for row in rows], marker="o", label=name)
        axis.set_xticks(range(4), ["1", "1/2", "1/4", "1/8"])
        axis.set_xlabel("precision (pels)")
        axis.set_title(title, fontsize=10)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.savefig(path, metadata={"Date": None} if str(path).endswith(".svg") else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, run_it in (("table", table_command), ("curves", curves_command)):
        command = commands.add_parser(name)
        command.set_defaults(run=run_it)
        command.add_argument("clips", nargs="+", metavar="CLIP")
        command.add_argument("--tandem", help="the command to measure (default: the newest of build/*)")
        command.add_argument("--frames", type=int, default=11, help="pictures of each clip that are searched")
        command.add_argument("--json", metavar="FILE", help="keeps the figures")
        if name == "table":
            command.add_argument("--encode-frames", type=int, default=50, help="pictures that are encoded")
            command.add_argument("--range", type=int, default=16, help="whole pels each way")
            command.add_argument("--repeat", type=count, default=5, help="runs by turns, of which speeds are medians")
        else:
            command.add_argument("--plot", metavar="FILE", help="an .svg, .png or .pdf of the curves")
    arguments = parser.parse_args()
    arguments.tandem = find_tandem(arguments.tandem)
    arguments.run(arguments)
    return 0


if __name__ == "__main__":
    main_of(main)
