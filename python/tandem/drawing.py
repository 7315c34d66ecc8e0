# SPDX-License-Identifier: BSD-2-Clause
"""Fields drawn: by matplotlib for notebooks, and as the command draws them."""

from __future__ import annotations

from typing import Any, Optional

import numpy

from . import _motion
from ._arrays import text
from ._field import Field, arrays_of, refuse_other_picture
from ._picture import PictureLike, picture_of

_STYLES = ("arrows", "wheel", "cost")
# From short to long, as tandem motion --draw has them: blue, cyan, green, yellow, orange, red.
_LENGTHS = ((90, 150, 255), (60, 220, 230), (120, 235, 90), (250, 225, 60), (255, 150, 40), (250, 60, 60))
_MOST_STRETCH = 8


def draw(
    field: Field,
    picture: PictureLike,
    *,
    other: Optional[Field] = None,
    longest: float = 0,
    title: str = "",
) -> numpy.ndarray:
    """The picture of `tandem motion --draw`: red, green and blue, uint8 of rows x columns x 3.

    Arrows point from the middles of blocks to where their prediction comes from; zero is a dot. Small pictures are
    enlarged by a whole factor, and a legend stands below. picture: the field's own, of which luma is shown. other:
    another field on the same blocks, drawn below in a second colour. longest: the length in pels at the end of the
    colours, to 4095; 0: a power of two that 19 of 20 vectors reach. title: for the legend, small letters and digits.
    Raises ValueError for what does not fit together.
    """
    of = picture_of("picture", picture)
    for name, one in (("field", field), ("other", field if other is None else other)):
        if not isinstance(one, Field):
            raise TypeError(f"{name}: a Field of estimate() is wanted")
        refuse_other_picture(name, one, of.size)
    if other is not None and other.block != field.block:
        raise ValueError("other: a field in other blocks")
    if not 0 <= longest <= 4095:
        raise ValueError(f"longest: {longest}; 0 to 4095")
    second = None if other is None else arrays_of(other)
    return _motion.draw(arrays_of(field), of._held, text("title", title), second, float(longest))


def show(
    field: Field,
    picture: Optional[PictureLike] = None,
    *,
    style: str = "arrows",
    movement: bool = True,
    longest: Optional[float] = None,
    axes: Any = None,
) -> Any:
    """Draws a field, over its picture where there is one, and returns matplotlib's Axes.

        axes = tandem.show(tandem.estimate(current, reference), current)

    field: of estimate(); of several candidates the best is drawn. picture: luma, height x width of uint8, or Y, Cb
    and Cr, of which luma is shown. style: "arrows"; "wheel": the hue is the direction, paleness shortness; "cost":
    the cost of each block per sample. movement: shows where blocks went, which is the vector turned round; False: the
    vectors, where their prediction is. longest: the length in pels at the end of the colours; where it is None a
    power of two that 19 of 20 vectors reach. axes: matplotlib's Axes to draw on; a new figure's where it is None.

    Arrows are stretched or shortened by a power of two, which the scale beside them says, so that the longest reach a
    little beyond their block. Blocks without a vector stay empty. Raises ValueError for what does not fit together and
    ImportError where matplotlib is not installed.
    """
    if not isinstance(field, Field):
        raise TypeError("field: a Field of estimate() is wanted")
    if style not in _STYLES:
        raise ValueError(f"style: {style!r}; one of {', '.join(_STYLES)} is wanted")
    from matplotlib import pyplot

    vectors = field.vectors if field.vectors.ndim == 3 else field.vectors[:, :, 0]
    longest = _longest_of(vectors) if longest is None else float(longest)
    if not 0 < longest < float("inf"):
        raise ValueError(f"longest: {longest}; more than 0 is wanted")
    width, height = field.picture
    over = None if picture is None else picture_of("picture", picture)
    if over is not None:
        refuse_other_picture("field", field, over.size)
    if axes is None:
        _, axes = pyplot.subplots(figsize=(8, 8 * height / width + 0.4), layout="constrained")
    if over is not None:
        planes = over.planes
        luma = planes[0] if isinstance(planes, tuple) else planes
        axes.imshow(luma, cmap="gray", vmin=0, vmax=255, extent=(0, width, height, 0))
    shown = -vectors if movement else vectors
    draw = {"arrows": _draw_arrows, "wheel": _draw_wheel, "cost": _draw_cost}[style]
    draw(axes, field, shown, longest, picture is not None)
    axes.set(xlim=(0, width), ylim=(height, 0), aspect="equal", xlabel="pels", ylabel="pels")
    return axes


