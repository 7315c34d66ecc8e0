# SPDX-License-Identifier: BSD-2-Clause
"""Fields and the arrays that come and go: what compares, rounding, pickles, planes that change."""

import concurrent.futures
import pickle
import threading

import numpy
import pytest

import tandem
from pictures import grey, pan


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
