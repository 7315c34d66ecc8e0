# SPDX-License-Identifier: BSD-2-Clause
"""Searches: those that are waited for, and those that are under way."""

from __future__ import annotations

import concurrent.futures
import functools
import os
from typing import Any, List, Optional, Sequence, Tuple, Union, overload

import numpy

from . import _motion
from ._arrays import Pair, Size, eighths_of, pair, text, whole
from ._field import Field, field_of, refuse_other_picture, vectors_of
from ._picture import Picture, PictureLike, Planes, picture_of
from ._search import Search, search_of


class Answer:
    """What a search that is under way will find: much as a concurrent.futures.Future.

    It holds its Estimator, which would give up what is under way if it were let go.
    """

    __slots__ = ("_estimator", "_ticket", "_search", "_picture", "_found", "_error")

    def __init__(self, estimator: _motion.Estimator, ticket: _motion.Ticket, search: Search, picture: Pair) -> None:
        self._estimator: Optional[_motion.Estimator] = estimator
        self._ticket, self._search, self._picture = ticket, search, picture
        self._found: Union[Field, List[Field], None] = None
        self._error: Optional[Exception] = None

    def done(self) -> bool:
        """Whether the answer is there."""
        return self._ticket.wait(0.0)

    def result(self, timeout: Optional[float] = None) -> Union[Field, List[Field]]:
        """The field, or the list of them where a list of sizes was asked for; waits for it, so many seconds at most.

        Raises what the search failed with, as estimate() does, and TimeoutError (concurrent.futures.TimeoutError).
        """
        error = self.exception(timeout)
        if error is not None:
            raise error
        assert self._found is not None
        return self._found

    def exception(self, timeout: Optional[float] = None) -> Optional[Exception]:
        """What result() would raise, or None."""
        if self._found is None and self._error is None:
            if not self._ticket.wait(timeout):
                raise concurrent.futures.TimeoutError
            try:
                found = self._ticket.fields()
            except (ValueError, RuntimeError) as error:
                self._error = error
            else:
                fields = [field_of(*arrays, self._picture, size) for arrays, size in zip(found, self._search.sizes)]
                self._found = fields if self._search.several else fields[0]
            self._estimator = None
        return self._error

    @property
    def device(self) -> str:
        """Who answered: "cpu", "gpu:0 NVIDIA H200"; "" before result() was called."""
        return self._ticket.device()


class Estimator:
    """Devices that search. Threads may share one; so many searches are under way at a time as it has devices.

        with_gpus = tandem.Estimator("auto")
        answers = [with_gpus.submit(now, before) for before, now in zip(pictures, pictures[1:])]
        fields = [answer.result() for answer in answers]

    device: "cpu"; "gpu": all of them, or "gpu:0,2"; "cpu+gpu": the CPU takes its share; "auto": GPUs where there are
    any, else the CPU. All find the same field (of poc nearly: docs/cuda.md). A GPU that fails is used no more, and the
    others do its work; of "gpu" the last one stays. threads: of the CPU; 0 is all of the machine.
    """

    def __init__(self, device: str = "auto", threads: int = 0) -> None:
        self._motion = _motion.Estimator(text("device", device), whole("threads", threads))

    def submit(
        self,
        current: PictureLike,
        reference: PictureLike,
        block: Union[Size, List[Pair]] = (16, 16),
        range: Union[Size, str, None] = None,
        search: str = "full",
        precision: Union[int, str] = 1,
        metric: str = "sad",
        candidates: int = 1,
        *,
        hint: Union[Field, numpy.ndarray, None] = None,
        start: Optional[Field] = None,
        rows: Optional[Tuple[int, int]] = None,
        lagrangian: float = 0.0,
        **more: Union[int, str],
    ) -> Answer:
        """Begins what tandem.estimate() does, and returns; it waits only while 32 searches wait for the devices.

        start: a Field on the same blocks of which the candidates are refined to `precision`; nothing is searched.
        rows: of blocks, first and one after the last: the others are left without vectors.
        Arrays are copied before it returns.
        """
        of, reference_of = picture_of("current", current), picture_of("reference", reference)
        asked = search_of(
            of.size, block, range, search, precision, metric, candidates, hint, start, lagrangian, dict(more)
        )
        wanted = (0, -1) if rows is None else pair("rows", rows)
        ticket = self._motion.submit(
            of._held,
            reference_of._held,
            asked.params,
            asked.hint,
            asked.start,
            asked.sizes if asked.several else [],
            wanted,
        )
        return Answer(self._motion, ticket, asked, of.size)

    def estimate(self, current: PictureLike, reference: PictureLike, *args: Any, **more: Any) -> Any:
        """tandem.estimate() on these devices: submit(...).result()."""
        return self.submit(current, reference, *args, **more).result()

    def compensate(
        self,
        field: Union[Field, numpy.ndarray],
        reference: PictureLike,
        block: Optional[Size] = None,
        interpolation: str = "bilinear",
    ) -> Union[numpy.ndarray, Planes]:
        """tandem.compensate() by this estimator's threads."""
        if block is None:
            if not isinstance(field, Field):
                raise ValueError("block: an array of vectors does not say the size of its blocks")
            block = field.block
        width, height = pair("block", block)
        of = picture_of("reference", reference)
        refuse_other_picture("field", field, of.size)
        vectors = eighths_of(vectors_of("field", field))
        return self._motion.compensate(vectors, of._held, width, height, text("interpolation", interpolation))


