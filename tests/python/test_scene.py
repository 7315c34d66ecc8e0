# SPDX-License-Identifier: BSD-2-Clause
"""tandem.synth() and tandem.draw(): what the command draws."""

import numpy
import pytest

import tandem
from command import needs_command, run
from pictures import made_field


def frames_of_y4m(path, width, height):
    """Y, Cb and Cr of each picture."""
    data = path.read_bytes()
    sizes = [(height, width)] + 2 * [((height + 1) // 2, (width + 1) // 2)]
    at = data.index(b"\n") + 1
    while at < len(data):
        at = data.index(b"\n", at) + 1
        planes = []
        for size in sizes:
            planes.append(numpy.frombuffer(data, numpy.uint8, size[0] * size[1], at).reshape(size))
            at += size[0] * size[1]
        yield planes


@needs_command
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"scene": "objects", "seed": 7, "objects": 3, "object-speed": 2.5},
        {"scene": "zoom", "zoom": 1.02, "rotate": -1.5, "noise": 3.0},
        {"speed": (2.25, -1)},
        {"scene": "occlusion", "blur": 1.5, "repeat": 16},
    ],
)
def test_pictures_and_truth_are_the_command_s(options, tmp_path):
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    words = [",".join(map(str, word)) if isinstance(word, tuple) else word for word in words]
    files = ("-o", tmp_path / "clip.y4m", "--truth", tmp_path / "truth.npy", "--block", "8")
    run("synth", "-q", "--size", "75x42", "--frames", "4", *words, *files)
    arguments = {name.replace("-", "_"): value for name, value in options.items()}
    scene = tandem.synth(size=(75, 42), frames=4, **arguments)
    assert len(scene) == 4 and scene.size == (75, 42)
    for picture, planes in zip(scene, frames_of_y4m(tmp_path / "clip.y4m", 75, 42)):
        assert all((mine == its).all() for mine, its in zip(picture.planes, planes))
    for number, truth in enumerate(numpy.load(tmp_path / "truth.npy"), 1):
        numpy.testing.assert_array_equal(scene.truth(number, block=8), truth)
    numpy.testing.assert_array_equal(scene.truth(-1, 8), truth)


@needs_command
def test_what_was_hidden_has_a_truth_where_it_is_counted(tmp_path):
    files = ("-o", tmp_path / "clip.y4m", "--truth", tmp_path / "truth.npy", "--hidden", "counted")
    run("synth", "-q", "--scene", "occlusion", "--size", "96x64", "--frames", "2", *files)
    scene = tandem.synth("occlusion", (96, 64), 2)
    counted = scene.truth(1, hidden="counted")
    numpy.testing.assert_array_equal(counted, numpy.load(tmp_path / "truth.npy")[0])
    assert numpy.isnan(scene.truth(1)).sum() > numpy.isnan(counted).sum()
    with pytest.raises(ValueError, match="hidden: 'known'"):
        scene.truth(1, hidden="known")


@needs_command
def test_the_truth_in_a_file_is_read_as_fields(tmp_path):
    run("synth", "-q", "--size", "64x48", "--frames", "3", "-o", tmp_path / "c.y4m", "--truth", tmp_path / "turn.npy")
    with pytest.warns(UserWarning, match="taken for 16x16"):
        records = list(tandem.read_fields(tmp_path / "turn.npy"))
    scene = tandem.synth(size=(64, 48), frames=3)
    assert [record.picture for record in records] == [1, 2] and records[0].field.picture == (64, 48)
    # Fields in files are in eighths.
    assert abs(numpy.nan_to_num(records[1].field.vectors - scene.truth(2))).max() <= 1 / 16


def test_a_scene_is_a_sequence_that_everything_takes():
    scene = tandem.synth("pan", (64, 48), 5, speed=(2, 1))
    assert [picture.size for picture in scene[1:3]] == [(64, 48)] * 2
    assert (scene[-1].planes[0] == scene[4].planes[0]).all()
    records = list(tandem.fields(scene, range=4))
    assert [tandem.end_point_error(record.field, scene.truth(record.picture)) for record in records] == [0] * 4
    assert len(list(tandem.Encoder(preset="ultrafast").encode(scene))) == 5
    with pytest.raises(IndexError, match="picture 5 of 5"):
        scene[5]
    with pytest.raises(IndexError, match="first picture"):
        scene.truth(0)
    with pytest.raises(ValueError, match="block: 0"):
        scene.truth(1, 0)


@pytest.mark.parametrize(
    "options, kind, words",
    [
        ({"scene": "storm"}, ValueError, "storm"),
        ({"size": (0, 9)}, ValueError, "0"),
        ({"frames": 0}, ValueError, "0"),
        ({"zoom": 3.0}, ValueError, "3"),
        ({"objects": 1001}, ValueError, "1001"),
        ({"speed": 2}, ValueError, "speed: 2"),
        ({"noise": "much"}, ValueError, "noise: 'much'"),
        ({"colour": 1}, TypeError, "colour"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, kind, words):
    with pytest.raises(kind, match=words):
        tandem.synth(**options)


@needs_command
def test_a_field_is_drawn_as_the_command_draws_it(tmp_path):
    image = pytest.importorskip("matplotlib.image", reason="matplotlib is not installed")
    scene = tandem.synth("objects", (96, 64), 2)
    words = ("--frames", "2", "--draw-longest", "32", "--draw", tmp_path / "field.png")
    run("synth", "-q", "--scene", "objects", "--size", "96x64", "--frames", "2", "-o", tmp_path / "c.y4m")
    run("motion", "-q", tmp_path / "c.y4m", *words)
    drawn = tandem.draw(tandem.estimate(scene[1], scene[0]), scene[1], longest=32, title="picture 1 from 0")
    read = image.imread(tmp_path / "field.png")[:, :, :3]
    numpy.testing.assert_array_equal(drawn, (read * 255).round().astype(numpy.uint8))


def test_two_fields_have_two_colours():
    picture = numpy.full((32, 48), 90, numpy.uint8)
    vectors = numpy.full((2, 3, 2), 6, numpy.float32)
    field = made_field()
    alone, both = tandem.draw(field, picture), tandem.draw(field, picture, other=made_field(vectors=vectors))
    assert alone.dtype == numpy.uint8 and alone.shape == both.shape and alone.shape[2] == 3
    assert (alone != both).any()
    with pytest.raises(ValueError, match="longest: -1"):
        tandem.draw(field, picture, longest=-1)
    with pytest.raises(ValueError, match="48, 32"):
        tandem.draw(field, picture[1:])
    with pytest.raises(ValueError, match="other"):
        tandem.draw(field, picture, other=made_field(block=(8, 8)))
    with pytest.raises(TypeError, match="Field"):
        tandem.draw(vectors, picture)
