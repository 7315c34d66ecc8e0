# SPDX-License-Identifier: BSD-2-Clause
"""A field for two pictures. Each device has one thread, so that a time is that of one search alone."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import time
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

import numpy

import tandem

from . import wire
from .settings import Settings

Estimate = Callable[..., "tandem.Field"]


class Found(NamedTuple):
    """What a search found; a field and a time for each device that was asked."""

    fields: List[wire.Arrays]
    search_ms: List[float]  #: Wall clock, from the call to its return.
    differ: bool  #: Two devices have different fields.
    psnr: float  #: Of the prediction by the first field, dB; infinite where it is the picture.
    psnr_unmoved: float  #: Of the reference as it is.
    prediction: Optional[numpy.ndarray]  #: uint8, height x width, where the settings want it.


class Device(NamedTuple):
    """Where searches run."""

    estimate: Estimate
    why_not: str = ""  #: Empty where it can be used.


def devices_here(threads: int) -> Dict[str, Device]:
    """The CPU and, if it only says why not, the GPU. `threads` of the CPU; 0 is all of the machine."""
    devices = {}
    for name in ("cpu", "gpu"):
        estimate = functools.partial(tandem.estimate, device=name, threads=threads)
        devices[name] = Device(estimate, _why_not(estimate, "full"))
    return devices


def searches_here(estimate: Estimate) -> Tuple[str, ...]:
    """Those that this build runs on its own; "given" takes vectors that a live search does not have."""
    return tuple(name for name in tandem.searches() if name != "given" and not _why_not(estimate, name))


def _why_not(estimate: Estimate, search: str) -> str:
    picture = numpy.zeros((64, 64), numpy.uint8)
    try:
        estimate(picture, picture, block=(16, 16), range=1, search=search)
    except (RuntimeError, ValueError) as error:
        return str(error)
    return ""


def psnr(one: numpy.ndarray, other: numpy.ndarray) -> float:
    """Of 8-bit samples, dB; infinite where they are the same."""
    difference = numpy.subtract(one, other, dtype=numpy.int16).ravel().astype(numpy.float32)
    squares = float(numpy.dot(difference, difference)) / difference.size
    return float("inf") if squares == 0 else 10 * float(numpy.log10(255 * 255 / squares))


class Searcher:
    """Serves any number of clients; those that want one device wait for each other, each with one search at most."""

    def __init__(self, devices: Dict[str, Device], threads: int) -> None:
        self.devices = devices
        self._threads = threads
        usable = [name for name, device in devices.items() if not device.why_not]
        self.usable = tuple(usable)
        self._pools = {name: concurrent.futures.ThreadPoolExecutor(1, f"search-{name}") for name in usable}
        self._measuring = concurrent.futures.ThreadPoolExecutor(1, "measure")

    def close(self) -> None:
        for pool in (*self._pools.values(), self._measuring):
            pool.shutdown(wait=False, cancel_futures=True)

    async def find(self, current: numpy.ndarray, reference: numpy.ndarray, settings: Settings) -> Found:
        """Raises ValueError for what cannot be searched and RuntimeError for a device that fails."""
        names = self.usable if settings.device == "both" else (settings.device,)
        loop = asyncio.get_running_loop()
        searched = await asyncio.gather(
            *(loop.run_in_executor(self._pools[name], self._search, name, current, reference, settings) for name in names)
        )
        field = searched[0][0]
        measured = await loop.run_in_executor(self._measuring, self._measure, field, current, reference, settings)
        fields = [wire.arrays_of(found.vectors, found.costs, found.distortions) for found, _ in searched]
        differ = any(found != field for found, _ in searched[1:])
        return Found(fields, [milliseconds for _, milliseconds in searched], differ, *measured)

    def _search(
        self, name: str, current: numpy.ndarray, reference: numpy.ndarray, settings: Settings
    ) -> Tuple["tandem.Field", float]:
        begin = time.perf_counter()
        field = self.devices[name].estimate(
            current,
            reference,
            block=settings.block,
            range=settings.range,
            search=settings.search,
            precision=settings.precision,
            metric=settings.metric,
            candidates=settings.candidates,
            lagrangian=settings.lagrangian,
            null_level=settings.null_level,
        )
        return field, 1000 * (time.perf_counter() - begin)

    def _measure(
        self, field: "tandem.Field", current: numpy.ndarray, reference: numpy.ndarray, settings: Settings
    ) -> Tuple[float, float, Optional[numpy.ndarray]]:
        prediction = tandem.compensate(field, reference, threads=self._threads)
        kept = prediction if settings.prediction else None
        return psnr(current, prediction), psnr(current, reference), kept