for _public in (Answer, Estimator):
    _public.__module__ = "tandem"


@functools.lru_cache(maxsize=8)
def _kept_estimator(device: str, threads: int, process: int) -> Estimator:
    return Estimator(device, threads)


def estimator_of(device: str, threads: int) -> Estimator:
    """A forked process makes its own: it has none of its parent's threads."""
    return _kept_estimator(text("device", device), whole("threads", threads), os.getpid())


def searches() -> Tuple[str, ...]:
    """The names that `search` may have."""
    return _motion.searches()


def metrics() -> Tuple[str, ...]:
    """The names that `metric` may have."""
    return next(words for name, _, words in _motion.search_settings() if name == "metric")


@overload
def estimate(
    current: PictureLike,
    reference: PictureLike,
    block: List[Pair],
    range: Union[Size, str, None] = None,
    search: str = "full",
    precision: Union[int, str] = 1,
    metric: str = "sad",
    candidates: int = 1,
    *,
    hint: Union[Field, numpy.ndarray, None] = None,
    lagrangian: float = 0.0,
    device: str = "auto",
    threads: int = 0,
    **more: Union[int, str],
) -> List[Field]: ...


@overload
def estimate(
    current: PictureLike,
    reference: PictureLike,
    block: Size = (16, 16),
    range: Union[Size, str, None] = None,
    search: str = "full",
    precision: Union[int, str] = 1,
    metric: str = "sad",
    candidates: int = 1,
    *,
    hint: Union[Field, numpy.ndarray, None] = None,
    lagrangian: float = 0.0,
    device: str = "auto",
    threads: int = 0,
    **more: Union[int, str],
) -> Field: ...


def estimate(
    current: PictureLike,
    reference: PictureLike,
    block: Union[Size, List[Pair]] = (16, 16),
    range: Union[Size, str, None] = None,
    search: str = "full",
    precision: Union[int, str] = 1,
    metric: str = "sad",
    candidates: int = 1,
    *,
    hint: Union[Field, numpy.ndarray, None] = None,
    lagrangian: float = 0.0,
    device: str = "auto",
    threads: int = 0,
    **more: Union[int, str],
) -> Union[Field, List[Field]]:
    """Finds the motion of `current` from `reference`.

    current, reference: a tandem.Picture, or 2-D arrays of uint8: luma, or Y, Cb and Cr. A Picture is copied and
    brought to a GPU once, arrays at each call.
    block, range: pels, (width, height) and (x, y), or one number for both; range="picture": as far as the picture goes,
    4080 at most; None: as the command, 16, and with the search "predictive" 8 and 4. precision: positions per pel, 1,
    2, 4 or 8, or "1/2", "1/4", "1/8".
    A list of pairs as block, [(16, 16), (8, 8)], gives a list of fields: each is that of its size alone, but what the
    sizes have in common is measured once.
    candidates: vectors kept for each block, best first; from 2 on zero is among them, from 3 on the predictor.
    metric: "sad", "ssd", "satd", or "zsad" and "ncc", which do not see brightness.
    lagrangian: distortion per bit of a vector, --lambda of the command. hint: a field on the same blocks, or its
    vectors, NaN where there are none. It makes "hint" the predictor; the search "given" takes its vectors as they are,
    whatever range and precision say. For several sizes it is a Field of any blocks.
    device, threads: as of tandem.Estimator, of which one is kept for each pair of them.
    more: the other options of `tandem motion` that say how to search, with _ for -: planes ("luma", "all"),
    interpolation ("bilinear", "six-tap"; on a GPU "texture"), boundary ("inside", "padded"), predictor ("zero", "hint",
    "neighbours"), grid, me_start and so on: tandem_motion_params in c/tandem_motion.h. me and merange are search and
    range, interp is interpolation, brute is brute_force.

    Other threads run during the search, but searches with one device and one number of threads share their workers.
    Ctrl-C is answered while it runs. Raises ValueError for what cannot be searched, TypeError for what is no array or
    no parameter, RuntimeError for a GPU that is not there or fails and for missing memory.
    """
    return (
        estimator_of(device, threads)
        .submit(
            current,
            reference,
            block,
            range,
            search,
            precision,
            metric,
            candidates,
            hint=hint,
            lagrangian=lagrangian,
            **more,
        )
        .result()
    )


@overload
def compensate(
    field: Union[Field, numpy.ndarray],
    reference: numpy.ndarray,
    block: Optional[Size] = None,
    interpolation: str = "bilinear",
    threads: int = 0,
) -> numpy.ndarray: ...


@overload
def compensate(
    field: Union[Field, numpy.ndarray],
    reference: Union[Picture, Sequence[numpy.ndarray]],
    block: Optional[Size] = None,
    interpolation: str = "bilinear",
    threads: int = 0,
) -> Union[numpy.ndarray, Planes]: ...


def compensate(
    field: Union[Field, numpy.ndarray],
    reference: PictureLike,
    block: Optional[Size] = None,
    interpolation: str = "bilinear",
    threads: int = 0,
) -> Union[numpy.ndarray, Planes]:
    """The prediction by each block's best vector: an array, or three where the reference has three planes.

    field: of estimate(), or an array of vectors in pels, rows x columns x 2, with `block`. Vectors are rounded to the
    nearest eighth; a block without one is predicted from its own place.
    """
    return estimator_of("cpu", threads).compensate(field, reference, block, interpolation)
