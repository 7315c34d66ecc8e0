// SPDX-License-Identifier: BSD-2-Clause
#include "video/source.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "files/byte_reader.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "video/libav/reading/stream_decoder.h"
#include "video/sources/numbered_files.h"
#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

constexpr std::string_view y4m_magic = "YUV4MPEG2";

bool begins_as_y4m(ByteReader& input) {
    const auto beginning = input.peek(y4m_magic.size());
    return std::equal(beginning.begin(), beginning.end(), y4m_magic.begin(), y4m_magic.end());
}

void check_options(const SourceOptions& options) {
    if (options.input_res) {
        const auto [width, height] = *options.input_res;
        if (width < 1 || height < 1 || width > largest_side || height > largest_side) {
            throw InputError("a picture size of " + std::to_string(width) + "x" + std::to_string(height) +
                             " is outside 1x1 to 16384x16384");
        }
    }
    for (const std::optional<Rational>& rate : {options.frame_rate, options.resampled_rate}) {
        if (rate && (rate->numerator < 1 || rate->denominator < 1)) {
            throw InputError("a frame rate of " + std::to_string(rate->numerator) + "/" +
                             std::to_string(rate->denominator) + " is not positive");
        }
    }
}

} // namespace

std::optional<std::int64_t> parse_count(std::string_view text, std::int64_t largest) {
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > largest) return std::nullopt;
    return value;
}

std::uint64_t picture_bytes(int width, int height) {
    const auto samples = [](int w, int h) { return static_cast<std::uint64_t>(w) * static_cast<std::uint64_t>(h); };
    return samples(width, height) + 2 * samples(chroma_size(width), chroma_size(height));
}

int copying_threads() { return std::clamp(available_threads() / 4, 1, 4); }

std::size_t read_planes(ByteReader& input, Frame& frame) {
    std::array<ByteReader::Rows, 3> planes;
    for (int i = 0; i < 3; ++i) {
        const MutablePlaneView plane = frame.plane(i).view();
        planes[static_cast<std::size_t>(i)] = {plane.data, static_cast<std::size_t>(plane.width), plane.stride,
                                               static_cast<std::size_t>(plane.height)};
    }
    return input.read_rows(planes);
}

void refuse_input_res(const std::string& name, const SourceOptions& options) {
    if (options.input_res)
        throw InputError(
            name +
            ": this is not raw (.yuv, .raw) by its name and states its own picture size; leave the input size out");
}

namespace {

/// Our own parser reads plain y4m; other samples, fields and filters are libavformat's. `path`: empty for a pipe.
std::unique_ptr<FrameSource> open_y4m(ByteReader input, const std::string& path, const SourceOptions& options) {
    const bool is_plain = options.filters.empty() && !needs_libav(input, options);
    if (is_plain || !built_with_libav()) return open_y4m_source(std::move(input), options);
    return path.empty() ? open_libav_source(std::move(input), options) : open_libav_source(path, options);
}

/// Standard input and other pipes, which cannot be opened again: what it is must show in its first bytes.
std::unique_ptr<FrameSource> open_pipe(ByteReader input, const std::string& path, const SourceOptions& options) {
    if (begins_as_y4m(input)) return open_y4m(std::move(input), "", options);
    if (options.input_res) return open_raw_source(std::move(input), path, options);
    if (input.peek(1).empty()) throw InputError(input.name() + ": there is nothing to read");
    // A redirected file can be read from where libavformat wants.
    constexpr const char* standard_input = "/dev/stdin";
    if (path == "-" && input.is_at_beginning_of_file()) return open_libav_source(standard_input, options);
    return open_libav_source(std::move(input), options);
}

bool is_raw_name(const std::string& extension) {
    return extension == ".yuv" || extension == ".raw" || extension == ".i420" || extension == ".nv12";
}

/// "%04d.png" where no file has that very name.
bool is_pattern(const std::string& path) {
    std::error_code none;
    return path.find('%') != std::string::npos && !std::filesystem::exists(path, none);
}

struct Opened {
    std::unique_ptr<FrameSource> source;
    bool has_own_times = false;
};

Opened open_plain(const std::string& path, const SourceOptions& options) {
    if (is_pattern(path)) {
        if (const auto first = first_number_of(path)) return {open_picture_sequence(path, *first, options)};
    }
    ByteReader input(path, options.stop);
    const std::string extension = path == "-" ? "" : lower_case_extension(path);
    const bool is_raw = is_raw_name(extension) || ((!input.size() || path == "-") && options.input_res);
    const bool is_y4m = begins_as_y4m(input) || extension == ".y4m";
    if (!options.filters.empty() && is_raw)
        throw InputError(input.name() + ": filters need an input that says its size and format, not raw pictures");
    const bool is_pipe = !input.size() || path == "-";
    if (is_raw_name(extension)) return {open_raw_source(std::move(input), path, options)};
    if (is_pipe) return {open_pipe(std::move(input), path, options), !is_y4m && !is_raw};
    if (is_y4m) return {open_y4m(std::move(input), path, options)};
    if (*input.size() == 0) throw InputError(path + ": the file is empty");
    refuse_input_res(path, options);
    return {open_libav_source(path, options), true};
}

} // namespace

std::unique_ptr<FrameSource> open_source(const std::string& path, const SourceOptions& options) {
    check_options(options);
    Opened opened = open_plain(path, options);
    const Rational own = opened.source->format().frame_rate;
    const Rational codable = options.codable_rate ? options.codable_rate(own, opened.has_own_times) : own;
    const Rational wanted = options.resampled_rate.value_or(codable);
    const bool is_uneven = opened.has_own_times && options.even && !options.frame_rate;
    if (!is_uneven && wanted.value() == own.value()) return std::move(opened.source);
    return at_constant_rate(std::move(opened.source), wanted);
}

} // namespace tandem
