# SPDX-License-Identifier: BSD-2-Clause
"""Pictures that are kept, searches that are under way, the fields of a clip."""

import concurrent.futures
import os
import pickle
import threading

import numpy
import pytest

import tandem
from pictures import pan, random


def noise(width=48, height=32):
    return random.integers(0, 256, (height, width), dtype=numpy.uint8)


def test_the_package_shows_its_interface_alone():
    assert sorted(tandem.__all__) == [name for name in dir(tandem) if not name.startswith("__")]
    assert all(hasattr(tandem, name) for name in dir(tandem))


def test_a_picture_keeps_its_samples():
    samples = noise()
    before = samples.copy()
    picture = tandem.Picture(samples)
    samples[:] = 0
    assert (picture.planes == before).all()
    assert picture.size == (picture.width, picture.height) == (48, 32) and not picture.has_chroma
    assert "48x32" in repr(picture)
    assert tandem.Picture(picture).size == picture.size


def test_a_picture_serves_many_searches():
    current, reference = pan(80, 64, 2, 1)
    expected = tandem.estimate(current, reference, range=4)
    held = tandem.Picture(current), tandem.Picture(reference)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = [pool.submit(tandem.estimate, *held, range=4) for _ in range(8)]
        assert all(one.result() == expected for one in found)
    assert (tandem.compensate(expected, held[1]) == tandem.compensate(expected, reference)).all()


@pytest.mark.parametrize(
    "turned",
    [
        lambda array: array[:, ::2],
        lambda array: array[::2, ::-1],
        lambda array: array.T,
        lambda array: numpy.asfortranarray(array),
        lambda array: numpy.broadcast_to(array[:1], array.shape),
    ],
)
def test_rows_and_columns_may_lie_anyhow(turned):
    current, reference = turned(noise()), turned(noise())
    plain = [numpy.array(array, order="C") for array in (current, reference)]
    assert tandem.estimate(current, reference, range=3) == tandem.estimate(*plain, range=3)
    assert (tandem.Picture(current).planes == plain[0]).all()


def test_three_planes_come_back():
    planes = [noise(), noise(24, 16), noise(24, 16)]
    picture = tandem.Picture(planes)
    assert picture.has_chroma and "4:2:0" in repr(picture)
    assert all((here == there).all() for here, there in zip(picture.planes, planes))


def test_colour_becomes_luma_and_chroma():
    colour = random.integers(0, 256, (5, 7, 3), dtype=numpy.uint8)
    luma, cb, cr = tandem.Picture.of_colour(colour).planes
    assert luma.shape == (5, 7) and cb.shape == cr.shape == (3, 4)
    red, green, blue = (int(value) for value in colour[4, 6])  # The corner, whose block is its own.
    y = 0.299 * red + 0.587 * green + 0.114 * blue
    assert abs(luma[4, 6] - y) <= 0.5
    assert abs(cb[2, 3] - min(128 + (blue - y) / 1.772, 255)) <= 0.51
    assert abs(cr[2, 3] - min(128 + (red - y) / 1.402, 255)) <= 0.51
    turned = tandem.Picture.of_colour(colour[:, :, ::-1], "BGR")
    assert all((here == there).all() for here, there in zip(turned.planes, (luma, cb, cr)))
    grey = tandem.Picture.of_colour(numpy.full((4, 4, 3), 200, numpy.uint8)).planes
    assert [set(plane.ravel().tolist()) for plane in grey] == [{200}, {128}, {128}]
    for wrong in (colour[:, :, 0], colour.astype(float), colour[:0]):
        with pytest.raises(ValueError, match="rows x columns x 3"):
            tandem.Picture.of_colour(wrong)
    with pytest.raises(ValueError, match="order: 'GBR'"):
        tandem.Picture.of_colour(colour, "GBR")


def test_depth_is_rounded():
    deep = numpy.array([[0, 1, 2, 5, 6, 1021, 1022, 1023]], numpy.uint16)
    assert tandem.Picture.of_depth(deep, 10).planes.tolist() == [[0, 0, 1, 1, 2, 255, 255, 255]]
    planes = tandem.Picture.of_depth([deep, deep[:, ::2], deep[:, ::2]], 12)
    assert planes.has_chroma
    for samples, bits, words in [
        (deep, 8, "bits: 8; 9 to 16"),
        (deep, 9, "1023 is no number of 9 bits"),
        (deep.astype(numpy.uint8), 10, "they are uint8"),
        (deep.astype(numpy.int32), 10, "they are int32"),
    ]:
        with pytest.raises(ValueError, match=words):
            tandem.Picture.of_depth(samples, bits)


