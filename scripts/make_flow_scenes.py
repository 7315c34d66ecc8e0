#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Scenes of `tandem synth` laid out as MPI Sintel: pictures, flow at every pel and masks of what is hidden.

    scripts/make_flow_scenes.py FOLDER [--scene NAME]... [--pairs N]

So programs that read Sintel can be held against motion that is known exactly where no data set is at hand. Sintel's
flow leads from a picture to the one after it, Tandem's vectors to the one before: pictures stand here in reverse.
"""

import argparse
import array
import math
import struct
import sys
import tempfile
import zlib
from pathlib import Path

from clips import BadInput, count, find_tandem, header_of, main_of, run

SCENES = ["pan", "objects", "occlusion", "noise", "fade", "repeats", "blur"]


def write_grey_png(path, width, height, samples):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + samples[y * width:(y + 1) * width] for y in range(height))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                     + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def luma_pictures(path):
    width, height, _, at = header_of(path)
    data = Path(path).read_bytes()
    step = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    while at < len(data):
        at = data.index(b"\n", at) + 1
        yield data[at:at + width * height]
        at += step


def fields_of(path, vectors):
    """The pairs of a .npy that tandem synth --truth wrote, each an array of `vectors` x and y."""
    data = Path(path).read_bytes()
    at = 10 + int.from_bytes(data[8:10], "little")
    size = 8 * vectors
    for begin in range(at, len(data), size):
        field = array.array("f", data[begin:begin + size])
        if sys.byteorder == "big":
            field.byteswap()
        yield field


def write_flow(path, width, height, field):
    known = array.array("f", (1e10 if math.isnan(number) else number for number in field))
    if sys.byteorder == "big":
        known.byteswap()
    path.write_bytes(b"PIEH" + struct.pack("<ii", width, height) + known.tobytes())


def make_scene(arguments, scene, root):
    folders = {name: root / "training" / name / scene for name in ("clean", "flow", "occlusions")}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        clip, truths = Path(made) / "clip.y4m", {}
        for hidden in ("unknown", "counted"):
            truths[hidden] = Path(made) / f"{hidden}.npy"
            run([arguments.tandem, "synth", "--scene", scene, "--size", arguments.size, "--frames", arguments.pairs + 1,
                 "-o", clip, "--truth", truths[hidden], "--block", "1", "--hidden", hidden, "--quiet"])
        width, height, _, _ = header_of(clip)
        numbered = "frame_{:04}.{}".format
        for n, picture in enumerate(luma_pictures(clip)):
            write_grey_png(folders["clean"] / numbered(arguments.pairs + 1 - n, "png"), width, height, picture)
        fields = zip(*(fields_of(truths[hidden], width * height) for hidden in ("counted", "unknown")))
        for n, (whole, seen) in enumerate(fields, 1):
            number = arguments.pairs + 1 - n
            write_flow(folders["flow"] / numbered(number, "flo"), width, height, whole)
            mask = bytes(255 if math.isnan(x) else 0 for x in seen[::2])
            write_grey_png(folders["occlusions"] / numbered(number, "png"), width, height, mask)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", help="new, or empty")
    parser.add_argument("--tandem", help="the command that draws (default: the newest of build/*)")
    parser.add_argument("--scene", action="append", metavar="NAME", help="of tandem synth; several with several")
    parser.add_argument("--size", default="352x288")
    parser.add_argument("--pairs", type=count, default=4)
    arguments = parser.parse_args()
    arguments.tandem = find_tandem(arguments.tandem)
    root = Path(arguments.folder)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise BadInput(f"{root}: this is there already")
    for scene in arguments.scene or SCENES:
        make_scene(arguments, scene, root)
    return 0


if __name__ == "__main__":
    main_of(main)
