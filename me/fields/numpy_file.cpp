// SPDX-License-Identifier: BSD-2-Clause
// Motion fields as NumPy arrays: vectors in pels, and beside them costs, distortions and all candidates.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <span>
#include <system_error>
#include <vector>

#include "files/npy_file.h"
#include "machine/errors.h"
#include "me/fields/formats.h"

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
          distortions_file_(names_.distortions), pictures_file_(names_.pictures) {}

    void write(const FieldRecord& record) override {
        rules_.check(record);
        const MotionField& field = record.field;
        if (!vectors_) begin(field);
        pictures_.push_back({record.picture, record.picture + record.reference_offset});
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
        std::optional<NpyWriter> pictures;
        if (!are_counted()) {
            pictures.emplace(std::move(pictures_file_), NpyType::int64, std::vector<std::int64_t>{2});
            for (const Pair& pair : pictures_)
                pictures->write(pair);
        }
        // All are complete before the first has its name.
        const auto files = {pictures ? &*pictures : nullptr, every_ ? &*every_ : nullptr, &*distortions_, &*costs_,
                            &*vectors_};
        for (NpyWriter* file : files)
            if (file != nullptr) file->close();
        if (!every_) remove_old_file(names_.candidates);
        if (!pictures) remove_old_file(names_.pictures);
        for (NpyWriter* file : files)
            if (file != nullptr) file->finish();
    }

  private:
    using Pair = std::array<std::int64_t, 2>; ///< The picture and its reference.

    /// Whether the pictures are 1, 2, ... each predicted from the one before, which need not be said.
    bool are_counted() const {
        for (std::size_t i = 0; i < pictures_.size(); ++i) {
            const auto number = static_cast<std::int64_t>(i);
            if (pictures_[i] != Pair{number + 1, number}) return false;
        }
        return true;
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
    AtomicFile pictures_file_;                                ///< Until it is known whether it is needed.
    std::optional<NpyWriter> vectors_, costs_, distortions_, every_;
    std::vector<Pair> pictures_;
};

/// (pairs, rows, columns, 2); (rows, columns, 2) is one pair, (pairs, rows, columns, K, 2) has K candidates a block.
/// Rows and columns are those of blocks, or of samples, of which each block's middle one counts.
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
        dense_ = shape[1] == geometry_.picture_height && shape[2] == geometry_.picture_width;
        if (!dense_ && (shape[1] != rows || shape[2] != columns)) {
            refuse("a field of " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                   " columns, or a vector for each of " + std::to_string(geometry_.picture_width) + "x" +
                   std::to_string(geometry_.picture_height) + " samples,");
        }
        if (shape[3] < 1 || shape[3] > most_candidates) refuse("1 to 16 candidates");
        pairs_ = shape[0];
        rows_ = static_cast<int>(shape[1]);
        candidates_ = static_cast<int>(shape[3]);
        numbers_.resize(static_cast<std::size_t>(shape[2] * shape[3] * 2));
        open_pictures(path);
    }

    std::optional<FieldRecord> read() override {
        if (pairs_read_ == pairs_) return std::nullopt;
        ++pairs_read_;
        exact_.clear();
        MotionField field(geometry_.picture_width, geometry_.picture_height, geometry_.block_width,
                          geometry_.block_height, candidates_);
        for (int row = 0; row < rows_; ++row) {
            array_.read(numbers_);
            if (!dense_)
                take_row(row, field);
            else if (row == middle_of_block(row, geometry_.block_height, geometry_.picture_height))
                take_row(row / geometry_.block_height, field);
        }
        const auto [picture, reference] = next_pair();
        return FieldRecord{std::move(field), picture, static_cast<int>(reference - picture)};
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

    /// Of a row of the array that is in numbers_.
    void take_row(int row, MotionField& field) {
        for (int column = 0; column < field.columns(); ++column) {
            const int x =
                dense_ ? middle_of_block(column * geometry_.block_width, geometry_.block_width, geometry_.picture_width)
                       : column;
            take_block(std::span(numbers_).subspan(static_cast<std::size_t>(2 * x * candidates_)),
                       field.block(column, row));
        }
    }

    void take_block(std::span<const double> from, std::span<Candidate> to) {
        for (std::size_t i = 0; i < to.size(); ++i) {
            const double x = from[2 * i], y = from[2 * i + 1];
            to[i] = candidate_from_pels(array_.name(), x, y);
            if (i == 0)
                exact_.push_back(has_vector(to[i]) ? Pels{static_cast<float>(x), static_cast<float>(y)} : Pels{});
            else if (has_vector(to[i]) && !has_vector(to[i - 1]))
                throw InputError(array_.name() + ": a candidate after an empty one in pair " +
                                 std::to_string(pairs_read_));
        }
    }

    /// The file that says the pictures' numbers, where there is one.
    void open_pictures(const std::string& path) {
        const NumpyNames beside(path);
        std::error_code none;
        if (!std::filesystem::is_regular_file(beside.pictures, none)) return;
        pictures_.emplace(beside.pictures);
        if (pictures_->shape() != std::vector<std::int64_t>{pairs_, 2}) {
            throw InputError(beside.pictures + ": this has no picture and reference for each of the " +
                             std::to_string(pairs_) + " pairs of " + array_.name());
        }
    }

    std::array<std::int64_t, 2> next_pair() {
        if (!pictures_) return {pairs_read_, pairs_read_ - 1};
        std::array<double, 2> pair{};
        pictures_->read(pair);
        constexpr double most_offset = INT32_MAX;
        for (const double number : pair) {
            if (!(number >= 0 && number <= static_cast<double>(last_picture)) || pair[0] == pair[1] ||
                std::abs(pair[0] - pair[1]) > most_offset)
                throw InputError(pictures_->name() + ": no picture and its reference for pair " +
                                 std::to_string(pairs_read_));
        }
        return {static_cast<std::int64_t>(pair[0]), static_cast<std::int64_t>(pair[1])};
    }

    NpyReader array_;
    std::optional<NpyReader> pictures_;
    FieldGeometry geometry_;
    std::int64_t pairs_ = 0, pairs_read_ = 0;
    int rows_ = 0, candidates_ = 1; ///< Of the array.
    bool dense_ = false;
    std::vector<double> numbers_; ///< A row of the array.
    std::vector<Pels> exact_;
};

} // namespace

NumpyNames::NumpyNames(const std::string& path) {
    const std::string stem = path.substr(0, path.size() - std::string(".npy").size());
    costs = stem + ".cost.npy";
    distortions = stem + ".distortion.npy";
    candidates = stem + ".candidates.npy";
    pictures = stem + ".pictures.npy";
}

void remove_old_file(const std::string& name) {
    if (::unlink(name.c_str()) == 0 || errno == ENOENT) return;
    throw RunError(name + ": this belongs to an older field and cannot be removed: " + system_message(errno));
}

std::unique_ptr<FieldWriter> create_numpy_field_file(const std::string& path) {
    return std::make_unique<NumpyWriter>(path);
}

std::unique_ptr<FieldReader> open_numpy_field_file(const std::string& path, const FieldGeometry& geometry,
                                                   const std::atomic<bool>* stop) {
    return std::make_unique<NumpyReader>(path, geometry, stop);
}

} // namespace tandem
