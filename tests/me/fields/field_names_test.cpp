// SPDX-License-Identifier: BSD-2-Clause
// Which files a field has, vectors as exact as a file has them, and fields from pipes.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "files/npy_file.h"
#include "machine/errors.h"
#include "me/fields/field_file.h"
#include "tests/files/scratch.h"

namespace tandem {
namespace {

using test::Scratch;

/// Two blocks, all zero.
FieldRecord record_of(int candidates) {
    FieldRecord record{MotionField(32, 16, 16, 16, candidates), 1, -1};
    for (Candidate& candidate : record.field.all())
        candidate = {{}, 0, 0};
    return record;
}

void write(const std::string& path, const FieldRecord& record) {
    const auto writer = create_field_file(path);
    writer->write(record);
    writer->finish();
}

TEST(FieldNames, CandidatesOfAnOlderFieldDoNotStayBesideANewOne) {
    const Scratch scratch;
    write(scratch.path("a.npy"), record_of(4));
    {
        const auto unfinished = create_field_file(scratch.path("a.npy"));
        unfinished->write(record_of(1));
    }
    EXPECT_TRUE(std::filesystem::exists(scratch.path("a.candidates.npy"))) << "the old field is still there";
    write(scratch.path("a.npy"), record_of(1));
    EXPECT_EQ(scratch.names(), (std::vector<std::string>{"a.cost.npy", "a.distortion.npy", "a.npy"}));
}

TEST(FieldNames, AFieldKnowsItsFiles) {
    const Scratch scratch;
    for (const std::string name : {"a.npy", "a.cost.npy", "a.distortion.npy", "a.candidates.npy"}) {
        EXPECT_TRUE(is_field_file_of(scratch.path("a.npy"), scratch.path(name))) << name;
        EXPECT_TRUE(is_field_file_of(scratch.path("a.npy"), scratch.path("./" + name))) << name;
        EXPECT_FALSE(is_field_file_of(scratch.path("b.npy"), scratch.path(name))) << name;
    }
    EXPECT_FALSE(is_field_file_of(scratch.path("a.tmf"), scratch.path("a.cost.npy")));
    for (const char* name : {"f0001.flo", "f12345.flo"})
        EXPECT_TRUE(is_field_file_of(scratch.path("f%04d.flo"), scratch.path(name))) << name;
    for (const char* name : {"f1.flo", "f00001.flo", "f.flo", "fx001.flo", "f-001.flo", "f0001.npy", "sub/f0001.flo"})
        EXPECT_FALSE(is_field_file_of(scratch.path("f%04d.flo"), scratch.path(name))) << name;
    EXPECT_TRUE(is_field_file_of(scratch.path("f%d.flo"), scratch.path("f7.flo")));
    std::ofstream(scratch.path("f7.flo")) << "flow";
    std::filesystem::create_symlink("f7.flo", scratch.path("link.y4m"));
    EXPECT_TRUE(is_field_file_of(scratch.path("f%d.flo"), scratch.path("link.y4m")));
}

TEST(FieldFiles, OfAFolderAreFoundByTheNameAsItIsWritten) {
    const Scratch scratch;
    const std::string folder = scratch.path(""); // With its slash.
    write(folder + "/f-%d.flo", record_of(1));
    for (const char* name : {"f-%d.flo", "/f-%d.flo", "./f-%d.flo"}) {
        const auto reader = open_field_file(folder + name, {32, 16, 16, 16});
        EXPECT_TRUE(reader->read()) << name;
    }
    try {
        open_field_file(scratch.path("nowhere/f-%d.flo"));
        ADD_FAILURE() << "a folder that is not there has passed";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("nowhere/: the folder cannot be read"), std::string::npos)
            << error.what();
    }
}

TEST(ExactVectors, OfNumpyAreNotRounded) {
    const Scratch scratch;
    NpyWriter writer(AtomicFile(scratch.path("a.npy")), NpyType::float32, {1, 2, 2});
    writer.write(std::vector<float>{1.03F, -2.51F, std::nanf(""), 0});
    writer.finish();
    const auto reader = open_field_file(scratch.path("a.npy"), {32, 16, 16, 16});
    const auto record = reader->read();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->field.best(0, 0).mv, (Mv{8, -20}));
    ASSERT_EQ(reader->exact_vectors().size(), 2u);
    EXPECT_EQ(reader->exact_vectors()[0].x, 1.03F);
    EXPECT_EQ(reader->exact_vectors()[0].y, -2.51F);
    EXPECT_TRUE(std::isnan(reader->exact_vectors()[1].x) && std::isnan(reader->exact_vectors()[1].y));
}

