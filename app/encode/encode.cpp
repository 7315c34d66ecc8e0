// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/encode.h"

#include <spdlog/spdlog.h>

#include "app/device_choice.h"
#include "app/encode/declared_rate.h"
#include "app/encode/encode_options.h"
#include "app/encode/encode_outputs.h"
#include "app/encode/gpu_audit.h"
#include "app/encode/progress.h"
#include "app/frame_reader.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "encoder/motion_ahead.h"
#include "files/file_name.h"
#include "machine/task_pool.h"
#include "machine/workers.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {
namespace {

void summarise(const EncodeOptions& options, const VideoFormat& format, const Totals& totals) {
    spdlog::info("{}: {} {} ({} I, {} P, {} B), {} bytes, {:.1f} kbit/s", options.output, totals.pictures,
                 totals.pictures == 1 ? "frame" : "frames", totals.by_type[0], totals.by_type[1], totals.by_type[2],
                 totals.bytes, totals.bitrate_kbps(format.frame_rate));
    std::string quality;
    if (options.psnr) {
        quality = fmt::format("PSNR Y {} U {} V {} dB", decibel_text(totals.errors.psnr(0), 2),
                              decibel_text(totals.errors.psnr(1), 2), decibel_text(totals.errors.psnr(2), 2));
    }
    if (options.ssim) {
        quality += quality.empty() ? "" : ", ";
        quality += fmt::format("SSIM Y {:.4f}", totals.ssim_sum / static_cast<double>(totals.pictures));
    }
    if (!quality.empty()) spdlog::info("{}", quality);
    spdlog::info("{:.1f} frames/s, {:.2f} s", totals.pictures_per_second(), totals.seconds);
}

void warn_of_extension(const EncodeOptions& options) {
    const CodecRow& codec = codec_row(options.settings.codec);
    const std::string extension = lower_case_extension(options.output);
    if (const CodecRow* named = codec_by_extension(extension); named != nullptr && named->codec != codec.codec)
        spdlog::warn("warning: {} gets {}, as --codec says", options.output, codec.title);
    if (codec.private_in_blu_ray && extension == ".m2ts")
        spdlog::warn("warning: {}: {} is private data in an .m2ts, which some players leave out; .ts says what it is",
                     options.output, codec.title);
}

CoprocessorOptions audited_options(const EncodeOptions& options, GpuAudit* audit, Trace* trace) {
    CoprocessorOptions made = coprocessor_options(options.device, options.split, trace);
    if (audit != nullptr) {
        made.audit = [audit](const MotionRequest& request, std::int64_t picture, const MotionField& field,
                             const std::string& backend) { audit->compare(request, picture, field, backend); };
    }
    return made;
}

void say_what_was_compared(const GpuAudit& audit) {
    if (audit.fields() == 0)
        spdlog::warn("warning: --verify-gpu compared nothing: no GPU searched");
    else
        spdlog::info("--verify-gpu: {} searches on GPUs gave what the CPU gives", audit.fields());
}

/// Codes all that the reader gives and says how that went. The number of pictures.
std::int64_t encode_pictures(const EncodeOptions& options, FrameReader& reader, Trace* trace) {
    const int threads = threads_or_all(options.settings.threads);
    std::optional<GpuAudit> audit;
    if (options.verify_gpu) audit.emplace(threads);
    std::vector<std::unique_ptr<Estimator>> devices = open_devices(options.device);
    say_if_left_to_the_cpu(options.device, devices,
                           search_params(options.settings, PictureType::predicted, largest_distance(options.settings)));
    TaskPool pool(threads);
    Coprocessor motion(std::move(devices), make_cpu_estimator(pool, rank_of_searches),
                       audited_options(options, audit ? &*audit : nullptr, trace));
    // Opened after the encoder has found the settings good, so that nothing is touched before.
    std::optional<EncodeOutputs> outputs;
    std::optional<DeclaredRate> rate;
    std::optional<Progress> progress;
    const auto take = [&](const EncodedPicture& picture) {
        outputs->write(picture);
        rate->add(picture.bytes.size(), picture.stats.display_index);
        progress->update(outputs->totals().pictures, outputs->totals().bytes);
    };
    Encoder encoder(options.settings, reader.format(), motion, pool, take, trace);
    for (const std::string& note : encoder.notes())
        spdlog::warn("warning: {}", note);
    rate.emplace(encoder.promise(), reader.format().frame_rate);
    outputs.emplace(options, reader.format());
    progress.emplace(terminal_shows_status() && spdlog::should_log(spdlog::level::info), reader.frame_count(),
                     reader.format().frame_rate);
    while (auto frame = reader.read())
        encoder.push(std::move(frame));
    const std::vector<std::uint8_t> trailer = encoder.finish();
    progress.reset();
    if (outputs->totals().pictures == 0) return 0;
    outputs->finish(trailer, trace, interrupted());
    summarise(options, reader.format(), outputs->totals());
    if (const std::string warning = rate->warning(); !warning.empty()) spdlog::warn("warning: {}", warning);
    if (audit) say_what_was_compared(*audit);
    return outputs->totals().pictures;
}

} // namespace

int run_encode(const Arguments& arguments) {
    const EncodeOptions options = encode_options(arguments);
    if (options.simd) set_simd_level(*options.simd);
    warn_of_extension(options);
    spdlog::debug("reading {}", options.input);
    FrameReader reader(options.input, options.source, options.seek, options.frames);
    std::int64_t pictures = 0;
    if (reader.start()) {
        const std::string note = reader.conversion_note();
        if (!note.empty()) spdlog::warn("warning: {}: {}", options.input, note);
        if (const std::string& lost = reader.format().colours_without_code; !lost.empty())
            spdlog::warn("warning: {}: MPEG video has no code for its colours ({}), which become \"unspecified\"",
                         options.input, lost);
        spdlog::debug("settings: {}", settings_text(options.settings));
        std::optional<Trace> trace;
        if (!options.trace.empty()) trace.emplace();
        pictures = encode_pictures(options, reader, trace ? &*trace : nullptr);
        if (const std::string more = late_part(note, reader.conversion_note()); !more.empty())
            spdlog::warn("warning: {}: {}", options.input, more);
    }
    if (!interrupted()) return 0;
    if (pictures == 0)
        spdlog::warn("interrupted before the first picture; nothing is written");
    else
        spdlog::warn("interrupted; {} holds the pictures coded so far", options.output);
    return interrupted_exit_code();
}

} // namespace tandem
