// SPDX-License-Identifier: BSD-2-Clause
// What holds for all pictures of an encode: from the caller, or from a clip.
#include <cstddef>
#include <memory>
#include <new>
#include <numeric>
#include <string>

#include "c/c_encoder_handles.h"
#include "encoder/mpeg/frame_rate_codes.h"
#include "encoder/settings/colour_names.h"
#include "me/fields/formats.h"

namespace tandem {
namespace {

void check_side(const char* name, std::int32_t side) {
    if (side >= 1 && side <= largest_field_side) return;
    throw InputError(std::string(name) + ": " + std::to_string(side) + "; 1 to " + std::to_string(largest_field_side));
}

/// A fraction in the caller's words, in lowest terms.
Rational ratio_of(const char* name, std::int64_t numerator, std::int64_t denominator, std::int64_t least) {
    constexpr std::int64_t most = 1000000000;
    const bool is_good = numerator >= least && numerator <= most && denominator >= 1 && denominator <= most;
    if (!is_good)
        throw InputError(std::string(name) + ": " + std::to_string(numerator) + "/" + std::to_string(denominator) +
                         "; both parts are " + std::to_string(least) + " to " + std::to_string(most));
    const std::int64_t divisor = std::gcd(numerator, denominator);
    return {numerator / divisor, denominator / divisor};
}

void check_struct(const tandem_encoder_format* given) {
    if (given == nullptr) throw InputError("format: NULL");
    if (given->size != sizeof *given) // Of the first version; a longer one knows what this library does not.
        throw InputError("format: a struct of " + std::to_string(given->size) +
                         " bytes; tandem_encoder_format_defaults() sets its size, and this library knows " +
                         std::to_string(sizeof *given));
}

} // namespace

VideoFormat video_format_of(const tandem_encoder_format* caller) {
    check_struct(caller);
    const tandem_encoder_format& given = *caller;
    check_side("width", given.width);
    check_side("height", given.height);
    VideoFormat format;
    format.width = given.width;
    format.height = given.height;
    format.frame_rate = ratio_of("rate", given.rate_numerator, given.rate_denominator, 1);
    if (given.aspect_numerator != 0)
        format.sample_aspect = ratio_of("aspect", given.aspect_numerator, given.aspect_denominator, 1);
    format.colour = {given.colour_primaries, given.colour_transfer, given.colour_matrix};
    for (const int code : {format.colour.primaries, format.colour.transfer, format.colour.matrix})
        if (code < 1 || code > 255) throw InputError("colour: code point " + std::to_string(code) + "; 1 to 255");
    return format;
}

namespace {

std::int32_t colour_code(std::string_view option, std::string_view name) {
    if (option == "colorprim") return value_named(primaries_names, name).value_or(-1);
    if (option == "transfer") return value_named(transfer_names, name).value_or(-1);
    return option == "colormatrix" ? value_named(matrix_names, name).value_or(-1) : -1;
}

/// The caller's struct, with the size, rate, aspect and colours of `format`.
void fill(tandem_encoder_format& caller, const VideoFormat& format) {
    caller.width = format.width;
    caller.height = format.height;
    caller.rate_numerator = format.frame_rate.numerator;
    caller.rate_denominator = format.frame_rate.denominator;
    caller.aspect_numerator = format.sample_aspect.numerator;
    caller.aspect_denominator = format.sample_aspect.denominator;
    caller.colour_primaries = format.colour.primaries;
    caller.colour_transfer = format.colour.transfer;
    caller.colour_matrix = format.colour.matrix;
}

} // namespace
} // namespace tandem

int32_t tandem_colour_code(const char* option, const char* name) {
    return option != nullptr && name != nullptr ? tandem::colour_code(option, name) : -1;
}

void tandem_encoder_format_defaults(tandem_encoder_format* format) {
    if (format == nullptr) return;
    *format = {};
    format->size = sizeof *format;
    tandem::fill(*format, tandem::VideoFormat());
}

tandem_status tandem_clip_open_to_encode(const char* path, const tandem_encode_settings* settings, tandem_clip** clip) {
    if (clip == nullptr) return TANDEM_BAD_INPUT;
    *clip = new (std::nothrow) tandem_clip;
    if (*clip == nullptr) return TANDEM_FAILED;
    return tandem::guarded((*clip)->message, [&] {
        if (path == nullptr) throw tandem::InputError("path: NULL");
        const tandem::Codec codec = (settings != nullptr ? settings->given : tandem::GivenSettings()).settings().codec;
        tandem::SourceOptions options;
        options.even = true;
        options.codable_rate = [codec](tandem::Rational rate, bool is_of_container) {
            return tandem::codable_rate(codec, rate, is_of_container);
        };
        (*clip)->source = tandem::open_source(path, options);
    });
}

tandem_status tandem_clip_format(tandem_clip* clip, tandem_encoder_format* format) {
    if (clip == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(clip->message, [&] {
        if (format == nullptr) throw tandem::InputError("format: there is no place for it");
        if (!clip->source) throw tandem::InputError("this clip could not be opened");
        tandem::fill(*format, clip->source->format());
    });
}
