// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/report/report_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tandem {
namespace {

/// As many digits as are meant, so that a page stays small; "inf" and null as elsewhere.
Json rounded(double value, int digits) {
    if (!std::isfinite(value)) return figure_json(value);
    const double scale = std::pow(10.0, digits);
    const double result = std::round(value * scale) / scale;
    return result == 0 ? 0.0 : result;
}

Json clip_json(const ReportClip& clip) {
    return {{"name", clip.name},     {"width", clip.width},         {"height", clip.height},
            {"frames", clip.frames}, {"fps", rounded(clip.fps, 3)}, {"md5", clip.md5}};
}

Json series_json(const ReportSeries& series) {
    Json json = {{"name", series.name}, {"encoder", series.encoder}, {"codec", series.codec}};
    if (!series.search.empty()) json["search"] = series.search;
    if (!series.device.empty()) json["device"] = series.device;
    json["options"] = series.options;
    return json;
}

/// Which point it is.
Json target_json(const ReportPoint& point) {
    Json json = {{"clip", point.clip}, {"series", point.series}};
    if (point.target_kbps == 0) {
        json["qp"] = point.qp;
    } else {
        json["target_kbps"] = point.target_kbps;
        json["miss_percent"] = rounded(point.miss_percent(), 3);
    }
    return json;
}

Json point_json(const ReportPoint& point) {
    Json json = target_json(point);
    json.update({{"frames", point.frames}, {"bytes", point.bytes}, {"kbps", rounded(point.kbps, 3)}});
    const auto add = [&](const char* name, double value, int digits) {
        if (!std::isnan(value)) json[name] = rounded(value, digits);
    };
    add("psnr_y", point.psnr_y, 4);
    add("psnr_u", point.psnr_u, 4);
    add("psnr_v", point.psnr_v, 4);
    add("psnr", point.psnr, 4);
    add("ssim_y", point.ssim_y, 6);
    add("ssim", point.ssim, 6);
    add("vmaf", point.vmaf, 3);
    add("encode_s", point.encode_seconds, 5);
    add("total_s", point.total_seconds, 5);
    add("motion_s", point.motion_seconds, 5);
    add("peak_rss_bytes", point.peak_rss_bytes, 0);
    json["stream_md5"] = point.stream_md5;
    return json;
}

/// All fits of one difference; a note is a warning or a refusal, of PCHIP where it does not say another.
template <class Compare>
Json fits_json(const std::vector<RatePoint>& anchor, const std::vector<RatePoint>& test, const Compare& compare) {
    constexpr std::array fits{std::pair("pchip", CurveFit::pchip), std::pair("akima", CurveFit::akima),
                              std::pair("cubic", CurveFit::cubic)};
    Json json;
    std::vector<std::string> notes;
    for (const auto& [name, fit] : fits) {
        BdResult result = compare(anchor, test, fit);
        if (result.difference) json[name] = rounded(result.difference->value, 4);
        if (result.difference && fit == CurveFit::pchip)
            json["overlap"] = rounded(result.difference->overlap_percent, 1);
        if (!result.refusal.empty()) result.warnings.push_back(result.refusal);
        for (const std::string& note : result.warnings)
            if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
    if (!notes.empty()) json["notes"] = notes;
    return json;
}

Json differences_json(const ReportPoints& points) {
    Json list = Json::array();
    for (std::size_t clip = 0; clip < points.clips.size(); ++clip)
        for (const CurveMeasure measure : curve_measures) {
            std::vector<std::vector<RatePoint>> curves;
            for (std::size_t series = 0; series < points.series.size(); ++series)
                curves.push_back(rate_points(points.curve(clip, series), measure));
            for (std::size_t anchor = 0; anchor < curves.size(); ++anchor)
                for (std::size_t test = 0; test < curves.size(); ++test) {
                    if (anchor == test || curves[anchor].empty() || curves[test].empty()) continue;
                    list.push_back({{"clip", clip},
                                    {"measure", std::string(name_of(measure))},
                                    {"anchor", anchor},
                                    {"test", test},
                                    {"rate", fits_json(curves[anchor], curves[test], bd_rate)},
                                    {"quality", fits_json(curves[anchor], curves[test], bd_quality)}});
                }
        }
    return list;
}

/// Pictures in a second over all quantisers of a clip and series.
Json speed_json(const ReportPoints& points) {
    Json list = Json::array();
    for (std::size_t clip = 0; clip < points.clips.size(); ++clip)
        for (std::size_t series = 0; series < points.series.size(); ++series) {
            double seconds = 0, total = 0, motion = 0, frames = 0, least = 0, most = 0, spread = 1;
            int runs = 0;
            for (const ReportPoint* point : points.curve(clip, series)) {
                seconds += point->seconds();
                total += point->total_seconds;
                motion += point->motion_seconds;
                frames += static_cast<double>(point->frames);
                least += point->least_seconds;
                most += point->most_seconds;
                runs = std::max(runs, point->runs);
                if (point->least_seconds > 0) spread = std::max(spread, point->most_seconds / point->least_seconds);
            }
            if (!(seconds > 0)) continue;
            Json json = {{"clip", clip}, {"series", series}, {"fps", rounded(frames / seconds, 3)}};
            if (total > 0) json["total_fps"] = rounded(frames / total, 3);
            if (!std::isnan(motion)) json["motion_ms"] = rounded(1000 * motion / frames, 4);
            json["encode_ms"] = rounded(1000 * seconds / frames, 4);
            // Medians of the runs are above; if all points had been as slow, or as fast, as their slowest or fastest
            // run:
            json["least_fps"] = rounded(frames / most, 3);
            json["most_fps"] = rounded(frames / least, 3);
            json["runs"] = runs;
            json["spread"] = rounded(spread, 3); // The slowest run by the fastest, of the point where they differ most.
            list.push_back(json);
        }
    return list;
}

Json motion_json(const std::vector<MotionComparison>& comparisons) {
    Json list = Json::array();
    for (const MotionComparison& one : comparisons) {
        Json json = {{"clip", one.clip}, {"cpu", one.series.cpu}};
        const bool has_other = one.series.other != one.series.cpu;
        for (const auto& [name, values] : {std::pair("motion_ms", one.motion_ms), std::pair("whole_ms", one.whole_ms),
                                           std::pair("blocks_per_second", one.blocks_per_second)})
            json[name] = {rounded(values[0], 4), has_other ? Json(rounded(values[1], 4)) : Json()};
        if (has_other) {
            json["other"] = one.series.other;
            json["points"] = one.points;
            json["same_streams"] = one.same_streams;
            json["psnr_difference"] = rounded(one.psnr_difference, 5);
            json["bitrate_percent"] = rounded(one.bitrate_percent, 5);
        }
        list.push_back(json);
    }
    return list;
}

/// Each way in which points were made, and how many were made so; commands of a resumed run differ and are kept.
Json makers_json(const ReportPoints& points) {
    std::map<std::string, int> counts;
    for (const ReportPoint& point : points.points)
        if (point.row.contains("provenance")) ++counts[point.row["provenance"].dump()];
    Json list = Json::array();
    for (const auto& [text, count] : counts) {
        Json maker = Json::parse(text);
        maker["points"] = count;
        list.push_back(maker);
    }
    return list;
}

Json pictures_json(const ReportPoint& point) {
    Json json = target_json(point);
    std::string types;
    for (const Json& picture : point.row["pictures"]) {
        json["n"].push_back(picture.value("n", Json()));
        json["bytes"].push_back(picture.value("bytes", Json()));
        const Json psnr = picture.value("psnr_y", Json());
        json["psnr_y"].push_back(psnr.is_number() ? rounded(psnr.get<double>(), 3) : psnr);
        const std::string type = picture.value("type", "?");
        types += type.empty() ? '?' : type[0];
    }
    json["types"] = types;
    return json;
}

bool is_field(const Json& field) {
    if (!field.is_object() || !field.contains("mv") || !field["mv"].is_array()) return false;
    const auto count = [&](const char* name) {
        const Json number = field.value(name, Json());
        return number.is_number_integer() ? number.get<std::int64_t>() : 0;
    };
    const auto blocks = static_cast<std::int64_t>(field["mv"].size());
    const std::int64_t columns = count("columns"), rows = count("rows");
    return columns > 0 && blocks > 0 && blocks % columns == 0 && blocks / columns == rows; // A product may overflow.
}

bool is_base64(const Json& text) {
    if (!text.is_string()) return false;
    return text.get_ref<const std::string&>().find_first_not_of(
               "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == std::string::npos;
}

bool has_shown(const ReportPoint& point) {
    return point.kbps > 0 && point.row.contains("shown") && point.row["shown"].is_object() &&
           is_base64(point.row["shown"].value("png", Json()));
}

/// The point of a curve whose rate is nearest to this; null: none has a picture.
const ReportPoint* nearest_shown(const std::vector<const ReportPoint*>& curve, double kbps) {
    const ReportPoint* nearest = nullptr;
    const auto away = [&](const ReportPoint& point) { return std::abs(std::log(point.kbps / kbps)); };
    for (const ReportPoint* point : curve)
        if (has_shown(*point) && (nearest == nullptr || away(*point) < away(*nearest))) nearest = point;
    return nearest;
}

/// A picture of each series and clip, at rates that are as equal as the points allow: those nearest to the anchor's
/// middle one.
Json shown_json(const ReportPoints& points, std::size_t anchor) {
    Json list = Json::array();
    for (std::size_t clip = 0; clip < points.clips.size(); ++clip) {
        const auto middle = points.curve(clip, anchor);
        if (middle.empty() || !has_shown(*middle[middle.size() / 2])) continue;
        for (std::size_t series = 0; series < points.series.size(); ++series) {
            const ReportPoint* point = nearest_shown(points.curve(clip, series), middle[middle.size() / 2]->kbps);
            if (point == nullptr) continue;
            Json json = target_json(*point);
            json["kbps"] = rounded(point->kbps, 3);
            if (!std::isnan(point->psnr_y)) json["psnr_y"] = rounded(point->psnr_y, 3);
            json["shown"] = point->row["shown"];
            list.push_back(std::move(json));
        }
    }
    return list;
}

} // namespace

std::vector<MotionComparison> motion_comparisons(const ReportPoints& points) {
    std::vector<MotionComparison> list;
    for (std::size_t clip = 0; clip < points.clips.size(); ++clip)
        for (const DevicePair& pair : device_pairs(points)) {
            MotionComparison one{clip, pair};
            double bytes[2] = {0, 0}, frames = 0, searched[2] = {0, 0};
            const ReportClip& size = points.clips[clip];
            const double blocks = std::ceil(size.width / 16.0) * std::ceil(size.height / 16.0);
            for (const ReportPoint* cpu : points.curve(clip, pair.cpu))
                for (const ReportPoint* other : points.curve(clip, pair.other)) {
                    if (cpu->qp != other->qp || cpu->target_kbps != other->target_kbps) continue;
                    ++one.points;
                    one.same_streams += cpu->stream_md5 == other->stream_md5;
                    one.psnr_difference += cpu->psnr_y == other->psnr_y ? 0 : other->psnr_y - cpu->psnr_y;
                    frames += static_cast<double>(cpu->frames);
                    for (const auto& [i, point] : {std::pair(0, cpu), std::pair(1, other)}) {
                        bytes[i] += static_cast<double>(point->bytes);
                        searched[i] += static_cast<double>(point->searched);
                        one.motion_ms[i] += 1000 * point->motion_seconds;
                        one.whole_ms[i] += 1000 * point->seconds();
                    }
                }
            if (one.points == 0) continue;
            one.psnr_difference /= one.points;
            one.bitrate_percent = 100 * (bytes[1] / bytes[0] - 1);
            for (int i = 0; i < 2; ++i) {
                one.whole_ms[i] /= frames;
                one.motion_ms[i] /= searched[i];
                one.blocks_per_second[i] = 1000 * blocks / one.motion_ms[i];
            }
            list.push_back(one);
        }
    return list;
}

Json report_summary(const ReportPoints& points, std::size_t anchor) {
    const std::vector<MotionComparison> motion = motion_comparisons(points);
    Json json = {{"schema", 1}, {"anchor", anchor}};
    for (const ReportSeries& series : points.series)
        json["series"].push_back(series_json(series));
    for (const ReportClip& clip : points.clips)
        json["clips"].push_back(clip_json(clip));
    for (const ReportPoint& point : points.points)
        json["points"].push_back(point_json(point));
    json["differences"] = differences_json(points);
    json["speed"] = speed_json(points);
    json["motion"] = motion_json(motion);
    json["papers"] = papers_json(points, motion);
    json["made_by"] = makers_json(points);
    return json;
}

Json report_details(const ReportPoints& points, std::size_t anchor) {
    Json json = {{"pictures", Json::array()}, {"fields", Json::array()}, {"shown", shown_json(points, anchor)}};
    std::map<std::pair<std::size_t, std::size_t>, std::vector<const ReportPoint*>> with_field;
    for (const ReportPoint& point : points.points) {
        if (point.row.contains("pictures") && !point.row["pictures"].empty())
            json["pictures"].push_back(pictures_json(point));
        if (point.row.contains("field") && is_field(point.row["field"]))
            with_field[{point.clip, point.series}].push_back(&point);
    }
    for (const auto& [place, candidates] : with_field) {
        const ReportPoint& point = *candidates[candidates.size() / 2];
        Json field = point.row["field"];
        if (field.contains("under") && !is_base64(field["under"])) field.erase("under");
        json["fields"].push_back(target_json(point));
        json["fields"].back()["field"] = std::move(field);
    }
    return json;
}

} // namespace tandem
