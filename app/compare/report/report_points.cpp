// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/report/report_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "machine/errors.h"

namespace tandem {
namespace {

std::string text_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

double number_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_number()) return found->get<double>();
    const bool infinite = found != object.end() && *found == "inf";
    return infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t integer_of(const Json& object, const char* name) {
    const double value = number_of(object, name);
    return std::isfinite(value) && std::abs(value) < 9e15 ? static_cast<std::int64_t>(value) : 0;
}

/// The place of a value in a list that it is added to where it is new.
template <class Value, class Same> std::size_t place_of(std::vector<Value>& list, Value value, const Same& same) {
    const auto found = std::ranges::find_if(list, same);
    if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
    list.push_back(std::move(value));
    return list.size() - 1;
}

std::size_t clip_of(const Json& row, std::vector<ReportClip>& clips) {
    const Json& json = row["clip"];
    ReportClip clip{text_of(json, "name"),
                    text_of(json, "md5"),
                    static_cast<int>(integer_of(json, "width")),
                    static_cast<int>(integer_of(json, "height")),
                    integer_of(json, "frames"),
                    number_of(json, "fps")};
    // All of it: the same file at another frame rate has other bitrates.
    const auto identity = [](const ReportClip& one) {
        return fmt::format("{} {} {}x{} {} {}", one.name, one.md5, one.width, one.height, one.frames, one.fps);
    };
    return place_of(clips, clip, [&](const ReportClip& other) { return identity(other) == identity(clip); });
}

std::size_t series_of(const Json& row, std::vector<ReportSeries>& series) {
    ReportSeries one{text_of(row, "series"), text_of(row, "encoder"), text_of(row, "codec"),
                     text_of(row, "search"), text_of(row, "device"),  text_of(row, "options")};
    return place_of(series, one, [&](const ReportSeries& other) { return other.name == one.name; });
}

std::int64_t searched_pairs(const Json& row, std::int64_t frames) {
    const auto pictures = row.find("pictures");
    if (pictures == row.end() || !pictures->is_array()) return frames;
    std::int64_t pairs = 0;
    for (const Json& picture : *pictures) {
        const std::string type = text_of(picture, "type");
        pairs += type == "P" ? 1 : type == "B" ? 2 : 0;
    }
    return pairs;
}

bool has_target(const Json& row) {
    return std::abs(number_of(row, "qp")) <= INT32_MAX ||
           (number_of(row, "target_kbps") >= 1 && number_of(row, "target_kbps") <= INT32_MAX);
}

void check(const Json& row) {
    const bool whole = row.is_object() && row.contains("clip") && row["clip"].is_object() &&
                       !text_of(row["clip"], "name").empty() && !text_of(row, "series").empty() &&
                       integer_of(row, "frames") > 0 && has_target(row) && integer_of(row, "bytes") > 0;
    if (!whole)
        throw InputError(fmt::format("the result {} does not say its clip, series, qp or target_kbps, frames or bytes",
                                     row.is_object() ? text_of(row, "key") : "?"));
}

/// The fastest and the slowest run.
void take_runs(const Json& row, ReportPoint& point) {
    point.least_seconds = point.most_seconds = point.seconds();
    const Json runs = row.value("runs", Json::array());
    if (!runs.is_array()) return;
    const char* const name = std::isnan(point.encode_seconds) ? "total_s" : "encode_s";
    for (const Json& run : runs) {
        const double seconds = run.is_object() ? number_of(run, name) : std::nan("");
        if (!(seconds > 0)) continue;
        ++point.runs;
        point.least_seconds = std::min(point.least_seconds, seconds);
        point.most_seconds = std::max(point.most_seconds, seconds);
    }
}

ReportPoint point_of(const Json& row, ReportPoints& report) {
    check(row);
    ReportPoint point;
    point.clip = clip_of(row, report.clips);
    point.series = series_of(row, report.series);
    point.qp = static_cast<int>(integer_of(row, "qp"));
    point.target_kbps = static_cast<int>(integer_of(row, "target_kbps"));
    point.frames = integer_of(row, "frames");
    point.bytes = integer_of(row, "bytes");
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, double*>>{{"bitrate_kbps", &point.kbps},
                                                                {"psnr_y", &point.psnr_y},
                                                                {"psnr_u", &point.psnr_u},
                                                                {"psnr_v", &point.psnr_v},
                                                                {"psnr", &point.psnr},
                                                                {"ssim_y", &point.ssim_y},
                                                                {"ssim", &point.ssim},
                                                                {"vmaf", &point.vmaf},
                                                                {"encode_s", &point.encode_seconds},
                                                                {"total_s", &point.total_seconds},
                                                                {"motion_s", &point.motion_seconds},
                                                                {"peak_rss_bytes", &point.peak_rss_bytes}})
        *value = number_of(row, name);
    point.stream_md5 = text_of(row, "stream_md5");
    take_runs(row, point);
    point.searched = searched_pairs(row, point.frames);
    point.row = row;
    return point;
}

