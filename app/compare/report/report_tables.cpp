// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/report/report_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/csv_field.h"

namespace tandem {
namespace {

std::string figure(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

/// Text in a cell of a Markdown table: nothing in it ends the cell or the line, or is read as HTML.
std::string cell(const std::string& text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '|' || letter == '\\' || letter == '`' || letter == '*' || letter == '_' || letter == '[')
            result += '\\';
        if (letter == '<')
            result += "&lt;";
        else if (letter == '&')
            result += "&amp;";
        else
            result += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
    return result;
}

std::string name_in(const Json& list, std::size_t index) { return cell(list[index]["name"].get<std::string>()); }

std::string head(const std::string& first, const std::vector<std::string>& others) {
    std::string names = "| " + first + " |", line = "|---|";
    for (const std::string& other : others) {
        names += " " + other + " |";
        line += "---:|";
    }
    return names + "\n" + line + "\n";
}

std::vector<std::string> clip_names(const Json& summary) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < summary["clips"].size(); ++i)
        names.push_back(name_in(summary["clips"], i));
    return names;
}

/// How a series compares with the anchor on a clip; null where one of the two has no curve.
const Json* comparison_of(const Json& summary, std::size_t clip, std::size_t series, const char* kind,
                          const char* measure) {
    for (const Json& one : summary["differences"])
        if (one["clip"] == clip && one["test"] == series && one["anchor"] == summary["anchor"] &&
            one["measure"] == measure)
            return &one[kind];
    return nullptr;
}

/// The notes below a table, each once.
class Footnotes {
  public:
    /// The mark of a comparison's notes.
    std::string mark(const Json& comparison) {
        std::string marks;
        for (const Json& note : comparison.value("notes", Json::array())) {
            const auto& text = note.get_ref<const std::string&>();
            auto found = std::find(notes_.begin(), notes_.end(), text);
            if (found == notes_.end()) found = notes_.insert(found, text);
            marks += fmt::format("{}{}", marks.empty() ? "" : ", ", found - notes_.begin() + 1);
        }
        return marks.empty() ? "" : "<sup>" + marks + "</sup>";
    }
    std::string text() const {
        std::string lines;
        for (std::size_t i = 0; i < notes_.size(); ++i)
            lines += fmt::format("{}{}. {}\n", i == 0 ? "\n" : "", i + 1, cell(notes_[i]));
        return lines;
    }

  private:
    std::vector<std::string> notes_;
};

/// A row a series, a column a clip, and their mean where every clip has a value; what is to be known of the figures (of
/// PCHIP, where a note does not say another fit) below.
std::string difference_table(const Json& summary, const char* kind, const char* unit, const char* measure = "psnr_y") {
    std::vector<std::string> columns = clip_names(summary);
    columns.push_back("**mean**");
    std::string text = head("series", columns);
    Footnotes notes;
    for (std::size_t series = 0; series < summary["series"].size(); ++series) {
        if (summary["anchor"] == series) continue;
        text += "| " + name_in(summary["series"], series) + " |";
        double sum = 0;
        bool whole = true;
        for (std::size_t clip = 0; clip < summary["clips"].size(); ++clip) {
            const Json* const comparison = comparison_of(summary, clip, series, kind, measure);
            const bool has_value = comparison != nullptr && comparison->contains("pchip");
            const double value = has_value ? (*comparison)["pchip"].get<double>() : 0;
            text += has_value ? fmt::format(" {:+.2f} {}", value, unit) : " –";
            text += (comparison != nullptr ? notes.mark(*comparison) : "") + " |";
            sum += value;
            whole = whole && has_value;
        }
        const auto clips = static_cast<double>(summary["clips"].size());
        text += whole ? fmt::format(" **{:+.2f} {}** |\n", sum / clips, unit) : " – |\n";
    }
    return text + notes.text();
}