def test_submitted_searches_find_what_estimate_finds():
    estimator = tandem.Estimator(threads=2)
    pictures = [tandem.Picture(noise()) for _ in range(6)]
    pairs = list(zip(pictures[1:], pictures))
    answers = [estimator.submit(*pair, block=8, range=5, precision="1/2") for pair in pairs]
    for pair, answer in reversed(list(zip(pairs, answers))):
        assert answer.exception(60) is None
        assert answer.done() and answer.device == "cpu"
        assert answer.result() == answer.result() == tandem.estimate(*pair, block=8, range=5, precision=2)
    several = estimator.submit(*pairs[0], block=[(16, 16), (8, 8)], range=5).result()
    assert several == tandem.estimate(*pairs[0], block=[(16, 16), (8, 8)], range=5)
    assert estimator.estimate(*pairs[0], 8, 5) == tandem.estimate(*pairs[0], 8, 5)


def test_an_answer_is_waited_for():
    big = tandem.Picture(numpy.zeros((512, 512), numpy.uint8))
    estimator = tandem.Estimator(threads=1)
    answers = [estimator.submit(big, big, range=128, brute=1) for _ in range(30)]  # Seconds of work.
    assert not answers[-1].done() and answers[-1].device == ""
    for timeout in (0, 0.001, -1.0, float("nan")):
        with pytest.raises(concurrent.futures.TimeoutError):
            answers[-1].result(timeout)
    assert (answers[0].result(timeout=600).distortions == 0).all()


def test_errors_are_the_answers():
    estimator = tandem.Estimator(threads=1)
    answer = estimator.submit(noise(), noise(), rows=(0, 9))
    with pytest.raises(ValueError, match="rows 0 to 9 in a field of 2"):
        answer.result()
    assert isinstance(answer.exception(), ValueError)
    with pytest.raises(ValueError, match="grid"):
        estimator.submit(noise(), noise(), grid="1/4")


def test_a_start_field_is_refined():
    current, reference = noise(80, 64), noise(80, 64)
    estimator = tandem.Estimator(threads=1)
    whole = tandem.estimate(current, reference, range=3, candidates=3)
    refined = estimator.estimate(current, reference, range=0, candidates=3, precision=4, start=whole)
    assert refined == tandem.estimate(current, reference, range=3, candidates=3, precision=4)
    with pytest.raises(TypeError, match="start: a Field is wanted"):
        estimator.submit(current, reference, start=whole.vectors)
    with pytest.raises(ValueError, match="start: it is of a picture"):
        estimator.submit(noise(), noise(), start=whole)
    with pytest.raises(ValueError, match="start: "):
        estimator.submit(current, reference, [(16, 16), (8, 8)], start=whole)


def test_rows_that_are_not_wanted_stay_empty():
    field = tandem.Estimator(threads=1).estimate(noise(), noise(), 8, 2, rows=(1, 3))
    known = ~numpy.isnan(field.vectors).any(axis=(1, 2))
    assert known.tolist() == [False, True, True, False]


def test_the_words_of_the_command():
    current, reference = noise(20, 18), noise(20, 18)
    assert tandem.estimate(current, reference) == tandem.estimate(current, reference, range=16)
    everywhere = tandem.estimate(current, reference, block=4, range="picture")
    assert everywhere == tandem.estimate(current, reference, block=4, range=(19, 17))
    quarter = tandem.estimate(current, reference, range=3, precision="1/4", grid="1/2", brute=1)
    assert quarter == tandem.estimate(current, reference, range=3, precision=4, grid=2)
    weighed = tandem.estimate(current, reference, range=3, **{"lambda": 2.5})
    assert weighed == tandem.estimate(current, reference, range=3, lagrangian=2.5)


def record_of(field, number, step):
    return tandem.Record(field, number, -step)


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("ahead", [1, 20])
def test_the_fields_of_pictures(step, ahead):
    pictures = [noise() for _ in range(7)]
    found = list(tandem.fields(iter(pictures), 8, 3, step=step, ahead=ahead, threads=2))
    assert found == [
        record_of(tandem.estimate(pictures[number], pictures[number - step], 8, 3), number, step)
        for number in range(step, 7)
    ]


