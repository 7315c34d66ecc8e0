// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/coding/coding_tables.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "bitstream/mpeg/code_length.h"
#include "bitstream/mpeg/code_tables.h"
#include "coding/mpeg/kernels/transform_tables.h"
#include "coding/mpeg/quantiser/quantiser_ladder.h"

namespace tandem::cuda {

namespace {

void copy_coefficient_bits(const MpegTools& tools, bool intra, std::uint8_t (&to)[64][64]) {
    const bool b15 = intra && tools.intra_vlc;
    const auto& lengths = code_length_tables::coefficient[b15][tools.codec == Codec::mpeg1];
    for (std::size_t run = 0; run < 64; ++run)
        std::copy(lengths[run].begin(), lengths[run].end(), to[run]);
}

template <std::size_t size> void copy_lengths(const std::array<VlcCode, size>& codes, std::uint8_t (&to)[size]) {
    std::ranges::transform(codes, to, [](const VlcCode& code) { return static_cast<std::uint8_t>(code.length); });
}

} // namespace

CodingTables make_coding_tables(const MpegTools& tools) {
    CodingTables tables{};
    std::ranges::copy(scan_order(tools.alternate_scan), tables.scan);
    copy_coefficient_bits(tools, false, tables.coefficient_bits[0]);
    copy_coefficient_bits(tools, true, tables.coefficient_bits[1]);
    std::ranges::copy(code_length_tables::motion_code, tables.motion_code_bits);
    std::ranges::copy(code_length_tables::macroblock_type, tables.macroblock_type_bits);
    copy_lengths(macroblock_type_codes.codes, tables.coded_type_bits);
    copy_lengths(address_increment_codes, tables.increment_bits);
    std::ranges::copy(code_length_tables::coded_block_pattern, tables.pattern_bits);
    for (std::size_t i = 0; i < 2; ++i)
        copy_lengths(dc_size_codes[i], tables.dc_size_bits[i]);
    for (int code = 1; code < 32; ++code)
        tables.sad_lambda_q8[code] = sad_lambda_q8(quantiser_scale(code, tools.non_linear_quantiser));
    for (int k = 0; k < 8; ++k) {
        for (int n = 0; n < 8; ++n) {
            tables.forward_columns[k][n] = forward_columns[k][n];
            tables.forward_rows[k][n] = forward_rows[n / 2][k][n % 2];
        }
    }
    std::ranges::copy(inverse_scale, tables.inverse_scale);
    return tables;
}

std::vector<std::uint32_t> slices_by_macroblock(std::span<const SliceExtent> slices) {
    std::vector<std::uint32_t> of(static_cast<std::size_t>(slices.back().end));
    for (std::size_t slice = 0; slice < slices.size(); ++slice)
        std::fill(of.begin() + slices[slice].first, of.begin() + slices[slice].end, static_cast<std::uint32_t>(slice));
    return of;
}

CodingTask task_of(const MpegTools& tools, const MpegCodingJob& job) {
    CodingTask task;
    task.type = job.type;
    task.mpeg1 = tools.codec == Codec::mpeg1;
    task.columns = tools.columns;
    task.rows = tools.rows;
    task.slices = static_cast<int>(job.picture.slices.size());
    task.decision = tools.decision;
    task.intra_threshold = tools.intra_threshold;
    task.intra_refresh = tools.intra_refresh;
    task.null_threshold = tools.null_threshold;
    task.null_gain = tools.null_gain;
    task.trellis = tools.trellis;
    task.intra_b15 = tools.intra_vlc;
    for (std::size_t i = 0; i < 2; ++i) {
        const bool exists = i == 0 ? job.type != PictureType::intra : job.type == PictureType::bidirectional;
        if (!exists) continue;
        const SearchParams& params = job.refinement[i];
        task.direction[i].exists = true;
        task.direction[i].candidates = job.fields[i].candidates();
        std::ranges::copy(job.f_codes[i], task.direction[i].f_code);
        task.direction[i].refinement = {params.lambda_q8, params.rate_unit, params.null_threshold, params.null_level,
                                        params.null_gain};
    }
    return task;
}

void unpack_levels(std::span<const std::int16_t> packed, std::span<const std::uint32_t> packed_at,
                   MpegPicture& picture) {
    for (std::size_t i = 0; i < packed_at.size(); ++i) {
        const bool intra = (picture.flags[i] & mb_intra) != 0;
        if (!intra && picture.pattern[i] == 0) continue;
        const std::int16_t* from = packed.data() + packed_at[i];
        for (std::size_t block = i * 6; block < i * 6 + 6; ++block) {
            std::int16_t* to = &picture.levels[block * 64];
            for (std::uint64_t mask = picture.nonzero[block] | (intra ? 1 : 0); mask != 0; mask &= mask - 1)
                to[std::countr_zero(mask)] = *from++;
        }
    }
}

} // namespace tandem::cuda
