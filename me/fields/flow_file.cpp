// SPDX-License-Identifier: BSD-2-Clause
// Middlebury's optical flow (.flo): the number 202021.25, width and height as 32-bit integers, then u and v of each pel
// as 32-bit floats in raster order, all little-endian. A component beyond 1e9, or NaN, is unknown (Baker et al., A
// Database and Evaluation Methodology for Optical Flow, 2011, and the reference code beside it, which writes 1e10).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <vector>

#include "files/atomic_file.h"
#include "files/byte_reader.h"
#include "files/little_endian.h"
#include "machine/errors.h"
#include "me/fields/formats.h"

namespace tandem {

namespace {

constexpr float flow_magic = 202021.25F;
constexpr float unknown = 1e10F;
constexpr std::size_t flow_header_size = 12;
constexpr std::size_t vector_size = 8;

/// A file's name with one %d or %0Nd in its last part, where a picture's number stands.
struct NumberedName {
    std::string before, after;
    std::size_t digits = 0; ///< At least so many, with leading zeros.

    static std::optional<NumberedName> of(const std::string& path) {
        const std::size_t percent = path.find('%', path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
        if (percent == std::string::npos) return std::nullopt;
        NumberedName name{path.substr(0, percent), {}, 0};
        std::size_t at = percent + 1;
        if (at + 1 < path.size() && path[at] == '0' && path[at + 1] >= '1' && path[at + 1] <= '9') {
            name.digits = static_cast<std::size_t>(path[at + 1] - '0');
            at += 2;
        }
        if (at >= path.size() || path[at] != 'd' || path.find('%', at) != std::string::npos) {
            throw InputError(path + ": a picture's number in a name is one %d or %01d to %09d");
        }
        name.after = path.substr(at + 1);
        return name;
    }

    /// The number whose file this is the name of.
    std::optional<std::int64_t> number_in(const std::string& path) const {
        if (path.size() <= before.size() + after.size() || !path.starts_with(before) || !path.ends_with(after))
            return std::nullopt;
        const char* const last = path.data() + path.size() - after.size();
        std::int64_t number = 0;
        const auto [end, problem] = std::from_chars(path.data() + before.size(), last, number);
        if (problem != std::errc{} || end != last || number < 0 || path != with(number)) return std::nullopt;
        return number;
    }

    std::string with(std::int64_t number) const {
        std::string text = std::to_string(number);
        if (text.size() < digits) text.insert(0, digits - text.size(), '0');
        return before + text + after;
    }

    /// The files that are there, by number.
    std::map<std::int64_t, std::string> existing() const {
        const std::string folder = before.substr(0, before.rfind('/') + 1); // As it was given, with its slash.
        std::map<std::int64_t, std::string> found;
        std::error_code error;
        for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
            const std::string path = folder + entry.path().filename().string();
            if (const auto number = number_in(path)) found[*number] = path;
        }
        if (error) throw InputError(folder + ": the folder cannot be read: " + error.message());
        return found;
    }
};

class FlowWriter : public FieldWriter {
  public:
    explicit FlowWriter(const std::string& path) : rules_(path), numbered_(NumberedName::of(path)) {
        if (!numbered_) file_.emplace(path);
    }

    void write(const FieldRecord& record) override {
        rules_.check(record);
        if (numbered_) {
            AtomicFile file(numbered_->with(record.picture));
            write_to(file, record.field);
            file.finish();
        } else {
            if (written_) {
                throw InputError(rules_.path() + ": a .flo file holds one pair of pictures; a name with %04d, such as "
                                                 "flow-%04d.flo, makes a file for each");
            }
            write_to(*file_, record.field);
        }
        written_ = true;
    }

    void finish() override {
        if (!written_) throw InputError(rules_.path() + ": there is no field to write");
        if (file_) file_->finish();
    }

  private:
    static void write_to(AtomicFile& file, const MotionField& field) {
        std::vector<std::uint8_t> bytes;
        append_little_endian(bytes, flow_magic);
        append_little_endian(bytes, std::int32_t{field.picture_width()});
        append_little_endian(bytes, std::int32_t{field.picture_height()});
        file.write(bytes);
        for (int row = 0; row < field.rows(); ++row) {
            bytes.clear();
            for (int column = 0; column < field.columns(); ++column) {
                const Pels vector = pels_of(field.best(column, row));
                const bool known = has_vector(field.best(column, row));
                for (int x = 0; x < block_rect(field, column, row).width; ++x) {
                    append_little_endian(bytes, known ? vector.x : unknown);
                    append_little_endian(bytes, known ? vector.y : unknown);
                }
            }
            for (int y = 0; y < block_rect(field, 0, row).height; ++y)
                file.write(bytes);
        }
    }

