# SPDX-License-Identifier: BSD-2-Clause
"""What the measuring scripts share: clips (any video file as a .y4m file with known size, rate, frame count and
checksum), files of results, running commands, and how a script ends."""

import argparse
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
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
    except OSError as error:
        raise Failure(f"{command[0]} cannot be run: {error.strerror}") from error
    if done.returncode != 0:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-12:])
        raise failure_of(command, done.returncode, said)
    return done


def failure_of(command, code, said):
    """What ends the script where a command failed. From tandem code 2 says that what the user gave is the reason."""
    text = f"exit code {code} from: {' '.join(map(str, command))}" + (f"\n{said}" if said else "")
    is_tandem = Path(command[0]).name.startswith("tandem")
    return BadInput(text) if is_tandem and code == BadInput.code else Failure(text)


def processor_seconds(command):
    """Runs a command and returns the processor time of all its threads."""
    with tempfile.TemporaryFile() as said:
        words = [str(word) for word in command]
        try:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        except FileNotFoundError as error:
            raise Failure(f"{words[0]} was not found: {error}") from error
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            tail = said.read()[-2000:].decode(errors="replace")
            raise failure_of(words, process.returncode, tail)
    return usage.ru_utime + usage.ru_stime


def count(text):
    """A number of things, for argparse."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: must be 1 or more")
    return int(text)


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
    if not os.path.isfile(path):
        raise BadInput(f"{path}: no such file")
    with open(path, "rb") as stream:
        line = stream.readline(4096)
    if not line.startswith(b"YUV4MPEG2") or not line.endswith(b"\n"):
        raise BadInput(f"{path}: not a y4m file")
    tags = {word[0]: word[1:] for word in line.decode("ascii", "replace").split()[1:]}
    for tag, form in (("W", r"[1-9]\d*"), ("H", r"[1-9]\d*"), ("F", r"[1-9]\d*:[1-9]\d*")):
        if not re.fullmatch(form, tags.get(tag, "25:1" if tag == "F" else "")):
            raise BadInput(f"{path}: the header's {tag} is {tags.get(tag, 'not there')}")
    if not re.match(r"420(jpeg|paldv|mpeg2)?$", tags.get("C", "420")):
        raise BadInput(f"{path}: chroma format C{tags['C']} is not 8-bit 4:2:0")
    numerator, _, denominator = tags.get("F", "25:1").partition(":")
    return int(tags["W"]), int(tags["H"]), Fraction(int(numerator), int(denominator)), len(line)


@contextlib.contextmanager
def new_file(target):
    """Where a new file's bytes go. It is there when they all are; an interrupt or a full disk leaves nothing."""
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        part = Path(folder) / target.name
        with part.open("wb") as stream:
            yield stream
        part.rename(target)


def results_file(text, inputs):
    """Where results are to be kept (None: nowhere), before they are measured: a pipe or device, or a file that can be
    made and is none of the inputs."""
    if not text:
        return None
    path = Path(text)
    if path.exists() and not path.is_file() and not path.is_dir():
        return path
    path = path.resolve()
    if path.is_dir():
        raise BadInput(f"{text}: is a folder")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise BadInput(f"{text}: there is no folder {path.parent} that can be written to")
    if path in [Path(one).resolve() for one in inputs]:
        raise BadInput(f"{text} is an input: results would overwrite it")
    return path


def keep(path, results):
    """Writes results to a file of results_file(), a plain one whole or not at all."""
    text = json.dumps(results, indent=1) + "\n"
    if path and path.exists() and not path.is_file():
        path.write_text(text)
    elif path:
        with new_file(path) as stream:
            stream.write(text.encode())


def names_of(paths):
    """A name for each clip: its file's without the ending, and the path where two have the same."""
    for path in paths:
        if paths.count(path) > 1:
            raise BadInput(f"{path}: given twice")
    stems = [Path(path).stem for path in paths]
    return [stem if stems.count(stem) == 1 else str(path) for stem, path in zip(stems, paths)]


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
        raise BadInput(f"{path}: no such file")
    whole = decoded(original.resolve(), cache)
    width, height, rate, header = header_of(whole)
    picture = width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    # "FRAME\n" before each picture; the marker may carry parameters, which no tool here writes.
    pictures, rest = divmod(whole.stat().st_size - header, picture + 6)
    if rest:
        raise BadInput(f"{whole}: cut off, {rest} bytes beyond {pictures} pictures")
    if frames is not None and frames < pictures:
        whole = first_pictures(whole, header + frames * (picture + 6), frames, cache)
        pictures = frames
    return Clip(original.stem, whole, width, height, rate, pictures, file_md5(whole))


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
        return str(Path(given).resolve()) if Path(given).exists() else shutil.which(given) or given
    root = Path(__file__).resolve().parent.parent
    found = sorted(root.glob("build/*/app/tandem"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise Failure("no tandem in build/*/app: build it (cmake --workflow --preset release) or give --tandem PATH")
    return str(found[-1])


def main_of(main):
    """Runs a script to its exit code; a failure, of the system too, is a line that says so."""
    try:
        sys.exit(main())
    except (Failure, OSError) as failure:
        print(f"{Path(sys.argv[0]).name}: {failure}", file=sys.stderr)
        sys.exit(getattr(failure, "code", Failure.code))
    except KeyboardInterrupt:
        sys.exit(130)
