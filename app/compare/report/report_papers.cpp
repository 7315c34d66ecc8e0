// SPDX-License-Identifier: BSD-2-Clause
// Five papers on motion estimation on GPUs: what each reported, and what these results have beside it. The machines,
// the clips and the encoders differ by 15 years; blocks in a second and ratios are what can be set side by side.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "app/compare/report/report_data.h"

namespace tandem {
namespace {

struct PaperContext {
    const ReportPoints& points;
    const std::vector<MotionComparison>& motion;
};

struct Measured {
    std::string text;  ///< Empty where these results have nothing to say.
    std::string where; ///< Then: who measures it instead, or empty.
};

struct PaperRow {
    const char *paper, *what, *then;
    std::function<Measured(const PaperContext&)> now;
};

const ReportSeries& series_of(const PaperContext& context, std::size_t index) { return context.points.series[index]; }

/// Which clip and series a figure is of.
std::string place_of(const PaperContext& context, const MotionComparison& one, std::size_t series) {
    return context.points.clips[one.clip].name + ", " + series_of(context, series).name;
}

bool has_other(const MotionComparison& one) { return one.series.other != one.series.cpu; }

/// The comparison for which `value` is largest, of those of one search; not a number means that it has none.
template <class Value>
const MotionComparison* best_of(const PaperContext& context, std::string_view search, const Value& value) {
    const MotionComparison* best = nullptr;
    for (const MotionComparison& one : context.motion)
        if (series_of(context, one.series.cpu).search == search && std::isfinite(value(one)) &&
            (best == nullptr || value(one) > value(*best)))
            best = &one;
    return best;
}

/// The most blocks in a second of a search, on the CPU or another device.
Measured blocks_per_second(const PaperContext& context, std::string_view search) {
    const auto faster = [](const MotionComparison& one) {
        const int i = one.blocks_per_second[1] > one.blocks_per_second[0] ? 1 : 0;
        return std::pair(one.blocks_per_second[i], i == 1 ? one.series.other : one.series.cpu);
    };
    const auto* best = best_of(context, search, [&](const MotionComparison& one) { return faster(one).first; });
    if (best == nullptr) return {};
    const auto [rate, series] = faster(*best);
    return {fmt::format("{:.3g} million blocks/s", rate / 1e6), place_of(context, *best, series)};
}

double motion_gain(const MotionComparison& one) {
    return has_other(one) ? one.motion_ms[0] / one.motion_ms[1] : std::nan("");
}

/// How many times faster the motion of a search is off the CPU.
Measured device_gain(const PaperContext& context, std::string_view search) {
    const auto* best = best_of(context, search, motion_gain);
    if (best == nullptr) return {};
    return {fmt::format("{:.3g} times", motion_gain(*best)), place_of(context, *best, best->series.other)};
}

/// The whole encoder's gain, as per cent of pictures in a second.
Measured whole_gain(const PaperContext& context) {
    const auto gain = [](const MotionComparison& one) {
        return has_other(one) ? 100 * (one.whole_ms[0] / one.whole_ms[1] - 1) : std::nan("");
    };
    const MotionComparison* best = nullptr;
    for (const MotionComparison& one : context.motion)
        if (std::isfinite(gain(one)) && (best == nullptr || gain(one) > gain(*best))) best = &one;
    if (best == nullptr) return {};
    const auto speed = [](double milliseconds) {
        const double rate = 1000 / milliseconds;
        return rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
    };
    return {
        fmt::format("{:+.0f} %, {} to {} frames/s", gain(*best), speed(best->whole_ms[0]), speed(best->whole_ms[1])),
        place_of(context, *best, best->series.other)};
}

/// Full search off the CPU against smpuhex on it, as Massanes compares with JM's.
Measured against_smpuhex(const PaperContext& context) {
    Measured measured;
    double most = 0;
    for (const MotionComparison& full : context.motion)
        for (const MotionComparison& fast : context.motion) {
            if (full.clip != fast.clip || !has_other(full)) continue;
            const ReportSeries &a = series_of(context, full.series.cpu), &b = series_of(context, fast.series.cpu);
            const double ratio = fast.motion_ms[0] / full.motion_ms[1];
            if (a.search != "full" || b.search != "smpuhex" || a.options != b.options || a.codec != b.codec) continue;
            if (!(ratio > most)) continue;
            most = ratio;
            measured = {fmt::format("{:.3g} times smpuhex, {:.3g} times full search", ratio, motion_gain(full)),
                        place_of(context, full, full.series.other)};
        }
    return measured;
}

/// Mean rate of one search at the other's quality, over the clips, on the CPU.
Measured rate_against(const PaperContext& context, std::string_view search, std::string_view anchor) {
    for (std::size_t test = 0; test < context.points.series.size(); ++test)
        for (std::size_t base = 0; base < context.points.series.size(); ++base) {
            const ReportSeries &a = series_of(context, test), &b = series_of(context, base);
            const bool fits = a.search == search && b.search == anchor && a.device == b.device && a.codec == b.codec &&
                              a.options == b.options;
            if (!fits) continue;
            double sum = 0;
            int count = 0;
            for (std::size_t clip = 0; clip < context.points.clips.size(); ++clip) {
                const auto curve = [&](std::size_t series) {
                    return rate_points(context.points.curve(clip, series), CurveMeasure::psnr_y);
                };
                const BdResult result = bd_rate(curve(base), curve(test), CurveFit::pchip);
                if (!result.difference) continue;
                sum += result.difference->value;
                ++count;
            }
            if (count == 0) continue;
            return {fmt::format("{:+.2f} % bits at equal PSNR", sum / count),
                    fmt::format("{}, mean of {} clips", a.name, count)};
        }
    return {};
}

/// The largest difference of quality between the CPU and another device, whatever the search.
Measured device_psnr(const PaperContext& context) {
    const MotionComparison* worst = nullptr;
    int points = 0, same = 0;
    for (const MotionComparison& one : context.motion) {
        if (!has_other(one)) continue;
        points += one.points;
        same += one.same_streams;
        if (worst == nullptr || std::abs(one.psnr_difference) > std::abs(worst->psnr_difference)) worst = &one;
    }
    if (worst == nullptr) return {};
    return {fmt::format("at most {:.4f} dB, {} of {} streams the same", std::abs(worst->psnr_difference), same, points),
            place_of(context, *worst, worst->series.other)};
}

/// No point of a comparison is this; the kernels' own benchmark has it.
Measured kernels_alone(const PaperContext&) { return {"", "kernels alone: docs/measurements/motion-gpu.md"}; }

const PaperRow rows[] = {
    {"Massanes et al.", "1080p, blocks of 96×54, window of 192×108, half-pel grid: 82,944 candidates",
     "7.23 s on the GPU, 8,025 s on one core: 1,110 times", kernels_alone},
    {"Massanes et al.", "The same on the grid of whole pels", "200 times one core", kernels_alone},
    {"Massanes et al.", "Largest pictures at 30 frames/s",
     "420×280 on one GPU; on four 621×414 (each a picture), 600×400 (each a part)", kernels_alone},
    {"Massanes et al.", "720×480, blocks of 16×16, area 32×32, full search",
     "12.6 frames/s on the GPU: 0.017 million blocks/s", [](const auto& c) { return blocks_per_second(c, "full"); }},
    {"Massanes et al.", "The same against JM on the CPU", "1.41 times SmpUHex, 28 times full search", against_smpuhex},
    {"Mazaré et al.", "Several resolutions, 640×480", "17.5 frames/s: 0.021 million blocks/s",
     [](const auto& c) { return blocks_per_second(c, "hier"); }},
    {"Mazaré et al.", "Motion on the GPU against the CPU", "10.9 times",
     [](const auto& c) { return device_gain(c, "hier"); }},
    {"Mazaré et al.", "A whole MPEG-1 encoder with its motion on the GPU", "+65 %, 6 to 10 frames/s", whole_gain},
    {"Mazaré et al.", "Files against logarithmic search, equal quality", "-10 to -15 %",
     [](const auto& c) { return rate_against(c, "hier", "log"); }},
    {"Kelly and Kokaram", "Sub-pel search on the GPU against the CPU", "4 times",
     [](const auto& c) { return device_gain(c, "full"); }},
    {"Kelly and Kokaram", "PSNR between GPU and CPU", "0.0042 dB (mean, 1/4 pel)", device_psnr},
    {"Asmara et al.", "Phase correlation, windows of 256×256, 720p", "more than 2 times the CPU",
     [](const auto& c) { return device_gain(c, "poc"); }},
    {"Bonanno", "Three-step search, 1080p, blocks of 8×8, serial", "8.42 s: 0.0038 million blocks/s",
     [](const auto& c) { return blocks_per_second(c, "tss"); }},
};

} // namespace

Json papers_json(const ReportPoints& points, const std::vector<MotionComparison>& motion) {
    Json list = Json::array();
    for (const PaperRow& row : rows) {
        const Measured now = row.now({points, motion});
        Json json = {{"paper", row.paper}, {"what", row.what}, {"then", row.then}};
        if (!now.text.empty()) json["now"] = now.text;
        if (!now.where.empty()) json["where"] = now.where;
        list.push_back(json);
    }
    return list;
}

} // namespace tandem
