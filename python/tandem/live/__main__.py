# SPDX-License-Identifier: BSD-2-Clause
"""python -m tandem.live: the server until Ctrl-C, or the bench."""

from __future__ import annotations

import asyncio
import signal
import sys
import webbrowser
from argparse import Namespace
from typing import List, Optional

from .options import parser

try:
    from .bench import run_bench
    from .server import Limits, Server, is_loopback, new_token
except ImportError as error:
    if error.name is None or error.name.split(".")[0] != "aiohttp":
        raise
    print("tandem live: aiohttp is missing; install it with: pip install '.[live]' in Tandem's sources, "
          "or apt-get install python3-aiohttp", file=sys.stderr)  # fmt: skip
    sys.exit(2)

from .clips import Clip, drawn_clip, open_clip
from .searcher import Searcher, devices_here


async def _serve(server: Server, options: Namespace) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    try:
        await server.start(options.host, options.port)
    except OSError as error:
        raise RuntimeError(f"{options.host}:{options.port}: {error.strerror or error}") from None
    print(f"tandem live: {server.address}  (Ctrl-C ends it)", flush=True)
    if options.open:
        webbrowser.open(server.address)
    await ended.wait()
    await server.stop()


async def _bench(server: Server, clip: Clip, options: Namespace) -> None:
    await server.start()
    try:
        result = await run_bench(server, clip, options.frames, options.rate)
    finally:
        await server.stop()
    print(f"{clip.name}, {clip.width}x{clip.height}\n{result.text()}")


def _clip(options: Namespace) -> Clip:
    clip = open_clip(options.clip, options.input_res, options.fps) if options.clip else drawn_clip()
    if clip.width * clip.height > options.max_size[0] * options.max_size[1]:
        limit = "x".join(map(str, options.max_size))
        raise ValueError(f"{clip.name}: {clip.width}x{clip.height} is larger than --max-size {limit}")
    return clip


def main(words: Optional[List[str]] = None) -> int:
    options = parser().parse_args(words)
    try:
        clip = _clip(options)
        limits = Limits(options.max_size[0] * options.max_size[1], float(options.max_rate), options.clients)
        if options.bench:
            limits = limits._replace(rate=float("inf"))
        token = "" if options.bench or is_loopback(options.host) else new_token()
        searcher = Searcher(devices_here(options.threads), options.threads)
        server = Server(searcher, clip, limits, token, options.given)
        asyncio.run(_bench(server, clip, options) if options.bench else _serve(server, options))
    except ValueError as error:
        print(f"tandem live: {error}", file=sys.stderr)
        return 2
    except (OSError, RuntimeError) as error:
        print(f"tandem live: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
