# SPDX-License-Identifier: BSD-2-Clause
"""The Python module against plain numpy: a pan's vectors, a search by hand, refusals."""

import concurrent.futures
import inspect
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import typing

import numpy
import pytest

import tandem
from tandem import _motion
from pictures import made_field, pan, random


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
    assert wide == tandem.estimate(current, reference, search="predictive", range=(8, 4))
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


def test_what_has_no_vector_stays_without():
    current, reference = pan(64, 48, 2, 2)
    hint = numpy.full((3, 4, 2), 40.125)
    hint[1, 2] = numpy.nan
    given = tandem.estimate(current, reference, search="given", hint=hint, boundary="padded", range=1)
    assert numpy.array_equal(given.vectors, hint, equal_nan=True)
    assert given.costs[1, 2] == given.distortions[1, 2] == 4294967295
    assert (numpy.delete(given.costs.ravel(), 6) < 4294967295).all()


def test_fields_compare_by_their_values():
    current, reference = pan(64, 48, 2, 2)
    hint = numpy.full((3, 4, 2), 1.0)
    hint[1, 2] = numpy.nan
    field, same = (tandem.estimate(current, reference, search="given", hint=hint) for _ in range(2))
    assert field == same and not field != same
    assert tandem.Record(field, 3) == tandem.Record(same, 3) != tandem.Record(same, 4)
    for index, name in enumerate(("vectors", "costs", "distortions")):
        changed = field[index].copy()
        changed[0, 0] = 0
        assert field != field._replace(**{name: changed})
    assert field != field._replace(picture=(63, 48)) and field != field._replace(block=(16, 15))
    assert field != tuple(field) and field != tandem.estimate(current, reference, block=8)
    with pytest.raises(TypeError, match="unhashable"):
        hash(field)


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


def test_threads_share_an_estimator():
    current, reference = pan(320, 240, 3, 3)
    expected = tandem.estimate(current, reference, range=8)
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(tandem.estimate(current, reference, range=8))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(result == expected for result in results)


@pytest.mark.parametrize("kind, value", [("int8", 20), ("uint8", 40), ("int64", -300), ("float16", 128.125)])
def test_vectors_of_every_kind_keep_their_value(kind, value):
    vectors = numpy.full((2, 2, 2), value, kind)
    found = tandem.estimate(grey, grey, 16, 1, "given", hint=vectors, boundary="padded").vectors
    assert (found == value).all()


def test_vectors_are_rounded_to_the_nearest_eighth():
    for value, eighths in [(0.0625, 1), (numpy.nextafter(0.0625, 0), 0), (-0.0625, -1), (0.1875, 2), (0.18, 1)]:
        vectors = numpy.full((2, 2, 2), value)
        found = tandem.estimate(grey, grey, 16, 1, "given", hint=vectors, boundary="padded").vectors
        assert (found == eighths / 8).all(), value


def test_arrays_that_were_pickled_are_arrays():
    random = numpy.random.default_rng(3)
    current, reference = (random.integers(0, 256, (32, 48), dtype=numpy.uint8) for _ in range(2))
    sent = tandem.estimate(pickle.loads(pickle.dumps(current)), pickle.loads(pickle.dumps(reference)))
    assert (sent.vectors == tandem.estimate(current, reference).vectors).all()


class Planes(list):
    """Says when it has been read."""

    def __init__(self, value):
        super().__init__(numpy.full(shape, value, numpy.uint8) for shape in ((512, 512), (256, 256), (256, 256)))
        self.read = threading.Event()

    def __iter__(self):
        yield from super().__iter__()
        self.read.set()


def test_a_list_of_planes_may_change_during_the_search():
    current, reference = Planes(1), Planes(2)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        long = pool.submit(tandem.estimate, Planes(1), Planes(2), 16, 64, threads=1, brute_force=1)
        waiting = pool.submit(tandem.estimate, current, reference, 16, 1, threads=1)
        assert current.read.wait(60) and reference.read.wait(60)
        current[:], reference[:] = Planes(9), Planes(9)
        assert (waiting.result().distortions == 256).all()
        assert (long.result().distortions == 256).all()


def test_a_forked_process_searches_and_drops_its_parents_estimators():
    tandem.estimate(grey, grey, 16, 1, threads=2)
    process = os.fork()
    if process == 0:
        try:
            signal.alarm(60)
            for threads in range(3, 12):
                tandem.estimate(grey, grey, 16, 1, threads=threads)
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(process, 0)[1] == 0


def test_a_program_ends_while_its_threads_search():
    program = """
import threading, numpy, tandem
grey, searching = numpy.zeros((64, 64), numpy.uint8), threading.Barrier(5)
def search():
    for number in range(1_000_000):
        tandem.estimate(grey, grey, 16, 8, threads=1)
        if number == 0:
            searching.wait()
for _ in range(4):
    threading.Thread(target=search, daemon=True).start()
searching.wait()
"""
    for _ in range(5):
        assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


grey = numpy.zeros((32, 32), numpy.uint8)
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
