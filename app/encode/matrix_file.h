// SPDX-License-Identifier: BSD-2-Clause
// Quantiser matrices from a text file.
#pragma once

#include <optional>
#include <string>

#include "bitstream/mpeg/mpeg_picture.h"

namespace tandem {

struct MatrixFile {
    QuantiserMatrix intra;
    std::optional<QuantiserMatrix> non_intra;
};

/// 64 numbers (intra) or 128 (intra, then non-intra), each 1..255, in raster order, the first of the intra matrix 8;
/// separated by spaces, commas or line ends; # begins a comment that runs to the end of its line.
/// Throws InputError naming the file, the line and the limit.
MatrixFile read_matrix_file(const std::string& path);

} // namespace tandem
