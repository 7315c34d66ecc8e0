// SPDX-License-Identifier: BSD-2-Clause
// For those that know nothing of libav.
#pragma once

namespace tandem {

/// Whether this build has libavfilter. One without FFmpeg has not.
bool built_with_filters();

} // namespace tandem
