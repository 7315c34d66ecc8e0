# SPDX-License-Identifier: BSD-2-Clause
"""Pictures and their true motion in the folders of Middlebury, KITTI and MPI Sintel, as those unpack.

All three say where a pel of the first picture is in the second one, first(p) = second(p + flow), so that the first is
Tandem's current picture and the second its reference. What is read here needs Python alone: paths, and the masks of
occlusion of Sintel, which are PNG of 8 bits.
"""

import array
import struct
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from clips import BadInput


@dataclass(frozen=True)
class FlowPair:
    group: str  # what a table has a row for: "clean", "final", "middlebury", "kitti 2015"
    name: str
    first: Path
    second: Path
    truth: Path
    visible: Path | None = None  # truth of the pels that the second picture shows too, where that is a file of its own
    occluded: Path | None = None  # a picture in which those that it does not show are not 0


def pictures_of(folder):
    return sorted(folder.glob("*.png"))


def middlebury(root):
    """other-gt-flow/NAME/flow10.flo with other-data/NAME/frame10.png and frame11.png (or other-data-gray)."""
    for truth in sorted(root.glob("other-gt-flow/*/flow10.flo")):
        name = truth.parent.name
        for pictures in ("other-data", "other-data-gray"):
            first, second = (root / pictures / name / f"frame{number}.png" for number in (10, 11))
            if first.is_file() and second.is_file():
                yield FlowPair("middlebury", name, first, second, truth)
                break


def kitti(root):
    """flow_occ/NNNNNN_10.png with image_2 (2015), colored_0 or image_0 (2012), and flow_noc, in training/ or here."""
    for base in (root / "training", root):
        years = {"image_2": "kitti 2015", "colored_0": "kitti 2012", "image_0": "kitti 2012"}
        for pictures, group in years.items():
            if not (base / pictures).is_dir():
                continue
            for truth in pictures_of(base / "flow_occ"):
                number = truth.stem.removesuffix("_10")
                first, second = (base / pictures / f"{number}_{part}.png" for part in (10, 11))
                visible = base / "flow_noc" / truth.name
                if truth.stem.endswith("_10") and first.is_file() and second.is_file():
                    yield FlowPair(group, number, first, second, truth, visible if visible.is_file() else None)
            return


def sintel(root):
    """flow/SCENE/frame_NNNN.flo with clean/ and final/, and occlusions/, in training/ or here."""
    for base in (root / "training", root):
        for passed in ("clean", "final"):
            for truth in sorted(base.glob("flow/*/frame_*.flo")):
                scene, number = truth.parent.name, int(truth.stem.removeprefix("frame_"))
                first, second = (base / passed / scene / f"frame_{number + later:04}.png" for later in (0, 1))
                occluded = base / "occlusions" / scene / f"frame_{number:04}.png"
                if first.is_file() and second.is_file():
                    yield FlowPair(passed, f"{scene}/{number:04}", first, second, truth, None,
                                   occluded if occluded.is_file() else None)


LAYOUTS = {"middlebury": middlebury, "kitti": kitti, "sintel": sintel}


def pairs_of(folder, layout="auto"):
    """All pairs that are whole, in order. BadInput where there are none."""
    root = Path(folder)
    if not root.is_dir():
        raise BadInput(f"{folder}: there is no such folder")
    for name in LAYOUTS if layout == "auto" else [layout]:
        if pairs := list(LAYOUTS[name](root)):
            return pairs
    words = ", ".join(f"{name}: {' '.join(made.__doc__.split())}" for name, made in LAYOUTS.items())
    raise BadInput(f"{folder}: this is not laid out as {layout}; known are {words}")


def unfiltered(kind, row, above, step):
    """A row of a PNG without its filter (ISO/IEC 15948 clause 9); `step`: bytes of a pel."""
    row = bytearray(row)
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        up = above[i]
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            near = left + up - corner
            guess = min((left, up, corner), key=lambda one: abs(near - one))
        else:
            guess = 0
        row[i] = (value + guess) & 0xFF
    return row


def read_mask(path):
    """Width, height and bytes, 0 or not, of a PNG of 8 bits grey, or of colours, of which the first counts."""
    data = Path(path).read_bytes()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise BadInput(f"{path}: this is no PNG")
    at, packed, header = 8, b"", None
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + length]
        header = chunk if kind == b"IHDR" else header
        packed += chunk if kind == b"IDAT" else b""
        at += length + 12
    if header is None or len(header) != 13:
        raise BadInput(f"{path}: this PNG has no header")
    width, height, depth, colours, _, _, interlaced = struct.unpack(">IIBBBBB", header)
    step = {0: 1, 2: 3, 4: 2, 6: 4}.get(colours, 0)
    if depth != 8 or step == 0 or interlaced:
        raise BadInput(f"{path}: a mask is a PNG of 8 bits, grey or coloured and not interlaced")
    try:
        rows = zlib.decompress(packed)
    except zlib.error as error:
        raise BadInput(f"{path}: {error}") from error
    if len(rows) != height * (1 + width * step):
        raise BadInput(f"{path}: this PNG of {width}x{height} has {len(rows)} bytes of samples")
    mask, above = bytearray(), bytes(width * step)
    for y in range(height):
        begin = y * (1 + width * step)
        above = unfiltered(rows[begin], rows[begin + 1:begin + 1 + width * step], above, step)
        mask += above[::step]
    return width, height, mask


def write_visible_truth(pair, target):
    """The .flo of a pair without the pels that its mask of occlusion has."""
    data = bytearray(pair.truth.read_bytes())
    width, height, mask = read_mask(pair.occluded)
    if data[:4] != b"PIEH" or struct.unpack("<ii", data[4:12]) != (width, height):
        raise BadInput(f"{pair.truth}: this is no .flo of {width}x{height}, as {pair.occluded} is")
    vectors = array.array("f", bytes(data[12:]))
    if sys.byteorder == "big":
        vectors.byteswap()
    for i, hidden in enumerate(mask):
        if hidden:
            vectors[2 * i] = vectors[2 * i + 1] = 1e10
    if sys.byteorder == "big":
        vectors.byteswap()
    Path(target).write_bytes(data[:12] + vectors.tobytes())
