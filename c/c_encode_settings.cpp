// SPDX-License-Identifier: BSD-2-Clause
// The settings of an encode for the caller: the table as data, and what is chosen of it.
#include <cstddef>
#include <deque>
#include <new>
#include <string>

#include "c/c_encoder_handles.h"

namespace tandem {
namespace {

/// A row's texts, which end with a zero.
struct SettingTexts {
    std::string name, words, usual, spelling, help;
    const char* type = "";
    double least = 0, most = 0;
};

const char* type_word(SettingType type) {
    switch (type) {
    case SettingType::integer:
        return "integer";
    case SettingType::real:
        return "real";
    case SettingType::toggle:
        return "toggle";
    case SettingType::choice:
        break;
    }
    return "choice";
}

SettingTexts preset_texts() {
    return {
        "preset",
        preset_names("|"),
        std::string(default_preset),
        "",
        "How much time is spent on small files. It chooses other settings; where one of these is given, that counts.",
        "choice"};
}

SettingTexts tune_texts() {
    return {"tune",
            tune_names("|"),
            std::string(tune_table().front().name),
            "",
            "What the preset is to be good for. It changes settings of the preset; where one of these is given, that "
            "counts.",
            "choice"};
}

SettingTexts texts_of(const SettingRow<Settings>& row) {
    SettingTexts texts{std::string(row.name), "", "", row.also, std::string(row.help), type_word(row.field.type)};
    for (const SettingWord& known : row.words)
        texts.words += (texts.words.empty() ? "" : "|") + std::string(known.word);
    texts.usual = setting_value_text(row.words, row.field.get(Settings{}));
    texts.least = row.least;
    texts.most = row.most;
    return texts;
}

const std::deque<SettingTexts>& all_texts() {
    static const std::deque<SettingTexts> all = [] {
        std::deque<SettingTexts> texts{preset_texts(), tune_texts()};
        for (const SettingRow<Settings>& row : setting_rows())
            texts.push_back(texts_of(row));
        return texts;
    }();
    return all;
}

} // namespace
} // namespace tandem

tandem_status tandem_encode_setting_at(size_t index, tandem_encode_setting* setting) {
    std::string message;
    return tandem::guarded(message, [&] {
        const auto& all = tandem::all_texts();
        if (setting == nullptr || index >= all.size()) throw tandem::InputError("index: there is no such setting");
        const tandem::SettingTexts& texts = all[index];
        *setting = {texts.name.c_str(), texts.type,          texts.words.c_str(),    texts.least,
                    texts.most,         texts.usual.c_str(), texts.spelling.c_str(), texts.help.c_str()};
    });
}

tandem_status tandem_encode_settings_create(tandem_encode_settings** settings) {
    if (settings == nullptr) return TANDEM_BAD_INPUT;
    *settings = new (std::nothrow) tandem_encode_settings;
    return *settings == nullptr ? TANDEM_FAILED : TANDEM_OK;
}

tandem_status tandem_encode_settings_set(tandem_encode_settings* settings, const char* name, const char* value) {
    if (settings == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(settings->message, [&] {
        if (name == nullptr || value == nullptr) throw tandem::InputError("a setting's name or its value is NULL");
        settings->given.set(name, value);
    });
}

tandem_status tandem_encode_settings_check(tandem_encode_settings* settings) {
    if (settings == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(settings->message, [&] {
        tandem::Settings made = settings->given.settings();
        tandem::settle_rates(settings->given, made);
    });
}

const char* tandem_encode_settings_message(const tandem_encode_settings* settings) {
    return settings != nullptr ? settings->message.c_str() : "there are no settings";
}

void tandem_encode_settings_free(tandem_encode_settings* settings) { delete settings; }
