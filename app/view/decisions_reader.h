// SPDX-License-Identifier: BSD-2-Clause
// Reads what `tandem encode --decisions` wrote.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/json.h"

namespace tandem {

/// A file of which no more is in memory than is asked for. docs/view.md describes the format. Not thread-safe.
class DecisionsReader {
  public:
    /// Throws InputError for what is no such file, another version of it, or one that is cut off.
    explicit DecisionsReader(const std::string& path);

    const std::string& path() const { return path_; }
    const Json& header() const { return header_; }
    std::size_t pictures() const { return pictures_; }
    /// Of a picture by its place in the file, which is coding order.
    std::vector<std::uint8_t> record(std::size_t picture);
    /// Number `which` of a column of a picture, rounded to 53 bits. Throws InputError where there is no such column.
    double value(std::size_t picture, std::string_view column, std::size_t which = 0);

  private:
    struct Column {
        std::size_t offset = 0, count = 1;
        std::string type; ///< "<u2".
    };
    std::vector<std::uint8_t> bytes_at(std::uint64_t place, std::size_t count);
    void read_header();
    void place_columns();

    std::string path_;
    Json header_;
    std::map<std::string, Column, std::less<>> columns_;
    std::ifstream file_;
    std::uint64_t file_size_ = 0, header_size_ = 0;
    std::size_t record_size_ = 0, pictures_ = 0;
};

} // namespace tandem
