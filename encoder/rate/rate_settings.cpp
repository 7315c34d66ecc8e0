// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/rate/rate_settings.h"

#include <algorithm>
#include <cmath>

#include "encoder/rate/vbv.h"

namespace tandem {

namespace {

using Problems = std::vector<std::string>;

std::string text(double number) {
    std::string digits = std::to_string(number);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

void check_rate_range(Problems& problems, const char* name, double value, double least, double most) {
    if (value >= least && value <= most) return;
    problems.push_back(std::string(name) + " " + text(value) + " is outside " + text(least) + ".." + text(most));
}

void check_buffer(Problems& problems, const RateSettings& settings, double most_rate, double most_buffer) {
    if (settings.vbv_bits <= 0 && settings.vbv_bits_per_second <= 0) {
        if (settings.constant) problems.push_back("a constant rate needs a buffer that it fills");
        return;
    }
    if (settings.vbv_bits <= 0) problems.push_back("a buffer's rate is given, and no size of the buffer");
    if (settings.vbv_bits_per_second <= 0) problems.push_back("a buffer's size is given, and no rate that fills it");
    if (settings.vbv_bits <= 0 || settings.vbv_bits_per_second <= 0) return;
    check_rate_range(problems, "the buffer's rate (kbit/s)", settings.vbv_bits_per_second / 1000, rate_unit / 1000,
                     most_rate / 1000);
    check_rate_range(problems, "the buffer's size (kbit)", settings.vbv_bits / 1000, buffer_unit / 1000,
                     most_buffer / 1000);
    if (settings.mode() == RateMode::average && settings.bits_per_second > settings.vbv_bits_per_second) {
        problems.push_back("a bit rate of " + text(settings.bits_per_second / 1000) +
                           " kbit/s is more than what fills the buffer, " + text(settings.vbv_bits_per_second / 1000));
    }
    if (settings.constant && declared_buffer(settings).buffer_units < 1) {
        problems.push_back("at a constant rate of " + text(settings.vbv_bits_per_second / 1000) +
                           " kbit/s no buffer fills within the 0.728 seconds that a stream can say");
    }
}

} // namespace

RateMode RateSettings::mode() const {
    if (bits_per_second > 0) return RateMode::average;
    return quality ? RateMode::quality : RateMode::quantiser;
}

DeclaredBuffer declared_buffer(const RateSettings& settings) {
    DeclaredBuffer declared;
    declared.rate_units = std::llround(std::floor(settings.vbv_bits_per_second / rate_unit));
    double bits = settings.vbv_bits;
    if (settings.constant) {
        const double rate = static_cast<double>(declared.rate_units) * rate_unit;
        bits = std::min(bits, rate * largest_vbv_delay / vbv_delays_per_second);
    }
    declared.buffer_units = std::llround(std::floor(bits / buffer_unit));
    return declared;
}

std::vector<std::string> problems_of(const RateSettings& settings, std::int64_t most_rate_units,
                                     std::int64_t most_buffer_units) {
    Problems problems;
    const double most_rate = static_cast<double>(most_rate_units) * rate_unit;
    if (settings.quality && settings.bits_per_second > 0)
        problems.push_back("a constant quality and a bit rate exclude each other");
    if (settings.mode() == RateMode::average && settings.bits_per_second < 1000)
        problems.push_back("a bit rate of " + text(settings.bits_per_second) + " bit/s is less than 1 kbit/s");
    if (settings.constant && settings.mode() != RateMode::average)
        problems.push_back("a constant rate needs a bit rate to be constant at");
    check_buffer(problems, settings, most_rate, static_cast<double>(most_buffer_units) * buffer_unit);
    if (settings.least_quantiser > settings.largest_quantiser) {
        problems.push_back("the least quantiser, " + text(settings.least_quantiser) + ", is larger than the largest, " +
                           text(settings.largest_quantiser));
    }
    if (!settings.before.empty() && settings.mode() != RateMode::average)
        problems.push_back("what a pass before left serves a bit rate alone");
    return problems;
}

} // namespace tandem
