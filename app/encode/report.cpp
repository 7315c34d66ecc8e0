// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/report.h"

#include "app/json.h"
#include "app/options/search_options.h"
#include "me/search.h"

namespace tandem {
namespace {

Json matrix_json(const std::optional<QuantiserMatrix>& matrix) { return matrix ? Json(*matrix) : Json("default"); }

Json settings_json(const Settings& settings) {
    const SearchParams& search = settings.search;
    Json json = {{"codec", name_of(codec_names, settings.codec)},
                 {"qp", settings.qp},
                 {"trellis", settings.trellis},
                 {"ip_factor", settings.ip_factor},
                 {"pb_factor", settings.pb_factor},
                 {"non_linear_quantiser", settings.non_linear_quantiser},
                 {"intra_vlc", settings.intra_vlc},
                 {"alternate_scan", settings.alternate_scan},
                 {"intra_dc_precision", settings.intra_dc_precision},
                 {"intra_matrix", matrix_json(settings.intra_matrix)},
                 {"non_intra_matrix", matrix_json(settings.non_intra_matrix)},
                 {"deadzone_intra", settings.deadzone_intra},
                 {"deadzone_inter", settings.deadzone_inter},
                 {"max_bitrate_kbps", settings.max_bitrate_kbps},
                 {"keyint", settings.keyint},
                 {"bframes", settings.bframes},
                 {"closed_gop", settings.closed_gop},
                 {"slices", settings.slices},
                 {"decision", name_of(decision_names, settings.decision)},
                 {"null_threshold", search.null_threshold},
                 {"null_gain", search.null_gain},
                 {"intra_threshold", settings.intra_threshold},
                 {"intra_refresh", settings.intra_refresh},
                 {"algorithm", search_row(search.algorithm).name},
                 {"range", chosen_range(settings)},
                 {"start", name_of(start_names, search.start)},
                 {"grid", search.grid},
                 {"metric", name_of(metric_names, search.metric)},
                 {"planes", name_of(planes_names, search.planes)},
                 {"motion_reference", name_of(motion_reference_names, settings.motion_reference)},
                 {"candidates", search.candidates},
                 {"lookahead", settings.lookahead},
                 {"threads", settings.threads}};
    json.update(tuning_json(search));
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
            {"seek", options.seek}};
}

} // namespace

std::string settings_text(const Settings& settings) { return settings_json(settings).dump(2); }

std::string report_text(const ReportContents& contents) {
    Json json = totals_json(contents);
    json["input"] = input_json(contents.options, contents.format);
    json["output"] = contents.options.output;
    json["settings"] = settings_json(contents.options.settings);
    add_provenance(json);
    return json_text(json);
}

} // namespace tandem
