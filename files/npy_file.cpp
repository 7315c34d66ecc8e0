// SPDX-License-Identifier: BSD-2-Clause
#include "files/npy_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include "files/little_endian.h"
#include "machine/errors.h"

namespace tandem {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 65535;
constexpr std::size_t most_dimensions = 8;

struct TypeRow {
    NpyType type;
    std::string_view name; ///< NumPy's "descr".
    std::size_t size;      ///< Bytes.
};
constexpr std::array types{TypeRow{NpyType::float32, "<f4", 4}, TypeRow{NpyType::uint32, "<u4", 4},
                           TypeRow{NpyType::int64, "<i8", 8}};

const TypeRow& row_of(NpyType type) { return types.at(static_cast<std::size_t>(type)); }

/// Of a "descr" such as ">i2"; nothing for what is not read.
std::optional<NpyNumber> number_of(std::string_view text) {
    if (text.size() != 3 || std::string_view("<>|").find(text[0]) == std::string_view::npos) return std::nullopt;
    const NpyNumber number{text[1], static_cast<std::size_t>(text[2] - '0'), text[0] == '>'};
    const bool whole = number.kind == 'i' || number.kind == 'u';
    const bool has_size = number.size == 2 || number.size == 4 || number.size == 8 || (whole && number.size == 1);
    if ((!whole && number.kind != 'f') || !has_size || (text[0] == '|') != (number.size == 1)) return std::nullopt;
    return number;
}

/// At least `least` bytes: the data begin at a multiple of 64, after spaces and a newline.
std::string header_of(NpyType type, std::int64_t entries, const std::vector<std::int64_t>& entry, std::size_t least) {
    std::string dictionary = "{'descr': '" + std::string(row_of(type).name) + "', 'fortran_order': False, 'shape': (" +
                             std::to_string(entries) + ",";
    for (std::size_t i = 0; i < entry.size(); ++i)
        dictionary += (i > 0 ? ", " : " ") + std::to_string(entry[i]);
    dictionary += "), }";
    const std::size_t before = magic.size() + 4;
    const std::size_t size = std::max(least, (before + dictionary.size() + 1 + 63) / 64 * 64);
    dictionary.resize(size - before - 1, ' ');
    dictionary += '\n';
    std::string header(magic);
    header += '\x01';
    header += '\0';
    header += static_cast<char>(dictionary.size() & 0xFF);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

/// The Python literal of a header, taken from the left.
class Dictionary {
  public:
    Dictionary(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    void read(std::string& type, bool& fortran_order, std::vector<std::int64_t>& shape) {
        expect('{');
        std::set<std::string> found;
        while (!taken('}')) {
            const std::string key = quoted();
            if (!found.insert(key).second) fail();
            expect(':');
            if (key == "descr") {
                type = quoted();
            } else if (key == "fortran_order") {
                fortran_order = truth();
            } else if (key == "shape") {
                shape = numbers();
            } else {
                fail();
            }
            if (!taken(',')) {
                expect('}');
                break;
            }
        }
        if (found.size() != 3) fail();
    }

  private:
    [[noreturn]] void fail() const { throw InputError(name_ + ": the header of this .npy file is broken"); }

    void skip_spaces() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n"), text_.size())); }

    bool taken(char wanted) {
        skip_spaces();
        if (text_.empty() || text_.front() != wanted) return false;
        text_.remove_prefix(1);
        return true;
    }
    void expect(char wanted) {
        if (!taken(wanted)) fail();
    }

    std::string quoted() {
        skip_spaces();
        if (!text_.empty() && text_.front() == '[') {
            throw InputError(name_ + ": an array of records; plain numbers are read");
        }
        expect('\'');
        const std::size_t end = text_.find('\'');
        if (end == std::string_view::npos) fail();
        const std::string value(text_.substr(0, end));
        text_.remove_prefix(end + 1);
        return value;
    }

    bool truth() {
        skip_spaces();
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
            if (text_.starts_with(word)) {
                text_.remove_prefix(word.size());
                return value;
            }
        }
        fail();
    }

    std::vector<std::int64_t> numbers() {
        std::vector<std::int64_t> found;
        expect('(');
        while (!taken(')')) {
            skip_spaces();
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
            if (error != std::errc{} || number < 0 || found.size() == most_dimensions) fail();
            text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
            found.push_back(number);
            if (!taken(',')) {
                expect(')');
                break;
            }
        }
        return found;
    }

    std::string_view text_;
    const std::string& name_;
};

/// The header's dictionary; the file then stands at the data.
struct Header {
    std::string text;
    std::uint64_t size; ///< Bytes before the data.
};

Header read_header(ByteReader& file) {
    std::array<std::uint8_t, 12> start{};
    const std::size_t fixed = magic.size() + 2;
    if (file.read(std::span(start).first(fixed)) != fixed ||
        !std::equal(magic.begin(), magic.end(), start.begin(),
                    [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; })) {
        throw InputError(file.name() + ": this is not a .npy file");
    }
    const int version = start[magic.size()];
    if (version < 1 || version > 3) {
        throw InputError(file.name() + ": version " + std::to_string(version) + " of .npy; 1 to 3 are read");
    }
    const std::size_t length_size = version == 1 ? 2 : 4;
    std::array<std::uint8_t, 4> length{};
    const bool complete = file.read(std::span(length).first(length_size)) == length_size;
    const std::size_t size = read_little_endian<std::uint32_t>(length.data());
    if (!complete || size > longest_header) throw InputError(file.name() + ": the header of this .npy file is broken");
    std::vector<std::uint8_t> text(size);
    if (file.read(text) != size) throw InputError(file.name() + ": this .npy file ends within its header");
    return {{text.begin(), text.end()}, fixed + length_size + size};
}

/// Bytes of the data; 0 where a number of bytes has no 64 bits.
std::uint64_t data_size(const std::vector<std::int64_t>& shape, std::size_t element) {
    std::uint64_t size = element;
    for (const std::int64_t dimension : shape) {
        if (__builtin_mul_overflow(size, static_cast<std::uint64_t>(dimension), &size)) return 0;
    }
    return size;
}

template <class Signed> double whole_number_at(const std::uint8_t* from, bool is_signed) {
    if (is_signed) return static_cast<double>(read_little_endian<Signed>(from));
    return static_cast<double>(read_little_endian<std::make_unsigned_t<Signed>>(from));
}

/// IEEE 754's binary16: 5 bits of exponent, 10 of fraction.
double half_at(const std::uint8_t* from) {
    const unsigned bits = read_little_endian<std::uint16_t>(from);
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<int>(bits & 1023);
    const double magnitude = exponent == 31 ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                             : exponent > 0 ? std::ldexp(1024 + fraction, exponent - 25)
                                            : std::ldexp(fraction, -24);
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

double float_at(const std::uint8_t* from, std::size_t size) {
    if (size == 2) return half_at(from);
    return size == 4 ? read_little_endian<float>(from) : read_little_endian<double>(from);
}

/// Of little-endian bytes.
double number_at(const std::uint8_t* from, const NpyNumber& number) {
    if (number.kind == 'f') return float_at(from, number.size);
    const bool is_signed = number.kind == 'i';
    switch (number.size) {
    case 1:
        return whole_number_at<std::int8_t>(from, is_signed);
    case 2:
        return whole_number_at<std::int16_t>(from, is_signed);
    case 4:
        return whole_number_at<std::int32_t>(from, is_signed);
    default:
        return whole_number_at<std::int64_t>(from, is_signed);
    }
}

} // namespace

NpyWriter::NpyWriter(AtomicFile file, NpyType type, std::vector<std::int64_t> entry,
                     std::optional<std::int64_t> entries)
    : file_(std::move(file)), type_(type), entry_(std::move(entry)), promised_(entries) {
    if (!promised_ && !file_.seekable()) {
        throw InputError(file_.path() +
                         ": a .npy file begins with the number of its entries, which is known at the end: "
                         "it cannot be written to a pipe or a device");
    }
    // Where the number comes at the end, its place is kept.
    const std::string header = header_of(type_, promised_.value_or(INT64_MAX), entry_, 0);
    header_size_ = header.size();
    file_.write(header);
}

void NpyWriter::write(std::span<const float> entry) { write_numbers(entry, NpyType::float32); }
void NpyWriter::write(std::span<const std::uint32_t> entry) { write_numbers(entry, NpyType::uint32); }
void NpyWriter::write(std::span<const std::int64_t> entry) { write_numbers(entry, NpyType::int64); }

template <class Number> void NpyWriter::write_numbers(std::span<const Number> entry, NpyType type) {
    if (type_ != type) throw std::logic_error("numbers of another type for a .npy file");
    for (const Number value : entry)
        append_little_endian(bytes_, value);
    if (bytes_.size() != data_size(entry_, row_of(type_).size)) {
        throw std::logic_error("an entry of another shape for a .npy file");
    }
    file_.write(bytes_);
    bytes_.clear();
    ++written_;
}

void NpyWriter::close() {
    if (promised_ && *promised_ != written_) throw std::logic_error("a .npy file with entries missing or too many");
    if (!promised_) {
        file_.seek(0);
        file_.write(header_of(type_, written_, entry_, header_size_));
    }
    file_.close();
    closed_ = true;
}

void NpyWriter::finish() {
    if (!closed_) close();
    file_.finish();
}

NpyReader::NpyReader(const std::string& path, const std::atomic<bool>* stop) : file_(path, stop) {
    const Header header = read_header(file_);
    std::string type;
    bool fortran_order = false;
    Dictionary(header.text, name()).read(type, fortran_order, shape_);
    const auto number = number_of(type);
    if (!number) {
        throw InputError(name() + ": numbers of type '" + type +
                         "'; whole ones of 8 to 64 bits and floats of 16 to 64 bits are read");
    }
    number_ = *number;
    if (fortran_order)
        throw InputError(name() + ": the array is in Fortran order; C order (numpy.ascontiguousarray) is read");
    const std::uint64_t size = data_size(shape_, number_.size);
    const bool empty = std::find(shape_.begin(), shape_.end(), 0) != shape_.end();
    if (size == 0 && !empty) throw InputError(name() + ": the shape in the header is absurdly large");
    const auto file_size = file_.size();
    if (file_size && *file_size != header.size + size) {
        throw InputError(name() + ": the header promises " + std::to_string(size) + " bytes of data, the file has " +
                         std::to_string(*file_size - header.size));
    }
}

void NpyReader::read(std::span<double> to) {
    bytes_.resize(to.size() * number_.size);
    if (file_.read(bytes_) != bytes_.size()) throw InputError(name() + ": the file ends before its last entry");
    for (std::size_t i = 0; i < to.size(); ++i) {
        std::uint8_t* const from = bytes_.data() + i * number_.size;
        if (number_.big_endian) std::reverse(from, from + number_.size);
        to[i] = number_at(from, number_);
    }
}

} // namespace tandem
