// SPDX-License-Identifier: BSD-2-Clause
#include "app/view/decisions_reader.h"

#include <charconv>

#include <fmt/format.h>

#include "app/encode/records/decisions_file.h"
#include "files/little_endian.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr std::size_t fixed_bytes = 16;

/// Of "(18,22,2)<i2": how many numbers. 0 where it is no such thing.
std::size_t numbers_of(std::string_view format) {
    const std::size_t end = format.find(')');
    if (format.empty() || format[0] != '(') return 1;
    if (end == std::string_view::npos) return 0;
    constexpr std::size_t most = 1U << 30;
    std::size_t count = 1;
    for (const char* at = format.data() + 1; at < format.data() + end;) {
        std::size_t side = 0;
        const auto [next, error] = std::from_chars(at, format.data() + end, side);
        if (error != std::errc() || side == 0 || side > most / count) return 0;
        count *= side;
        at = next + 1;
    }
    return count;
}

double number_at(const std::uint8_t* at, std::string_view type) {
    if (type == "u1") return *at;
    if (type == "<u2") return read_little_endian<std::uint16_t>(at);
    if (type == "<i2") return read_little_endian<std::int16_t>(at);
    if (type == "<u4") return read_little_endian<std::uint32_t>(at);
    if (type == "<f4") return read_little_endian<float>(at);
    if (type == "<i8") return static_cast<double>(read_little_endian<std::int64_t>(at));
    if (type == "<u8") return static_cast<double>(read_little_endian<std::uint64_t>(at));
    return read_little_endian<double>(at);
}

bool is_known_type(std::string_view type) {
    for (const std::string_view known : {"u1", "<u2", "<i2", "<u4", "<f4", "<i8", "<u8", "<f8"})
        if (type == known) return true;
    return false;
}

} // namespace

DecisionsReader::DecisionsReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    file_.seekg(0, std::ios::end);
    const std::streamoff end = file_.tellg();
    if (!file_ || end < 0) throw InputError(path_ + ": cannot be read as a file");
    file_size_ = static_cast<std::uint64_t>(end);
    read_header();
    place_columns();
    const std::uint64_t records = file_size_ - header_size_;
    pictures_ = static_cast<std::size_t>(records / record_size_);
    if (records % record_size_ != 0)
        throw InputError(fmt::format("{}: cut off in the record of picture {}", path_, pictures_));
}

std::vector<std::uint8_t> DecisionsReader::bytes_at(std::uint64_t place, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(place));
    file_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    if (static_cast<std::size_t>(file_.gcount()) != count) throw RunError(path_ + ": cannot be read");
    return bytes;
}

void DecisionsReader::read_header() {
    constexpr std::size_t version_at = decisions_magic.size(), size_at = version_at + 4;
    if (file_size_ < fixed_bytes) throw InputError(path_ + ": no decisions of tandem encode --decisions");
    const std::vector<std::uint8_t> begin = bytes_at(0, fixed_bytes);
    if (std::string_view(reinterpret_cast<const char*>(begin.data()), decisions_magic.size()) != decisions_magic)
        throw InputError(path_ + ": no decisions of tandem encode --decisions");
    const auto version = read_little_endian<std::uint32_t>(&begin[version_at]);
    if (version != decisions_version)
        throw InputError(
            fmt::format("{}: version {} of decisions; this program reads {}", path_, version, decisions_version));
    header_size_ = read_little_endian<std::uint32_t>(&begin[size_at]);
    if (header_size_ < fixed_bytes || header_size_ > file_size_)
        throw InputError(fmt::format("{}: its header has {} bytes, the file {}", path_, header_size_, file_size_));
    const std::vector<std::uint8_t> text = bytes_at(fixed_bytes, static_cast<std::size_t>(header_size_) - fixed_bytes);
    try {
        header_ = Json::parse(text);
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: its header is no JSON: {}", path_, error.what()));
    }
}

void DecisionsReader::place_columns() {
    try {
        const Json &names = header_.at("dtype").at("names"), &formats = header_.at("dtype").at("formats");
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto format = formats.at(i).get<std::string>();
            const std::size_t bracket = format.find(')');
            Column column;
            column.offset = record_size_;
            column.type = bracket == std::string::npos ? format : format.substr(bracket + 1);
            column.count = numbers_of(format);
            if (column.count == 0 || !is_known_type(column.type))
                throw InputError(fmt::format("{}: a column is of no known format: {}", path_, format));
            record_size_ += column.count * static_cast<std::size_t>(column.type.back() - '0');
            columns_[names[i].get<std::string>()] = column;
        }
        for (const char* number : {"width", "height", "columns", "rows"})
            static_cast<void>(header_.at(number).get<int>());
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: its header lacks something: {}", path_, error.what()));
    }
    if (record_size_ == 0) throw InputError(path_ + ": its header has no columns");
}

std::vector<std::uint8_t> DecisionsReader::record(std::size_t picture) {
    return bytes_at(header_size_ + std::uint64_t{picture} * record_size_, record_size_);
}

double DecisionsReader::value(std::size_t picture, std::string_view column, std::size_t which) {
    const auto found = columns_.find(column);
    if (found == columns_.end() || which >= found->second.count)
        throw InputError(fmt::format("{}: there is no column {} of such a size", path_, column));
    const auto size = static_cast<std::size_t>(found->second.type.back() - '0');
    const std::uint64_t place = header_size_ + std::uint64_t{picture} * record_size_ + found->second.offset;
    return number_at(bytes_at(place + which * size, size).data(), found->second.type);
}

} // namespace tandem
