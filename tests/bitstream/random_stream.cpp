// SPDX-License-Identifier: BSD-2-Clause
#include "tests/bitstream/random_stream.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tandem::test {

namespace {

class Generator {
  public:
    explicit Generator(const RandomOptions& options)
        : options_(options), random_(options.seed),
          most_level_(options.mpeg1 ? std::min(255, options.most_level) : options.most_level) {}

    RandomStream stream();

  private:
    int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    bool chance(int percent) { return between(1, 100) <= percent; }

    MpegSequence sequence();
    MpegPicture picture(PictureType type);
    void f_codes(MpegPicture& picture);
    void cut_slices(MpegPicture& picture);
    void macroblock(MpegPicture& picture, int address, SliceExtent slice);
    void predicted_macroblock(MpegPicture& picture, std::size_t at, bool inner);
    void bidirectional_macroblock(MpegPicture& picture, std::size_t at, bool inner);
    void residual(MpegPicture& picture, std::size_t at, int pattern);
    void intra(MpegPicture& picture, std::size_t at);
    void block(MpegPicture& picture, std::size_t block, bool is_intra);
    int level();
    Mv vector(const MpegPicture& picture, std::size_t at, std::size_t direction);
    int component(int f_code, int position, int size);
    static bool is_inside(const MpegPicture& picture, std::size_t at, Mv mv);

