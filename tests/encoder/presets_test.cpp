// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/settings/presets.h"

#include <gtest/gtest.h>

#include <set>

#include "encoder/settings/setting_rows.h"

namespace tandem {
namespace {

std::string text_of(const Settings& settings) {
    std::string text;
    for (const SettingRow<Settings>& row : setting_rows())
        text += std::string(row.name) + "=" + setting_value_text(row.words, row.field.get(settings)) + " ";
    return text;
}

TEST(Presets, TheDefaultIsANewSettings) {
    ASSERT_NE(find_preset(default_preset), nullptr);
    EXPECT_EQ(text_of(settings_of(*find_preset(default_preset))), text_of(Settings{}));
}

TEST(Presets, EveryoneIsAnotherThatFitsEveryCodec) {
    std::set<std::string> seen;
    VideoFormat format;
    format.width = 352;
    format.height = 288;
    for (const PresetRow& row : preset_table()) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(find_preset(row.name), &row);
        Settings settings = settings_of(row);
        EXPECT_TRUE(seen.insert(text_of(settings)).second);
        for (const Codec codec : {Codec::mpeg1, Codec::mpeg2}) {
            settings.codec = codec;
            EXPECT_EQ(settings.validate(format), std::vector<std::string>{});
        }
    }
    EXPECT_EQ(find_preset("ultraslow"), nullptr);
}

TEST(Presets, SlowerOnesTryNoLess) {
    const auto rows = preset_table();
    for (std::size_t i = 1; i < rows.size(); ++i) {
        SCOPED_TRACE(rows[i].name);
        EXPECT_GE(rows[i].bframes, rows[i - 1].bframes);
        EXPECT_GE(rows[i].plan_ahead, rows[i - 1].plan_ahead);
        EXPECT_GE(rows[i].wide_range, rows[i - 1].wide_range);
        EXPECT_GE(rows[i].decision == Decision::rd, rows[i - 1].decision == Decision::rd);
        EXPECT_GE(rows[i].mbtree, rows[i - 1].mbtree);
        EXPECT_GE(rows[i].temporal_filter, rows[i - 1].temporal_filter);
    }
}

TEST(Presets, TunesDifferAndFitEveryPreset) {
    VideoFormat format;
    format.width = 352;
    format.height = 288;
    EXPECT_EQ(find_tune("film"), nullptr);
    for (const PresetRow& row : preset_table()) {
        SCOPED_TRACE(row.name);
        std::set<std::string> seen;
        for (const TuneRow& tune : tune_table()) {
            EXPECT_EQ(find_tune(tune.name), &tune);
            Settings settings = settings_of(row);
            tune.change(settings);
            EXPECT_TRUE(seen.insert(text_of(settings)).second) << tune.name;
            EXPECT_EQ(settings.validate(format), std::vector<std::string>{}) << tune.name;
        }
        EXPECT_TRUE(seen.contains(text_of(settings_of(row)))) << "one changes nothing";
    }
}

} // namespace
} // namespace tandem