/// A row a clip and rate, a column a series: by how many per cent each encoder missed the rate.
std::string miss_table(const Json& summary) {
    std::vector<std::size_t> columns;
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, int>> rows;
    for (const Json& point : summary["points"]) {
        if (!point.contains("target_kbps")) continue;
        const std::size_t series = point["series"];
        if (std::ranges::find(columns, series) == columns.end()) columns.push_back(series);
        const std::pair row(point["clip"].get<std::size_t>(), point["target_kbps"].get<int>());
        if (std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
    }
    for (const std::size_t series : columns)
        names.push_back(name_in(summary["series"], series));
    std::ranges::sort(rows);
    std::string text = head("clip, kbit/s", names);
    for (const auto& [clip, kbps] : rows) {
        text += fmt::format("| {}, {} |", name_in(summary["clips"], clip), kbps);
        for (const std::size_t series : columns) {
            std::string value = " – |";
            for (const Json& point : summary["points"])
                if (point["clip"] == clip && point["series"] == series && point.value("target_kbps", 0) == kbps)
                    value = fmt::format(" {:+.2f} % |", point["miss_percent"].get<double>());
            text += value;
        }
        text += "\n";
    }
    return rows.empty() ? "" : text;
}

/// What the slowest and the fastest runs of a speed are.
std::string between(const Json& speed) {
    if (speed["runs"].get<int>() < 2) return "";
    return fmt::format(" ({:.1f} to {:.1f})", speed["least_fps"].get<double>(), speed["most_fps"].get<double>());
}

std::string speed_table(const Json& summary) {
    std::string text = head("series", clip_names(summary));
    for (std::size_t series = 0; series < summary["series"].size(); ++series) {
        text += "| " + name_in(summary["series"], series) + " |";
        for (std::size_t clip = 0; clip < summary["clips"].size(); ++clip) {
            std::string value = " – |";
            for (const Json& one : summary["speed"])
                if (one["clip"] == clip && one["series"] == series)
                    value = fmt::format(" {:.1f}{} |", one["fps"].get<double>(), between(one));
            text += value;
        }
        text += "\n";
    }
    return text;
}

std::string milliseconds(const Json& value) {
    return value.is_number() ? fmt::format("{:.3f} ms", value.get<double>()) : "–";
}

/// What a device beside the CPU changed: streams, quality, bits.
std::string changes(const Json& summary, const Json& one) {
    if (!one.contains("other")) return " – | – | – | – |";
    return fmt::format(" {} | {} of {} | {:+.4f} dB | {:+.3f} % |",
                       cell(summary["series"][one["other"].get<std::size_t>()]["device"]),
                       one["same_streams"].get<int>(), one["points"].get<int>(), one["psnr_difference"].get<double>(),
                       one["bitrate_percent"].get<double>());
}

std::string motion_table(const Json& summary) {
    const bool paired = std::ranges::any_of(summary["motion"], [](const Json& one) { return one.contains("other"); });
    std::string text = paired ? head("search", {"clip", "other device", "same streams", "PSNR", "bits", "motion CPU",
                                                "motion other", "whole CPU", "whole other"})
                              : head("search", {"clip", "motion", "whole"});
    for (const Json& one : summary["motion"]) {
        const Json& cpu = summary["series"][one["cpu"].get<std::size_t>()];
        text +=
            fmt::format("| {} | {} |", cell(cpu["codec"].get<std::string>() + " " + cpu["search"].get<std::string>()),
                        name_in(summary["clips"], one["clip"]));
        if (paired) text += changes(summary, one);
        for (const char* time : {"motion_ms", "whole_ms"}) {
            text += " " + milliseconds(one[time][0]) + " |";
            if (paired) text += " " + (one.contains("other") ? milliseconds(one[time][1]) : "–") + " |";
        }
        text += "\n";
    }
    return text;
}

std::string papers_table(const Json& summary) {
    std::string text = "| paper | what | then | here | where |\n|---|---|---|---|---|\n";
    for (const Json& row : summary["papers"])
        text += fmt::format("| {} | {} | {} | {} | {} |\n", cell(row["paper"]), cell(row["what"]), cell(row["then"]),
                            cell(row.value("now", "–")), cell(row.value("where", "")));
    return text;
}

} // namespace

std::string results_csv(const ReportPoints& points) {
    std::string text =
        "clip,clip_md5,width,height,frames,frame_rate,encoder,series,codec,search,device,options,qp,bytes,"
        "bitrate_kbps,psnr_y,psnr_u,psnr_v,psnr,ssim_y,ssim,encode_s,total_s,motion_s,peak_rss_bytes,"
        "stream_md5,target_kbps,miss_percent,vmaf\n";
    for (const ReportPoint& point : points.points) {
        const ReportClip& clip = points.clips[point.clip];
        const ReportSeries& series = points.series[point.series];
        text += fmt::format("{},{},{},{},{},{},", csv_field(clip.name), clip.md5, clip.width, clip.height, point.frames,
                            figure(clip.fps));
        for (const std::string* name :
             {&series.encoder, &series.name, &series.codec, &series.search, &series.device, &series.options})
            text += csv_field(*name) + ",";
        text += fmt::format("{},{}", point.target_kbps > 0 ? "" : fmt::format("{}", point.qp), point.bytes);
        for (const double value :
             {point.kbps, point.psnr_y, point.psnr_u, point.psnr_v, point.psnr, point.ssim_y, point.ssim,
              point.encode_seconds, point.total_seconds, point.motion_seconds, point.peak_rss_bytes})
            text += "," + figure(value);
        text += "," + point.stream_md5 + ",";
        if (point.target_kbps > 0) text += fmt::format("{},{:.3f}", point.target_kbps, point.miss_percent());
        text += point.target_kbps > 0 ? "," : ",,";
        text += figure(point.vmaf) + "\n";
    }
    return text;
}

namespace {

bool has_vmaf(const Json& summary) {
    return std::ranges::any_of(summary["points"], [](const Json& point) { return point.contains("vmaf"); });
}

} // namespace

std::string results_markdown(const Json& summary) {
    const std::string anchor = name_in(summary["series"], summary["anchor"]);
    std::string text;
    text += "BD-rate of luma against " + anchor + " (PCHIP; negative: fewer bits at the same PSNR):\n\n";
    text += difference_table(summary, "rate", "%");
    text += "\nBD-PSNR of luma against " + anchor + " (PCHIP; positive: better at the same rate):\n\n";
    text += difference_table(summary, "quality", "dB");
    if (has_vmaf(summary)) {
        text += "\nBD-rate at equal VMAF against " + anchor + " (PCHIP; negative: fewer bits):\n\n";
        text += difference_table(summary, "rate", "%", "vmaf");
    }
    if (const std::string misses = miss_table(summary); !misses.empty())
        text += "\nBy how much each encoder missed the rate:\n\n" + misses;
    text += "\nPictures coded in a second, all quantisers together:\n\n" + speed_table(summary);
    if (!summary["motion"].empty())
        text +=
            "\nSearches in the encoder; motion: the estimators' time for a pair of pictures, whole: a picture's:\n\n" +
            motion_table(summary);
    text += "\nThe papers' figures and these:\n\n" + papers_table(summary);
    return text;
}

} // namespace tandem
