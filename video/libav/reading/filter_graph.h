// SPDX-License-Identifier: BSD-2-Clause
// A chain of libavfilter's filters between the decoder and the conversion to 8-bit 4:2:0.
#pragma once

#include <memory>
#include <string>

#include "video/libav/libav_handles.h"

namespace tandem {

/// One chain, with one video in and one out. Not thread-safe.
///
///     FilterGraph graph("scale=320:-2", *frame, time_base, rate);
///     graph.push(frame);                  // null: no more come
///     while (graph.pull(*filtered)) ...   // false: it wants more, or all is out
class FilterGraph {
  public:
    /// `chain`: as FFmpeg's -vf has it. `first`: tells size, format and colours of what is pushed; later frames may
    /// have others. Throws InputError for a chain that libavfilter refuses, with its words, and in a build without it.
    FilterGraph(const std::string& chain, const AVFrame& first, AVRational time_base, AVRational rate);
    ~FilterGraph();
    /// Takes over what the frame refers to; null ends the video.
    void push(AVFrame* frame);
    bool pull(AVFrame& frame);
    /// Of the frames that come out.
    AVRational time_base() const;
    AVRational rate() const; ///< 0/1: unknown.

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tandem
