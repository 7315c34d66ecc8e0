// SPDX-License-Identifier: BSD-2-Clause
#include "app/md5.h"

extern "C" {
#include <libavutil/md5.h>
#include <libavutil/mem.h>
}

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/interrupt.h"
#include "video/errors.h"

namespace tandem {
namespace {

class Md5 {
  public:
    Md5() : state_(av_md5_alloc()) {
        if (!state_) throw std::bad_alloc();
        av_md5_init(state_.get());
    }
    void add(std::span<const std::uint8_t> bytes) { av_md5_update(state_.get(), bytes.data(), bytes.size()); }
    std::string text() {
        std::array<std::uint8_t, 16> sum{};
        av_md5_final(state_.get(), sum.data());
        return fmt::format("{:02x}", fmt::join(sum, ""));
    }

  private:
    struct Free {
        void operator()(AVMD5* state) const { av_free(state); }
    };
    std::unique_ptr<AVMD5, Free> state_;
};

} // namespace

std::string md5_of(std::span<const std::uint8_t> bytes) {
    Md5 sum;
    sum.add(bytes);
    return sum.text();
}

std::string md5_of(std::string_view text) {
    return md5_of(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

std::string md5_of_file(const std::string& path) {
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
    const auto refuse = [&](int error) {
        throw InputError(fmt::format("{}: cannot be read: {}", path, std::generic_category().message(error)));
    };
    if (!file) refuse(errno);
    Md5 sum;
    std::vector<std::uint8_t> buffer(1 << 20);
    while (!interrupted()) {
        const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file.get());
        sum.add(std::span(buffer).first(count));
        if (count == buffer.size()) continue;
        if (std::ferror(file.get()) != 0) refuse(errno);
        break;
    }
    return sum.text();
}

} // namespace tandem
