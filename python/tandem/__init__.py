# SPDX-License-Identifier: BSD-2-Clause
"""Block motion between pictures: searches, compensation and motion-field files.

    import numpy, tandem
    field = tandem.estimate(current, reference, block=(16, 16), range=32)   # 2-D uint8 arrays
    field.vectors[row, column]                                              # (x, y) in pels
    prediction = tandem.compensate(field, reference)

A vector points from a block to where its prediction is taken from, x to the right and y down:
prediction(p) = reference(p + vector). What moved 2.5 pels to the right has x = -2.5.
"""

from __future__ import annotations

import functools
import os
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple, Union, overload

import numpy

from . import _motion

__version__ = _motion.__version__
__all__ = ["Field", "Record", "compensate", "estimate", "read_fields", "searches", "show", "write_fields"]

#: Luma alone, or Y, Cb and Cr of 4:2:0. 2-D arrays of uint8: the samples of a row are neighbours, and rows lie at least
#: a width apart, downwards or upwards.
Picture = Union[numpy.ndarray, Sequence[numpy.ndarray]]
Pair = Tuple[int, int]
#: Width and height, or x and y; one number is both.
Size = Union[int, Sequence[int], numpy.ndarray]

_units_per_pel = 8
_none = 0xFFFFFFFF


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


@functools.lru_cache(maxsize=8)
def _estimator_of(device: str, threads: int, process: int) -> _motion.Estimator:
    return _motion.Estimator(device, threads)


def _estimator(device: str, threads: int) -> _motion.Estimator:
    """A forked process makes its own: it has none of its parent's threads."""
    return _estimator_of(_text("device", device), _whole("threads", threads), os.getpid())


def searches() -> Tuple[str, ...]:
    """The names that `search` may have."""
    return _motion.searches()


@overload
def estimate(
    current: Picture,
    reference: Picture,
    block: List[Pair],
    range: Size = 32,
    search: str = "full",
    precision: int = 1,
    metric: str = "sad",
    candidates: int = 1,
    *,
    hint: Union[Field, numpy.ndarray, None] = None,
    lagrangian: float = 0.0,
    device: str = "cpu",
    threads: int = 0,
    **more: Union[int, str],
) -> List[Field]: ...
@overload
def estimate(
    current: Picture,
    reference: Picture,
    block: Size = (16, 16),
    range: Size = 32,
    search: str = "full",
    precision: int = 1,
    metric: str = "sad",
    candidates: int = 1,
    *,
    hint: Union[Field, numpy.ndarray, None] = None,
    lagrangian: float = 0.0,
    device: str = "cpu",
    threads: int = 0,
    **more: Union[int, str],
) -> Field: ...
def estimate(
    current: Picture,
    reference: Picture,
    block: Union[Size, List[Pair]] = (16, 16),
    range: Size = 32,
    search: str = "full",
    precision: int = 1,
    metric: str = "sad",
    candidates: int = 1,
    *,
    hint: Union[Field, numpy.ndarray, None] = None,
    lagrangian: float = 0.0,
    device: str = "cpu",
    threads: int = 0,
    **more: Union[int, str],
) -> Union[Field, List[Field]]:
    """Finds the motion of `current` from `reference`.

    block, range: pels, (width, height) and (x, y), or one number for both. precision: positions per pel, 1, 2, 4 or 8.
    A list of pairs as block, [(16, 16), (8, 8)], gives a list of fields: each is that of its size alone, but what the
    sizes have in common is measured once.
    candidates: vectors kept for each block, best first; from 2 on zero is among them, from 3 on the predictor.
    metric: "sad", "ssd", "satd". lagrangian: distortion per bit of a vector. hint: a field on the same blocks, or its
    vectors, NaN where there are none. It makes "hint" the predictor; the search "given" takes its vectors as they are,
    whatever range and precision say. For several sizes it is a Field of any blocks.
    device: "cpu", "gpu", "gpu:N", "auto"; all find the same field (of poc nearly: docs/cuda.md). threads: 0 is all of
    the machine.
    more: planes ("luma", "all"), interpolation ("bilinear", "six-tap"; on a GPU "texture"), boundary ("inside",
    "padded"), predictor ("zero", "hint", "neighbours"), and the others of tandem_motion_params in me/tandem_motion.h by
    their names there, but those of the block.

    The arrays are read where they are, and other threads run during the search, but searches with one device and one
    number of threads share their workers and wait for one another. A signal, as that of Ctrl-C, is answered after the
    search. Raises ValueError for what cannot be searched, TypeError for what is no array or no parameter, RuntimeError
    for a GPU that is not there or fails and for missing memory.
    """
    several = isinstance(block, list) and len(block) > 0 and all(numpy.ndim(one) == 1 for one in block)
    blocks: Any = block if several else [block]
    sizes = [_pair("block", one) for one in blocks]
    range_x, range_y = _pair("range", range)
    for name in ("block_width", "block_height"):
        if name in more:
            raise TypeError(f"there is no parameter '{name}'; block says it")
    params = {
        "block_width": sizes[0][0],
        "block_height": sizes[0][1],
        "range_x": range_x,
        "range_y": range_y,
        "search": search,
        "precision": precision,
        "metric": metric,
        "candidates": candidates,
        "lambda_q8": _lambda_q8(lagrangian),
        "predictor": _predictor(search, hint, more),
        **more,
    }
    if several and hint is not None and not isinstance(hint, Field):
        raise ValueError("hint: an array does not say the size of its blocks, which several sizes need; a Field does")
    current, reference = _picture("current", current), _picture("reference", reference)
    given = None if hint is None else _hint(hint, sizes[0])
    _refuse_other_picture("hint", hint, current)
    estimator = _estimator(device, threads)
    if several:
        found = estimator.estimate_sizes(current, reference, params, given, sizes)
    else:
        found = [estimator.estimate(current, reference, params, given)]
    height, width = _luma(current).shape
    fields = [_field(*arrays, (width, height), size) for arrays, size in zip(found, sizes)]
    return fields if several else fields[0]


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
    reference: Sequence[numpy.ndarray],
    block: Optional[Size] = None,
    interpolation: str = "bilinear",
    threads: int = 0,
) -> Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]: ...
def compensate(
    field: Union[Field, numpy.ndarray],
    reference: Picture,
    block: Optional[Size] = None,
    interpolation: str = "bilinear",
    threads: int = 0,
) -> Union[numpy.ndarray, Tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]]:
    """The prediction by each block's best vector: an array, or three where the reference has three planes.

    field: of estimate(), or an array of vectors in pels, rows x columns x 2, with `block`. Vectors are rounded to the
    nearest eighth; a block without one is predicted from its own place.
    """
    if block is None:
        if not isinstance(field, Field):
            raise ValueError("block: an array of vectors does not say the size of its blocks")
        block = field.block
    width, height = _pair("block", block)
    reference = _picture("reference", reference)
    _refuse_other_picture("field", field, reference)
    vectors = _eighths(_four_dimensions(_vectors_of("field", field)))
    estimator = _estimator("cpu", threads)
    return estimator.compensate(vectors, reference, width, height, _text("interpolation", interpolation))


