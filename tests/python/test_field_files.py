# SPDX-License-Identifier: BSD-2-Clause
"""Motion-field files from Python: round trips, pipes, names, what no file may hold."""

import os
import re
import threading

import numpy
import pytest

import tandem
from pictures import made_field, pan


@pytest.mark.parametrize("name", ["a.tmf", "a.npy", "a-%d.flo"])
def test_files_come_back(tmp_path, name):
    current, reference = pan(75, 50, 1, 2)
    field = tandem.estimate(current, reference, range=4, precision=8)
    tandem.write_fields(tmp_path / name, [tandem.Record(field, 1), tandem.Record(field, 2)], "sad")
    records = list(tandem.read_fields(tmp_path / name, (75, 50), (16, 16)))
    assert [(record.picture, record.reference_offset) for record in records] == [(1, -1), (2, -1)]
    for record in records:
        assert (record.field.vectors == field.vectors).all()
        assert record.field.picture == (75, 50) and record.field.block == (16, 16)
        if name == "a.tmf":
            assert (record.field.costs == field.costs).all()


@pytest.mark.parametrize("name", ["a.tmf", "a.flo"])
def test_a_pipe_between_threads(tmp_path, name):
    current, reference = pan(75, 50, 1, 2)
    field = tandem.estimate(current, reference, range=4)
    tandem.write_fields(tmp_path / name, [tandem.Record(field, 1)], "sad")
    pipe = tmp_path / ("pipe" + name)
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.extend(tandem.read_fields(pipe, (75, 50), (16, 16))), daemon=True)
    reader.start()
    with open(pipe, "wb") as writer:
        writer.write((tmp_path / name).read_bytes())
    reader.join(60)
    assert not reader.is_alive() and len(read) == 1
    assert (read[0].field.vectors == field.vectors).all()


def test_numpy_reads_our_arrays(tmp_path):
    vectors = numpy.array([[[-2.5, 1.0], [numpy.nan, numpy.nan]]], numpy.float32)
    costs = numpy.array([[310, 0]], numpy.uint32)
    field = tandem.Field(vectors, costs, costs, (32, 16), (16, 16))
    tandem.write_fields(tmp_path / "a.npy", [tandem.Record(field, 1)])
    assert numpy.array_equal(numpy.load(tmp_path / "a.npy")[0], vectors, equal_nan=True)
    assert numpy.load(tmp_path / "a.cost.npy").tolist() == [[[[310], [0xFFFFFFFF]]]]


def test_halves_of_an_eighth_go_away_from_zero(tmp_path):
    vectors = numpy.array([[[0.0625, -0.0625], [0.1875, 0.3125]]], numpy.float32)
    costs = numpy.zeros((1, 2), numpy.uint32)
    tandem.write_fields(tmp_path / "a.tmf", [tandem.Record(tandem.Field(vectors, costs, costs, (32, 16), (16, 16)), 1)])
    (record,) = tandem.read_fields(tmp_path / "a.tmf")
    assert record.field.vectors.tolist() == [[[0.125, -0.125], [0.25, 0.375]]]


@pytest.mark.parametrize("costs", [[[-5, 0]], [[1 << 32, 0]], [[0.5, 0.0]]])
def test_costs_that_files_cannot_have(tmp_path, costs):
    vectors, zero = numpy.zeros((1, 2, 2), numpy.float32), numpy.zeros((1, 2), numpy.uint32)
    field = tandem.Field(vectors, zero, numpy.array(costs), (32, 16), (16, 16))
    with pytest.raises(ValueError, match="whole numbers from 0"):
        tandem.write_fields(tmp_path / "a.tmf", [tandem.Record(field, 1)])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a.tmf", "a.npy", "a.jsonl", "a.yuview.csv"])
