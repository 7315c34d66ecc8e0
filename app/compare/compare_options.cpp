// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/compare_options.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "app/encode/preset_option.h"
#include "app/options/numbers.h"
#include "app/options/search_list.h"
#include "app/options/setting_options.h"
#include "encoder/settings/setting_names.h"
#include "encoder/settings/setting_rows.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "me/search.h"
#include "video/sources/raw_geometry.h"

namespace tandem {
namespace {

template <class Value>
void add_once(std::vector<Value>& to, Value value, std::string_view option, std::string_view word) {
    if (std::ranges::find(to, value) != to.end())
        throw InputError(fmt::format("--{}: {} is given twice", option, word));
    to.push_back(value);
}

std::vector<Codec> codecs_of(const Arguments& arguments) {
    std::vector<Codec> codecs;
    for (const std::string& word : arguments.list("codecs")) {
        const auto codec = value_named(codec_names, word);
        if (!codec) throw InputError(fmt::format("--codecs {}: must be of {}", word, joined_names(codec_names, ", ")));
        add_once(codecs, *codec, "codecs", word);
    }
    return codecs;
}

bool is_number(std::string_view word) {
    return std::ranges::all_of(word, [](char letter) { return letter >= '0' && letter <= '9'; });
}

std::vector<NamedDevice> devices_of(const Arguments& arguments) {
    std::vector<std::string> names;
    // "gpu:0,1" is one device choice: numbers belong to the word before them.
    for (const std::string& word : arguments.list("devices")) {
        if (is_number(word) && !names.empty() && names.back().find(':') != std::string::npos)
            names.back() += "," + word;
        else
            add_once(names, word, "devices", word);
    }
    std::vector<NamedDevice> devices;
    for (const std::string& name : names) {
        if (name == "auto") throw InputError("--devices auto: must say which, as cpu, gpu, gpu:0 or cpu+gpu");
        devices.push_back({name, parse_device(name, "--devices")});
    }
    return devices;
}

std::vector<int> qps_of(const Arguments& arguments) {
    std::vector<int> qps;
    for (const std::string& word : arguments.list("qps"))
        add_once(qps, static_cast<int>(parse_integer("--qps", word, 1, 31)), "qps", word);
    return qps;
}

std::vector<int> bitrates_of(const Arguments& arguments) {
    constexpr int most_kbps = 400000;
    std::vector<int> bitrates;
    for (const std::string& word : arguments.list("bitrates"))
        add_once(bitrates, static_cast<int>(parse_integer("--bitrates", word, 1, most_kbps)), "bitrates", word);
    return bitrates;
}

/// A value in the one way to write it: 1.40 is 1.4.
std::string plain_value(const OptionRow& row, const std::string& text) {
    const bool is_number = row.kind == ValueKind::integer || row.kind == ValueKind::real;
    if (!is_number || text.empty()) return text;
    const SettingRow<Settings>* setting = find_setting(row.name);
    const auto named = setting != nullptr ? setting_value_of(setting->words, text) : std::nullopt;
    return number_text(named ? *named : parse_real(row.name, text, row.least, row.most));
}

/// "merange=32", "closed-gop"; empty where the value is the default, given or not: that of the settings `usual`.
std::string chosen_option(const Arguments& arguments, const OptionRow& row, const Settings& usual = {}) {
    if (!arguments.given(row.name)) return "";
    if (row.kind == ValueKind::none) return std::string(row.name);
    const std::string value = plain_value(row, arguments.text(row.name));
    const SettingRow<Settings>* setting = row.is_setting ? find_setting(row.name) : nullptr;
    const std::string fallback =
        setting != nullptr ? setting_value_text(setting->words, setting->field.get(usual)) : row.fallback;
    return value == plain_value(row, fallback) ? "" : fmt::format("{}={}", row.name, value);
}

/// What differs from the defaults of the options that change a stream, in the table's order; from those of the preset,
/// where one is given.
std::string chosen_options(const Arguments& arguments) {
    const Settings usual = preset_settings(arguments);
    std::string text;
    for (const OptionRow& row : arguments.command().options)
        if (row.changes_stream) text = with_words(text, chosen_option(arguments, row, usual));
    return text;
}

void refuse_together(const Arguments& arguments, const std::vector<std::string_view>& names) {
    std::string_view first;
    for (const std::string_view name : names) {
        if (!arguments.given(name)) continue;
        if (!first.empty()) throw InputError(fmt::format("--{} and --{} exclude each other", first, name));
        first = name;
    }
}

/// Raw, and its name does not tell the size.
bool needs_size(const std::string& clip) {
    const std::string extension = lower_case_extension(clip);
    return (extension == ".yuv" || extension == ".raw") && !raw_geometry_from_name(clip).size;
}

} // namespace

SourceOptions source_of(const CompareOptions& options, const std::string& clip) {
    SourceOptions source = options.source;
    if (!needs_size(clip)) source.input_res.reset();
    return source;
}

std::string with_words(const std::string& text, const std::string& more) {
    return text + (text.empty() || more.empty() ? "" : " ") + more;
}

CompareOptions compare_options(const Arguments& arguments) {
    refuse_together(arguments, {"fresh", "report-only", "list-points", "point"});
    CompareOptions options;
    options.clips = arguments.positionals();
    options.report_only = arguments.given("report-only");
    if (options.clips.empty() && !options.report_only) throw InputError("CLIP is missing");
    for (const std::string& clip : options.clips)
        if (clip == "-") throw InputError("-: clips are read many times, standard input only once");
    if (arguments.given("input-res")) {
        options.source.input_res = arguments.size("input-res");
        if (std::ranges::none_of(options.clips, needs_size) && !options.clips.empty())
            throw InputError(fmt::format("--input-res {}: no clip needs it: their headers or names tell their sizes",
                                         arguments.text("input-res")));
    }
    if (arguments.given("fps")) options.source.frame_rate = arguments.ratio("fps");
    if (arguments.given("frames")) options.frames = arguments.integer("frames");
    options.folder = arguments.text("output");
    options.codecs = codecs_of(arguments);
    options.searches = searches_of(arguments, "me");
    options.devices_are_chosen = arguments.given("devices");
    if (options.devices_are_chosen)
        options.devices = devices_of(arguments);
    else
        options.devices = {{"cpu", parse_device("cpu")}, {"gpu", parse_device("gpu")}};
    refuse_together(arguments, {"qps", "bitrates"});
    if (arguments.given("bitrates"))
        options.bitrates = bitrates_of(arguments);
    else
        options.qps = qps_of(arguments);
    options.peers = parse_peers(arguments.text("peers"));
    options.peers_are_chosen = arguments.given("peers");
    options.settings = chosen_settings(arguments);
    options.chosen = chosen_options(arguments);
    for (const std::string_view name : {"threads", "idct"})
        options.conditions =
            with_words(options.conditions, chosen_option(arguments, *find_option(arguments.command(), name)));
    options.repeat = static_cast<int>(arguments.integer("repeat"));
    options.exact_idct = arguments.text("idct") == "exact";
    options.fresh = arguments.given("fresh");
    options.keep_streams = arguments.given("keep-streams");
    options.wants_vmaf = !arguments.given("no-vmaf");
    options.list_points = arguments.given("list-points");
    options.point = arguments.text("point");
    options.anchor = arguments.text("anchor");
    options.simd = simd_level_by_name(arguments.text("simd"));
    return options;
}

} // namespace tandem