def read_fields(
    path: Union[str, os.PathLike], picture: Optional[Size] = None, block: Optional[Size] = None
) -> Iterator[Record]:
    """The records of a .tmf, .npy or .flo file. `picture` and `block` are sizes that the file may not say.

    Raises, here or on the way, ValueError for a file that is not there, is broken or does not say its sizes, and
    RuntimeError where reading fails.
    """
    sizes = [(0, 0) if size is None else _pair(name, size) for name, size in (("picture", picture), ("block", block))]
    reader = _motion.FieldReader(os.fsencode(path), *sizes)

    def records() -> Iterator[Record]:
        while (found := reader.read()) is not None:
            vectors, distortions, costs, number, offset = found
            yield Record(_field(vectors, distortions, costs, reader.picture, reader.block), number, offset)

    return records()


def write_fields(path: Union[str, os.PathLike], records: Iterable[Record], metric: str = "") -> None:
    """Writes a .tmf, .npy, .flo, .yuview.csv, .csv or .jsonl file; it is there when all of it is.

    metric: in what distortions are counted, as "sad", for the formats that say it.
    Raises ValueError for a name that cannot be written to and for fields that no file may hold, RuntimeError where
    writing fails. Either leaves what was there before.
    """
    writer = _motion.FieldWriter(os.fsencode(path), _text("metric", metric))
    for field, number, offset in records:
        vectors = _four_dimensions(_vectors_of("vectors", field))
        known = ~numpy.isnan(vectors).any(axis=-1)
        shapes = {known.shape, known.shape[:2]} if known.shape[2] == 1 else {known.shape}
        distortions, costs = (
            numpy.where(known, _counts(name, getattr(field, name), shapes).reshape(known.shape), _none)
            for name in ("distortions", "costs")
        )
        if (distortions[known] == _none).any():
            raise ValueError(f"distortions: {_none} at a vector; it says that there is none")
        sizes = _pair("picture", field.picture), _pair("block", field.block)
        record = _whole("picture", number, 64), _whole("reference_offset", offset)
        writer.write(_eighths(vectors), distortions, costs, *sizes, *record)
    writer.finish()


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: a text is wanted")
    return value.encode("utf-8", "backslashreplace").decode()  # UTF-8 has no surrogates, and no name has them.


def _whole(name: str, value: int, bits: int = 32) -> int:
    """An int that so many bits hold, sign included."""
    try:
        number = int(value)
        if number == value and -(1 << (bits - 1)) <= number < 1 << (bits - 1):
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name}: {value!r} is no whole number of {bits} bits")


def _pair(name: str, value: Any) -> Pair:
    try:
        first, second = (value, value) if numpy.ndim(value) == 0 else value
        return _whole(name, first), _whole(name, second)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {value!r} is neither a whole number nor two, of 32 bits") from None