def test_a_clip_is_read_as_far_as_it_is_asked_for():
    read = []

    def endless():
        while True:
            read.append(len(read))
            yield noise()

    fields = tandem.fields(endless(), range=1, ahead=4)
    assert read == []
    for count in range(3):
        assert next(fields).picture == 1 + count
        assert len(read) == 6 + count


def write_y4m(path, pictures):
    height, width = pictures[0].shape
    grey = bytes([128]) * (((width + 1) // 2) * ((height + 1) // 2) * 2)
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F25:1 C420jpeg\n".encode())
        for picture in pictures:
            file.write(b"FRAME\n" + picture.tobytes() + grey)


@pytest.mark.parametrize("name", ["clip.y4m", "clip.\u00e4.y4m"])
def test_the_fields_of_a_file(tmp_path, name):
    pictures = [noise(33, 21) for _ in range(4)]
    write_y4m(tmp_path / name, pictures)
    expected = list(tandem.fields(pictures, range=4))
    assert list(tandem.fields(tmp_path / name, range=4)) == expected
    assert list(tandem.fields(str(tmp_path / name), range=4, device=tandem.Estimator(threads=1))) == expected


def test_clips_that_cannot_be_read(tmp_path):
    with pytest.raises(FileNotFoundError):
        tandem.fields(tmp_path / "none.y4m")
    (tmp_path / "no.y4m").write_bytes(b"YUV4MPEG2 Wx\n")
    with pytest.raises(ValueError, match="no.y4m"):
        tandem.fields(tmp_path / "no.y4m")
    write_y4m(tmp_path / "short.y4m", [noise(), noise(), noise()])
    whole = (tmp_path / "short.y4m").read_bytes()
    (tmp_path / "short.y4m").write_bytes(whole[:-100])
    with pytest.raises(ValueError, match="short.y4m"):
        list(tandem.fields(tmp_path / "short.y4m", range=1))
    for options, words in [({"step": 0}, "step: 0"), ({"ahead": 0}, "ahead: 0"), ({"ahead": 1001}, "ahead: 1001")]:
        with pytest.raises(ValueError, match=words):
            tandem.fields([noise()], **options)
    with pytest.raises(ValueError, match="picture 1: the array has 1 dimensions"):
        list(tandem.fields([noise(), noise()[0]], range=1))


@pytest.mark.parametrize("kind", ["FieldWriter", "FieldReader", "Estimator", "Picture", "Clip", "Ticket"])
def test_objects_that_were_not_made_are_refused(kind):
    made = getattr(tandem._motion, kind)
    unmade = made.__new__(made)
    methods = [name for name in vars(made) if not name.startswith("_")]
    assert methods
    for name in methods:
        with pytest.raises(TypeError):
            method = getattr(unmade, name)
            method()
    if kind == "FieldWriter":
        with pytest.raises(TypeError, match="this FieldWriter was not made"):
            unmade.finish()
    if kind == "Picture":
        with pytest.raises(TypeError, match="this Picture was not made"):
            unmade.planes()


def test_other_objects_are_no_pictures():
    estimator = tandem._motion.Estimator("cpu", 1)
    with pytest.raises(TypeError, match="a Picture is wanted"):
        estimator.submit(3, 4, {}, None, None, [], (0, -1))


def test_a_forked_process_does_not_wait_for_its_parents_threads():
    estimator = tandem.Estimator(threads=1)
    answer = estimator.submit(noise(), noise())
    process = os.fork()
    if process == 0:
        try:
            for forbidden in (answer.result, lambda: estimator.submit(noise(), noise())):
                with pytest.raises(RuntimeError, match="belongs to the process"):
                    forbidden()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(process, 0)[1] == 0
    answer.result()


def test_fields_are_pickled_by_the_name_that_users_know():
    field = tandem.estimate(noise(), noise(), range=1)
    assert b"tandem._field" not in pickle.dumps(field)
    assert pickle.loads(pickle.dumps(field)) == field
    assert tandem.Field.__module__ == tandem.Picture.__module__ == "tandem"


def test_threads_submit_to_one_estimator():
    estimator = tandem.Estimator(threads=1)
    current, reference = noise(), noise()
    expected = tandem.estimate(current, reference, range=2)
    found = []

    def submit():
        found.extend(estimator.submit(current, reference, range=2) for _ in range(20))

    threads = [threading.Thread(target=submit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 80 and all(answer.result() == expected for answer in found)
