// SPDX-License-Identifier: BSD-2-Clause
// Phase-only correlation of two windows: the displacement between them as a peak of the correlation of their phases
// (Kuglin and Hines, 1975), to a fraction of a sample by fitting the peak's closed form (Takita, Aoki, Sasaki, Higuchi
// and Kobayashi, 2003).
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "me/block.h"
#include "me/search/phase/fourier.h"
#include "video/plane.h"

namespace tandem {

/// A local maximum of the correlation.
struct PhasePeak {
    int x = 0, y = 0; ///< Samples, -side / 2 .. side / 2 - 1: current(p) is like reference(p + (x, y)).
    float height = 0; ///< A similarity: 1 for windows that differ by a cyclic shift alone, about 0 for unlike ones.
};

/// One pair of windows at a time; one thread at a time.
class PhaseCorrelation {
  public:
    /// `side` is a power of two, 16..256. `hann`: windows fade to their edges by a two-dimensional Hann window, so that
    /// the edges, which the transform sees as joined, do not look like a pattern that does not move.
    PhaseCorrelation(int side, bool hann);

    /// A place where a window starts, in samples of its plane; it may reach outside, where edges replicate.
    struct Corner {
        int x, y;
    };
    void correlate(PlaneView current, Corner current_corner, PlaneView reference, Corner reference_corner);

    /// The correlation at a displacement of -side .. side - 1 samples each way, which is cyclic.
    float at(int x, int y) const { return row(y)[cyclic(x)]; }

    /// The highest local maxima above 0 with displacements in `allowed`, highest first (of equal ones the first in
    /// raster order), to `found`; how many.
    int peaks(const Window& allowed, std::span<PhasePeak> found) const;

    struct Displacement {
        double x, y;
    };
    /// Where the peak is between the samples: less than one sample from (x, y).
    Displacement fit(const PhasePeak& peak) const;

  private:
    void load(PlaneView plane, Corner corner, std::vector<std::complex<float>>& spectrum);

    std::size_t cyclic(int displacement) const { return static_cast<unsigned>(displacement) & (window_.size() - 1); }
    const float* row(int y) const { return samples_.data() + cyclic(y) * window_.size(); }
    bool is_peak(int x, int y) const;

    int side_;
    std::vector<float> window_;  ///< side weights, the same both ways.
    std::vector<float> samples_; ///< A window's samples, then the correlation.
    std::vector<std::complex<float>> current_, reference_;
    FourierTransform transform_;
};

} // namespace tandem
