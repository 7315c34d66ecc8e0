// SPDX-License-Identifier: BSD-2-Clause
#include "app/options/arguments.h"

#include <algorithm>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/devices/device_choice.h"
#include "app/options/numbers.h"
#include "machine/errors.h"

namespace tandem {
namespace {

/// Levenshtein's distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = j;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

std::string flag_name(std::string_view name) { return fmt::format("--{}", name); }

[[noreturn]] void refuse_unknown(const CommandRow& command, const std::string& word) {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const OptionRow& row : command.options) {
        known.push_back(flag_name(row.name));
        for (const std::string_view spelling : words_between_bars(row.also))
            known.push_back(flag_name(spelling));
    }
    const std::string near = nearest_name(name, known);
    throw InputError(
        fmt::format("unknown option {}{}", name, near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

/// Of a word that may have its value behind it.
std::string flag_of(const std::string& word) { return word.substr(0, word.find('=')); }

/// The spelling among the words, of those that the option has, or the flag in `as_spelt` that became the option's.
std::string spelling_in(const std::vector<std::string>& words, const std::vector<std::string>& as_spelt,
                        const OptionRow& row) {
    for (const std::string_view spelling : words_between_bars(row.also))
        for (const std::string& word : words)
            if (flag_of(word) == flag_name(spelling)) return flag_name(spelling);
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] != as_spelt[i] && flag_of(words[i]) == flag_name(row.name)) return flag_of(as_spelt[i]);
    return flag_name(row.name);
}

const OptionRow* find_letter(const CommandRow& command, char letter) {
    const auto found = std::ranges::find(command.options, letter, &OptionRow::letter);
    return found == command.options.end() ? nullptr : &*found;
}

/// The option that a word names, as --name, --name=VALUE or -x; null where it names none so.
const OptionRow* option_named(const CommandRow& command, std::string_view word) {
    if (word.starts_with("--")) return find_option(command, word.substr(2, word.find('=') - 2));
    return word.size() == 2 && word[0] == '-' ? find_letter(command, word[1]) : nullptr;
}

/// Whether the letters after a single dash are options, up to the first that takes what follows as its value: -qv,
/// -oFILE. CLI11 would take -v of -vsync, and then know no -sync.
bool is_bundle(const CommandRow& command, std::string_view word) {
    if (word.starts_with("--")) return true;
    for (const char letter : word.substr(1)) {
        const OptionRow* const option = find_letter(command, letter);
        if (option == nullptr) return false;
        if (option->kind != ValueKind::none) return true;
    }
    return true;
}

/// Before CLI11 takes -crf for -c, -r and -f, and -o=FILE for a file named =FILE.
void refuse_foreign_words(const CommandRow& command, const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        const std::string& word = words[i];
        if (const OptionRow* option = option_named(command, word)) {
            const bool value_follows = option->kind != ValueKind::none && word.find('=') == std::string::npos;
            if (value_follows) ++i;
            continue;
        }
        if (word.size() < 2 || word[0] != '-') continue;
        const std::string_view answer =
            command.answer_to_unknown != nullptr ? command.answer_to_unknown(word) : std::string_view();
        if (!answer.empty())
            throw InputError(fmt::format("unknown option {}: {}", word.substr(0, word.find('=')), answer));
        if (!is_bundle(command, word)) refuse_unknown(command, word);
        const OptionRow* option = word.size() > 2 && word[2] == '=' ? find_letter(command, word[1]) : nullptr;
        if (option != nullptr && option->kind != ValueKind::none)
            throw InputError(fmt::format("{}: write -{} {} or --{}={}", word, option->letter, word.substr(3),
                                         option->name, word.substr(3)));
    }
}

void check_value(const OptionRow& row, const std::string& name, const std::string& text) {
    if (is_word_of(row, text)) return;
    switch (row.kind) {
    case ValueKind::none:
        break;
    case ValueKind::integer:
        parse_integer(name, text, static_cast<std::int64_t>(row.least), static_cast<std::int64_t>(row.most));
        break;
    case ValueKind::real:
        parse_real(name, text, row.least, row.most);
        break;
    case ValueKind::ratio:
        parse_ratio(name, text);
        break;
    case ValueKind::place:
        parse_place(name, text, static_cast<std::int64_t>(row.most));
        break;
    case ValueKind::time:
        parse_time(name, text);
        break;
    case ValueKind::aspect:
        parse_aspect(name, text);
        break;
    case ValueKind::size:
        parse_size(name, text, static_cast<int>(row.least), static_cast<int>(row.most));
        break;
    case ValueKind::pair:
        parse_pair(name, text, row.least, row.most);
        break;
    case ValueKind::range:
        parse_range(name, text, static_cast<int>(row.least), static_cast<int>(row.most));
        break;
    case ValueKind::device:
        parse_device(text);
        break;
    case ValueKind::choice:
        throw InputError(
            fmt::format("{} {}: must be one of {}{}", name, text.empty() ? "(empty)" : text, row.argument,
                        row.number_is.empty() ? "" : ", or a number as --" + std::string(row.number_is) + " takes it"));
    case ValueKind::text:
        if (text.empty()) throw InputError(fmt::format("{}: the value is empty", name));
        break;
    case ValueKind::file:
        if (text.empty()) throw InputError(fmt::format("{}: the file name is empty", name));
        break;
    }
}

/// CLI11 would take "--psnr=5" for a way to set a switch, or complain in its own words.
void refuse_switch_values(const CommandRow& command, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (word == "--") return;
        const std::size_t equals = word.find('=');
        if (equals == 2 && word[0] == '-' && word[1] != '-')
            throw InputError(fmt::format("{}: after a letter there is no =; -{} {} is meant, or --NAME=VALUE", word,
                                         word[1], word.substr(3)));
        if (!word.starts_with("--") || equals == std::string::npos) continue;
        const OptionRow* option = find_option(command, std::string_view(word).substr(2, equals - 2));
        if (option != nullptr && option->kind == ValueKind::none)
            throw InputError(fmt::format("--{} takes no value", option->name));
    }
}

