// SPDX-License-Identifier: BSD-2-Clause
// The table, and all that is made from it.
#include "app/options/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "app/encode/encode_options.h"
#include "app/encode/report.h"
#include "app/motion/motion_options.h"
#include "app/options/arguments.h"
#include "app/options/help_text.h"
#include "machine/errors.h"
#include "me/search.h"
#include "video/codec.h"
#include "video/packet_sink.h"

namespace tandem {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(OptionTable, NamesAndLettersAreUnique) {
    for (const CommandRow& command : commands()) {
        std::set<std::string_view> names;
        std::set<char> letters;
        for (const OptionRow& option : command.options) {
            EXPECT_TRUE(names.insert(option.name).second) << command.name << " " << option.name;
            EXPECT_TRUE(option.letter == 0 || letters.insert(option.letter).second) << option.name;
            EXPECT_EQ(option.argument.empty(), option.kind == ValueKind::none) << option.name;
            EXPECT_FALSE(option.help.empty()) << option.name;
        }
    }
}

TEST(OptionTable, EveryOptionIsInHelpCompletionAndManPage) {
    const std::string completion = bash_completion(), page = man_page("1.2.3");
    EXPECT_TRUE(contains(page, "tandem 1.2.3"));
    for (const CommandRow& command : commands()) {
        const std::string help = help_text(command);
        EXPECT_TRUE(contains(overview_text(), std::string(command.name)));
        const std::size_t begin = completion.find("    " + std::string(command.name) + ")\n");
        ASSERT_NE(begin, std::string::npos) << command.name;
        const std::string of_command = completion.substr(begin, completion.find("fi ;;", begin) - begin);
        // The words offered where an option is begun; each stands between blanks or quotes.
        std::string offered = of_command.substr(of_command.rfind("_tandem_words '--"));
        std::ranges::replace(offered, '\'', ' ');
        for (const OptionRow& option : command.options) {
            const std::string flag = "--" + std::string(option.name);
            EXPECT_TRUE(contains(help, flag)) << command.name << " " << flag;
            EXPECT_TRUE(contains(offered, " " + flag + " ")) << command.name << " " << flag;
            std::string escaped = "\\fB\\-\\-";
            for (const char letter : option.name)
                escaped += letter == '-' ? std::string("\\-") : std::string(1, letter);
            EXPECT_TRUE(contains(page, escaped + "\\fR")) << command.name << " " << flag;
            if (option.kind == ValueKind::choice) {
                std::string words(option.argument);
                std::ranges::replace(words, '|', ' ');
                EXPECT_TRUE(contains(of_command, "'" + words + "'")) << flag;
            }
        }
    }
}

TEST(OptionTable, HelpNamesEveryExtensionOfAStream) {
    std::istringstream help(help_text(*find_command("encode"))), names(packet_sink_extensions());
    const std::set<std::string> said{std::istream_iterator<std::string>(help), {}};
    int extensions = 0;
    for (std::string name; names >> name;) {
        if (!name.starts_with('.')) continue;
        EXPECT_TRUE(said.contains(name)) << name;
        ++extensions;
    }
    EXPECT_GE(extensions, 5);
}

TEST(OptionTable, LinesOfHelpFitTheScreen) {
    for (const CommandRow& command : commands()) {
        const std::string help = help_text(command);
        for (std::size_t begin = 0; begin < help.size();) {
            const std::size_t end = std::min(help.find('\n', begin), help.size());
            EXPECT_LE(end - begin, 100u) << help.substr(begin, end - begin);
            begin = end + 1;
        }
    }
}

/// What every value option of encode says if its default is given in words.
std::vector<std::string> spelled_out_defaults(const CommandRow& encode) {
    std::vector<std::string> words{"in.y4m", "-o", "out.m2v"};
    for (const OptionRow& option : encode.options) {
        if (option.fallback.empty()) continue;
        words.push_back("--" + std::string(option.name));
        words.emplace_back(option.fallback);
    }
    return words;
}

TEST(OptionTable, DefaultsThatHelpShowsAreTheSettingsDefaults) {
    const CommandRow& encode = *find_command("encode");
    const EncodeOptions spelled = encode_options(Arguments(encode, spelled_out_defaults(encode)));
    EXPECT_EQ(settings_text(spelled.settings), settings_text(Settings{}));
    const EncodeOptions silent = encode_options(Arguments(encode, {"in.y4m", "-o", "out.m2v"}));
    EXPECT_EQ(settings_text(silent.settings), settings_text(Settings{}));
}

TEST(OptionTable, AnM1vFileIsMpeg1UnlessTheCodecIsGiven) {
    const auto codec_of = [](const std::vector<std::string>& words) {
        return encode_options(Arguments(*find_command("encode"), words)).settings.codec;
    };
    EXPECT_EQ(codec_of({"in.y4m", "-o", "out.m1v"}), Codec::mpeg1);
    EXPECT_EQ(codec_of({"in.y4m", "-o", "OUT.M1V"}), Codec::mpeg1);
    EXPECT_EQ(codec_of({"in.y4m", "-o", "out.m1v", "--codec", "mpeg2"}), Codec::mpeg2);
    EXPECT_EQ(codec_of({"in.y4m", "-o", "out.mpg"}), Codec::mpeg2);
}

TEST(OptionTable, OfAValueGivenTwiceTheLastCountsAndFilesAreRefused) {
    const CommandRow& encode = *find_command("encode");
    const auto qp_of = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"in.y4m", "-o", "out.m2v"});
        return encode_options(Arguments(encode, more)).settings.qp;
    };
    EXPECT_EQ(qp_of({"--qp", "4", "--qp", "9"}), 9);
    EXPECT_EQ(qp_of({"--qp=9", "--qp=4"}), 4);
    EXPECT_THROW(qp_of({"--recon", "a.y4m", "--recon", "b.y4m"}), InputError);
    EXPECT_THROW(qp_of({"--output", "other.m2v"}), InputError);
}

