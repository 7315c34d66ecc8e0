// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/rate_options.h"

#include <fmt/format.h>

#include "app/encode/rate/rate_files.h"
#include "machine/errors.h"

namespace tandem {
namespace {

constexpr double default_quality = 23;

void refuse_both(const Arguments& arguments, const char* one, const char* other, const char* why) {
    if (arguments.given(one) && arguments.given(other))
        throw InputError(fmt::format("--{} and --{} exclude each other: {}", one, other, why));
}

void require(const Arguments& arguments, const char* one, const char* other, const char* why) {
    if (arguments.given(one) && !arguments.given(other))
        throw InputError(fmt::format("--{} needs --{}: {}", one, other, why));
}

bool names_standard(const Arguments& arguments) {
    return arguments.given("compat") && arguments.text("compat") != "any";
}

void refuse_with_standard(const Arguments& arguments) {
    refuse_both(arguments, "qp", "compat", "a constant quantiser is not held to a player's buffer; --crf is");
    refuse_both(arguments, "maxrate", "compat", "the stream keeps to what --compat declares; --vbv-maxrate lowers it");
    refuse_both(arguments, "vbv-soft", "compat", "a player's buffer must not underflow");
}

void require_whole_buffer(const Arguments& arguments) {
    if (!arguments.given("cbr")) require(arguments, "vbv-bufsize", "vbv-maxrate", "a buffer is filled at some rate");
    require(arguments, "vbv-maxrate", "vbv-bufsize", "the rate is the one that fills a buffer");
}

void check_pairs(const Arguments& arguments) {
    refuse_both(arguments, "qp", "crf", "a quantiser is fixed or follows from a quality");
    refuse_both(arguments, "qp", "bitrate", "at a constant quantiser the rate follows");
    refuse_both(arguments, "crf", "bitrate", "at a constant quality the rate follows; --vbv-maxrate bounds it");
    refuse_both(arguments, "maxrate", "vbv-maxrate", "both declare a rate, and the stream keeps to the second");
    refuse_both(arguments, "maxrate", "cbr", "the stream declares --bitrate");
    refuse_both(arguments, "qp", "qpmin", "the quantiser is fixed");
    refuse_both(arguments, "qp", "qpmax", "the quantiser is fixed");
    refuse_both(arguments, "qp", "vbv-maxrate", "a constant quantiser is not held to a buffer; --crf is");
    if (names_standard(arguments)) refuse_with_standard(arguments);
    refuse_both(arguments, "two-pass", "pass", "--two-pass makes both passes itself");
    refuse_both(arguments, "two-pass", "stats", "--two-pass leaves no file");
    require(arguments, "cbr", "bitrate", "that is the rate which is constant");
    if (!names_standard(arguments)) require_whole_buffer(arguments);
    require(arguments, "vbv-soft", "vbv-bufsize", "there is no buffer to underflow");
    require(arguments, "two-pass", "bitrate", "a second pass shares out the bits of a rate");
    require(arguments, "pass", "stats", "a pass leaves its log there or finds it");
    require(arguments, "stats", "pass", "it is the log of a pass; the table of a row a picture is --csv FILE");
}

/// At a constant rate the buffer is filled at that rate, and is half a second large where nobody says otherwise.
void fill_constant(const Arguments& arguments, RateSettings& rate) {
    if (arguments.given("vbv-maxrate") && rate.vbv_bits_per_second != rate.bits_per_second) {
        throw InputError(fmt::format("--vbv-maxrate {} and --bitrate {} differ, and --cbr has one rate",
                                     arguments.text("vbv-maxrate"), arguments.text("bitrate")));
    }
    rate.vbv_bits_per_second = rate.bits_per_second;
    if (!arguments.given("vbv-bufsize") && !names_standard(arguments)) rate.vbv_bits = rate.bits_per_second / 2;
}

void fill_passes(const Arguments& arguments, EncodeOptions& options) {
    options.two_passes = arguments.given("two-pass");
    if (options.two_passes && options.input == "-")
        throw InputError("--two-pass reads the input twice, which standard input cannot be");
    if (!arguments.given("pass")) return;
    const std::string pass = arguments.text("pass");
    options.pass_log = arguments.text("stats");
    options.reads_pass = pass != "1";
    options.writes_pass = pass != "2";
    if (options.reads_pass && !arguments.given("bitrate"))
        throw InputError(fmt::format("--pass {} needs --bitrate: it shares out the bits of a rate", pass));
}

} // namespace

void fill_rate(const Arguments& arguments, EncodeOptions& options) {
    check_pairs(arguments);
    RateSettings& rate = options.settings.rate;
    options.chosen = {arguments.given("keyint"), arguments.given("crf"), arguments.given("vbv-maxrate"),
                      arguments.given("vbv-bufsize")};
    const bool something = arguments.given("qp") || arguments.given("crf") || rate.bits_per_second > 0;
    if (arguments.given("bitrate") && rate.bits_per_second < 1000)
        throw InputError(fmt::format("--bitrate {}: it must be 1 or more", arguments.text("bitrate")));
    if (!something) rate.quality = default_quality;
    if (rate.constant) fill_constant(arguments, rate);
    if (arguments.given("zones")) rate.zones = parse_zones(arguments.text("zones"));
    options.qpfile = arguments.text("qpfile");
    fill_passes(arguments, options);
}

} // namespace tandem
