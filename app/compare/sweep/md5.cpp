// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/md5.h"

#include <array>
#include <memory>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/interrupt.h"
#include "files/byte_reader.h"
#include "video/libav/libav_functions.h"

namespace tandem {
namespace {

class Md5 {
  public:
    Md5() : state_(libav().av_md5_alloc()) {
        if (!state_) throw std::bad_alloc();
        libav().av_md5_init(state_.get());
    }
    void add(std::span<const std::uint8_t> bytes) { libav().av_md5_update(state_.get(), bytes.data(), bytes.size()); }
    std::string text() {
        std::array<std::uint8_t, 16> sum{};
        libav().av_md5_final(state_.get(), sum.data());
        return fmt::format("{:02x}", fmt::join(sum, ""));
    }

  private:
    struct Free {
        void operator()(AVMD5* state) const { libav().av_free(state); }
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
    ByteReader file(path, &interrupt_flag());
    Md5 sum;
    std::vector<std::uint8_t> buffer(1 << 20);
    std::size_t count = buffer.size();
    while (count == buffer.size() && !interrupted()) {
        count = file.read(buffer);
        sum.add(std::span(buffer).first(count));
    }
    return sum.text();
}

} // namespace tandem
