# SPDX-License-Identifier: BSD-2-Clause
"""Rates and latencies, as the page shows them and the bench prints them."""

from __future__ import annotations

from typing import Iterable, List, NamedTuple


class Spread(NamedTuple):
    """The middle of some times and where the slowest twentieth begins, in their own unit; NaN of none."""

    median: float
    percentile_95: float


def spread_of(values: Iterable[float]) -> Spread:
    """By nearest rank: each is one of the values."""
    ordered: List[float] = sorted(values)
    if not ordered:
        return Spread(float("nan"), float("nan"))

    def at(percent: int) -> float:
        return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]

    return Spread(at(50), at(95))


def rate_of(times: List[float]) -> float:
    """Events a second, from their times in seconds, in order; NaN of fewer than two."""
    if len(times) < 2 or times[-1] <= times[0]:
        return float("nan")
    return (len(times) - 1) / (times[-1] - times[0])
