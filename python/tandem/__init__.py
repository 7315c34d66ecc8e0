# SPDX-License-Identifier: BSD-2-Clause
"""Motion between pictures, and the encoder that uses it.

    import tandem
    field = tandem.estimate(current, reference, block=(16, 16), range=32)   # 2-D uint8 arrays
    field.vectors[row, column]                                              # (x, y) in pels
    prediction = tandem.compensate(field, reference)
    tandem.show(field, current)                                             # by matplotlib

    for field, picture, _ in tandem.fields("clip.y4m"):                     # searched ahead, on GPUs if there are
        ...

    with tandem.Encoder(fps=25, preset="fast", crf=23) as encoder:          # the command's options as arguments
        stream = b"".join(packet.data for packet in encoder.encode(pictures))

    tandem.compare("clip.y4m", {"full": {"me": "full"}, "hexagon": {"me": "hexagon"}})

A vector points from a block to where its prediction is taken from, x to the right and y down:
prediction(p) = reference(p + vector). What moved 2.5 pels to the right has x = -2.5.
"""

from typing import List

from ._clip import fields
from ._compare import Table, compare
from ._encoder import Encoder, Packet
from ._estimator import Answer, Estimator, compensate, estimate, metrics, searches
from ._field import Field, Record
from ._files import read_fields, write_fields
from ._measures import Likeness, bd_rate, end_point_error, likeness, measure
from ._motion import __version__  # noqa: F401
from ._picture import Picture
from ._scene import Scene, synth
from ._settings import Setting, encode_settings
from .drawing import draw, show

__all__ = [
    "Answer",
    "Encoder",
    "Estimator",
    "Field",
    "Likeness",
    "Packet",
    "Picture",
    "Record",
    "Scene",
    "Setting",
    "Table",
    "bd_rate",
    "compare",
    "compensate",
    "draw",
    "encode_settings",
    "end_point_error",
    "estimate",
    "fields",
    "likeness",
    "measure",
    "metrics",
    "read_fields",
    "searches",
    "show",
    "synth",
    "write_fields",
]


def __dir__() -> List[str]:
    return [*__all__, "__doc__", "__version__"]
