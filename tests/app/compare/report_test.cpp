// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/compare/report/report_data.h"
#include "app/compare/report/report_page.h"
#include "app/compare/report/report_tables.h"
#include "machine/errors.h"
#include "tests/app/compare/made_up_results.h"
#include "tests/app/run_command.h"

namespace tandem::test {
namespace {

Json summary_of(const std::vector<Json>& rows) {
    TemporaryFolder folder;
    write_report(rows, {folder.path(), "", ""});
    return Json::parse(read_file(folder / "summary.json"));
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

const Json* difference(const Json& summary, std::size_t clip, const char* test, const char* measure) {
    for (const Json& one : summary["differences"])
        if (one["clip"] == clip && one["anchor"] == summary["anchor"] && one["measure"] == measure &&
            summary["series"][one["test"].get<std::size_t>()]["name"] == test)
            return &one;
    return nullptr;
}

TEST(Report, WritesItsFilesAndNamesThem) {
    TemporaryFolder folder;
    const auto paths = write_report(made_up_results(), {folder.path(), "", "Of <us> & \"them\""});
    EXPECT_EQ(paths, (std::vector{folder / "report.html", folder / "summary.json", folder / "results.csv",
                                  folder / "results.md"}));
    EXPECT_EQ(snapshot_of(folder.path()).size(), 4U);
    const std::string page = read_file(folder / "report.html");
    EXPECT_NE(page.find("<title>Of &lt;us&gt; &amp; &quot;them&quot;</title>"), std::string::npos);
}

TEST(Report, SaysByHowMuchRatesWereMissed) {
    std::vector<Json> rows = made_up_results();
    for (Json& row : rows) {
        // So that the rate got is 3 % more than the one asked, and rates are round.
        const int kbps = 100 * row["qp"].get<int>();
        row["bitrate_kbps"] = kbps * 1.03;
        row["target_kbps"] = kbps;
        row.erase("qp");
    }
    TemporaryFolder folder;
    write_report(rows, {folder.path(), "", ""});
    const Json summary = Json::parse(read_file(folder / "summary.json"));
    EXPECT_EQ(summary["points"].size(), rows.size());
    for (const Json& point : summary["points"]) {
        EXPECT_EQ(point["miss_percent"], 3.0);
        EXPECT_FALSE(point.contains("qp"));
    }
    const Json* const same = difference(summary, 0, "tandem mpeg2 full cpu", "psnr_y");
    ASSERT_NE(same, nullptr) << "rate-controlled points make curves too";
    EXPECT_NEAR((*same)["rate"]["pchip"].get<double>(), -10, 0.1);
    EXPECT_NE(read_file(folder / "results.md").find("| pan, 200 | +3.00 % | +3.00 % | +3.00 % | +3.00 % |"),
              std::string::npos);
    EXPECT_NE(read_file(folder / "results.csv").find(",200,3.000,\n"), std::string::npos);
    EXPECT_EQ(read_file(folder / "results.md").find("missed the rate"),
              read_file(folder / "results.md").rfind("missed the rate"));
    write_report(made_up_results(), {folder.path(), "", ""});
    EXPECT_EQ(read_file(folder / "results.md").find("missed the rate"), std::string::npos) << "there are none";
}

TEST(Report, ThePageFetchesNothing) {
    TemporaryFolder folder;
    write_report(made_up_results(), {folder.path(), "", ""});
    std::string page = read_file(folder / "report.html");
    const std::string namespace_name = "http://www.w3.org/2000/svg"; // A name, never fetched.
    for (std::size_t at; (at = page.find(namespace_name)) != std::string::npos;)
        page.erase(at, namespace_name.size());
    for (const char* outside : {"http:", "https:", "//cdn", "@import", "src=", "url(", "fetch(", "import("})
        EXPECT_EQ(page.find(outside), std::string::npos) << outside;
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(Report, NamesCannotEndTheScriptOrFillAPlaceholder) {
    TemporaryFolder folder;
    write_report(made_up_results(), {folder.path(), "", ""});
    const std::string page = read_file(folder / "report.html");
    const std::string begin = "id=\"results\">";
    const std::size_t from = page.find(begin) + begin.size(), to = page.find("</script>", from);
    const Json data = Json::parse(page.substr(from, to - from));
    EXPECT_EQ(data["clips"][1]["name"], nasty_name);
    EXPECT_EQ(count_of(page, "</script>"), count_of(std::string(report_html), "</script>"));
    EXPECT_EQ(page.find("{{"), page.find("{{data}}\\\"")); // Only in the clip's name.
}

TEST(Report, NamesThatAreNotUtf8AreReplaced) {
    auto rows = made_up_results();
    for (Json& row : rows)
        row["series"] = row["series"].get<std::string>() + "\xff";
    TemporaryFolder folder;
    EXPECT_NO_THROW(write_report(rows, {folder.path(), "", ""}));
}

TEST(Report, DifferencesAreThoseOfTheCurves) {
    const Json summary = summary_of(made_up_results());
    EXPECT_EQ(summary["series"][summary["anchor"].get<std::size_t>()]["name"], "mpeg2video");
    for (const std::size_t clip : {0, 1}) {
        const Json* const full = difference(summary, clip, "tandem mpeg2 full gpu", "psnr_y");
        ASSERT_NE(full, nullptr);
        for (const char* fit : {"pchip", "akima", "cubic"})
            EXPECT_NEAR((*full)["rate"][fit].get<double>(), -10, 0.001) << fit;
        EXPECT_EQ((*full)["rate"]["overlap"], 100);
        EXPECT_FALSE((*full)["rate"].contains("notes"));
        EXPECT_GT((*full)["quality"]["pchip"].get<double>(), 0.4); // 10 log10(1 / 0.9)
        EXPECT_LT((*full)["quality"]["pchip"].get<double>(), 0.5);
        for (const auto& [measure, fall] : {std::pair("psnr_y", 10), {"psnr_u", 6}, {"psnr_v", 8}}) {
            const Json quality = (*difference(summary, clip, "tandem mpeg2 full gpu", measure))["quality"];
            EXPECT_NEAR(quality["pchip"].get<double>(), fall * std::log10(1 / 0.9), 1e-3) << measure;
        }
        EXPECT_NEAR((*difference(summary, clip, "tandem mpeg2 log cpu", "ssim_y"))["rate"]["pchip"].get<double>(), -5,
                    0.001);
    }
}

TEST(Report, WhatCannotBeComparedSaysWhy) {
    auto rows = made_up_results();
    std::erase_if(rows, [](const Json& row) { return row["series"] == "mpeg2video" && row["qp"] > 8; });
    for (Json& row : rows)
        if (row["series"] == "tandem mpeg2 log cpu" && row["qp"] == 2) row["psnr_y"] = "inf";
    const Json summary = summary_of(rows);
    const Json few = (*difference(summary, 0, "tandem mpeg2 full cpu", "psnr_y"))["rate"];
    EXPECT_FALSE(few.contains("pchip"));
    EXPECT_EQ(few["notes"], Json({"the anchor has 3 points, at least 4 are needed"}));
    TemporaryFolder folder;
    write_report(rows, {folder.path(), "tandem mpeg2 full cpu", ""});
    const Json other = Json::parse(read_file(folder / "summary.json"));
    const Json lossless = (*difference(other, 0, "tandem mpeg2 log cpu", "psnr_y"))["rate"];
    EXPECT_NE(lossless["notes"][0].get<std::string>().find("without a finite quality"), std::string::npos);
    EXPECT_TRUE((*difference(other, 0, "tandem mpeg2 log cpu", "psnr_u"))["rate"].contains("pchip"));
    EXPECT_NE(read_file(folder / "results.csv").find(",inf,"), std::string::npos);
}

TEST(Report, MotionByDevice) {
    auto rows = made_up_results();
    for (Json& row : rows)
        if (row["device"] == "gpu" && row["clip"]["name"] == nasty_name && row["qp"] == 4) {
            row["stream_md5"] = "another";
            row["psnr_y"] = row["psnr_y"].get<double>() + 0.5;
            row["bytes"] = row["bytes"].get<int>() * 2;
        }
    const Json summary = summary_of(rows);
    ASSERT_EQ(summary["motion"].size(), 4U); // Full and logarithmic search of each clip.
    const Json same = summary["motion"][0], differs = summary["motion"][2], alone = summary["motion"][1];
    EXPECT_EQ(same["points"], 5);
    EXPECT_EQ(same["same_streams"], 5);
    EXPECT_EQ(same["psnr_difference"], 0);
    EXPECT_EQ(same["bitrate_percent"], 0);
    // 13 pictures: of 3 P one search each, of 8 B two.
    EXPECT_NEAR(same["motion_ms"][0].get<double>(), 1000 * 0.4 / 19, 1e-3);
    EXPECT_NEAR(same["motion_ms"][1].get<double>(), 1000 * 0.1 / 19, 1e-3);
    EXPECT_NEAR(same["whole_ms"][0].get<double>(), 1000 * 1.7 / 13, 1e-3);
    EXPECT_NEAR(same["blocks_per_second"][0].get<double>(), 12 * 19 / 0.4, 1e-2);
    EXPECT_EQ(differs["same_streams"], 4);
    EXPECT_NEAR(differs["psnr_difference"].get<double>(), 0.1, 1e-4);
    EXPECT_GT(differs["bitrate_percent"].get<double>(), 10);
    EXPECT_FALSE(alone.contains("other"));
}

TEST(Report, ASeriesWithoutItsDeviceIsNobodysOther) {
    auto rows = made_up_results();
    for (Json& row : rows)
        if (row["device"] == "gpu") row.erase("device");
    const Json summary = summary_of(rows);
    EXPECT_FALSE(summary["motion"][0].contains("other")) << summary["motion"];
}

TEST(Report, AFieldWithoutAVectorForEachBlockIsLeftOut) {
    const std::int64_t huge = std::int64_t{1} << 32; // Its square is 0 in 64 bits.
    for (const Json& size : {Json(0), Json(2), Json(huge), Json(1e300), Json("4")}) {
        auto rows = made_up_results();
        for (Json& row : rows)
            if (row.contains("field")) row["field"].update({{"columns", size}, {"rows", size}, {"mv", Json::array()}});
        EXPECT_EQ(report_details(report_points(rows), 0)["fields"].size(), 0U) << size;
    }
    EXPECT_GT(report_details(report_points(made_up_results()), 0)["fields"].size(), 0U);
}

TEST(Report, TwoLosslessStreamsDoNotDiffer) {
    auto rows = made_up_results();
    for (Json& row : rows)
        if (row["search"] == "full" && row["qp"] == 2) row["psnr_y"] = "inf";
    EXPECT_EQ(summary_of(rows)["motion"][0]["psnr_difference"], 0);
}

TEST(Report, SpeedIsOfCodingAndOfAll) {
    const Json speed = summary_of(made_up_results())["speed"][0];
    EXPECT_EQ(speed, Json::parse(R"({"clip": 0, "series": 0, "fps": 7.647, "total_fps": 6.5, "motion_ms": 30.7692,
                                     "encode_ms": 130.7692, "least_fps": 7.647, "most_fps": 7.647, "runs": 0,
                                     "spread": 1.0})"));
}

TEST(Report, SpeedHasTheSlowestAndTheFastestRuns) {
    std::vector<Json> rows = made_up_results();
    EXPECT_EQ(summary_of(rows)["speed"][0]["runs"], 0);
    for (Json& row : rows) {
        row["encode_s"] = 0.25;
        row["runs"] = {{{"encode_s", 0.5}}, {{"encode_s", 0.125}}, {{"encode_s", 0.25}}};
    }
    const Json speed = summary_of(rows)["speed"][0];
    EXPECT_EQ(speed["runs"], 3);
    EXPECT_DOUBLE_EQ(speed["fps"], 13 / 0.25);
    EXPECT_DOUBLE_EQ(speed["least_fps"], 13 / 0.5);
    EXPECT_DOUBLE_EQ(speed["most_fps"], 13 / 0.125);
    EXPECT_DOUBLE_EQ(speed["spread"], 4);
    TemporaryFolder folder;
    write_report(rows, {folder.path(), "", ""});
    EXPECT_NE(read_file(folder / "results.md").find("52.0 (26.0 to 104.0)"), std::string::npos);
}

TEST(Report, PicturesSideBySideHaveTheRatesNearestToTheAnchors) {
    std::vector<Json> rows = made_up_results();
    std::erase_if(rows, [](const Json& row) { return row["clip"]["name"] != "pan"; });
    // The anchor's middle one is at quantiser 8; a series with half its bits is as large at quantiser 4.
    for (Json& row : rows)
        if (row["search"] == "log") row["bitrate_kbps"] = row["bitrate_kbps"].get<double>() * 0.52;
    const ReportPoints points = report_points(rows);
    const auto anchor = static_cast<std::size_t>(std::ranges::find(points.series, "mpeg2video", &ReportSeries::name) -
                                                 points.series.begin());
    const Json shown = report_details(points, anchor)["shown"];
    ASSERT_EQ(shown.size(), points.series.size());
    for (const Json& one : shown)
        EXPECT_EQ(one["qp"], points.series[one["series"].get<std::size_t>()].search == "log" ? 4 : 8);
    for (Json& row : rows)
        row["shown"]["png"] = "\"><script>";
    EXPECT_EQ(report_details(report_points(rows), anchor)["shown"].size(), 0U) << "that is no base64";
}

TEST(Report, ThePapersTellWhatTheseResultsHave) {
    const Json papers = summary_of(made_up_results())["papers"];
    const auto now = [&](const std::string& what) -> Json {
        for (const Json& row : papers)
            if (row["what"].get<std::string>().find(what) != std::string::npos) return row.value("now", Json());
        return "no such row";
    };
    EXPECT_EQ(now("Sub-pel search"), "4 times");
    EXPECT_EQ(now("PSNR between GPU and CPU"), "at most 0.0000 dB, 10 of 10 streams the same");
    EXPECT_EQ(now("Phase correlation"), Json());
    EXPECT_EQ(now("whole MPEG-1 encoder"), "+21 %, 7.65 to 9.29 frames/s");
    EXPECT_EQ(now("82,944 candidates"), Json());
    EXPECT_EQ(papers[0]["then"], "7.23 s on the GPU, 8,025 s on one core: 1,110 times");
    EXPECT_EQ(papers[0]["where"], "kernels alone: docs/measurements/motion-gpu.md");
}

TEST(Report, TheLastOfSeveralRowsCounts) {
    auto rows = made_up_results();
    rows.push_back(rows[0]);
    rows.back()["bytes"] = 7;
    const ReportPoints points = report_points(rows);
    EXPECT_EQ(points.points.size(), rows.size() - 1);
    EXPECT_EQ(points.points[0].bytes, 7);
}

TEST(Report, OneFileAtTwoFrameRatesIsTwoClips) {
    auto rows = made_up_results();
    for (Json& row : rows)
        if (row["clip"]["name"] == nasty_name) row["clip"]["name"] = "pan", row["clip"]["fps"] = 50;
    const ReportPoints points = report_points(rows);
    EXPECT_EQ(points.points.size(), rows.size());
    ASSERT_EQ(points.clips.size(), 2U);
    EXPECT_EQ(points.clips[0].name, "pan (25 Hz)");
    EXPECT_EQ(points.clips[1].name, "pan (50 Hz)");
}

TEST(Report, ClipsOfOneNameStayApart) {
    auto rows = made_up_results();
    for (Json& row : rows)
        if (row["clip"]["name"] == nasty_name) row["clip"]["name"] = "pan", row["clip"]["md5"] = "beef";
    const ReportPoints points = report_points(rows);
    ASSERT_EQ(points.clips.size(), 2U);
    EXPECT_EQ(points.clips[0].name, "pan c0ffee");
    EXPECT_EQ(points.clips[1].name, "pan beef");
}

TEST(Report, TablesAsText) {
    const ReportPoints points = report_points(made_up_results());
    const std::string csv = results_csv(points);
    EXPECT_EQ(count_of(csv, "\n"), points.points.size() + 1);
    EXPECT_NE(csv.find("\"a</script><b>|`x`,\"\"{{data}}\"\" & \xc3\xa9\","), std::string::npos);
    const std::string markdown = results_markdown(report_summary(points, 3));
    EXPECT_NE(markdown.find("| tandem mpeg2 full cpu | -10.00 % | -10.00 % | **-10.00 %** |"), std::string::npos);
    EXPECT_NE(markdown.find("a&lt;/script>&lt;b>\\|\\`x\\`"), std::string::npos);
    EXPECT_EQ(markdown.find("</script>"), std::string::npos);
}

TEST(Report, EveryColumnHasItsOwnFigure) {
    Json row = made_up_results()[0];
    row.update(Json::parse(R"({"qp": 3, "bytes": 4001, "bitrate_kbps": 61.5, "psnr_y": 41.5, "psnr_u": 42.25,
                               "psnr_v": 43.125, "psnr": 44.5, "ssim_y": 0.875, "ssim": 0.75, "encode_s": 1.5,
                               "total_s": 2.5, "vmaf": 93.25, "motion_s": 0.5, "peak_rss_bytes": 5002, "stream_md5": "beef"})"));
    EXPECT_EQ(results_csv(report_points({row})),
              "clip,clip_md5,width,height,frames,frame_rate,encoder,series,codec,search,device,options,qp,bytes,"
              "bitrate_kbps,psnr_y,psnr_u,psnr_v,psnr,ssim_y,ssim,encode_s,total_s,motion_s,peak_rss_bytes,stream_md5,"
              "target_kbps,miss_percent,vmaf\n"
              "pan,c0ffee,60,44,13,25,tandem,tandem mpeg2 full cpu,mpeg2,full,cpu,keyint=12,3,4001,"
              "61.5,41.5,42.25,43.125,44.5,0.875,0.75,1.5,2.5,0.5,5002,beef,,,93.25\n");
}

TEST(Report, VmafIsAMeasureLikeOthersWhereItIs) {
    std::vector<Json> rows = made_up_results();
    EXPECT_EQ(difference(summary_of(rows), 0, "tandem mpeg2 full cpu", "vmaf"), nullptr);
    EXPECT_EQ(results_markdown(report_summary(report_points(rows), 3)).find("VMAF"), std::string::npos);
    for (Json& row : rows)
        if (row["clip"]["name"] == "pan" && row["search"] != "log") row["vmaf"] = 100 - 2 * row["qp"].get<double>();
    const Json summary = summary_of(rows);
    ASSERT_NE(difference(summary, 0, "tandem mpeg2 full cpu", "vmaf"), nullptr);
    EXPECT_NEAR((*difference(summary, 0, "tandem mpeg2 full cpu", "vmaf"))["rate"]["pchip"], -10, 1e-3);
    EXPECT_EQ(difference(summary, 0, "tandem mpeg2 log cpu", "vmaf"), nullptr) << "it has none";
    EXPECT_EQ(difference(summary, 1, "tandem mpeg2 full cpu", "vmaf"), nullptr) << "this clip has none";
    EXPECT_EQ(summary["points"][0]["vmaf"], 96);
    const std::string markdown = results_markdown(summary);
    const std::size_t table = markdown.find("BD-rate at equal VMAF");
    ASSERT_NE(table, std::string::npos);
    EXPECT_NE(markdown.find("| tandem mpeg2 full cpu | -10.00 % | – | – |", table), std::string::npos) << markdown;
}

TEST(Report, TheTablesSayWhatIsToBeKnownOfTheirFigures) {
    auto rows = made_up_results();
    std::erase_if(rows, [](const Json& row) { return row["qp"] != 2 && row["qp"] != 4; });
    const std::string markdown = results_markdown(report_summary(report_points(rows), 0));
    EXPECT_NE(markdown.find("–<sup>1</sup>"), std::string::npos) << markdown;
    EXPECT_NE(markdown.find("\n1. "), std::string::npos) << markdown;
}

TEST(Report, RefusesWhatItCannotReport) {
    TemporaryFolder folder;
    const auto message = [&](const std::vector<Json>& rows, const std::string& anchor) -> std::string {
        try {
            write_report(rows, {folder.path(), anchor, ""});
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(message({}, ""), "there are no results to report");
    EXPECT_NE(message(made_up_results(), "x265").find("--anchor x265: no series has this name; there are: tandem"),
              std::string::npos);
    for (const char* name : {"clip", "series", "qp", "frames", "bytes"}) {
        auto rows = made_up_results();
        rows[3].erase(name);
        EXPECT_NE(message(rows, "").find("does not say its clip, series, qp or target_kbps, frames or bytes"),
                  std::string::npos)
            << name;
    }
    for (const double qp : {2147483648.0, -3e9, 1e300}) {
        auto rows = made_up_results();
        rows[3]["qp"] = qp;
        EXPECT_NE(message(rows, "").find("does not say its clip, series, qp or target_kbps, frames or bytes"),
                  std::string::npos)
            << qp;
    }
    EXPECT_TRUE(snapshot_of(folder.path()).empty());
}

} // namespace
} // namespace tandem::test
