// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/mpeg_picture.h"

#include <algorithm>
#include <stdexcept>

namespace tandem {

namespace {

constexpr std::array<std::uint8_t, 64> zigzag = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  //
                                                 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28, //
                                                 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, //
                                                 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
constexpr std::array<std::uint8_t, 64> vertical = {0,  8,  16, 24, 1, 9,  2,  10, 17, 25, 32, 40, 48, 56, 57, 49, //
                                                   41, 33, 26, 18, 3, 11, 4,  12, 19, 27, 34, 42, 50, 58, 35, 43, //
                                                   51, 59, 20, 28, 5, 13, 6,  14, 21, 29, 36, 44, 52, 60, 37, 45, //
                                                   53, 61, 22, 30, 7, 15, 23, 31, 38, 46, 54, 62, 39, 47, 55, 63};

constexpr std::array<std::uint8_t, 64> inverse_of(const std::array<std::uint8_t, 64>& scan) {
    std::array<std::uint8_t, 64> positions{};
    for (std::size_t i = 0; i < 64; ++i)
        positions[scan[i]] = static_cast<std::uint8_t>(i);
    return positions;
}

} // namespace

const QuantiserMatrix& default_intra_matrix() {
    static constexpr QuantiserMatrix matrix = {8,  16, 19, 22, 26, 27, 29, 34, //
                                               16, 16, 22, 24, 27, 29, 34, 37, //
                                               19, 22, 26, 27, 29, 34, 34, 38, //
                                               22, 22, 26, 27, 29, 34, 37, 40, //
                                               22, 26, 27, 29, 32, 35, 40, 48, //
                                               26, 27, 29, 32, 35, 40, 48, 58, //
                                               26, 27, 29, 34, 38, 46, 56, 69, //
                                               27, 29, 35, 38, 46, 56, 69, 83};
    return matrix;
}

const QuantiserMatrix& default_non_intra_matrix() {
    static constexpr QuantiserMatrix matrix = [] {
        QuantiserMatrix flat{};
        std::fill(flat.begin(), flat.end(), std::uint8_t{16});
        return flat;
    }();
    return matrix;
}

const std::array<std::uint8_t, 64>& scan_order(bool alternate) { return alternate ? vertical : zigzag; }

const std::array<std::uint8_t, 64>& scan_positions(bool alternate) {
    static constexpr std::array<std::uint8_t, 64> of_zigzag = inverse_of(zigzag), of_vertical = inverse_of(vertical);
    return alternate ? of_vertical : of_zigzag;
}

void MpegPicture::resize(int columns, int rows) {
    if (columns < 1 || rows < 1) throw std::invalid_argument("MpegPicture::resize: at least one macroblock each way");
    mb_columns = columns;
    mb_rows = rows;
    const auto count = static_cast<std::size_t>(macroblocks());
    flags.resize(count);
    pattern.resize(count);
    quantiser_scale_code.resize(count);
    forward.resize(count);
    backward.resize(count);
    nonzero.resize(count * 6);
    levels.resize(count * 6 * 64);
}

} // namespace tandem
