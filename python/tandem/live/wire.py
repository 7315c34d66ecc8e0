# SPDX-License-Identifier: BSD-2-Clause
"""The binary records on the socket. Numbers are little-endian; docs/live.md has the same tables.

A FRAME goes to the server: 24 bytes, then the samples.
     0  4 bytes  "TLF1"
     4  uint32   number: rises from frame to frame
     8  uint16   width, 1..65535
    10  uint16   height
    12  uint32   0
    16  float64  time of the capture, milliseconds on the sender's clock; comes back as it is
    24  uint8    width x height samples of luma, row by row

An ANSWER comes back: 64 bytes, then arrays, each of which begins at a multiple of 4.
     0  4 bytes  "TLA1"
     4  uint32   number of the frame
     8  float64  the frame's time
    16  uint16   width and height of the picture
    20  uint16   width and height of a block
    24  uint16   columns and rows of blocks
    28  uint16   candidates K of a block
    30  uint16   fields: 1, or 2 of which the second is another device's
    32  float32  time of the search alone, milliseconds, first field
    36  float32  the same, second field; NaN without one
    40  float32  PSNR of the prediction, dB; infinite where it is the picture
    44  float32  PSNR of the reference as it is, dB
    48  float32  milliseconds from the frame's arrival to this answer
    52  uint32   flags: 1 the picture follows, 2 the prediction follows, 4 the fields differ, 8 a frame searched again
    56  uint32   number of the frame that was the reference
    60  uint32   serial of the settings that were used
    64           for each field:
                   int16   rows x columns x K x (x, y), in eighths of a pel: prediction(p) = reference(p + vector)
                   uint32  rows x columns x K costs, best first
                   uint32  rows x columns x K distortions; 2^32 - 1: no candidate
                 uint8   width x height samples of the picture, where flag 1 is set
                 uint8   width x height samples of the prediction, where flag 2 is set
"""

from __future__ import annotations

import struct
from typing import List, NamedTuple, Optional, Sequence

import numpy

FRAME = struct.Struct("<4sIHHId")
ANSWER = struct.Struct("<4sId8H5f3I")
FRAME_MAGIC, ANSWER_MAGIC = b"TLF1", b"TLA1"
PICTURE_FOLLOWS, PREDICTION_FOLLOWS, FIELDS_DIFFER, SEARCHED_AGAIN = 1, 2, 4, 8
_NONE = 0xFFFFFFFF


class Frame(NamedTuple):
    """A picture on its way to a search."""

    number: int
    time: float  #: Milliseconds on the sender's clock.
    samples: numpy.ndarray  #: uint8, height x width.


class Arrays(NamedTuple):
    """One field as an answer has it."""

    vectors: numpy.ndarray  #: int16, rows x columns x K x 2, eighths of a pel.
    costs: numpy.ndarray  #: uint32, rows x columns x K.
    distortions: numpy.ndarray  #: The same shape; 2^32 - 1 where there is no candidate.


class Answer(NamedTuple):
    """What comes back for a frame; the header's values by the names of the table above."""

    number: int
    time: float
    picture_size: Sequence[int]  #: Width, height.
    block: Sequence[int]  #: Width, height.
    fields: List[Arrays]
    search_ms: Sequence[float]  #: One for each field.
    psnr: float
    psnr_unmoved: float
    server_ms: float
    reference: int
    serial: int
    fields_differ: bool = False
    is_again: bool = False
    picture: Optional[numpy.ndarray] = None  #: uint8, height x width.
    prediction: Optional[numpy.ndarray] = None


def pack_frame(frame: Frame) -> bytes:
    height, width = frame.samples.shape
    return FRAME.pack(FRAME_MAGIC, frame.number, width, height, 0, frame.time) + frame.samples.tobytes()


