# SPDX-License-Identifier: BSD-2-Clause
"""The words of the command line. `tandem live` has the same options, as rows in app/live/."""

from __future__ import annotations

import argparse
import re
from typing import Dict, List, Optional, Tuple

_MOST_SIDE = 16384


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m tandem.live",
        description="Shows the motion of a camera, a file or a clip in the browser, live.",
        epilog="Exit codes: 0 ended by Ctrl-C, 1 failed while running, 2 bad usage or bad input.",
        allow_abbrev=False,
    )
    made.add_argument("--clip", metavar="FILE", help="a clip that the page can play: y4m, yuv, or what ffmpeg reads")
    made.add_argument("--input-res", metavar="WxH", type=_size, help="the size of a .yuv clip whose name does not tell it")
    made.add_argument("--fps", metavar="F", type=_rate, help="the clip's rate; overrides what it says")
    made.add_argument("--host", metavar="HOST", default="127.0.0.1",
                      help="the address to listen at; another than the loopback's has a token [127.0.0.1]")
    made.add_argument("--port", metavar="N", type=_whole(0, 65535), default=8360, help="0: any that is free [8360]")
    made.add_argument("--open", action="store_true", help="opens the page in a browser here")
    made.add_argument("--clients", metavar="N", type=_whole(1, 64), default=4, help="at most so many at once [4]")
    made.add_argument("--max-size", metavar="WxH", type=_size, default=(1920, 1088),
                      help="frames of at most so many samples [1920x1088]")
    made.add_argument("--max-rate", metavar="N", type=_whole(1, 1000), default=120,
                      help="at most so many frames a second of one client [120]")
    made.add_argument("--threads", metavar="N", type=_whole(0, 1024), default=0, help="of the CPU's searches; 0: all [0]")
    made.add_argument("--set", metavar="NAME=VALUE,...", type=_settings, default={}, dest="given",
                      help="the first settings, as search=hexagon,range=32; names as in docs/live.md")
    made.add_argument("--bench", action="store_true", help="no page: sends the clip through the whole path and prints figures")
    made.add_argument("--frames", metavar="N", type=_whole(2, 10**6), default=300, help="of the bench [300]")
    made.add_argument("--rate", metavar="F", type=_rate_or_0,
                      help="of the bench's frames; 0: as fast as answers come [the clip's]")
    return made  # fmt: skip


def _whole(least: int, most: int):
    def read(text: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r}; a whole number from {least} to {most} is wanted")
        return int(text)

    return read


def _size(text: str) -> Tuple[int, int]:
    found = re.fullmatch("([0-9]{1,5})x([0-9]{1,5})", text)
    if not found or not all(1 <= int(side) <= _MOST_SIDE for side in found.groups()):
        raise argparse.ArgumentTypeError(f"{text!r}; WxH with sides from 1 to {_MOST_SIDE} is wanted")
    return int(found[1]), int(found[2])


def _rate_or_0(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(?:/([0-9]{1,6}))?", text)
    value = float(found[1]) / float(found[2] or 1) if found and float(found[2] or 1) else -1.0
    if not 0 <= value <= 1000:
        raise argparse.ArgumentTypeError(f"{text!r}; a number up to 1000, or N/D, is wanted")
    return value


def _rate(text: str) -> float:
    value = _rate_or_0(text)
    if value == 0:
        raise argparse.ArgumentTypeError(f"{text!r}; more than 0 is wanted")
    return value


def _settings(text: str) -> Dict[str, str]:
    pairs: List[List[str]] = [part.split("=", 1) for part in text.split(",")]
    wrong: Optional[List[str]] = next((pair for pair in pairs if len(pair) != 2 or not pair[0]), None)
    if wrong is not None:
        raise argparse.ArgumentTypeError(f"{'='.join(wrong)!r}; NAME=VALUE is wanted")
    return dict(pairs)  # type: ignore[arg-type]
