// SPDX-License-Identifier: BSD-2-Clause
// The oracles' judgement on real pictures: the .y4m and .mkv files of the folder that TANDEM_CLIPS names.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/encoder/oracle.h"
#include "video/source.h"

namespace tandem {
namespace {

using namespace test;
namespace fs = std::filesystem;

#ifdef TANDEM_QUICK_ORACLE
constexpr int pictures = 2;
#else
constexpr int pictures = 13;
#endif

std::vector<fs::path> clips_in(const fs::path& folder) {
    std::vector<fs::path> clips;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".y4m" || extension == ".mkv") clips.push_back(entry.path());
    }
    std::sort(clips.begin(), clips.end());
    return clips;
}

/// The first pictures; FFmpeg decodes what is not plain y4m, so that this works in a build without libav.
Clip first_pictures(const fs::path& path, const fs::path& scratch) {
    fs::path plain = path;
    if (path.extension() != ".y4m") {
        plain = scratch;
        const std::string command = "ffmpeg -nostdin -y -v error -i '" + path.string() + "' -frames:v " +
                                    std::to_string(pictures) + " -pix_fmt yuv420p '" + plain.string() + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << command;
    }
    const auto source = open_source(plain.string());
    Clip clip;
    while (static_cast<int>(clip.size()) < pictures) {
        std::unique_ptr<Frame> frame = source->read();
        if (!frame) break;
        clip.push_back(std::move(frame));
    }
    return clip;
}

TEST(OracleClips, RealPictures) {
    const char* folder = std::getenv("TANDEM_CLIPS");
    if (folder == nullptr || *folder == 0) GTEST_SKIP() << "TANDEM_CLIPS names no folder of clips";
    const std::string why = why_no_oracles();
    if (!why.empty()) GTEST_SKIP() << why;
    const std::vector<fs::path> clips = clips_in(folder);
    if (clips.empty()) GTEST_SKIP() << folder << " holds no .y4m and no .mkv";
    Oracle oracle;
    for (const fs::path& path : clips) {
        const Clip clip = first_pictures(path, oracle.folder() / "clip.y4m");
        ASSERT_FALSE(clip.empty()) << path;
        for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
            Settings settings = quick_settings(codec);
            settings.search.algorithm = Algorithm::logarithmic;
            settings.threads = 0;
            settings.qp = codec == Codec::mpeg1 ? 6 : 3;
            settings.bframes = codec == Codec::mpeg1 ? 0 : 2;
            oracle.add(path.filename().string(), settings, clip);
        }
    }
    oracle.finish();
    EXPECT_EQ(oracle.streams(), 2 * static_cast<int>(clips.size()));
}

} // namespace
} // namespace tandem
