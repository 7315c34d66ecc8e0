// SPDX-License-Identifier: BSD-2-Clause
#include "tests/encoder/streams/naive_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "coding/mpeg/kernels/transform.h"
#include "tests/coding/naive_picture.h"
#include "tests/coding/real_dct.h"

namespace tandem::test {

namespace {

int sign(int value) { return (value > 0) - (value < 0); }
int saturated(int value) { return std::clamp(value, -2048, 2047); }

class Decoder {
  public:
    Decoder(const MpegPicture& picture, const MpegSequence& sequence, bool mpeg1, const References& references)
        : picture_(picture), sequence_(sequence), mpeg1_(mpeg1), references_(references),
          out_(std::make_shared<Frame>(picture.mb_columns * 16, picture.mb_rows * 16)) {}

    std::shared_ptr<Frame> decode() {
        for (const SliceExtent& slice : picture_.slices) {
            flags_ = 0;
            for (int i = slice.first; i < slice.end; ++i)
                macroblock(i, i == slice.first || i == slice.end - 1);
        }
        return out_;
    }

  private:
    void macroblock(int index, bool at_the_end);
    void check_vector(Mv mv, int index) const;
    void block(int index, std::size_t number, bool coded);
    RealBlock coefficients(std::size_t block, bool intra, int scale_code) const;
    int mpeg1_coefficient(int level, int weight, int code, bool intra) const;

    const MpegPicture& picture_;
    const MpegSequence& sequence_;
    const bool mpeg1_;
    const References& references_;
    std::shared_ptr<Frame> out_;
    std::uint8_t flags_ = 0; ///< With its vectors: what the macroblock at hand is predicted by.
    Mv forward_, backward_;
};

void Decoder::macroblock(int index, bool at_the_end) {
    const auto i = static_cast<std::size_t>(index);
    const bool skipped = (picture_.flags[i] & mb_skipped) != 0;
    const bool predicted = picture_.type == PictureType::predicted;
    if (skipped) {
        EXPECT_FALSE(at_the_end) << "a slice begins and ends with a coded macroblock; macroblock " << index;
        EXPECT_NE(picture_.type, PictureType::intra);
        if (predicted) {
            flags_ = mb_forward;
            forward_ = {};
        } else {
            EXPECT_EQ(flags_ & mb_intra, 0) << "skipped behind an intra macroblock " << index;
        }
    } else {
        flags_ = picture_.flags[i] & (mb_intra | mb_forward | mb_backward);
        forward_ = (flags_ & mb_forward) != 0 ? picture_.forward[i] : Mv{};
        backward_ = (flags_ & mb_backward) != 0 ? picture_.backward[i] : Mv{};
        EXPECT_FALSE(predicted && flags_ == 0 && picture_.pattern[i] == 0) << "no code says macroblock " << index;
        if (predicted && flags_ == 0) flags_ = mb_forward;
        EXPECT_NE(flags_, 0);
    }
    check_vector(forward_, index);
    check_vector(backward_, index);
    for (std::size_t b = 0; b < 6; ++b) {
        const bool coded = !skipped && (picture_.pattern[i] >> (5 - b) & 1) != 0;
        EXPECT_TRUE((flags_ & mb_intra) != 0 || skipped || coded == (picture_.nonzero[i * 6 + b] != 0)) << index;
        block(index, b, coded);
    }
}

void Decoder::check_vector(Mv mv, int index) const {
    EXPECT_EQ(mv.x % eighths_per_half_pel, 0);
    EXPECT_EQ(mv.y % eighths_per_half_pel, 0);
    EXPECT_TRUE(inside_picture(mv, index % picture_.mb_columns * 16, index / picture_.mb_columns * 16, out_->width(),
                               out_->height()))
        << "the vector of macroblock " << index << " leaves the picture";
}

void Decoder::block(int index, std::size_t number, bool coded) {
    const int plane = number < 4 ? 0 : static_cast<int>(number) - 3;
    const int size = plane == 0 ? 16 : 8;
    const int x0 = index % picture_.mb_columns * size + (number == 1 || number == 3 ? 8 : 0);
    const int y0 = index / picture_.mb_columns * size + (number == 2 || number == 3 ? 8 : 0);
    const bool intra = (flags_ & mb_intra) != 0;
    RealBlock residual{};
    if (coded) {
        const auto i = static_cast<std::size_t>(index);
        residual = real_inverse_dct(coefficients(i * 6 + number, intra, picture_.quantiser_scale_code[i]));
    }
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            const double rounded = std::round(residual[static_cast<std::size_t>(y * 8 + x)]);
            const int predicted =
                intra ? 0 : predicted_sample(references_, flags_, forward_, backward_, plane, x0 + x, y0 + y);
            const int value = predicted + static_cast<int>(std::clamp(rounded, -256.0, 255.0));
            out_->plane(plane).view().at(x0 + x, y0 + y) = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
        }
    }
}

