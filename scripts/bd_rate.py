# SPDX-License-Identifier: BSD-2-Clause
"""The Bjontegaard delta rate by piecewise cubic Hermite interpolation (PCHIP).

log10(rate) is interpolated as a function of PSNR and averaged over the overlap of both curves (Bjontegaard, VCEG-M33).
The cubic fit of that paper can swing wildly between the points; PCHIP (Fritsch and Butland, SIAM J. Sci. Stat. Comput.
5(2), 1984, as in JCTVC-L1100's later sheets) stays monotone.
"""

import math


def pchip_slopes(x, y):
    """Derivatives at the points: the weighted harmonic mean inside, a three-point formula at both ends."""
    steps = [b - a for a, b in zip(x, x[1:])]
    secants = [(b - a) / h for a, b, h in zip(y, y[1:], steps)]
    inner = []
    for k in range(1, len(x) - 1):
        before, after = secants[k - 1], secants[k]
        if before * after <= 0:
            inner.append(0.0)
        else:
            w1, w2 = 2 * steps[k] + steps[k - 1], steps[k] + 2 * steps[k - 1]
            inner.append((w1 + w2) / (w1 / before + w2 / after))
    first = end_slope(steps[0], steps[1], secants[0], secants[1])
    last = end_slope(steps[-1], steps[-2], secants[-1], secants[-2])
    return [first, *inner, last]


def end_slope(h0, h1, s0, s1):
    """Three-point derivative at the end of interval h0, limited so that the curve keeps its direction."""
    slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1)
    if slope * s0 <= 0:
        return 0.0
    if s0 * s1 < 0 and abs(slope) > 3 * abs(s0):
        return 3 * s0
    return slope


def pchip_integral(x, y, low, high):
    """Integral of the interpolant from low to high, both inside [x[0], x[-1]]."""
    slopes = pchip_slopes(x, y)
    total = 0.0
    for k in range(len(x) - 1):
        a, b = max(low, x[k]), min(high, x[k + 1])
        if b > a:
            total += piece_integral(x[k], x[k + 1], y[k], y[k + 1], slopes[k], slopes[k + 1], a, b)
    return total


def piece_integral(x0, x1, y0, y1, d0, d1, a, b):
    h = x1 - x0

    def primitive(position):
        t = (position - x0) / h
        t2, t3, t4 = t * t, t**3, t**4
        return h * (y0 * (t4 / 2 - t3 + t) + h * d0 * (t4 / 4 - 2 * t3 / 3 + t2 / 2) + y1 * (t3 - t4 / 2) +
                    h * d1 * (t4 / 4 - t3 / 3))

    return primitive(b) - primitive(a)


def curve(points):
    """(psnr, log10 rate) sorted by PSNR, from (rate, psnr); raises ValueError where no curve can be drawn."""
    if len(points) < 4:
        raise ValueError(f"{len(points)} points; a BD-rate needs at least 4")
    if not all(math.isfinite(rate) and math.isfinite(psnr) and rate > 0 for rate, psnr in points):
        raise ValueError("a point is not finite (lossless?) or its rate is not positive")
    ordered = sorted((psnr, math.log10(rate)) for rate, psnr in points)
    if any(a[0] == b[0] for a, b in zip(ordered, ordered[1:])):
        raise ValueError("two points have the same PSNR")
    return [p for p, _ in ordered], [r for _, r in ordered]


def is_monotone(points):
    """Whether the rate rises with the PSNR all along the curve."""
    rates = curve(points)[1]
    return all(a < b for a, b in zip(rates, rates[1:]))


def bd_rate(anchor, test):
    """Average rate difference in per cent at equal PSNR (negative: `test` needs less); points are (rate, psnr).

    Returns (per cent, low PSNR, high PSNR of the overlap). Raises ValueError when the curves do not overlap.
    """
    anchor_psnr, anchor_rate = curve(anchor)
    test_psnr, test_rate = curve(test)
    low, high = max(anchor_psnr[0], test_psnr[0]), min(anchor_psnr[-1], test_psnr[-1])
    if high <= low:
        raise ValueError("the PSNR ranges do not overlap")
    difference = (pchip_integral(test_psnr, test_rate, low, high) - pchip_integral(anchor_psnr, anchor_rate, low, high))
    return (10 ** (difference / (high - low)) - 1) * 100, low, high
