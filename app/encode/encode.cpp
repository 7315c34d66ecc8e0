// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/encode.h"

#include <spdlog/spdlog.h>

#include "app/encode/encode_devices.h"
#include "app/encode/encode_outputs.h"
#include "app/encode/parse_options.h"
#include "app/encode/rate/compatibility_check.h"
#include "app/encode/rate/declared_rate.h"
#include "app/encode/rate/pass_file.h"
#include "app/encode/records/gpu_audit.h"
#include "app/encode/records/progress.h"
#include "app/frame_reader.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "app/options/unused_options.h"
#include "files/atomic_file.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/task_pool.h"
#include "machine/threads.h"
#include "me/search.h"
#include "video/open_packet_sink.h"

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

void warn_of_range(const EncodeOptions& options, const VideoFormat& format) {
    if (!format.full_range || container_says_range(options.output, format.colour)) return;
    spdlog::warn("warning: {}: luma of 0 to 255 is said nowhere, and players take it for 16 to 235: MPEG video has no "
                 "code for it; .mkv says it, and .mp4 beside --colorprim, --transfer and --colormatrix",
                 options.output);
}

void say_what_was_compared(const GpuAudit& audit) {
    if (audit.fields() == 0)
        spdlog::warn("warning: --verify-gpu compared nothing: no GPU searched");
    else
        spdlog::info("--verify-gpu: {} searches on GPUs gave what the CPU gives", audit.fields());
}

/// What a container gets from a file that libavformat opened.
CopiedRest rest_of(const EncodeOptions& options, const FrameReader& reader) {
    const auto beginning = reader.beginning();
    if (!options.source.rest_is_copied || !beginning) return {};
    CopiedRest rest;
    rest.path = options.input;
    rest.sound = options.sound;
    rest.rotation = reader.format().rotation != 0;
    rest.begin = *beginning;
    rest.from_beginning = options.part.skipped == 0 && options.part.skipped_seconds == 0;
    rest.to_end = !options.part.most && !options.part.most_seconds;
    return rest;
}

/// What ends the stream. After an interrupt the pictures that a long search holds up are not coded.
std::vector<std::uint8_t> code_all(FrameReader& reader, Encoder& encoder) {
    try {
        while (auto frame = reader.read())
            encoder.push(std::move(frame));
        return encoder.finish();
    } catch (const OutputAbandoned&) {
        throw;
    } catch (const Interrupted&) {
        return {0x00, 0x00, 0x01, 0xB7}; // sequence_end_code
    }
}

/// What a container may rely on.
CarriedRate carried_rate(const Settings& settings, const VideoFormat& format, const StreamPromise& promise) {
    const CompatibilityRow* standard = compatibility_row(settings, format);
    CarriedRate rate;
    rate.kbps = settings.max_bitrate_kbps;
    if (standard != nullptr) rate.program_stream = standard->program_stream;
    if (settings.rate.vbv_bits <= 0) return rate;
    rate.kbps = static_cast<int>((promise.bits_per_second + 999) / 1000);
    rate.buffer_bits = promise.buffer_bits;
    rate.constant = settings.rate.constant;
    return rate;
}

std::optional<CompatibilityCheck> compatibility_check(const Settings& settings, const VideoFormat& format) {
    const CompatibilityRow* standard = compatibility_row(settings, format);
    if (standard == nullptr) return std::nullopt;
    return CompatibilityCheck(*standard, format.frame_rate, settings.rate.vbv_initial);
}

/// A stream with a buffer keeps to it; others only say how they stand to what they declare.
void warn_of_rate(const Encoder& encoder, const DeclaredRate& rate, bool has_buffer) {
    const std::string warning = has_buffer ? std::string() : rate.warning();
    if (!warning.empty()) spdlog::warn("warning: {}", warning);
    if (encoder.underflows() > 0)
        spdlog::warn("warning: {} pictures underflow the buffer at the coarsest quantiser", encoder.underflows());
}

void say_the_miss(const RateSettings& rate, double kbps) {
    if (rate.mode() != RateMode::average) return;
    const double miss = 100 * (kbps * 1000 / rate.bits_per_second - 1);
    spdlog::info("{:+.2f} % of --bitrate {}", miss, rate.bits_per_second / 1000);
}

/// The first of two passes, of which nothing is written, so that it need not meet the rate. Its pictures; fewer than
/// all after an interrupt.
std::vector<PassRecord> first_pass(EncodeOptions& options) {
    FrameReader reader(options.input, options.source, options.part, options.declared);
    std::vector<PassRecord> pictures;
    if (!reader.start()) return pictures;
    fit_to_standard(options.chosen, reader.format(), options.settings);
    const int threads = threads_or_all(options.settings.threads);
    TaskPool pool(threads);
    EncodeDevices devices(options, pool, nullptr, nullptr);
    Settings settings = options.settings;
    settings.rate.is_followed = true;
    Progress progress(terminal_shows_status() && spdlog::should_log(spdlog::level::info), reader.frame_count(),
                      reader.format().frame_rate, "pass 1 of 2: ");
    std::uint64_t bytes = 0;
    const auto take = [&](const EncodedPicture& picture) {
        pictures.push_back(pass_record_of(picture.stats));
        bytes += picture.bytes.size();
        progress.update(static_cast<std::int64_t>(pictures.size()), bytes);
    };
    Encoder encoder(settings, reader.format(), devices.motion(), pool, take, nullptr, devices.coding());
    code_all(reader, encoder);
    const double seconds = static_cast<double>(pictures.size()) / reader.format().frame_rate.value();
    spdlog::info("pass 1 of 2: {} frames, {:.1f} kbit/s", pictures.size(),
                 static_cast<double>(bytes) * 8 / 1000 / seconds);
    return pictures;
}

