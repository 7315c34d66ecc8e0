// SPDX-License-Identifier: BSD-2-Clause
#include "bitstream/mpeg/macroblock_writer.h"

#include <bit>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "bitstream/mpeg/code_tables.h"
#include "bitstream/mpeg/vlc_tables.h"

namespace tandem {

namespace {

// Apart from the hot path, so that its callers stay small enough to be inlined into each other.
[[noreturn, gnu::noinline, gnu::cold]] void refuse(const char* message, int address) {
    throw std::invalid_argument("macroblock " + std::to_string(address) + ": " + message);
}
[[noreturn, gnu::noinline, gnu::cold]] void refuse_vector(int eighths, int f_code, int address) {
    const std::string component = "a vector component of " + std::to_string(eighths) + "/8 pels ";
    if (eighths % eighths_per_half_pel != 0) refuse((component + "is not at a half-pel").c_str(), address);
    refuse((component + "does not fit f_code " + std::to_string(f_code)).c_str(), address);
}

} // namespace

/// Codes strung together, to be put at once.
struct MacroblockWriter::Bits {
    std::uint64_t value = 0;
    int count = 0;
    void add(std::uint64_t more, int more_count) {
        value = (value << more_count) | more;
        count += more_count;
    }
    void add(VlcCode code) { add(code.bits, code.length); }
};

/// What nobody asks for costs nothing.
struct MacroblockWriter::CountNothing {
    void begin(const Burst&) {}
    void add(SyntaxElement, int) {}
    void reach(SyntaxElement, const Burst&) {}
};

struct MacroblockWriter::CountElements {
    MacroblockBits& bits;
    std::uint64_t counted = 0; ///< Bits of the writer so far that are counted or not to be counted.