    RecordRules rules_;
    std::optional<NumberedName> numbered_;
    std::optional<AtomicFile> file_; ///< The one file of a name without a number.
    bool written_ = false;
};

/// One flow file as one vector per block, that of the block's middle pel (of four: the lower right).
class FlowFile {
  public:
    FlowFile(const std::string& path, const FieldGeometry& wanted, const std::atomic<bool>* stop) : file_(path, stop) {
        std::array<std::uint8_t, flow_header_size> header{};
        if (file_.read(header) != header.size() || read_little_endian<float>(header.data()) != flow_magic) {
            throw InputError(path + ": this is not a Middlebury flow file");
        }
        const auto width = read_little_endian<std::int32_t>(header.data() + 4);
        const auto height = read_little_endian<std::int32_t>(header.data() + 8);
        if (width < 1 || height < 1 || width > largest_field_side || height > largest_field_side) {
            throw InputError(path + ": a flow of " + std::to_string(width) + "x" + std::to_string(height) +
                             " pels; sides are 1 to " + std::to_string(largest_field_side));
        }
        geometry_ = agree(path, {width, height, 0, 0}, wanted);
        const std::uint64_t size =
            flow_header_size + static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * vector_size;
        if (file_.size() && *file_.size() != size) {
            throw InputError(path + ": " + std::to_string(*file_.size()) + " bytes; a flow of " +
                             std::to_string(width) + "x" + std::to_string(height) + " pels has " +
                             std::to_string(size));
        }
    }

    const FieldGeometry& geometry() const { return geometry_; }
    /// Of read(): each block's vector as the file has it.
    std::vector<Pels> take_exact() { return std::move(exact_); }

    MotionField read() {
        MotionField field(geometry_.picture_width, geometry_.picture_height, geometry_.block_width,
                          geometry_.block_height, 1);
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(geometry_.picture_width) * vector_size);
        for (int y = 0; y < geometry_.picture_height; ++y) {
            if (file_.read(bytes) != bytes.size()) throw InputError(file_.name() + ": the file ends too early");
            if (y == middle_of_block(y, geometry_.block_height, geometry_.picture_height))
                pick(bytes, y / geometry_.block_height, field);
        }
        return field;
    }

  private:
    void pick(const std::vector<std::uint8_t>& samples, int row, MotionField& field) {
        for (int column = 0; column < field.columns(); ++column) {
            const int x =
                middle_of_block(column * geometry_.block_width, geometry_.block_width, geometry_.picture_width);
            const std::uint8_t* const from = samples.data() + static_cast<std::size_t>(x) * vector_size;
            const auto u = read_little_endian<float>(from), v = read_little_endian<float>(from + 4);
            Candidate& candidate = field.block(column, row).front();
            candidate = candidate_from_pels(file_.name(), u, v);
            exact_.push_back(has_vector(candidate) ? Pels{u, v} : Pels{});
        }
    }

    ByteReader file_;
    FieldGeometry geometry_;
    std::vector<Pels> exact_;
};

class FlowReader : public FieldReader {
  public:
    FlowReader(const std::string& path, const FieldGeometry& wanted, const std::atomic<bool>* stop) : stop_(stop) {
        if (const auto numbered = NumberedName::of(path)) {
            files_ = numbered->existing();
            const bool has_first = files_.erase(0) > 0; // Each is read as predicted from the picture before.
            if (files_.empty()) {
                throw InputError(path + (has_first ? ": there is only picture 0's file, and no picture stands before it"
                                                   : ": there is no file of such a name"));
            }
        } else {
            files_[1] = path;
        }
        next_ = files_.begin();
        geometry_ = file_.emplace(next_->second, wanted, stop_).geometry();
    }

    std::optional<FieldRecord> read() override {
        if (next_ == files_.end()) return std::nullopt;
        const auto& [number, path] = *next_++;
        if (!file_) file_.emplace(path, geometry_, stop_);
        FieldRecord record{file_->read(), number, -1};
        exact_ = file_->take_exact();
        file_.reset();
        return record;
    }

    FieldGeometry geometry() const override { return geometry_; }
    std::span<const Pels> exact_vectors() const override { return exact_; }

  private:
    std::map<std::int64_t, std::string> files_;
    std::map<std::int64_t, std::string>::const_iterator next_;
    std::optional<FlowFile> file_; ///< The first one is open already: a pipe cannot be opened twice.
    FieldGeometry geometry_;
    const std::atomic<bool>* stop_;
    std::vector<Pels> exact_;
};

} // namespace

bool is_numbered_flow_file(const std::string& path, const std::string& name) {
    const auto numbered = NumberedName::of(path);
    return numbered && numbered->number_in(name).has_value();
}

std::unique_ptr<FieldWriter> create_flow_file(const std::string& path) { return std::make_unique<FlowWriter>(path); }

std::unique_ptr<FieldReader> open_flow_file(const std::string& path, const FieldGeometry& geometry,
                                            const std::atomic<bool>* stop) {
    return std::make_unique<FlowReader>(path, geometry, stop);
}

} // namespace tandem