def test_fields_that_no_file_may_hold(tmp_path, name):
    vectors = numpy.zeros((1, 2, 2, 2), numpy.float32)
    vectors[0, 0, 0] = numpy.nan
    zero = numpy.zeros((1, 2, 2), numpy.uint32)
    field = tandem.Field(vectors, zero, zero, (32, 16), (16, 16))
    with pytest.raises(ValueError, match="a candidate after an empty one"):
        tandem.write_fields(tmp_path / name, [tandem.Record(field, 1)])
    whole = tandem.Field(numpy.zeros((1, 2, 2), numpy.float32), zero[..., 0], zero[..., 0], (32, 16), (16, 16))
    with pytest.raises(ValueError, match="picture 9007199254740993"):
        tandem.write_fields(tmp_path / name, [tandem.Record(whole, 2**53 + 1)])
    with pytest.raises(ValueError, match="a metric's name"):
        tandem.write_fields(tmp_path / name, [tandem.Record(whole, 1)], "a;b")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "changed, words",
    [
        ({"costs": numpy.zeros((3, 2), numpy.uint32)}, "costs: an array of shape (3, 2); the vectors' (2, 3)"),
        ({"distortions": numpy.full((2, 3), 2**32 - 1)}, "distortions: 4294967295 at a vector"),
        ({"distortions": numpy.full((2, 3), 0.5)}, "distortions: whole numbers"),
        ({"costs": numpy.ma.masked_equal(numpy.zeros((2, 3), int), 0)}, "costs: an array with masked values"),
        ({"vectors": numpy.ma.masked_equal(numpy.zeros((2, 3, 2)), 0)}, "vectors: an array with masked values"),
        ({"block": (16.5, 16)}, "block: (16.5, 16) is neither a whole number nor two"),
        ({"picture": (2**40, 32)}, "picture: (1099511627776, 32) is neither"),
        ({"picture": (2**31 - 1, 2**31 - 1), "block": (1, 1)}, "2147483647 rows and 2147483647 columns"),
    ],
)
def test_fields_that_contradict_themselves(tmp_path, changed, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        tandem.write_fields(tmp_path / "a.tmf", [tandem.Record(made_field(**changed), 1)])
    assert not list(tmp_path.iterdir())


def test_numbers_of_records_and_sizes(tmp_path):
    for record in (tandem.Record(made_field(), 2**63), tandem.Record(made_field(), 5, 2**31)):
        with pytest.raises(ValueError, match="is no whole number of"):
            tandem.write_fields(tmp_path / "a.tmf", [record])
    tandem.write_fields(tmp_path / "a.tmf", [tandem.Record(made_field(), 1)])
    with pytest.raises(ValueError, match="picture: "):
        tandem.read_fields(tmp_path / "a.tmf", picture=(2**40, 1))
    (record,) = tandem.read_fields(tmp_path / "a.tmf", picture=numpy.array([48, 32]))
    assert record.field.picture == (48, 32)


def test_file_names(tmp_path):
    (tmp_path / "victim").write_text("kept")
    with pytest.raises(ValueError, match="NUL"):
        tandem.write_fields(f"{tmp_path}/victim\0.tmf", [tandem.Record(made_field(), 1)])
    assert (tmp_path / "victim").read_text() == "kept"
    name = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.tmf")
    tandem.write_fields(name, [tandem.Record(made_field(), 1)])
    assert len(list(tandem.read_fields(name))) == 1
    with pytest.raises(FileNotFoundError) as missing:
        tandem.read_fields(name.replace(".tmf", ".npy"))
    assert missing.value.filename.endswith("caf\udce9.npy")


def test_broken_files_are_refused(tmp_path):
    (tmp_path / "a.tmf").write_bytes(b"no field")
    with pytest.raises(ValueError, match="not a motion field"):
        tandem.read_fields(tmp_path / "a.tmf")
    with pytest.raises(ValueError, match=".yuview.csv"):
        tandem.write_fields(tmp_path / "a.mkv", [])
    with pytest.raises(TypeError, match="metric: a text is wanted"):
        tandem.write_fields(tmp_path / "a.tmf", [], None)
    with pytest.raises(TypeError, match="vectors: an array of numbers is wanted"):
        tandem.write_fields(tmp_path / "b.tmf", [tandem.Record(made_field(vectors="abc"), 1)])
    assert [path.name for path in tmp_path.iterdir()] == ["a.tmf"]


def test_what_docstrings_say_of_files_that_are_not_there_and_writes_that_fail(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.tmf"):
        tandem.read_fields(tmp_path / "none.tmf")
    with pytest.raises(ValueError, match="a-%d.flo"):
        tandem.read_fields(tmp_path / "a-%d.flo", (48, 32), (16, 16))
    with pytest.raises(NotADirectoryError):
        tandem.read_fields(__file__ + "/a.tmf")
    with pytest.raises(FileNotFoundError, match="none"):
        tandem.write_fields(tmp_path / "none" / "a.tmf", [tandem.Record(made_field(), 1)])
    (tmp_path / "full.tmf").symlink_to("/dev/full")
    with pytest.raises(RuntimeError, match="writing failed"):
        tandem.write_fields(tmp_path / "full.tmf", [tandem.Record(made_field(), 1)])


def test_arrays_that_do_not_say_their_sizes(tmp_path):
    """As `tandem synth --truth` writes them: vectors alone, float32, pictures x rows x columns x 2."""
    truth = numpy.array([[[[-2.5, 1.0], [0.25, 3.0], [numpy.nan, numpy.nan]]]] * 2, numpy.float32)
    numpy.save(tmp_path / "turn.npy", truth)
    with pytest.warns(UserWarning, match="turn.npy does not say the size of its blocks: taken for 16x16"):
        records = list(tandem.read_fields(tmp_path / "turn.npy"))
    assert [record.picture for record in records] == [1, 2]
    for record in records:
        assert record.field.block == (16, 16) and record.field.picture == (48, 16)
        assert numpy.array_equal(record.field.vectors, truth[0], equal_nan=True)
    (record, _) = tandem.read_fields(tmp_path / "turn.npy", (20, 7), (8, 8))
    assert record.field.block == (8, 8) and record.field.picture == (20, 7)
    numpy.save(tmp_path / "flat.npy", truth[0, 0])
    with pytest.raises(ValueError, match="flat.npy"):
        tandem.read_fields(tmp_path / "flat.npy")
