// SPDX-License-Identifier: BSD-2-Clause
#include "app/compare/sweep/stream_measures.h"

#include <numeric>

#include <fmt/format.h>

#include "app/compare/sweep/vmaf.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "video/libav/reading/stream_decoder.h"

namespace tandem {
namespace {

constexpr int macroblock = 16;

CodedField field_of(const DecodedPicture& picture, std::int64_t number) {
    CodedField field;
    field.picture = number;
    field.columns = (picture.frame.width() + macroblock - 1) / macroblock;
    field.rows = (picture.frame.height() + macroblock - 1) / macroblock;
    field.vectors.resize(static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows));
    for (const DecodedVector& vector : picture.vectors) {
        const int column = vector.x / macroblock, row = vector.y / macroblock;
        if (!vector.forward || vector.x < 0 || vector.y < 0 || column >= field.columns || row >= field.rows) continue;
        field.vectors[static_cast<std::size_t>(row * field.columns + column)] = {vector.dx, vector.dy};
    }
    field.under = small_luma(picture.frame);
    return field;
}

/// Takes the decoder's pictures in display order and reads the clip in step.
class Comparison {
  public:
    Comparison(const ComparedClip& clip, const CompareOptions& options, bool wants_field,
               const std::string& vmaf_folder)
        : clip_(clip), source_(open_source(clip.path, source_of(options, clip.path))), wants_field_(wants_field) {
        if (!vmaf_folder.empty())
            vmaf_.emplace(clip.format.width, clip.format.height, threads_or_all(options.settings.threads), vmaf_folder);
    }

    void take(const DecodedPicture& picture) {
        const int width = clip_.format.width, height = clip_.format.height;
        if (picture.frame.width() != width || picture.frame.height() != height)
            throw RunError(fmt::format("the stream's pictures are {}x{}, not {}x{}", picture.frame.width(),
                                       picture.frame.height(), width, height));
        const auto number = static_cast<std::int64_t>(measures_.pictures.size());
        const auto source = number < clip_.frames ? source_->read() : nullptr;
        if (!source) throw RunError(fmt::format("more than {} pictures are decoded", number));
        const SquaredErrors errors = squared_errors(*source, picture.frame, width, height);
        measures_.errors.add(errors);
        measures_.pictures.push_back({errors.psnr(0), picture.type});
        for (int plane = 0; plane < 3; ++plane)
            measures_.ssim_sum[static_cast<std::size_t>(plane)] +=
                ssim(source->plane(plane).view(), picture.frame.plane(plane).view());
        if (vmaf_) vmaf_->add(picture.frame, *source);
        if (wants_field_ && !measures_.field && picture.type == 'P' && number >= clip_.frames / 2)
            measures_.field = field_of(picture, number);
        if (number == clip_.frames / 2) measures_.shown = middle_of(picture.frame, number);
    }

    StreamMeasures finish() {
        const auto decoded = static_cast<std::int64_t>(measures_.pictures.size());
        if (decoded != clip_.frames)
            throw RunError(fmt::format("{} pictures are coded, but {} are decoded", clip_.frames, decoded));
        if (vmaf_) finish_vmaf();
        return std::move(measures_);
    }

  private:
    /// Other figures do not depend on a program that may crash (libvmaf does for pictures of 16x16).
    void finish_vmaf() {
        try {
            measures_.vmaf = vmaf_->finish();
        } catch (const RunError& error) {
            measures_.vmaf_failure = error.what();
        }
    }

    const ComparedClip& clip_;
    std::unique_ptr<FrameSource> source_;
    bool wants_field_;
    std::optional<VmafRun> vmaf_;
    StreamMeasures measures_;
};

} // namespace

StreamMeasures measure_stream(const CodedStream& stream, const ComparedClip& clip, const CompareOptions& options,
                              bool wants_field, const std::string& vmaf_folder) {
    Comparison comparison(clip, options, wants_field, vmaf_folder);
    const auto decoder = make_stream_decoder(stream.codec, {options.exact_idct, wants_field},
                                             [&](const DecodedPicture& picture) { comparison.take(picture); });
    std::span<const std::uint8_t> rest(stream.bytes);
    if (stream.pictures.empty()) decoder->push(rest);
    for (const CodedStream::Picture& picture : stream.pictures) {
        decoder->push(rest.first(picture.bytes));
        rest = rest.subspan(picture.bytes);
    }
    if (!stream.pictures.empty() && !rest.empty()) decoder->push(rest);
    decoder->finish();
    return comparison.finish();
}

double psnr_of_all(const SquaredErrors& errors) {
    return psnr(std::accumulate(errors.error.begin(), errors.error.end(), std::uint64_t{0}),
                std::accumulate(errors.samples.begin(), errors.samples.end(), std::uint64_t{0}));
}

} // namespace tandem
