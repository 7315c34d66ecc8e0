// SPDX-License-Identifier: BSD-2-Clause
#include "sequences/truth_file.h"

#include <vector>

namespace tandem {

TruthFile::TruthFile(const std::string& path, std::int64_t pairs, int rows, int columns)
    : file_(AtomicFile(path), NpyType::float32, {rows, columns, 2}, pairs) {}

void TruthFile::write(std::span<const Scene::Motion> field) {
    std::vector<float> numbers;
    numbers.reserve(field.size() * 2);
    for (const Scene::Motion& motion : field) {
        numbers.push_back(motion.x);
        numbers.push_back(motion.y);
    }
    file_.write(numbers);
}

void TruthFile::close() { file_.close(); }
void TruthFile::finish() { file_.finish(); }

} // namespace tandem
