// SPDX-License-Identifier: BSD-2-Clause
// Tandem's own encoder as a StreamEncoder.
#include <mutex>

#include "app/compare/encoders/stream_encoder.h"
#include "app/encode/records/picture_record.h"
#include "encoder/encoder.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {
namespace {

class TandemStream final : public StreamEncoder {
  public:
    TandemStream(const Settings& settings, const VideoFormat& format, const DeviceChoice& device)
        : needs_gpu_(device.gpus_are_required), threads_(threads_or_all(settings.threads)), pool_(threads_),
          motion_(open_devices(device), make_cpu_estimator(pool_, rank_of_searches), options_for(device)),
          encoder_(settings, format, motion_, pool_, [this](const EncodedPicture& picture) { take(picture); }) {
        stream_.codec = codec_row(settings.codec).libavcodec;
    }

    void push(const Frame& picture) override { encoder_.push(picture); }

    CodedStream finish() override {
        const std::vector<std::uint8_t> trailer = encoder_.finish();
        stream_.bytes.insert(stream_.bytes.end(), trailer.begin(), trailer.end());
        stream_.motion_on = totals_.device;
        const std::lock_guard lock(mutex_);
        if (needs_gpu_ && !warning_.empty()) throw RunError(warning_);
        return std::move(stream_);
    }

  private:
    CoprocessorOptions options_for(const DeviceChoice& device) {
        CoprocessorOptions options;
        options.fallback_shares = device.cpu_shares;
        options.on_warning = [this](const std::string& warning) {
            const std::lock_guard lock(mutex_);
            warning_ = warning;
        };
        return options;
    }

    void take(const EncodedPicture& picture) {
        stream_.bytes.insert(stream_.bytes.end(), picture.bytes.begin(), picture.bytes.end());
        stream_.pictures.push_back({picture.stats.display_index, picture.bytes.size()});
        stream_.motion_seconds += static_cast<double>(picture.stats.motion_us) / 1e6;
        totals_.add({picture.stats, std::nullopt, std::nullopt});
    }

    bool needs_gpu_;
    int threads_;
    CodedStream stream_;
    Totals totals_;
    std::mutex mutex_; ///< Of warning_, which motion's threads write.
    std::string warning_;
    TaskPool pool_;
    Coprocessor motion_;
    Encoder encoder_;
};

} // namespace

std::unique_ptr<StreamEncoder> make_tandem_encoder(const Settings& settings, const VideoFormat& format,
                                                   const DeviceChoice& device) {
    return std::make_unique<TandemStream>(settings, format, device);
}

} // namespace tandem