    const RandomOptions options_;
    std::mt19937 random_;
    const int most_level_;
    int quantiser_ = 1;
};

RandomStream Generator::stream() {
    RandomStream result;
    result.sequence = sequence();
    result.group = {between(0, 23), between(0, 59), between(0, 59), between(0, 24), false, true};
    for (const char letter : options_.types) {
        result.pictures.push_back(picture(letter == 'I'   ? PictureType::intra
                                          : letter == 'P' ? PictureType::predicted
                                                          : PictureType::bidirectional));
    }
    // In coding order an anchor stands before the B pictures that are displayed before it.
    MpegPicture* anchor = nullptr;
    int displayed = 0;
    for (MpegPicture& picture : result.pictures) {
        if (picture.type == PictureType::bidirectional) {
            picture.temporal_reference = displayed++;
            continue;
        }
        if (anchor != nullptr) anchor->temporal_reference = displayed++;
        anchor = &picture;
    }
    if (anchor != nullptr) anchor->temporal_reference = displayed;
    return result;
}

MpegSequence Generator::sequence() {
    MpegSequence sequence;
    sequence.width = options_.width;
    sequence.height = options_.height;
    sequence.frame_rate_code = between(1, 8);
    sequence.vbv_buffer_size = options_.mpeg1 ? between(1, 1023) : between(1, (1 << 18) - 1);
    if (options_.mpeg1) {
        sequence.bit_rate = static_cast<std::uint32_t>(between(1, 0x3FFFF));
    } else {
        sequence.bit_rate = static_cast<std::uint32_t>(between(1, (1 << 30) - 1));
        sequence.profile_and_level = 0x44;
        sequence.low_delay = options_.types.find('B') == std::string::npos;
        sequence.has_display_extension = chance(50);
    }
    if (options_.tools) {
        sequence.custom_intra_matrix = chance(50);
        sequence.custom_non_intra_matrix = chance(50);
        for (std::size_t i = 0; i < 64; ++i) {
            if (sequence.custom_intra_matrix)
                sequence.intra_matrix[i] = static_cast<std::uint8_t>(i == 0 ? 8 : between(1, 255));
            if (sequence.custom_non_intra_matrix)
                sequence.non_intra_matrix[i] = static_cast<std::uint8_t>(between(1, 255));
        }
    }
    return sequence;
}

MpegPicture Generator::picture(PictureType type) {
    MpegPicture picture;
    picture.type = type;
    picture.vbv_delay = between(0, 0xFFFF);
    if (!options_.mpeg1 && options_.tools) {
        picture.quantiser_scale_type = chance(50);
        picture.intra_vlc_format = chance(50);
        picture.alternate_scan = chance(50);
        picture.intra_dc_precision = between(8, 11);
    }
    picture.resize((options_.width + 15) / 16, (options_.height + 15) / 16);
    std::ranges::fill(picture.levels, 0); // Streams are compared by what they hold and by what they do not.
    f_codes(picture);
    cut_slices(picture);
    for (const SliceExtent slice : picture.slices) {
        for (int address = slice.first; address < slice.end; ++address)
            macroblock(picture, address, slice);
    }
    return picture;
}

void Generator::f_codes(MpegPicture& picture) {
    for (std::size_t direction = 0; direction + 1 < static_cast<std::size_t>(picture.type); ++direction) {
        const int both = between(1, 7);
        picture.f_code[direction] = {both, both};
        if (!options_.mpeg1) picture.f_code[direction] = {between(1, 9), between(1, 9)};
    }
}

void Generator::cut_slices(MpegPicture& picture) {
    const int longest = options_.mpeg1 && chance(70) ? 3 * picture.mb_columns : picture.mb_columns;
    for (int first = 0; first < picture.macroblocks();) {
        int end = std::min(first + between(1, longest), picture.macroblocks());
        const int row_end = (first / picture.mb_columns + 1) * picture.mb_columns;
        if (!options_.mpeg1) end = std::min(end, row_end);
        if (chance(30)) end = row_end;
        if (options_.mpeg1 && end / picture.mb_columns >= 175) end = picture.macroblocks();
        picture.slices.push_back({first, end});
        first = end;
    }
}

void Generator::macroblock(MpegPicture& picture, int address, SliceExtent slice) {
    const auto at = static_cast<std::size_t>(address);
    const bool inner = address != slice.first && address != slice.end - 1;
    if (chance(30)) quantiser_ = between(1, options_.most_quantiser);
    picture.quantiser_scale_code[at] = static_cast<std::uint8_t>(quantiser_);
    if (picture.type == PictureType::intra || chance(10)) {
        intra(picture, at);
    } else if (picture.type == PictureType::predicted) {
        predicted_macroblock(picture, at, inner);
    } else {
        bidirectional_macroblock(picture, at, inner);
    }
}

void Generator::predicted_macroblock(MpegPicture& picture, std::size_t at, bool inner) {
    const int kind = between(inner ? 0 : 40, 99);
    if (kind < 40) {
        picture.flags[at] = mb_skipped;
    } else if (kind < 60) {
        residual(picture, at, between(1, 63));
    } else {
        picture.flags[at] = mb_forward;
        picture.forward[at] = vector(picture, at, 0);
        residual(picture, at, kind < 75 ? 0 : between(1, 63));
    }
}

void Generator::bidirectional_macroblock(MpegPicture& picture, std::size_t at, bool inner) {
    const bool repeat = inner && (picture.flags[at - 1] & mb_intra) == 0 && chance(40);
    if (repeat && (!options_.vectors_inside || (is_inside(picture, at, picture.forward[at - 1]) &&
                                                is_inside(picture, at, picture.backward[at - 1])))) {
        picture.flags[at] = static_cast<std::uint8_t>(picture.flags[at - 1] | mb_skipped);
        picture.forward[at] = picture.forward[at - 1];
        picture.backward[at] = picture.backward[at - 1];
        return;
    }
    const int directions = between(1, 3);
    picture.flags[at] = static_cast<std::uint8_t>(directions * 2);
    if ((directions & 1) != 0) picture.forward[at] = vector(picture, at, 0);
    if ((directions & 2) != 0) picture.backward[at] = vector(picture, at, 1);
    residual(picture, at, chance(40) ? 0 : between(1, 63));
}

void Generator::residual(MpegPicture& picture, std::size_t at, int pattern) {
    picture.pattern[at] = static_cast<std::uint8_t>(pattern);
    for (std::size_t i = 0; i < 6; ++i) {
        if ((pattern & (32 >> i)) != 0) block(picture, at * 6 + i, false);
    }
}

void Generator::intra(MpegPicture& picture, std::size_t at) {
    picture.flags[at] = mb_intra;
    picture.pattern[at] = 63;
    for (std::size_t i = 0; i < 6; ++i) {
        const int most_dc = (1 << picture.intra_dc_precision) - 1;
        const int dc = chance(10) ? between(0, 1) * most_dc : between(0, most_dc);
        block(picture, at * 6 + i, true);
        picture.levels[(at * 6 + i) * 64] = static_cast<std::int16_t>(dc);
    }
}

void Generator::block(MpegPicture& picture, std::size_t block, bool is_intra) {
    constexpr std::array<int, 5> densities = {2, 10, 30, 90, 100};
    const int density = densities[static_cast<std::size_t>(between(0, 4))];
    for (int position = is_intra ? 1 : 0; position < 64; ++position) {
        const bool only = !is_intra && position == 63 && picture.nonzero[block] == 0;
        if (!only && !chance(density)) continue;
        picture.nonzero[block] |= std::uint64_t{1} << position;
        picture.levels[block * 64 + static_cast<std::size_t>(position)] = static_cast<std::int16_t>(level());
    }
}

int Generator::level() {
    // The ends of the tables and of the escapes' formats among much that is small.
    constexpr std::array<int, 14> edges = {40, 41, 63, 64, 65, 127, 128, 129, 254, 255, 256, 1024, 2046, 2047};
    const int kind = between(0, 99);
    int magnitude = 1 + std::countr_zero(static_cast<unsigned>(between(1, 1023)) | 1024U);
    if (kind < 20) magnitude = between(1, 42);
    if (kind < 5) magnitude = edges[static_cast<std::size_t>(between(0, 13))];
    if (kind == 6) magnitude = between(1, 2047);
    magnitude = std::min(magnitude, most_level_);
    return chance(50) ? magnitude : -magnitude;
}

Mv Generator::vector(const MpegPicture& picture, std::size_t at, std::size_t direction) {
    const int column = static_cast<int>(at) % picture.mb_columns, row = static_cast<int>(at) / picture.mb_columns;
    const int x = component(picture.f_code[direction][0], column, picture.mb_columns);
    const int y = component(picture.f_code[direction][1], row, picture.mb_rows);
    return {static_cast<std::int16_t>(x * eighths_per_half_pel), static_cast<std::int16_t>(y * eighths_per_half_pel)};
}

bool Generator::is_inside(const MpegPicture& picture, std::size_t at, Mv mv) {
    constexpr int unit = 16 * eighths_per_pel;
    const int left = static_cast<int>(at) % picture.mb_columns * unit + mv.x;
    const int top = static_cast<int>(at) / picture.mb_columns * unit + mv.y;
    return left >= 0 && top >= 0 && left <= (picture.mb_columns - 1) * unit && top <= (picture.mb_rows - 1) * unit;
}

int Generator::component(int f_code, int position, int size) {
    int low = -(16 << (f_code - 1)), high = -low - 1;
    if (options_.vectors_inside) {
        low = std::max(low, -position * 32);
        high = std::min(high, (size - 1 - position) * 32);
    }
    if (chance(10)) return chance(50) ? low : high;
    if (chance(30)) return std::clamp(between(-2, 2), low, high);
    return between(low, high);
}

} // namespace

RandomStream random_stream(const RandomOptions& options) { return Generator(options).stream(); }

std::vector<std::uint8_t> write_stream(const RandomStream& stream, const MpegWriter& writer) {
    BitWriter out;
    writer.write_sequence(out, stream.sequence);
    writer.write_group(out, stream.group);
    for (const MpegPicture& picture : stream.pictures) {
        writer.write_picture_header(out, picture);
        for (int slice = 0; slice < static_cast<int>(picture.slices.size()); ++slice) {
            writer.write_slice(out, stream.sequence, picture, slice);
        }
    }
    writer.write_sequence_end(out);
    const auto bytes = out.bytes();
    return {bytes.begin(), bytes.end()};
}

} // namespace tandem::test
