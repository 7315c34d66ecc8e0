// SPDX-License-Identifier: BSD-2-Clause
// How much memory an encode takes does not depend on the length of the clip.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <string>
#include <vector>

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

} // namespace
} // namespace tandem::test
