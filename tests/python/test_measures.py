# SPDX-License-Identifier: BSD-2-Clause
"""Measures of fields and pictures against plain numpy and against the command."""

import csv
import math

import numpy
import pytest

import tandem
from command import needs_command, run
from pictures import made_field, pan, random


@pytest.fixture(scope="module")
def clip(tmp_path_factory):
    """A scene as a file, and its true motion."""
    folder = tmp_path_factory.mktemp("measures")
    scene = ("--scene", "objects", "--size", "96x64", "--frames", "4", "--truth", folder / "truth.npy")
    run("synth", "-q", *scene, "-o", folder / "clip.y4m")
    return folder


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@needs_command
def test_the_figures_are_the_command_s(clip):
    options = {"precision": "1/4", "lambda": "4"}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    run("motion", "-q", clip / "clip.y4m", *words, "--truth", clip / "truth.npy", "--stats", clip / "stats.csv")
    told = [row for row in rows_of(clip / "stats.csv") if row["picture"].isdigit()]
    truths = numpy.load(clip / "truth.npy")
    pictures = list(tandem.synth("objects", (96, 64), 4))
    options["lambda"] = 4.0
    assert len(told) == 3
    for row, now, before, truth in zip(told, pictures[1:], pictures, truths):
        field = tandem.estimate(now, before, **options)
        figures = tandem.measure(field, now, before, truth=truth)
        assert set(figures) > {"psnr_y", "psnr_v", "dfd_entropy", "end_point_error", "truth_known"}
        for name, value in figures.items():
            digits = len(row[name].partition(".")[2])
            assert f"{value:.{digits}f}" == row[name], name
        left_out = set(row) - set(figures)
        assert not {name for name in left_out if "psnr" in name or "entropy" in name or "error" in name}


@needs_command
def test_another_field_is_compared_as_the_command_does(clip):
    run("motion", "-q", clip / "clip.y4m", "--frames", "2", "-o", clip / "full.tmf")
    compared = ("--compare", clip / "full.tmf", "--stats", clip / "compared.csv")
    run("motion", "-q", clip / "clip.y4m", "--frames", "2", "--merange", "1", *compared)
    row = rows_of(clip / "compared.csv")[0]
    pictures = tandem.synth("objects", (96, 64), 4)
    field, other = (tandem.estimate(pictures[1], pictures[0], merange=far) for far in (1, 16))
    figures = tandem.measure(field, pictures[1], pictures[0], other=other)
    for name in ("equal_vectors", "mean_difference", "mean_cost_difference"):
        digits = len(row[name].partition(".")[2])
        assert f"{figures[name]:.{digits}f}" == row[name], name
    assert figures["equal_vectors"] < 1


def test_grey_pictures_have_no_figures_of_chroma():
    current, reference = pan(64, 48, 2, 1)
    figures = tandem.measure(tandem.estimate(current, reference, range=4), current, reference)
    assert "psnr_y" in figures and "psnr_u" not in figures and "end_point_error" not in figures
    prediction = tandem.compensate(tandem.estimate(current, reference, range=4), reference)
    error = ((current.astype(int) - prediction) ** 2).mean()
    assert figures["mse_y"] == pytest.approx(error)


def test_the_end_point_error_is_that_of_known_blocks_and_not_rounded():
    field = numpy.zeros((2, 3, 2))
    truth = numpy.zeros((2, 3, 2))
    truth[0, 0], truth[1, 2] = (3, 4), numpy.nan
    field[0, 1], field[1, 1] = (0.01, 0), numpy.nan
    assert tandem.end_point_error(field, truth) == pytest.approx((5 + 0.01) / 4)
    assert math.isnan(tandem.end_point_error(field, numpy.full((2, 3, 2), numpy.nan)))
    figures = tandem.measure(made_field(), numpy.zeros((32, 48), "u1"), numpy.zeros((32, 48), "u1"), truth=truth)
    assert figures["within_one_pel"] == 0.8 and figures["truth_known"] == pytest.approx(5 / 6)
    assert figures["angular_error"] == pytest.approx(math.degrees(math.atan2(5, 1)) / 5)
    candidates = numpy.stack([truth, truth + 9], axis=2)
    zero = numpy.zeros((2, 3, 2), numpy.uint32)
    assert tandem.end_point_error(made_field(vectors=candidates, costs=zero, distortions=zero), truth) == 0


def test_likeness_is_that_of_numpy():
    one, other = (random.integers(0, 256, (40, 56), dtype=numpy.uint8) for _ in range(2))
    found = tandem.likeness(one, other)
    error = ((one.astype(int) - other) ** 2).mean()
    assert found.mse == (pytest.approx(error),) and found.psnr[0] == pytest.approx(10 * math.log10(255**2 / error))
    assert -0.2 < found.ssim < 0.2
    same = tandem.likeness((one, one[::2, ::2], one[::2, ::2]), (one, one[::2, ::2], other[::2, ::2]))
    assert same.psnr[:2] == (math.inf, math.inf) and same.psnr[2] < 20 and same.ssim == 1


def test_the_rate_between_curves_is_the_published_one():
    # JCTVC-E137 (2011), first set; its sheet computes -0.00465215420752807.
    anchor = [(108048.8736, 43.6471), (61279.976, 40.3953), (33905.6656, 37.247), (18883.6928, 34.2911)]
    test = [(108061.2784, 43.6768), (61299.9936, 40.4232), (33928.7472, 37.2761), (18910.912, 34.3147)]
    assert tandem.bd_rate(anchor, test) == pytest.approx(-0.465215420752807, rel=1e-9)
    with pytest.raises(ValueError, match="the test has 3 points"):
        tandem.bd_rate(anchor, test[:3])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda f, p: tandem.measure(f, p, p[:, :47]), "48, 32"),
        (lambda f, p: tandem.measure(f, p, p, interpolation="cubic"), "cubic"),
        (lambda f, p: tandem.measure(f, p, p, truth=numpy.zeros((3, 3, 2))), "truth: "),
        (lambda f, p: tandem.measure(f, p, p, other=made_field(block=(8, 8))), "other: "),
        (lambda f, p: tandem.end_point_error(f, numpy.zeros((2, 3))), "rows x columns x 2"),
        (lambda f, p: tandem.likeness(p, p[:30]), "48x32 and 48x30"),
    ],
)
def test_what_does_not_fit_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call(made_field(), numpy.zeros((32, 48), "u1"))
    with pytest.raises(TypeError, match="Field"):
        tandem.measure(numpy.zeros((2, 3, 2)), *(numpy.zeros((32, 48), "u1"),) * 2)
