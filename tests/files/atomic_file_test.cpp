// SPDX-License-Identifier: BSD-2-Clause
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "files/atomic_file.h"
#include "files/byte_reader.h"
#include "files/file_name.h"
#include "files/temporary_file.h"
#include "machine/errors.h"
#include "no_descriptors.h"
#include "scratch.h"
#include "tests/video/thrown_message.h"

namespace tandem {
namespace {

mode_t mode_of(const std::string& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

TEST(AtomicFile, AppearsOnlyWhenFinished) {
    const test::Scratch scratch;
    AtomicFile file(scratch.path("out"));
    file.write("one ");
    EXPECT_FALSE(std::filesystem::exists(scratch.path("out")));
    EXPECT_EQ(scratch.names().size(), 1U) << "the temporary file stands beside it";
    EXPECT_EQ(std::filesystem::path(file.temporary_path()).parent_path(),
              std::filesystem::path(scratch.path("out")).parent_path());
    EXPECT_NE(file.temporary_path(), file.path());
    file.write("two");
    file.finish();
    EXPECT_EQ(test::contents(scratch.path("out")), "one two");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, UnfinishedLeavesTheTargetAndNothingElse) {
    const test::Scratch scratch;
    scratch.file("out", "before");
    {
        AtomicFile file(scratch.path("out"));
        file.write(std::string(1000000, 'x'));
    }
    EXPECT_EQ(test::contents(scratch.path("out")), "before");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, TwoToOneTargetDoNotMeet) {
    const test::Scratch scratch;
    AtomicFile first(scratch.path("out")), second(scratch.path("out"));
    first.write("first");
    second.write("second");
    second.finish();
    first.finish();
    EXPECT_EQ(test::contents(scratch.path("out")), "first");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, AForeignFileUnderTheTemporaryNameIsLeftAlone) {
    const test::Scratch scratch;
    // The names of this process are numbered: the next ones are taken by somebody else's files.
    const std::string last = AtomicFile(scratch.path("probe")).temporary_path();
    const std::size_t number_at = last.rfind('-') + 1;
    const int number = std::stoi(last.substr(number_at));
    for (int i = 1; i <= 3; ++i) {
        scratch.file(std::filesystem::path(last.substr(0, number_at)).filename().string() + std::to_string(number + i) +
                         ".tmp",
                     "foreign");
    }
    AtomicFile file(scratch.path("out"));
    file.write("ours");
    file.finish();
    EXPECT_EQ(test::contents(scratch.path("out")), "ours");
    EXPECT_EQ(scratch.names().size(), 4U);
    for (const std::string& name : scratch.names()) {
        EXPECT_EQ(test::contents(scratch.path(name)), name == "out" ? "ours" : "foreign");
    }
}

TEST(AtomicFile, PartsOfAllSizesArriveInOrder) {
    const test::Scratch scratch;
    std::mt19937 random(3);
    std::string expected;
    AtomicFile file(scratch.path("out"));
    for (int i = 0; i < 300; ++i) {
        std::string part(random() % (i % 50 == 0 ? 700000 : 3000), '\0');
        for (char& c : part)
            c = static_cast<char>(random());
        file.write(part);
        expected += part;
        ASSERT_EQ(file.position(), static_cast<std::int64_t>(expected.size()));
    }
    file.finish();
    EXPECT_TRUE(test::contents(scratch.path("out")) == expected);
}

TEST(AtomicFile, SeeksBackAndOn) {
    const test::Scratch scratch;
    AtomicFile file(scratch.path("out"));
    ASSERT_TRUE(file.seekable());
    file.write("0123456789");
    file.seek(3);
    file.write("abc");
    EXPECT_EQ(file.position(), 6);
    EXPECT_EQ(file.size(), 10);
    file.seek(12);
    file.write("z");
    EXPECT_EQ(file.size(), 13);
    file.seek(0);
    file.write("A");
    file.finish();
    EXPECT_EQ(test::contents(scratch.path("out")), std::string("A12abc6789\0\0z", 13));
}

TEST(AtomicFile, KeepsThePermissionsOfTheTarget) {
    const test::Scratch scratch;
    scratch.file("out", "before");
    ::chmod(scratch.path("out").c_str(), 0640);
    AtomicFile file(scratch.path("out"));
    file.finish();
    EXPECT_EQ(mode_of(scratch.path("out")), 0640U);
    EXPECT_EQ(test::contents(scratch.path("out")), "");
}

TEST(AtomicFile, ANewFileFollowsTheUmask) {
    const test::Scratch scratch;
    const mode_t saved = ::umask(027);
    AtomicFile file(scratch.path("out"));
    ::umask(saved);
    file.finish();
    EXPECT_EQ(mode_of(scratch.path("out")), 0640U);
}

TEST(AtomicFile, ASymbolicLinkStaysOne) {
    const test::Scratch scratch;
    std::filesystem::create_directory(scratch.path("folder"));
    scratch.file("folder/real", "before");
    std::filesystem::create_symlink("folder/real", scratch.path("link"));
    AtomicFile file(scratch.path("link"));
    file.write("after");
    file.finish();
    EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link")));
    EXPECT_EQ(test::contents(scratch.path("folder/real")), "after");
}

TEST(AtomicFile, ALinkToNothingYetIsFilled) {
    const test::Scratch scratch;
    std::filesystem::create_directory(scratch.path("folder"));
    std::filesystem::create_symlink("folder/new", scratch.path("link"));
    AtomicFile file(scratch.path("link"));
    file.write("after");
    file.finish();
    EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("link")));
    EXPECT_EQ(test::contents(scratch.path("folder/new")), "after");
}

TEST(AtomicFile, ALinkToALinkToNothingYetIsFilled) {
    const test::Scratch scratch;
    std::filesystem::create_directory(scratch.path("folder"));
    std::filesystem::create_symlink("folder/second", scratch.path("first"));
    std::filesystem::create_symlink("third", scratch.path("folder/second"));
    EXPECT_TRUE(same_file(scratch.path("first"), scratch.path("folder/third")));
    AtomicFile file(scratch.path("first"));
    file.write("after");
    file.finish();
    EXPECT_TRUE(std::filesystem::is_symlink(scratch.path("folder/second")));
    EXPECT_EQ(test::contents(scratch.path("folder/third")), "after");
}

TEST(AtomicFile, RefusesWhatCannotBeWritten) {
    const test::Scratch scratch;
    scratch.file("plain", "x");
    const auto refusal = [](const std::string& path) {
        return test::message_of<InputError>([&] { AtomicFile file(path); });
    };
    EXPECT_NE(refusal(scratch.path(".")).find("directory"), std::string::npos);
    EXPECT_NE(refusal(scratch.path("missing/out")).find("No such file or directory"), std::string::npos);
    EXPECT_NE(refusal(scratch.path("missing/")).find("directory"), std::string::npos);
    EXPECT_NE(refusal(scratch.path("plain/out")).find("Not a directory"), std::string::npos);
    EXPECT_NE(refusal(scratch.path(std::string(300, 'n'))).find("File name too long"), std::string::npos);
    EXPECT_NE(refusal("").find("empty"), std::string::npos);
    EXPECT_FALSE(refusal("/proc/out").empty()) << "a directory where nobody may create files";
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"plain"});
}

