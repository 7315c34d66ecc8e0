// SPDX-License-Identifier: BSD-2-Clause
// Motion fields as NumPy arrays: vectors in pels, and beside them costs, distortions and all candidates.
#include <unistd.h>

#include <cerrno>
#include <span>
#include <system_error>
#include <vector>

#include "me/fields/formats.h"
#include "video/errors.h"
#include "video/npy_file.h"

namespace tandem {

namespace {

void append_vector(std::vector<float>& numbers, const Candidate& candidate) {
    const Pels vector = pels_of(candidate);
    numbers.push_back(vector.x);
    numbers.push_back(vector.y);
}

class NumpyWriter : public FieldWriter {
  public:
    explicit NumpyWriter(const std::string& path)
        : rules_(path), names_(path), vectors_file_(path), costs_file_(names_.costs),
          distortions_file_(names_.distortions) {}

    void write(const FieldRecord& record) override {
        rules_.check(record);
        const MotionField& field = record.field;
        if (!vectors_) begin(field);
        const auto candidates = static_cast<std::size_t>(field.candidates());
        std::vector<float> best, every;
        std::vector<std::uint32_t> costs, distortions;
        for (std::size_t i = 0; i < field.all().size(); ++i) {
            const Candidate& candidate = field.all()[i];
            if (i % candidates == 0) append_vector(best, candidate);
            if (every_) append_vector(every, candidate);
            costs.push_back(candidate.cost);
            distortions.push_back(candidate.distortion);
        }
        vectors_->write(best);
        costs_->write(costs);
        distortions_->write(distortions);
        if (every_) every_->write(every);
    }

    void finish() override {
        if (!vectors_) throw InputError(rules_.path() + ": there is no field to write");
        if (every_) every_->finish();
        distortions_->finish();
        costs_->finish();
        vectors_->finish();
        if (!every_) remove_old_candidates();
    }

  private:
    /// Those of a field that had this name before would pass as this one's.
    void remove_old_candidates() const {
        if (::unlink(names_.candidates.c_str()) == 0 || errno == ENOENT) return;
        throw RunError(names_.candidates + ": this belongs to an older field and cannot be removed: " +
                       std::generic_category().message(errno));
    }

    void begin(const MotionField& field) {
        const std::int64_t rows = field.rows(), columns = field.columns(), candidates = field.candidates();
        costs_.emplace(std::move(costs_file_), NpyType::uint32, std::vector{rows, columns, candidates});
        distortions_.emplace(std::move(distortions_file_), NpyType::uint32, std::vector{rows, columns, candidates});
        if (candidates > 1) {
            every_.emplace(AtomicFile(names_.candidates), NpyType::float32,
                           std::vector<std::int64_t>{rows, columns, candidates, 2});
        }
        vectors_.emplace(std::move(vectors_file_), NpyType::float32, std::vector<std::int64_t>{rows, columns, 2});
    }

    RecordRules rules_;
    NumpyNames names_;
    AtomicFile vectors_file_, costs_file_, distortions_file_; ///< Until the first field tells the shape.
    std::optional<NpyWriter> vectors_, costs_, distortions_, every_;
};

/// (pairs, rows, columns, 2); (rows, columns, 2) is one pair, (pairs, rows, columns, K, 2) has K candidates a block.
class NumpyReader : public FieldReader {
  public:
    NumpyReader(const std::string& path, const FieldGeometry& wanted, const std::atomic<bool>* stop)
        : array_(path, stop), geometry_(agree(array_.name(), {}, wanted)) {
        std::vector<std::int64_t> shape = array_.shape();
        if (shape.size() == 3) shape.insert(shape.begin(), 1);
        if (shape.size() == 4) shape.insert(shape.begin() + 3, 1);
        if (shape.size() != 5 || shape[4] != 2) refuse("(pairs, rows, columns, 2)");
        const int rows = blocks_along(geometry_.picture_height, geometry_.block_height),
                  columns = blocks_along(geometry_.picture_width, geometry_.block_width);
        if (shape[1] != rows || shape[2] != columns)
            refuse("a field of " + std::to_string(rows) + " rows and " + std::to_string(columns) + " columns");
        if (shape[3] < 1 || shape[3] > most_candidates) refuse("1 to 16 candidates");
        pairs_ = shape[0];
        candidates_ = static_cast<int>(shape[3]);
        blocks_ = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    }

    std::optional<FieldRecord> read() override {
        if (!next()) return std::nullopt;
        exact_.clear();
        MotionField field(geometry_.picture_width, geometry_.picture_height, geometry_.block_width,
                          geometry_.block_height, candidates_);
        for (std::size_t i = 0; i < field.all().size(); ++i) {
            Candidate& candidate = field.all()[i];
            const double x = numbers_[2 * i], y = numbers_[2 * i + 1];
            candidate = candidate_from_pels(array_.name(), x, y);
            const bool first = i % static_cast<std::size_t>(candidates_) == 0;
            if (first)
                exact_.push_back(has_vector(candidate) ? Pels{static_cast<float>(x), static_cast<float>(y)} : Pels{});
            if (!first && has_vector(candidate) && !has_vector(field.all()[i - 1])) {
                throw InputError(array_.name() + ": a candidate after an empty one in pair " +
                                 std::to_string(pairs_read_));
            }
        }
        return FieldRecord{std::move(field), pairs_read_, -1};
    }

    FieldGeometry geometry() const override { return geometry_; }
    std::span<const Pels> exact_vectors() const override { return exact_; }

  private:
    [[noreturn]] void refuse(const std::string& wanted) const {
        std::string shape;
        for (const std::int64_t side : array_.shape())
            shape += (shape.empty() ? "" : ", ") + std::to_string(side);
        throw InputError(array_.name() + ": an array of shape (" + shape + "); " + wanted + " is wanted");
    }

    bool next() {
        if (pairs_read_ == pairs_) return false;
        numbers_.resize(blocks_ * static_cast<std::size_t>(candidates_) * 2);
        array_.read(numbers_);
        ++pairs_read_;
        return true;
    }

    NpyReader array_;
    FieldGeometry geometry_;
    std::int64_t pairs_ = 0, pairs_read_ = 0;
    int candidates_ = 1;
    std::size_t blocks_ = 0;
    std::vector<double> numbers_;
    std::vector<Pels> exact_;
};

} // namespace

NumpyNames::NumpyNames(const std::string& path) {
    const std::string stem = path.substr(0, path.size() - std::string(".npy").size());
    costs = stem + ".cost.npy";
    distortions = stem + ".distortion.npy";
    candidates = stem + ".candidates.npy";
}

std::unique_ptr<FieldWriter> create_numpy_field_file(const std::string& path) {
    return std::make_unique<NumpyWriter>(path);
}

std::unique_ptr<FieldReader> open_numpy_field_file(const std::string& path, const FieldGeometry& geometry,
                                                   const std::atomic<bool>* stop) {
    return std::make_unique<NumpyReader>(path, geometry, stop);
}

} // namespace tandem
