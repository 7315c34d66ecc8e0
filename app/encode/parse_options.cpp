// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/parse_options.h"

#include "app/encode/matrix_file.h"
#include "app/encode/preset_option.h"
#include "app/encode/rate/rate_files.h"
#include "app/encode/rate/rate_options.h"
#include "app/file_clash.h"
#include "app/options/input_names.h"
#include "app/options/numbers.h"
#include "encoder/mpeg/frame_rate_codes.h"
#include "encoder/mpeg/sequence.h"
#include "encoder/settings/colour_names.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "video/open_packet_sink.h"

namespace tandem {
namespace {

constexpr std::int64_t largest_seek = 1000000000; // Pictures.

void check_files(const EncodeOptions& options) {
    refuse_shared_files({{"the input", options.input, false},
                         {"--matrix", options.matrix, false},
                         {"--output", options.output, true},
                         {"--recon", options.recon, true},
                         {"--csv", options.csv, true},
                         {"--stats", options.pass_log, options.writes_pass},
                         {"--qpfile", options.qpfile, false},
                         {"--report", options.report, true},
                         {"--trace", options.trace, true},
                         {"--decisions", options.decisions, true}});
}

void fill_part(const Arguments& arguments, PartOfClip& part) {
    const ClipPlace place = parse_place("--seek", arguments.text("seek"), largest_seek);
    part.skipped = place.pictures;
    part.skipped_seconds = place.seconds;
    if (arguments.given("frames")) part.most = arguments.integer("frames");
    if (!arguments.given("duration")) return;
    part.most_seconds = parse_time("--duration", arguments.text("duration"));
    if (*part.most_seconds <= 0) throw InputError("--duration 0: there is nothing to code");
}

void fill_declared(const Arguments& arguments, DeclaredFormat& declared) {
    if (arguments.given("sar") && arguments.given("aspect"))
        throw InputError("--sar and --aspect say the same in two ways; one of them is enough");
    if (arguments.given("sar")) declared.sample_aspect = parse_aspect("--sar", arguments.text("sar"));
    if (arguments.given("aspect")) declared.display_aspect = parse_aspect("--aspect", arguments.text("aspect"));
    declared.primaries = value_named(primaries_names, arguments.text("colorprim"));
    declared.transfer = value_named(transfer_names, arguments.text("transfer"));
    declared.matrix = value_named(matrix_names, arguments.text("colormatrix"));
}

void fill_input(const Arguments& arguments, EncodeOptions& options) {
    SourceOptions& source = options.source;
    if (arguments.given("input-res")) source.input_res = arguments.size("input-res");
    if (arguments.given("assume-fps")) source.frame_rate = arguments.ratio("assume-fps");
    if (arguments.given("fps")) source.resampled_rate = arguments.ratio("fps");
    source.codable_rate = [codec = options.settings.codec](Rational rate, bool is_of_container) {
        return codable_rate(codec, rate, is_of_container);
    };
    source.even = true;
    source.full_range = value_named(range_names, arguments.text("range"));
    source.filters = arguments.text("filter");
    if (!value_named(interlaced_names, arguments.text("interlaced")).value())
        source.interlaced = Interlaced::deinterlaced;
    // Where the user says how fast the pictures come, sound cannot be in step with them.
    source.rest_is_copied = is_container_name(options.output) && !source.frame_rate;
    source.turned = !container_says_rotation(options.output);
    options.sound =
        !arguments.given("no-audio") && value_named(audio_codec_names, arguments.text("audio-codec")).value();
    fill_part(arguments, options.part);
    fill_declared(arguments, options.declared);
}

void fill_devices(const Arguments& arguments, EncodeOptions& options) {
    options.device = parse_device(arguments.text("device"));
    options.split = value_named(split_names, arguments.text("split")).value();
    options.verify_gpu = arguments.given("verify-gpu");
    if (!options.verify_gpu) return;
    if (options.settings.search.algorithm == Algorithm::phase) {
        throw InputError("--verify-gpu compares bit for bit, and --me poc is the search that a GPU does not repeat so: "
                         "its Fourier transforms round in another order");
    }
    if (!options.device.gpus) throw InputError("--verify-gpu needs a GPU, and --device cpu asks for none");
    options.device.gpus_are_required = true;
}

} // namespace

EncodeOptions encode_options(const Arguments& arguments) {
    EncodeOptions options;
    options.settings = chosen_settings(arguments);
    options.input = arguments.positional();
    options.output = arguments.text("output");
    if (!arguments.given("codec") && lower_case_extension(options.output) == ".m1v")
        options.settings.codec = Codec::mpeg1;
    fill_input(arguments, options);
    options.matrix = arguments.text("matrix");
    options.recon = arguments.text("recon");
    options.csv = arguments.text("csv");
    options.report = arguments.text("report");
    options.trace = arguments.text("trace");
    options.decisions = arguments.text("decisions");
    options.psnr = arguments.given("psnr");
    options.ssim = arguments.given("ssim");
    options.verify = arguments.given("verify");
    // A row of --csv and a --report are there to be read by programs: they are always complete.
    if (!options.csv.empty() || !options.report.empty()) options.psnr = options.ssim = true;
    fill_devices(arguments, options);
    fill_rate(arguments, options);
    options.simd = simd_level_by_name(arguments.text("simd"));
    check_files(options);
    if (arguments.given("cqm") && !options.matrix.empty())
        throw InputError("--cqm and --matrix exclude each other: both say what the intra matrix is");
    if (arguments.text("cqm") == "mpeg") options.settings.intra_matrix = default_intra_matrix();
    if (!options.matrix.empty()) {
        const MatrixFile matrices = read_matrix_file(options.matrix);
        options.settings.intra_matrix = matrices.intra;
        options.settings.non_intra_matrix = matrices.non_intra;
    }
    if (!options.qpfile.empty()) options.settings.rate.given = read_quantiser_file(options.qpfile);
    return options;
}

Verbosity verbosity_of(const Arguments& arguments) {
    if (arguments.given("quiet") && arguments.given("verbose"))
        throw InputError("--quiet and --verbose exclude each other");
    if (arguments.given("quiet")) return Verbosity::quiet;
    return arguments.given("verbose") ? Verbosity::verbose : Verbosity::normal;
}

} // namespace tandem
