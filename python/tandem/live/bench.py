# SPDX-License-Identifier: BSD-2-Clause
"""The whole path without a browser: a client in this process sends a clip's pictures through the socket, takes the
fields and unpacks them."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Dict, List, NamedTuple, Optional

import aiohttp

from . import wire
from .clips import Clip
from .figures import Spread, rate_of, spread_of
from .server import Server

_UNANSWERED = 2  # Frames that the client sends before it waits, as the page does.
_LOST_S = 5.0  # After so long an answer is no longer waited for.


class Result(NamedTuple):
    """Times in milliseconds, rates in frames a second."""

    came: int
    searched: int
    rate_in: float
    rate_searched: float
    latency: Spread  #: From the frame's capture to its field, unpacked.
    search: Spread  #: Alone, of the first device.
    psnr: float  #: Of the predictions, the mean; infinite ones are left out.

    def text(self) -> str:
        lines = [
            f"frames in    {self.came}, {self.rate_in:.1f} a second",
            f"searched     {self.searched}, {self.rate_searched:.1f} a second",
            f"left out     {self.came - self.searched}",
            f"latency      median {self.latency.median:.2f} ms, 95 % within {self.latency.percentile_95:.2f} ms",
            f"search alone median {self.search.median:.2f} ms, 95 % within {self.search.percentile_95:.2f} ms",
            f"prediction   PSNR {self.psnr:.2f} dB",
        ]
        return "\n".join(lines)


class _Client:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.answers: List[wire.Answer] = []
        self.taken_at: List[float] = []
        self.sent_at: Dict[int, float] = {}
        self.why = ""
        self._done = 0  # Number of the last frame that was answered or left out.
        self._heard = asyncio.Event()

    def unanswered(self) -> int:
        now = time.perf_counter()
        return sum(1 for number, then in self.sent_at.items() if number > self._done and now - then < _LOST_S)

    async def quiet(self) -> None:
        """Until nothing is unanswered."""
        while self.unanswered():
            self._heard.clear()
            try:
                await asyncio.wait_for(self._heard.wait(), _LOST_S)
            except asyncio.TimeoutError:
                return

    async def send(self, frame: wire.Frame) -> None:
        self.sent_at[frame.number] = time.perf_counter()
        await self._socket.send_bytes(wire.pack_frame(frame))

    async def listen(self) -> None:
        async for message in self._socket:
            if message.type == aiohttp.WSMsgType.BINARY:
                answer = wire.unpack_answer(message.data)
                self.taken_at.append(time.perf_counter())
                self.answers.append(answer)
                self._done = answer.number
                await self._socket.send_str('{"got": %d}' % answer.number)
            elif message.type == aiohttp.WSMsgType.TEXT:
                self._note(json.loads(message.data))
            self._heard.set()

    def _note(self, words: Dict[str, Any]) -> None:
        if "unsearched" in words:
            self._done = max(self._done, words["unsearched"])
            self.why = words.get("refused", self.why)


async def run_bench(server: Server, clip: Clip, frames: int, rate: Optional[float] = None) -> Result:
    """`rate` of frames a second; 0: each as soon as the one before it is answered. Raises ValueError for a search that
    is refused and for a clip of fewer than two pictures."""
    rate = clip.rate if rate is None else rate
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(server.address + "socket", max_msg_size=0) as socket:
            client = _Client(socket)
            listening = asyncio.ensure_future(client.listen())
            came_at = await _send_clip(client, clip, frames, rate)
            await client.quiet()
            await socket.close()
            await listening
    if not client.answers:
        raise ValueError(client.why or f"{clip.name}: no picture was searched")
    return _result(client, came_at)


async def _send_clip(client: _Client, clip: Clip, frames: int, rate: float) -> List[float]:
    """When each frame came; one that comes while two are unanswered is left out, as in the page."""
    came_at: List[float] = []
    due = time.perf_counter()
    pictures = clip.pictures()
    for number in range(1, frames + 1):
        picture = await asyncio.to_thread(next, pictures, None)
        if picture is None:
            break
        if rate == 0:
            await client.quiet()
        due += 1 / rate if rate else 0
        came_at.append(time.perf_counter())
        if client.unanswered() < _UNANSWERED:
            await client.send(wire.Frame(number, 1000 * came_at[-1], picture))
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
    return came_at


def _result(client: _Client, came_at: List[float]) -> Result:
    latencies = [1000 * then - answer.time for then, answer in zip(client.taken_at, client.answers)]
    finite = [answer.psnr for answer in client.answers if answer.psnr < float("inf")]
    return Result(
        len(came_at),
        len(client.answers),
        rate_of(came_at),
        rate_of(client.taken_at),
        spread_of(latencies),
        spread_of(answer.search_ms[0] for answer in client.answers),
        sum(finite) / len(finite) if finite else float("inf"),
    )
