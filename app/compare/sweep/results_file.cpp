// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/results_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "files/byte_reader.h"
#include "machine/errors.h"

namespace tandem {
namespace {

/// Null for what is not a row.
Json parsed(const std::string& line) {
    constexpr int deepest = 16; // Beyond it is nothing of ours, and copies of it could take all of the stack.
    bool is_row = line.find('\0') == std::string::npos; // The parser would end there.
    const auto watch_depth = [&](int depth, Json::parse_event_t, Json&) { return is_row &= depth <= deepest; };
    Json row = Json::parse(line, watch_depth, false);
    is_row = is_row && row.is_object() && row.contains("schema") && row.contains("key") && row["key"].is_string();
    return is_row ? std::move(row) : Json();
}

/// The name of a figure that no measuring gives; empty: all may be.
std::string impossible_figure(const Json& row) {
    const auto is_outside = [&](const char* name, double least, double most) {
        return row.contains(name) && row[name].is_number() && !(row[name] >= least && row[name] <= most);
    };
    constexpr double any = std::numeric_limits<double>::infinity();
    for (const char* name : {"frames", "bytes", "bitrate_kbps", "encode_s", "total_s", "motion_s", "peak_rss_bytes",
                             "psnr", "psnr_y", "psnr_u", "psnr_v"})
        if (is_outside(name, 0, any)) return name;
    if (is_outside("vmaf", 0, 100)) return "vmaf";
    for (const char* name : {"ssim", "ssim_y"})
        if (is_outside(name, -1, 1)) return name;
    return {};
}

/// Takes line by line; the number of bytes up to the end of the last whole line.
template <class Take> std::size_t for_each_line(const std::string& text, const Take& take) {
    std::size_t begin = 0, number = 1;
    for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
        take(text.substr(begin, end - begin), number++);
    return begin;
}

std::string contents(int descriptor, const std::string& path) {
    std::string text, buffer(1 << 16, '\0');
    for (;;) {
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw RunError(fmt::format("{}: reading failed: {}", path, system_message(errno)));
        if (count == 0) return text;
        text.append(buffer, 0, static_cast<std::size_t>(count));
    }
}

void add_row(std::vector<Json>& rows, const std::string& path, const std::string& line, std::size_t number) {
    Json row = parsed(line);
    if (row.is_null())
        throw InputError(fmt::format("{} line {} is no result of tandem compare; --fresh begins anew", path, number));
    if (row["schema"] != results_schema)
        throw InputError(fmt::format("{} line {} has schema {}, this program reads {}; --fresh begins anew", path,
                                     number, row["schema"].dump(), results_schema));
    if (const std::string name = impossible_figure(row); !name.empty())
        throw InputError(fmt::format("{} line {}: {} cannot be {}; --fresh begins anew", path, number, name,
                                     row[name].dump(-1, ' ', false, Json::error_handler_t::replace)));
    std::erase_if(rows, [&](const Json& other) { return other["key"] == row["key"]; });
    rows.push_back(std::move(row));
}

void say_torn(const std::string& path, std::size_t bytes) {
    spdlog::warn("warning: {}: the last line is cut off ({} bytes) and is dropped", path, bytes);
}

} // namespace

std::string line_of(const Json& row) { return row.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

ResultsFile::ResultsFile(std::string path, bool fresh) : path_(std::move(path)) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse_file(fmt::format("{}: cannot be opened: ", path_), errno);
    try {
        if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
            if (errno != EWOULDBLOCK) fail("locking failed", errno);
            throw RunError(fmt::format("{}: another tandem compare writes to it", path_));
        }
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0) fail("cannot be looked at", errno);
        regular_ = S_ISREG(status.st_mode);
        if (regular_ && fresh && ::ftruncate(descriptor_, 0) != 0) fail("cannot be emptied", errno);
        if (regular_) read_all();
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

ResultsFile::~ResultsFile() { ::close(descriptor_); }

void ResultsFile::fail(const char* what, int error) const {
    throw RunError(fmt::format("{}: {}: {}", path_, what, system_message(error)));
}

void ResultsFile::read_all() {
    const std::string text = contents(descriptor_, path_);
    const std::size_t whole =
        for_each_line(text, [&](const std::string& line, std::size_t number) { add_row(rows_, path_, line, number); });
    if (whole == text.size()) return;
    say_torn(path_, text.size() - whole);
    if (::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) fail("cannot be cut", errno);
}

bool ResultsFile::has(const std::string& key) const {
    return std::ranges::any_of(rows_, [&](const Json& row) { return row["key"] == key; });
}

void ResultsFile::append(const Json& row) {
    const std::string line = line_of(row);
    const off_t before = regular_ ? ::lseek(descriptor_, 0, SEEK_END) : 0;
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            const int error = errno;
            if (regular_ && rest.size() < line.size() && ::ftruncate(descriptor_, before) != 0)
                fail("a half-written line cannot be removed", errno);
            fail("writing failed", error);
        }
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    // As it will be read: names that are not UTF-8 are replaced in the line.
    rows_.push_back(Json::parse(line));
}

std::vector<Json> read_results(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) refuse_file(fmt::format("{}: cannot be opened: ", path), errno);
    std::string text;
    try {
        text = contents(descriptor, path);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    ::close(descriptor);
    std::vector<Json> rows;
    const std::size_t whole =
        for_each_line(text, [&](const std::string& line, std::size_t number) { add_row(rows, path, line, number); });
    if (whole < text.size()) say_torn(path, text.size() - whole);
    return rows;
}

} // namespace tandem
