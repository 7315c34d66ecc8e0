// SPDX-License-Identifier: BSD-2-Clause
// Records and files that the tests of motion fields share.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "me/fields/field_file.h"

namespace tandem::test {

/// The worked example of docs/motion-fields.md: a picture of 40x24 in blocks of 16x16, whose contents moved 2.5 pels
/// to the right and 1 pel up since the picture before. The last block has no vector.
inline FieldRecord example() {
    FieldRecord record{MotionField(40, 24, 16, 16, 1), 1, -1};
    for (Candidate& candidate : record.field.all())
        candidate = {{-20, 8}, 300, 310};
    record.field.block(2, 1)[0] = {};
    return record;
}
inline constexpr FieldGeometry example_geometry{40, 24, 16, 16};

inline void write(const std::string& path, const std::vector<FieldRecord>& records, const std::string& metric = "") {
    const auto writer = create_field_file(path, metric);
    for (const FieldRecord& record : records)
        writer->write(record);
    writer->finish();
}

inline std::vector<FieldRecord> read_all(const std::string& path, const FieldGeometry& geometry = {}) {
    const auto reader = open_field_file(path, geometry);
    std::vector<FieldRecord> records;
    while (auto record = reader->read())
        records.push_back(std::move(*record));
    return records;
}

/// A .npy file.
inline std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
    const std::string length{static_cast<char>(dictionary.size()), '\0', '\0', '\0'};
    return std::string("\x93NUMPY") + version + '\0' + length.substr(0, version == 1 ? 2 : 4) + dictionary + data;
}
template <class T> std::string bytes_of(std::initializer_list<T> numbers) {
    std::string bytes;
    for (const T number : numbers)
        bytes.append(reinterpret_cast<const char*>(&number), sizeof(T));
    return bytes;
}

} // namespace tandem::test