def _picture(name: str, picture: Picture) -> Picture:
    """The caller may change a list while it is read."""
    picture = tuple(picture) if isinstance(picture, list) else picture
    for plane in picture if isinstance(picture, tuple) else (picture,):
        _refuse_masked(name, plane)
    return picture


def _refuse_masked(name: str, values: Any) -> None:
    """No mask is read: what it hides would count like the rest."""
    if numpy.ma.is_masked(values):
        raise ValueError(f"{name}: an array with masked values; its mask would be lost")


def _luma(picture: Any) -> Any:
    return picture[0] if isinstance(picture, tuple) and picture else picture


def _refuse_other_picture(name: str, field: Union[Field, numpy.ndarray, None], picture: Picture) -> None:
    """A Field knows the size of its picture; other numbers of blocks are found out by whoever reads an array."""
    shape = tuple(getattr(_luma(picture), "shape", ()))
    if isinstance(field, Field) and len(shape) == 2 and shape[::-1] != _pair(f"{name}: picture", field.picture):
        raise ValueError(f"{name}: it is of a picture of {field.picture} pels; this one is of {shape[::-1]}")


def _predictor(search: str, hint: Union[Field, numpy.ndarray, None], more: Dict[str, Any]) -> str:
    """A hint is there to be used; the search "given" uses it whatever the predictor is."""
    predictor = more.get("predictor", "zero" if hint is None else "hint")
    if search != "given" and hint is None and predictor == "hint":
        raise ValueError("predictor: 'hint' needs a hint")
    if search != "given" and hint is not None and predictor == "zero":
        raise ValueError("hint: it is not used with the predictor 'zero'")
    return predictor


def _hint(hint: Union[Field, numpy.ndarray], block: Pair) -> Tuple[numpy.ndarray, numpy.ndarray, int, int]:
    """Its vectors, what says which of them there are, and the size of its blocks."""
    vectors = _four_dimensions(_vectors_of("hint", hint))
    none = numpy.isnan(vectors).any(axis=-1)
    size = _pair("hint: block", hint.block) if isinstance(hint, Field) else block
    return (_eighths(vectors), numpy.where(none, _none, 0), *size)


def _lambda_q8(lagrangian: float) -> int:
    try:
        weight = -1.0 if isinstance(lagrangian, (str, bytes)) else float(lagrangian)
    except (TypeError, ValueError):
        weight = -1.0
    if not 0 <= weight <= 65536:
        raise ValueError(f"lagrangian: {lagrangian!r} is no number from 0 to 65536")
    return round(weight * 256)


def _vectors_of(name: str, field: Union[Field, numpy.ndarray]) -> numpy.ndarray:
    """float64, which no component overflows on its way to eighths."""
    vectors = field.vectors if isinstance(field, Field) else field
    _refuse_masked(name, vectors)
    try:
        return numpy.asarray(vectors, dtype=numpy.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: an array of numbers is wanted") from None


def _four_dimensions(vectors: numpy.ndarray) -> numpy.ndarray:
    """rows x columns x K x 2."""
    if vectors.ndim == 3:
        vectors = vectors[:, :, None, :]
    if vectors.ndim != 4 or vectors.shape[3] != 2:
        raise ValueError(f"vectors: an array of shape {vectors.shape}; rows x columns (x K) x 2 is wanted")
    return vectors


def _counts(name: str, values: numpy.ndarray, shapes: Set[Tuple[int, ...]]) -> numpy.ndarray:
    """uint32, as files have them."""
    _refuse_masked(name, values)
    values = numpy.asarray(values)
    if values.shape not in shapes:
        raise ValueError(f"{name}: an array of shape {values.shape}; the vectors' {min(shapes)} is wanted")
    if values.dtype.kind in "iu":
        counts = values.astype(numpy.uint32)
        if (counts == values).all():
            return counts
    raise ValueError(f"{name}: whole numbers from 0 to {_none} are wanted")


def _eighths(vectors: numpy.ndarray) -> numpy.ndarray:
    """int16, the nearest (halves away from zero); NaN becomes 0."""
    eighths = numpy.clip(numpy.nan_to_num(vectors, nan=0.0), -1e9, 1e9) * _units_per_pel
    whole = numpy.trunc(eighths)
    rounded = whole + numpy.where(abs(eighths - whole) >= 0.5, numpy.copysign(1.0, eighths), 0.0)
    if (abs(rounded) > 32767).any():
        raise ValueError("vectors: a component beyond 4095 7/8 pels")
    return rounded.astype(numpy.int16)


def _field(
    eighths: numpy.ndarray, distortions: numpy.ndarray, costs: numpy.ndarray, picture: Pair, block: Pair
) -> Field:
    vectors = eighths.astype(numpy.float32) / numpy.float32(_units_per_pel)
    vectors[distortions == _none] = numpy.nan
    if vectors.shape[2] == 1:
        vectors, distortions, costs = vectors[:, :, 0], distortions[:, :, 0], costs[:, :, 0]
    return Field(vectors, costs, distortions, picture, block)


from .drawing import show  # noqa: E402 - it is made of what stands above.
