// SPDX-License-Identifier: BSD-2-Clause
// Signatures of files that are not bare samples, so that a mistaken name is not coded as noise.
#include <algorithm>
#include <array>
#include <string_view>

#include "video/sources/source_kinds.h"

namespace tandem {

namespace {

struct Signature {
    std::size_t offset;
    std::string_view bytes;
    std::string_view what;
};

using namespace std::string_view_literals;

// Each is long enough that samples of a picture do not look like it by chance.
constexpr std::array signatures{
    Signature{0, "YUV4MPEG2"sv, "YUV4MPEG2 (y4m)"},
    Signature{4, "ftyp"sv, "an MP4 or QuickTime file"},
    Signature{4, "moov"sv, "a QuickTime file"},
    Signature{4, "mdat"sv, "a QuickTime file"},
    Signature{0, "\x1A\x45\xDF\xA3"sv, "a Matroska or WebM file"},
    Signature{0, "RIFF"sv, "a RIFF file (AVI)"},
    Signature{0, "OggS"sv, "an Ogg file"},
    Signature{0, "DKIF"sv, "an IVF file"},
    Signature{0, "FLV\x01"sv, "a Flash video"},
    Signature{0, "\x30\x26\xB2\x75\x8E\x66\xCF\x11"sv, "an ASF file (WMV)"},
    Signature{0, "\x06\x0E\x2B\x34\x02\x05\x01\x01"sv, "an MXF file"},
    Signature{0, "\x89PNG\r\n\x1A\n"sv, "a PNG picture"},
    Signature{0, "\xFF\xD8\xFF\xE0"sv, "a JPEG picture"},
    Signature{0, "\xFF\xD8\xFF\xE1"sv, "a JPEG picture"},
    Signature{0, "GIF87a"sv, "a GIF picture"},
    Signature{0, "GIF89a"sv, "a GIF picture"},
    Signature{0, "ID3\x03"sv, "an MP3 file"},
    Signature{0, "ID3\x04"sv, "an MP3 file"},
    Signature{4, "1AY&SY"sv, "a bzip2 file"},
    Signature{0, "\x1F\x8B\x08"sv, "a gzip file"},
    Signature{0, "\xFD\x37zXZ\x00"sv, "an xz file"},
    Signature{0, "\x28\xB5\x2F\xFD"sv, "a Zstandard file"},
    Signature{0, "PK\x03\x04"sv, "a zip file"},
    Signature{0, "\x00\x00\x01\xBA"sv, "an MPEG program stream"},
    Signature{0, "\x00\x00\x01\xB3"sv, "an MPEG-1 or MPEG-2 video stream"},
    Signature{0, "\x00\x00\x01\xB0"sv, "an MPEG-4 video stream"},
    Signature{0, "\x00\x00\x00\x01\x67"sv, "an H.264 stream"},
    Signature{0, "\x00\x00\x00\x01\x27"sv, "an H.264 stream"},
    Signature{0, "\x00\x00\x00\x01\x09"sv, "an H.264 stream"},
    Signature{0, "\x00\x00\x00\x01\x40\x01"sv, "an H.265 stream"},
    Signature{0, "\x00\x00\x00\x01\x46\x01"sv, "an H.265 stream"},
};

/// Five packets of 188 bytes (or 192, with the four-byte prefix of .m2ts) that begin with 0x47 and are not a flat area.
bool is_transport_stream(std::span<const std::uint8_t> beginning, std::size_t first, std::size_t packet) {
    constexpr std::size_t packets = 5;
    if (beginning.size() < first + packets * packet) return false;
    for (std::size_t i = 0; i < packets; ++i) {
        const auto header = beginning.subspan(first + i * packet, 4);
        const bool sync = header[0] == 0x47;
        const bool sound = (header[1] & 0x80) == 0 && (header[3] & 0x30) != 0; // no error; payload or adaptation field
        if (!sync || !sound || header[1] == 0x47) return false;
    }
    return true;
}

} // namespace

std::optional<std::string> recognised_container(std::span<const std::uint8_t> beginning) {
    for (const Signature& signature : signatures) {
        if (beginning.size() < signature.offset + signature.bytes.size()) continue;
        const auto part = beginning.subspan(signature.offset, signature.bytes.size());
        const bool same = std::equal(part.begin(), part.end(), signature.bytes.begin(),
                                     [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); });
        if (same) return std::string(signature.what);
    }
    if (is_transport_stream(beginning, 0, 188) || is_transport_stream(beginning, 4, 192)) {
        return "an MPEG transport stream";
    }
    return std::nullopt;
}

} // namespace tandem
