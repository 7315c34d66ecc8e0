# SPDX-License-Identifier: BSD-2-Clause
"""A search in the words of users, who may say it as the command does, and in those of the extension."""

from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy

from . import _motion
from ._arrays import Pair, Size, lambda_q8, pair, text
from ._field import Field, handed_over, refuse_other_picture

_largest_range = 4080
#: As the command writes positions per pel.
_fractions = {"1": 1, "1/2": 2, "1/4": 4, "1/8": 8}
#: Other names of the command's.
_other_names = {"brute": "brute_force", "interp": "interpolation"}


class Search(NamedTuple):
    """What goes to the extension."""

    params: Dict[str, Any]
    sizes: List[Pair]  #: Of blocks; one unless several are asked for at once.
    several: bool
    hint: Optional[Tuple[numpy.ndarray, numpy.ndarray, int, int]]
    start: Optional[Tuple[numpy.ndarray, numpy.ndarray, int, int]]


def search_of(
    picture: Pair,
    block: Union[Size, List[Pair]],
    range: Union[Size, str, None],
    search: str,
    precision: Union[int, str],
    metric: str,
    candidates: int,
    hint: Union[Field, numpy.ndarray, None],
    start: Optional[Field],
    lagrangian: float,
    more: Dict[str, Any],
) -> Search:
    several = isinstance(block, list) and len(block) > 0 and all(numpy.ndim(one) == 1 for one in block)
    blocks: Any = block if several else [block]
    sizes = [pair("block", one) for one in blocks]
    more = _named(more)
    search = _one_of("search", search, "full", "me", more)
    range_x, range_y = _range_of(_one_of("range", range, None, "merange", more), picture, search)
    params = {
        "block_width": sizes[0][0],
        "block_height": sizes[0][1],
        "range_x": range_x,
        "range_y": range_y,
        "search": search,
        "precision": _positions("precision", precision),
        "metric": metric,
        "candidates": candidates,
        "lambda_q8": lambda_q8(more.pop("lambda", lagrangian)),
        "predictor": _predictor(search, hint, more),
        **more,
    }
    if several and hint is not None and not isinstance(hint, Field):
        raise ValueError("hint: an array does not say the size of its blocks, which several sizes need; a Field does")
    if start is not None and not isinstance(start, Field):
        raise TypeError("start: a Field is wanted")
    given = None if hint is None else handed_over("hint", hint, sizes[0])
    begun = None if start is None else handed_over("start", start, sizes[0])
    refuse_other_picture("hint", hint, picture)
    refuse_other_picture("start", start, picture)
    return Search(params, sizes, several, given, begun)


def _named(more: Dict[str, Any]) -> Dict[str, Any]:
    named: Dict[str, Any] = {}
    for name, value in more.items():
        own = _other_names.get(name, name)
        if own in ("block_width", "block_height"):
            raise TypeError(f"there is no parameter '{name}'; block says it")
        if own in ("range_x", "range_y"):
            raise TypeError(f"there is no parameter '{name}'; range says it")
        if own in named:
            raise TypeError(f"'{name}' and another name of the same parameter are given")
        named[own] = _positions(own, value) if own == "grid" else value
    return named


def _one_of(name: str, value: Any, usual: Any, command_s: str, more: Dict[str, Any]) -> Any:
    """The value under its own name or the command's."""
    if command_s not in more:
        return value
    if value is not usual and value != usual:
        raise TypeError(f"'{name}' and '{command_s}' are names of the same parameter")
    return more.pop(command_s)


def _positions(name: str, value: Any) -> Any:
    """Positions per pel: a number, or as the command writes them."""
    return _fractions.get(value, value) if isinstance(value, str) else value


def _range_of(value: Union[Size, str, None], picture: Pair, search: str = "full") -> Pair:
    if value is None:
        return _motion.usual_range(text("search", search))
    if isinstance(value, str):
        if value != "picture":
            raise ValueError(f"range: {value!r} is neither a whole number nor two, nor 'picture'")
        return min(picture[0] - 1, _largest_range), min(picture[1] - 1, _largest_range)
    return pair("range", value)


def _predictor(search: str, hint: Union[Field, numpy.ndarray, None], more: Dict[str, Any]) -> str:
    """A hint is there to be used; the search "given" uses it whatever the predictor is."""
    predictor = more.get("predictor", "zero" if hint is None else "hint")
    if search != "given" and hint is None and predictor == "hint":
        raise ValueError("predictor: 'hint' needs a hint")
    if search != "given" and hint is not None and predictor == "zero":
        raise ValueError("hint: it is not used with the predictor 'zero'")
    return predictor
