# SPDX-License-Identifier: BSD-2-Clause
"""Pictures whose motion is known."""

from __future__ import annotations

import collections.abc
import operator
from typing import Any, List, Optional, Tuple, Union, overload

import numpy

from . import _motion
from ._arrays import Pair, Size, pair, text, whole
from ._picture import Picture, held_by


class Scene(collections.abc.Sequence):
    """The pictures of tandem.synth(), drawn when they are asked for: a sequence of tandem.Picture."""

    def __init__(self, scene: _motion.Scene) -> None:
        self._scene = scene

    def __len__(self) -> int:
        return self._scene.frames

    @overload
    def __getitem__(self, index: int) -> Picture: ...

    @overload
    def __getitem__(self, index: slice) -> List[Picture]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Picture, List[Picture]]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        return held_by(self._scene.picture(self._number(index)))

    @property
    def size(self) -> Pair:
        """Width and height in pels."""
        return self._scene.size

    def truth(self, index: int, block: int = 16, hidden: str = "unknown") -> numpy.ndarray:
        """The true motion of picture `index` from the one before: float32, rows x columns x 2, in pels.

        A vector for each block x block pels, 1 to 128, as a search should find it: prediction(p) = before(p + vector).
        NaN where there is no one truth: the pels belong to several objects, were hidden or outside of the picture
        before, or the scene was cut. hidden="counted": those that were hidden or outside have that of what they belong
        to. Raises IndexError for the first picture, which has none before it.
        """
        number, side = self._number(index), whole("block", block)
        if number == 0:
            raise IndexError("the first picture has no motion: there is none before it")
        if not 1 <= side <= 128:
            raise ValueError(f"block: {side}; 1 to 128")
        return self._scene.truth(number, side, text("hidden", hidden))

    def _number(self, index: int) -> int:
        number = operator.index(index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"picture {number} of {len(self)}")
        return number % len(self)

    def __repr__(self) -> str:
        return f"<tandem.Scene {self.size[0]}x{self.size[1]}, {len(self)} pictures>"


Scene.__module__ = "tandem"


def synth(
    scene: str = "pan",
    size: Size = (352, 288),
    frames: int = 100,
    *,
    seed: int = 1,
    speed: Optional[Tuple[float, float]] = None,
    zoom: Optional[float] = None,
    rotate: Optional[float] = None,
    objects: Optional[int] = None,
    object_speed: Optional[float] = None,
    noise: Optional[float] = None,
    blur: Optional[float] = None,
    repeat: Optional[int] = None,
    **more: Any,
) -> Scene:
    """Draws what `tandem synth` draws: pictures whose motion is known exactly.

        clip = tandem.synth("objects", size=(176, 144), frames=10)
        field = tandem.estimate(clip[3], clip[2])
        print(tandem.end_point_error(field, clip.truth(3)))

    scene: "pan", "zoom", "rotation", "objects", "noise", "fade", "cut", "occlusion", "repeats", "blur".
    size: (width, height) in pels, each 1 to 16384. frames: 1 to 1000000. seed: another number, another texture.
    None, for the others, is the scene's own. speed: (x, y) pels a picture that the background moves, right and down.
    zoom: magnification per picture, 0.5 to 2. rotate: degrees per picture, clockwise. objects: how many move on their
    own, up to object_speed pels a picture each way. noise: its standard deviation. blur: pels, 0 to 16, by which
    pictures go out of focus. repeat: pels after which fine texture repeats, 8 to 128.

    Raises ValueError for what cannot be drawn, TypeError for a parameter that there is not.
    """
    given = {
        "scene": scene, "size": pair("size", size), "frames": whole("frames", frames, 64), "seed": whole("seed", seed),
        "speed": speed, "zoom": zoom, "rotate": rotate, "objects": objects, "object_speed": object_speed,
        "noise": noise, "blur": blur, "repeat": repeat, **more,
    }  # fmt: skip
    return Scene(_motion.Scene(given))
