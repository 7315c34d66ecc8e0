# SPDX-License-Identifier: BSD-2-Clause
"""scripts/bd_rate.py against curves whose answer is known."""

import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

from bd_rate import bd_rate, is_monotone, pchip_integral, pchip_slopes  # noqa: E402

ANCHOR = [(1486402, 43.447), (839365, 37.673), (433117, 32.258), (203129, 27.483), (87360, 23.644)]


class BdRate(unittest.TestCase):
    def test_the_same_curve_is_zero(self):
        self.assertAlmostEqual(bd_rate(ANCHOR, ANCHOR)[0], 0.0, places=9)

    def test_a_constant_factor_of_rate_is_that_factor(self):
        tenth_less = [(rate * 0.9, psnr) for rate, psnr in ANCHOR]
        per_cent, low, high = bd_rate(ANCHOR, tenth_less)
        self.assertAlmostEqual(per_cent, -10.0, places=9)
        self.assertEqual((low, high), (23.644, 43.447))

    def test_order_of_the_points_does_not_matter(self):
        other = [(rate * 1.2, psnr + 0.3) for rate, psnr in ANCHOR]
        self.assertAlmostEqual(bd_rate(ANCHOR, other)[0], bd_rate(ANCHOR[::-1], other[2:] + other[:2])[0], places=12)

    def test_swapping_the_curves_inverts_the_ratio(self):
        other = [(rate * 1.1, psnr + 0.1 * k) for k, (rate, psnr) in enumerate(ANCHOR)]
        forth, back = bd_rate(ANCHOR, other)[0], bd_rate(other, ANCHOR)[0]
        self.assertAlmostEqual((1 + forth / 100) * (1 + back / 100), 1.0, places=9)

    def test_a_straight_line_is_interpolated_exactly(self):
        # log10(rate) = psnr / 20 and psnr / 20 - 0.1 at unequal points: 10^-0.1 - 1 over any overlap.
        line = [(10 ** (psnr / 20), psnr) for psnr in (24, 27, 33, 41)]
        lower = [(10 ** (psnr / 20 - 0.1), psnr) for psnr in (25, 30, 32, 44)]
        per_cent, low, high = bd_rate(line, lower)
        self.assertAlmostEqual(per_cent, (10**-0.1 - 1) * 100, places=9)
        self.assertEqual((low, high), (25, 41))

    def test_what_has_no_meaning_is_refused(self):
        with self.assertRaisesRegex(ValueError, "at least 4"):
            bd_rate(ANCHOR[:3], ANCHOR)
        with self.assertRaisesRegex(ValueError, "do not overlap"):
            bd_rate(ANCHOR, [(rate, psnr + 30) for rate, psnr in ANCHOR])
        with self.assertRaisesRegex(ValueError, "not finite"):
            bd_rate(ANCHOR, [*ANCHOR[:4], (9, math.inf)])
        with self.assertRaisesRegex(ValueError, "same PSNR"):
            bd_rate(ANCHOR, [*ANCHOR, (1, 43.447)])

    def test_monotone(self):
        self.assertTrue(is_monotone(ANCHOR))
        self.assertFalse(is_monotone([*ANCHOR[:4], (500000, 23.644)]))


class Pchip(unittest.TestCase):
    def test_slopes_are_zero_at_an_extremum(self):
        slopes = pchip_slopes([0, 1, 2, 3], [0, 1, 0, 1])
        self.assertEqual(slopes[1:3], [0.0, 0.0])

    def test_slopes_of_unequal_steps(self):
        # By hand: secants 1 and 4, steps 1 and 2: 9 / (5/1 + 4/4) = 1.5 with weights 2*2+1 and 2+2*1.
        self.assertAlmostEqual(pchip_slopes([0, 1, 3], [0, 1, 9])[1], 1.5)

    def test_parts_add_up(self):
        x, y = [0, 1, 3, 4], [0, 2, 3, 7]
        whole = pchip_integral(x, y, 0, 4)
        self.assertAlmostEqual(whole, pchip_integral(x, y, 0, 1.7) + pchip_integral(x, y, 1.7, 4))


if __name__ == "__main__":
    unittest.main()
