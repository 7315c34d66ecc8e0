# SPDX-License-Identifier: BSD-2-Clause
"""Plays the server's clip to one client, round and round, at the clip's own rate."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Optional

import numpy

from . import wire
from .clips import Clip, Pictures
from .session import Session

ORDERS = ("play", "pause", "step", "off")
_MOST_LATE = 0.25  # Seconds behind the clip's rate, from which on it begins anew instead of hurrying.


class Player:
    """Told what to do by order(); nothing is played before."""

    def __init__(self, clip: Clip, session: Session) -> None:
        self._clip, self._session = clip, session
        self._order = "off"
        self._changed = asyncio.Event()
        self._pictures: Optional[Pictures] = None
        self._number = 0

    def order(self, word: str) -> None:
        """One of ORDERS; ValueError for another."""
        if word not in ORDERS:
            raise ValueError(f"clip: {word!r}; one of {', '.join(ORDERS)} is wanted")
        self._order = word
        self._changed.set()

    async def run(self) -> None:
        """Plays until it is cancelled; raises ValueError for a clip that is broken or empty."""
        try:
            due = time.perf_counter()
            while True:
                if self._order in ("off", "pause"):
                    await self._wait_for_order()
                    due = time.perf_counter()
                    continue
                if self._order == "step":
                    self._order = "pause"
                await self._play_one()
                due = max(due + 1 / self._clip.rate, time.perf_counter() - _MOST_LATE)
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
        finally:
            self._rewind()

    async def _wait_for_order(self) -> None:
        if self._order == "off":
            self._rewind()
        self._changed.clear()
        await self._changed.wait()

    async def _play_one(self) -> None:
        picture = await asyncio.to_thread(self._next)
        if picture is None:  # The end: the next picture has nothing to do with this one.
            self._rewind()
            self._session.forget()
            picture = await asyncio.to_thread(self._next)
        if picture is None:
            raise ValueError(f"{self._clip.name}: there is no picture in it")
        self._number += 1
        self._session.take(wire.Frame(self._number, 1000 * time.perf_counter(), picture), is_clips=True)

    def _next(self) -> Optional[numpy.ndarray]:
        if self._pictures is None:
            self._pictures = self._clip.pictures()
        return next(self._pictures, None)

    def _rewind(self) -> None:
        if self._pictures is not None:
            # A picture that another thread is still reading ends with it.
            with contextlib.suppress(ValueError):
                self._pictures.close()
        self._pictures = None
