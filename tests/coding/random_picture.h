// SPDX-License-Identifier: BSD-2-Clause
// Pictures to be coded, with tools, references and fields out of a seed.
#pragma once

#include <memory>
#include <random>
#include <string>

#include "coding/mpeg/mpeg_backend.h"

namespace tandem::test {

/// A short stream's tools, and its pictures: an I picture, a P picture of it, and pictures of either kind between or
/// after them.
class RandomStream {
  public:
    explicit RandomStream(std::uint32_t seed);

    /// Chooses other tools.
    MpegTools& tools() { return tools_; }
    const MpegTools& tools() const { return tools_; }
    /// Sources are black or white, with noise, from now on.
    void flash() { content_ = flashes; }
    /// What the next picture of a type is coded from: the same of every job made by the same call number. Its
    /// reconstruction and arrays are new, and poisoned.
    void begin_picture(PictureType type);
    void fill(MpegCodingJob& job, const References& references);

    std::string describe() const;

  private:
    std::shared_ptr<Frame> next_source();
    std::shared_ptr<Frame> next_flash();
    MotionField random_field();
    int from(int least, int most);

    std::mt19937 random_;
    MpegTools tools_;
    static constexpr int flashes = 2;
    int content_ = 0;
    std::shared_ptr<Frame> source_;
    PictureType type_ = PictureType::intra;
    std::array<MotionField, 2> fields_;
    SearchParams refinement_;
    Quality quality_;
};

/// Sends the job through the backend and waits. Throws what went wrong.
void code_and_wait(MpegBackend& backend, MpegCodingJob& job);

} // namespace tandem::test