/// 11172-2 clauses 2.4.4.1 and 2.4.4.2, where `code` is quantizer_scale.
int Decoder::mpeg1_coefficient(int level, int weight, int code, bool intra) const {
    if (level == 0) return 0;
    int value = (2 * level + (intra ? 0 : sign(level))) * code * weight / 16;
    if ((value & 1) == 0) value -= sign(value);
    return saturated(value);
}

/// 13818-2 clauses 7.3 and 7.4.
RealBlock Decoder::coefficients(std::size_t block, bool intra, int scale_code) const {
    const QuantiserMatrix& matrix = intra ? sequence_.intra_matrix : sequence_.non_intra_matrix;
    const int scale = quantiser_scale(scale_code, picture_.quantiser_scale_type);
    const int dc_multiplier = 8 >> (picture_.intra_dc_precision - 8);
    std::array<int, 64> values{};
    int sum = 0;
    for (std::size_t position = 0; position < 64; ++position) {
        const bool dc = intra && position == 0;
        const bool used = dc || (picture_.nonzero[block] >> position & 1) != 0;
        const int level = used ? picture_.levels[block * 64 + position] : 0;
        EXPECT_LE(std::abs(level), mpeg1_ ? 255 : 2047);
        EXPECT_TRUE(!used || dc || level != 0) << "marked as not zero";
        const std::size_t raster = scan_order(picture_.alternate_scan)[position];
        const int weight = matrix[raster];
        int& value = values[raster];
        if (dc) {
            EXPECT_TRUE(level >= 0 && level < 1 << picture_.intra_dc_precision);
            value = level * dc_multiplier;
        } else if (mpeg1_) {
            value = mpeg1_coefficient(level, weight, scale_code, intra);
        } else {
            value = saturated((2 * level + (intra ? 0 : sign(level))) * weight * scale / 32);
        }
        EXPECT_TRUE(!used || dc || value != 0) << "a level that is rebuilt as 0";
        sum += value;
    }
    if (!mpeg1_ && sum % 2 == 0) values[63] += values[63] % 2 != 0 ? -1 : 1;
    RealBlock real;
    std::copy(values.begin(), values.end(), real.begin());
    return real;
}

} // namespace

std::shared_ptr<Frame> decode_naively(const MpegPicture& picture, const MpegSequence& sequence, bool mpeg1,
                                      const References& references) {
    return Decoder(picture, sequence, mpeg1, references).decode();
}

int largest_difference(const Frame& a, const Frame& b) {
    int largest = 0;
    for (int plane = 0; plane < 3; ++plane) {
        const PlaneView first = a.plane(plane).view(), second = b.plane(plane).view();
        for (int y = 0; y < first.height; ++y) {
            for (int x = 0; x < first.width; ++x)
                largest = std::max(largest, std::abs(first.at(x, y) - second.at(x, y)));
        }
    }
    return largest;
}

} // namespace tandem::test
