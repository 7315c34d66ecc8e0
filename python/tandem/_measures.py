# SPDX-License-Identifier: BSD-2-Clause
"""How good fields and pictures are."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Tuple, Union

import numpy

from . import _motion
from ._arrays import numbers_of, text, whole
from ._encoder import psnr_of
from ._field import Field, arrays_of, refuse_other_picture, vectors_of
from ._picture import PictureLike, picture_of


class Likeness(NamedTuple):
    """How alike two pictures are."""

    psnr: Tuple[float, ...]  #: Of Y, and of Cb and Cr where both have them; dB, infinite where they are the same.
    mse: Tuple[float, ...]  #: Mean squared errors of the same.
    ssim: float  #: Of luma: 8x8 windows at every fourth sample (Wang et al. 2004), 1 for the same picture.


Likeness.__module__ = "tandem"


def likeness(picture: PictureLike, other: PictureLike) -> Likeness:
    """PSNR, MSE and SSIM between two pictures of one size."""
    one, two = picture_of("picture", picture), picture_of("other", other)
    errors, samples, ssim = _motion.compare_pictures(one._held, two._held)
    of_planes = list(zip(errors, samples))
    return Likeness(
        tuple(psnr_of(error, count) for error, count in of_planes),
        tuple(error / count for error, count in of_planes),
        ssim,
    )


def measure(
    field: Field,
    current: PictureLike,
    reference: PictureLike,
    *,
    truth: Union[Field, numpy.ndarray, None] = None,
    other: Optional[Field] = None,
    interpolation: str = "bilinear",
    threads: int = 0,
) -> Dict[str, float]:
    """The figures that `tandem motion --stats` has, by the names of its columns; docs/command.md explains each.

    field: of `current`, searched in `reference`; of several candidates the best counts. truth: the true vectors in
    pels, rows x columns x 2, NaN where there is none, or a Field: adds end_point_error and angular_error (degrees),
    within_one_pel and truth_known. other: another field on the same blocks: adds equal_vectors, mean_difference (pels)
    and mean_cost_difference.
    psnr_u and its like are there where both pictures have chroma. Raises ValueError for what does not fit together.
    """
    now, before = picture_of("current", current), picture_of("reference", reference)
    if not isinstance(field, Field):
        raise TypeError("field: a Field of estimate() is wanted")
    refuse_other_picture("field", field, now.size)
    refuse_other_picture("field", field, before.size)
    options = text("interpolation", interpolation), whole("threads", threads)
    figures: Dict[str, float] = _motion.measure(arrays_of(field), now._held, before._held, *options)
    if truth is not None:
        figures.update(_truth_figures(field, truth))
    if other is not None:
        figures.update(_differences(field, other))
    return figures


def end_point_error(field: Union[Field, numpy.ndarray], truth: Union[Field, numpy.ndarray]) -> float:
    """The mean length of vector - truth in pels, over the blocks whose truth is known and that have a vector.

    Both are a Field, of which the best vectors count, or an array of rows x columns x 2 in pels; NaN is unknown. NaN
    where no block counts; ValueError where the numbers of blocks differ.
    """
    return _truth_figures(field, truth)["end_point_error"]


def _best(name: str, field: Union[Field, numpy.ndarray]) -> numpy.ndarray:
    """rows x columns x 2, not rounded to eighths."""
    if isinstance(field, Field):
        return vectors_of(name, field)[:, :, 0]
    vectors = numbers_of(name, field)
    if vectors.ndim != 3 or vectors.shape[2] != 2:
        raise ValueError(f"{name}: an array of shape {vectors.shape}; rows x columns x 2 is wanted")
    return vectors


def _mean(values: numpy.ndarray) -> float:
    return float(values.mean()) if values.size else float("nan")


def _truth_figures(field: Union[Field, numpy.ndarray], truth: Union[Field, numpy.ndarray]) -> Dict[str, float]:
    vectors, true = _best("field", field), _best("truth", truth)
    if vectors.shape != true.shape:
        raise ValueError(f"truth: {true.shape[:2]} rows and columns of blocks; the field has {vectors.shape[:2]}")
    known = ~numpy.isnan(true).any(axis=-1)
    compared = known & ~numpy.isnan(vectors).any(axis=-1)
    found, right = vectors[compared], true[compared]
    lengths = numpy.hypot(*(found - right).T) if found.size else numpy.zeros(0)
    return {
        "end_point_error": _mean(lengths),
        "angular_error": _mean(_angles(found, right)),
        "within_one_pel": _mean(lengths <= 1),
        "truth_known": _mean(known),
    }


def _angles(found: numpy.ndarray, right: numpy.ndarray) -> numpy.ndarray:
    """Degrees between (x, y, 1) and (true x, true y, 1): Barron, Fleet and Beauchemin 1994, section 3.1."""
    one = numpy.ones((len(found), 1))
    a, b = numpy.hstack([found, one]), numpy.hstack([right, one])
    return numpy.degrees(numpy.arctan2(numpy.linalg.norm(numpy.cross(a, b), axis=1), (a * b).sum(axis=1)))


def _first(numbers: numpy.ndarray) -> numpy.ndarray:
    return (numbers if numbers.ndim == 2 else numbers[:, :, 0]).astype(numpy.float64)


def _differences(field: Field, other: Field) -> Dict[str, float]:
    if not isinstance(other, Field):
        raise TypeError("other: a Field is wanted")
    if (field.picture, field.block) != (other.picture, other.block):
        raise ValueError("other: a field of other pictures or in other blocks")
    here, there = _best("field", field), _best("other", other)
    both = ~numpy.isnan(here).any(axis=-1) & ~numpy.isnan(there).any(axis=-1)
    lengths = numpy.hypot(*(here[both] - there[both]).T) if both.any() else numpy.zeros(0)
    costs = (_first(other.costs) - _first(field.costs))[both]
    return {
        "equal_vectors": _mean(lengths == 0),
        "mean_difference": _mean(lengths),
        "mean_cost_difference": _mean(costs),
    }


def bd_rate(anchor: List[Tuple[float, float]], test: List[Tuple[float, float]]) -> float:
    """Bjontegaard's mean difference of rate at equal quality, in per cent; negative where `test` needs fewer bits.

    Both are four or more points (rate, quality), such as kbit/s and PSNR in dB, through which monotone cubic pieces
    (PCHIP) go: what the report of `tandem compare` shows. Raises ValueError for curves that cannot be compared.
    """
    difference, refusal = _motion.bd_rate([tuple(map(float, point)) for point in anchor], [
        tuple(map(float, point)) for point in test
    ])
    if difference is None:
        raise ValueError(refusal)
    return difference
