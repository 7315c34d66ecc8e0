# SPDX-License-Identifier: BSD-2-Clause
"""Searches of the Python module against plain numpy: a pan's vectors, a search by hand, hints, sizes, colour."""

import numpy
import pytest

import tandem
from tandem import _motion
from pictures import pan, random


@pytest.mark.parametrize("search", tandem.searches())
def test_every_search_answers(search):
    current, reference = pan(80, 64, 1, -1)
    hint = numpy.full((4, 5, 2), 0.0) if search == "given" else None
    try:
        field = tandem.estimate(current, reference, range=7, search=search, hint=hint)
    except ValueError as error:
        if search == "poc" and ("KissFFT" in str(error) or "support" in str(error)):
            pytest.skip(str(error))
        raise
    assert field.vectors.shape == (4, 5, 2)
    assert field.vectors.dtype == numpy.float32
    assert field.costs.shape == field.distortions.shape == (4, 5)
    assert field.costs.dtype == numpy.uint32


def test_every_option_of_a_search_is_an_argument_with_its_default():
    current, reference = pan(64, 48, 2, 1)
    plain = tandem.estimate(current, reference)
    for name, usual, _ in _motion.search_settings():
        given = {name.replace("-", "_"): numbers_of(usual)}
        assert tandem.estimate(current, reference, **given) == plain, name


def numbers_of(text):
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


def test_names_and_ranges_are_the_command_s():
    current, reference = pan(160, 128, 12, 3)
    by_names = tandem.estimate(current, reference, me="tss", merange=7, interp="six-tap", precision="1/2")
    assert by_names == tandem.estimate(current, reference, 16, 7, "tss", 2, interpolation="six-tap")
    assert tandem.estimate(current, reference) == tandem.estimate(current, reference, range=16)
    wide = tandem.estimate(current, reference, search="predictive")
    assert wide == tandem.estimate(current, reference, search="predictive", range=(12, 6))
    whole = tandem.estimate(current, reference, range="picture", threads=2)
    assert whole == tandem.estimate(current, reference, range=(159, 127))
    walked = [tandem.estimate(current, reference, me="diamond", me_start=start) for start in ("zero", "predictors")]
    assert walked[0] == tandem.estimate(current, reference, me="diamond") != walked[1]
    for twice in ({"search": "tss", "me": "log"}, {"range": 5, "merange": 5}):
        with pytest.raises(TypeError, match="names of the same parameter"):
            tandem.estimate(current, reference, **twice)


def test_a_pan_has_its_vector():
    # The views' rows lie 64 bytes further apart than they are long: they are read where they are.
    current, reference = pan(80, 64, 5, -3)
    field = tandem.estimate(current, reference, block=(16, 8), range=(8, 6))
    assert field.block == (16, 8) and field.picture == (80, 64)
    assert (field.vectors[1:-1, 1:-1] == (-5, 3)).all()
    assert (field.distortions[1:-1, 1:-1] == 0).all()
    prediction = tandem.compensate(field, reference)
    assert (prediction[8:-8, 16:-16] == current[8:-8, 16:-16]).all()
    assert (tandem.compensate(field.vectors, reference, (16, 8)) == prediction).all()


def test_zero_is_kept_where_it_is_good_enough():
    current, reference = pan(64, 48, 1, 0)
    assert (tandem.estimate(current, reference, range=4).vectors != 0).any()
    for rule in ("null_threshold", "null_level", "null_gain"):
        assert (tandem.estimate(current, reference, range=4, **{rule: 65535}).vectors == 0).all(), rule


def test_a_full_search_by_hand():
    current, reference = (random.integers(0, 256, (19, 21), dtype=numpy.uint8) for _ in range(2))
    field = tandem.estimate(current, reference, block=8, range=3)
    for row in range(3):
        for column in range(3):
            block = current[8 * row : 8 * row + 8, 8 * column : 8 * column + 8].astype(int)
            found = []
            for y in range(-3, 4):
                for x in range(-3, 4):
                    top, left = 8 * row + y, 8 * column + x
                    there = reference[max(top, 0) : top + block.shape[0], max(left, 0) : left + block.shape[1]]
                    if top >= 0 and left >= 0 and there.shape == block.shape:
                        found.append((abs(block - there).sum(), abs(x) + abs(y), y, x))
            cost, _, y, x = min(found)
            assert tuple(field.vectors[row, column]) == (x, y)
            assert field.costs[row, column] == cost


