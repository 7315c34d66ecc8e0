// SPDX-License-Identifier: BSD-2-Clause
// --decisions: what was decided of each picture in coding order, where, and what it cost. docs/view.md describes the
// format.
#pragma once

#include <span>
#include <string>

#include "encoder/encoder.h"
#include "files/atomic_file.h"

namespace tandem {

/// The first bytes of the file, and its version.
inline constexpr std::string_view decisions_magic = "\x89TDF\r\n\x1a\n";
inline constexpr std::uint32_t decisions_version = 1;

class DecisionsFile {
  public:
    explicit DecisionsFile(std::string path) : file_(std::move(path)) {}
    /// Before the first picture.
    void begin(const Settings& settings, const VideoFormat& format, const Encoder& encoder);
    /// A picture's record.
    void write(std::span<const std::uint8_t> record) { file_.write(record); }
    void close() { file_.close(); }
    void finish() { file_.finish(); }

  private:
    AtomicFile file_;
};

} // namespace tandem
