// SPDX-License-Identifier: BSD-2-Clause
#include "me/fields/field_measures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <stdexcept>
#include <string>

#include "machine/errors.h"
#include "machine/workers.h"
#include "me/length.h"

namespace tandem {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double share(double part, double whole) { return whole > 0 ? part / whole : unknown; }
double real(std::uint64_t count) { return static_cast<double>(count); }
double real(std::int64_t count) { return static_cast<double>(count); }

/// One symbol's part of the sum -p log2 p.
double information(double count, double total) { return count > 0 ? -count / total * std::log2(count / total) : 0; }

template <class Symbol> double entropy_of(const std::map<Symbol, std::int64_t>& counts) {
    double total = 0, bits = 0;
    for (const auto& entry : counts)
        total += real(entry.second);
    for (const auto& entry : counts)
        bits += information(real(entry.second), total);
    return counts.empty() ? unknown : bits;
}

/// Counts symbols, of which many are the one before.
template <class Symbol> class Counter {
  public:
    explicit Counter(std::map<Symbol, std::int64_t>& counts) : counts_(counts), last_(counts.end()) {}
    void add(Symbol symbol) {
        if (last_ == counts_.end() || last_->first != symbol) last_ = counts_.try_emplace(symbol, 0).first;
        ++last_->second;
    }

  private:
    std::map<Symbol, std::int64_t>& counts_;
    typename std::map<Symbol, std::int64_t>::iterator last_;
};

template <class Symbol>
void add_counts(std::map<Symbol, std::int64_t>& to, const std::map<Symbol, std::int64_t>& from) {
    for (const auto& [symbol, count] : from)
        to[symbol] += count;
}

std::uint32_t key_of(Mv mv) {
    return std::uint32_t{static_cast<std::uint16_t>(mv.x)} << 16 | static_cast<std::uint16_t>(mv.y);
}

double pels(int eighths) { return static_cast<double>(eighths) / eighths_per_pel; }

double distance_of(Mv a, Mv b) { return length_of(pels(a.x - b.x), pels(a.y - b.y)); }

void check_grids(const MotionField& field, const MotionField& other) {
    if (field.columns() == other.columns() && field.rows() == other.rows()) return;
    throw InputError("fields of " + std::to_string(field.columns()) + "x" + std::to_string(field.rows()) + " and " +
                     std::to_string(other.columns()) + "x" + std::to_string(other.rows()) +
                     " blocks cannot be compared");
}

double degrees(double radians) { return radians * 180 / std::numbers::pi; }

/// The angle between two motions as directions in space and time. By atan2 of cross and dot product, since the arc
/// cosine of Barron's formula loses all small angles to rounding.
double space_time_angle(double x, double y, double true_x, double true_y) {
    const double cross_x = y - true_y, cross_y = true_x - x, cross_t = x * true_y - y * true_x;
    const double dot = x * true_x + y * true_y + 1;
    return degrees(std::atan2(std::sqrt(cross_x * cross_x + cross_y * cross_y + cross_t * cross_t), dot));
}

std::size_t length_bin(double length) {
    const auto& limits = FieldDifferences::length_limits;
    return static_cast<std::size_t>(std::lower_bound(limits.begin(), limits.end(), length) - limits.begin());
}

std::size_t cost_bin(std::int64_t difference) {
    if (difference == 0) return FieldDifferences::cost_middle;
    const auto magnitude = static_cast<std::uint64_t>(difference < 0 ? -difference : difference);
    // 1 for up to 4, 2 for up to 16, ...
    const int steps = std::max(1, (static_cast<int>(std::bit_width(magnitude - 1)) + 1) / 2);
    const int distance = std::min(steps, FieldDifferences::cost_middle);
    return static_cast<std::size_t>(FieldDifferences::cost_middle + (difference < 0 ? -distance : distance));
}

template <std::size_t size>
void add_bins(std::array<std::int64_t, size>& to, const std::array<std::int64_t, size>& from) {
    for (std::size_t i = 0; i < size; ++i)
        to[i] += from[i];
}

PlaneView rows_of(PlaneView plane, int first, int end) {
    return {plane.row(first), plane.width, end - first, plane.stride};
}

DifferenceHistogram histogram_of(PlaneView current, PlaneView prediction, Workers* workers) {
    DifferenceHistogram histogram;
    std::mutex mutex;
    for_bands(workers, current.height, current.width, [&](int first, int end) {
        DifferenceHistogram band;
        band.add(rows_of(current, first, end), rows_of(prediction, first, end));
        const std::lock_guard lock(mutex);
        histogram.add(band);
    });
    return histogram;
}

void add_differences(const Frame& current, const Frame& prediction, Workers* workers, FieldMeasures& measures) {
    for (int plane = 0; plane < 3; ++plane) {
        measures.dfd[static_cast<std::size_t>(plane)] =
            histogram_of(current.plane(plane).view(), prediction.plane(plane).view(), workers);
    }
}

bool is_outlier(double distance, double true_length) { return distance > 3 && distance > 0.05 * true_length; }

} // namespace