/// Codes all that the reader gives and says how that went. The number of pictures.
std::int64_t encode_pictures(const EncodeOptions& options, FrameReader& reader, Trace* trace) {
    const int threads = threads_or_all(options.settings.threads);
    std::optional<GpuAudit> audit;
    if (options.verify_gpu) audit.emplace(threads);
    TaskPool pool(threads);
    EncodeDevices devices(options, pool, audit ? &*audit : nullptr, trace);
    // Opened after the encoder has found the settings good, so that nothing is touched before.
    std::optional<EncodeOutputs> outputs;
    std::optional<DeclaredRate> rate;
    std::optional<Progress> progress;
    std::optional<CompatibilityCheck> check = compatibility_check(options.settings, reader.format());
    const auto take = [&](const EncodedPicture& picture) {
        if (check) check->add(picture.bytes, picture.stats.display_index);
        outputs->write(picture);
        rate->add(picture.bytes.size(), picture.stats.display_index);
        progress->update(outputs->totals().pictures, outputs->totals().bytes);
    };
    Encoder encoder(options.settings, reader.format(), devices.motion(), pool, take, trace, devices.coding());
    for (const std::string& note : encoder.notes())
        spdlog::warn("warning: {}", note);
    rate.emplace(encoder.promise(), reader.format().frame_rate);
    outputs.emplace(options, reader.format(), carried_rate(options.settings, reader.format(), encoder.promise()),
                    rest_of(options, reader), trace);
    outputs->begin(encoder);
    if (const std::string note = outputs->note(); !note.empty()) spdlog::warn("warning: {}: {}", options.output, note);
    progress.emplace(terminal_shows_status() && spdlog::should_log(spdlog::level::info), reader.frame_count(),
                     reader.format().frame_rate, options.two_passes ? "pass 2 of 2: " : "");
    const std::vector<std::uint8_t> trailer = code_all(reader, encoder);
    progress.reset();
    if (outputs->totals().pictures == 0) return 0;
    outputs->finish(trailer, interrupted());
    summarise(options, reader.format(), outputs->totals());
    say_the_miss(options.settings.rate, outputs->totals().bitrate_kbps(reader.format().frame_rate));
    warn_of_rate(encoder, *rate, options.settings.rate.vbv_bits > 0);
    if (audit) say_what_was_compared(*audit);
    return outputs->totals().pictures;
}

} // namespace

int run_encode(const Arguments& arguments) {
    EncodeOptions options = encode_options(arguments);
    if (options.simd) set_simd_level(*options.simd);
    warn_of_extension(options);
    const std::string_view search = search_row(options.settings.search.algorithm).name;
    if (const std::string unused = unused_search_options(arguments, search); !unused.empty())
        spdlog::warn("warning: the search {} has no use for what is given: {}", search, unused);
    if (options.two_passes) options.settings.rate.before = first_pass(options);
    options.settings.keeps_decisions = !options.decisions.empty();
    if (interrupted()) {
        spdlog::warn("interrupted before the second pass; nothing is written");
        return interrupted_exit_code();
    }
    spdlog::debug("reading {}", options.input);
    FrameReader reader(options.input, options.source, options.part, options.declared);
    std::int64_t pictures = 0;
    bool is_short = false;
    if (reader.start()) {
        const std::string note = reader.conversion_note();
        if (!note.empty()) spdlog::warn("warning: {}: {}", input_name(options.input), note);
        if (const std::string& lost = reader.format().colours_without_code; !lost.empty())
            spdlog::warn("warning: {}: MPEG video has no code for its colours ({}), which become \"unspecified\"",
                         input_name(options.input), lost);
        warn_of_range(options, reader.format());
        fit_to_standard(options.chosen, reader.format(), options.settings);
        spdlog::debug("settings: {}", settings_text(options.settings));
        if (options.reads_pass)
            options.settings.rate.before = read_pass_file(options.pass_log, options.settings, reader.format());
        std::optional<Trace> trace;
        if (!options.trace.empty()) trace.emplace();
        pictures = encode_pictures(options, reader, trace ? &*trace : nullptr);
        if (const std::string more = late_part(note, reader.conversion_note()); !more.empty())
            spdlog::warn("warning: {}: {}", input_name(options.input), more);
        const std::string shortfall = reader.shortfall();
        is_short = !shortfall.empty() && !interrupted();
        if (is_short)
            spdlog::error("{}: {}; {} holds what is there", input_name(options.input), shortfall, options.output);
    }
    if (!interrupted()) return is_short ? 1 : 0;
    if (pictures == 0)
        spdlog::warn("interrupted before the first picture; nothing is written");
    else
        spdlog::warn("interrupted; {} holds the pictures coded so far", options.output);
    return interrupted_exit_code();
}

} // namespace tandem
