// SPDX-License-Identifier: BSD-2-Clause
// Motion-field files: what is written comes back, the bytes are those of the document, what is broken is refused.
#include "me/fields/field_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "files/npy_file.h"
#include "machine/errors.h"
#include "tests/files/scratch.h"
#include "tests/me/fields/field_records.h"

namespace tandem {
namespace {

using test::bytes_of;
using test::contents;
using test::example;
using test::example_geometry;
using test::npy;
using test::read_all;
using test::Scratch;
using test::write;

MotionField random_field(int width, int height, int block_width, int block_height, int candidates, unsigned seed) {
    std::mt19937 random(seed);
    MotionField field(width, height, block_width, block_height, candidates);
    for (int row = 0; row < field.rows(); ++row)
        for (int column = 0; column < field.columns(); ++column) {
            const auto filled = random() % static_cast<unsigned>(candidates + 1);
            for (unsigned i = 0; i < filled; ++i) {
                const auto component = [&] {
                    return static_cast<std::int16_t>(static_cast<int>(random() % 65535) - 32767);
                };
                const std::int16_t x = component(), y = component();
                field.block(column, row)[i] = {{x, y}, static_cast<std::uint32_t>(random() % 100000), 100000 + i};
            }
        }
    return field;
}

/// The field as a format without costs gives it back: best vectors alone, at no cost.
MotionField without_costs(const MotionField& field) {
    MotionField best(field.picture_width(), field.picture_height(), field.block_width(), field.block_height(), 1);
    for (int row = 0; row < field.rows(); ++row)
        for (int column = 0; column < field.columns(); ++column) {
            const Candidate& from = field.best(column, row);
            if (from.distortion != UINT32_MAX) best.block(column, row)[0] = {from.mv, 0, 0};
        }
    return best;
}

std::string refusal(const std::string& path, const FieldGeometry& geometry = {}) {
    try {
        read_all(path, geometry);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(FieldFile, TandemsOwnFormatKeepsAll) {
    const Scratch scratch;
    const std::vector<FieldRecord> records{{random_field(67, 35, 16, 8, 3, 1), 5, -2},
                                           {random_field(67, 35, 16, 8, 3, 2), 3, 2},
                                           {random_field(67, 35, 16, 8, 3, 3), 1LL << 40, -1}};
    write(scratch.path("a.tmf"), records, "satd");
    EXPECT_EQ(read_all(scratch.path("a.tmf")), records);
    const auto reader = open_field_file(scratch.path("a.tmf"), {67, 0, 16, 0});
    EXPECT_EQ(reader->geometry(), (FieldGeometry{67, 35, 16, 8}));
    EXPECT_EQ(reader->metric(), "satd");
    EXPECT_TRUE(reader->has_costs());
}

TEST(FieldFile, NumpyAndFlowKeepBestVectors) {
    const Scratch scratch;
    for (const auto& [width, height, block_width, block_height] :
         {std::array{67, 35, 16, 8}, {16, 16, 16, 16}, {5, 3, 1, 1}, {33, 129, 128, 128}}) {
        std::vector<FieldRecord> records, expected;
        for (int n = 1; n <= 3; ++n) {
            const auto seed = static_cast<unsigned>(n);
            records.push_back({random_field(width, height, block_width, block_height, 2, seed), n, -1});
            expected.push_back({without_costs(records.back().field), n, -1});
        }
        const FieldGeometry geometry{width, height, block_width, block_height};
        for (const std::string name : {"a.npy", "a-%03d.flo"}) {
            write(scratch.path(name), records);
            EXPECT_EQ(read_all(scratch.path(name), geometry), expected) << name << " " << width;
            EXPECT_FALSE(open_field_file(scratch.path(name), geometry)->has_costs());
        }
    }
    EXPECT_TRUE(std::filesystem::exists(scratch.path("a-002.flo")));
}

TEST(FieldFile, NumpyHasCostsAndCandidatesBesideIt) {
    const Scratch scratch;
    const MotionField field = random_field(40, 24, 16, 16, 4, 9);
    write(scratch.path("a.npy"), {{field, 1, -1}});
    EXPECT_EQ(scratch.names(),
              (std::vector<std::string>{"a.candidates.npy", "a.cost.npy", "a.distortion.npy", "a.npy"}));
    NpyReader costs(scratch.path("a.cost.npy"));
    EXPECT_EQ(costs.shape(), (std::vector<std::int64_t>{1, 2, 3, 4}));
    std::vector<double> numbers(24);
    costs.read(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(numbers[i], field.all()[i].cost);
    const auto candidates = read_all(scratch.path("a.candidates.npy"), {40, 24, 16, 16});
    ASSERT_EQ(candidates.size(), 1U);
    ASSERT_EQ(candidates[0].field.candidates(), 4);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(candidates[0].field.all()[i].mv, field.all()[i].mv);
}

// Each number below is in docs/motion-fields.md.
TEST(FieldFile, TheWorkedExampleInBytes) {
    const Scratch scratch;
    write(scratch.path("a.tmf"), {example()}, "sad");
    const std::string bytes = contents(scratch.path("a.tmf"));
    ASSERT_EQ(bytes.size(), 64U + 16 + 6 * 12 + 16);
    EXPECT_EQ(bytes.substr(0, 16), std::string("\x89TMF\r\n\x1A\n\x01\0\0\0\x40\0\0\0", 16));
    EXPECT_EQ(bytes.substr(16, 24), std::string("\x28\0\0\0\x18\0\0\0\x10\0\0\0\x10\0\0\0\x01\0\0\0\x08\0\0\0", 24));
    EXPECT_EQ(bytes.substr(40, 24), std::string("sad") + std::string(21, '\0'));
    EXPECT_EQ(bytes.substr(64, 16), std::string("PAIR\xFF\xFF\xFF\xFF\x01\0\0\0\0\0\0\0", 16));
    EXPECT_EQ(bytes.substr(80, 12), std::string("\xEC\xFF\x08\0\x2C\x01\0\0\x36\x01\0\0", 12));
    EXPECT_EQ(bytes.substr(140, 12), std::string("\0\0\0\0", 4) + std::string(8, '\xFF'));
    EXPECT_EQ(bytes.substr(152), std::string("DONE\0\0\0\0\x01\0\0\0\0\0\0\0", 16));

    write(scratch.path("a.npy"), {example()});
    const std::string array = contents(scratch.path("a.npy"));
    ASSERT_EQ(array.size(), 128U + 6 * 8);
    EXPECT_EQ(array.substr(0, 10), std::string("\x93NUMPY\x01\0\x76\0", 10));
    EXPECT_NE(array.find("'shape': (1, 2, 3, 2), }"), std::string::npos);
    EXPECT_EQ(array.substr(128, 8), std::string("\0\0\x20\xC0\0\0\x80\x3F", 8)); // -2.5, 1

    write(scratch.path("a.flo"), {example()});
    const std::string flow = contents(scratch.path("a.flo"));
    ASSERT_EQ(flow.size(), 12U + 40 * 24 * 8);
    EXPECT_EQ(flow.substr(0, 12), std::string("PIEH\x28\0\0\0\x18\0\0\0", 12));
    EXPECT_EQ(flow.substr(12, 8), std::string("\0\0\x20\xC0\0\0\x80\x3F", 8));
    float unknown = 0;
    std::memcpy(&unknown, flow.data() + flow.size() - 4, 4);
    EXPECT_GT(unknown, 1e9F);
}

TEST(FieldFile, TheWorkedExampleAsText) {
    const Scratch scratch;
    write(scratch.path("a.yuview.csv"), {example()}, "sad");
    const std::string yuview = contents(scratch.path("a.yuview.csv"));
    EXPECT_EQ(yuview.substr(0, yuview.find("1;16;0")), "%;syntax-version;v1.2\n"
                                                       "%;seq-specs;tandem;0;40;24;0;\n"
                                                       "%;type;0;Motion;vector;\n"
                                                       "%;vectorColor;255;0;0;255\n"
                                                       "%;scaleFactor;8\n"
                                                       "%;type;1;Distortion sad;range;\n"
                                                       "%;defaultRange;0;8192;jet\n"
                                                       "%;gridColor;255;255;255;\n"
                                                       "1;0;0;16;16;0;-20;8\n");
    EXPECT_NE(yuview.find("\n1;32;0;8;16;0;-20;8\n"), std::string::npos);
    EXPECT_NE(yuview.find("\n1;16;16;16;8;1;300\n"), std::string::npos);
    EXPECT_EQ(yuview.find("\n1;32;16"), std::string::npos) << "the block without a vector";
    EXPECT_LT(yuview.rfind(";0;-20;8\n"), yuview.find(";1;300\n")) << "lines of one type stand together";

    write(scratch.path("a.csv"), {example()});
    EXPECT_EQ(contents(scratch.path("a.csv")),
              "framenum,source,w,h,src_x,src_y,dst_x,dst_y,flags,motion_x,motion_y,motion_scale\n"
              "1,-1,16,16,6,9,8,8,0x0,-20,8,8\n"
              "1,-1,16,16,22,9,24,8,0x0,-20,8,8\n"
              "1,-1,8,16,34,9,36,8,0x0,-20,8,8\n"
              "1,-1,16,8,6,21,8,20,0x0,-20,8,8\n"
              "1,-1,16,8,22,21,24,20,0x0,-20,8,8\n");

    write(scratch.path("a.jsonl"), {example()}, "sad");
    EXPECT_EQ(contents(scratch.path("a.jsonl")),
              "{\"picture\":1,\"reference_offset\":-1,\"picture_width\":40,\"picture_height\":24,"
              "\"block_width\":16,\"block_height\":16,\"rows\":2,\"columns\":3,\"candidates\":1,"
              "\"unit\":\"pel\",\"metric\":\"sad\","
              "\"vectors\":[[[[-2.5,1]],[[-2.5,1]],[[-2.5,1]]],[[[-2.5,1]],[[-2.5,1]],[null]]],"
              "\"distortions\":[[[300],[300],[300]],[[300],[300],[null]]],"
              "\"costs\":[[[310],[310],[310]],[[310],[310],[null]]]}\n");
}

TEST(FieldFile, AFlowsBlockHasTheVectorOfItsMiddle) {
    const Scratch scratch;
    MotionField pels(7, 5, 1, 1, 1);
    for (int y = 0; y < 5; ++y)
        for (int x = 0; x < 7; ++x)
            pels.block(x, y)[0] = {mv_from_pels(x, y), 0, 0};
    pels.block(2, 2)[0] = {};
    write(scratch.path("a.flo"), {{pels, 1, -1}});
    const auto records = read_all(scratch.path("a.flo"), {7, 5, 4, 4});
    ASSERT_EQ(records.size(), 1U);
    const MotionField& field = records[0].field;
    EXPECT_EQ(field.best(0, 0), Candidate{}) << "unknown at (2, 2)";
    EXPECT_EQ(field.best(1, 0).mv, mv_from_pels(4 + 3 / 2, 2));
    EXPECT_EQ(field.best(1, 1).mv, mv_from_pels(5, 4));
}

struct BrokenCase {
    std::string name, bytes, reason;
};

TEST(FieldFile, BrokenFilesAreRefusedByName) {
    const Scratch scratch;
    write(scratch.path("good.tmf"), {example()});
    write(scratch.path("good.flo"), {example()});
    const std::string good = contents(scratch.path("good.tmf")), flow = contents(scratch.path("good.flo"));
    const auto with = [](std::string bytes, std::size_t at, const std::string& text) {
        return bytes.replace(at, text.size(), text);
    };
    const std::string four("\xFF\xFF\xFF\x7F", 4);
    const std::string shape = "'shape': (1, 2, 3, 2)}";
    const std::string c_order = "{'descr': '<f4', 'fortran_order': False, ";
    const std::string data(48, '\0');
    const std::vector<BrokenCase> cases{
        {"empty.tmf", "", "not a motion field"},
        {"magic.tmf", with(good, 4, "\n"), "not a motion field"},
        {"cut_header.tmf", good.substr(0, 63), "not a motion field"},
        {"version.tmf", with(good, 8, "\x02"), "version 2"},
        {"header_size.tmf", with(good, 12, "\x41"), "65 bytes"},
        {"width_zero.tmf", with(good, 16, std::string(1, '\0')), "picture width is 0"},
        {"width_huge.tmf", with(good, 16, four), "picture width is 2147483647"},
        {"height_negative.tmf", with(good, 20, "\xFF\xFF\xFF\xFF"), "picture height is 4294967295"},
        {"block_zero.tmf", with(good, 24, std::string(1, '\0')), "block width is 0"},
        {"block_huge.tmf", with(good, 28, four), "block height is"},
        {"candidates.tmf", with(good, 32, "\x11"), "number of candidates is 17"},
        {"units.tmf", with(good, 36, "\x04"), "4 units per pel"},
        {"metric.tmf", with(good, 40, std::string(24, 'x')), "metric"},
        {"tag.tmf", with(good, 64, "pair"), "neither PAIR nor DONE"},
        {"offset.tmf", with(good, 68, std::string(4, '\0')), "reference offset 0"},
        {"reference.tmf", with(good, 72, std::string(1, '\0')), "picture 0"},
        {"picture.tmf", with(good, 79, "\x80"), "picture -"},
        {"vector.tmf", with(good, 80, std::string("\0\x80", 2)), "-32768"},
        {"vector_down.tmf", with(good, 82, std::string("\0\x80", 2)), "-32768"},
        {"cut_field.tmf", good.substr(0, 100), "was cut, or is broken: it has 100 bytes and no end record"},
        {"cut_end.tmf", good.substr(0, 152), "was cut"},
        {"count.tmf", with(good, 160, "\x02"), "2 records"},
        {"more.tmf", good + "x", "was cut"},
        {"late.tmf", with(good, 79, "\x40"), "the last that there may be"},
        {"empty.npy", "", "not a .npy"},
        {"text.npy", "NUMPY array", "not a .npy"},
        {"version.npy", npy(c_order + shape, data, 9), "version 9"},
        {"cut_header.npy", npy(c_order + shape, "").substr(0, 40), "ends within its header"},
        {"fortran.npy", npy("{'descr': '<f4', 'fortran_order': True, " + shape, data), "Fortran order"},
        {"quadruple.npy", npy("{'descr': '<f16', 'fortran_order': False, " + shape, data), "'<f16'"},
        {"sign.npy", npy("{'descr': '=i4', 'fortran_order': False, " + shape, data), "'=i4'"},
        {"byte.npy", npy("{'descr': '<i1', 'fortran_order': False, " + shape, data), "'<i1'"},
        {"complex.npy", npy("{'descr': '<c8', 'fortran_order': False, " + shape, data), "'<c8'"},
        {"record.npy", npy("{'descr': [('x', '<f4')], 'fortran_order': False, " + shape, data), "records"},
        {"keys.npy", npy("{'descr': '<f4', " + shape, data), "header of this .npy file is broken"},
        {"twice.npy", npy("{'descr': '<f4', 'descr': '<f4', " + shape, data), "header of this .npy file is broken"},
        {"negative.npy", npy(c_order + "'shape': (1, 2, -3, 2)}", data), "broken"},
        {"absurd.npy", npy(c_order + "'shape': (4294967296, 4294967296, 4294967296, 2)}", data), "absurdly large"},
        {"overflow.npy", npy(c_order + "'shape': (99999999999999999999, 2)}", data), "broken"},
        {"dimensions.npy", npy(c_order + "'shape': (1,1,1,1,1,1,1,1,1)}", data), "broken"},
        {"flat.npy", npy(c_order + "'shape': (12,)}", data), "(pairs, rows, columns, 2)"},
        {"three.npy", npy(c_order + "'shape': (1, 2, 2, 3)}", data), "(pairs, rows, columns, 2)"},
        {"rows.npy", npy(c_order + "'shape': (1, 3, 2, 2)}", data), "2 rows and 3 columns"},
        {"short.npy", npy(c_order + shape, data.substr(1)), "promises 48 bytes"},
        {"long.npy", npy(c_order + shape, data + "x"), "promises 48 bytes"},
        {"far.npy", npy(c_order + shape, bytes_of<float>({4096}) + data.substr(4)), "4095 7/8 pels"},
        {"far_down.npy", npy(c_order + shape, bytes_of<float>({0, -4096}) + data.substr(8)), "4095 7/8 pels"},
        {"many.npy", npy(c_order + "'shape': (1, 2, 3, 17, 2)}", std::string(816, '\0')), "1 to 16 candidates"},
        {"magic.flo", with(flow, 0, "HEIP"), "not a Middlebury"},
        {"cut.flo", flow.substr(0, 11), "not a Middlebury"},
        {"width.flo", with(flow, 4, four), "sides are 1 to 16384"},
        {"zero.flo", with(flow, 8, std::string(1, '\0')), "sides are 1 to 16384"},
        {"geometry.flo", with(flow, 4, "\x29"), "41x24"},
        {"short.flo", flow.substr(0, flow.size() - 1), "bytes"},
        {"long.flo", flow + "x", "bytes"},
        {"unknown.exe", "x", "extension '.exe'"},
        {"a.csv", "x", ".tmf, .npy, .flo"},
    };
    for (const BrokenCase& broken : cases) {
        const std::string message = refusal(scratch.file(broken.name, broken.bytes), example_geometry);
        EXPECT_NE(message.find(broken.reason), std::string::npos) << broken.name << ": " << message;
        EXPECT_NE(message.find(broken.name), std::string::npos) << message;
    }
    // A header that promises 12 MB and has 6 blocks: the end comes before the memory is taken.
    const std::string promise = with(with(good, 16, std::string("\0\x40", 2)), 20, std::string("\0\x40", 2));
    EXPECT_NE(refusal(scratch.file("promise.tmf", promise)).find("speaks of 1 records of"), std::string::npos);
    EXPECT_EQ(refusal(scratch.path("good.tmf"), example_geometry), "accepted");
    EXPECT_NE(refusal(scratch.path("good.tmf"), {40, 24, 8, 16}).find("blocks of 8x16 is wanted"), std::string::npos);
    EXPECT_NE(refusal(scratch.path("good.flo")).find("does not say all sizes"), std::string::npos);
    EXPECT_NE(refusal(scratch.path("no.tmf")).find("cannot be opened"), std::string::npos);
    EXPECT_NE(refusal(scratch.path("no-%d.flo"), example_geometry).find("no file of such a name"), std::string::npos);
}

TEST(FieldFile, RandomDamageIsReadOrRefused) {
    const Scratch scratch;
    std::mt19937 random(7);
    int refused = 0;
    for (const std::string name : {"a.tmf", "a.npy", "a.flo"}) {
        write(scratch.path(name), {example()}, "sad");
        const std::string good = contents(scratch.path(name));
        for (int round = 0; round < 300; ++round) {
            std::string bytes = good;
            for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
                bytes[random() % std::min<std::size_t>(bytes.size(), 160)] = static_cast<char>(random());
            if (random() % 4 == 0) bytes.resize(random() % bytes.size());
            const std::string message = refusal(scratch.file(name, bytes), example_geometry);
            refused += message == "accepted" ? 0 : 1;
        }
    }
    EXPECT_GT(refused, 450);
    EXPECT_LT(refused, 900);
}

TEST(FieldFile, WritersRefuseWhatTheyCannotHold) {
    const Scratch scratch;
    const auto message = [&](const std::string& name, const std::vector<FieldRecord>& records) -> std::string {
        try {
            write(scratch.path(name), records);
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    FieldRecord other = example();
    other.field = MotionField(40, 24, 16, 16, 2);
    FieldRecord early = example();
    early.picture = 0;
    FieldRecord of_itself = example(), late = example(), gap = example();
    of_itself.reference_offset = 0;
    late.picture = (std::int64_t{1} << 53) + 1; // More than arrays of doubles hold.
    gap.field = MotionField(40, 24, 16, 16, 2);
    gap.field.block(1, 1)[1] = {{8, 0}, 1, 1};
    EXPECT_NE(message("a.tmf", {example(), other}).find("fields of one kind"), std::string::npos);
    EXPECT_NE(message("a.csv", {early}).find("picture 0"), std::string::npos);
    EXPECT_NE(message("a.tmf", {of_itself}).find("cannot be predicted from picture 1"), std::string::npos);
    EXPECT_NE(message("a.npy", {late}).find("is beyond"), std::string::npos);
    EXPECT_NE(message("a.jsonl", {gap}).find("after an empty one"), std::string::npos);
    EXPECT_NE(message("a.flo", {example(), example()}).find("%04d"), std::string::npos);
    EXPECT_NE(message("a-%d-%d.flo", {example()}).find("one %d"), std::string::npos);
    EXPECT_NE(message("a.mkv", {example()}).find(".yuview.csv"), std::string::npos);
    for (const std::string name : {"a.tmf", "a.npy", "a.flo", "a.csv", "a.yuview.csv", "a.jsonl"})
        EXPECT_NE(message(name, {}).find("no field"), std::string::npos) << name;
    EXPECT_TRUE(scratch.names().empty()) << "a failed file leaves nothing behind";
}

TEST(FieldFile, AFullDiskIsAnError) {
    const Scratch scratch;
    const FieldRecord record{random_field(640, 480, 4, 4, 1, 4), 1, -1};
    for (const std::string name : {"a.tmf", "a.npy", "a.flo", "a.csv", "a.yuview.csv", "a.jsonl", "a-%d.flo"}) {
        const test::FileSizeLimit limit(65536);
        EXPECT_THROW(write(scratch.path(name), {record}), RunError) << name;
    }
    EXPECT_TRUE(scratch.names().empty());
}

TEST(FieldFile, NumpyReadsOurArrays) {
    const std::string python = test::run("python3 -c 'import numpy'").status == 0 ? "python3" : "/usr/bin/python3";
    if (test::run(python + " -c 'import numpy'").status != 0) GTEST_SKIP() << "python3 has no numpy";
    const Scratch scratch;
    FieldRecord record = example();
    write(scratch.path("a.npy"), {record, record});
    const auto result = test::run(
        python + " -c \"import numpy as n; v=n.load('" + scratch.path("a.npy") + "'); c=n.load('" +
        scratch.path("a.cost.npy") +
        "'); print(v.shape, v.dtype, v[1,0,2].tolist(), n.isnan(v[0,1,2]).tolist(), c.shape, c.dtype, c[0,0,0,0])\"");
    EXPECT_EQ(result.output, "(2, 2, 3, 2) float32 [-2.5, 1.0] [True, True] (2, 2, 3, 1) uint32 310\n");
}

} // namespace
} // namespace tandem
