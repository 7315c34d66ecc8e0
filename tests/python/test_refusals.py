# SPDX-License-Identifier: BSD-2-Clause
"""What a search and a compensation refuse, in words, and the types that checkers see."""

import inspect
import re
import sys
import typing

import numpy
import pytest

import tandem
from pictures import grey, made_field

gap = numpy.array([[[[numpy.nan] * 2, [1.0] * 2]] * 2] * 2)
masked = numpy.ma.masked_array(grey, grey == 0)
masked_vectors = numpy.ma.masked_invalid(numpy.full((2, 2, 2), numpy.nan))


@pytest.mark.parametrize(
    "current, reference, options, error, words",
    [
        (grey.astype(float), grey, {}, ValueError, "current: the samples are float64; uint8 is wanted"),
        (grey, grey[0], {}, ValueError, "reference: the array has 1 dimensions"),
        (grey.astype(numpy.uint16), grey, {}, ValueError, "current: the samples are uint16; uint8 is wanted, and"),
        (numpy.dstack([grey] * 3), grey, {}, ValueError, "current: an array of 32 x 32 x 3 looks like colour"),
        (grey, [grey, grey.astype(int), grey], {}, ValueError, "reference[1]: the samples are int64; uint8 is wanted"),
        (grey, grey[:16], {}, ValueError, "different sizes"),
        (grey[:0], grey, {}, ValueError, "current: an array of 0 x 32"),
        (numpy.zeros((0, 5), numpy.uint8), grey, {}, ValueError, "current: an array of 0 x 5"),
        ((grey, grey), grey, {}, ValueError, "current: 2 planes"),
        ((grey, grey, grey), grey, {}, ValueError, "4:2:0 has 16x16"),
        ("grey", grey, {}, TypeError, "current: a numpy array is wanted"),
        (grey, grey, {"search": "best"}, ValueError, "search: 'best' is none of full"),
        (grey, grey, {"search": "\udcff"}, ValueError, r"search: '\udcff' is none of full"),
        (grey, grey, {"device": "\udcff"}, ValueError, r"device: '\udcff' is none of auto, cpu"),
        (grey, grey, {"metric": "mad"}, ValueError, "metric"),
        (grey, grey, {"block": 3}, ValueError, "3"),
        (grey, grey, {"block": (1, 2, 3)}, ValueError, "block"),
        (grey, grey, {"block": 16.7}, ValueError, "block: 16.7 is neither a whole number nor two"),
        (grey, grey, {"block": [(16, 16), (8.5, 8)]}, ValueError, "block: (8.5, 8) is neither"),
        (grey, grey, {"block": []}, ValueError, "block"),
        (grey, grey, {"range": 2.9}, ValueError, "range: 2.9 is neither a whole number nor two"),
        (grey, grey, {"range": (2, float("inf"))}, ValueError, "range"),
        (grey, grey, {"range": -1}, ValueError, "-1"),
        (grey, grey, {"precision": 3}, ValueError, "3"),
        (grey, grey, {"candidates": 2**40}, ValueError, "candidates"),
        (grey, grey, {"lagrangian": -1.0}, ValueError, "lagrangian"),
        (grey, grey, {"speed": 1}, TypeError, "there is no parameter 'speed'"),
        (grey, grey, {"\udcff": 1}, TypeError, r"there is no parameter '\udcff'"),
        (grey, grey, {"block_width": 8}, TypeError, "there is no parameter 'block_width'; block says it"),
        (grey, grey, {"metric": "sad\0x"}, ValueError, "metric: there is a NUL"),
        (grey, grey, {"device": "cpu\0"}, ValueError, "device: there is a NUL"),
        (grey, grey, {"threads": 2**40}, ValueError, "threads: 1099511627776 is no whole number of 32 bits"),
        (grey, grey, {"block": [(2**40, 16), (8, 8)]}, ValueError, "block: (1099511627776, 16) is neither"),
        (grey, grey, {"hint": made_field(block=(2**40, 16))}, ValueError, "hint: block: "),
        (grey, grey, {"device": "abacus"}, ValueError, "abacus"),
        (grey, grey, {"device": None}, TypeError, "device: a text is wanted"),
        (grey, grey, {"precision": 2.5}, ValueError, "precision: 2.5 is no whole number"),
        (grey, grey, {"precision": numpy.float32(2.5)}, ValueError, "precision: "),
        (grey, grey, {"precision": "2"}, ValueError, "precision: '2' is no whole number"),
        (grey, grey, {"precision": "1/3"}, ValueError, "precision: '1/3' is no whole number"),
        (grey, grey, {"range": "far"}, ValueError, "range: 'far' is neither a whole number nor two, nor 'picture'"),
        (grey, grey, {"range_x": 8}, TypeError, "there is no parameter 'range_x'; range says it"),
        (grey, grey, {"brute": 1, "brute_force": 0}, TypeError, "'brute_force' and another name of the same parameter"),
        ([], grey, {"hint": made_field()}, ValueError, "current: 0 planes"),
        (grey, grey, {"lagrangian": "1"}, ValueError, "lagrangian: '1' is no number"),
        (grey, grey, {"hint": made_field(picture=(31, 32))}, ValueError, "hint: it is of a picture of (31, 32)"),
        (grey, grey, {"hint": numpy.zeros((1, 1, 2))}, ValueError, "1 rows and 1 columns"),
        (grey, grey, {"hint": numpy.full((2, 2, 2), 5000.0)}, ValueError, "4095"),
        (grey, grey, {"hint": "abc"}, TypeError, "hint: an array of numbers is wanted"),
        (grey, grey, {"hint": made_field(picture=(32, 32), block=(0, 16))}, ValueError, "block_width: 0; 1 to 16384"),
        (grey, grey, {"hint": gap, "candidates": 2}, ValueError, "a candidate after an empty one"),
        (masked, grey, {}, ValueError, "current: an array with masked values"),
        (grey, (grey, grey[::2, :16], masked[::2, :16]), {}, ValueError, "reference[2]: an array with masked values"),
        (grey, grey, {"hint": masked_vectors}, ValueError, "hint: an array with masked values"),
    ],
)
def test_refusals(current, reference, options, error, words):
    with pytest.raises(error, match=re.escape(words)):
        tandem.estimate(current, reference, **options)


