# SPDX-License-Identifier: BSD-2-Clause
"""Pictures whose motion is known, and a field that a test may spoil."""

import numpy

import tandem

random = numpy.random.default_rng(1)
grey = numpy.zeros((32, 32), numpy.uint8)


def pan(width, height, x, y):
    """Two pictures; what is in the second moved by (x, y) in the first."""
    texture = random.integers(0, 256, (height + 64, width + 64), dtype=numpy.uint8)
    return texture[32 - y : 32 - y + height, 32 - x : 32 - x + width], texture[32 : 32 + height, 32 : 32 + width]


def made_field(**changed):
    zero = numpy.zeros((2, 3), numpy.uint32)
    return tandem.Field(numpy.zeros((2, 3, 2), numpy.float32), zero, zero, (48, 32), (16, 16))._replace(**changed)
