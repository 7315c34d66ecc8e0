// SPDX-License-Identifier: BSD-2-Clause
// Where coded pictures go.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace tandem {

/// One coded picture with the headers before it, in coding order.
struct Packet {
    std::span<const std::uint8_t> bytes; ///< Not owned; valid during the call.
    std::int64_t display_index = 0;      ///< Position in display order, from 0: pts = display_index / frame rate.
    std::int64_t coding_index = 0;       ///< Position in coding order, from 0.
    bool key = false;                    ///< An I picture with its sequence and group headers.
};

/// What the muxers of program and transport streams have to know of the pictures.
struct CarriedRate {
    int kbps = 0;                 ///< At most, which the stream is held to; 0: none is known.
    std::int64_t buffer_bits = 0; ///< Of the decoder's buffer, which it never underflows; 0: nobody promises that.
    bool constant = false;        ///< The rate is always `kbps`.
    /// The kind that a .mpg or .vob has to be: libavformat's "vcd", "svcd" or "dvd"; null: as the codec has it.
    const char* program_stream = nullptr;
};

///     const std::unique_ptr<PacketSink> sink = open_packet_sink("clip.m2v", Codec::mpeg2, format);
///     sink->write({bytes, display_index, coding_index, key}); // each picture
///     sink->finish(encoder.finish());                         // now clip.m2v is there
///
/// Takes packets in coding order. Nothing is seen under the target's name before appear(): a file is written
/// beside it and renamed. A sink destroyed without that removes what it wrote. Every write is checked:
/// RunError names the file and the system's reason.
class PacketSink {
  public:
    virtual ~PacketSink() = default;
    virtual void write(const Packet& packet) = 0;
    /// `trailer`: bytes that belong after the last picture (the sequence end code). All is written then, and checked.
    virtual void end(std::span<const std::uint8_t> trailer) = 0;
    /// What is copied beside the pictures ends where they end (after an interrupt).
    virtual void end_with_pictures() {}
    /// What of the source could not be copied, for the user; empty: nothing.
    virtual std::string note() const { return {}; }
    /// After end(): the file gets its name.
    virtual void appear() = 0;
    /// Both.
    void finish(std::span<const std::uint8_t> trailer) {
        end(trailer);
        appear();
    }
};

} // namespace tandem
