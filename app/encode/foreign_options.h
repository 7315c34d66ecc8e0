// SPDX-License-Identifier: BSD-2-Clause
// Options of x264, FFmpeg and mpeg2enc that users try here, and what they get instead.
#pragma once

#include <span>
#include <string_view>

namespace tandem {

struct ForeignOption {
    std::string_view name;   ///< As it is written, with its dashes: "--crf", "-b:v".
    std::string_view answer; ///< A sentence, which names ours or says that there is none.
};

/// For the command encode. A row is not asked where the command has the option itself.
std::span<const ForeignOption> foreign_options();

/// The answer to a word of the command line, its =VALUE and FFmpeg's stream specifier (the :v of -b:v) aside; empty
/// where the table has none.
std::string_view foreign_answer(std::string_view word);

} // namespace tandem