void DifferenceHistogram::add(PlaneView current, PlaneView prediction) {
    if (current.width != prediction.width || current.height != prediction.height)
        throw std::invalid_argument("a plane and a prediction of different sizes");
    // Neighbours often have the same difference; counts of their own do not wait for one another.
    constexpr int neighbours = 4;
    std::array<std::array<std::uint32_t, 2 * largest + 1>, neighbours> parts{};
    for (int y = 0; y < current.height; ++y) {
        const std::uint8_t* a = current.row(y);
        const std::uint8_t* b = prediction.row(y);
        const auto count = [&](std::size_t part, int x) {
            ++parts[part][static_cast<std::size_t>(a[x] - b[x] + largest)];
        };
        int x = 0;
        for (; x + neighbours <= current.width; x += neighbours) {
            for (int i = 0; i < neighbours; ++i)
                count(static_cast<std::size_t>(i), x + i);
        }
        for (; x < current.width; ++x)
            count(0, x);
    }
    for (const auto& part : parts) {
        for (std::size_t i = 0; i < counts.size(); ++i)
            counts[i] += part[i];
    }
}

void DifferenceHistogram::add(const DifferenceHistogram& other) {
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] += other.counts[i];
}

std::uint64_t DifferenceHistogram::samples() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : counts)
        sum += count;
    return sum;
}

std::uint64_t DifferenceHistogram::absolute() const {
    std::uint64_t sum = 0;
    for (std::size_t d = 1; d <= largest; ++d)
        sum += d * (counts[largest + d] + counts[largest - d]);
    return sum;
}

std::uint64_t DifferenceHistogram::squared() const {
    std::uint64_t sum = 0;
    for (std::size_t d = 1; d <= largest; ++d)
        sum += d * d * (counts[largest + d] + counts[largest - d]);
    return sum;
}

double DifferenceHistogram::entropy() const {
    const double total = real(samples());
    double bits = 0;
    for (const std::uint64_t count : counts)
        bits += information(real(count), total);
    return bits;
}

void FieldMeasures::add(const FieldMeasures& other) {
    pairs += other.pairs;
    blocks += other.blocks;
    without_vector += other.without_vector;
    zero_vectors += other.zero_vectors;
    evaluated += other.evaluated;
    counted_blocks += other.counted_blocks;
    length_sum += other.length_sum;
    for (std::size_t plane = 0; plane < dfd.size(); ++plane)
        dfd[plane].add(other.dfd[plane]);
    add_counts(vectors, other.vectors);
    for (std::size_t axis = 0; axis < steps.size(); ++axis)
        add_counts(steps[axis], other.steps[axis]);
}

double FieldMeasures::mse(int plane) const {
    const DifferenceHistogram& histogram = dfd[static_cast<std::size_t>(plane)];
    return share(real(histogram.squared()), real(histogram.samples()));
}

double FieldMeasures::psnr(int plane) const { return 10 * std::log10(255.0 * 255.0 / mse(plane)); }
double FieldMeasures::absolute_psnr() const { return 20 * std::log10(255.0 / sad_per_pel()); }
double FieldMeasures::sad_per_pel() const { return share(real(dfd[0].absolute()), real(dfd[0].samples())); }
double FieldMeasures::sad_per_block() const { return share(real(dfd[0].absolute()), real(blocks)); }
double FieldMeasures::vector_entropy() const { return entropy_of(vectors); }
double FieldMeasures::vector_step_entropy() const { return entropy_of(steps[0]) + entropy_of(steps[1]); }
double FieldMeasures::evaluated_per_block() const { return share(real(evaluated), real(counted_blocks)); }
double FieldMeasures::share_without_vector() const { return share(real(without_vector), real(blocks)); }
double FieldMeasures::zero_share() const { return share(real(zero_vectors), real(blocks - without_vector)); }
double FieldMeasures::mean_length() const { return share(length_sum, real(blocks - without_vector)); }

