// SPDX-License-Identifier: BSD-2-Clause
#include "app/view/viewed_stream.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "app/interrupt.h"
#include "app/view/decisions_reader.h"
#include "app/view/mpeg_buffer.h"
#include "encoder/rate/vbv.h"
#include "files/little_endian.h"
#include "machine/errors.h"
#include "video/libav/reading/coded_video.h"
#include "video/quality/quality.h"

namespace tandem {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string packed(const Bytes& bytes) { return base64(deflated(bytes)); }

std::string data_url(std::string_view type, const Bytes& bytes) {
    return fmt::format("data:{};base64,{}", type, base64(bytes));
}

/// What is known of a stream that has no decisions: a grid of quantisers, as the decisions' columns are.
class Grid {
  public:
    explicit Grid(const VideoFormat& format) : columns_((format.width + 15) / 16), rows_((format.height + 15) / 16) {}

    /// Of each macroblock the quantiser of the block that has its middle; 0 where there is none.
    std::vector<float> quantisers(const std::vector<CodedQuantiser>& blocks) const {
        std::vector<float> grid(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_));
        for (const CodedQuantiser& block : blocks) {
            // The middles are at 16 n + 8.
            const int left = std::max(0, (block.x + 7) / 16), top = std::max(0, (block.y + 7) / 16);
            for (int row = top; row < rows_ && 16 * row + 8 < block.y + block.height; ++row) {
                for (int column = left; column < columns_ && 16 * column + 8 < block.x + block.width; ++column)
                    grid[static_cast<std::size_t>(row * columns_ + column)] = block.quantiser;
            }
        }
        return grid;
    }
    int columns() const { return columns_; }
    int rows() const { return rows_; }

  private:
    int columns_, rows_;
};

/// Seven 16-bit integers a vector: x, y, width, height, dx and dy in eighths of a pel, 1 forward or -1 backward.
Bytes vector_bytes(const std::vector<CodedBlock>& blocks) {
    Bytes bytes;
    const auto put = [&](double value) {
        append_little_endian(bytes, static_cast<std::int16_t>(std::clamp(std::round(value), -32768.0, 32767.0)));
    };
    for (const CodedBlock& block : blocks) {
        for (const int whole : {block.x, block.y, block.width, block.height})
            put(whole);
        put(8.0 * static_cast<double>(block.dx));
        put(8.0 * static_cast<double>(block.dy));
        put(block.forward ? 1 : -1);
    }
    return bytes;
}

Json mean_quantiser(const std::vector<float>& grid) {
    double sum = 0, count = 0;
    for (const float quantiser : grid) {
        sum += static_cast<double>(quantiser);
        count += quantiser != 0;
    }
    return count > 0 ? Json(sum / count) : Json(nullptr);
}

Json psnr_json(const SquaredErrors& errors) {
    return {figure_json(errors.psnr(0)), figure_json(errors.psnr(1)), figure_json(errors.psnr(2))};
}

/// The stream while it is read, and what is told of its pictures so far.
class StreamReading {
  public:
    StreamReading(const std::string& path, const std::string& decisions, const ViewOptions& options)
        : path_(path), options_(options), video_(open_coded_video(path)) {
        if (!decisions.empty()) {
            decisions_.emplace(decisions);
            for (std::size_t at = 0; at < decisions_->pictures(); ++at)
                records_[static_cast<std::int64_t>(decisions_->value(at, "display"))] = at;
        }
        if (!options.source.empty()) source_ = open_source(options.source, options.source_options);
    }

    Json read() {
        for (std::int64_t display = 0; display < options_.skipped + options_.most; ++display) {
            if (interrupted()) throw Interrupted("no page is written");
            const std::optional<CodedVideoPicture> picture = video_->read();
            const std::unique_ptr<Frame> original = source_ ? source_->read() : nullptr;
            if (!picture) break;
            if (display == 0) check_sizes();
            if (source_ && !original)
                throw InputError(fmt::format("{}: it has {} pictures, {} has more", options_.source, display, path_));
            if (display >= options_.skipped) add(*picture, display, original.get());
        }
        if (pictures_.empty())
            throw InputError(fmt::format("{}: there is no picture behind the first {}", path_, options_.skipped));
        finish();
        return stream_json();
    }