TEST(AtomicFile, WhatTheSystemLacksIsNoFaultOfTheName) {
    const test::Scratch scratch;
    const std::string path = scratch.file("f", "before");
    {
        const test::NoDescriptors none;
        EXPECT_THROW(AtomicFile file(path), RunError);
        EXPECT_THROW(ByteReader reader(path), RunError);
    }
    EXPECT_EQ(test::contents(path), "before");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"f"});
}

TEST(AtomicFile, AReadOnlyTargetIsRespected) {
    if (::geteuid() == 0) GTEST_SKIP() << "root may write everything";
    const test::Scratch scratch;
    scratch.file("out", "before");
    ::chmod(scratch.path("out").c_str(), 0444);
    EXPECT_THROW(AtomicFile(scratch.path("out")), InputError);
}

TEST(AtomicFile, AFullDeviceIsSeenAtTheLatestByFinish) {
    AtomicFile file("/dev/full");
    EXPECT_FALSE(file.seekable());
    file.write("a little, which stays in the buffer");
    EXPECT_NE(test::message_of<RunError>([&] { file.finish(); }).find("/dev/full: writing failed: No space left"),
              std::string::npos);
    AtomicFile other("/dev/full");
    EXPECT_THROW(other.write(std::string(1000000, 'x')), RunError);
    EXPECT_THROW(other.write("more"), RunError);
    EXPECT_THROW(other.finish(), RunError) << "a failure is not forgotten";
}

TEST(AtomicFile, AFailedWriteKeepsTheTarget) {
    const test::Scratch scratch;
    scratch.file("out", "before");
    {
        AtomicFile file(scratch.path("out"));
        const test::FileSizeLimit limit(300000);
        EXPECT_THROW(
            {
                file.write(std::string(500000, 'x'));
                file.finish();
            },
            RunError);
        EXPECT_THROW(file.finish(), RunError);
    }
    EXPECT_EQ(test::contents(scratch.path("out")), "before");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, AFailedRenameIsReported) {
    const test::Scratch scratch;
    {
        AtomicFile file(scratch.path("out"));
        std::filesystem::create_directory(scratch.path("out"));
        scratch.file("out/inside", "x");
        EXPECT_NE(test::message_of<RunError>([&] { file.finish(); }).find("renaming failed"), std::string::npos);
    }
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
}