/// Clips of one name that are not the same are told apart by what they differ in.
void make_names_unique(std::vector<ReportClip>& clips) {
    const auto tell_apart = [&](const auto& addition) {
        std::map<std::string, std::set<std::string>> additions;
        for (const ReportClip& clip : clips)
            additions[clip.name].insert(addition(clip));
        for (ReportClip& clip : clips)
            if (additions[clip.name].size() > 1) clip.name += addition(clip);
    };
    tell_apart([](const ReportClip& clip) { return fmt::format(" ({} pictures)", clip.frames); });
    tell_apart([](const ReportClip& clip) { return fmt::format(" ({:g} Hz)", clip.fps); });
    tell_apart([](const ReportClip& clip) { return fmt::format(" ({}x{})", clip.width, clip.height); });
    tell_apart([](const ReportClip& clip) { return " " + clip.md5; });
}

} // namespace

double ReportPoint::miss_percent() const {
    if (target_kbps == 0) return std::numeric_limits<double>::quiet_NaN();
    return 100 * (kbps / target_kbps - 1);
}

double ReportPoint::seconds() const { return std::isnan(encode_seconds) ? total_seconds : encode_seconds; }

std::vector<const ReportPoint*> ReportPoints::curve(std::size_t clip, std::size_t series_index) const {
    std::vector<const ReportPoint*> found;
    for (const ReportPoint& point : points)
        if (point.clip == clip && point.series == series_index) found.push_back(&point);
    return found;
}

ReportPoints report_points(const std::vector<Json>& rows) {
    ReportPoints report;
    std::map<std::tuple<std::size_t, std::size_t, int, int>, ReportPoint> sorted;
    for (const Json& row : rows) {
        ReportPoint point = point_of(row, report);
        const auto place = std::tuple(point.clip, point.series, point.qp, point.target_kbps);
        sorted.insert_or_assign(place, std::move(point));
    }
    for (auto& [place, point] : sorted)
        report.points.push_back(std::move(point));
    make_names_unique(report.clips);
    return report;
}

std::string_view name_of(CurveMeasure measure) {
    switch (measure) {
    case CurveMeasure::psnr_y:
        return "psnr_y";
    case CurveMeasure::psnr_u:
        return "psnr_u";
    case CurveMeasure::psnr_v:
        return "psnr_v";
    case CurveMeasure::ssim_y:
        return "ssim_y";
    case CurveMeasure::vmaf:
        return "vmaf";
    }
    throw RunError("no such measure");
}

double measured(const ReportPoint& point, CurveMeasure measure) {
    switch (measure) {
    case CurveMeasure::psnr_y:
        return point.psnr_y;
    case CurveMeasure::psnr_u:
        return point.psnr_u;
    case CurveMeasure::psnr_v:
        return point.psnr_v;
    case CurveMeasure::ssim_y:
        return point.ssim_y;
    case CurveMeasure::vmaf:
        return point.vmaf;
    }
    throw RunError("no such measure");
}

std::vector<RatePoint> rate_points(const std::vector<const ReportPoint*>& curve, CurveMeasure measure) {
    std::vector<RatePoint> points;
    for (const ReportPoint* point : curve)
        if (measure != CurveMeasure::vmaf || !std::isnan(point->vmaf)) // It is not measured everywhere.
            points.push_back({static_cast<double>(point->bytes), measured(*point, measure)});
    return points;
}

std::vector<DevicePair> device_pairs(const ReportPoints& points) {
    std::vector<DevicePair> pairs;
    const auto alike = [](const ReportSeries& a, const ReportSeries& b) {
        return a.encoder == b.encoder && a.codec == b.codec && a.search == b.search && a.options == b.options;
    };
    for (std::size_t cpu = 0; cpu < points.series.size(); ++cpu) {
        const ReportSeries& one = points.series[cpu];
        if (one.search.empty() || one.device != "cpu") continue;
        const std::size_t before = pairs.size();
        for (std::size_t other = 0; other < points.series.size(); ++other)
            if (const std::string& device = points.series[other].device;
                !device.empty() && device != "cpu" && alike(one, points.series[other]))
                pairs.push_back({cpu, other});
        if (pairs.size() == before) pairs.push_back({cpu, cpu});
    }
    return pairs;
}

} // namespace tandem
