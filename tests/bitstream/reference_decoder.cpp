// SPDX-License-Identifier: BSD-2-Clause
#include "tests/bitstream/reference_decoder.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tandem::test {

namespace {

using Coefficients = std::array<int, 64>; ///< In raster order.

/// 13818-2 table 7-6, second column.
constexpr std::array<int, 32> non_linear_scale = {0,  1,  2,  3,  4,  5,  6,  7,  8,  10, 12, 14, 16, 18, 20,  22,
                                                  24, 28, 32, 36, 40, 44, 48, 52, 56, 64, 72, 80, 88, 96, 104, 112};

int sign(int value) { return (value > 0) - (value < 0); }

struct Quantised {
    const std::int16_t* levels;
    std::uint64_t nonzero;
    const QuantiserMatrix& matrix;
    int code; ///< quantiser_scale_code
    bool intra;
};

/// 11172-2 clauses 2.4.4.1 and 2.4.4.2: made odd, towards zero, and cut to 12 bits.
Coefficients dequantise_mpeg1(const Quantised& block) {
    Coefficients out{};
    for (std::size_t i = 0; i < 64; ++i) {
        if (((block.nonzero >> i) & 1) == 0) continue;
        const std::size_t raster = scan_order(false)[i];
        const int level = block.levels[i];
        const int doubled = 2 * level + (block.intra ? 0 : sign(level));
        int value = doubled * block.code * block.matrix[raster] / 16;
        if (value % 2 == 0) value -= sign(value);
        out[raster] = std::clamp(value, -2048, 2047);
    }
    if (block.intra) out[0] = block.levels[0] * 8;
    return out;
}

/// 13818-2 clause 7.4, with mismatch control.
Coefficients dequantise_mpeg2(const Quantised& block, const MpegPicture& picture) {
    const int scale =
        picture.quantiser_scale_type ? non_linear_scale[static_cast<std::size_t>(block.code)] : 2 * block.code;
    Coefficients out{};
    for (std::size_t i = 0; i < 64; ++i) {
        if (((block.nonzero >> i) & 1) == 0) continue;
        const std::size_t raster = scan_order(picture.alternate_scan)[i];
        const int level = block.levels[i];
        const int doubled = 2 * level + (block.intra ? 0 : sign(level));
        out[raster] = std::clamp(doubled * block.matrix[raster] * scale / 32, -2048, 2047);
    }
    if (block.intra) out[0] = block.levels[0] * (1 << (11 - picture.intra_dc_precision));
    int sum = 0;
    for (const int value : out)
        sum += value;
    if (sum % 2 == 0) out[63] += out[63] % 2 != 0 ? -1 : 1;
    return out;
}

/// 13818-2 annex A, along rows and then columns; rounded to the nearest.
std::array<int, 64> inverse_dct(const Coefficients& in) {
    static const std::array<double, 64> basis = [] { // [u * 8 + x]
        std::array<double, 64> values{};
        for (int u = 0; u < 8; ++u) {
            for (int x = 0; x < 8; ++x) {
                values[static_cast<std::size_t>(u * 8 + x)] =
                    (u == 0 ? std::numbers::sqrt2 / 2 : 1.0) / 2 * std::cos((2 * x + 1) * u * std::numbers::pi / 16);
            }
        }
        return values;
    }();
    std::array<double, 64> rows{};
    for (std::size_t v = 0; v < 8; ++v) {
        for (std::size_t x = 0; x < 8; ++x) {
            for (std::size_t u = 0; u < 8; ++u)
                rows[v * 8 + x] += in[v * 8 + u] * basis[u * 8 + x];
        }
    }
    std::array<int, 64> out{};
    for (std::size_t y = 0; y < 8; ++y) {
        for (std::size_t x = 0; x < 8; ++x) {
            double sum = 0;
            for (std::size_t v = 0; v < 8; ++v)
                sum += rows[v * 8 + x] * basis[v * 8 + y];
            out[y * 8 + x] = static_cast<int>(std::floor(sum + 0.5));
        }
    }
    return out;
}

class PictureDecoder {
  public:
    PictureDecoder(const ParsedStream& stream, const ParsedPicture& parsed, const DecodedPicture* forward,
                   const DecodedPicture* backward)
        : sequence_(stream.sequences[parsed.sequence]), code_(parsed.code), mpeg2_(stream.mpeg2), forward_(forward),
          backward_(backward) {}

    DecodedPicture decode() {
        for (std::size_t plane = 0; plane < 3; ++plane) {
            const int unit = plane == 0 ? 16 : 8;
            out_.planes[plane] = {code_.mb_columns * unit, code_.mb_rows * unit, {}};
            out_.planes[plane].samples.resize(static_cast<std::size_t>(code_.macroblocks() * unit * unit));
        }
        for (int address = 0; address < code_.macroblocks(); ++address)
            macroblock(address);
        return std::move(out_);
    }

  private:
    void macroblock(int address) {
        const auto at = static_cast<std::size_t>(address);
        const bool intra = (code_.flags[at] & mb_intra) != 0;
        if (!intra) predict(address);
        for (std::size_t block = 0; block < 6; ++block) {
            if ((code_.pattern[at] & (32 >> block)) != 0) add_block(address, block, intra);
        }
    }