def _longest_of(vectors: numpy.ndarray) -> float:
    lengths = numpy.hypot(vectors[..., 0], vectors[..., 1])
    known = lengths[~numpy.isnan(lengths)]
    return 2.0 ** numpy.ceil(numpy.log2(max(1.0, numpy.percentile(known, 95)))) if known.size else 1.0


def _draw_arrows(axes: Any, field: Field, shown: numpy.ndarray, longest: float, _: bool) -> None:
    """From the middles of the blocks, of which those at the edges are cut."""
    from matplotlib.colors import LinearSegmentedColormap

    colours = LinearSegmentedColormap.from_list("lengths", numpy.array(_LENGTHS) / 255)
    stretch = min(_MOST_STRETCH, 2.0 ** numpy.floor(numpy.log2(1.25 * max(field.block) / longest)))
    edges = [
        numpy.minimum(numpy.arange(count + 1) * side, end)
        for count, side, end in zip(shown.shape[1::-1], field.block, field.picture)
    ]
    x, y = numpy.meshgrid(*((edge[1:] + edge[:-1]) / 2 for edge in edges))
    known = ~numpy.isnan(shown).any(axis=-1)
    right, down = shown[known].T
    arrows = axes.quiver(
        x[known], y[known], right, down, numpy.hypot(right, down), angles="xy", scale_units="xy", scale=1 / stretch,
        cmap=colours, clim=(0, longest), width=0.0028,
    )  # fmt: skip
    axes.figure.colorbar(arrows, ax=axes, label=f"length, pels (arrows x{stretch:g})", shrink=0.8)


def _block_extent(field: Field, rows: int, columns: int) -> tuple:
    return (0, columns * field.block[0], rows * field.block[1], 0)


def _draw_wheel(axes: Any, field: Field, shown: numpy.ndarray, longest: float, is_over_picture: bool) -> None:
    from matplotlib.colors import hsv_to_rgb

    known = ~numpy.isnan(shown).any(axis=-1)
    right, down = numpy.nan_to_num(shown[..., 0]), numpy.nan_to_num(shown[..., 1])
    hue = numpy.arctan2(down, right) / (2 * numpy.pi) % 1
    strength = numpy.clip(numpy.hypot(right, down) / longest, 0, 1)
    colours = numpy.dstack([hsv_to_rgb(numpy.dstack([hue, strength, numpy.ones_like(hue)])), known.astype(float)])
    extent = _block_extent(field, *known.shape)
    axes.imshow(colours, extent=extent, interpolation="nearest", alpha=0.75 if is_over_picture else 1)


def _draw_cost(axes: Any, field: Field, shown: numpy.ndarray, _: float, is_over_picture: bool) -> None:
    rows, columns = shown.shape[:2]
    costs = (field.costs if field.costs.ndim == 2 else field.costs[:, :, 0]).astype(float)
    widths = numpy.minimum(field.block[0], field.picture[0] - numpy.arange(columns) * field.block[0])
    heights = numpy.minimum(field.block[1], field.picture[1] - numpy.arange(rows) * field.block[1])
    costs[numpy.isnan(shown).any(axis=-1)] = numpy.nan
    drawn = axes.imshow(
        costs / numpy.outer(heights, widths), extent=_block_extent(field, rows, columns), cmap="inferno",
        interpolation="nearest", alpha=0.75 if is_over_picture else 1,
    )  # fmt: skip
    axes.figure.colorbar(drawn, ax=axes, label="cost per sample", shrink=0.8)
