// SPDX-License-Identifier: BSD-2-Clause
// Arrays in NumPy's .npy files (numpy.lib.format, versions 1.0 to 3.0).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files/atomic_file.h"
#include "files/byte_reader.h"
#include "machine/errors.h"

namespace tandem {

/// What is written; more is read.
enum class NpyType { float32, uint32, int64 };

/// Writes a little-endian array in C order, entry by entry along its first dimension.
///
///     NpyWriter vectors(AtomicFile("vectors.npy"), NpyType::float32, {rows, columns, 2});
///     vectors.write(field); // rows * columns * 2 floats; each picture
///     vectors.finish();     // numpy.load() gives (pictures, rows, columns, 2)
class NpyWriter {
  public:
    /// `entry`: the shape of one entry. `entries`: how many there will be, where that is known; otherwise finish()
    /// writes it, which a pipe or a device does not allow (InputError).
    NpyWriter(AtomicFile file, NpyType type, std::vector<std::int64_t> entry,
              std::optional<std::int64_t> entries = std::nullopt);
    /// One entry of the writer's type.
    void write(std::span<const float> entry);
    void write(std::span<const std::uint32_t> entry);
    void write(std::span<const std::int64_t> entry);
    /// All is written, and checked; the file has its name after finish().
    void close();
    void finish();

  private:
    template <class Number> void write_numbers(std::span<const Number> entry, NpyType type);

    AtomicFile file_;
    NpyType type_;
    std::vector<std::int64_t> entry_;
    std::optional<std::int64_t> promised_;
    std::int64_t written_ = 0;
    std::size_t header_size_ = 0;
    bool closed_ = false;
    std::vector<std::uint8_t> bytes_;
};

/// How an array's numbers are stored: a dtype of NumPy.
struct NpyNumber {
    char kind = 'f';      ///< 'f', 'i' or 'u': IEEE 754, signed or unsigned.
    std::size_t size = 4; ///< Bytes: 1, 2, 4 or 8; of 'f' 2, 4 or 8.
    bool big_endian = false;
};

/// Reads an array from its beginning to its end.
class NpyReader {
  public:
    /// Throws InputError for what is no .npy file, another type (named), Fortran's order, and a file that is not as
    /// long as its header says.
    /// `stop`: as ByteReader's.
    explicit NpyReader(const std::string& path, const std::atomic<bool>* stop = nullptr);
    const std::string& name() const { return file_.name(); }
    const std::vector<std::int64_t>& shape() const { return shape_; }
    /// Fills `to` with the next elements, rounded where they have more than 53 bits. Throws InputError where the file
    /// ends before.
    void read(std::span<double> to);

  private:
    ByteReader file_;
    NpyNumber number_;
    std::vector<std::int64_t> shape_;
    std::vector<std::uint8_t> bytes_;
};

} // namespace tandem
