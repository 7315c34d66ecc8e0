# SPDX-License-Identifier: BSD-2-Clause
"""Clips of the server: y4m and raw yuv, what ffmpeg reads where it is installed, and a drawn scene. Luma alone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import BinaryIO, Callable, Dict, Generator, NamedTuple, Optional, Tuple

import numpy

# Samples of both chroma planes for a picture of width x height, by y4m's colour space.
_CHROMA: Dict[str, Callable[[int, int], int]] = {
    "420": lambda width, height: 2 * ((width + 1) // 2) * ((height + 1) // 2),
    "422": lambda width, height: 2 * ((width + 1) // 2) * height,
    "444": lambda width, height: 2 * width * height,
    "mono": lambda width, height: 0,
}
#: uint8, height x width; closing it ends what reads them.
Pictures = Generator[numpy.ndarray, None, None]
_LONGEST_LINE = 4096
_MOST_SIDE = 16384


class Clip(NamedTuple):
    """Pictures that can be read from the beginning as often as one likes."""

    name: str
    width: int
    height: int
    rate: float  #: Pictures a second.
    pictures: Callable[[], Pictures]  #: ValueError where a file is broken.


def open_clip(path: str, size: Optional[Tuple[int, int]] = None, rate: Optional[float] = None) -> Clip:
    """`size` and `rate` of a raw file; its name may tell them too, as clip_352x288_30.yuv. Raises ValueError."""
    if not os.path.isfile(path):
        raise ValueError(f"{path}: there is no such file")
    lower = path.lower()
    if lower.endswith((".yuv", ".raw")):
        return _raw_clip(path, size, rate)
    if lower.endswith(".y4m"):
        return _y4m_clip(path, rate, lambda: _File(path))
    if shutil.which("ffmpeg") is None:
        raise ValueError(f"{path}: only .y4m and .yuv are read without ffmpeg, which is not installed")
    return _y4m_clip(path, rate, lambda: _FfmpegOutput(path))


class _File:
    """A stream that says nothing more when it fails."""

    def __init__(self, path: str) -> None:
        self.stream: BinaryIO = open(path, "rb")

    def close(self) -> str:
        self.stream.close()
        return ""


class _FfmpegOutput:
    """What ffmpeg makes of a file, as y4m; close() ends it and gives its last complaint."""

    def __init__(self, path: str) -> None:
        words = ["ffmpeg", "-nostdin", "-v", "error", "-i", f"file:{path}", "-map", "0:v:0", "-pix_fmt", "yuv420p"]
        self._process = subprocess.Popen(
            [*words, "-f", "yuv4mpegpipe", "-"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.stream: BinaryIO = self._process.stdout  # type: ignore[assignment]

    def close(self) -> str:
        self.stream.close()
        self._process.terminate()
        said = self._process.stderr.read().decode(errors="replace").strip()  # type: ignore[union-attr]
        self._process.stderr.close()  # type: ignore[union-attr]
        self._process.wait()
        return said.splitlines()[-1] if said else ""


def _y4m_clip(path: str, rate: Optional[float], opened: Callable[[], "_File | _FfmpegOutput"]) -> Clip:
    source = opened()
    try:
        width, height, own_rate, chroma = _y4m_header(source.stream, path)
    except ValueError as error:
        said = source.close()
        raise ValueError(said and f"{path}: {said}" or str(error)) from None
    source.close()

    def pictures() -> Pictures:
        source = opened()
        try:
            _y4m_header(source.stream, path)
            while _line(source.stream, path).startswith(b"FRAME"):
                data = source.stream.read(width * height)
                rest = source.stream.read(chroma)
                if len(data) < width * height or len(rest) < chroma:
                    return
                yield numpy.frombuffer(data, numpy.uint8).reshape(height, width)
        finally:
            source.close()

    return Clip(os.path.basename(path), width, height, rate or own_rate, pictures)


def _line(stream: BinaryIO, path: str) -> bytes:
    line = stream.readline(_LONGEST_LINE)
    if len(line) == _LONGEST_LINE:
        raise ValueError(f"{path}: a y4m header line of {_LONGEST_LINE} bytes or more")
    return line.rstrip(b"\n")


def _y4m_header(stream: BinaryIO, path: str) -> Tuple[int, int, float, int]:
    """Width, height, rate and the samples of both chroma planes."""
    words = _line(stream, path).decode("latin-1").split(" ")
    if words[0] != "YUV4MPEG2":
        raise ValueError(f"{path}: it is no y4m file")
    tags = {word[0]: word[1:] for word in reversed(words[1:]) if word}
    sides = [tags.get(name, "") for name in "WH"]
    if not all(re.fullmatch("[0-9]{1,5}", side) and 1 <= int(side) <= _MOST_SIDE for side in sides):
        raise ValueError(f"{path}: a picture of {sides[0] or '?'}x{sides[1] or '?'}; sides from 1 to {_MOST_SIDE} are allowed")
    colours = re.fullmatch("(420|422|444|mono)(jpeg|paldv|mpeg2)?", tags.get("C", "420"))
    if not colours:
        raise ValueError(f"{path}: colour space {tags['C']}; 8-bit 420, 422, 444 and mono are read")
    width, height = int(sides[0]), int(sides[1])
    ratio = re.fullmatch("([0-9]{1,9}):([0-9]{1,9})", tags.get("F", "25:1"))
    rate = int(ratio[1]) / int(ratio[2]) if ratio and int(ratio[2]) else 0.0
    return width, height, rate if 0 < rate <= 1000 else 25.0, _CHROMA[colours[1]](width, height)


def _raw_clip(path: str, size: Optional[Tuple[int, int]], rate: Optional[float]) -> Clip:
    """4:2:0, 8 bits."""
    named = re.search(r"_([0-9]{1,5})x([0-9]{1,5})(?:_([0-9]{1,3}(?:\.[0-9]{1,3})?))?", os.path.basename(path))
    if size is None and named is None:
        raise ValueError(f"{path}: its name does not tell its size (clip_352x288_30.yuv would); give it with --input-res")
    width, height = size or (int(named[1]), int(named[2]))  # type: ignore[index]
    if not (1 <= width <= _MOST_SIDE and 1 <= height <= _MOST_SIDE):
        raise ValueError(f"{path}: a picture of {width}x{height}; sides from 1 to {_MOST_SIDE} are allowed")
    own_rate = float(named[3]) if named is not None and named[3] else 25.0
    samples = width * height + _CHROMA["420"](width, height)
    length = os.path.getsize(path)
    if length < samples or length % samples:
        raise ValueError(f"{path}: {length} bytes are no whole number of {width}x{height} pictures of {samples}")

    def pictures() -> Pictures:
        with open(path, "rb") as stream:
            while len(data := stream.read(samples)) == samples:
                yield numpy.frombuffer(data, numpy.uint8, count=width * height).reshape(height, width)

    return Clip(os.path.basename(path), width, height, rate or own_rate or 25.0, pictures)


DRAWN_MOTION = (3, 1)  # Of the drawn scene's background, pels a picture.


def drawn_clip(width: int = 360, height: int = 240, rate: float = 30.0) -> Clip:
    """A texture that moves by DRAWN_MOTION, with a disc before it that moves the other way; it never ends."""
    radius = min(width, height) // 6
    y, x = numpy.ogrid[:height, :width]

    def pictures() -> Pictures:
        random = numpy.random.default_rng(1)
        ground = _texture(random, 2 * height, 2 * width, (3, 9, 31))
        disc = _texture(random, 96, 96, (3, 7))
        number = 0
        while True:
            right, down = number * DRAWN_MOTION[0], number * DRAWN_MOTION[1]
            picture = numpy.roll(ground, (down, right), axis=(0, 1))[:height, :width].copy()
            middle_x, middle_y = (width // 2 - 4 * number) % width, height // 2
            inside = (x - middle_x) ** 2 + (y - middle_y) ** 2 < radius * radius
            picture[inside] = disc[(y - middle_y) % 96, (x - middle_x) % 96][inside]
            yield picture
            number += 1

    return Clip("drawn scene", width, height, rate, pictures)


def _texture(random: numpy.random.Generator, height: int, width: int, scales: Tuple[int, ...]) -> numpy.ndarray:
    """Noise of several scales, stretched to all greys; its edges fit each other."""
    sum_of_scales = numpy.zeros((height, width))
    for scale in scales:
        noise = random.random((height, width))
        for _ in range(2):
            for axis in (0, 1):
                noise = sum(numpy.roll(noise, shift, axis) for shift in range(scale))
        sum_of_scales += (noise - noise.mean()) / noise.std()
    low, high = numpy.percentile(sum_of_scales, (1, 99))
    return numpy.clip(30 + (sum_of_scales - low) / (high - low) * 195, 0, 255).astype(numpy.uint8)
