// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/settings/given_settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "machine/errors.h"
#include "me/search.h"

namespace tandem {
namespace {

constexpr double default_quality = 23;

void refuse_both(const GivenSettings& given, std::string_view one, std::string_view other, std::string_view why) {
    if (given.has(one) && given.has(other))
        throw InputError("--" + std::string(one) + " and --" + std::string(other) +
                         " exclude each other: " + std::string(why));
}

void require(const GivenSettings& given, std::string_view one, std::string_view other, std::string_view why) {
    if (given.has(one) && !given.has(other))
        throw InputError("--" + std::string(one) + " needs --" + std::string(other) + ": " + std::string(why));
}

void refuse_with_standard(const GivenSettings& given) {
    refuse_both(given, "qp", "compat", "a constant quantiser is not held to a player's buffer; --crf is");
    refuse_both(given, "maxrate", "compat", "the stream keeps to what --compat declares; --vbv-maxrate lowers it");
    refuse_both(given, "vbv-soft", "compat", "a player's buffer must not underflow");
}

void require_whole_buffer(const GivenSettings& given) {
    if (!given.has("cbr")) require(given, "vbv-bufsize", "vbv-maxrate", "a buffer is filled at some rate");
    require(given, "vbv-maxrate", "vbv-bufsize", "the rate is the one that fills a buffer");
}

void check_pairs(const GivenSettings& given, bool names_standard) {
    refuse_both(given, "qp", "crf", "a quantiser is fixed or follows from a quality");
    refuse_both(given, "qp", "bitrate", "at a constant quantiser the rate follows");
    refuse_both(given, "crf", "bitrate", "at a constant quality the rate follows; --vbv-maxrate bounds it");
    refuse_both(given, "maxrate", "vbv-maxrate", "both declare a rate, and the stream keeps to the second");
    refuse_both(given, "maxrate", "cbr", "the stream declares --bitrate");
    refuse_both(given, "qp", "qpmin", "the quantiser is fixed");
    refuse_both(given, "qp", "qpmax", "the quantiser is fixed");
    refuse_both(given, "qp", "vbv-maxrate", "a constant quantiser is not held to a buffer; --crf is");
    if (names_standard) refuse_with_standard(given);
    require(given, "cbr", "bitrate", "that is the rate which is constant");
    if (!names_standard) require_whole_buffer(given);
    if (given.has("cbr")) return; // It has a buffer where nobody names one.
    require(given, "vbv-soft", "vbv-bufsize", "there is no buffer to underflow");
    if (!names_standard) require(given, "vbv-init", "vbv-bufsize", "there is no buffer to be full");
}

/// Of bits that options count by the thousand.
std::string thousands_text(double bits) { return setting_number_text(bits / 1000); }

/// At a constant rate the buffer is filled at that rate, and is half a second large where nobody says otherwise.
void settle_constant(const GivenSettings& given, bool names_standard, RateSettings& rate) {
    if (given.has("vbv-maxrate") && rate.vbv_bits_per_second != rate.bits_per_second)
        throw InputError("--vbv-maxrate " + thousands_text(rate.vbv_bits_per_second) + " and --bitrate " +
                         thousands_text(rate.bits_per_second) + " differ, and --cbr has one rate");
    rate.vbv_bits_per_second = rate.bits_per_second;
    if (!given.has("vbv-bufsize") && !names_standard) rate.vbv_bits = rate.bits_per_second / 2;
}

bool is_spelling(std::string_view spellings, std::string_view name) {
    while (!spellings.empty()) {
        const std::size_t bar = std::min(spellings.find('|'), spellings.size());
        if (spellings.substr(0, bar) == name) return true;
        spellings.remove_prefix(std::min(bar + 1, spellings.size()));
    }
    return false;
}

const SettingRow<Settings>& row_named(std::string_view given_name) {
    std::string name(given_name);
    std::ranges::replace(name, '_', '-');
    for (const SettingRow<Settings>& row : setting_rows())
        if (row.name == name || is_spelling(row.also, name)) return row;
    throw InputError("--" + name + ": there is no such setting");
}

std::string limits_text(const SettingRow<Settings>& row) {
    std::string text;
    if (row.field.type == SettingType::toggle && row.words.empty()) text = "0 or 1";
    for (const SettingWord& known : row.words)
        text += (text.empty() ? "one of " : ", ") + std::string(known.word);
    if (!row.has_range()) return text;
    return text + (text.empty() ? "" : ", or ") +
           (row.field.type == SettingType::real ? "a number from " : "a whole number from ") +
           setting_number_text(row.least) + " to " + setting_number_text(row.most);
}

template <class Number> std::optional<double> number_of(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return static_cast<double>(value);
}

/// Nothing for what the row does not allow, the codec's limits aside.
std::optional<double> value_of(const SettingRow<Settings>& row, std::string_view text) {
    if (const auto known = setting_value_of(row.words, text)) return known;
    if (row.field.type == SettingType::toggle && (text == "0" || text == "1")) return text == "1" ? 1 : 0;
    if (!row.has_range()) return std::nullopt;
    const auto number = row.field.type == SettingType::real ? number_of<double>(text) : number_of<std::int64_t>(text);
    const bool is_allowed = number && *number >= row.least && *number <= row.most; // Not for nan.
    return is_allowed ? number : std::nullopt;
}

} // namespace

void GivenSettings::set_preset(std::string_view name) {
    preset_ = find_preset(name);
    if (preset_ == nullptr)
        throw InputError("--preset " + std::string(name) + ": must be one of " + preset_names(", "));
}

void GivenSettings::set_tune(std::string_view name) {
    const TuneRow* const tune = find_tune(name);
    if (tune == nullptr) throw InputError("--tune " + std::string(name) + ": must be one of " + tune_names(", "));
    tune_ = tune;
}

void GivenSettings::set(std::string_view name, std::string_view text) {
    if (name == "preset") return set_preset(text);
    if (name == "tune") return set_tune(text);
    const SettingRow<Settings>& row = row_named(name);
    const auto value = value_of(row, text);
    if (!value)
        throw InputError("--" + std::string(row.name) + " " + (text.empty() ? "(empty)" : std::string(text)) +
                         ": must be " + limits_text(row));
    const bool is_switch = row.field.type == SettingType::toggle && row.words.empty();
    if (is_switch && *value == 0)
        values_.erase(row.name);
    else
        set(row, *value);
}

Settings GivenSettings::settings() const {
    Settings settings = settings_of(*preset_);
    tune_->change(settings);
    for (const SettingRow<Settings>& row : setting_rows()) {
        const auto given = values_.find(row.name);
        if (given != values_.end()) row.field.set(settings, given->second);
    }
    const bool is_other_search = settings.search.algorithm != preset_->search;
    if (is_other_search && !has("merange")) settings.range.reset();
    if (is_other_search && !has("wide-range")) settings.search.wide_range = 0;
    if (settings.compatibility == Compatibility::vcd && !has("codec")) settings.codec = Codec::mpeg1;
    return settings;
}

void settle_rates(const GivenSettings& given, Settings& settings) {
    const bool names_standard = settings.compatibility != Compatibility::any;
    check_pairs(given, names_standard);
    RateSettings& rate = settings.rate;
    if (given.has("bitrate") && rate.bits_per_second < 1000)
        throw InputError("--bitrate " + thousands_text(rate.bits_per_second) + ": it must be 1 or more");
    const bool is_chosen = given.has("qp") || given.has("crf") || rate.bits_per_second > 0;
    if (!is_chosen) rate.quality = default_quality;
    if (rate.constant) settle_constant(given, names_standard, rate);
}

ChosenOptions chosen_options(const GivenSettings& given) {
    return {given.has("keyint"), given.has("bframes"), given.has("crf"), given.has("vbv-maxrate"),
            given.has("vbv-bufsize")};
}

} // namespace tandem