TEST(ExactVectors, OfFlowsAreNotRounded) {
    const Scratch scratch;
    std::string flow = "PIEH";
    for (const std::int32_t side : {2, 1})
        flow.append(reinterpret_cast<const char*>(&side), sizeof(side));
    for (const float number : {0.3F, 0.7F, 1e10F, 1e10F})
        flow.append(reinterpret_cast<const char*>(&number), sizeof(number));
    for (const char* name : {"f-1.flo", "f0.flo", "f1.flo", "f2.flo"}) // No picture stands before number 0.
        std::ofstream(scratch.path(name), std::ios::binary) << flow;
    const auto reader = open_field_file(scratch.path("f%d.flo"), {2, 1, 1, 1});
    for (int n = 0; n < 2; ++n) {
        ASSERT_TRUE(reader->read());
        ASSERT_EQ(reader->exact_vectors().size(), 2u);
        EXPECT_EQ(reader->exact_vectors()[0].x, 0.3F);
        EXPECT_EQ(reader->exact_vectors()[0].y, 0.7F);
        EXPECT_TRUE(std::isnan(reader->exact_vectors()[1].x));
    }
    EXPECT_FALSE(reader->read());
}

TEST(ExactVectors, OfOurOwnFormatAreItsFields) {
    const Scratch scratch;
    write(scratch.path("a.tmf"), record_of(1));
    const auto reader = open_field_file(scratch.path("a.tmf"));
    ASSERT_TRUE(reader->read());
    EXPECT_TRUE(reader->exact_vectors().empty());
}

/// What is said of a field whose bytes come through a pipe, so that its end cannot be seen from its beginning.
std::string said_of_pipe(const std::string& path, const std::string& bytes, const FieldGeometry& geometry = {}) {
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
    std::string said = "accepted";
    try {
        const auto reader = open_field_file(path, geometry);
        while (reader->read()) {
        }
    } catch (const InputError& error) {
        said = error.what();
    }
    writer.join();
    ::unlink(path.c_str());
    return said;
}

TEST(FieldsFromPipes, MayBeOfAnyFormat) {
    const Scratch scratch;
    for (const char* name : {"a.tmf", "a.npy", "a.flo"}) {
        write(scratch.path(name), record_of(1));
        const std::string bytes = test::contents(scratch.path(name));
        EXPECT_EQ(said_of_pipe(scratch.path(std::string("pipe") + name), bytes, {32, 16, 16, 16}), "accepted") << name;
    }
}

TEST(FieldsFromPipes, AreWaitedForUntilTheCallerStops) {
    const Scratch scratch;
    std::atomic<bool> stop{false};
    for (const char* name : {"p.tmf", "p.npy", "p.flo"}) {
        const std::string path = scratch.path(name);
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
        stop = false;
        std::thread caller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            stop = true;
        });
        EXPECT_THROW(open_field_file(path, {32, 16, 16, 16}, &stop), InputError) << name;
        EXPECT_TRUE(stop);
        caller.join();
    }
}

TEST(FieldsFromPipes, AreReadToTheirEndAndNoFurther) {
    const Scratch scratch;
    write(scratch.path("a.tmf"), record_of(1));
    const std::string good = test::contents(scratch.path("a.tmf")), pipe = scratch.path("pipe.tmf");
    ASSERT_EQ(good.size(), 64u + 16 + 2 * 12 + 16);
    EXPECT_EQ(said_of_pipe(pipe, good), "accepted");
    const auto with = [&](std::size_t at, const std::string& text) {
        return std::string(good).replace(at, text.size(), text);
    };
    // A header that promises 3 GB: the end comes before the memory is taken.
    const std::string promise = with(16, std::string("\0\x40\0\0\0\x40\0\0\1\0\0\0\1\0\0\0", 16));
    for (const auto& [bytes, reason] : {std::pair{promise, "too early"},
                                        {good.substr(0, 90), "too early"},
                                        {good.substr(0, 104), "too early"},
                                        {with(112, "\x02"), "2 records"},
                                        {good + "x", "more bytes"}})
        EXPECT_NE(said_of_pipe(pipe, bytes).find(reason), std::string::npos) << reason;
}

} // namespace
} // namespace tandem
