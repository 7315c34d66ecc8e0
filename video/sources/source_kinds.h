// SPDX-License-Identifier: BSD-2-Clause
// The sources behind open_source(), one a file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "files/byte_reader.h"
#include "machine/errors.h"
#include "video/source.h"

namespace tandem {

/// YUV4MPEG2, read by our own strict parser. Throws InputError for a header that is not understood in full.
std::unique_ptr<FrameSource> open_y4m_source(ByteReader input, const SourceOptions& options);

/// Whether libavformat is to read a y4m: its samples or fields are others than ours, or full range is to become
/// limited. What is broken is left to open_y4m_source(), which says so. Takes nothing of the input.
bool needs_libav(ByteReader& input, const SourceOptions& options);

/// Bare planes Y, Cb, Cr. The size comes from the options or from `path`'s file name.
std::unique_ptr<FrameSource> open_raw_source(ByteReader input, const std::string& path, const SourceOptions& options);

/// Anything libavformat reads; in a build without FFmpeg an InputError says so.
std::unique_ptr<FrameSource> open_libav_source(const std::string& path, const SourceOptions& options);
/// The same from a pipe, whose sound nobody copies.
std::unique_ptr<FrameSource> open_libav_source(ByteReader pipe, const SourceOptions& options);

/// A numbered sequence of pictures ("%04d.png") from the number `first` on, through libavformat.
std::unique_ptr<FrameSource> open_picture_sequence(const std::string& pattern, std::int64_t first,
                                                   const SourceOptions& options);

/// A y4m whose samples or fields are not those that our own parser reads, but libavformat's may.
struct UnsupportedY4m : InputError {
    using InputError::InputError;
};

/// The same pictures, repeated or left out so that they come at `rate`, evenly.
std::unique_ptr<FrameSource> at_constant_rate(std::unique_ptr<FrameSource> source, Rational rate);

/// What a file of this beginning holds ("an MP4 or QuickTime file"), if it is something other than bare samples.
std::optional<std::string> recognised_container(std::span<const std::uint8_t> beginning);

/// Throws InputError where a picture size is given for an input that has its own.
void refuse_input_res(const std::string& name, const SourceOptions& options);

/// Reads the planes of one picture one after the other; returns the bytes that came (all of them, or fewer at the end).
std::size_t read_planes(ByteReader& input, Frame& frame);
/// Threads that copy a file's pictures (ByteReader::share_copying()): a picture is copied faster than it is coded where
/// a machine has many.
int copying_threads();

/// Bytes of one 8-bit 4:2:0 picture.
std::uint64_t picture_bytes(int width, int height);

constexpr int largest_side = 16384;

/// A decimal number without sign, spaces or anything after it, from 1 to `largest`.
std::optional<std::int64_t> parse_count(std::string_view text, std::int64_t largest);

} // namespace tandem
