// SPDX-License-Identifier: BSD-2-Clause
// Rows of results.jsonl as tandem compare writes them, with figures that are easy to check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/json.h"

namespace tandem::test {

/// A name that means something in HTML, in scripts, in Markdown and in CSV.
inline const std::string nasty_name = "a</script><b>|`x`,\"{{data}}\" & \xc3\xa9";

/// Bytes of a series at a quantiser; mpeg2video's are those of share 1, and all have one PSNR a quantiser.
std::int64_t made_up_bytes(double share, int qp);

/// Two clips, the second with the nasty name: mpeg2video; Tandem's full search on CPU and GPU with 0.9 of its bytes,
/// the same streams, the GPU four times as fast; Tandem's logarithmic search on the CPU with 0.95. Pictures of 60x44
/// pels, whose last blocks are cut: 2 I, 3 P and 8 B. At ten times the quantiser PSNR is less by 10, 6 and 8 dB.
std::vector<Json> made_up_results();

} // namespace tandem::test
