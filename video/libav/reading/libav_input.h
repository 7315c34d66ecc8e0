// SPDX-License-Identifier: BSD-2-Clause
// A file opened by libavformat, and whose fault it is when that fails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "video/libav/libav_handles.h"
#include "video/libav/reading/pipe_input.h"

namespace tandem {

/// Owns the demuxer. Not thread-safe.
class LibavInput {
  public:
    /// `path` is a file's name, never a URL. `numbered`: it is a pattern of files ("%04d.png") instead, the first of
    /// which has this number. Throws InputError for what libavformat does not read, RunError where the device fails or
    /// the system lacks memory, descriptors or threads.
    explicit LibavInput(const std::string& path, std::optional<std::int64_t> numbered = std::nullopt);
    /// Reads a pipe from its beginning to its end. Throws the same.
    explicit LibavInput(ByteReader pipe);

    AVFormatContext& context() const { return *input_; }
    const std::string& path() const { return path_; }
    bool is_pipe() const { return pipe_ != nullptr; }
    /// Bytes of the input, as far as they are known: of a pipe those that were read.
    std::int64_t size() const;
    /// What the demuxer logged as errors while the file was opened; empty: nothing.
    const std::string& complaints() const { return complaints_; }
    /// Whether opening it read the file to its end, so that the complaints are about that end.
    bool was_read_to_its_end() const { return read_to_its_end_; }
    /// Throws `problem` as an InputError; as a RunError where `error`, libav's, is no fault of the file.
    [[noreturn]] void fail(const std::string& problem, int error = 0) const;

  private:
    void open(const std::string& url, const AVInputFormat* demuxer, AVDictionary* options);
    bool is_not_its_fault(int error) const;

    std::string path_;
    std::unique_ptr<PipeInput> pipe_; ///< Outlives input_, which reads it.
    Libav<AVFormatContext> input_;
    std::string complaints_;
    bool read_to_its_end_ = false;
};

} // namespace tandem