/// Of the parameters that encode and motion have in common, a value each that is not the default.
const std::vector<std::vector<std::string>> tuning_words{{"--first-step", "9"},         {"--step-sequence", "halving"},
                                                         {"--smpuhex-converged", "9"},  {"--smpuhex-wide", "9"},
                                                         {"--smpuhex-wide-small", "9"}, {"--passes", "3"},
                                                         {"--block-order", "raster"},   {"--levels", "2"},
                                                         {"--level-candidates", "2"},   {"--phase-window", "64"},
                                                         {"--phase-layers", "2"},       {"--phase-hann", "0"},
                                                         {"--phase-peaks", "2"}};

TEST(OptionTable, EveryOptionOfTheStreamReachesTheSettings) {
    // Options that change the coded stream or its making, each with a value that is not the default.
    std::vector<std::vector<std::string>> cases{{"--codec", "mpeg1"},
                                                {"--keyint", "7"},
                                                {"--bframes", "2"},
                                                {"--closed-gop"},
                                                {"--slices", "40"},
                                                {"--maxrate", "500"},
                                                {"--qp", "5"},
                                                {"--ip-factor", "1.5"},
                                                {"--pb-factor", "1.5"},
                                                {"--intra-vlc"},
                                                {"--alternate-scan"},
                                                {"--qscale-type", "nonlinear"},
                                                {"--deadzone-intra", "3"},
                                                {"--deadzone-inter", "3"},
                                                {"--intra-dc-precision", "9"},
                                                {"--decision", "tm5"},
                                                {"--decision", "sm3"},
                                                {"--decision", "rd"},
                                                {"--null-threshold", "9"},
                                                {"--null-gain", "9"},
                                                {"--intra-threshold", "-9"},
                                                {"--intra-refresh", "9"},
                                                {"--me", "tss"},
                                                {"--me", "log"},
                                                {"--merange", "9"},
                                                {"--me-reference", "recon"},
                                                {"--candidates", "9"},
                                                {"--grid", "2"},
                                                {"--metric", "ssd"},
                                                {"--planes", "all"},
                                                {"--lookahead", "9"},
                                                {"--threads", "9"},
                                                {"--trellis", "0"}};
    cases.insert(cases.end(), tuning_words.begin(), tuning_words.end());
    std::set<std::string> seen{settings_text(Settings{})};
    for (const auto& words : cases) {
        std::vector<std::string> all{"in.y4m", "-o", "out.m2v"};
        all.insert(all.end(), words.begin(), words.end());
        const EncodeOptions options = encode_options(Arguments(*find_command("encode"), all));
        EXPECT_TRUE(seen.insert(settings_text(options.settings)).second) << words[0];
    }
}

TEST(OptionTable, EverySearchCanBeChosen) {
    std::string names, own_names;
    for (const SearchRow& row : search_table()) {
        names += (names.empty() ? "" : "|") + std::string(row.name);
        if (row.from_hint) continue; // The encoder has no hint to give.
        own_names += (own_names.empty() ? "" : "|") + std::string(row.name);
        const EncodeOptions options =
            encode_options(Arguments(*find_command("encode"), {"in", "-o", "out.m2v", "--me", std::string(row.name)}));
        EXPECT_EQ(options.settings.search.algorithm, row.algorithm);
    }
    EXPECT_EQ(find_option(*find_command("encode"), "me")->argument, own_names);
    EXPECT_EQ(find_option(*find_command("motion"), "search")->argument, names);
}

TEST(OptionTable, DefaultsOfMotionAreThoseOfASearch) {
    const CommandRow& row = *find_command("motion");
    std::vector<std::string> words{"in.y4m"};
    for (const OptionRow& option : row.options) {
        if (option.fallback.empty()) continue;
        words.push_back("--" + std::string(option.name));
        words.emplace_back(option.fallback);
    }
    EXPECT_EQ(motion_options(Arguments(row, words)).search, SearchParams{});
    EXPECT_EQ(motion_options(Arguments(row, {"in.y4m"})).search, SearchParams{});
}

