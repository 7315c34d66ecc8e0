# SPDX-License-Identifier: BSD-2-Clause
"""The fields of a clip, one after the other, while those after them are searched."""

from __future__ import annotations

import collections
import os
from typing import Any, Deque, Iterable, Iterator, Tuple, Union

from . import _motion
from ._arrays import whole
from ._estimator import Answer, Estimator, estimator_of
from ._field import Record
from ._picture import Picture, PictureLike, held_by, picture_of


def fields(
    clip: Union[str, os.PathLike, Iterable[PictureLike]],
    *args: Any,
    step: int = 1,
    ahead: int = 8,
    device: Union[str, Estimator] = "auto",
    threads: int = 0,
    **more: Any,
) -> Iterator[Record]:
    """The motion of each picture of a clip from the one `step` before it, as write_fields() takes it.

        for field, picture, _ in tandem.fields("clip.y4m", block=8, range=32):
            ...

    clip: the name of a file (.y4m, a raw .yuv whose name tells its size, and where Tandem was built with FFmpeg
    whatever that opens), or pictures in the order in which they are shown, arrays as well as tandem.Picture. It is read
    as far as the fields are: `ahead` searches, 1 to 1000, are kept under way beyond the field that was given out last.
    device: a name, or an Estimator. The other arguments are those of estimate() after its pictures.

    Raises what estimate() does and, for a file, FileNotFoundError and the other OSErrors.
    """
    step, ahead = whole("step", step), whole("ahead", ahead)
    if step < 1:
        raise ValueError(f"step: {step}; 1 at least")
    if not 1 <= ahead <= 1000:
        raise ValueError(f"ahead: {ahead}; 1 to 1000")
    pictures = pictures_of(clip)
    estimator = device if isinstance(device, Estimator) else estimator_of(device, threads)

    def records() -> Iterator[Record]:
        before: Deque[Picture] = collections.deque(maxlen=step)
        under_way: Deque[Tuple[int, Answer]] = collections.deque()
        for number, picture in enumerate(pictures):
            if len(before) == step:
                under_way.append((number, estimator.submit(picture, before[0], *args, **more)))
            before.append(picture)
            if len(under_way) > ahead:
                yield record_of(*under_way.popleft())
        while under_way:
            yield record_of(*under_way.popleft())

    def record_of(number: int, answer: Answer) -> Record:
        return Record(answer.result(), number, -step)

    return records()


def pictures_of(clip: Union[str, os.PathLike, Iterable[PictureLike]]) -> Iterator[Picture]:
    if not isinstance(clip, (str, bytes, os.PathLike)):
        return (picture_of(f"picture {number}", picture) for number, picture in enumerate(clip))
    name = os.fsencode(clip)
    if b"\0" not in name and name != b"-":
        os.stat(clip)
    return _read(_motion.Clip(name))


def _read(clip: _motion.Clip) -> Iterator[Picture]:
    while (held := clip.read()) is not None:
        yield held_by(held)
