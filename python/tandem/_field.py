# SPDX-License-Identifier: BSD-2-Clause
"""Motion fields as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple, Union

import numpy

from ._arrays import Pair, counts_of, eighths_of, four_dimensions, no_candidate, numbers_of, pair, units_per_pel


class Field(NamedTuple):
    """The motion of one picture: K candidates for each block, best first."""

    vectors: numpy.ndarray  #: float32, rows x columns x 2 (K = 1) or x K x 2, in pels; NaN where there is no candidate.
    costs: numpy.ndarray  #: uint32, rows x columns (x K): distortion plus lambda times the vector's bits.
    distortions: numpy.ndarray  #: uint32, rows x columns (x K), by the search's metric.
    picture: Pair  #: Width and height in pels.
    block: Pair  #: Width and height in pels; blocks at the right and bottom edge are cut.

    def __eq__(self, other: object) -> bool:
        """Whether all values are the same; blocks without a candidate are like each other."""
        if not isinstance(other, Field) or self[3:] != other[3:]:
            return False
        return all(numpy.array_equal(here, there, equal_nan=True) for here, there in zip(self[:3], other[:3]))

    def __ne__(self, other: object) -> bool:
        return not self == other


# After the class: in the body of a NamedTuple type checkers would take it for a sixth field.
Field.__hash__ = None  # type: ignore[assignment]


class Record(NamedTuple):
    """A field in a file: `picture` was predicted from picture + reference_offset."""

    field: Field
    picture: int
    reference_offset: int = -1


# Where users find them, and where pickles look for them.
Field.__module__ = Record.__module__ = "tandem"


def vectors_of(name: str, field: Union[Field, numpy.ndarray]) -> numpy.ndarray:
    """Those of a Field, or an array of them: rows x columns x K x 2, float64."""
    return four_dimensions(numbers_of(name, field.vectors if isinstance(field, Field) else field))


def refuse_other_picture(name: str, field: Union[Field, numpy.ndarray, None], size: Pair) -> None:
    """A Field knows the size of its picture; other numbers of blocks are found out by whoever reads an array."""
    if isinstance(field, Field) and size != pair(f"{name}: picture", field.picture):
        raise ValueError(f"{name}: it is of a picture of {field.picture} pels; this one is of {size}")


def handed_over(name: str, field: Any, block: Pair) -> Tuple[numpy.ndarray, numpy.ndarray, int, int]:
    """Vectors in eighths, what says which of them there are, and the size of the blocks: `block` for an array."""
    vectors = vectors_of(name, field)
    none = numpy.isnan(vectors).any(axis=-1)
    size = pair(f"{name}: block", field.block) if isinstance(field, Field) else block
    return (eighths_of(vectors), numpy.where(none, no_candidate, 0), *size)


def arrays_of(field: Field) -> Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray, Pair, Pair]:
    """Vectors in eighths, distortions and costs with K always, and both sizes, as the extension takes them."""
    vectors = vectors_of("vectors", field)
    known = ~numpy.isnan(vectors).any(axis=-1)
    shapes = {known.shape, known.shape[:2]} if known.shape[2] == 1 else {known.shape}
    distortions, costs = (
        numpy.where(known, counts_of(name, getattr(field, name), shapes).reshape(known.shape), no_candidate)
        for name in ("distortions", "costs")
    )
    if (distortions[known] == no_candidate).any():
        raise ValueError(f"distortions: {no_candidate} at a vector; it says that there is none")
    return eighths_of(vectors), distortions, costs, pair("picture", field.picture), pair("block", field.block)


def field_of(
    eighths: numpy.ndarray, distortions: numpy.ndarray, costs: numpy.ndarray, picture: Pair, block: Pair
) -> Field:
    vectors = eighths.astype(numpy.float32) / numpy.float32(units_per_pel)
    vectors[distortions == no_candidate] = numpy.nan
    if vectors.shape[2] == 1:
        vectors, distortions, costs = vectors[:, :, 0], distortions[:, :, 0], costs[:, :, 0]
    return Field(vectors, costs, distortions, picture, block)
