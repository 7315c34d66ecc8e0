# SPDX-License-Identifier: BSD-2-Clause
"""Shared by the scripts around `tandem compare`: finds it, runs it here or on many machines, reads its summary."""

import argparse
import concurrent.futures
import contextlib
import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

from clips import BadInput, Failure, count, failure_of, find_tandem


def parser_of(text):
    """Words after -- go to tandem compare as they are."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+", metavar="CLIP", help="any file that tandem reads")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER",
                        help="gets results.jsonl and the report; what is there is not run again")
    parser.add_argument("--tandem", metavar="PATH", help="the command (default: the newest in build/)")
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT",
                        help="a Dask scheduler whose workers run the points (they need the same paths); "
                             "default: this machine")
    parser.add_argument("--jobs", type=count, metavar="N",
                        help="points at a time on this machine; default: tandem's own loop, one by one")
    return parser


def parse(parser, words=None):
    words = sys.argv[1:] if words is None else words
    cut = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:cut])
    options.more = words[cut + 1:]
    return options


def point_task():
    """What a worker does for a point, as a function that is sent whole: workers do not have this file."""
    def run_point(command, key):
        import subprocess
        done = subprocess.run([*command, "--point", key], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"point {key}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout
    return run_point


@contextlib.contextmanager
def only_writer(path):
    """A results file under tandem compare's own lock, less what a killed run left of a last line; and its keys."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as results:
        try:
            fcntl.flock(results, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Failure(f"{path}: another tandem compare writes to it") from error
        results.seek(0)
        text = results.read()
        whole = text.rfind(b"\n") + 1
        results.truncate(whole)
        yield results, keys_of(path, text[:whole])


def keys_of(path, text):
    keys = set()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            keys.add(json.loads(line)["key"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise BadInput(f"{path} line {number} is no result of tandem compare") from error
    return keys


def run_points(submit, command, keys, results):
    """Hands out all points and appends each line as it comes; a point that fails does not stop the others."""
    failed = []
    task = point_task()
    waiting = {submit(task, command, key): key for key in keys}
    for number, (future, key) in enumerate(completed(waiting), 1):
        try:
            line = future.result()
        except Exception as error:  # A worker's failure may be of any kind.
            failed.append(f"{key}: {error}")
            continue
        results.write(line.encode())
        results.flush()
        print(f"[{number}/{len(keys)}] {key}", file=sys.stderr)
    if failed:
        raise Failure(f"{len(failed)} of {len(keys)} points failed:\n" + "\n".join(failed))


def completed(waiting):
    """(future, key) in the order in which they finish; Dask's futures and the standard library's."""
    first = next(iter(waiting), None)
    if first is None or isinstance(first, concurrent.futures.Future):
        done = concurrent.futures.as_completed(waiting)
    else:
        from dask.distributed import as_completed
        done = as_completed(list(waiting), raise_errors=False)
    return ((future, waiting[future]) for future in done)


def listed_points(command):
    """{key: series' name} of all that a command of tandem compare would run."""
    listed = checked([*command, "--list-points"], capture_output=True, text=True).stdout
    rows = [line.split("\t") for line in listed.splitlines()]
    return {row[1]: row[3] for row in rows}


def sweep(command, path, scheduler, jobs):
    """Every point that the file of results lacks, a task a point."""
    keys = listed_points(command)
    with only_writer(path) as (results, finished):
        missing = [key for key in keys if key not in finished]
        if scheduler:
            sweep_on_dask(command, missing, results, scheduler)
        else:
            sweep_here(command, missing, results, jobs)


def sweep_on_dask(command, missing, results, scheduler):
    try:
        from dask.distributed import Client
    except ImportError as error:
        raise Failure("--scheduler needs Dask: pip install distributed==2024.9.1") from error
    with Client(scheduler) as client:
        run_points(lambda *task: client.submit(*task, pure=False), command, missing, results)


def sweep_here(command, missing, results, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            run_points(pool.submit, command, missing, results)
        except BaseException:
            # An interrupt too: the pool would run all that waits before it ends.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def checked(command, **options):
    try:
        done = subprocess.run(command, check=False, **options)
    except OSError as error:
        raise Failure(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        raise failure_of(command, done.returncode, (done.stderr or "")[-2000:])
    return done


def compare_command(options, words, folder, program):
    return [program, "compare", *(os.path.abspath(clip) for clip in options.clips), "-o", str(folder.resolve()), *words]


def compare(options, words):
    """Runs tandem compare and returns its summary."""
    run(options, compare_command(options, words, options.output, find_tandem(options.tandem)), options.output)
    return summary_of(options.output)


def run(options, command, folder):
    """A command of tandem compare into its folder, here or on many machines."""
    if options.scheduler or options.jobs:
        sweep(command, folder / "results.jsonl", options.scheduler, options.jobs)
    checked(command)


NUMBER = (int, float)
MAYBE_TEXT = (str, type(None))
# What the scripts read of each list's rows: a value of a type, or the place of a row in the list of a name.
ROWS = {
    "clips": {"name": str, "width": NUMBER, "height": NUMBER, "frames": NUMBER},
    "series": {"name": str, "encoder": str, "codec": str, "options": str, "search": MAYBE_TEXT, "device": MAYBE_TEXT},
    "points": {"clip": "clips", "series": "series", "kbps": NUMBER},
    "differences": {"clip": "clips", "test": "series", "anchor": "series", "measure": str, "rate": dict,
                    "quality": dict},
    "speed": {"clip": "clips", "series": "series", "fps": NUMBER, "encode_ms": NUMBER},
    "motion": {"clip": "clips", "cpu": "series", "motion_ms": list},
    "made_by": {name: MAYBE_TEXT for name in ("cpu", "gpu", "simd", "command")},
}


def is_kind(value, kind, summary):
    if isinstance(kind, str):
        return isinstance(value, int) and 0 <= value < len(summary[kind])
    return isinstance(value, kind)


def fault_of(summary):
    """The first thing that no summary of tandem compare has, or None."""
    if not isinstance(summary, dict):
        return "it is no object"
    for name, kinds in ROWS.items():
        rows = summary.get(name)
        if not isinstance(rows, list):
            return f"it has no list {name}"
        for i, row in enumerate(rows):
            if not isinstance(row, dict):
                return f"{name}[{i}] is no object"
            for key, kind in kinds.items():
                if not is_kind(row.get(key), kind, summary):
                    return f"{key} of {name}[{i}] is {json.dumps(row.get(key))}"
    anchor = summary.get("anchor")
    return None if is_kind(anchor, "series", summary) else f"anchor is {json.dumps(anchor)}"


def summary_of(folder):
    path = Path(folder) / "summary.json"
    try:
        summary = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadInput(f"{path}: not there; run tandem compare first") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: is no JSON: {error}") from error
    if fault := fault_of(summary):
        raise BadInput(f"{path}: is no summary of tandem compare: {fault}")
    return summary


def difference(summary, clip, test, anchor=None, kind="rate", measure="psnr_y", fit="pchip"):
    """tandem's figure for one clip, or None where it refused."""
    anchor = summary["anchor"] if anchor is None else anchor
    if anchor == test:
        return 0.0
    for one in summary["differences"]:
        if (one["clip"], one["test"], one["anchor"], one["measure"]) == (clip, test, anchor, measure):
            return one[kind].get(fit)
    return None


def mean_difference(summary, test, **which):
    values = [difference(summary, clip, test, **which) for clip in range(len(summary["clips"]))]
    return None if None in values else sum(values) / len(values)


def percent(value):
    return "–" if value is None else f"{value:+.2f} %"


def show(head, rows):
    """A table with the first column to the left."""
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(str(cell).ljust(width) if i == 0 else str(cell).rjust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))))
