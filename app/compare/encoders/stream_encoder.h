// SPDX-License-Identifier: BSD-2-Clause
// One face for all encoders that tandem compare runs in this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/compare/encoders/peer.h"
#include "app/devices/device_choice.h"
#include "encoder/settings.h"
#include "video/frame.h"

namespace tandem {

/// An elementary stream and what its encoder said of it.
struct CodedStream {
    struct Picture {
        std::int64_t display_index = 0;
        std::uint64_t bytes = 0;
    };
    std::vector<std::uint8_t> bytes;
    std::string codec;             ///< As libavcodec names it: "mpeg2video", "h264".
    std::vector<Picture> pictures; ///< In coding order; empty where it is not known.
    double motion_seconds = 0;     ///< Tandem: busy time of the estimators.
    std::string motion_on;         ///< Tandem: the backends that searched.
};

/// Pictures in, a stream out. One thread calls; not reusable after finish().
class StreamEncoder {
  public:
    virtual ~StreamEncoder() = default;
    /// In display order, of the format's size.
    virtual void push(const Frame& picture) = 0;
    virtual CodedStream finish() = 0;
};

/// Tandem with its coprocessor. A GPU that fails is a RunError here: its figures would be the CPU's.
std::unique_ptr<StreamEncoder> make_tandem_encoder(const Settings& settings, const VideoFormat& format,
                                                   const DeviceChoice& device);

/// What the point asks of a peer.
struct PeerSettings {
    PointTarget target{8, 0};
    int keyint = 12;
    int bframes = 0; ///< For MPEG encoders; others keep what their preset says unless the peer's options name it.
    int threads = 1;
    int vbv_kbps = 0, vbv_kbit = 0; ///< A decoder's buffer, at rates; 0: none.
};

/// An encoder of libavcodec. Throws InputError for options that it does not take or a quantiser that is not to be set.
std::unique_ptr<StreamEncoder> make_library_encoder(const Peer& peer, const PeerSettings& settings,
                                                    const VideoFormat& format);
/// Whether libavcodec has it.
bool library_has_encoder(const std::string& name);
/// Whether it follows PeerSettings::bframes: an MPEG encoder of libavcodec.
bool takes_bframes(const Peer& peer);

} // namespace tandem
