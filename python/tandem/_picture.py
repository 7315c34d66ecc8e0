# SPDX-License-Identifier: BSD-2-Clause
"""Pictures: what searches read."""

from __future__ import annotations

from typing import Any, Sequence, Tuple, Union

import numpy

from . import _motion
from ._arrays import refuse_masked, whole

Planes = Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]


class Picture:
    """A picture that is copied once, and brought to a GPU once, however many searches name it.

        before, now = tandem.Picture(first), tandem.Picture(second)
        field = tandem.estimate(now, before)

    samples: a 2-D array of uint8, which is luma, or three of them: Y, Cb and Cr of 4:2:0. Rows and columns may lie in
    any order and distance. of_colour() and of_depth() convert other arrays. It never changes; threads may share it.
    """

    __slots__ = ("_held",)

    def __init__(self, samples: PictureLike) -> None:
        self._held = _held("samples", samples)

    @classmethod
    def of_colour(cls, samples: numpy.ndarray, order: str = "RGB", full_range: bool = True) -> Picture:
        """Of rows x columns x 3 uint8 in the order "RGB" or "BGR" (OpenCV): luma and chroma of ITU-R BT.601, chroma the
        mean of 2x2 samples. full_range: all are 0 to 255 (JFIF); else luma is 16 to 235 and chroma 16 to 240, which
        streams mean, so that tandem.Encoder wants it."""
        array = numpy.asarray(samples)
        refuse_masked("samples", samples)
        if order not in ("RGB", "BGR"):
            raise ValueError(f"order: {order!r} is none of RGB, BGR")
        if array.dtype != numpy.uint8 or array.ndim != 3 or array.shape[2] != 3 or 0 in array.shape:
            raise ValueError(f"samples: {array.dtype} {array.shape}; uint8, rows x columns x 3, is wanted")
        red, green, blue = (array[:, :, order.index(channel)].astype(numpy.float64) for channel in "RGB")
        luma = 0.299 * red + 0.587 * green + 0.114 * blue
        scale = 1.0 if full_range else 224 / 255
        chroma = (128 + scale * _halved(blue - luma) / 1.772, 128 + scale * _halved(red - luma) / 1.402)
        luma = luma if full_range else 16 + 219 / 255 * luma
        return cls(tuple(_rounded(plane) for plane in (luma, *chroma)))

    @classmethod
    def of_depth(cls, samples: PictureLike, bits: int) -> Picture:
        """Of unsigned samples of so many bits, 9 to 16, as 10-bit video in uint16: rounded to 8 bits, halves up."""
        bits = whole("bits", bits)
        if not 9 <= bits <= 16:
            raise ValueError(f"bits: {bits}; 9 to 16")

        def brought_down(plane: Any) -> numpy.ndarray:
            array = numpy.asarray(plane)
            refuse_masked("samples", plane)
            if array.dtype.kind != "u" or array.dtype.itemsize < 2:
                raise ValueError(f"samples: they are {array.dtype}; unsigned ones of {bits} bits are wanted")
            if array.size and int(array.max()) >> bits:
                raise ValueError(f"samples: {array.max()} is no number of {bits} bits")
            half = 1 << (bits - 9)
            return numpy.minimum((array.astype(numpy.uint32) + half) >> (bits - 8), 255).astype(numpy.uint8)

        is_luma = isinstance(samples, numpy.ndarray)
        return cls(brought_down(samples) if is_luma else tuple(brought_down(plane) for plane in samples))

    @property
    def width(self) -> int:
        return self._held.size[0]

    @property
    def height(self) -> int:
        return self._held.size[1]

    @property
    def size(self) -> Tuple[int, int]:
        """Width and height in pels."""
        return self._held.size

    @property
    def has_chroma(self) -> bool:
        return self._held.has_chroma

    @property
    def planes(self) -> Union[numpy.ndarray, Planes]:
        """A copy: luma, or Y, Cb and Cr."""
        return self._held.planes()

    def __repr__(self) -> str:
        return f"<tandem.Picture {self.width}x{self.height}{' 4:2:0' if self.has_chroma else ''}>"


Picture.__module__ = "tandem"

#: A Picture, luma alone, or Y, Cb and Cr of 4:2:0: 2-D arrays of uint8.
PictureLike = Union[Picture, numpy.ndarray, Sequence[numpy.ndarray]]


def picture_of(name: str, picture: PictureLike) -> Picture:
    """The Picture itself, or one of arrays; `name` names it in messages."""
    if isinstance(picture, Picture):
        return picture
    return held_by(_held(name, picture))


def held_by(held: _motion.Picture) -> Picture:
    """Of one that the library has."""
    made = Picture.__new__(Picture)
    made._held = held
    return made


def _held(name: str, samples: Any) -> _motion.Picture:
    if isinstance(samples, Picture):
        return samples._held
    planes = tuple(samples) if isinstance(samples, list) else samples  # The caller may change a list while it is read.
    if isinstance(planes, tuple):
        return _motion.Picture(name, tuple(_plane(f"{name}[{index}]", plane) for index, plane in enumerate(planes)))
    return _motion.Picture(name, _plane(name, planes))


def _plane(name: str, plane: Any) -> Any:
    """With neighbouring samples in a row. What is no plane at all is refused by the extension."""
    refuse_masked(name, plane)
    if not isinstance(plane, numpy.ndarray):
        return plane
    if plane.ndim == 3 and plane.shape[2] in (3, 4):
        raise ValueError(
            f"{name}: an array of {' x '.join(map(str, plane.shape))} looks like colour; "
            "tandem.Picture.of_colour() converts rows x columns x 3"
        )
    if plane.dtype.kind == "u" and plane.dtype.itemsize > 1:
        raise ValueError(
            f"{name}: the samples are {plane.dtype}; uint8 is wanted, and tandem.Picture.of_depth() converts"
        )
    if plane.ndim == 2 and plane.shape[1] > 1 and (plane.strides[1] != 1 or abs(plane.strides[0]) < plane.shape[1]):
        return numpy.ascontiguousarray(plane)
    return plane


def _halved(plane: numpy.ndarray) -> numpy.ndarray:
    """Means of 2x2 samples; an edge without a neighbour is its own."""
    height, width = plane.shape
    whole_blocks = numpy.pad(plane, ((0, height % 2), (0, width % 2)), mode="edge")
    return whole_blocks.reshape((height + 1) // 2, 2, (width + 1) // 2, 2).mean(axis=(1, 3))


def _rounded(plane: numpy.ndarray) -> numpy.ndarray:
    return numpy.clip(numpy.floor(plane + 0.5), 0, 255).astype(numpy.uint8)