  private:
    void check_sizes() const {
        const VideoFormat& format = video_->format();
        const auto check = [&](const std::string& name, int width, int height) {
            if (width != format.width || height != format.height)
                throw InputError(
                    fmt::format("{} is {}x{}, {} is {}x{}", name, width, height, path_, format.width, format.height));
        };
        if (source_) check(options_.source, source_->format().width, source_->format().height);
        if (decisions_)
            check(decisions_->path(), decisions_->header()["width"].get<int>(),
                  decisions_->header()["height"].get<int>());
    }

    void add(const CodedVideoPicture& picture, std::int64_t display, const Frame* original) {
        const VideoFormat& format = video_->format();
        Json json = {{"display", display}, {"coding", picture.coding}, {"type", std::string(1, picture.type)},
                     {"bytes", nullptr},   {"quantiser", nullptr},     {"psnr", nullptr},
                     {"fullness", nullptr}};
        if (original != nullptr)
            json["psnr"] = psnr_json(squared_errors(*original, *picture.frame, format.width, format.height));
        if (decisions_) {
            add_decisions(json, display);
        } else {
            add_side_data(json, picture);
        }
        const Bytes image = web_image(*picture.frame, format.width, format.height, options_.images, options_.quality);
        json["image"] = data_url(mime_type(options_.images), image);
        pictures_.push_back(std::move(json));
    }

    void add_side_data(Json& json, const CodedVideoPicture& picture) {
        const std::vector<float> grid = Grid(video_->format()).quantisers(picture.quantisers);
        Bytes column;
        for (const float quantiser : grid)
            append_little_endian(column, quantiser);
        has_quantisers_ = has_quantisers_ || !picture.quantisers.empty();
        json["quantiser"] = mean_quantiser(grid);
        json["record"] = packed(column);
        json["vectors"] = packed(vector_bytes(picture.vectors));
        json["vector_count"] = picture.vectors.size();
    }

    std::size_t record_of(std::int64_t display) const {
        if (const auto found = records_.find(display); found != records_.end()) return found->second;
        throw InputError(fmt::format("{}: there is no picture {}, which {} has", decisions_->path(), display, path_));
    }

    void add_decisions(Json& json, std::int64_t display) {
        const std::size_t at = record_of(display);
        const auto type = static_cast<std::size_t>(decisions_->value(at, "type"));
        const std::string letter(1, type <= 3 ? "?IPB"[type] : '?');
        if (letter != json["type"])
            throw InputError(fmt::format("{} is not of {}: picture {} is {} there and {} here", decisions_->path(),
                                         path_, display, letter, json["type"].get<std::string>()));
        json["coding"] = static_cast<std::int64_t>(decisions_->value(at, "coding"));
        json["bytes"] = static_cast<std::int64_t>(decisions_->value(at, "bits") / 8);
        json["quantiser"] = decisions_->value(at, "quantiser");
        json["record"] = packed(decisions_->record(at));
        if (!json["psnr"].is_null()) return;
        const VideoFormat& format = video_->format();
        SquaredErrors errors;
        for (std::size_t plane = 0; plane < 3; ++plane) {
            const int shift = plane == 0 ? 0 : 1;
            errors.error[plane] = static_cast<std::uint64_t>(decisions_->value(at, "squared_error", plane));
            errors.samples[plane] = static_cast<std::uint64_t>(((format.width + shift) >> shift)) *
                                    static_cast<std::uint64_t>(((format.height + shift) >> shift));
        }
        json["psnr"] = psnr_json(errors);
    }

