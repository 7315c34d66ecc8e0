// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/rate/rate_options.h"

#include <fmt/format.h>

#include "app/encode/preset_option.h"
#include "app/encode/rate/rate_files.h"
#include "machine/errors.h"

namespace tandem {
namespace {

void refuse_both(const Arguments& arguments, const char* one, const char* other, const char* why) {
    if (arguments.given(one) && arguments.given(other))
        throw InputError(fmt::format("--{} and --{} exclude each other: {}", one, other, why));
}

void require(const Arguments& arguments, const char* one, const char* other, const char* why) {
    if (arguments.given(one) && !arguments.given(other))
        throw InputError(fmt::format("--{} needs --{}: {}", one, other, why));
}

void check_passes(const Arguments& arguments) {
    refuse_both(arguments, "two-pass", "pass", "--two-pass makes both passes itself");
    refuse_both(arguments, "two-pass", "stats", "--two-pass leaves no file");
    require(arguments, "two-pass", "bitrate", "a second pass shares out the bits of a rate");
    require(arguments, "pass", "stats", "a pass leaves its log there or finds it");
    require(arguments, "stats", "pass", "it is the log of a pass; the table of a row a picture is --csv FILE");
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
    options.settings.rate.is_followed = pass == "1";
    if (options.reads_pass && !arguments.given("bitrate"))
        throw InputError(fmt::format("--pass {} needs --bitrate: it shares out the bits of a rate", pass));
}

} // namespace

void fill_rate(const Arguments& arguments, EncodeOptions& options) {
    const GivenSettings given = given_settings(arguments);
    settle_rates(given, options.settings);
    options.chosen = chosen_options(given);
    check_passes(arguments);
    if (arguments.given("zones")) options.settings.rate.zones = parse_zones(arguments.text("zones"));
    options.qpfile = arguments.text("qpfile");
    fill_passes(arguments, options);
}

} // namespace tandem
