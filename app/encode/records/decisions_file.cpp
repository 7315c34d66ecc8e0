// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/decisions_file.h"

#include <vector>

#include <fmt/format.h>

#include "app/options/setting_options.h"
#include "encoder/settings/setting_rows.h"
#include "files/little_endian.h"

namespace tandem {
namespace {

/// "<u8", "(3,)<u8", "(18,22)u1", "(18,22,8,2)<i2".
std::string numpy_format(const DecisionColumn& column, int columns, int rows) {
    std::string shape;
    if (column.of == DecisionsOf::macroblock) shape += fmt::format("{},{},", rows, columns);
    if (column.places > 1) shape += fmt::format("{},", column.places);
    if (column.values > 1) shape += fmt::format("{},", column.values);
    return shape.empty() ? std::string(column.type) : fmt::format("({}){}", shape, column.type);
}

/// Of the settings that make the stream what it is.
Json settings_of_stream(const Settings& settings) {
    Json json;
    for (const SettingRow<Settings>& row : setting_rows()) {
        if (!row.changes_stream) continue;
        const std::string key = *row.key == 0 ? detail::key_of_name(row.name) : row.key;
        json[key] = detail::value_json(row.field.type, row.words, row.field.get(settings));
    }
    return json;
}

Json buffer_json(const RateSettings& rate, const StreamPromise& promise) {
    if (rate.vbv_bits <= 0) return nullptr;
    return {{"bits_per_second", promise.bits_per_second},
            {"buffer_bits", promise.buffer_bits},
            {"initial_bits", static_cast<std::int64_t>(rate.vbv_initial * static_cast<double>(promise.buffer_bits))},
            {"constant", rate.constant}};
}

Json header_json(const Settings& settings, const VideoFormat& format, const Encoder& encoder) {
    const int columns = (format.width + 15) / 16, rows = (format.height + 15) / 16;
    Json names = Json::array(), formats = Json::array(), says;
    for (const DecisionColumn& column : encoder.decision_columns()) {
        names.push_back(column.name);
        formats.push_back(numpy_format(column, columns, rows));
        says[std::string(column.name)] = column.says;
    }
    return {{"codec", codec_row(settings.codec).name},
            {"width", format.width},
            {"height", format.height},
            {"frame_rate", {format.frame_rate.numerator, format.frame_rate.denominator}},
            {"columns", columns},
            {"rows", rows},
            {"dtype", {{"names", names}, {"formats", formats}}},
            {"says", says},
            {"buffer", buffer_json(settings.rate, encoder.promise())},
            {"settings", settings_of_stream(settings)}};
}

} // namespace

void DecisionsFile::begin(const Settings& settings, const VideoFormat& format, const Encoder& encoder) {
    std::string text = header_json(settings, format, encoder).dump();
    constexpr std::size_t before_text = 16, alignment = 64;
    while ((before_text + text.size() + 1) % alignment != 0)
        text += ' ';
    text += '\n';
    std::vector<std::uint8_t> bytes(decisions_magic.begin(), decisions_magic.end());
    append_little_endian(bytes, decisions_version);
    append_little_endian(bytes, static_cast<std::uint32_t>(before_text + text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
    file_.write(bytes);
}

} // namespace tandem
