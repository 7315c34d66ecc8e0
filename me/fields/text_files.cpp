// SPDX-License-Identifier: BSD-2-Clause
// Motion fields as text: two kinds of CSV and JSON lines. Best vectors; JSON has all candidates.
#include <charconv>
#include <vector>

#include "files/atomic_file.h"
#include "machine/errors.h"
#include "me/fields/formats.h"

namespace tandem {

namespace {

/// What text writers share: a text for each record, after a heading that the first one decides.
class TextWriter : public FieldWriter {
  public:
    explicit TextWriter(const std::string& path) : rules_(path), file_(path) {}

    void write(const FieldRecord& record) override {
        rules_.check(record);
        if (!begun_) file_.write(heading(record.field));
        begun_ = true;
        file_.write(text(record));
    }

    void finish() override {
        if (!begun_) throw InputError(rules_.path() + ": there is no field to write");
        file_.finish();
    }

  private:
    virtual std::string heading(const MotionField& field) const = 0;
    virtual std::string text(const FieldRecord& record) const = 0;

    RecordRules rules_;
    AtomicFile file_;
    bool begun_ = false;
};

std::string joined(std::initializer_list<std::int64_t> numbers, char separator) {
    std::string line;
    for (const std::int64_t number : numbers) {
        if (!line.empty()) line += separator;
        line += std::to_string(number);
    }
    return line;
}

/// Calls `line` for each block that has a vector, in raster order.
template <class Line> void for_each_vector(const MotionField& field, const Line& line) {
    for (int row = 0; row < field.rows(); ++row)
        for (int column = 0; column < field.columns(); ++column)
            if (has_vector(field.best(column, row))) line(block_rect(field, column, row), field.best(column, row));
}

/// The statistics file of YUView ("Statistics Extension Syntax" in its wiki): all lines of one picture and type stand
/// together.
class YuviewWriter : public TextWriter {
  public:
    YuviewWriter(const std::string& path, const std::string& metric) : TextWriter(path), metric_(metric) {}

  private:
    std::string heading(const MotionField& field) const override {
        // What a block of noise differs by; YUView clips its colours to the range.
        constexpr int level = 32;
        const std::int64_t largest = std::int64_t{level} * field.block_width() * field.block_height();
        std::string lines = "%;syntax-version;v1.2\n";
        lines += "%;seq-specs;tandem;0;" + joined({field.picture_width(), field.picture_height()}, ';') + ";0;\n";
        lines += "%;type;0;Motion;vector;\n%;vectorColor;255;0;0;255\n";
        lines += "%;scaleFactor;" + std::to_string(eighths_per_pel) + "\n";
        lines += "%;type;1;Distortion" + (metric_.empty() ? metric_ : " " + metric_) + ";range;\n";
        lines += "%;defaultRange;0;" + std::to_string(largest) + ";jet\n%;gridColor;255;255;255;\n";
        return lines;
    }

    std::string text(const FieldRecord& record) const override {
        std::string vectors, distortions;
        for_each_vector(record.field, [&](const BlockRect& place, const Candidate& best) {
            const std::string block = joined({record.picture, place.x, place.y, place.width, place.height}, ';');
            vectors += block + ";0;" + joined({best.mv.x, best.mv.y}, ';') + "\n";
            distortions += block + ";1;" + std::to_string(best.distortion) + "\n";
        });
        return vectors + distortions;
    }

    std::string metric_;
};

/// The members of FFmpeg's AVMotionVector (libavutil/motion_vector.h) in their order, after the picture's number.
class FfmpegWriter : public TextWriter {
  public:
    using TextWriter::TextWriter;

  private:
    std::string heading(const MotionField&) const override {
        return "framenum,source,w,h,src_x,src_y,dst_x,dst_y,flags,motion_x,motion_y,motion_scale\n";
    }

    std::string text(const FieldRecord& record) const override {
        std::string lines;
        for_each_vector(record.field, [&](const BlockRect& place, const Candidate& best) {
            const int x = place.x + place.width / 2, y = place.y + place.height / 2;
            lines += joined({record.picture, record.reference_offset, place.width, place.height,
                             x + best.mv.x / eighths_per_pel, y + best.mv.y / eighths_per_pel, x, y},
                            ',') +
                     ",0x0," + joined({best.mv.x, best.mv.y, eighths_per_pel}, ',') + "\n";
        });
        return lines;
    }
};

class JsonLinesWriter : public TextWriter {
  public:
    JsonLinesWriter(const std::string& path, std::string metric) : TextWriter(path), metric_(std::move(metric)) {}

  private:
    std::string heading(const MotionField&) const override { return {}; }

    static std::string pels(std::int16_t eighths) {
        char digits[16];
        const auto end = std::to_chars(digits, digits + sizeof(digits), static_cast<double>(to_pels(eighths))).ptr;
        return {digits, end};
    }

    /// rows x columns x K of whatever `element` says of a candidate; null where there is none.
    template <class Element> static std::string nested(const MotionField& field, const Element& element) {
        std::string text = "[";
        for (int row = 0; row < field.rows(); ++row) {
            text += row > 0 ? ",[" : "[";
            for (int column = 0; column < field.columns(); ++column) {
                text += column > 0 ? ",[" : "[";
                const std::span<const Candidate> block = field.block(column, row);
                for (std::size_t i = 0; i < block.size(); ++i)
                    text += (i > 0 ? "," : "") + (has_vector(block[i]) ? element(block[i]) : "null");
                text += ']';
            }
            text += ']';
        }
        return text + "]";
    }

    std::string text(const FieldRecord& record) const override {
        const MotionField& field = record.field;
        std::string line;
        const auto number = [&line](const std::string& name, std::int64_t value) {
            line += (line.empty() ? "{\"" : ",\"") + name + "\":" + std::to_string(value);
        };
        number("picture", record.picture);
        number("reference_offset", record.reference_offset);
        number("picture_width", field.picture_width());
        number("picture_height", field.picture_height());
        number("block_width", field.block_width());
        number("block_height", field.block_height());
        number("rows", field.rows());
        number("columns", field.columns());
        number("candidates", field.candidates());
        line += ",\"unit\":\"pel\",\"metric\":" + (metric_.empty() ? "null" : "\"" + metric_ + "\"");
        line += ",\"vectors\":" + nested(field, [](const Candidate& candidate) {
                    return "[" + pels(candidate.mv.x) + "," + pels(candidate.mv.y) + "]";
                });
        line += ",\"distortions\":" +
                nested(field, [](const Candidate& candidate) { return std::to_string(candidate.distortion); });
        line +=
            ",\"costs\":" + nested(field, [](const Candidate& candidate) { return std::to_string(candidate.cost); });
        return line + "}\n";
    }

    std::string metric_;
};

} // namespace

std::unique_ptr<FieldWriter> create_yuview_file(const std::string& path, const std::string& metric) {
    return std::make_unique<YuviewWriter>(path, metric);
}

std::unique_ptr<FieldWriter> create_ffmpeg_file(const std::string& path) {
    return std::make_unique<FfmpegWriter>(path);
}

std::unique_ptr<FieldWriter> create_json_lines_file(const std::string& path, const std::string& metric) {
    return std::make_unique<JsonLinesWriter>(path, metric);
}

} // namespace tandem
