// SPDX-License-Identifier: BSD-2-Clause
// VMAF, Netflix's measure of quality (github.com/Netflix/vmaf), by the filter libvmaf of the ffmpeg command where that
// has it. Tandem has no VMAF of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/child_process.h"
#include "app/json.h"
#include "video/frame.h"

namespace tandem {

/// The version of the ffmpeg command, where its filters include libvmaf; empty where there is none. Throws Interrupted.
std::string vmaf_maker();

/// Whether what `ffmpeg -filters` prints has libvmaf.
bool lists_vmaf(const std::string& filters);

/// The mean over the pictures of libvmaf's log in JSON, 0 to 100. Throws RunError where the log is no such log or has
/// not as many pictures.
double vmaf_of_log(const std::string& log, std::int64_t pictures);

/// Both pictures of a pair go to ffmpeg as one, the decoded above the source, so that none waits for the other.
class VmafRun {
  public:
    /// `folder`: gets the log. Threads: of libvmaf; 1 and more.
    VmafRun(int width, int height, int threads, const std::string& folder);
    /// Pictures of this size, in display order.
    void add(const Frame& decoded, const Frame& source);
    /// Throws RunError where ffmpeg fails.
    double finish();

  private:
    int width_, height_;
    std::string log_;
    std::int64_t pictures_ = 0;
    std::vector<std::uint8_t> stacked_; ///< One pair.
    FedProgram program_;
};

/// What ffmpeg is started with: raw pairs in, libvmaf's log out.
std::vector<std::string> vmaf_words(int width, int height, int threads);

} // namespace tandem