def test_candidates_precision_and_hint():
    current, reference = pan(64, 48, 2, 2)
    field = tandem.estimate(current, reference, range=4, candidates=3, precision=4, boundary="padded", threads=2)
    assert field.vectors.shape == (3, 4, 3, 2) and field.costs.shape == (3, 4, 3)
    assert (numpy.diff(field.costs.astype(int), axis=2) >= 0).all()
    assert (field.vectors * 4 == numpy.rint(field.vectors * 4)).all()
    near = tandem.estimate(
        current, reference, range=4, hint=field.vectors[:, :, 0], predictor="hint", lagrangian=1000.0
    )
    assert (near.vectors[1, 1:3] == (-2, -2)).all()


def test_a_hint_is_used():
    current, reference = pan(64, 48, 2, 2)
    hint = numpy.full((3, 4, 2), -2.0)
    options = {"range": 4, "lagrangian": 100.0}
    hinted = tandem.estimate(current, reference, hint=hint, **options)
    explicit = tandem.estimate(current, reference, hint=hint, predictor="hint", **options)
    plain = tandem.estimate(current, reference, **options)
    assert (hinted.costs == explicit.costs).all() and (hinted.costs != plain.costs).any()
    assert hinted.costs[1, 1] - hinted.distortions[1, 1] == 200, "a bit for each component that is the hint's"
    tandem.estimate(current, reference, hint=hint, predictor="neighbours", **options)
    with pytest.raises(ValueError, match="'hint' needs a hint"):
        tandem.estimate(current, reference, predictor="hint")
    with pytest.raises(ValueError, match="not used with the predictor 'zero'"):
        tandem.estimate(current, reference, hint=hint, predictor="zero")
    given = tandem.estimate(current, reference, hint=hint, search="given", predictor="zero", **options)
    assert (given.vectors[1:, 1:] == -2).all()
    other = tandem.Field(hint, None, None, (64, 48), (16, 16))
    with pytest.raises(ValueError, match="64x48 in blocks of 16x16; 64x48 in blocks of 8x8 is wanted"):
        tandem.estimate(current, reference, block=8, hint=other)


def test_several_sizes_at_once():
    current, reference = pan(80, 64, 3, -1)
    sizes = [(16, 16), (8, 8), (16, 8)]
    fields = tandem.estimate(current, reference, block=sizes, range=6)
    assert isinstance(fields, list) and [field.block for field in fields] == sizes
    for size, field in zip(sizes, fields):
        alone = tandem.estimate(current, reference, block=size, range=6)
        assert isinstance(alone, tandem.Field)
        assert field == alone
    assert len(tandem.estimate(current, reference, [(8, 8)], 6)) == 1
    assert tandem.estimate(current, reference, [16, 8], 6).block == (16, 8)
    hinted = tandem.estimate(current, reference, block=[(8, 8), (4, 4)], range=6, hint=fields[0], lagrangian=5.0)
    assert hinted[1].vectors.shape == (16, 20, 2)
    with pytest.raises(ValueError, match="a Field does"):
        tandem.estimate(current, reference, block=sizes, hint=fields[0].vectors)
    with pytest.raises(ValueError, match="block width is 3"):
        tandem.estimate(current, reference, block=[(16, 16), (3, 3)])
    with pytest.raises(ValueError, match="65 of them"):
        tandem.estimate(current, reference, block=[(16, 16)] * 65)


def test_colour():
    current, reference = pan(64, 48, 2, 0)
    chroma = [random.integers(0, 256, (24, 32), dtype=numpy.uint8) for _ in range(2)]
    field = tandem.estimate((current, *chroma), (reference, *chroma), range=4, planes="all")
    assert field.vectors.shape == (3, 4, 2)
    still = numpy.zeros((3, 4, 2), numpy.float32)
    planes = tandem.compensate(still, (reference, *chroma), 16)
    for plane, original in zip(planes, (reference, *chroma)):
        assert (plane == original).all()


def test_texture_units_search_and_do_not_compensate():
    reference = pan(64, 48, 0, 0)[1]
    vectors = numpy.full((3, 4, 2), 0.25)
    bilinear, texture, six_tap = (
        tandem.compensate(vectors, reference, 16, interpolation) for interpolation in ("bilinear", "texture", "six-tap")
    )
    assert (texture == bilinear).all() and (texture != six_tap).any()
