# SPDX-License-Identifier: BSD-2-Clause
"""tandem.show(): what matplotlib is given to draw."""

import colorsys

import numpy
import pytest

import tandem
from pictures import made_field, pan

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed (Debian: python3-matplotlib)")
matplotlib.use("agg")


def test_arrows_are_the_movement_in_pels():
    current, reference = pan(75, 40, 5, -3)
    field = tandem.estimate(current, reference, block=(16, 16), range=8)
    axes = tandem.show(field, current, longest=8)
    (arrows,) = [one for one in axes.collections if hasattr(one, "U")]
    assert arrows.N == 5 * 3 and (arrows.angles, arrows.scale_units) == ("xy", "xy")
    # Twice 8 fits a block and a quarter.
    assert arrows.get_clim() == (0, 8) and arrows.scale == 1 / 2
    vectors = field.vectors.reshape(-1, 2)
    numpy.testing.assert_array_equal(arrows.U, -vectors[:, 0])
    numpy.testing.assert_array_equal(arrows.V, -vectors[:, 1])
    assert (arrows.U[6], arrows.V[6]) == (5, -3)
    # The blocks at the right and bottom edge are 11 wide and 8 high.
    numpy.testing.assert_array_equal(arrows.XY[[0, 4, 14]], [[8, 8], [69.5, 8], [69.5, 36]])
    assert axes.get_xlim() == (0, 75) and axes.get_ylim() == (40, 0)
    numpy.testing.assert_array_equal(axes.images[0].get_array(), current)
    drawn = tandem.show(field, movement=False)
    numpy.testing.assert_array_equal([one for one in drawn.collections if hasattr(one, "U")][0].U, vectors[:, 0])
    matplotlib.pyplot.close("all")


def test_colours_are_the_wheel_s_and_nothing_is_drawn_where_there_is_no_vector():
    vectors = numpy.zeros((2, 3, 2), numpy.float32)
    vectors[0, 1], vectors[1, 2] = (-4, 0), (1, 2)
    vectors[1, 1] = numpy.nan
    axes = tandem.show(made_field(vectors=vectors), style="wheel", longest=8)
    colours = axes.images[0].get_array()
    assert colours.shape == (2, 3, 4)
    numpy.testing.assert_allclose(colours[0, 0], [1, 1, 1, 1])
    numpy.testing.assert_allclose(colours[0, 1], [1, 0.5, 0.5, 1])  # To the right: red, half of the longest.
    assert colours[1, 1, 3] == 0
    hue = numpy.arctan2(-2, -1) / (2 * numpy.pi) % 1
    numpy.testing.assert_allclose(colours[1, 2, :3], colorsys.hsv_to_rgb(hue, 5**0.5 / 8, 1), rtol=1e-6)
    matplotlib.pyplot.close("all")


def test_costs_are_per_sample():
    costs = numpy.full((2, 3), 512, numpy.uint32)
    axes = tandem.show(made_field(costs=costs, picture=(40, 24)), style="cost")
    numpy.testing.assert_array_equal(axes.images[0].get_array(), [[2, 2, 4], [4, 4, 8]])
    matplotlib.pyplot.close("all")


def test_the_scale_ends_at_a_power_of_two_that_most_vectors_reach():
    vectors = numpy.full((10, 10, 2), 3, numpy.float32)
    vectors[0, :4] = 100
    vectors[1] = numpy.nan
    zero = numpy.zeros((10, 10), numpy.uint32)
    field = tandem.Field(vectors, zero, zero, (160, 160), (16, 16))
    (arrows,) = [one for one in tandem.show(field).collections if hasattr(one, "U")]
    assert arrows.get_clim() == (0, 8) and arrows.N == 90
    matplotlib.pyplot.close("all")


def test_it_draws_on_the_axes_that_it_gets():
    _, axes = matplotlib.pyplot.subplots()
    assert tandem.show(made_field(), axes=axes) is axes
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize(
    "change, words",
    [({"style": "quiver"}, "style: 'quiver'"), ({"longest": 0}, "longest: 0"), ({"picture": numpy.zeros((3, 3), "u1")}, "48, 32")],
)
def test_what_does_not_fit_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        tandem.show(made_field(), **change)
    with pytest.raises(TypeError, match="Field"):
        tandem.show(numpy.zeros((2, 3, 2)))
