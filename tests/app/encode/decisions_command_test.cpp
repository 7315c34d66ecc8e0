// SPDX-License-Identifier: BSD-2-Clause
// `tandem encode --decisions`, from the outside: its file, when it appears, and how NumPy reads it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "files/little_endian.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

using Json = nlohmann::json;

class DecisionsCommand : public testing::Test {
  protected:
    void SetUp() override { write_file(folder_ / "clip.y4m", y4m_clip(72, 40, 7)); }
    Outcome encode(std::vector<std::string> options) const {
        options.insert(options.begin(), {"encode", "clip.y4m", "-o", "clip.m2v", "-q"});
        return run_command(folder_.path(), options);
    }
    std::string decisions(const std::vector<std::string>& options, const std::string& name = "clip.tdf") const {
        std::vector<std::string> all{"--decisions", name};
        all.insert(all.end(), options.begin(), options.end());
        const Outcome outcome = encode(all);
        EXPECT_EQ(outcome.code, 0) << outcome.errors;
        return read_file(folder_ / name);
    }
    static std::uint32_t number(const std::string& file, std::size_t at) {
        return read_little_endian<std::uint32_t>(reinterpret_cast<const std::uint8_t*>(file.data()) + at);
    }
    static Json header(const std::string& file) { return Json::parse(file.substr(16, number(file, 12) - 16)); }
    TemporaryFolder folder_;
};

TEST_F(DecisionsCommand, HeaderAndRecords) {
    const std::string file = decisions({"--bitrate", "300", "--vbv-maxrate", "400", "--vbv-bufsize", "200"});
    EXPECT_EQ(file.substr(0, 8), "\x89TDF\r\n\x1a\n");
    EXPECT_EQ(number(file, 8), 1U);
    EXPECT_EQ(number(file, 12) % 64, 0U);
    const Json head = header(file);
    EXPECT_EQ(head["width"], 72);
    EXPECT_EQ(head["columns"], 5);
    EXPECT_EQ(head["rows"], 3);
    EXPECT_EQ(head["codec"], "mpeg2");
    EXPECT_EQ(head["frame_rate"], Json::parse("[25, 1]"));
    EXPECT_EQ(head["buffer"]["bits_per_second"], 400000);
    EXPECT_EQ(head["buffer"]["buffer_bits"], 200000 / 16384 * 16384);
    EXPECT_EQ(head["settings"]["bitrate"], 300);
    EXPECT_FALSE(head["settings"].contains("threads"));
    EXPECT_EQ(head["dtype"]["names"].size(), head["dtype"]["formats"].size());
    EXPECT_EQ(head["says"].size(), head["dtype"]["names"].size());
    EXPECT_EQ((file.size() - number(file, 12)) % 7, 0U);
    EXPECT_EQ(header(decisions({}))["buffer"], nullptr);
}

TEST_F(DecisionsCommand, ThreadsChangeNothing) {
    const std::string one = decisions({"--threads", "1"});
    const std::string stream = read_file(folder_ / "clip.m2v");
    EXPECT_TRUE(one == decisions({"--threads", "3"}));
    EXPECT_EQ(encode({}).code, 0);
    EXPECT_TRUE(stream == read_file(folder_ / "clip.m2v")) << "the stream is another one without --decisions";
}

TEST_F(DecisionsCommand, AppearsWithTheStreamOrNotAtAll) {
    write_file(folder_ / "clip.tdf", "before");
    EXPECT_EQ(encode({"--decisions", "clip.tdf", "--report", "/dev/full"}).code, 1);
    EXPECT_EQ(read_file(folder_ / "clip.tdf"), "before");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "clip.m2v"));
    EXPECT_EQ(encode({"--decisions", "/dev/full"}).code, 1);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "clip.m2v"));
    const Outcome shared = encode({"--decisions", "clip.y4m"});
    EXPECT_EQ(shared.code, 2);
    EXPECT_NE(shared.errors.find("--decisions"), std::string::npos) << shared.errors;
}

TEST_F(DecisionsCommand, IntoAPipe) {
    const std::string file = decisions({});
    const Outcome outcome = encode({"--decisions", "-"});
    EXPECT_EQ(outcome.code, 0) << outcome.errors;
    EXPECT_TRUE(outcome.output == file);
}

/// The first block of Python in a document.
std::string python_of(const std::string& document) {
    const std::string begin = "```python\n";
    const std::size_t at = document.find(begin) + begin.size();
    return document.substr(at, document.find("```", at) - at);
}

TEST_F(DecisionsCommand, NumPyReadsItInThreeLines) {
    std::string interpreter;
    for (const std::string name : {"python3", "/usr/bin/python3"}) {
        if (interpreter.empty() && std::system((name + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
            interpreter = name;
    }
    if (interpreter.empty()) GTEST_SKIP() << "no Python with NumPy is here";
    const std::string lines = python_of(read_file(TANDEM_ROOT "/docs/view.md"));
    EXPECT_EQ(std::ranges::count(lines, '\n'), 3);
    decisions({"--csv", "clip.csv"});
    const std::string check = R"(
import csv
rows = list(csv.DictReader(open("clip.csv")))
assert len(rows) == len(pictures) == 7
for row, picture in zip(rows, pictures):
    flags = picture["flags"]
    assert flags.shape == (3, 5) and picture["candidate_forward"].shape == (3, 5, 17, 2)
    assert int(row["coding"]) == picture["coding"] and int(row["display"]) == picture["display"]
    assert "?IPB"[picture["type"]] == row["type"]
    assert int(row["bytes"]) * 8 == picture["bits"]
    assert int(row["skipped"]) == ((flags & 8) != 0).sum() and int(row["intra"]) == (flags & 1).sum()
    psnr = 10 * numpy.log10(255 ** 2 * 72 * 40 / picture["squared_error"][0])
    assert abs(psnr - float(row["psnr_y"])) < 1e-4
print("read")
)";
    write_file(folder_ / "read.py", lines + check);
    const std::string command = fmt::format("cd '{}' && {} read.py > said.txt 2>&1", folder_.path(), interpreter);
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read_file(folder_ / "said.txt"), "read\n");
}

} // namespace
} // namespace tandem::test
