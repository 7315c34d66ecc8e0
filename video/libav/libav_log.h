// SPDX-License-Identifier: BSD-2-Clause
// libav's errors as text, and its log: kept for our messages and not printed. FFmpeg 5 to 9.
// libav has one log callback a process. Ours takes what belongs to our calls and passes everything else to libav's own,
// whose level is set to errors.
#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace tandem {

/// libav's words for an error code.
std::string libav_message(int error);

/// While it lives, what libav logs as an error on this thread is collected here, or in a scope within it.
class LibavLogScope {
  public:
    LibavLogScope();
    ~LibavLogScope();
    LibavLogScope(const LibavLogScope&) = delete;
    LibavLogScope& operator=(const LibavLogScope&) = delete;

    /// What was logged so far, the messages separated by "; ", each once with how often it came.
    std::string text() const { return joined(false); }
    /// Of these what a demuxer said: it is about the file, where decoders speak of pictures.
    std::string demuxer_text() const { return joined(true); }
    /// libav's words for `error`, and what was logged with it.
    std::string explain(int error) const;

    /// Called by the log callback.
    void add(const std::string& message, bool by_demuxer);

  private:
    struct Said {
        std::string message;
        bool by_demuxer;
        int times;
    };
    std::string joined(bool demuxer_alone) const;

    std::vector<Said> said_;
    LibavLogScope* outer_; ///< What collected before, on this thread.
};

/// Collects the errors that a decoder logs, from any of its threads: set AVCodecContext::opaque to its address, which
/// libav copies to the contexts of its threads. Outlives the decoder.
class LibavDecoderLog {
  public:
    LibavDecoderLog();
    ~LibavDecoderLog();
    LibavDecoderLog(const LibavDecoderLog&) = delete;
    LibavDecoderLog& operator=(const LibavDecoderLog&) = delete;

    int messages() const; ///< How many so far.
    std::string first() const;
    std::string last() const;
    /// Called by the log callback.
    void add(const std::string& message);

  private:
    mutable std::mutex mutex_;
    int messages_ = 0;
    std::string first_, last_;
};

} // namespace tandem