TEST(AtomicFile, AFolderThatVanishedIsFoundBeforeRenaming) {
    const test::Scratch scratch;
    std::filesystem::create_directory(scratch.path("sub"));
    AtomicFile file(scratch.path("sub/out"));
    file.write("x");
    std::filesystem::remove_all(scratch.path("sub"));
    EXPECT_NE(test::message_of<RunError>([&] { file.close(); }).find("sub/out"), std::string::npos);
}

TEST(AtomicFile, UnfinishedFilesAreRemovedBeforeAProcessEnds) {
    const test::Scratch scratch;
    scratch.file("out", "before");
    AtomicFile finished(scratch.path("finished")), dropped(scratch.path("out")), other(scratch.path("other"));
    finished.finish();
    EXPECT_EQ(scratch.names().size(), 4U);
    remove_temporaries();
    EXPECT_EQ(scratch.names(), (std::vector<std::string>{"finished", "out"}));
    EXPECT_EQ(test::contents(scratch.path("out")), "before");
}

TEST(AtomicFile, NamesOfOpenFilesAreNotReplaced) {
    const test::Scratch scratch;
    scratch.file("out", "before ");
    const int descriptor = ::open(scratch.path("out").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    AtomicFile file("/dev/fd/" + std::to_string(descriptor));
    EXPECT_FALSE(file.seekable());
    file.write("after");
    file.finish();
    EXPECT_EQ(test::contents(scratch.path("out")), "before after");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out"});
    ::close(descriptor);
}

TEST(NamedDescriptor, KnowsTheSystemsNamesAndLinksToThem) {
    const test::Scratch scratch;
    std::filesystem::create_symlink("/dev/stdout", scratch.path("link"));
    std::filesystem::create_symlink("link", scratch.path("second"));
    std::filesystem::create_symlink("nothing", scratch.path("loose"));
    EXPECT_EQ(named_descriptor("/dev/stdout"), 1);
    EXPECT_EQ(named_descriptor("/dev/stderr"), 2);
    EXPECT_EQ(named_descriptor("/dev/fd/17"), 17);
    EXPECT_EQ(named_descriptor("/proc/self/fd/3"), 3);
    EXPECT_EQ(named_descriptor("/proc/thread-self/fd/3"), 3);
    EXPECT_EQ(named_descriptor("/proc/" + std::to_string(::getpid()) + "/fd/0"), 0);
    EXPECT_EQ(named_descriptor(scratch.path("second")), 1);
    for (const std::string& name : {std::string("/dev/null"), std::string("/proc/1/fd/1"), std::string("/dev/fd/x"),
                                    std::string("-"), std::string(""), scratch.path("loose"), scratch.path("new")})
        EXPECT_EQ(named_descriptor(name), std::nullopt) << name;
}

TEST(AtomicFile, CannotBeUsedAfterFinish) {
    const test::Scratch scratch;
    AtomicFile file(scratch.path("out"));
    file.finish();
    EXPECT_THROW(file.write("x"), RunError);
    EXPECT_THROW(file.finish(), RunError);
    EXPECT_EQ(test::contents(scratch.path("out")), "");
}

TEST(AtomicFile, MovingHandsOverTheFile) {
    const test::Scratch scratch;
    AtomicFile file(scratch.path("out"));
    file.write("x");
    AtomicFile moved(std::move(file));
    moved.write("y");
    moved.finish();
    EXPECT_EQ(test::contents(scratch.path("out")), "xy");
}

TEST(SameFile, ComparesFilesAndNotNames) {
    const test::Scratch scratch;
    scratch.file("a", "x");
    scratch.file("b", "x");
    std::filesystem::create_symlink("a", scratch.path("link"));
    std::filesystem::create_hard_link(scratch.path("a"), scratch.path("hard"));
    EXPECT_TRUE(same_file(scratch.path("a"), scratch.path("a")));
    EXPECT_TRUE(same_file(scratch.path("a"), scratch.path("./a")));
    EXPECT_TRUE(same_file(scratch.path("a"), scratch.path("link")));
    EXPECT_TRUE(same_file(scratch.path("hard"), scratch.path("a")));
    EXPECT_FALSE(same_file(scratch.path("a"), scratch.path("b")));
    EXPECT_FALSE(same_file(scratch.path("a"), scratch.path("new")));
    EXPECT_TRUE(same_file(scratch.path("new"), scratch.path("x/../new")));
    EXPECT_FALSE(same_file(scratch.path("new"), scratch.path("newer")));
    EXPECT_FALSE(same_file("-", "-"));
}

} // namespace
} // namespace tandem