TEST(OptionTable, AnOptionMayHaveASecondName) {
    const CommandRow& row = *find_command("motion");
    EXPECT_EQ(Arguments(row, {"in.y4m", "--interp", "six-tap"}).text("interpolation"), "six-tap");
    EXPECT_THROW(Arguments(row, {"in.y4m", "--interp", "cubic"}), InputError);
    const Arguments both(row, {"in.y4m", "--interpolation", "bilinear", "--interp", "six-tap"});
    EXPECT_EQ(both.text("interpolation"), "six-tap");
}

TEST(OptionTable, EveryOptionOfASearchReachesItsParameters) {
    std::vector<std::vector<std::string>> cases{{"--search", "log"},
                                                {"--block", "8x16"},
                                                {"--block", "16x8"},
                                                {"--range", "9"},
                                                {"--range", "9,7"},
                                                {"--precision", "1/2"},
                                                {"--precision", "4", "--grid", "1/4"},
                                                {"--metric", "satd"},
                                                {"--planes", "all"},
                                                {"--interpolation", "six-tap"},
                                                {"--boundary", "padded"},
                                                {"--lambda", "0.5"},
                                                {"--rate-unit", "8"},
                                                {"--predictor", "previous"},
                                                {"--predictor", "neighbours"},
                                                {"--null-threshold", "9"},
                                                {"--null-gain", "9"},
                                                {"--null-level", "9"},
                                                {"--candidates", "9"},
                                                {"--brute"}};
    cases.insert(cases.end(), tuning_words.begin(), tuning_words.end());
    std::vector<SearchParams> seen{SearchParams{}};
    for (const auto& words : cases) {
        std::vector<std::string> all{"in.y4m"};
        all.insert(all.end(), words.begin(), words.end());
        const SearchParams params = motion_options(Arguments(*find_command("motion"), all)).search;
        EXPECT_EQ(std::ranges::count(seen, params), 0) << words[0];
        seen.push_back(params);
    }
}

TEST(OptionTable, RangeOfThePictureIsItsSize) {
    const MotionOptions options = motion_options(Arguments(*find_command("motion"), {"in.y4m", "--range", "picture"}));
    const SearchParams params = search_for_pictures(options, 352, 288);
    EXPECT_EQ(params.range_x, 351);
    EXPECT_EQ(params.range_y, 287);
    EXPECT_EQ(search_for_pictures(options, 4096, 16).range_x, 4080);
}

TEST(Arguments, SecondFileWhereACommandHasOne) {
    EXPECT_EQ(Arguments(*find_command("motion"), {"a.png", "--range", "8", "b.png"}).second(), "b.png");
    EXPECT_EQ(Arguments(*find_command("motion"), {"a.y4m"}).second(), "");
    EXPECT_THROW(Arguments(*find_command("encode"), {"a.y4m", "b.y4m", "-o", "c.m2v"}), InputError);
}

TEST(Arguments, SpellingsOfTheSame) {
    const CommandRow& encode = *find_command("encode");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"in", "-o", "out", "--qp", "5"},
                                                  {"--qp=5", "--output=out", "in"},
                                                  {"-oout", "in", "--qp", "5"},
                                                  {"--qp", "5", "-o", "out", "--", "in"}}) {
        const Arguments arguments(encode, words);
        EXPECT_EQ(arguments.positional(), "in");
        EXPECT_EQ(arguments.text("output"), "out");
        EXPECT_EQ(arguments.integer("qp"), 5);
        EXPECT_FALSE(arguments.given("psnr"));
    }
}

TEST(Arguments, NothingAfterTwoDashesIsAnOption) {
    const Arguments arguments(*find_command("motion"), {"-o", "out.tmf", "--", "-first.png", "--"});
    EXPECT_EQ(arguments.positional(), "-first.png");
    EXPECT_EQ(arguments.second(), "--");
}

TEST(Arguments, StandardStreamsAndNegativeValuesAreNoOptions) {
    const Arguments arguments(*find_command("encode"), {"-", "-o", "-", "--intra-threshold", "-5", "-qh"});
    EXPECT_EQ(arguments.positional(), "-");
    EXPECT_EQ(arguments.text("output"), "-");
    EXPECT_EQ(arguments.integer("intra-threshold"), -5);
    EXPECT_TRUE(arguments.given("quiet"));
    EXPECT_TRUE(arguments.given("help"));
}

TEST(Arguments, NearestName) {
    EXPECT_EQ(nearest_name("--bfarmes", {"--qp", "--bframes", "--frames"}), "--bframes");
    EXPECT_EQ(nearest_name("--inter", {"--qp", "--inter-threshold"}), "--inter-threshold");
    EXPECT_EQ(nearest_name("--something", {"--qp", "--fps"}), "");
}

} // namespace
} // namespace tandem
