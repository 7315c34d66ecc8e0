// SPDX-License-Identifier: BSD-2-Clause
// Everything that one encode writes.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "app/encode/encode_options.h"
#include "app/encode/rate/pass_file.h"
#include "app/encode/records/decisions_file.h"
#include "app/encode/records/display_order.h"
#include "app/encode/records/picture_record.h"
#include "app/encode/records/report.h"
#include "app/encode/records/stats_file.h"
#include "app/encode/records/verify.h"
#include "encoder/encoder.h"
#include "files/atomic_file.h"
#include "machine/trace.h"
#include "video/frame_sink.h"
#include "video/open_packet_sink.h"

namespace tandem {

/// Takes coded pictures and hands them to the files and checks that were asked for. Files appear under their names in
/// finish(); when that is not reached, what was there before stays.
class EncodeOutputs {
  public:
    /// Opens all files, so that a name that cannot be written is known before anything is coded.
    /// `rate` is for containers. `rest`: what a container gets
    /// from the input beside the pictures.
    /// `trace`: what --trace writes, as it comes; not owned, may be null.
    EncodeOutputs(const EncodeOptions& options, const VideoFormat& format, const CarriedRate& rate,
                  const CopiedRest& rest, Trace* trace);
    /// Before the first picture.
    void begin(const Encoder& encoder);
    /// In coding order.
    void write(const EncodedPicture& picture);
    /// `trailer` ends the stream.
    void finish(std::span<const std::uint8_t> trailer, bool interrupted);
    const Totals& totals() const { return totals_; }
    /// What of the input could not be copied; empty: nothing.
    std::string note() const { return stream_->note(); }

  private:
    using Clock = std::chrono::steady_clock;
    void show_picture(const FramePtr& reconstruction);
    void measure(const EncodedPicture& picture);

    const EncodeOptions& options_;
    const VideoFormat& format_;
    std::unique_ptr<PacketSink> stream_;
    std::unique_ptr<FrameSink> recon_;
    std::optional<StatsFile> csv_;
    std::optional<PassFile> pass_;
    std::optional<DecisionsFile> decisions_;
    std::optional<AtomicFile> report_, trace_file_;
    Trace* trace_;
    std::optional<Verifier> verifier_;
    DisplayOrder display_order_;
    Totals totals_;
    Clock::time_point start_ = Clock::now();
};

} // namespace tandem
