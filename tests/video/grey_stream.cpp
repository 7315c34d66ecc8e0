// SPDX-License-Identifier: BSD-2-Clause
#include "grey_stream.h"

#include <algorithm>
#include <cmath>

namespace tandem::test {

namespace {

class Bits {
  public:
    void put(unsigned value, int count) {
        for (int i = count - 1; i >= 0; --i)
            bits_.push_back((value >> i) & 1 ? '1' : '0');
    }
    void code(const std::string& bits) { bits_ += bits; }
    void start_code(unsigned value) {
        while (bits_.size() % 8 != 0)
            bits_.push_back('0');
        put(0x000001, 24);
        put(value, 8);
    }
    std::string bytes() {
        while (bits_.size() % 8 != 0)
            bits_.push_back('0');
        std::string out;
        for (std::size_t i = 0; i < bits_.size(); i += 8) {
            out.push_back(static_cast<char>(std::stoi(bits_.substr(i, 8), nullptr, 2)));
        }
        return out;
    }

  private:
    std::string bits_;
};

/// 13818-2 clause 6.2.2.1 and 6.2.2.3; 11172-2 clause 2.4.2.3: 16x16, square samples, 25 frames a second.
void sequence_header(Bits& bits, Codec codec) {
    bits.start_code(0xB3);
    bits.put(16, 12);
    bits.put(16, 12);
    bits.put(1, 4);
    bits.put(3, 4);
    bits.put(2500, 18); // bit_rate: 1 Mbit/s
    bits.put(1, 1);
    bits.put(20, 10); // vbv_buffer_size
    bits.put(0, 3);   // constrained_parameters_flag, no matrices
    if (codec == Codec::mpeg1) return;
    bits.start_code(0xB5);
    bits.put(1, 4);
    bits.put(0x48, 8); // Main Profile at Main Level
    bits.put(1, 1);    // progressive
    bits.put(1, 2);    // 4:2:0
    bits.put(0, 4);    // high bits of the sizes
    bits.put(0, 12);
    bits.put(1, 1);
    bits.put(0, 16); // high bits of vbv_buffer_size, low_delay, frame rate extension
}

void group_header(Bits& bits, std::int64_t first_picture) {
    bits.start_code(0xB8);
    bits.put(0, 1 + 5 + 6);
    bits.put(1, 1);
    bits.put(static_cast<unsigned>(first_picture / 25), 6);
    bits.put(static_cast<unsigned>(first_picture % 25), 6);
    bits.put(first_picture == 0 ? 1 : 0, 1); // closed_gop
    bits.put(0, 1);
}

void picture_header(Bits& bits, Codec codec, char type, int temporal_reference) {
    const unsigned coding_type = type == 'I' ? 1 : type == 'P' ? 2 : 3;
    bits.start_code(0x00);
    bits.put(static_cast<unsigned>(temporal_reference), 10);
    bits.put(coding_type, 3);
    bits.put(0xFFFF, 16);
    const unsigned vector_fields = codec == Codec::mpeg1 ? 1 : 7; // f_code 1, or unused in MPEG-2
    if (type != 'I') bits.put(vector_fields, 4);
    if (type == 'B') bits.put(vector_fields, 4);
    bits.put(0, 1);
    if (codec == Codec::mpeg1) return;
    bits.start_code(0xB5);
    bits.put(8, 4);
    bits.put(type == 'I' ? 0xFF : 0x11, 8);
    bits.put(type == 'B' ? 0x11 : 0xFF, 8);
    bits.put(0, 2);         // intra_dc_precision 8
    bits.put(3, 2);         // frame picture
    bits.put(0b0100000, 7); // frame_pred_frame_dct alone of the seven flags
    bits.put(0b110, 3);     // chroma_420_type, progressive_frame, no composite display
}

/// Table B-12 and the additional bits of dct_diff.
void luma_dc(Bits& bits, int difference) {
    constexpr const char* size_codes[] = {"100", "00", "01", "101", "110", "1110", "11110", "111110", "1111110"};
    int size = 0;
    while (std::abs(difference) >> size != 0)
        ++size;
    bits.code(size_codes[size]);
    if (size > 0) bits.put(static_cast<unsigned>(difference > 0 ? difference : difference + (1 << size) - 1), size);
}

void slice(Bits& bits, char type, int luma) {
    bits.start_code(0x01);
    bits.put(8, 5);
    bits.put(0, 1);
    bits.code("1"); // macroblock_address_increment
    bits.code(type == 'I' ? "1" : "00011");
    for (int block = 0; block < 4; ++block) {
        luma_dc(bits, block == 0 ? luma - 128 : 0);
        bits.code("10"); // end of block
    }
    for (int block = 0; block < 2; ++block)
        bits.code("0010"); // chroma: difference 0, end of block
}

} // namespace

int grey_luma(std::int64_t display_index) { return 20 + static_cast<int>(display_index * 37 % 211); }

std::vector<GreyPicture> grey_stream(Codec codec, int pictures, bool b_pictures, int keyint) {
    struct Place {
        std::int64_t display;
        char type;
    };
    std::vector<Place> order;
    for (std::int64_t display = 0, before = -1; display < pictures; ++display) {
        const bool anchor = !b_pictures || display % 2 == 0 || display == pictures - 1;
        if (!anchor) continue;
        order.push_back({display, display % keyint == 0 ? 'I' : 'P'});
        for (std::int64_t between = before + 1; between < display; ++between)
            order.push_back({between, 'B'});
        before = display;
    }
    std::vector<GreyPicture> stream;
    std::int64_t group_first = 0; // display index of temporal_reference 0
    for (const Place& place : order) {
        Bits bits;
        if (place.type == 'I') {
            group_first = b_pictures && place.display > 0 ? place.display - 1 : place.display;
            sequence_header(bits, codec);
            group_header(bits, group_first);
        }
        picture_header(bits, codec, place.type, static_cast<int>(place.display - group_first));
        slice(bits, place.type, grey_luma(place.display));
        stream.push_back({bits.bytes(), place.display, place.type, grey_luma(place.display)});
    }
    return stream;
}

std::string sequence_end_code() { return std::string("\x00\x00\x01\xB7", 4); }

} // namespace tandem::test