/// Files and lists, of which a second one may be meant as one more; of other values the last one counts.
bool counts_once(ValueKind kind) { return kind == ValueKind::file || kind == ValueKind::text; }

bool takes_many(const CommandRow& command) { return command.positional.ends_with("...]"); }

std::string cli_name(const OptionRow& row) {
    std::string names = flag_name(row.name);
    if (row.letter != 0) names = fmt::format("-{},{}", row.letter, names);
    for (const std::string_view spelling : words_between_bars(row.also))
        names += "," + flag_name(spelling);
    return names;
}

/// --help all is a switch of two words: --fullhelp.
std::vector<std::string> with_full_help(const std::vector<std::string>& words) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool is_help = words[i] == "--help" || words[i] == "-h";
        const bool all_follows = is_help && i + 1 < words.size() && words[i + 1] == "all";
        result.push_back(all_follows || words[i] == "--help=all" ? "--fullhelp" : words[i]);
        if (all_follows) ++i;
    }
    return result;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// An option of words with a number becomes the option that the number is for: --range 16 is --merange 16.
std::vector<std::string> with_numbers_where_they_belong(const CommandRow& command, std::vector<std::string> words) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        const OptionRow* const option = option_named(command, words[i]);
        if (option == nullptr || option->kind == ValueKind::none) continue;
        const std::size_t equals = words[i].find('=');
        const bool value_follows = equals == std::string::npos;
        if (value_follows && i + 1 == words.size()) break;
        const std::string value = value_follows ? words[i + 1] : words[i].substr(equals + 1);
        if (!option->number_is.empty() && is_number(value))
            words[i] = flag_name(option->number_is) + (value_follows ? "" : "=" + value);
        if (value_follows) ++i;
    }
    return words;
}

} // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& known) {
    std::string nearest;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& name : known) {
        // A word cut short is as good as a typing error.
        const std::size_t distance = word.size() > 3 && name.starts_with(word) ? 1 : edit_distance(word, name);
        if (distance < least) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

Arguments::Arguments(const CommandRow& command, const std::vector<std::string>& given_words) : command_(&command) {
    const std::vector<std::string> as_spelt = with_full_help(given_words);
    const std::vector<std::string> words = with_numbers_where_they_belong(command, as_spelt);
    refuse_foreign_words(command, words);
    refuse_switch_values(command, words);
    CLI::App parser;
    parser.set_help_flag();
    parser.allow_extras();
    std::vector<std::pair<const OptionRow*, CLI::Option*>> options;
    for (const OptionRow& row : command.options) {
        CLI::Option* option = nullptr;
        if (row.kind == ValueKind::none)
            option = parser.add_flag(cli_name(row))->disable_flag_override();
        else
            option =
                parser.add_option(cli_name(row))->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        options.emplace_back(&row, option);
    }
    try {
        parser.parse(std::vector<std::string>(words.rbegin(), words.rend())); // CLI11 takes them from the back.
    } catch (const CLI::ArgumentMismatch& error) {
        const std::string said = error.what(); // "--qp: 1 required ..."
        throw InputError(fmt::format("{} needs a value", said.substr(0, said.find(':'))));
    } catch (const CLI::ParseError& error) {
        throw InputError(error.what());
    }
    for (const auto& [option, found] : options) {
        if (found->count() == 0) continue;
        if (counts_once(option->kind) && found->count() > 1)
            throw InputError(fmt::format("--{} is given {} times", option->name, found->count()));
        written_[std::string(option->name)] = spelling_in(words, as_spelt, *option);
        values_[std::string(option->name)] = option->kind == ValueKind::none ? "1" : found->results().back();
    }
    take_positional(parser.remaining());
    if (given("help") || given("fullhelp") || given("version")) return;
    for (const auto& [option, found] : options)
        for (const std::string& value : found->results())
            check_value(*option, written(option->name), value);
    check_complete();
}

void Arguments::take_positional(const std::vector<std::string>& words) {
    std::vector<std::string> rest;
    bool options_ended = false;
    for (const std::string& word : words) {
        if (!options_ended && word == "--") {
            options_ended = true;
            continue;
        }
        if (!options_ended && word.size() > 1 && word[0] == '-') refuse_unknown(*command_, word);
        rest.push_back(word);
    }
    positionals_ = rest;
    if (takes_many(*command_)) return;
    const std::size_t most = command_->positional.empty() ? 0 : command_->second.empty() ? 1 : 2;
    if (rest.size() > most) {
        // As FFmpeg and cp have it: the last name is what is written.
        const OptionRow* const output = find_option(*command_, "output");
        const bool is_output = output != nullptr && output->letter == 'o' && written_.find("output") == written_.end();
        throw InputError(fmt::format("one argument too many: {}{}", rest[most],
                                     is_output ? "; what is written is named by -o " + rest[most] : ""));
    }
    if (!rest.empty()) positional_ = rest[0];
    if (rest.size() > 1) second_ = rest[1];
    if (rest.size() > 1 && second_.empty())
        throw InputError(fmt::format("{}: the file name is empty", command_->second));
}

void Arguments::check_complete() const {
    if (!command_->positional.empty() && positional_.empty() && !takes_many(*command_))
        throw InputError(fmt::format("{} is missing", command_->positional));
    if (command_->positional_kind == ValueKind::choice && !is_choice(command_->positional, positional_))
        throw InputError(fmt::format("{}: must be one of {}", positional_, command_->positional));
    for (const OptionRow& option : command_->options)
        if (option.required && !given(option.name))
            throw InputError(fmt::format("{}--{} {} is missing",
                                         option.letter != 0 ? fmt::format("-{} or ", option.letter) : "", option.name,
                                         option.argument));
}

const OptionRow& Arguments::row(std::string_view name) const {
    const OptionRow* found = find_option(*command_, name);
    if (found == nullptr) throw std::logic_error(fmt::format("{} has no option --{}", command_->name, name));
    return *found;
}

bool Arguments::given(std::string_view name) const { return values_.find(row(name).name) != values_.end(); }

std::string Arguments::written(std::string_view name) const {
    const auto found = written_.find(row(name).name);
    return found != written_.end() ? found->second : flag_name(name);
}

std::string Arguments::text(std::string_view name) const {
    const auto found = values_.find(row(name).name);
    return found != values_.end() ? found->second : row(name).fallback;
}

std::vector<std::string> Arguments::list(std::string_view name) const {
    const std::string all = text(name);
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= all.size(); begin += parts.back().size() + 1) {
        parts.push_back(all.substr(begin, all.find(',', begin) - begin));
        if (parts.back().empty())
            throw InputError(fmt::format("{} {}: a name or number of the list is missing", written(name), all));
    }
    return parts;
}

int Arguments::threads() const { return text("threads") == "auto" ? 0 : static_cast<int>(integer("threads")); }

std::int64_t Arguments::integer(std::string_view name) const {
    return parse_integer(name, text(name), static_cast<std::int64_t>(row(name).least),
                         static_cast<std::int64_t>(row(name).most));
}

double Arguments::real(std::string_view name) const {
    return parse_real(name, text(name), row(name).least, row(name).most);
}
Rational Arguments::ratio(std::string_view name) const { return parse_ratio(name, text(name)); }

std::pair<int, int> Arguments::size(std::string_view name) const {
    return parse_size(name, text(name), static_cast<int>(row(name).least), static_cast<int>(row(name).most));
}

std::pair<double, double> Arguments::pair(std::string_view name) const {
    return parse_pair(name, text(name), row(name).least, row(name).most);
}

std::optional<std::pair<int, int>> Arguments::range(std::string_view name) const {
    return parse_range(name, text(name), static_cast<int>(row(name).least), static_cast<int>(row(name).most));
}

} // namespace tandem
