# SPDX-License-Identifier: BSD-2-Clause
"""One client. The newest frame is searched next; one that a newer one overtakes is left out, and nothing queues.

Everything here runs on the event loop's thread, so nothing is locked. An answer is made only while the client has
acknowledged all but one of those before it: a slow client gets fewer and newer ones.
"""

from __future__ import annotations

import asyncio
import collections
import time
from typing import Any, Awaitable, Callable, Deque, Dict, NamedTuple, Optional, Sequence

from . import wire
from .searcher import Found, Searcher
from .settings import MOST_BACK, Row, Settings, defaults, read

MOST_UNREAD = 2  # Answers on their way to a client.


class _Job(NamedTuple):
    frame: wire.Frame
    arrived: float  # time.perf_counter()
    is_clips: bool  # The client does not have its samples.
    is_again: bool  # Searched before, with other settings.


class Allowance:
    """At most `rate` events a second, a few of them at once."""

    def __init__(self, rate: float) -> None:
        self._rate, self._most = rate, max(1.0, rate / 10)
        self._left, self._then = self._most, time.perf_counter()

    def take(self) -> bool:
        now = time.perf_counter()
        self._left = min(self._most, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Session:
    """`send_record` and `send_message` give a record, or a dict, to the client; they may wait."""

    def __init__(
        self,
        searcher: Searcher,
        rows: Sequence[Row],
        most_rate: float,
        send_record: Callable[[bytes], Awaitable[None]],
        send_message: Callable[[Dict[str, Any]], Awaitable[None]],
    ) -> None:
        self._searcher, self._rows = searcher, rows
        self._allowance = Allowance(most_rate)
        self._send_record, self._send_message = send_record, send_message
        self.settings: Settings = defaults(rows)
        self.serial = 0
        self.taken = self.searched = 0  # Frames.
        self._history: Deque[wire.Frame] = collections.deque(maxlen=MOST_BACK + 1)
        self._waiting: Optional[_Job] = None
        self._last: Optional[_Job] = None
        self._unread = 0
        self._wake = asyncio.Event()

    def take(self, frame: wire.Frame, is_clips: bool = False) -> None:
        """A frame that has come; one beyond the client's rate is dropped."""
        if not is_clips and not self._allowance.take():
            return
        if self._history and self._history[-1].samples.shape != frame.samples.shape:
            self.forget()
        self.taken += 1
        self._history.append(frame)
        self._waiting = self._last = _Job(frame, time.perf_counter(), is_clips, False)
        self._wake.set()

    def forget(self) -> None:
        """What comes next has nothing to do with what was before."""
        self._history.clear()
        self._waiting = self._last = None

    def change(self, given: Dict[str, Any], serial: int) -> None:
        """New settings, from the next search on; while no frames come the last one is searched again. ValueError."""
        self.settings = read(self._rows, given, self.settings)
        self.serial = serial
        if self._waiting is None and self._last is not None:
            self._waiting = self._last._replace(arrived=time.perf_counter(), is_again=True)
        self._wake.set()

    def acknowledge(self) -> None:
        """The client has an answer."""
        self._unread = max(0, self._unread - 1)
        self._wake.set()

    async def run(self) -> None:
        """Searches until it is cancelled or the client is gone."""
        while True:
            while self._waiting is None or self._unread >= MOST_UNREAD:
                self._wake.clear()
                await self._wake.wait()
            job, self._waiting = self._waiting, None
            await self._answer(job)

    async def _answer(self, job: _Job) -> None:
        settings, serial = self.settings, self.serial
        # The job is always of the newest frame, so the reference lies as many places before the end.
        if len(self._history) <= settings.reference:
            await self._send_message({"unsearched": job.frame.number, "why": "its reference is not there yet"})
            return
        reference = self._history[-1 - settings.reference]
        try:
            found = await self._searcher.find(job.frame.samples, reference.samples, settings)
        except (ValueError, RuntimeError) as error:
            await self._send_message({"unsearched": job.frame.number, "why": str(error), "refused": str(error)})
            return
        self.searched += 1
        self._unread += 1
        await self._send_record(wire.pack_answer(_answer_of(job, reference, settings, serial, found)))


def _answer_of(job: _Job, reference: wire.Frame, settings: Settings, serial: int, found: Found) -> wire.Answer:
    height, width = job.frame.samples.shape
    return wire.Answer(
        job.frame.number,
        job.frame.time,
        (width, height),
        settings.block,
        found.fields,
        found.search_ms,
        found.psnr,
        found.psnr_unmoved,
        1000 * (time.perf_counter() - job.arrived),
        reference.number,
        serial,
        found.differ,
        job.is_again,
        job.frame.samples if job.is_clips else None,
        found.prediction,
    )
