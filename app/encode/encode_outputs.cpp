// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/encode_outputs.h"

#include <stdexcept>

#include <spdlog/spdlog.h>

namespace tandem {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void log_picture(const PictureRecord& record) {
    if (!spdlog::should_log(spdlog::level::debug)) return;
    const PictureStats& stats = record.stats;
    std::string line =
        fmt::format("picture {} {} qp {} {} bytes", stats.display_index, letter_of(stats.type), stats.qp, stats.bytes);
    if (record.errors) line += fmt::format(" PSNR {} dB", decibel_text(record.errors->psnr(0), 2));
    spdlog::debug("{}", line);
}

} // namespace

EncodeOutputs::EncodeOutputs(const EncodeOptions& options, const VideoFormat& format, const CarriedRate& rate,
                             const CopiedRest& rest, Trace* trace)
    : options_(options), format_(format), trace_(trace),
      display_order_([this](const FramePtr& frame) { show_picture(frame); }) {
    if (options.verify) verifier_.emplace(options.settings.codec, format.width, format.height);
    if (!options.recon.empty()) recon_ = open_frame_sink(options.recon, format);
    if (!options.csv.empty()) csv_.emplace(options.csv);
    if (!options.decisions.empty()) decisions_.emplace(options.decisions);
    if (options.writes_pass) pass_.emplace(options.pass_log, options.settings, format);
    if (!options.report.empty()) report_.emplace(options.report);
    if (trace_ != nullptr) trace_file_.emplace(options.trace);
    stream_ = open_packet_sink(options.output, options.settings.codec, format, rate, rest);
}

void EncodeOutputs::begin(const Encoder& encoder) {
    if (decisions_) decisions_->begin(options_.settings, format_, encoder);
}

void EncodeOutputs::show_picture(const FramePtr& reconstruction) {
    if (recon_) recon_->write(*reconstruction);
    if (verifier_) verifier_->push_reconstruction(reconstruction);
}

void EncodeOutputs::write(const EncodedPicture& picture) {
    stream_->write({picture.bytes, picture.stats.display_index, picture.stats.coding_index, picture.key});
    const Clock::time_point begin = Clock::now();
    measure(picture);
    if (trace_file_) trace_file_->write(trace_->take());
    totals_.measuring_seconds += seconds_since(begin);
}

void EncodeOutputs::measure(const EncodedPicture& picture) {
    const PictureRecord record = measure_picture(picture, format_.width, format_.height, options_.psnr, options_.ssim);
    totals_.add(record);
    log_picture(record);
    if (csv_) csv_->write(record);
    if (pass_) pass_->write(record.stats);
    if (decisions_) decisions_->write(picture.decisions);
    if (!recon_ && !verifier_) return;
    display_order_.push(picture.stats.display_index, picture.reconstruction);
    if (verifier_) verifier_->push_stream(picture.bytes);
}

void EncodeOutputs::finish(std::span<const std::uint8_t> trailer, bool interrupted) {
    if (display_order_.held() > 0 && !interrupted) throw std::logic_error("the encoder left out a picture");
    // B pictures that were not coded any more are no pictures to wait for.
    display_order_.flush();
    totals_.bytes += trailer.size();
    totals_.seconds = seconds_since(start_);
    std::optional<VerifiedPictures> verified;
    if (verifier_) {
        verifier_->push_stream(trailer);
        verifier_->finish();
        verified = {verifier_->pictures(), verifier_->total_psnr(), verifier_->worst_psnr()};
        spdlog::info("verified: {} pictures decode as reconstructed, {} dB, the worst {} dB", verified->pictures,
                     decibel_text(verified->total_psnr, 1), decibel_text(verified->worst_psnr, 1));
    }
    if (trace_file_) trace_file_->write(trace_->end());
    if (report_) report_->write(report_text({options_, format_, totals_, interrupted, verified}));
    if (interrupted) stream_->end_with_pictures();
    // All are complete before the first has its name.
    stream_->end(trailer);
    const auto of_all = [this](const auto& each) {
        if (recon_) each(*recon_);
        if (csv_) each(*csv_);
        if (decisions_) each(*decisions_);
        if (pass_) each(*pass_);
        if (trace_file_) each(*trace_file_);
        if (report_) each(*report_);
    };
    of_all([](auto& file) { file.close(); });
    of_all([](auto& file) { file.finish(); });
    stream_->appear();
}

} // namespace tandem