FieldMeasures measure_field(const MotionField& field, const Frame& current, const Frame& prediction, Workers* workers) {
    FieldMeasures measures;
    measures.pairs = 1;
    measures.evaluated = field.evaluated();
    Counter vectors(measures.vectors);
    Counter steps_x(measures.steps[0]), steps_y(measures.steps[1]);
    for (int row = 0; row < field.rows(); ++row) {
        if (field.is_counted(row)) measures.counted_blocks += field.columns();
        Mv left;
        for (int column = 0; column < field.columns(); ++column) {
            const Candidate& best = field.best(column, row);
            ++measures.blocks;
            if (!has_vector(best)) {
                ++measures.without_vector;
                left = {};
                continue;
            }
            const Mv mv = best.mv;
            measures.zero_vectors += mv == Mv{} ? 1 : 0;
            measures.length_sum += distance_of(mv, {});
            vectors.add(key_of(mv));
            steps_x.add(mv.x - left.x);
            steps_y.add(mv.y - left.y);
            left = mv;
        }
    }
    add_differences(current, prediction, workers, measures);
    return measures;
}

FieldMeasures measure_samples(std::span<const Pels> vectors, const Frame& current, const Frame& prediction,
                              Workers* workers) {
    FieldMeasures measures;
    measures.pairs = 1;
    for (const Pels& vector : vectors) {
        ++measures.blocks;
        if (std::isnan(vector.x)) {
            ++measures.without_vector;
            continue;
        }
        measures.zero_vectors += vector.x == 0 && vector.y == 0 ? 1 : 0;
        measures.length_sum += length_of(vector.x, vector.y);
    }
    add_differences(current, prediction, workers, measures);
    return measures;
}

void TruthErrors::add(const TruthErrors& other) {
    known += other.known;
    unknown += other.unknown;
    compared += other.compared;
    within_one_pel += other.within_one_pel;
    outliers += other.outliers;
    end_point_sum += other.end_point_sum;
    angle_sum += other.angle_sum;
}

double TruthErrors::end_point_error() const { return share(end_point_sum, real(compared)); }
double TruthErrors::angular_error() const { return share(angle_sum, real(compared)); }
double TruthErrors::share_within_one_pel() const { return share(real(within_one_pel), real(compared)); }
double TruthErrors::outlier_share() const { return share(real(outliers), real(compared)); }
double TruthErrors::known_share() const { return share(real(known), real(known + unknown)); }

TruthErrors compare_with_truth(const MotionField& field, std::span<const Pels> truth) {
    return compare_with_truth(best_in_pels(field), truth);
}

TruthErrors compare_with_truth(std::span<const Pels> found, std::span<const Pels> truth) {
    if (found.size() != truth.size()) {
        throw InputError("a field of " + std::to_string(found.size()) +
                         " blocks cannot be compared with the truth of " + std::to_string(truth.size()));
    }
    TruthErrors errors;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (std::isnan(truth[i].x) || std::isnan(truth[i].y)) {
            ++errors.unknown;
            continue;
        }
        ++errors.known;
        if (std::isnan(found[i].x)) continue;
        const double x = found[i].x, y = found[i].y, true_x = truth[i].x, true_y = truth[i].y;
        const double distance = length_of(x - true_x, y - true_y);
        ++errors.compared;
        errors.within_one_pel += distance <= 1 ? 1 : 0;
        errors.outliers += is_outlier(distance, length_of(true_x, true_y)) ? 1 : 0;
        errors.end_point_sum += distance;
        errors.angle_sum += space_time_angle(x, y, true_x, true_y);
    }
    return errors;
}

void FieldDifferences::add(const FieldDifferences& other) {
    add_bins(lengths, other.lengths);
    add_bins(costs, other.costs);
    blocks += other.blocks;
    costs_known += other.costs_known;
    length_sum += other.length_sum;
    cost_sum += other.cost_sum;
}

double FieldDifferences::mean_length() const { return share(length_sum, real(blocks)); }
double FieldDifferences::mean_cost() const { return share(real(cost_sum), real(costs_known)); }
double FieldDifferences::equal_share() const { return share(real(lengths[0]), real(blocks)); }

FieldDifferences compare_fields(const MotionField& field, const MotionField& other, bool with_costs) {
    check_grids(field, other);
    FieldDifferences differences;
    for (int row = 0; row < field.rows(); ++row) {
        for (int column = 0; column < field.columns(); ++column) {
            const Candidate& a = field.best(column, row);
            const Candidate& b = other.best(column, row);
            if (!has_vector(a) || !has_vector(b)) continue;
            const double length = distance_of(a.mv, b.mv);
            ++differences.blocks;
            ++differences.lengths[length_bin(length)];
            differences.length_sum += length;
            if (!with_costs || a.cost == UINT32_MAX || b.cost == UINT32_MAX) continue;
            const std::int64_t more = std::int64_t{b.cost} - std::int64_t{a.cost};
            ++differences.costs_known;
            ++differences.costs[cost_bin(more)];
            differences.cost_sum += more;
        }
    }
    return differences;
}

} // namespace tandem
