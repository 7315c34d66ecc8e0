// SPDX-License-Identifier: BSD-2-Clause
// The rows of settings: each field has one, and its limits are those that validate() holds.
#include "encoder/settings/setting_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "me/rows/search_rows.h"

namespace tandem {
namespace {

/// Becomes whatever a field is made from; never called.
struct Anything {
    template <class Value> operator Value() const;
};

template <class Struct, std::size_t... index> constexpr bool is_made_from(std::index_sequence<index...>) {
    return requires { Struct{(static_cast<void>(index), Anything{})...}; };
}

/// How many fields a plain struct has: the most initialisers that it takes.
template <class Struct, std::size_t count = 0> constexpr std::size_t fields_of() {
    if constexpr (is_made_from<Struct>(std::make_index_sequence<count + 1>()))
        return fields_of<Struct, count + 1>();
    else
        return count;
}

struct Three {
    int one = 1;
    double two = 2;
    std::string three;
};
static_assert(fields_of<Three>() == 3);

/// Another value than the default that the row allows.
template <class Owner> double other_value(const SettingRow<Owner>& row) {
    const double normal = row.field.get(Owner{});
    for (const SettingWord& known : row.words)
        if (known.value != normal) return known.value;
    if (row.field.type == SettingType::toggle) return normal == 0 ? 1 : 0;
    return normal == row.most ? row.least : row.most;
}

template <class Owner> Owner with(const SettingRow<Owner>& row, double value) {
    Owner owner;
    row.field.set(owner, value);
    return owner;
}

TEST(SettingRows, EveryFieldOfTheSettingsHasOne) {
    std::size_t own = 0, of_rates = 0;
    for (const SettingRow<Settings>& row : setting_rows()) {
        const bool is_of_search = with(row, other_value(row)).search != Settings{}.search;
        ++(row.section == "Rate" ? of_rates : own);
        own -= is_of_search ? 1 : 0;
    }
    // The two matrices come from a file, the fields of search and rate have rows of their own, and decisions are kept
    // where a file asks for them.
    EXPECT_EQ(own, fields_of<Settings>() - 5);
    // Zones, wishes and the pass before come from texts and files, and --pass says whether another follows.
    EXPECT_EQ(of_rates, fields_of<RateSettings>() - 4);
}

TEST(SettingRows, EveryFieldOfASearchHasOne) {
    // Block, range and the farthest vector are two fields each, the predictor may need a file, and no user needs
    // eliminate_always.
    EXPECT_EQ(plain_search_rows().size() + shared_search_rows().size(), fields_of<SearchParams>() - 8);
}

template <class Owner> std::string value_text(const SettingRow<Owner>& row, const Owner& owner) {
    return setting_value_text(row.words, row.field.get(owner));
}

template <class Owner> void check_fields_are_different(std::span<const SettingRow<Owner>> rows) {
    for (const SettingRow<Owner>& row : rows) {
        const Owner changed = with(row, other_value(row));
        for (const SettingRow<Owner>& other : rows) {
            const bool differs = value_text(other, changed) != value_text(other, Owner{});
            EXPECT_EQ(differs, &other == &row) << row.name << " and " << other.name;
        }
    }
}

TEST(SettingRows, EachHasAFieldOfItsOwn) {
    check_fields_are_different(setting_rows());
    check_fields_are_different(plain_search_rows());
    check_fields_are_different(shared_search_rows());
}

TEST(SettingRows, NamesAndKeysAreUnique) {
    std::set<std::string_view> names, keys;
    for (const SettingRow<Settings>& row : setting_rows()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_TRUE(*row.key == 0 || keys.insert(row.key).second) << row.key;
        EXPECT_EQ(find_setting(row.name), &row);
        EXPECT_FALSE(row.help.empty()) << row.name;
    }
    EXPECT_EQ(find_setting("no-such-setting"), nullptr);
}

bool is_said(const std::vector<std::string>& problems, const std::string& beginning) {
    return std::ranges::any_of(problems, [&](const std::string& problem) { return problem.starts_with(beginning); });
}

VideoFormat cif() {
    VideoFormat format;
    format.width = 352;
    format.height = 288;
    return format;
}

TEST(SettingRows, ValidateRefusesWhatIsBesideTheLimits) {
    for (const SettingRow<Settings>& row : setting_rows()) {
        const std::string name(row.name);
        if (!row.has_range()) continue;
        for (const double value : {row.least - 1, row.most + 1}) {
            const Settings settings = row.most < UINT32_MAX ? with(row, value) : Settings{};
            if (row.field.get(settings) != value) continue; // The field itself cannot have it.
            EXPECT_TRUE(is_said(settings.validate(cif()), name + " is " + setting_number_text(value))) << name;
        }
    }
}

TEST(SettingRows, ValidateRefusesWhatHasNoWord) {
    for (const SettingRow<Settings>& row : setting_rows()) {
        if (row.words.empty() || row.has_range() || row.field.type == SettingType::toggle) continue;
        EXPECT_TRUE(is_said(with(row, 99).validate(cif()), std::string(row.name) + " is 99; it must be one of "))
            << row.name;
    }
}

TEST(SettingRows, ValidateRefusesWhatACodecDoesNotHave) {
    int limited = 0;
    for (const SettingRow<Settings>& row : setting_rows()) {
        for (const CodecLimits& limits : row.limits_in_codec) {
            Settings settings = with(row, limits.most + 1);
            settings.codec = limits.codec;
            const auto problems = settings.validate(cif());
            ASSERT_EQ(problems.size(), 1u) << row.name;
            EXPECT_NE(problems[0].find(row.name), std::string::npos) << problems[0];
            settings.codec = Codec::mpeg2;
            EXPECT_TRUE(settings.validate(cif()).empty()) << row.name;
            ++limited;
        }
    }
    EXPECT_GE(limited, 6);
}

struct Owner {
    std::optional<int> quality;
};

TEST(SettingRows, AnOptionalFieldMayHaveNoValue) {
    const SettingRow<Owner> row{.name = "quality",
                                .field = setting_field<Owner, &Owner::quality>(),
                                .most = 51,
                                .section = "Stream",
                                .help = "A number or none."};
    Owner owner;
    EXPECT_TRUE(std::isnan(row.field.get(owner)));
    EXPECT_EQ(setting_problem(row, owner), std::nullopt);
    row.field.set(owner, 52);
    EXPECT_EQ(owner.quality, 52);
    EXPECT_EQ(setting_problem(row, owner), "quality is 52; it must be 0 to 51");
    row.field.set(owner, no_setting);
    EXPECT_EQ(owner.quality, std::nullopt);
}

TEST(SettingRows, NumbersAreWrittenPlainly) {
    EXPECT_EQ(setting_number_text(16), "16");
    EXPECT_EQ(setting_number_text(0.1), "0.1");
    EXPECT_EQ(setting_number_text(-65536), "-65536");
    EXPECT_EQ(setting_number_text(1e300).size(), 301u);
    EXPECT_EQ(setting_number_text(std::numeric_limits<double>::infinity()), "inf");
}

} // namespace
} // namespace tandem
