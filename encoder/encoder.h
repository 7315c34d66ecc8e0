// SPDX-License-Identifier: BSD-2-Clause
// Pictures in, packets out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "coding/coding_devices.h"
#include "encoder/picture_coder.h"
#include "encoder/pictures/picture_stats.h"
#include "encoder/settings.h"
#include "machine/threads.h"
#include "machine/trace.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

struct EncodedPicture {
    std::span<const std::uint8_t> bytes; ///< Valid during the callback.
    bool key = false;
    PictureStats stats;
    FramePtr source;         ///< As it came in, at coded size (multiples of 16).
    FramePtr reconstruction; ///< At coded size.
    /// With Settings::keeps_decisions: a record of Encoder::decision_columns(). Valid during the callback.
    std::span<const std::uint8_t> decisions;
};

/// The rank of motion searches on a pool that codes too: they are of pictures to come, and take the threads that coding
/// leaves idle.
inline constexpr std::int64_t rank_of_searches = INT64_MAX;

/// Not thread-safe; uses its own threads inside. The stream depends on the settings, the format and the pictures alone.
///
///     Coprocessor motion({}, make_cpu_estimator(threads_or_all(0)));
///     Encoder encoder(Settings{}, {352, 288, {25, 1}}, motion,
///                     [&](const EncodedPicture& picture) { stream.write(picture.bytes); });
///     for (const FramePtr& picture : pictures)
///         encoder.push(picture);
///     stream.write(encoder.finish());
class Encoder {
  public:
    /// Called in coding order, from inside push() and finish().
    using Output = std::function<void(const EncodedPicture&)>;

    /// `motion` and `trace` (may be null) are not owned and outlive the encoder. Throws InputError listing every
    /// problem that Settings::validate() finds.
    Encoder(const Settings& settings, const VideoFormat& format, Coprocessor& motion, Output output,
            Trace* trace = nullptr);
    /// The same on the threads of a pool, which outlives it, in place of Settings::threads of its own: those that
    /// search motion too, say. Its tasks have ranks from 0 on, by the picture's place in coding order. Pictures are
    /// coded on a device where there is one.
    Encoder(const Settings& settings, const VideoFormat& format, Coprocessor& motion, TaskPool& pool, Output output,
            Trace* trace = nullptr, const CodingDevices& devices = {});
    ~Encoder();

    /// The next picture in display order, of the format's size. One that nobody else has grows in place to multiples of
    /// 16; of a shared one whose size is no such multiple a copy is made.
    void push(std::unique_ptr<Frame> picture);
    void push(FramePtr picture);
    void push(const Frame& picture);
    /// Codes what is left; no push() after it. Returns the bytes that end the stream.
    std::vector<std::uint8_t> finish();
    /// What the stream says of its rate, buffer and order.
    StreamPromise promise() const;
    /// Pictures so far that are not in the buffer of a decoder at their time; of streams with a buffer of RateSettings.
    std::int64_t underflows() const;
    /// What a user should know of the stream ("no level of Main Profile holds ..."): sentences, perhaps none.
    const std::vector<std::string>& notes() const;
    /// What is known of a picture's decisions, by the stream's codec.
    std::vector<DecisionColumn> decision_columns() const;

  private:
    struct State;
    explicit Encoder(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace tandem
