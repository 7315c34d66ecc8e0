// SPDX-License-Identifier: BSD-2-Clause
#include "video/open_packet_sink.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "video/libav/writing/libav_sink.h"

namespace tandem {

namespace {

/// The bare stream: packets one after another, as they are.
class ElementaryStreamSink final : public PacketSink {
  public:
    explicit ElementaryStreamSink(const std::string& path) : file_(path) {}
    void write(const Packet& packet) override { file_.write(packet.bytes); }
    void end(std::span<const std::uint8_t> trailer) override {
        file_.write(trailer);
        file_.close();
    }
    void appear() override { file_.finish(); }

  private:
    AtomicFile file_;
};

constexpr std::array<std::string_view, 5> elementary{".m1v", ".m2v", ".mpv", ".m2ve", ".bin"};
constexpr std::array<std::string_view, 9> containers{".mpg", ".mpeg", ".vob", ".ts", ".m2ts",
                                                     ".mkv", ".mp4",  ".mov", ".avi"};

bool contains(std::span<const std::string_view> list, std::string_view item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

std::string list_of(std::span<const std::string_view> list) {
    std::string text;
    for (const std::string_view item : list)
        text += (text.empty() ? "" : " ") + std::string(item);
    return text;
}

/// Devices and pipes such as /dev/null, and /dev/stdout, have no extension to choose by.
bool is_special_file(const std::string& path) {
    struct stat status {};
    if (named_descriptor(path)) return true;
    return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

} // namespace

bool is_packet_sink_name(const std::string& path) {
    const std::string extension = lower_case_extension(path);
    return path == "-" || contains(elementary, extension) || contains(containers, extension) || is_special_file(path);
}

bool is_container_name(const std::string& path) { return contains(containers, lower_case_extension(path)); }

bool container_says_rotation(const std::string& path) {
    const std::string extension = lower_case_extension(path);
    return extension == ".mp4" || extension == ".mov";
}

bool container_says_range(const std::string& path, const ColourDescription& colour) {
    constexpr int unspecified = 2;
    const std::string extension = lower_case_extension(path);
    const bool all_known =
        colour.primaries != unspecified && colour.transfer != unspecified && colour.matrix != unspecified;
    return extension == ".mkv" || (extension == ".mp4" && all_known);
}

std::string packet_sink_extensions() {
    return "the elementary streams " + list_of(elementary) + " and the containers " + list_of(containers);
}

std::unique_ptr<PacketSink> open_packet_sink(const std::string& path, Codec codec, const VideoFormat& format,
                                             const CarriedRate& rate, const CopiedRest& rest) {
    if (path == "-") return std::make_unique<ElementaryStreamSink>(path);
    const std::string extension = lower_case_extension(path);
    if (contains(elementary, extension)) return std::make_unique<ElementaryStreamSink>(path);
    if (contains(containers, extension)) return open_libav_sink(path, extension, codec, format, rate, rest);
    if (is_special_file(path)) return std::make_unique<ElementaryStreamSink>(path);
    throw InputError(path + ": " + (extension.empty() ? "a name without extension" : "the extension " + extension) +
                     " does not say what to write; known are " + packet_sink_extensions());
}

} // namespace tandem
