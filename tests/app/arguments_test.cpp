// SPDX-License-Identifier: BSD-2-Clause
// What becomes of the words of a command line.
#include "app/options/arguments.h"

#include <gtest/gtest.h>

#include "app/command_table.h"
#include "app/encode/foreign_options.h"
#include "app/encode/parse_options.h"
#include "machine/errors.h"
#include "tests/app/contains.h"

namespace tandem {
namespace {

using test::contains;

TEST(Arguments, HelpAllIsTheFullHelp) {
    const CommandRow& encode = *find_command("encode");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--help", "all"}, {"-h", "all"}, {"--help=all"}, {"--fullhelp"}})
        EXPECT_TRUE(Arguments(encode, words).given("fullhelp")) << words[0];
    EXPECT_FALSE(Arguments(encode, {"--help", "clip.y4m"}).given("fullhelp"));
}

/// What a user reads of a command line that is refused.
std::string refusal(const char* command, const std::vector<std::string>& words) {
    try {
        Arguments(*find_command(command), words);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Arguments, OptionsOfOtherProgramsAreAnswered) {
    const auto answer = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"in.y4m", "-o", "out.m2v"});
        return refusal("encode", words);
    };
    EXPECT_TRUE(contains(answer({"--tff"}), "unknown option --tff: tandem codes progressive pictures only"));
    EXPECT_TRUE(contains(answer({"--gop", "12"}), "--keyint N"));
    EXPECT_TRUE(contains(answer({"-g", "12"}), "--keyint N"));
    EXPECT_TRUE(contains(answer({"-b:v", "2M"}), "unknown option -b:v: "));
    EXPECT_TRUE(contains(answer({"-q:v", "2"}), "--qp N"));
    EXPECT_TRUE(contains(answer({"--qscale=4"}), "unknown option --qscale: "));
    EXPECT_TRUE(contains(answer({"-r", "25"}), "--fps N[/D]"));
    EXPECT_TRUE(contains(answer({"-vf", "scale=640:-2"}), "unknown option -vf: "));
    EXPECT_TRUE(contains(answer({"--bfarmes", "2"}), "did you mean --bframes?"));
    // Values of options, and what stands after --, are no options.
    EXPECT_EQ(refusal("encode", {"-o", "out.m2v", "--recon", "-g", "in.y4m"}), "");
    EXPECT_EQ(refusal("encode", {"-o", "out.m2v", "--", "-g"}), "");
}

TEST(Arguments, EveryForeignOptionHasAnAnswerThatIsASentenceOfOurs) {
    for (const ForeignOption& option : foreign_options()) {
        EXPECT_TRUE(option.name.starts_with('-')) << option.name;
        EXPECT_EQ(foreign_answer(option.name), option.answer) << option.name << " stands there twice";
        // The options that answers name are there.
        const std::string answer(option.answer);
        for (std::size_t at = 0; (at = answer.find(" --", at)) != std::string::npos; ++at) {
            const std::string name = answer.substr(at + 3, answer.find_first_of(" ,;:", at + 3) - at - 3);
            const bool is_own = answer.find("has no --" + name) != std::string::npos;
            EXPECT_TRUE(is_own || find_option(*find_command("encode"), name) != nullptr) << option.name << " " << name;
        }
    }
}

TEST(Arguments, TheOutputHasAnOption) {
    EXPECT_TRUE(
        contains(refusal("encode", {"in.y4m", "x.mkv"}), "too many: x.mkv; what is written is named by -o x.mkv"));
    EXPECT_TRUE(contains(refusal("encode", {"in.y4m", "-o", "x.mkv", "y.mkv"}), "too many: y.mkv"));
    EXPECT_FALSE(contains(refusal("encode", {"in.y4m", "-o", "x.mkv", "y.mkv"}), "named by"));
    EXPECT_TRUE(contains(refusal("encode", {"in.y4m"}), "-o or --output FILE is missing"));
}

TEST(Arguments, WordsWithOneDashAreQuotedWhole) {
    EXPECT_TRUE(contains(refusal("encode", {"in.y4m", "-o", "x.m2v", "-vsync", "1"}), "unknown option -vsync: "));
    EXPECT_TRUE(contains(refusal("encode", {"in.y4m", "-o", "x.m2v", "-vnothing"}), "unknown option -vnothing"));
    EXPECT_TRUE(contains(refusal("encode", {"in.y4m", "-o", "x.m2v", "-qz"}), "unknown option -qz"));
    const Arguments bundled(*find_command("encode"), {"in.y4m", "-vox.m2v"});
    EXPECT_EQ(bundled.text("output"), "x.m2v");
    EXPECT_TRUE(bundled.given("verbose"));
    EXPECT_EQ(Arguments(*find_command("synth"), {"-qo", "-"}).text("output"), "-");
}

TEST(Arguments, AShortOptionWithAnEqualsSignIsExplained) {
    EXPECT_TRUE(contains(refusal("encode", {"in.y4m", "-o=x.m2v"}), "-o=x.m2v: write -o x.m2v or --output=x.m2v"));
    EXPECT_TRUE(contains(refusal("synth", {"-o=x.y4m"}), "write -o x.y4m"));
}

TEST(Arguments, ThreadsMayBeAuto) {
    const auto threads = [](const char* text) {
        return encode_options(Arguments(*find_command("encode"), {"in", "-o", "out.m2v", "--threads", text}))
            .settings.threads;
    };
    EXPECT_EQ(threads("auto"), 0);
    EXPECT_EQ(threads("0"), 0);
    EXPECT_EQ(threads("3"), 3);
    EXPECT_THROW(threads("many"), InputError);
    EXPECT_THROW(threads("N"), InputError);
    EXPECT_EQ(Arguments(*find_command("synth"), {"-o", "out.y4m", "--threads", "auto"}).threads(), 0);
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
