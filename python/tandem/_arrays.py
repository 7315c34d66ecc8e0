# SPDX-License-Identifier: BSD-2-Clause
"""What users give, checked and brought to the types of the extension."""

from __future__ import annotations

from typing import Any, Sequence, Set, Tuple, Union

import numpy

Pair = Tuple[int, int]
#: Width and height, or x and y; one number is both.
Size = Union[int, Sequence[int], numpy.ndarray]

units_per_pel = 8
#: The distortion of what is no candidate.
no_candidate = 0xFFFFFFFF


def text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: a text is wanted")
    return value.encode("utf-8", "backslashreplace").decode()  # UTF-8 has no surrogates, and no name has them.


def whole(name: str, value: int, bits: int = 32) -> int:
    """An int that so many bits hold, sign included."""
    try:
        number = int(value)
        if number == value and -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name}: {value!r} is no whole number of {bits} bits")


def pair(name: str, value: Any) -> Pair:
    try:
        first, second = (value, value) if numpy.ndim(value) == 0 else value
        return whole(name, first), whole(name, second)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {value!r} is neither a whole number nor two, of 32 bits") from None


def refuse_masked(name: str, values: Any) -> None:
    """No mask is read: what it hides would count like the rest."""
    if numpy.ma.is_masked(values):
        raise ValueError(f"{name}: an array with masked values; its mask would be lost")


def lambda_q8(lagrangian: float) -> int:
    try:
        weight = -1.0 if isinstance(lagrangian, (str, bytes)) else float(lagrangian)
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 <= weight <= 65536:
        raise ValueError(f"lagrangian: {lagrangian!r} is no number from 0 to 65536")
    return round(weight * 256)


def numbers_of(name: str, vectors: Any) -> numpy.ndarray:
    """float64, which no component overflows on its way to eighths."""
    refuse_masked(name, vectors)
    try:
        return numpy.asarray(vectors, dtype=numpy.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: an array of numbers is wanted") from None


def four_dimensions(vectors: numpy.ndarray) -> numpy.ndarray:
    """rows x columns x K x 2."""
    if vectors.ndim == 3:
        vectors = vectors[:, :, None, :]
    if vectors.ndim != 4 or vectors.shape[3] != 2:
        raise ValueError(f"vectors: an array of shape {vectors.shape}; rows x columns (x K) x 2 is wanted")
    return vectors


def counts_of(name: str, values: numpy.ndarray, shapes: Set[Tuple[int, ...]]) -> numpy.ndarray:
    """uint32, as files have them."""
    refuse_masked(name, values)
    values = numpy.asarray(values)
    if values.shape not in shapes:
        raise ValueError(f"{name}: an array of shape {values.shape}; the vectors' {min(shapes)} is wanted")
    if values.dtype.kind in "iu":
        counts = values.astype(numpy.uint32)
        if (counts == values).all():
            return counts
    raise ValueError(f"{name}: whole numbers from 0 to {no_candidate} are wanted")


def eighths_of(vectors: numpy.ndarray) -> numpy.ndarray:
    """int16, the nearest (halves away from zero); NaN becomes 0."""
    eighths = numpy.clip(numpy.nan_to_num(vectors, nan=0.0), -1e9, 1e9) * units_per_pel
    truncated = numpy.trunc(eighths)
    rounded = truncated + numpy.where(abs(eighths - truncated) >= 0.5, numpy.copysign(1.0, eighths), 0.0)
    if (abs(rounded) > 32767).any():
        raise ValueError("vectors: a component beyond 4095 7/8 pels")
    return rounded.astype(numpy.int16)
