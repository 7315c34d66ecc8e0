// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>
#include <vector>

#include "files/byte_reader.h"
#include "machine/errors.h"
#include "scratch.h"

namespace tandem {
namespace {

std::string random_text(std::size_t size, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::string text(size, '\0');
    for (char& c : text)
        c = random() % 40 == 0 ? '\n' : static_cast<char>('a' + random() % 26);
    return text;
}

std::string as_text(std::span<const std::uint8_t> bytes) { return {bytes.begin(), bytes.end()}; }

/// Rows of random size in up to three places; nothing between them is written.
std::string read_rows_at_random(ByteReader& reader, std::mt19937& random) {
    std::array<std::vector<std::uint8_t>, 3> memory;
    std::array<ByteReader::Rows, 3> places;
    const std::size_t count = 1 + random() % places.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t width = 1 + random() % 700, gap = random() % 3;
        const std::size_t rows = 1 + random() % (random() % 8 == 0 ? 1500 : 4);
        memory[i].assign(rows * (width + gap), '#');
        places[i] = {memory[i].data(), width, static_cast<std::ptrdiff_t>(width + gap), rows};
    }
    const std::size_t got = reader.read_rows(std::span(places).first(count));
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t width = places[i].width, stride = static_cast<std::size_t>(places[i].stride);
        for (std::size_t y = 0; y < places[i].count; ++y) {
            const std::span<const std::uint8_t> row = std::span(memory[i]).subspan(y * stride, stride);
            text.append(as_text(row.first(width)));
            EXPECT_EQ(as_text(row.subspan(width)), std::string(stride - width, '#'));
        }
    }
    EXPECT_EQ(text.find_first_not_of('#', got), std::string::npos);
    return text.substr(0, got);
}

/// Peeks, reads and takes lines in random order; all must agree with `text`.
void read_at_random(ByteReader& reader, const std::string& text, std::uint32_t seed) {
    std::mt19937 random(seed);
    for (std::size_t at = 0; at < text.size() || !reader.peek(1).empty();) {
        const std::size_t wanted = 1 + random() % (random() % 20 == 0 ? 400000 : 300);
        ASSERT_EQ(as_text(reader.peek(wanted)), text.substr(at, std::min(wanted, ByteReader::peek_limit)));
        if (random() % 3 == 0) {
            const std::string rows = read_rows_at_random(reader, random);
            ASSERT_EQ(rows, text.substr(at, rows.size()));
            at += rows.size();
            if (!reader.peek(1).empty()) {
                ASSERT_LT(at, text.size());
            }
        } else if (random() % 2 == 0) {
            std::string part(wanted, '\0');
            const std::size_t got = reader.read({reinterpret_cast<std::uint8_t*>(part.data()), part.size()});
            part.resize(got);
            ASSERT_EQ(part, text.substr(at, wanted));
            at += got;
        } else {
            const ByteReader::Line line = reader.read_line(60);
            const std::size_t end = text.find('\n', at);
            const bool ended = end != std::string::npos && end < at + 60;
            ASSERT_EQ(line.ended, ended);
            ASSERT_EQ(line.text, text.substr(at, ended ? end - at : 60));
            at += line.text.size() + (ended ? 1 : 0);
        }
    }
    EXPECT_TRUE(reader.peek(10).empty());
}

TEST(ByteReader, PeeksReadsAndTakesLinesOfAFile) {
    const test::Scratch scratch;
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const std::string text = random_text(1000000, seed);
        ByteReader reader(scratch.file("x", text));
        EXPECT_EQ(reader.size(), text.size());
        read_at_random(reader, text, seed);
    }
}

TEST(ByteReader, ThreadsThatShareCopyingDoNotShow) {
    const test::Scratch scratch;
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const std::string text = random_text(3000000, seed);
        ByteReader reader(scratch.file("x", text));
        reader.share_copying(1 + static_cast<int>(seed % 5));
        read_at_random(reader, text, seed);
    }
}

TEST(ByteReader, AFileThatWasCutSinceGivesWhatIsLeft) {
    const test::Scratch scratch;
    const std::string text = random_text(2000000, 7);
    const std::string path = scratch.file("x", text);
    ByteReader reader(path);
    reader.share_copying(3);
    ASSERT_EQ(::truncate(path.c_str(), 1500001), 0);
    std::vector<std::uint8_t> rows(2000000, '#');
    const std::array<ByteReader::Rows, 2> halves{{{rows.data(), 1000, 1000, 1000}, {&rows[1000000], 1000, 1000, 1000}}};
    EXPECT_EQ(reader.read_rows(halves), 1500001u);
    EXPECT_EQ(as_text(std::span(rows).first(1500001)), text.substr(0, 1500001));
}

TEST(ByteReader, PeeksReadsAndTakesLinesOfAPipe) {
    for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const std::string text = random_text(100000, seed);
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        std::thread writer([&text, seed, end = ends[1]] {
            std::mt19937 random(seed);
            for (std::size_t at = 0; at < text.size();) {
                const std::size_t part = std::min<std::size_t>(text.size() - at, 1 + random() % 500);
                if (::write(end, text.data() + at, part) != static_cast<ssize_t>(part)) break;
                at += part;
            }
            ::close(end);
        });
        {
            ByteReader reader("/proc/self/fd/" + std::to_string(ends[0]));
            EXPECT_FALSE(reader.size());
            read_at_random(reader, text, seed);
        }
        writer.join();
        ::close(ends[0]);
    }
}

TEST(ByteReader, MovingTakesTheBufferAlong) {
    const test::Scratch scratch;
    ByteReader first(scratch.file("x", "one\ntwo\n"));
    EXPECT_EQ(first.read_line(10).text, "one");
    ByteReader second(std::move(first));
    EXPECT_EQ(second.read_line(10).text, "two");
    EXPECT_EQ(second.name(), scratch.path("x"));
}

TEST(ByteReader, ADirectoryIsRefused) {
    const test::Scratch scratch;
    EXPECT_THROW(ByteReader(scratch.path(".")), InputError);
}

} // namespace
} // namespace tandem
