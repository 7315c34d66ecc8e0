// SPDX-License-Identifier: BSD-2-Clause
// What an encoder says of its decisions, against the stream taken apart, the samples, and itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "coding/mpeg/mode.h"
#include "encoder/mpeg/mpeg_decisions.h"
#include "files/little_endian.h"
#include "tests/bitstream/stream_parser.h"
#include "tests/encoder/encoded_clip.h"
#include "video/quality/quality.h"

namespace tandem {
namespace {

constexpr std::size_t most_tried = TriedModes::most;

using namespace test;

/// The columns of one record as numbers; doubles hold all that stand in these tests' records.
std::map<std::string, std::vector<double>, std::less<>> table_of(std::span<const std::uint8_t> record,
                                                                 std::size_t macroblocks) {
    const auto number = [](const std::uint8_t* at, std::string_view type) -> double {
        if (type == "u1") return *at;
        if (type == "<u2") return read_little_endian<std::uint16_t>(at);
        if (type == "<i2") return read_little_endian<std::int16_t>(at);
        if (type == "<u4") return read_little_endian<std::uint32_t>(at);
        if (type == "<f4") return read_little_endian<float>(at);
        if (type == "<f8") return read_little_endian<double>(at);
        const auto whole = read_little_endian<std::int64_t>(at);
        EXPECT_TRUE(type == "<i8" || type == "<u8") << type;
        return static_cast<double>(whole);
    };
    std::map<std::string, std::vector<double>, std::less<>> table;
    std::size_t at = 0;
    for (const DecisionColumn& column : mpeg_decision_columns()) {
        const std::size_t each = static_cast<std::size_t>(column.values) * static_cast<std::size_t>(column.places);
        const std::size_t count = each * (column.of == DecisionsOf::macroblock ? macroblocks : 1);
        const auto size = static_cast<std::size_t>(column.type.back() - '0');
        for (std::size_t i = 0; i < count; ++i, at += size) {
            if (at + size > record.size()) {
                ADD_FAILURE() << "the record ends in column " << column.name;
                return table;
            }
            table[std::string(column.name)].push_back(number(&record[at], column.type));
        }
    }
    EXPECT_EQ(at, record.size());
    return table;
}

Mv vector_at(const std::vector<double>& column, std::size_t macroblock) {
    return {static_cast<std::int16_t>(column[2 * macroblock]), static_cast<std::int16_t>(column[2 * macroblock + 1])};
}

struct Told {
    std::vector<std::uint8_t> stream;
    std::vector<CodedPicture> pictures;
    std::vector<std::vector<std::uint8_t>> records;
};

Told encode_told(Settings settings, const Clip& clip, bool keeps_decisions = true) {
    settings.keeps_decisions = keeps_decisions;
    Told told;
    Coprocessor motion({}, make_cpu_estimator(1));
    Encoder encoder(settings, format_of(clip), motion, [&](const EncodedPicture& picture) {
        told.pictures.push_back({picture.stats,
                                 picture.key,
                                 {picture.bytes.begin(), picture.bytes.end()},
                                 picture.source,
                                 picture.reconstruction});
        told.records.emplace_back(picture.decisions.begin(), picture.decisions.end());
        told.stream.insert(told.stream.end(), picture.bytes.begin(), picture.bytes.end());
    });
    for (const FramePtr& picture : clip)
        encoder.push(picture);
    const auto end = encoder.finish();
    told.stream.insert(told.stream.end(), end.begin(), end.end());
    return told;
}

Settings settings_of(Codec codec, Decision decision) {
    Settings settings = quick_settings(codec);
    settings.decision = decision;
    settings.bframes = 2;
    settings.keyint = 6;
    settings.mbtree = true;
    settings.plan_ahead = 6;
    return settings;
}

/// So that what is coded is the source, which residuals and trials are of.
Settings unfiltered(Settings settings) {
    settings.temporal_filter = 0;
    return settings;
}

class Decisions : public testing::TestWithParam<std::pair<Codec, Decision>> {
  protected:
    const Clip clip = scene_clip(100, 70, 9);
    const Settings settings = settings_of(GetParam().first, GetParam().second);
    static constexpr std::size_t macroblocks = 7 * 5;
};

TEST_P(Decisions, SayWhatTheStreamSays) {
    const Told told = encode_told(settings, clip);
    const ParsedStream parsed = parse_stream(told.stream);
    ASSERT_EQ(parsed.pictures.size(), told.records.size());
    for (std::size_t n = 0; n < told.records.size(); ++n) {
        SCOPED_TRACE(n);
        const auto table = table_of(told.records[n], macroblocks);
        const ParsedPicture& picture = parsed.pictures[n];
        EXPECT_EQ(table.at("coding")[0], static_cast<double>(n));
        EXPECT_EQ(table.at("display")[0], static_cast<double>(told.pictures[n].stats.display_index));
        EXPECT_EQ(table.at("type")[0], static_cast<double>(picture.code.type));
        EXPECT_EQ(table.at("f_code")[0], picture.code.f_code[0][0]);
        for (std::size_t i = 0; i < macroblocks; ++i) {
            SCOPED_TRACE(testing::Message() << "macroblock " << i);
            EXPECT_EQ(table.at("flags")[i], picture.code.flags[i]);
            const double* elements = &table.at("element_bits")[i * syntax_elements];
            EXPECT_EQ(std::accumulate(elements, elements + syntax_elements, 0.0), picture.macroblock_bits[i]);
            if ((picture.code.flags[i] & mb_skipped) == 0) {
                EXPECT_EQ(table.at("pattern")[i], picture.code.pattern[i]);
                if (picture.code.pattern[i] != 0) {
                    EXPECT_EQ(table.at("quantiser_code")[i], picture.code.quantiser_scale_code[i]);
                }
            }
            if ((picture.code.flags[i] & mb_forward) != 0) {
                EXPECT_EQ(vector_at(table.at("forward"), i), picture.code.forward[i]);
            }
            if ((picture.code.flags[i] & mb_backward) != 0) {
                EXPECT_EQ(vector_at(table.at("backward"), i), picture.code.backward[i]);
            }
        }
    }
}

TEST_P(Decisions, BitsAddUpToThePacket) {
    const Told told = encode_told(settings, clip);
    for (std::size_t n = 0; n < told.records.size(); ++n) {
        const auto table = table_of(told.records[n], macroblocks);
        const std::vector<double>& elements = table.at("element_bits");
        const double slices = std::accumulate(elements.begin(), elements.end(), 0.0);
        EXPECT_EQ(slices + table.at("header_bits")[0] + table.at("slice_header_bits")[0] + table.at("stuffing_bits")[0],
                  8.0 * static_cast<double>(told.pictures[n].bytes.size()));
        EXPECT_EQ(table.at("bits")[0], 8.0 * static_cast<double>(told.pictures[n].bytes.size()));
        EXPECT_EQ(table.at("slice_header_bits")[0], 5 * 38) << "a start code, five bits and one, in five rows";
        EXPECT_LT(table.at("stuffing_bits")[0], 5 * 8 + 8 * 1024);
    }
}

TEST_P(Decisions, ErrorsAreThoseOfTheSamples) {
    const Told told = encode_told(settings, clip);
    for (std::size_t n = 0; n < told.records.size(); ++n) {
        const auto table = table_of(told.records[n], macroblocks);
        const Frame &source = *told.pictures[n].source, &coded = *told.pictures[n].reconstruction;
        const SquaredErrors seen = squared_errors(source, coded, 100, 70);
        for (int plane = 0; plane < 3; ++plane) {
            const auto p = static_cast<std::size_t>(plane);
            EXPECT_EQ(table.at("squared_error")[p], static_cast<double>(seen.error[p]));
            double sum = 0;
            for (std::size_t i = 0; i < macroblocks; ++i)
                sum += table.at("distortion")[3 * i + p];
            EXPECT_EQ(
                sum, static_cast<double>(sum_of_squared_errors(source.plane(plane).view(), coded.plane(plane).view())));
        }
    }
}

TEST_P(Decisions, ResidualsAreWhatPredictionLeaves) {
    const Told told = encode_told(unfiltered(settings), clip);
    int looked_at = 0;
    for (std::size_t n = 0; n < told.records.size(); ++n) {
        const auto table = table_of(told.records[n], macroblocks);
        const PlaneView source = told.pictures[n].source->luma().view();
        const PlaneView coded = static_cast<const Frame&>(*told.pictures[n].reconstruction).luma().view();
        for (std::size_t i = 0; i < macroblocks; ++i) {
            const int x = static_cast<int>(i) % 7 * 16, y = static_cast<int>(i) / 7 * 16;
            const bool is_intra = (static_cast<int>(table.at("flags")[i]) & mb_intra) != 0;
            // Of luma that has no coefficients the reconstruction is the prediction.
            if (!is_intra && (static_cast<int>(table.at("pattern")[i]) & 60) != 0) continue;
            double sum = 0, squares = 0;
            for (int row = 0; row < 16; ++row) {
                for (int column = 0; column < 16; ++column) {
                    const double value =
                        source.at(x + column, y + row) - (is_intra ? 0 : coded.at(x + column, y + row));
                    sum += value;
                    squares += value * value;
                }
            }
            EXPECT_NEAR(table.at("residual")[i], is_intra ? squares - sum * sum / 256 : squares, is_intra ? 0.5 : 0);
            ++looked_at;
        }
    }
    EXPECT_GT(looked_at, 20);
}

TEST_P(Decisions, ACandidateIsChosenAndTheOthersCostMore) {
    const Told told = encode_told(settings, clip);
    // Other decisions have fixed factors, or look at the whole slice.
    const bool by_own_cost = settings.decision == Decision::cost;
    int lost = 0, were_cheaper = 0;
    for (std::size_t n = 0; n < told.records.size(); ++n) {
        const auto table = table_of(told.records[n], macroblocks);
        for (std::size_t i = 0; i < macroblocks; ++i) {
            const auto count = static_cast<std::size_t>(table.at("candidates")[i]);
            const auto chosen = static_cast<std::size_t>(table.at("chosen")[i]);
            ASSERT_LE(count, most_tried);
            if (told.pictures[n].stats.type == PictureType::intra) {
                EXPECT_EQ(count, 0U);
            }
            if (count == 0) {
                EXPECT_EQ(chosen, 255U);
                continue;
            }
            EXPECT_LT(chosen, count);
            for (std::size_t k = 0; k < count; ++k) {
                const double excess = table.at("candidate_excess")[most_tried * i + k];
                EXPECT_TRUE(excess >= 0 || !by_own_cost)
                    << excess << " of candidate " << k << " of macroblock " << i << ", picture " << n;
                lost += excess > 0;
                were_cheaper += excess < 0;
            }
            EXPECT_EQ(table.at("candidate_excess")[most_tried * i + chosen], 0);
            const int kind = static_cast<int>(table.at("flags")[i]) & (mb_intra | mb_forward | mb_backward);
            EXPECT_EQ(static_cast<int>(table.at("candidate_flags")[most_tried * i + chosen]) & 7,
                      kind == 0 ? mb_forward : kind);
        }
    }
    EXPECT_GT(lost, 50);
    if (settings.decision == Decision::rd) {
        EXPECT_GT(were_cheaper, 0);
        EXPECT_LT(were_cheaper, lost / 5);
    }
}

TEST_P(Decisions, AreTheSameOverThreadsAndChangeNoBit) {
    Settings parallel = settings;
    parallel.threads = 4;
    const Told one = encode_told(settings, clip), four = encode_told(parallel, clip);
    EXPECT_EQ(one.records, four.records);
    const Told silent = encode_told(settings, clip, false);
    EXPECT_EQ(one.stream, silent.stream);
    EXPECT_TRUE(std::ranges::all_of(silent.records, [](const auto& record) { return record.empty(); }));
}

/// What is said of the chosen one is what became of it.
TEST(DecisionsByRateAndDistortion, TheChosenOnesDistortionIsThatOfTheMacroblock) {
    for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
        for (const auto& record :
             encode_told(unfiltered(settings_of(codec, Decision::rd)), scene_clip(100, 70, 9)).records) {
            const auto table = table_of(record, 7 * 5);
            for (std::size_t i = 0; i < 7 * 5; ++i) {
                if (table.at("candidates")[i] == 0) continue;
                const auto chosen = static_cast<std::size_t>(table.at("chosen")[i]);
                const double* error = &table.at("distortion")[3 * i];
                EXPECT_EQ(table.at("candidate_distortion")[most_tried * i + chosen], error[0] + error[1] + error[2])
                    << i;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Codecs, Decisions,
                         testing::Values(std::pair(Codec::mpeg2, Decision::rd), std::pair(Codec::mpeg1, Decision::cost),
                                         std::pair(Codec::mpeg2, Decision::tm5),
                                         std::pair(Codec::mpeg1, Decision::sm3)),
                         [](const auto& one) { return "D" + std::to_string(static_cast<int>(one.param.second)); });

} // namespace
} // namespace tandem