    void begin(const Burst& out) { counted = out.bit_count(); }
    /// Bits that are about to be put.
    void add(SyntaxElement element, int count) {
        bits.at(element) = static_cast<std::uint16_t>(bits.at(element) + count);
        counted += static_cast<std::uint64_t>(count);
    }
    /// All that was put since.
    void reach(SyntaxElement element, const Burst& out) { add(element, static_cast<int>(out.bit_count() - counted)); }
};

MacroblockWriter::MacroblockWriter(const MpegPicture& picture, Codec codec, int first, int quantiser_scale_code)
    : picture_(picture), mpeg1_(codec == Codec::mpeg1),
      codes_(mpeg1_ ? mpeg1_coefficient_codes : mpeg2_b14_coefficient_codes),
      intra_codes_(picture.intra_vlc_format ? mpeg2_b15_coefficient_codes : codes_),
      dc_reset_(128 << (picture.intra_dc_precision - 8)), quantiser_(quantiser_scale_code),
      coded_before_(first / picture.mb_columns * picture.mb_columns - 1) {
    reset_dc();
}

void MacroblockWriter::write(BitWriter& writer, int address) {
    CountNothing nothing;
    write_counted(writer, address, nothing);
}

void MacroblockWriter::write(BitWriter& writer, int address, MacroblockBits& bits) {
    bits = {};
    CountElements elements{bits};
    write_counted(writer, address, elements);
}

template <class Count> void MacroblockWriter::write_counted(BitWriter& writer, int address, Count& count) {
    if ((picture_.flags[static_cast<std::size_t>(address)] & mb_skipped) != 0) {
        skip(address);
    } else {
        macroblock(writer, address, count);
        coded_before_ = address;
    }
}

void MacroblockWriter::skip(int address) {
    const auto at = static_cast<std::size_t>(address);
    if (picture_.type == PictureType::intra) refuse("an I picture skips no macroblock", address);
    reset_dc();
    if (picture_.type == PictureType::predicted) {
        reset_vectors();
        return;
    }
    const int flags = picture_.flags[at] & (mb_intra | mb_forward | mb_backward);
    const int before = picture_.flags[at - 1] & (mb_intra | mb_forward | mb_backward);
    const bool repeats = flags == before && (flags & mb_intra) == 0 &&
                         ((flags & mb_forward) == 0 || picture_.forward[at] == picture_.forward[at - 1]) &&
                         ((flags & mb_backward) == 0 || picture_.backward[at] == picture_.backward[at - 1]);
    if (!repeats) refuse("skipped in a B picture, but does not repeat the predicted macroblock before it", address);
}

template <class Count> void MacroblockWriter::macroblock(BitWriter& writer, int address, Count& count) {
    const auto at = static_cast<std::size_t>(address);
    constexpr std::size_t most_block_bytes = (20 + 64 * 28 + 4 + 7) / 8;
    constexpr std::size_t most_header_bytes = 32;
    int increment = address - coded_before_;
    const auto escapes = static_cast<std::size_t>((increment - 1) / macroblock_escape_step);
    Burst out(writer, most_header_bytes + 2 * escapes + 6 * most_block_bytes);
    count.begin(out);

    for (; increment > macroblock_escape_step; increment -= macroblock_escape_step) {
        out.put(macroblock_escape.bits, macroblock_escape.length);
    }
    count.reach(SyntaxElement::address, out);
    Bits bits;
    bits.add(address_increment_codes[static_cast<std::size_t>(increment)]);
    count.add(SyntaxElement::address, bits.count);
    const bool pattern_follows = macroblock_modes(bits, address, count);
    out.put(bits.value, bits.count);

    const int flags = picture_.flags[at];
    if ((flags & mb_intra) != 0) {
        reset_vectors();
        intra_blocks(out, address, count);
        return;
    }
    reset_dc();
    motion_vectors(out, address, flags);
    count.reach(SyntaxElement::vectors, out);
    if (pattern_follows) non_intra_blocks(out, address, picture_.pattern[at], count);
}

/// macroblock_type and quantiser_scale_code; returns macroblock_pattern.
template <class Count> bool MacroblockWriter::macroblock_modes(Bits& bits, int address, Count& count) {
    const auto at = static_cast<std::size_t>(address);
    const int flags = picture_.flags[at];
    const int pattern = picture_.pattern[at];
    const bool intra = (flags & mb_intra) != 0;
    const int quantiser = picture_.quantiser_scale_code[at];
    if (flags > (mb_intra | mb_forward | mb_backward)) refuse("unknown flags", address);
    const bool quant = pattern != 0 && quantiser != quantiser_;
    const VlcCode type = macroblock_type_codes.at(picture_.type, flags, pattern != 0 && !intra, quant);
    if (type.length == 0) refuse("no macroblock_type says its flags and pattern in this picture", address);
    if (intra ? pattern != 63 : pattern > 63) refuse("coded_block_pattern is 0..63, and 63 for intra", address);
    bits.add(type);
    count.add(SyntaxElement::type, type.length);
    if (quant) {
        if (quantiser < 1 || quantiser > 31) refuse("quantiser_scale_code is 1..31", address);
        bits.add(static_cast<std::uint64_t>(quantiser), 5);
        count.add(SyntaxElement::quantiser, 5);
        quantiser_ = quantiser;
    }
    return pattern != 0 && !intra;
}

/// Clause 6.2.5.2, of both directions. Clause 7.6.3.4: a P macroblock without a vector resets the prediction.
void MacroblockWriter::motion_vectors(Burst& out, int address, int flags) {
    const auto at = static_cast<std::size_t>(address);
    if ((flags & (mb_forward | mb_backward)) == 0) reset_vectors();
    for (const std::size_t direction : {0U, 1U}) {
        if ((flags & (direction == 0 ? mb_forward : mb_backward)) == 0) continue;
        const Mv mv = direction == 0 ? picture_.forward[at] : picture_.backward[at];
        Bits bits;
        motion_component(bits, mv.x, picture_.f_code[direction][0], vectors_[direction][0], address);
        motion_component(bits, mv.y, picture_.f_code[direction][1], vectors_[direction][1], address);
        out.put(bits.value, bits.count);
    }
}

/// motion_code and motion_residual (clause 6.2.5.2.1); the arithmetic of clause 7.6.3.1, turned round.
void MacroblockWriter::motion_component(Bits& bits, int eighths, int f_code, int& predictor, int address) {
    const int half_pels = eighths / eighths_per_half_pel;
    const int residual_bits = f_code - 1;
    const int half_range = 16 << residual_bits;
    const bool fits = eighths % eighths_per_half_pel == 0 && half_pels >= -half_range && half_pels < half_range;
    if (!fits) refuse_vector(eighths, f_code, address);
    const int difference = ((half_pels - predictor + half_range) & (2 * half_range - 1)) - half_range;
    predictor = half_pels;
    if (difference == 0) {
        bits.add(1, 1);
        return;
    }
    const int magnitude = std::abs(difference) - 1 + (1 << residual_bits);
    const int code = magnitude >> residual_bits;
    bits.add(motion_codes[static_cast<std::size_t>(16 + (difference < 0 ? -code : code))]);
    bits.add(static_cast<std::uint64_t>(magnitude & ((1 << residual_bits) - 1)), residual_bits);
}

/// block(i) of clause 6.2.6, for the six of an intra macroblock.
template <class Count> void MacroblockWriter::intra_blocks(Burst& out, int address, Count& count) {
    const auto first = static_cast<std::size_t>(address) * 6;
    for (std::size_t block = 0; block < 6; ++block) {
        const std::int16_t* levels = &picture_.levels[(first + block) * 64];
        dc_coefficient(out, levels[0], block < 4 ? 0 : static_cast<int>(block) - 3, address);
        count.reach(SyntaxElement::dc, out);
        coefficients(out, picture_.nonzero[first + block] & ~std::uint64_t{1}, levels, 1, intra_codes_, address);
        count.reach(SyntaxElement::coefficient, out);
    }
}

/// coded_block_pattern and the block(i) of clause 6.2.6 that it names.
template <class Count> void MacroblockWriter::non_intra_blocks(Burst& out, int address, int pattern, Count& count) {
    const VlcCode code = coded_block_pattern_codes[static_cast<std::size_t>(pattern)];
    out.put(code.bits, code.length);
    count.reach(SyntaxElement::pattern, out);
    const auto first = static_cast<std::size_t>(address) * 6;
    for (auto left = static_cast<unsigned>(pattern); left != 0; left ^= std::bit_floor(left)) {
        const auto block = static_cast<std::size_t>(6 - std::bit_width(left));
        const std::int16_t* levels = &picture_.levels[(first + block) * 64];
        std::uint64_t nonzero = picture_.nonzero[first + block];
        if (nonzero == 0) refuse("coded_block_pattern names a block without coefficients", address);
        int next = 0;
        if ((nonzero & 1) != 0 && std::abs(levels[0]) == 1) {
            out.put(levels[0] < 0 ? 3 : 2, table_b14_first.length + 1);
            nonzero &= nonzero - 1;
            next = 1;
        }
        coefficients(out, nonzero, levels, next, codes_, address);
    }
    count.reach(SyntaxElement::coefficient, out);
}

/// dct_dc_size and dct_dc_differential (clause 7.2.1). `component`: 0 luma, 1 Cb, 2 Cr.
void MacroblockWriter::dc_coefficient(Burst& out, int dc, int component, int address) {
    if (dc < 0 || dc >= 2 * dc_reset_) refuse("intra DC is outside the range of intra_dc_precision", address);
    int& predictor = dc_[static_cast<std::size_t>(component)];
    const int difference = dc - predictor;
    predictor = dc;
    const int size = static_cast<int>(std::bit_width(static_cast<unsigned>(std::abs(difference))));
    Bits bits;
    bits.add(dc_size_codes[component != 0][static_cast<std::size_t>(size)]);
    const int offset = difference < 0 ? (1 << size) - 1 : 0;
    bits.add(static_cast<std::uint64_t>(difference + offset), size);
    out.put(bits.value, bits.count);
}

/// Run and level of each set bit, from scan position `next` on, and end_of_block.
void MacroblockWriter::coefficients(Burst& out, std::uint64_t nonzero, const std::int16_t* levels, int next,
                                    const CoefficientCodes& codes, int address) {
    for (; nonzero != 0; nonzero &= nonzero - 1) {
        const int position = std::countr_zero(nonzero);
        const int run = position - next;
        const int level = levels[position];
        next = position + 1;
        if (CoefficientCodes::holds(level)) {
            const std::uint32_t entry = codes.at(run, level);
            if (entry == 0) refuse("a coefficient marked as not zero is zero", address);
            out.put(entry >> 8, static_cast<int>(entry & 0xFF));
        } else {
            const Bits escape = long_escape(run, level, address);
            out.put(escape.value, escape.count);
        }
    }
    out.put(codes.end_of_block >> 8, static_cast<int>(codes.end_of_block & 0xFF));
}

/// Escapes beyond CoefficientCodes: 13818-2 table B-16; 11172-2 table 2-B.5g, where 16 bits say 128 to 255 as 8 zero
/// bits (or 1000 0000 where negative) before the low 8 bits of the level.
MacroblockWriter::Bits MacroblockWriter::long_escape(int run, int level, int address) const {
    const int limit = mpeg1_ ? 255 : 2047;
    if (level < -limit || level > limit) {
        const std::string message = "level " + std::to_string(level) + " is beyond " + std::to_string(limit);
        refuse(message.c_str(), address);
    }
    const auto low = [level](int count) { return static_cast<std::uint64_t>(level) & ((1U << count) - 1); };
    Bits bits;
    bits.add(coefficient_escape);
    bits.add(static_cast<std::uint64_t>(run), 6);
    if (!mpeg1_) {
        bits.add(low(12), 12);
    } else if (level >= -127 && level <= 127) {
        bits.add(low(8), 8);
    } else {
        bits.add(level < 0 ? 0x80 : 0x00, 8);
        bits.add(low(8), 8);
    }
    return bits;
}

} // namespace tandem
