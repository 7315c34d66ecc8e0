// SPDX-License-Identifier: BSD-2-Clause
// How good a motion field is: by what it predicts, by what its vectors cost, against a known truth, and beside another.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "me/motion_field.h"
#include "me/pels.h"
#include "video/frame.h"

namespace tandem {

/// The displaced frame difference (DFD) of one plane, current - prediction, as counts of its 511 values.
struct DifferenceHistogram {
    static constexpr int largest = 255;
    std::array<std::uint64_t, 2 * largest + 1> counts{}; ///< counts[d + 255].

    void add(PlaneView current, PlaneView prediction);
    void add(const DifferenceHistogram& other);
    std::uint64_t samples() const;
    std::uint64_t absolute() const; ///< Sum of |d|.
    std::uint64_t squared() const;  ///< Sum of d^2.
    /// Zero-order entropy in bits per sample: -sum p log2 p over the 511 values. 0 without samples.
    double entropy() const;
};

/// Measures of one pair of pictures and its field, or, added up, of many: histograms are added, so that a total is of
/// all samples and all vectors together and not a mean of means. Figures are of the best vector of each block and NaN
/// where nothing was measured.
struct FieldMeasures {
    std::int64_t pairs = 0;
    std::int64_t blocks = 0;
    std::int64_t without_vector = 0; ///< Blocks; predicted as if their vector were zero, and in no figure of vectors.
    std::int64_t zero_vectors = 0;
    std::uint64_t evaluated = 0;                      ///< See MotionField::evaluated().
    std::int64_t counted_blocks = 0;                  ///< In rows where somebody counted them: GPUs do not.
    double length_sum = 0;                            ///< Of the vectors, in pels.
    std::array<DifferenceHistogram, 3> dfd{};         ///< Y, Cb, Cr.
    std::map<std::uint32_t, std::int64_t> vectors;    ///< Counts; the key is x and y in 16 bits each.
    std::array<std::map<int, std::int64_t>, 2> steps; ///< Counts of differences from the left neighbour, x and y.

    void add(const FieldMeasures& other);

    double mse(int plane) const;
    /// 10 log10(255^2 / MSE); infinite where prediction and picture are the same.
    double psnr(int plane) const;
    /// 20 log10(255 / (SAD / MN)) of luma, as Kelly and Kokaram define it: by the mean absolute difference instead of
    /// the root of the mean squared one, so it is the larger figure.
    double absolute_psnr() const;
    double sad_per_pel() const;   ///< Mean |DFD| of luma.
    double sad_per_block() const; ///< Mean over blocks of the sum of |DFD| of luma.
    double dfd_entropy() const { return dfd[0].entropy(); }
    /// Zero-order entropy in bits per vector; the symbols are whole vectors (x, y).
    double vector_entropy() const;
    /// The same for what a coder writes: differences from the left neighbour (from zero in the first column), x and y
    /// each with statistics of its own; their sum in bits per vector. Beside a block without a vector: from zero.
    double vector_step_entropy() const;
    double evaluated_per_block() const;  ///< Mean over counted_blocks; NaN where there are none.
    double share_without_vector() const; ///< Of all blocks, 0..1.
    double zero_share() const;           ///< Of all vectors, 0..1.
    double mean_length() const;          ///< Of all vectors, in pels.
};

/// `prediction` is the current picture's, made with the field (predict_picture()). The workers, where there are any,
/// share its rows.
FieldMeasures measure_field(const MotionField& field, const Frame& current, const Frame& prediction,
                            Workers* workers = nullptr);

/// The same of a vector for each sample, in raster order, and the picture that it predicts (predict_samples()). A
/// sample is a block here; the bits of vectors, which nobody codes so, are not counted.
FieldMeasures measure_samples(std::span<const Pels> vectors, const Frame& current, const Frame& prediction,
                              Workers* workers = nullptr);

/// Differences of a field from a known truth, over the blocks whose truth is known and that have a vector. Figures are
/// NaN without any.
struct TruthErrors {
    std::int64_t known = 0, unknown = 0; ///< Blocks.
    std::int64_t compared = 0;           ///< Of the known ones: those that have a vector.
    std::int64_t within_one_pel = 0;     ///< Of the compared ones: end-point error at most 1.
    std::int64_t outliers = 0;           ///< Of the compared ones: an end-point error of more than 3 pels and of more
                                         ///< than 5 % of the true length (Menze and Geiger 2015, KITTI's "Fl").
    double end_point_sum = 0;            ///< Pels.
    double angle_sum = 0;                ///< Degrees.

    void add(const TruthErrors& other);
    /// Mean length of vector - truth, in pels.
    double end_point_error() const;
    /// Mean angle in degrees between (x, y, 1) and (truth x, truth y, 1) (Barron, Fleet and Beauchemin 1994,
    /// section 3.1).
    double angular_error() const;
    double share_within_one_pel() const; ///< 0..1.
    double outlier_share() const;        ///< 0..1.
    double known_share() const;          ///< Of all blocks, 0..1.
};

/// Compares the best vectors with those of `truth`, in raster order and not rounded to eighths; a block with NaN there
/// is not known. Throws InputError where the numbers of blocks differ.
TruthErrors compare_with_truth(const MotionField& field, std::span<const Pels> truth);
/// The same of vectors in raster order that are no field's.
TruthErrors compare_with_truth(std::span<const Pels> found, std::span<const Pels> truth);

/// How two fields of one grid differ, as counts of blocks. Added up over pairs like FieldMeasures.
struct FieldDifferences {
    /// Lengths of the difference of two vectors in pels: bin 0 is 0, bin i is up to length_limits[i], the last is all
    /// beyond.
    static constexpr std::array<double, 9> length_limits{0, 0.25, 0.5, 1, 2, 4, 8, 16, 32};
    std::array<std::int64_t, length_limits.size() + 1> lengths{};
    /// other cost - cost, where both are known: bin cost_middle is 0, bin cost_middle + i is up to 4^i (and down to
    /// -4^i for cost_middle - i); the outermost take all beyond.
    static constexpr int cost_middle = 9;
    std::array<std::int64_t, 2 * cost_middle + 1> costs{};
    std::int64_t blocks = 0; ///< That have a vector in both.
    std::int64_t costs_known = 0;
    double length_sum = 0; ///< Pels.
    std::int64_t cost_sum = 0;

    void add(const FieldDifferences& other);
    double mean_length() const; ///< NaN without blocks.
    double mean_cost() const;   ///< NaN where no costs are known.
    double equal_share() const; ///< Of equal vectors, 0..1.
};

/// Compares the best vectors. Throws InputError where the grids differ. `with_costs`: both fields' costs are costs by
/// one measure (a field from a file may have none).
FieldDifferences compare_fields(const MotionField& field, const MotionField& other, bool with_costs);

} // namespace tandem
