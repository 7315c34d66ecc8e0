// SPDX-License-Identifier: BSD-2-Clause
#include "sequences/truth_file.h"

#include <bit>
#include <vector>

namespace tandem {
namespace {

std::string npy_header(std::int64_t pairs, int rows, int columns) {
    std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(pairs) + ", " +
                             std::to_string(rows) + ", " + std::to_string(columns) + ", 2), }";
    // The data begin at a multiple of 64; the dictionary is padded with spaces and ends with a newline.
    constexpr std::size_t before = 10;
    dictionary.append(63 - (before + dictionary.size()) % 64, ' ');
    dictionary += '\n';
    std::string header = "\x93NUMPY";
    header += '\x01';
    header += '\0';
    header += static_cast<char>(dictionary.size() & 0xFF);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

void append_little_endian(std::vector<std::uint8_t>& bytes, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    for (int shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
}

} // namespace

TruthFile::TruthFile(const std::string& path, std::int64_t pairs, int rows, int columns) : file_(path) {
    file_.write(npy_header(pairs, rows, columns));
}

void TruthFile::write(std::span<const Scene::Motion> field) {
    std::vector<std::uint8_t> bytes;
    bytes.reserve(field.size() * 8);
    for (const Scene::Motion& motion : field) {
        append_little_endian(bytes, motion.x);
        append_little_endian(bytes, motion.y);
    }
    file_.write(bytes);
}

void TruthFile::finish() { file_.finish(); }

} // namespace tandem