    /// Clauses 7.6.4 and 7.6.7. In a P picture a macroblock without a vector repeats what was there.
    void predict(int address) {
        const auto at = static_cast<std::size_t>(address);
        const bool backward = (code_.flags[at] & mb_backward) != 0;
        const bool forward = (code_.flags[at] & mb_forward) != 0 || !backward;
        for (std::size_t plane = 0; plane < 3; ++plane) {
            const int unit = plane == 0 ? 16 : 8;
            const int left = address % code_.mb_columns * unit, top = address / code_.mb_columns * unit;
            for (int y = top; y < top + unit; ++y) {
                for (int x = left; x < left + unit; ++x) {
                    int value = 0;
                    if (forward) value = predicted(forward_, plane, code_.forward[at], x, y);
                    if (backward) {
                        const int other = predicted(backward_, plane, code_.backward[at], x, y);
                        value = forward ? (value + other + 1) / 2 : other;
                    }
                    sample(plane, x, y) = static_cast<std::uint8_t>(value);
                }
            }
        }
    }

    static int predicted(const DecodedPicture* reference, std::size_t plane, Mv mv, int x, int y) {
        if (reference == nullptr) throw std::runtime_error("a picture without its reference");
        // Clause 7.6.3.7: half-pels of luma, halved towards zero, are half-pels of chroma.
        const int divisor = plane == 0 ? 1 : 2;
        const int dx = mv.x / eighths_per_half_pel / divisor, dy = mv.y / eighths_per_half_pel / divisor;
        const DecodedPlane& from = reference->planes[plane];
        const int left = x + (dx >> 1), top = y + (dy >> 1);
        const int right = left + (dx & 1), bottom = top + (dy & 1);
        if (left < 0 || top < 0 || right >= from.width || bottom >= from.height) {
            throw std::runtime_error("a vector leaves the reference picture");
        }
        const int sum = from.at(left, top) + from.at(right, top) + from.at(left, bottom) + from.at(right, bottom);
        return (sum + 2) / 4; // With one of the two, each sample counts twice: (2a + 2b + 2) / 4 is (a + b + 1) / 2.
    }

    void add_block(int address, std::size_t block, bool intra) {
        const auto at = static_cast<std::size_t>(address);
        const QuantiserMatrix& matrix =
            intra ? (sequence_.custom_intra_matrix ? sequence_.intra_matrix : default_intra_matrix())
                  : (sequence_.custom_non_intra_matrix ? sequence_.non_intra_matrix : default_non_intra_matrix());
        const Quantised quantised{&code_.levels[(at * 6 + block) * 64], code_.nonzero[at * 6 + block], matrix,
                                  code_.quantiser_scale_code[at], intra};
        const auto values = inverse_dct(mpeg2_ ? dequantise_mpeg2(quantised, code_) : dequantise_mpeg1(quantised));
        const std::size_t plane = block < 4 ? 0 : block - 3;
        const int unit = plane == 0 ? 16 : 8;
        const int within = plane == 0 ? static_cast<int>(block) : 0;
        const int left = address % code_.mb_columns * unit + within % 2 * 8;
        const int top = address / code_.mb_columns * unit + within / 2 * 8;
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < 8; ++x) {
                std::uint8_t& target = sample(plane, left + x, top + y);
                const int value = (intra ? 0 : target) + values[static_cast<std::size_t>(y * 8 + x)];
                target = static_cast<std::uint8_t>(std::clamp(value, 0, 255));
            }
        }
    }

    std::uint8_t& sample(std::size_t plane, int x, int y) {
        DecodedPlane& target = out_.planes[plane];
        return target.samples[static_cast<std::size_t>(y * target.width + x)];
    }

    const MpegSequence& sequence_;
    const MpegPicture& code_;
    const bool mpeg2_;
    const DecodedPicture* forward_;
    const DecodedPicture* backward_;
    DecodedPicture out_;
};

} // namespace

std::vector<DecodedPicture> decode_pictures(const ParsedStream& stream) {
    std::vector<DecodedPicture> decoded;
    decoded.reserve(stream.pictures.size()); // Pointers into it stay good.
    const DecodedPicture* older = nullptr;
    const DecodedPicture* newer = nullptr;
    for (const ParsedPicture& parsed : stream.pictures) {
        const bool bidirectional = parsed.code.type == PictureType::bidirectional;
        decoded.push_back(
            PictureDecoder(stream, parsed, bidirectional ? older : newer, bidirectional ? newer : nullptr).decode());
        if (bidirectional) continue;
        older = newer;
        newer = &decoded.back();
    }
    return decoded;
}

std::vector<std::size_t> display_order(const ParsedStream& stream) {
    std::vector<std::size_t> order;
    std::size_t anchor = SIZE_MAX;
    for (std::size_t i = 0; i < stream.pictures.size(); ++i) {
        if (stream.pictures[i].code.type == PictureType::bidirectional) {
            order.push_back(i);
            continue;
        }
        if (anchor != SIZE_MAX) order.push_back(anchor);
        anchor = i;
    }
    if (anchor != SIZE_MAX) order.push_back(anchor);
    return order;
}

} // namespace tandem::test
