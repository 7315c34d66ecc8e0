// SPDX-License-Identifier: BSD-2-Clause
// The table, and all that is made from it.
#include "app/command_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "app/encode/parse_options.h"
#include "app/encode/records/report.h"
#include "app/motion/motion_options.h"
#include "app/options/arguments.h"
#include "app/options/completion.h"
#include "app/options/help_text.h"
#include "app/options/setting_options.h"
#include "encoder/settings/setting_rows.h"
#include "machine/errors.h"
#include "me/rows/search_rows.h"
#include "me/search.h"
#include "tests/app/contains.h"
#include "video/codec.h"
#include "video/open_packet_sink.h"

namespace tandem {
namespace {

using test::contains;

TEST(OptionTable, NamesAndLettersAreUnique) {
    for (const CommandRow& command : commands()) {
        std::set<std::string_view> names;
        std::set<char> letters;
        for (const OptionRow& option : command.options) {
            EXPECT_TRUE(names.insert(option.name).second) << command.name << " " << option.name;
            for (const std::string_view spelling : words_between_bars(option.also))
                EXPECT_TRUE(names.insert(spelling).second) << command.name << " " << spelling;
            EXPECT_TRUE(option.letter == 0 || letters.insert(option.letter).second) << option.name;
            EXPECT_EQ(option.argument.empty(), option.kind == ValueKind::none) << option.name;
            EXPECT_FALSE(option.help.empty()) << option.name;
        }
    }
}

TEST(OptionTable, EveryOptionIsInHelpCompletionAndManPage) {
    const std::string completion = bash_completion(), page = man_page("1.2.3"), zsh = zsh_completion(),
                      fish = fish_completion();
    EXPECT_TRUE(contains(page, "tandem 1.2.3"));
    for (const CommandRow& command : commands()) {
        const std::string help = full_help(command, 100);
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
            const std::string in_zsh = option.letter != 0 ? ")" + flag : "'" + flag;
            EXPECT_TRUE(contains(zsh, in_zsh + (option.kind == ValueKind::none ? "[" : "=["))) << flag;
            EXPECT_TRUE(contains(fish, "__fish_seen_subcommand_from " + std::string(command.name) + "'")) << flag;
            EXPECT_TRUE(contains(fish, " -l " + std::string(option.name) + " ")) << flag;
            std::string escaped = "\\fB\\-\\-";
            for (const char letter : option.name)
                escaped += letter == '-' ? std::string("\\-") : std::string(1, letter);
            EXPECT_TRUE(contains(page, escaped + "\\fR")) << command.name << " " << flag;
            if (option.kind == ValueKind::choice) {
                std::string words(option.argument);
                std::ranges::replace(words, '|', ' ');
                EXPECT_TRUE(contains(of_command, "'" + words + "'")) << flag;
                EXPECT_TRUE(contains(zsh, ":(" + words + ")'")) << flag;
                EXPECT_TRUE(contains(fish, " -l " + std::string(option.name) + " -x -a '" + words + "'")) << flag;
            }
        }
    }
}

TEST(OptionTable, HelpNamesEveryExtensionOfAStream) {
    std::istringstream help(full_help(*find_command("encode"), 100)), names(packet_sink_extensions());
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
    for (const std::size_t width : {60, 100, 140}) {
        for (const CommandRow& command : commands()) {
            std::istringstream help(full_help(command, width));
            for (std::string line; std::getline(help, line);)
                EXPECT_LE(line.size(), std::max<std::size_t>(width, 72)) << line; // Spellings are not taken apart.
        }
    }
}

TEST(OptionTable, TheShortHelpOfEncodeIsOneScreenWithThreeExamples) {
    const std::string help = short_help(*find_command("encode"), 80);
    EXPECT_LE(std::ranges::count(help, '\n'), 36);
    std::size_t examples = 0;
    for (std::size_t at = 0; (at = help.find("\n  tandem encode ", at)) != std::string::npos; ++at)
        ++examples;
    EXPECT_EQ(examples, 3u);
    for (const char* used : {"--output", "--qp", "--codec", "--bframes", "--help all"})
        EXPECT_TRUE(contains(help, used)) << used;
    EXPECT_FALSE(contains(help, "--deadzone-intra"));
}

TEST(OptionTable, ExamplesOfHelpAreRight) {
    for (const CommandRow& command : commands()) {
        for (const Example& example : command.examples) {
            std::istringstream line{std::string(example.line)};
            std::vector<std::string> words{std::istream_iterator<std::string>(line), {}};
            ASSERT_GT(words.size(), 2u);
            EXPECT_EQ(words[1], command.name);
            EXPECT_NO_THROW(Arguments(command, {words.begin() + 2, words.end()})) << example.line;
        }
    }
}

TEST(OptionTable, CommandsWithoutExamplesShowEverythingAtOnce) {
    const CommandRow& motion = *find_command("motion");
    EXPECT_EQ(short_help(motion, 100), full_help(motion, 100));
}

/// What every value option of encode says if its default is given in words; options of rates exclude each other, and
/// --qp.
std::vector<std::string> spelled_out_defaults(const CommandRow& encode) {
    std::vector<std::string> words{"in.y4m", "-o", "out.m2v"};
    for (const OptionRow& option : encode.options) {
        if (option.fallback.empty() || option.section == "Rate") continue;
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
    Settings defaults;
    defaults.rate.quality = 23;
    EXPECT_EQ(settings_text(silent.settings), settings_text(defaults));
}

/// What `tandem encode in.y4m -o out.m2v` with more words sets.
Settings settings_by(std::vector<std::string> words) {
    words.insert(words.begin(), {"in.y4m", "-o", "out.m2v"});
    return encode_options(Arguments(*find_command("encode"), words)).settings;
}

TEST(OptionTable, WhatIsGivenCountsBeforeAPresetWhereverItStands) {
    const std::string before = settings_text(settings_by({"--decision", "tm5", "--preset", "superfast"}));
    EXPECT_EQ(before, settings_text(settings_by({"--preset", "superfast", "--decision", "tm5"})));
    const Settings superfast = settings_by({"--preset", "superfast"});
    EXPECT_NE(before, settings_text(superfast));
    EXPECT_EQ(superfast.bframes, 0);
    EXPECT_EQ(settings_by({"--preset", "superfast", "--bframes", "2"}).bframes, 2);
    EXPECT_EQ(settings_text(settings_by({"--preset", "medium"})), settings_text(settings_by({})));
    EXPECT_THROW(settings_by({"--preset", "ultraslow"}), InputError);
}

TEST(OptionTable, ATuneChangesThePresetAndWhatIsGivenCounts) {
    EXPECT_EQ(settings_text(settings_by({"--tune", "psnr"})), settings_text(settings_by({})));
    EXPECT_EQ(settings_by({"--tune", "ssim"}).aq_mode, AqMode::picture);
    EXPECT_EQ(settings_by({"--aq-mode", "1", "--tune", "ssim"}).aq_mode, AqMode::usual);
    EXPECT_EQ(settings_by({"--tune", "animation", "--preset", "fast"}).bframes, 4);
    EXPECT_EQ(settings_by({"--tune", "animation", "--preset", "placebo"}).bframes, 8);
    EXPECT_EQ(settings_by({"--tune", "animation", "--preset", "ultrafast"}).bframes, 0);
    EXPECT_THROW(settings_by({"--tune", "film"}), InputError);
}

TEST(OptionTable, ThePresetsReachIsForItsOwnSearch) {
    EXPECT_EQ(settings_by({"--preset", "ultrafast"}).range, 1);
    EXPECT_EQ(settings_by({"--preset", "ultrafast", "--me", "full"}).range, std::nullopt);
    EXPECT_EQ(settings_by({"--preset", "ultrafast", "--me", "full", "--merange", "32"}).range, 32);
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

/// Another value of a setting than its default, as a user gives it.
template <class Owner> std::vector<std::string> other_value(const SettingRow<Owner>& setting) {
    const double normal = setting.field.get(Owner{});
    const std::string flag = "--" + std::string(setting.name);
    for (const SettingWord& known : setting.words)
        if (known.value != normal) return {flag, std::string(known.word)};
    if (setting.field.type == SettingType::toggle) return {flag};
    return {flag, setting_number_text(normal == setting.most ? setting.least : setting.most)};
}

/// The options without which one is refused.
std::vector<const char*> needed_beside(std::string_view name) {
    if (name == "vbv-maxrate") return {"--vbv-bufsize", "1000"};
    if (name == "vbv-bufsize") return {"--vbv-maxrate", "1000"};
    if (name == "vbv-soft" || name == "vbv-init") return {"--vbv-maxrate", "2000", "--vbv-bufsize", "1000"};
    if (name == "cbr") return {"--bitrate", "1000"};
    return {};
}

TEST(OptionTable, EverySettingOfAnEncodeReachesTheSettingsAndReports) {
    std::set<std::string> seen{settings_text(Settings{})};
    for (const SettingRow<Settings>& setting : setting_rows()) {
        std::vector<std::string> words{"in.y4m", "-o", "out.m2v"};
        for (const std::string& word : other_value(setting))
            words.push_back(word);
        for (const char* word : needed_beside(setting.name))
            words.push_back(word);
        const Settings settings = encode_options(Arguments(*find_command("encode"), words)).settings;
        EXPECT_NE(setting.field.get(settings), setting.field.get(Settings{})) << setting.name;
        EXPECT_TRUE(seen.insert(settings_text(settings)).second) << setting.name << " is not in reports";
    }
}

TEST(OptionTable, EverySettingOfASearchReachesItsParametersAndReports) {
    const auto check = [](std::span<const SettingRow<SearchParams>> rows) {
        for (const SettingRow<SearchParams>& setting : rows) {
            std::vector<std::string> words{"in.y4m", "--hint", "field.npy"};
            for (const std::string& word : other_value(setting))
                words.push_back(word);
            SearchParams params;
            fill_settings(Arguments(*find_command("motion"), words), rows, params);
            EXPECT_NE(setting.field.get(params), setting.field.get(SearchParams{})) << setting.name;
            EXPECT_NE(settings_json(rows, params), settings_json(rows, SearchParams{})) << setting.name;
        }
    };
    check(plain_search_rows());
    check(shared_search_rows());
}

TEST(OptionTable, KeysOfReportsAreUnique) {
    EXPECT_EQ(settings_json(setting_rows(), Settings{}).size(), setting_rows().size());
}

bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

TEST(OptionTable, CompareTakesTheSettingsThatItsPointsDoNotDifferIn) {
    const CommandRow& compare = *find_command("compare");
    for (const SettingRow<Settings>& setting : setting_rows()) {
        const OptionRow* option = find_option(compare, setting.name);
        const bool is_of_points = is_among(setting.name, {"codec", "qp", "crf", "bitrate", "cbr", "me", "compat"});
        EXPECT_EQ(option != nullptr && option->is_setting, !is_of_points) << setting.name;
        if (is_of_points) continue;
        EXPECT_EQ(option->changes_stream, setting.changes_stream) << setting.name;
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
    EXPECT_EQ(find_option(*find_command("motion"), "me")->argument, names);
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

TEST(OptionTable, OptionsOfASearchWithoutARowReachItsParameters) {
    const std::vector<std::vector<std::string>> cases{
        {"--block", "8x16"},  {"--block", "16x8"},           {"--merange", "9"},
        {"--merange", "9,7"}, {"--precision", "1/2"},        {"--predictor", "previous"},
        {"--lambda", "0.5"},  {"--predictor", "neighbours"}, {"--precision", "4", "--grid", "1/4"}};
    std::vector<SearchParams> seen{SearchParams{}};
    for (const auto& words : cases) {
        std::vector<std::string> all{"in.y4m"};
        all.insert(all.end(), words.begin(), words.end());
        const SearchParams params = motion_options(Arguments(*find_command("motion"), all)).search;
        EXPECT_EQ(std::ranges::count(seen, params), 0) << words[0];
        seen.push_back(params);
    }
}

TEST(OptionTable, SearchAndRangeHaveTheSameSpellingsEverywhere) {
    struct Given {
        const char* command;
        std::vector<std::string> words;
    };
    for (const Given& given : {Given{"encode", {"in.y4m", "-o", "out.m2v"}}, Given{"motion", {"in.y4m"}},
                               Given{"bench", {"motion"}}, Given{"compare", {"in.y4m", "-o", "folder"}}}) {
        // In encode --range with a word is that of the samples.
        const bool has_other = std::string(given.command) == "encode";
        for (const char* search : {"--me", "--search", "--searches"}) {
            for (const char* range : {"--merange", "--range"}) {
                std::vector<std::string> words = given.words;
                words.insert(words.end(), {search, "log", range, "9"});
                const Arguments arguments(*find_command(given.command), words);
                EXPECT_EQ(arguments.text("me"), "log") << given.command << " " << search;
                EXPECT_EQ(arguments.text("merange"), "9") << given.command << " " << range;
            }
        }
        const std::string help = full_help(*find_command(given.command), 100);
        EXPECT_TRUE(contains(help, "--me ") && contains(help, "--merange ")) << given.command;
        EXPECT_FALSE(contains(help, "--search") || contains(help, "--range") != has_other) << given.command;
    }
}

TEST(OptionTable, RangeOfEncodeIsOfTheSearchWhereItIsANumber) {
    const auto encode = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"in.y4m", "-o", "out.m2v"});
        return Arguments(*find_command("encode"), words);
    };
    const Arguments both = encode({"--range=12", "--range", "full"});
    EXPECT_EQ(both.text("merange"), "12");
    EXPECT_EQ(both.text("range"), "full");
    EXPECT_EQ(encode({"--merange", "8", "--range", "24"}).text("merange"), "24") << "the last one counts";
    EXPECT_FALSE(encode({"--csv", "--range"}).given("merange")) << "the name of a file";
    for (const char* word : {"-4", "4.5", "1e3", ""})
        EXPECT_THROW(encode({"--range", word}), InputError) << word;
    EXPECT_THROW(encode({"--range"}), InputError);
}

TEST(OptionTable, AMessageNamesTheSpellingThatWasGiven) {
    try {
        Arguments(*find_command("motion"), {"in.y4m", "--range", "5000"});
        FAIL() << "a range of 5000 was taken";
    } catch (const InputError& error) {
        EXPECT_TRUE(contains(error.what(), "--range 5000")) << error.what();
    }
}

TEST(OptionTable, RangeOfThePictureIsItsSize) {
    const MotionOptions options = motion_options(Arguments(*find_command("motion"), {"in.y4m", "--range", "picture"}));
    const SearchParams params = search_for_pictures(options, 352, 288);
    EXPECT_EQ(params.range_x, 351);
    EXPECT_EQ(params.range_y, 287);
    EXPECT_EQ(search_for_pictures(options, 4096, 16).range_x, 4080);
}

} // namespace
} // namespace tandem