def test_a_mask_that_hides_nothing_is_none():
    assert tandem.estimate(numpy.ma.masked_array(grey), grey) == tandem.estimate(grey, grey)


@pytest.mark.parametrize(
    "field, options, error, words",
    [
        (numpy.zeros((2, 2, 2)), {"block": 0}, ValueError, "block_width: 0; 1 to 16384"),
        (numpy.zeros((2, 2, 2)), {"block": (16, -16)}, ValueError, "block_height: -16; 1 to 16384"),
        (numpy.zeros((2, 2, 2)), {"block": 2**31 - 1}, ValueError, "block_width: 2147483647; 1 to 16384"),
        (numpy.zeros((2, 2, 2)), {"block": 8}, ValueError,
         "2 rows and 2 columns; the picture has 4 rows and 4 columns"),
        ("abc", {"block": 16}, TypeError, "field: an array of numbers is wanted"),
        (masked_vectors, {"block": 16}, ValueError, "field: an array with masked values"),
        (numpy.zeros((2, 2, 2)), {"block": 16, "interpolation": None}, TypeError, "interpolation: a text is wanted"),
        (numpy.zeros((2, 2, 2)), {"block": 16, "interpolation": 3}, TypeError, "interpolation: a text is wanted"),
        (numpy.zeros((2, 2, 2)), {"block": 16, "interpolation": "cubic"}, ValueError, "'cubic' is none of bilinear"),
    ],
)
def test_refused_compensations(field, options, error, words):
    with pytest.raises(error, match=re.escape(words)):
        tandem.compensate(field, grey, **options)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="overloads are known from Python 3.11 on")
@pytest.mark.parametrize("function, chooses", [(tandem.estimate, "block"), (tandem.compensate, "reference")])
def test_type_checkers_see_every_parameter(function, chooses):
    whole = inspect.signature(function).parameters
    overloads = typing.get_overloads(function)
    assert len(overloads) == 2
    for overload in overloads:
        seen = inspect.signature(overload).parameters
        assert list(seen) == list(whole)
        assert all(seen[name] == whole[name] for name in whole if name != chooses)
