// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/encode_options.h"

#include "app/encode/matrix_file.h"
#include "app/file_clash.h"
#include "app/options/setting_options.h"
#include "encoder/setting_rows.h"
#include "files/file_name.h"
#include "machine/errors.h"

namespace tandem {
namespace {

void check_files(const EncodeOptions& options) {
    refuse_shared_files({{"the input", options.input, false},
                         {"--matrix", options.matrix, false},
                         {"--output", options.output, true},
                         {"--recon", options.recon, true},
                         {"--stats", options.stats, true},
                         {"--report", options.report, true},
                         {"--trace", options.trace, true}});
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
    fill_settings(arguments, setting_rows(), options.settings);
    options.input = arguments.positional();
    options.output = arguments.text("output");
    if (!arguments.given("codec") && lower_case_extension(options.output) == ".m1v")
        options.settings.codec = Codec::mpeg1;
    if (arguments.given("input-res")) options.source.input_res = arguments.size("input-res");
    if (arguments.given("fps")) options.source.frame_rate = arguments.ratio("fps");
    options.seek = arguments.integer("seek");
    if (arguments.given("frames")) options.frames = arguments.integer("frames");
    options.matrix = arguments.text("matrix");
    options.recon = arguments.text("recon");
    options.stats = arguments.text("stats");
    options.report = arguments.text("report");
    options.trace = arguments.text("trace");
    options.psnr = arguments.given("psnr");
    options.ssim = arguments.given("ssim");
    options.verify = arguments.given("verify");
    // A row of --stats and a --report are there to be read by programs: they are always complete.
    if (!options.stats.empty() || !options.report.empty()) options.psnr = options.ssim = true;
    fill_devices(arguments, options);
    options.simd = simd_level_by_name(arguments.text("simd"));
    check_files(options);
    if (!options.matrix.empty()) {
        const MatrixFile matrices = read_matrix_file(options.matrix);
        options.settings.intra_matrix = matrices.intra;
        options.settings.non_intra_matrix = matrices.non_intra;
    }
    return options;
}

Verbosity verbosity_of(const Arguments& arguments) {
    if (arguments.given("quiet") && arguments.given("verbose"))
        throw InputError("--quiet and --verbose exclude each other");
    if (arguments.given("quiet")) return Verbosity::quiet;
    return arguments.given("verbose") ? Verbosity::verbose : Verbosity::normal;
}

} // namespace tandem
