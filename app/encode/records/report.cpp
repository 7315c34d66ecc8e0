// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/records/report.h"

#include "app/json.h"
#include "app/options/setting_options.h"
#include "encoder/reach.h"
#include "encoder/settings/setting_rows.h"

namespace tandem {
namespace {

/// `usual` is what Settings calls the matrix that is not given.
Json matrix_json(const std::optional<QuantiserMatrix>& matrix, const char* usual) {
    return matrix ? Json(*matrix) : Json(usual);
}

Json all_settings_json(const Settings& settings) {
    Json json = settings_json(setting_rows(), settings);
    json["range"] = chosen_range(settings);
    json["intra_matrix"] = matrix_json(settings.intra_matrix, "flat");
    json["non_intra_matrix"] = matrix_json(settings.non_intra_matrix, "default");
    return json;
}

Json totals_json(const ReportContents& contents) {
    const Totals& totals = contents.totals;
    Json json = {{"frames", totals.pictures},
                 {"bytes", totals.bytes},
                 {"bitrate_kbps", totals.bitrate_kbps(contents.format.frame_rate)},
                 {"psnr_y", figure_json(totals.errors.psnr(0))},
                 {"psnr_u", figure_json(totals.errors.psnr(1))},
                 {"psnr_v", figure_json(totals.errors.psnr(2))},
                 {"ssim_y", totals.ssim_sum / static_cast<double>(totals.pictures)},
                 {"fps", totals.pictures_per_second()},
                 {"seconds", totals.seconds},
                 {"measuring_seconds", totals.measuring_seconds},
                 {"device", totals.device},
                 {"pictures", {{"I", totals.by_type[0]}, {"P", totals.by_type[1]}, {"B", totals.by_type[2]}}},
                 {"interrupted", contents.interrupted}};
    if (contents.verified) {
        json["verified"] = {{"frames", contents.verified->pictures},
                            {"psnr", figure_json(contents.verified->total_psnr)},
                            {"worst_psnr", figure_json(contents.verified->worst_psnr)}};
    }
    return json;
}

Json input_json(const EncodeOptions& options, const VideoFormat& format) {
    return {{"name", options.input},
            {"width", format.width},
            {"height", format.height},
            {"frame_rate", {format.frame_rate.numerator, format.frame_rate.denominator}},
            {"seek", options.part.skipped}};
}

} // namespace

std::string settings_key(const Settings& settings) { return nlohmann::json(all_settings_json(settings)).dump(); }

std::string settings_text(const Settings& settings) { return all_settings_json(settings).dump(2); }

std::string report_text(const ReportContents& contents) {
    Json json = totals_json(contents);
    json["input"] = input_json(contents.options, contents.format);
    json["output"] = contents.options.output;
    json["settings"] = all_settings_json(contents.options.settings);
    add_provenance(json);
    return json_text(json);
}

} // namespace tandem
