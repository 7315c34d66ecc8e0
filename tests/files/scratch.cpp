// SPDX-License-Identifier: BSD-2-Clause
#include "scratch.h"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

namespace tandem::test {

std::string Scratch::file(const std::string& name, const std::string& bytes) const {
    std::ofstream out(path(name), std::ios::binary);
    out << bytes;
    out.close();
    if (!out) throw std::runtime_error("the test cannot write " + path(name));
    return path(name);
}

std::vector<std::string> Scratch::names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
}

FileSizeLimit::FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &saved_);
    rlimit limit = saved_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

FileSizeLimit::~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &saved_);
    std::signal(SIGXFSZ, handler_);
}

std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("the test cannot read " + path);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

std::unique_ptr<Frame> random_frame(int width, int height, std::uint32_t seed, int border) {
    std::mt19937 random(seed);
    auto frame = std::make_unique<Frame>(width, height, border);
    for (int i = 0; i < 3; ++i) {
        const MutablePlaneView plane = frame->plane(i).view();
        for (int y = 0; y < plane.height; ++y) {
            for (int x = 0; x < plane.width; ++x)
                plane.at(x, y) = static_cast<std::uint8_t>(random());
        }
    }
    return frame;
}

bool equal(const Frame& a, const Frame& b) {
    return a.width() == b.width() && a.height() == b.height() && planes_of(a) == planes_of(b);
}

std::string planes_of(const Frame& frame) {
    std::string bytes;
    for (int i = 0; i < 3; ++i) {
        const PlaneView plane = frame.plane(i).view();
        for (int y = 0; y < plane.height; ++y) {
            bytes.append(plane.row(y), plane.row(y) + plane.width);
        }
    }
    return bytes;
}

bool have_program(const std::string& name) { return run("command -v " + name).status == 0; }

CommandResult run(const std::string& command) {
    std::FILE* pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no command can be run");
    CommandResult result{};
    std::array<char, 4096> part{};
    for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
        result.output.append(part.data(), got);
    }
    const int status = ::pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    return result;
}

} // namespace tandem::test
