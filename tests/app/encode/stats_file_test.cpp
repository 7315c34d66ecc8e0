// SPDX-License-Identifier: BSD-2-Clause
// What --stats and --report write of an encode, from numbers that are all different: none can stand for another.
#include "app/encode/records/stats_file.h"

#include <gtest/gtest.h>

#include "app/encode/records/report.h"
#include "app/json.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

/// PSNRs of 30, 20 and 10 dB.
SquaredErrors three_errors() {
    constexpr std::uint64_t largest_squared = 255 * 255;
    return {{4 * largest_squared, 10 * largest_squared, 100 * largest_squared}, {4000, 1000, 1000}};
}

PictureRecord all_different() {
    PictureRecord record;
    PictureStats& stats = record.stats;
    stats.display_index = 5;
    stats.coding_index = 3;
    stats.type = PictureType::bidirectional;
    stats.qp = 9;
    stats.bytes = 7001;
    stats.intra = 11, stats.forward = 12, stats.backward = 13, stats.both = 14, stats.skipped = 15;
    stats.zero_motion = 16;
    stats.mean_mv = 2.25;
    stats.motion_us = 101, stats.wait_us = 102, stats.refine_us = 103;
    stats.decide_us = 104, stats.residual_us = 105, stats.entropy_us = 106;
    stats.backend = "gpu:0 + cpu";
    record.errors = three_errors();
    record.ssim = 0.875;
    return record;
}

TEST(StatsFile, EveryColumnHasItsOwnFigure) {
    const TemporaryFolder folder;
    StatsFile file(folder / "s.csv");
    PictureRecord record = all_different();
    file.write(record);
    record.errors.reset();
    record.ssim.reset();
    record.stats.backend.clear();
    file.write(record);
    file.finish();
    EXPECT_EQ(read_file(folder / "s.csv"),
              "coding,display,type,bytes,qp,psnr_y,psnr_u,psnr_v,ssim_y,intra,forward,backward,both,skipped,"
              "zero_motion,mean_mv,motion_us,wait_us,refine_us,decide_us,residual_us,entropy_us,backend\n"
              "3,5,B,7001,9,30.0000,20.0000,10.0000,0.875000,11,12,13,14,15,16,2.2500,101,102,103,104,105,106,"
              "gpu:0 + cpu\n"
              "3,5,B,7001,9,,,,,11,12,13,14,15,16,2.2500,101,102,103,104,105,106,\n");
}

TEST(EncodeReport, EveryKeyHasItsOwnFigure) {
    Totals totals;
    totals.pictures = 8;
    totals.by_type = {1, 2, 5};
    totals.bytes = 16000;
    totals.errors = three_errors();
    totals.ssim_sum = 7;
    totals.device = "gpu:0 + cpu";
    totals.seconds = 4;
    totals.measuring_seconds = 3.5; // Half a second of coding.
    VideoFormat format;
    format.width = 72;
    format.height = 40;
    format.frame_rate = {50, 1};
    EncodeOptions options;
    options.input = "in.y4m";
    options.output = "out.m2v";
    options.part.skipped = 17;
    const Json report = Json::parse(report_text({options, format, totals, true, VerifiedPictures{6, 70.5, 55.25}}));
    Json ours;
    for (const auto& [key, value] : report.items())
        if (key != "settings" && key != "simd" && key != "versions" && key != "machine") ours[key] = value;
    EXPECT_EQ(ours, Json::parse(R"({
        "frames": 8, "bytes": 16000, "bitrate_kbps": 800.0, "psnr_y": 30.0, "psnr_u": 20.0, "psnr_v": 10.0,
        "ssim_y": 0.875, "fps": 16.0, "seconds": 4.0, "measuring_seconds": 3.5, "device": "gpu:0 + cpu",
        "pictures": {"I": 1, "P": 2, "B": 5}, "interrupted": true,
        "verified": {"frames": 6, "psnr": 70.5, "worst_psnr": 55.25},
        "input": {"name": "in.y4m", "width": 72, "height": 40, "frame_rate": [50, 1], "seek": 17},
        "output": "out.m2v"})"));
}

} // namespace
} // namespace tandem::test