    /// What is known when all packets are there: sizes, and the buffer on its way through them.
    void finish() {
        const std::vector<std::int64_t>& packets = video_->packets();
        std::vector<std::int64_t> bits;
        if (decisions_) {
            for (std::size_t at = 0; at < decisions_->pictures(); ++at)
                bits.push_back(static_cast<std::int64_t>(decisions_->value(at, "bits")));
        } else {
            for (const std::int64_t bytes : packets)
                bits.push_back(8 * bytes);
        }
        const std::optional<VbvDescription> buffer = description();
        std::vector<std::int64_t> fullness;
        if (buffer) {
            Vbv vbv = made(*buffer);
            for (const std::int64_t picture : bits) {
                fullness.push_back(vbv.fullness());
                vbv.take(picture);
            }
        }
        for (Json& json : pictures_) {
            const auto coding = static_cast<std::size_t>(json["coding"].get<std::int64_t>());
            if (json["bytes"].is_null() && coding < bits.size()) json["bytes"] = bits[coding] / 8;
            if (coding < fullness.size()) json["fullness"] = fullness[coding];
        }
    }

    Vbv made(const VbvDescription& buffer) const {
        try {
            return Vbv(buffer);
        } catch (const std::invalid_argument& error) {
            throw InputError(
                fmt::format("{}: its buffer is none: {}", decisions_ ? decisions_->path() : path_, error.what()));
        }
    }

    std::optional<VbvDescription> description() const {
        const Rational rate = video_->format().frame_rate;
        if (!decisions_) return declared_mpeg_buffer(video_->codec(), video_->beginning(), rate);
        const Json told = decisions_->header().value("buffer", Json());
        if (!told.is_object()) return std::nullopt;
        VbvDescription buffer;
        buffer.bits_per_second = told.at("bits_per_second").get<std::int64_t>();
        buffer.buffer_bits = told.at("buffer_bits").get<std::int64_t>();
        buffer.initial_bits = told.at("initial_bits").get<std::int64_t>();
        buffer.constant_rate = told.at("constant").get<bool>();
        const Json& own_rate = decisions_->header().at("frame_rate");
        buffer.pictures_per_second = {own_rate.at(0).get<std::int64_t>(), own_rate.at(1).get<std::int64_t>()};
        return buffer;
    }

    Json stream_json() {
        const VideoFormat& format = video_->format();
        const Grid grid(format);
        const std::optional<VbvDescription> buffer = description();
        Json json = {{"name", path_.substr(path_.find_last_of('/') + 1)},
                     {"codec", video_->codec()},
                     {"width", format.width},
                     {"height", format.height},
                     {"frame_rate", {format.frame_rate.numerator, format.frame_rate.denominator}},
                     {"columns", grid.columns()},
                     {"rows", grid.rows()},
                     {"buffer_bits", buffer ? Json(buffer->buffer_bits) : Json(nullptr)},
                     {"bits_per_second", buffer ? Json(buffer->bits_per_second) : Json(nullptr)},
                     {"decisions", decisions_.has_value()}};
        json["settings"] = decisions_ ? decisions_->header().value("settings", Json()) : Json(nullptr);
        json["dtype"] =
            decisions_ ? decisions_->header().at("dtype") : Json{{"names", Json::array()}, {"formats", Json::array()}};
        if (!decisions_ && has_quantisers_)
            json["dtype"] = {{"names", {"quantiser_code"}},
                             {"formats", {fmt::format("({},{},)<f4", grid.rows(), grid.columns())}}};
        json["pictures"] = std::move(pictures_);
        return json;
    }

    const std::string path_;
    const ViewOptions& options_;
    std::unique_ptr<CodedVideo> video_;
    std::optional<DecisionsReader> decisions_;
    std::map<std::int64_t, std::size_t> records_; ///< Places in the file by display order.
    std::unique_ptr<FrameSource> source_;
    std::vector<Json> pictures_;
    bool has_quantisers_ = false;
};

} // namespace

Json viewed_stream(const std::string& path, const std::string& decisions, const ViewOptions& options) {
    try {
        return StreamReading(path, decisions, options).read();
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: its header is not as it should be: {}", decisions, error.what()));
    }
}

} // namespace tandem
