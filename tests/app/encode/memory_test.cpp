// SPDX-License-Identifier: BSD-2-Clause
// How much memory an encode takes does not depend on the length of the clip, and what a lack of it leaves.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include <new>
#include <string>
#include <thread>
#include <vector>

#include "app/interrupt.h"
#include "tests/app/clips.h"
#include "tests/app/run_command.h"

extern char** environ;

namespace tandem::test {
namespace {

/// The most memory that the command had at a time, in KiB; 0 where it failed.
long peak_of(std::vector<std::string> words) {
    words.insert(words.begin(), TANDEM_BINARY);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = -1;
    if (::posix_spawn(&process, TANDEM_BINARY, nullptr, nullptr, arguments.data(), environ) != 0) return 0;
    int status = 0;
    rusage usage{};
    if (::wait4(process, &status, 0, &usage) != process || status != 0) return 0;
    return usage.ru_maxrss;
}

TEST(Memory, OfALongEncodeIsThatOfAShortOne) {
    const TemporaryFolder folder;
    constexpr int width = 256, height = 192, few = 100, many = 500;
    write_file(folder / "few.y4m", y4m_clip(width, height, few));
    write_file(folder / "many.y4m", y4m_clip(width, height, many));
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--qp", "8"},
                                                    {"--qp", "8", "--bframes", "2", "--psnr", "--csv", folder / "c"},
                                                    {"--qp", "8", "--mbtree", "1"}}) {
        const auto peak = [&](const char* clip) {
            std::vector<std::string> words{"encode",    folder / clip, "-o",     folder / "out.m2v",
                                           "--threads", "2",           "--quiet"};
            words.insert(words.end(), options.begin(), options.end());
            return peak_of(words);
        };
        const long of_few = peak("few.y4m"), of_many = peak("many.y4m");
        ASSERT_GT(of_few, 0) << options.back();
        ASSERT_GT(of_many, 0) << options.back();
        // A third of the samples that it has more to code: the luma of each picture kept would be more.
        constexpr long third = (many - few) * (width * height * 3 / 2) / 1024 / 3;
        EXPECT_LT(of_many, of_few + third) << options.back();
    }
}

/// Exit code with so many KiB of addresses; 127: not even the libraries fit in. Threads share one heap: how many heaps
/// they have otherwise differs from run to run.
int code_within(const TemporaryFolder& folder, long kibibytes, const std::string& words) {
    const int status = std::system(("cd '" + folder.path() + "' && ulimit -v " + std::to_string(kibibytes) +
                                    " && MALLOC_ARENA_MAX=1 exec '" TANDEM_BINARY "' " + words + " 2> said.txt")
                                       .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Memory, ThatEndsAnywhereIsAFailureWithAMessage) {
    const TemporaryFolder folder;
    write_file(folder / "clip.y4m", y4m_clip(64, 48, 4));
    const std::string words = "encode clip.y4m -o out.m2v --threads 2 -q --report r.json --csv c.csv --trace t.json";
    long enough = 1 << 22, little = 1 << 14;
    if (code_within(folder, enough, words) != 0) GTEST_SKIP() << "sanitizers take more than all addresses here";
    while (enough - little > 512) {
        const long middle = (enough + little) / 2;
        (code_within(folder, middle, words) == 0 ? enough : little) = middle;
    }
    const auto write_old_outputs = [&] {
        for (const char* name : {"out.m2v", "r.json", "c.csv", "t.json"})
            write_file(folder / name, "before");
    };
    write_old_outputs();
    int failures = 0;
    for (long kibibytes = enough - 24'000; kibibytes < enough; kibibytes += 1'000) {
        const int code = code_within(folder, kibibytes, words);
        if (code == 0) { // What threads take differs from run to run.
            write_old_outputs();
            continue;
        }
        EXPECT_TRUE(code == 1 || code == 127)
            << code << " with " << kibibytes << ": " << read_file(folder / "said.txt");
        EXPECT_NE(read_file(folder / "said.txt"), "");
        EXPECT_EQ(read_file(folder / "out.m2v"), "before");
        EXPECT_EQ(snapshot_of(folder.path()).size(), 6u) << "something is left";
        failures += code == 1 ? 1 : 0;
    }
    EXPECT_GT(failures, 0) << "the test would see nothing";
}

TEST(MemoryDeathTest, ThatEndsInAThreadIsAFailureWithAMessage) {
    EXPECT_EXIT(
        {
            set_up_terminate();
            std::thread([] { throw std::bad_alloc(); }).join();
        },
        testing::ExitedWithCode(1), "tandem: out of memory");
    EXPECT_EXIT(
        {
            set_up_terminate();
            std::thread([] { throw 1; }).join();
        },
        testing::KilledBySignal(SIGABRT), "");
}

} // namespace
} // namespace tandem::test
