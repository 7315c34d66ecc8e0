// SPDX-License-Identifier: BSD-2-Clause
// Tandem's motion fields (.tmf); docs/motion-fields.md has the layout.
#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "files/atomic_file.h"
#include "files/byte_reader.h"
#include "files/little_endian.h"
#include "machine/errors.h"
#include "me/fields/formats.h"

namespace tandem {

namespace {

/// Like PNG's: shows a transfer that changed line ends or cut the eighth bit.
constexpr std::array<std::uint8_t, 8> magic{0x89, 'T', 'M', 'F', '\r', '\n', 0x1A, '\n'};
constexpr std::uint32_t version = 1;
constexpr std::uint32_t header_size = 64;
constexpr std::size_t metric_size = 24;        ///< Its last byte is zero.
constexpr std::uint32_t pair_tag = 0x52494150; ///< "PAIR"
constexpr std::uint32_t end_tag = 0x454E4F44;  ///< "DONE"
constexpr std::size_t record_head_size = 16;
constexpr std::size_t candidate_size = 12;

class TandemWriter : public FieldWriter {
  public:
    TandemWriter(const std::string& path, std::string metric) : rules_(path), file_(path), metric_(std::move(metric)) {
        if (metric_.size() >= metric_size)
            throw InputError(path + ": a metric's name has at most 23 characters: '" + metric_ + "'");
    }

    void write(const FieldRecord& record) override {
        rules_.check(record);
        bytes_.clear();
        if (records_ == 0) put_header(record.field);
        append_little_endian(bytes_, pair_tag);
        append_little_endian(bytes_, std::int32_t{record.reference_offset});
        append_little_endian(bytes_, record.picture);
        for (const Candidate& candidate : record.field.all()) {
            append_little_endian(bytes_, candidate.mv.x);
            append_little_endian(bytes_, candidate.mv.y);
            append_little_endian(bytes_, candidate.distortion);
            append_little_endian(bytes_, candidate.cost);
        }
        file_.write(bytes_);
        ++records_;
    }

    void finish() override {
        if (records_ == 0) throw InputError(rules_.path() + ": there is no field to write");
        bytes_.clear();
        append_little_endian(bytes_, end_tag);
        append_little_endian(bytes_, std::uint32_t{0});
        append_little_endian(bytes_, records_);
        file_.write(bytes_);
        file_.finish();
    }

  private:
    void put_header(const MotionField& field) {
        bytes_.insert(bytes_.end(), magic.begin(), magic.end());
        for (const std::uint32_t number : {version, header_size})
            append_little_endian(bytes_, number);
        for (const int number : {field.picture_width(), field.picture_height(), field.block_width(),
                                 field.block_height(), field.candidates(), eighths_per_pel})
            append_little_endian(bytes_, std::int32_t{number});
        bytes_.insert(bytes_.end(), metric_.begin(), metric_.end());
        bytes_.resize(header_size);
    }

    RecordRules rules_;
    AtomicFile file_;
    std::string metric_;
    std::uint64_t records_ = 0;
    std::vector<std::uint8_t> bytes_;
};

class TandemReader : public FieldReader {
  public:
    TandemReader(const std::string& path, const FieldGeometry& wanted, const std::atomic<bool>* stop)
        : file_(path, stop) {
        read_header(wanted);
        check_end();
    }

    std::optional<FieldRecord> read() override {
        if (ended_) return std::nullopt;
        std::array<std::uint8_t, record_head_size> head{};
        take(head);
        const auto tag = read_little_endian<std::uint32_t>(head.data());
        const auto number = read_little_endian<std::int64_t>(head.data() + 8);
        if (tag == end_tag) {
            read_end(number);
            return std::nullopt;
        }
        if (tag != pair_tag) fail("a record begins with neither PAIR nor DONE");
        FieldRecord record;
        record.reference_offset = read_little_endian<std::int32_t>(head.data() + 4);
        record.picture = number;
        if (number > last_picture) {
            fail("picture " + std::to_string(number) + "; the last that there may be is " +
                 std::to_string(last_picture));
        }
        if (number < 0 || record.reference_offset == 0 || number + record.reference_offset < 0) {
            fail("picture " + std::to_string(number) + " with the reference offset " +
                 std::to_string(record.reference_offset));
        }
        record.field = read_field();
        ++records_;
        return record;
    }

    FieldGeometry geometry() const override { return geometry_; }
    std::string metric() const override { return metric_; }
    bool has_costs() const override { return true; }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(file_.name() + ": broken at record " + std::to_string(records_) + ": " + what);
    }

    void take(std::span<std::uint8_t> to) {
        if (file_.read(to) != to.size()) fail("the file ends too early");
    }

