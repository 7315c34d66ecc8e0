# SPDX-License-Identifier: BSD-2-Clause
"""Clips for the measuring scripts: any video file as a .y4m file with known size, rate, frame count and checksum."""

import contextlib
import hashlib
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path


class Failure(Exception):
    """Something that ends the script with a message instead of a traceback."""
    code = 1


class BadInput(Failure):
    """What the user gave is the reason."""
    code = 2


@dataclass(frozen=True)
class Clip:
    name: str
    path: Path  # a .y4m file, 4:2:0 8-bit
    width: int
    height: int
    rate: Fraction
    frames: int
    md5: str


def run(command, **options):
    """Runs a command to its end; a failure names the command and shows the end of what it said."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, stdin=subprocess.DEVNULL, text=True,
                              errors="replace", check=False, **options)
    except FileNotFoundError as error:
        raise Failure(f"{command[0]} was not found: {error}") from error
    if done.returncode != 0:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
        raise Failure(f"exit code {done.returncode} from: {' '.join(str(word) for word in command)}\n{said}")
    return done


def ffmpeg_version():
    return run(["ffmpeg", "-version"]).stdout.split()[2]


def default_cache():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "tandem-measure"


def file_md5(path):
    digest = hashlib.md5(usedforsecurity=False)
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def header_of(path):
    """Width, height, frame rate and the byte length of a y4m file's header line."""
    with open(path, "rb") as stream:
        line = stream.readline(4096)
    if not line.startswith(b"YUV4MPEG2") or not line.endswith(b"\n"):
        raise Failure(f"{path}: not a y4m file")
    tags = {word[0]: word[1:] for word in line.decode("ascii", "replace").split()[1:]}
    if not re.match(r"420(jpeg|paldv|mpeg2)?$", tags.get("C", "420")):
        raise Failure(f"{path}: chroma format C{tags['C']} is not 8-bit 4:2:0")
    numerator, _, denominator = tags.get("F", "25:1").partition(":")
    return int(tags["W"]), int(tags["H"]), Fraction(int(numerator), int(denominator)), len(line)


@contextlib.contextmanager
def new_file(target):
    """Where the bytes of a new file go, which is there when they all are; an interrupt or a full disk leaves nothing."""
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        part = Path(folder) / target.name
        with part.open("wb") as stream:
            yield stream
        part.rename(target)


def decoded(path, cache):
    """The clip as y4m: itself, or decoded once into the cache under the checksum of the file."""
    with open(path, "rb") as stream:
        if stream.read(9) == b"YUV4MPEG2":
            return path
    target = cache / f"{path.stem}.{file_md5(path)[:12]}.y4m"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            part = Path(folder) / "clip.y4m"
            run(["ffmpeg", "-v", "error", "-i", path, "-map", "0:v:0", "-pix_fmt", "yuv420p", "-strict", "-1", part])
            part.rename(target)
    return target


def open_clip(path, cache, frames=None):
    """Clip of the first `frames` pictures of a file (all of them where that is None)."""
    original = Path(path)
    if not original.is_file():
        raise Failure(f"{path}: no such file")
    whole = decoded(original.resolve(), cache)
    width, height, rate, header = header_of(whole)
    picture = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    # "FRAME\n" before each picture; the marker may carry parameters, which no tool here writes.
    count, rest = divmod(whole.stat().st_size - header, picture + 6)
    if rest:
        raise Failure(f"{whole}: cut off, {rest} bytes beyond {count} pictures")
    if frames is not None and frames < count:
        whole = first_pictures(whole, header + frames * (picture + 6), frames, cache)
        count = frames
    return Clip(original.stem, whole, width, height, rate, count, file_md5(whole))


def first_pictures(path, size, frames, cache):
    """The first `size` bytes of a y4m file as a file of its own, so that every program sees the same clip."""
    target = cache / f"{path.stem}.{file_md5(path)[:12]}.first{frames}.y4m"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        with new_file(target) as part, open(path, "rb") as stream:
            while size > 0 and (block := stream.read(min(size, 1 << 20))):
                part.write(block)
                size -= len(block)
    return target


def find_tandem(given):
    """The command to measure: as given, else the newest of the usual build folders of this checkout."""
    if given:
        return str(Path(given).resolve())
    root = Path(__file__).resolve().parent.parent
    found = sorted(root.glob("build/*/app/tandem"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise Failure("no tandem in build/*/app: build it (cmake --workflow --preset release) or give --tandem PATH")
    return str(found[-1])
