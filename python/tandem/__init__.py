# SPDX-License-Identifier: BSD-2-Clause
"""Block motion between pictures: searches, compensation and motion-field files.

    import numpy, tandem
    field = tandem.estimate(current, reference, block=(16, 16), range=32)   # 2-D uint8 arrays
    field.vectors[row, column]                                              # (x, y) in pels
    prediction = tandem.compensate(field, reference)

    for field, picture, _ in tandem.fields("clip.y4m", device="auto"):      # searched ahead, on GPUs if there are
        ...

A vector points from a block to where its prediction is taken from, x to the right and y down:
prediction(p) = reference(p + vector). What moved 2.5 pels to the right has x = -2.5.
"""

from typing import List

from ._clip import fields
from ._encoder import Encoder, Packet
from ._estimator import Answer, Estimator, compensate, estimate, searches
from ._field import Field, Record
from ._files import read_fields, write_fields
from ._motion import __version__  # noqa: F401
from ._picture import Picture
from ._settings import Setting, encode_settings
from .drawing import show

__all__ = [
    "Answer",
    "Encoder",
    "Estimator",
    "Field",
    "Packet",
    "Picture",
    "Record",
    "Setting",
    "compensate",
    "encode_settings",
    "estimate",
    "fields",
    "read_fields",
    "searches",
    "show",
    "write_fields",
]


def __dir__() -> List[str]:
    return [*__all__, "__doc__", "__version__"]
