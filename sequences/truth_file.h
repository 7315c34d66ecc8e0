// SPDX-License-Identifier: BSD-2-Clause
// The true motion of a scene as a NumPy file.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "files/npy_file.h"
#include "sequences/scene.h"

namespace tandem {

/// NumPy's .npy format, version 1.0: little-endian float32 of shape (pictures - 1, rows, columns, 2), C order, in pels,
/// x then y. Entry [n] is Scene::motion(n + 1): picture n + 1 predicted from picture n.
class TruthFile {
  public:
    TruthFile(const std::string& path, std::int64_t pairs, int rows, int columns);
    void write(std::span<const Scene::Motion> field);
    void close();  ///< As NpyWriter's.
    void finish(); ///< The same.

  private:
    NpyWriter file_;
};

} // namespace tandem