def unpack_frame(record: bytes, most_samples: int) -> Frame:
    """Raises ValueError that names what is wrong. The samples are a view of the record."""
    if len(record) < FRAME.size:
        raise ValueError(f"a frame of {len(record)} bytes; its header alone has {FRAME.size}")
    magic, number, width, height, flags, time = FRAME.unpack_from(record)
    if magic != FRAME_MAGIC:
        raise ValueError(f"a frame that begins with {magic!r}; {FRAME_MAGIC!r} is wanted")
    if flags != 0 or not numpy.isfinite(time):
        raise ValueError(f"a frame with flags {flags} and time {time}; flags 0 and a finite time are wanted")
    if width < 1 or height < 1 or width * height > most_samples:
        raise ValueError(f"a frame of {width}x{height}; 1 to {most_samples} samples are allowed")
    if len(record) != FRAME.size + width * height:
        raise ValueError(f"a frame of {width}x{height} with {len(record) - FRAME.size} samples")
    samples = numpy.frombuffer(record, numpy.uint8, offset=FRAME.size).reshape(height, width)
    return Frame(number, time, samples)


def _padded(array: numpy.ndarray) -> bytes:
    data = array.tobytes()
    return data + bytes(-len(data) % 4)


def pack_answer(answer: Answer) -> bytes:
    rows, columns, candidates = answer.fields[0].costs.shape
    flags = (
        (PICTURE_FOLLOWS if answer.picture is not None else 0)
        | (PREDICTION_FOLLOWS if answer.prediction is not None else 0)
        | (FIELDS_DIFFER if answer.fields_differ else 0)
        | (SEARCHED_AGAIN if answer.is_again else 0)
    )
    sizes = (*answer.picture_size, *answer.block, columns, rows, candidates, len(answer.fields))
    times = (*answer.search_ms, numpy.nan)[:2]
    measures = (answer.psnr, answer.psnr_unmoved, answer.server_ms)
    header = ANSWER.pack(
        ANSWER_MAGIC, answer.number, answer.time, *sizes, *times, *measures, flags, answer.reference, answer.serial
    )
    parts = [header]
    for vectors, costs, distortions in answer.fields:
        parts += [_padded(vectors.astype("<i2")), _padded(costs.astype("<u4")), _padded(distortions.astype("<u4"))]
    parts += [_padded(plane) for plane in (answer.picture, answer.prediction) if plane is not None]
    return b"".join(parts)


def unpack_answer(record: bytes) -> Answer:
    """As the page's wire.js does it; for clients in Python."""
    (magic, number, time, width, height, block_width, block_height, columns, rows, candidates, count, first_ms, second_ms,
     psnr, psnr_unmoved, server_ms, flags, reference, serial) = ANSWER.unpack_from(record)  # fmt: skip
    if magic != ANSWER_MAGIC:
        raise ValueError(f"an answer that begins with {magic!r}; {ANSWER_MAGIC!r} is wanted")
    place = ANSWER.size

    def next_array(dtype: str, *shape: int) -> numpy.ndarray:
        nonlocal place
        values = numpy.frombuffer(record, dtype, count=int(numpy.prod(shape)), offset=place).reshape(shape)
        place += values.nbytes + -values.nbytes % 4
        return values

    shape = (rows, columns, candidates)
    fields = [
        Arrays(next_array("<i2", *shape, 2), next_array("<u4", *shape), next_array("<u4", *shape)) for _ in range(count)
    ]
    picture = next_array("u1", height, width) if flags & PICTURE_FOLLOWS else None
    prediction = next_array("u1", height, width) if flags & PREDICTION_FOLLOWS else None
    if place != len(record):
        raise ValueError(f"an answer of {len(record)} bytes; its header says {place}")
    return Answer(
        number, time, (width, height), (block_width, block_height), fields, (first_ms, second_ms)[:count], psnr,
        psnr_unmoved, server_ms, reference, serial, bool(flags & FIELDS_DIFFER), bool(flags & SEARCHED_AGAIN), picture,
        prediction,
    )  # fmt: skip


def arrays_of(vectors: numpy.ndarray, costs: numpy.ndarray, distortions: numpy.ndarray) -> Arrays:
    """From a tandem.Field's arrays: pels as float32 with NaN, without the K where it is 1."""
    rows, columns = costs.shape[:2]
    eighths = numpy.nan_to_num(vectors.reshape(rows, columns, -1, 2) * numpy.float32(8), nan=0.0).astype(numpy.int16)
    known = ~numpy.isnan(vectors.reshape(rows, columns, -1, 2)).any(axis=-1)
    counts = distortions.reshape(known.shape)
    return Arrays(eighths, costs.reshape(known.shape), numpy.where(known, counts, numpy.uint32(_NONE)))
