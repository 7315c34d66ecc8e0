# SPDX-License-Identifier: BSD-2-Clause
"""Motion fields in files."""

from __future__ import annotations

import os
import warnings
from typing import Iterable, Iterator, Optional, Tuple, Union

import numpy

from . import _motion
from ._arrays import Pair, Size, pair, text, whole
from ._field import Record, arrays_of, field_of

#: Of `tandem synth --truth` and `tandem motion`, where not told otherwise.
_usual_block = 16


def _sizes_taken_for(path: Union[str, os.PathLike]) -> Tuple[Optional[Pair], Optional[Pair]]:
    """Picture and block of an .npy file; nothing for what no array is found in, which the reader will name."""
    name = os.fsdecode(path)
    if not name.lower().endswith(".npy") or not os.path.isfile(name):
        return None, None
    try:
        shape = numpy.load(name, mmap_mode="r").shape
    except ValueError:
        return None, None
    if len(shape) != 4 or 0 in shape or max(shape[1:3]) > 16384 // _usual_block:
        return None, None
    words = f"{name} does not say the size of its blocks: taken for 16x16; picture= and block= say it"
    warnings.warn(words, stacklevel=3)
    return (shape[2] * _usual_block, shape[1] * _usual_block), (_usual_block, _usual_block)


def read_fields(
    path: Union[str, os.PathLike], picture: Optional[Size] = None, block: Optional[Size] = None
) -> Iterator[Record]:
    """The records of a .tmf, .npy or .flo file. `picture` and `block` are sizes that the file may not say.

    An .npy file says neither. Without them its blocks are taken for 16x16, as `tandem synth --truth` and `tandem
    motion` make them where not told otherwise, of a picture of whole blocks, and a warning says so.

    Raises, here or on the way, FileNotFoundError and the other OSErrors for a file that cannot be looked at, ValueError
    for one that is broken or does not say its sizes, and RuntimeError where reading fails.
    """
    name = os.fsencode(path)
    if b"\0" not in name and b"%" not in name:  # The first the extension refuses; the other may be many files.
        os.stat(path)
    if picture is None and block is None:
        picture, block = _sizes_taken_for(path)
    sizes = [(0, 0) if size is None else pair(what, size) for what, size in (("picture", picture), ("block", block))]
    reader = _motion.FieldReader(name, *sizes)

    def records() -> Iterator[Record]:
        while (found := reader.read()) is not None:
            vectors, distortions, costs, number, offset = found
            yield Record(field_of(vectors, distortions, costs, reader.picture, reader.block), number, offset)

    return records()


def write_fields(path: Union[str, os.PathLike], records: Iterable[Record], metric: str = "") -> None:
    """Writes a .tmf, .npy, .flo, .yuview.csv, .csv or .jsonl file; it is there when all of it is.

    metric: in what distortions are counted, as "sad", for the formats that say it.
    Raises FileNotFoundError for a folder that is not there, ValueError for a name that cannot be written to and for
    fields that no file may hold, RuntimeError where writing fails. Each leaves what was there before.
    """
    name = os.fsencode(path)
    folder = os.path.dirname(path)
    if b"\0" not in os.fsencode(folder):
        os.stat(folder or ".")
    writer = _motion.FieldWriter(name, text("metric", metric))
    for field, number, offset in records:
        vectors, distortions, costs, *sizes = arrays_of(field)
        record = whole("picture", number, 64), whole("reference_offset", offset)
        writer.write(vectors, distortions, costs, *sizes, *record)
    writer.finish()