    void read_header(const FieldGeometry& wanted) {
        std::array<std::uint8_t, header_size> header{};
        const bool complete = file_.read(header) == header.size();
        if (!complete || !std::equal(magic.begin(), magic.end(), header.begin())) {
            throw InputError(file_.name() + ": this is not a motion field of Tandem");
        }
        std::array<std::uint32_t, 8> numbers{};
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = read_little_endian<std::uint32_t>(header.data() + magic.size() + 4 * i);
        if (numbers[0] != version || numbers[1] != header_size) {
            throw InputError(file_.name() + ": version " + std::to_string(numbers[0]) + " with a header of " +
                             std::to_string(numbers[1]) + " bytes; version 1 with 64 is read");
        }
        limit("picture width", numbers[2], largest_field_side);
        limit("picture height", numbers[3], largest_field_side);
        limit("block width", numbers[4], largest_field_side);
        limit("block height", numbers[5], largest_field_side);
        limit("number of candidates", numbers[6], most_candidates);
        if (numbers[7] != eighths_per_pel) {
            throw InputError(file_.name() + ": " + std::to_string(numbers[7]) + " units per pel; 8 are read");
        }
        const auto side = [&](std::size_t i) { return static_cast<int>(numbers[i]); };
        geometry_ = agree(file_.name(), {side(2), side(3), side(4), side(5)}, wanted);
        candidates_ = side(6);
        read_metric(std::span(header).last(metric_size));
    }

    std::uint64_t field_size() const {
        return static_cast<std::uint64_t>(blocks_along(geometry_.picture_width, geometry_.block_width)) *
               static_cast<std::uint64_t>(blocks_along(geometry_.picture_height, geometry_.block_height)) *
               static_cast<std::uint64_t>(candidates_) * candidate_size;
    }

    /// Where the end can be seen (a file, no pipe), one that was cut is refused before any of its fields is used.
    void check_end() const {
        if (file_.size().value_or(0) == 0) return; // As the kernel's own files say, whatever they hold.
        const std::vector<std::uint8_t> end = file_.ending(record_head_size);
        const bool is_end = end.size() == record_head_size && read_little_endian<std::uint32_t>(end.data()) == end_tag;
        const auto count = is_end ? read_little_endian<std::uint64_t>(end.data() + 8) : 0;
        const std::uint64_t record_size = record_head_size + field_size();
        const bool fits = count <= *file_.size() / record_size &&
                          *file_.size() == header_size + count * record_size + record_head_size;
        if (is_end && fits) return;
        throw InputError(file_.name() + ": the file was cut, or is broken: it has " + std::to_string(*file_.size()) +
                         " bytes and " +
                         (is_end ? "speaks of " + std::to_string(count) + " records of " + std::to_string(record_size)
                                 : "no end record"));
    }

    void limit(const std::string& what, std::uint32_t value, int largest) const {
        if (value >= 1 && value <= static_cast<std::uint32_t>(largest)) return;
        throw InputError(file_.name() + ": the " + what + " is " + std::to_string(value) + "; it is 1 to " +
                         std::to_string(largest));
    }

    void read_metric(std::span<const std::uint8_t> text) {
        const auto end = std::find(text.begin(), text.end(), std::uint8_t{0});
        const auto printable = [](std::uint8_t c) { return c >= ' ' && c <= '~'; };
        if (end == text.end() || !std::all_of(text.begin(), end, printable)) {
            throw InputError(file_.name() + ": the metric's name is broken");
        }
        metric_.assign(text.begin(), end);
    }

    /// Memory grows with what has come, so a header's promise alone takes none.
    MotionField read_field() {
        const std::uint64_t size = field_size();
        constexpr std::uint64_t part = std::uint64_t{1} << 20;
        bytes_.clear();
        while (bytes_.size() < size) {
            const std::size_t before = bytes_.size();
            bytes_.resize(before + static_cast<std::size_t>(std::min(part, size - before)));
            take(std::span(bytes_).subspan(before));
        }
        MotionField field(geometry_.picture_width, geometry_.picture_height, geometry_.block_width,
                          geometry_.block_height, candidates_);
        const std::uint8_t* from = bytes_.data();
        for (Candidate& candidate : field.all()) {
            candidate = {{read_little_endian<std::int16_t>(from), read_little_endian<std::int16_t>(from + 2)},
                         read_little_endian<std::uint32_t>(from + 4),
                         read_little_endian<std::uint32_t>(from + 8)};
            from += candidate_size;
        }
        check(field);
        return field;
    }

    void check(const MotionField& field) const {
        const auto candidates = static_cast<std::size_t>(candidates_);
        const std::span<const Candidate> all = field.all();
        for (std::size_t i = 0; i < all.size(); ++i) {
            constexpr auto outside = std::numeric_limits<std::int16_t>::min();
            if (all[i].mv.x == outside || all[i].mv.y == outside) fail("a vector of -32768 eighths");
            if (i % candidates != 0 && has_vector(all[i]) && !has_vector(all[i - 1])) {
                fail("a candidate after an empty one");
            }
        }
    }

    void read_end(std::int64_t count) {
        if (static_cast<std::uint64_t>(count) != records_) {
            fail("the end speaks of " + std::to_string(count) + " records");
        }
        std::array<std::uint8_t, 1> more{};
        if (file_.read(more) != 0) fail("more bytes after the end");
        ended_ = true;
    }

    ByteReader file_;
    FieldGeometry geometry_;
    int candidates_ = 0;
    std::string metric_;
    std::uint64_t records_ = 0;
    bool ended_ = false;
    std::vector<std::uint8_t> bytes_;
};

} // namespace

std::unique_ptr<FieldWriter> create_tandem_field_file(const std::string& path, const std::string& metric) {
    return std::make_unique<TandemWriter>(path, metric);
}

std::unique_ptr<FieldReader> open_tandem_field_file(const std::string& path, const FieldGeometry& geometry,
                                                    const std::atomic<bool>* stop) {
    return std::make_unique<TandemReader>(path, geometry, stop);
}

} // namespace tandem
