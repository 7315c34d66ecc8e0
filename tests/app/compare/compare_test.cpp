// SPDX-License-Identifier: BSD-2-Clause
// The parts of tandem compare: names of peers, the file of results, work in child processes, time left.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "app/bench/child_process.h"
#include "app/bench/stopwatch.h"
#include "app/compare/compare_plan.h"
#include "app/compare/encoders/command_encoder.h"
#include "app/compare/encoders/peer.h"
#include "app/compare/sweep/md5.h"
#include "app/compare/sweep/point_run.h"
#include "app/compare/sweep/results_file.h"
#include "app/compare/sweep/sweep_progress.h"
#include "app/encode/matrix_file.h"
#include "encoder/settings/setting_rows.h"
#include "machine/errors.h"
#include "tests/app/run_command.h"
#include "tests/files/no_descriptors.h"

namespace tandem {
namespace {

using test::TemporaryFolder;

using Options = std::vector<std::pair<std::string, std::string>>;

TEST(Peers, AreReadAsTheyAreWritten) {
    const std::vector<Peer> peers = parse_peers(
        "mpeg2video,libx264:preset=superfast:tune=psnr,x264:no-cabac,ffmpeg:-c:v mpeg1video -vf a\\,b -q:v {qp}");
    ASSERT_EQ(peers.size(), 4u);
    EXPECT_EQ(peers[0].encoder, "mpeg2video");
    EXPECT_EQ(peers[0].kind, PeerKind::library);
    EXPECT_TRUE(peers[0].options.empty());
    EXPECT_EQ(peers[1].options, (Options{{"preset", "superfast"}, {"tune", "psnr"}}));
    EXPECT_FALSE(peers[1].sets_quantiser);
    EXPECT_EQ(peers[2].kind, PeerKind::x264);
    EXPECT_EQ(peers[2].options, (Options{{"no-cabac", ""}}));
    EXPECT_EQ(peers[3].kind, PeerKind::ffmpeg);
    EXPECT_EQ(peers[3].arguments, (std::vector<std::string>{"-c:v", "mpeg1video", "-vf", "a,b", "-q:v", "{qp}"}));
    EXPECT_TRUE(parse_peers("none").empty());
}

TEST(Peers, WrongOnesAreRefused) {
    for (const char* list : {",", "mpeg2video,", "libx264:preset", "libx264:=3", "ffmpeg:-c:v mpeg2video", ":g=3"})
        EXPECT_THROW(parse_peers(list), InputError) << list;
    for (const char* list : {"mpeg2video:", "mpeg2video:b=1:", "none,mpeg2video", "mpeg2video,none"})
        EXPECT_THROW(parse_peers(list), InputError) << list;
}

TEST(Peers, QuantiserOfTheSameStep) {
    // The step of H.264 doubles with each 6; 0.85 * 2^((qp - 12) / 6) is MPEG's scale.
    EXPECT_EQ(h264_quantiser(2), 19);
    EXPECT_EQ(h264_quantiser(4), 25);
    EXPECT_EQ(h264_quantiser(8), 31);
    EXPECT_EQ(h264_quantiser(16), 37);
    EXPECT_EQ(h264_quantiser(31), 43);
    EXPECT_EQ(with_target("a{qp}b{h264_qp}c{qp}", {8, 0}), "a8b31c8");
    EXPECT_EQ(with_target("-b:v {kbps}k", {0, 600}), "-b:v 600k");
}

TEST(Peers, CommandsGetWhatThePointAsks) {
    const Peer x264 = parse_peers("x264:preset=medium:no-cabac")[0];
    const auto words = command_words(x264, {{16, 0}, 12, 0, 3}, "in.y4m", "out.264");
    EXPECT_EQ(words,
              (std::vector<std::string>{"x264", "--quiet", "--keyint", "12", "--threads", "3", "--qp", "37", "--preset",
                                        "medium", "--no-cabac", "--demuxer", "y4m", "-o", "out.264", "in.y4m"}));
    const Peer ffmpeg = parse_peers("ffmpeg:-c:v mpeg2video -qscale:v {qp}")[0];
    EXPECT_EQ(codec_of_command(ffmpeg), "mpeg2video");
    const auto more = command_words(ffmpeg, {{16, 0}, 12, 0, 3}, "in.y4m", "out.bin");
    EXPECT_NE(std::ranges::find(more, "16"), more.end());
    EXPECT_THROW(codec_of_command(parse_peers("ffmpeg:-qscale:v {qp}")[0]), InputError);
}

TEST(Peers, AreLabelledWithWhatTheyGet) {
    CompareOptions options;
    options.peers =
        parse_peers("mpeg2video,mpeg2video:mbd=rd,libx264:preset=fast,x264,ffmpeg:-c:v mpeg2video -g 9 -q:v {qp}");
    const std::string command = "-c:v mpeg2video -g 9 -q:v {qp}";
    const auto labels = [&] {
        std::vector<std::pair<std::string, std::string>> found;
        for (const Series& series : all_series(options))
            found.emplace_back(series.name, series.options);
        return found;
    };
    EXPECT_EQ(labels(), (Options{{"mpeg2video", "keyint=120 bframes=2"},
                                 {"mpeg2video mbd=rd", "keyint=120 bframes=2 mbd=rd"},
                                 {"libx264 preset=fast", "keyint=120 preset=fast"},
                                 {"x264", "keyint=120"},
                                 {"ffmpeg " + command, command}}));
    options.settings.keyint = 15;
    options.settings.bframes = 2;
    options.conditions = "threads=4";
    EXPECT_EQ(labels(),
              (Options{{"mpeg2video keyint=15 bframes=2 threads=4", "keyint=15 bframes=2 threads=4"},
                       {"mpeg2video mbd=rd keyint=15 bframes=2 threads=4", "keyint=15 bframes=2 mbd=rd threads=4"},
                       {"libx264 preset=fast keyint=15 threads=4", "keyint=15 preset=fast threads=4"},
                       {"x264 keyint=15 threads=4", "keyint=15 threads=4"},
                       {"ffmpeg " + command + " threads=4", command + " threads=4"}}));
}

/// A good value of a setting that is not its default.
Settings with_another_value(const SettingRow<Settings>& row, const VideoFormat& format) {
    Settings exhaustive, buffered; // What some settings belong to.
    exhaustive.search.algorithm = Algorithm::full;
    buffered.rate.bits_per_second = buffered.rate.vbv_bits_per_second = buffered.rate.vbv_bits = 1e6;
    for (const Settings& base : {Settings{}, exhaustive, buffered}) {
        const double normal = row.field.get(base);
        std::vector<double> values{0, 1, normal + 1, row.least, row.most, 40, 2000};
        for (const SettingWord& known : row.words)
            values.push_back(known.value);
        for (const double value : values) {
            Settings settings = base;
            row.field.set(settings, value);
            if (row.field.get(settings) != normal && settings.validate(format).empty()) return settings;
        }
    }
    throw std::logic_error("no other value of " + std::string(row.name));
}

bool has_word(const std::vector<std::string>& words, const std::string& name, const std::string& value) {
    const auto found = std::ranges::find(words, name);
    return found != words.end() && found + 1 != words.end() && *(found + 1) == value;
}

TEST(ComparePlan, EverySettingMakesAnotherPoint) {
    ComparedClip clip;
    clip.format.width = 352;
    clip.format.height = 288;
    clip.frames = 3;
    CompareOptions options;
    options.codecs = {Codec::mpeg2};
    options.searches = {Algorithm::full};
    options.devices = {{"cpu", parse_device("cpu")}};
    options.qps = {8};
    const auto key = [&] { return make_plan(options, {clip}, all_series(options)).points.at(0).key; };
    std::set<std::string> keys{key()};
    for (const SettingRow<Settings>& row : setting_rows()) {
        if (row.name == "codec" || row.name == "qp" || row.name == "me") continue; // Points have lists of them.
        if (row.name == "compat") continue;                                        // No option of this command.
        options.settings = with_another_value(row, clip.format);
        EXPECT_TRUE(keys.insert(key()).second) << row.name;
    }
    options.settings = Settings{};
    options.settings.intra_matrix = default_intra_matrix();
    EXPECT_TRUE(keys.insert(key()).second) << "a matrix";
    options.settings = Settings{};
    options.qps = {9};
    EXPECT_TRUE(keys.insert(key()).second) << "the quantiser";
    options.qps = {};
    options.bitrates = {600};
    EXPECT_TRUE(keys.insert(key()).second) << "a rate";
    options.bitrates = {601};
    EXPECT_TRUE(keys.insert(key()).second) << "another rate";
}

TEST(ComparePlan, PeersGetTheRateAndTheBuffer) {
    ComparedClip clip;
    clip.format.width = 352;
    clip.format.height = 288;
    clip.frames = 3;
    CompareOptions options;
    options.peers = parse_peers("x264,ffmpeg:-c:v mpeg2video -b:v {kbps}k");
    options.bitrates = {600};
    const ComparePlan plan = make_plan(options, {clip}, all_series(options));
    EXPECT_EQ(plan.series.at(0).name, "x264 at rates");
    std::set<std::string> keys;
    for (const ComparePoint& point : plan.points)
        EXPECT_TRUE(keys.insert(point.key).second);
    PeerSettings asked = peer_settings_of(options, plan.points.at(0).target, 1);
    EXPECT_TRUE(has_word(command_words(options.peers[0], asked, "i.y4m", "o.264"), "--bitrate", "600"));
    EXPECT_TRUE(has_word(command_words(options.peers[1], asked, "i.y4m", "o.bin"), "-b:v", "600k"));
    options.settings.rate.vbv_bits_per_second = 700e3;
    options.settings.rate.vbv_bits = 350e3;
    asked = peer_settings_of(options, plan.points.at(0).target, 1);
    EXPECT_TRUE(has_word(command_words(options.peers[0], asked, "i.y4m", "o.264"), "--vbv-maxrate", "700"));
    EXPECT_TRUE(has_word(command_words(options.peers[0], asked, "i.y4m", "o.264"), "--vbv-bufsize", "350"));
    options.peers.pop_back();
    EXPECT_TRUE(keys.insert(make_plan(options, {clip}, all_series(options)).points.at(0).key).second) << "the buffer";
    options.peers = parse_peers("ffmpeg:-c:v mpeg2video -qscale:v {qp}");
    EXPECT_THROW(make_plan(options, {clip}, all_series(options)), InputError);
    options.bitrates = {};
    options.qps = {8};
    EXPECT_NO_THROW(make_plan(options, {clip}, all_series(options)));
    options.peers = parse_peers("ffmpeg:-c:v mpeg2video -b:v {kbps}k");
    EXPECT_THROW(make_plan(options, {clip}, all_series(options)), InputError);
}

TEST(Md5, KnownSums) {
    EXPECT_EQ(md5_of(std::string_view("")), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(md5_of(std::string_view("abc")), "900150983cd24fb0d6963f7d28e17f72");
    const TemporaryFolder folder;
    const std::string text(3000000, 'x');
    test::write_file(folder / "file", text);
    EXPECT_EQ(md5_of_file(folder / "file"), md5_of(text));
    EXPECT_THROW(md5_of_file(folder / "none"), InputError);
}

Json row(const std::string& key, int value) { return {{"schema", results_schema}, {"key", key}, {"value", value}}; }

TEST(ResultsFile, AndSumsAndMatricesAreNoBadInputWhereTheSystemLacksDescriptors) {
    const TemporaryFolder folder;
    const std::string path = folder / "file";
    test::write_file(path, "");
    const test::NoDescriptors none;
    EXPECT_THROW(ResultsFile(path, false), RunError);
    EXPECT_THROW(read_results(path), RunError);
    EXPECT_THROW(md5_of_file(path), RunError);
    EXPECT_THROW(read_matrix_file(path), RunError);
}

TEST(ResultsFile, KeepsWholeLinesAndDropsATornOne) {
    const TemporaryFolder folder;
    const std::string path = folder / "results.jsonl";
    {
        ResultsFile file(path, false);
        file.append(row("a", 1));
        file.append(row("b", 2));
        EXPECT_TRUE(file.has("b"));
    }
    const std::string whole = test::read_file(path);
    test::write_file(path, whole + line_of(row("c", 3)).substr(0, 9));
    EXPECT_EQ(read_results(path).size(), 2u);
    {
        ResultsFile file(path, false);
        EXPECT_TRUE(file.has("a"));
        EXPECT_FALSE(file.has("c"));
        EXPECT_EQ(test::read_file(path), whole);
        file.append(row("c", 3));
    }
    EXPECT_EQ(test::read_file(path), whole + line_of(row("c", 3)));
}

TEST(ResultsFile, OfOneKeyTheLastCounts) {
    const TemporaryFolder folder;
    test::write_file(folder / "r", line_of(row("a", 1)) + line_of(row("b", 2)) + line_of(row("a", 3)));
    const auto rows = read_results(folder / "r");
    ASSERT_EQ(rows.size(), 2u);
    EXPECT_EQ(rows[1]["value"], 3);
}

TEST(ResultsFile, ForeignLinesAreRefusedUnlessAllBeginsAnew) {
    const TemporaryFolder folder;
    for (const char* text : {"no json\n", "{\"schema\":1}\n", "[1]\n", "\n", "{\"schema\":2,\"key\":\"a\"}\n"}) {
        test::write_file(folder / "r", text);
        EXPECT_THROW(ResultsFile(folder / "r", false), InputError) << text;
        EXPECT_EQ(test::read_file(folder / "r"), text);
        const ResultsFile fresh(folder / "r", true);
        EXPECT_TRUE(fresh.rows().empty());
    }
}

TEST(ResultsFile, OneWriterAtATime) {
    const TemporaryFolder folder;
    const ResultsFile file(folder / "r", false);
    EXPECT_THROW(ResultsFile(folder / "r", false), RunError);
}

TEST(ResultsFile, NamesThatAreNotUtf8AreWritten) {
    const TemporaryFolder folder;
    ResultsFile file(folder / "r", false);
    Json odd = row("a", 1);
    odd["name"] = "\xff.y4m";
    file.append(odd);
    EXPECT_EQ(read_results(folder / "r"), file.rows());
}

TEST(RunInChild, GivesTheResultOrTheError) {
    EXPECT_EQ(run_in_child([] { return Json{{"answer", 42}}; }).value()["answer"], 42);
    EXPECT_THROW(run_in_child([]() -> Json { throw InputError("wrong"); }), InputError);
    EXPECT_THROW(run_in_child([]() -> Json { throw RunError("failed"); }), RunError);
    EXPECT_THROW(run_in_child([]() -> Json { throw std::logic_error("a fault"); }), RunError);
    const std::string large(1000000, 'x');
    EXPECT_EQ(run_in_child([&] { return Json(large); }).value(), large);
}

std::string failure_of(const std::function<Json()>& work) {
    try {
        run_in_child(work);
    } catch (const RunError& error) {
        return error.what();
    }
    return "";
}

TEST(RunInChild, ACrashIsAnError) {
    const std::string killed = failure_of([]() -> Json {
        ::raise(SIGKILL);
        return {};
    });
    EXPECT_NE(killed.find("signal 9"), std::string::npos) << killed;
    const std::string ended = failure_of([]() -> Json { ::_exit(3); });
    EXPECT_NE(ended.find("code 3"), std::string::npos) << ended;
}

TEST(RunProgram, FailuresSayWhatTheProgramSaid) {
    const std::string failed = failure_of([]() -> Json {
        run_program({"sh", "-c", "echo some reason >&2; exit 5"});
        return {};
    });
    EXPECT_NE(failed.find("code 5"), std::string::npos) << failed;
    EXPECT_NE(failed.find("some reason"), std::string::npos) << failed;
    EXPECT_NE(failure_of([]() -> Json { return run_program({"/no/such/program"}).seconds; }), "");
    EXPECT_EQ(run_in_child([] { return Json(first_line_of({"printf", "one\\ntwo\\n"})); }).value(), "one");
    EXPECT_TRUE(program_exists("sh"));
    EXPECT_FALSE(program_exists("no-such-program-anywhere"));
}

Json one_run(double encode, double total, std::int64_t memory, const std::string& md5) {
    return {{"runs", {{{"encode_s", encode}, {"total_s", total}}}}, {"peak_rss_bytes", memory}, {"stream_md5", md5}};
}

TEST(MergedRuns, MediansAndTheHighestMemory) {
    const Json merged = merged_runs({one_run(3, 4, 10, "a"), one_run(1, 9, 30, "a"), one_run(2, 5, 20, "a")});
    EXPECT_EQ(merged["encode_s"], 2);
    EXPECT_EQ(merged["total_s"], 5);
    EXPECT_EQ(merged["peak_rss_bytes"], 30);
    EXPECT_EQ(merged["runs"].size(), 3u);
    EXPECT_FALSE(merged.contains("motion_s"));
    EXPECT_EQ(merged_runs({one_run(3, 4, 1, "a"), one_run(1, 9, 1, "a")})["encode_s"], 2);
    EXPECT_EQ(median({10, 1, 3, 2}), 2.5);
    EXPECT_THROW(merged_runs({one_run(3, 4, 1, "a"), one_run(3, 4, 1, "b")}), RunError);
}

TEST(SweepProgress, GuessesFromEachSeriesOwnSpeed) {
    SweepProgress progress;
    for (const SweepStep step : {SweepStep{0, 10}, {0, 20}, {1, 10}, {1, 10}, {2, 5}})
        progress.expect(step);
    EXPECT_EQ(progress.seconds_left(), 0);
    progress.done({0, 10}, 1);
    progress.done({1, 10}, 5);
    // 20 at 10 a second, 10 at 2 a second, and 5 at the 20 in 6 s of all.
    EXPECT_DOUBLE_EQ(progress.seconds_left(), 2 + 5 + 1.5);
    progress.drop({2, 5});
    EXPECT_DOUBLE_EQ(progress.seconds_left(), 7);
}

} // namespace
} // namespace tandem
