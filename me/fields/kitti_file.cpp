// SPDX-License-Identifier: BSD-2-Clause
// KITTI's optical flow (.png): PNG with 16 bits a channel. Red is u, green is v, each as 64 * pels + 2^15; blue is 1
// where the flow is known, else 0 (the development kit of the KITTI flow benchmarks, 2012 and 2015; Menze and Geiger,
// "Object scene flow for autonomous vehicles", 2015).
#include <vector>

#include "machine/errors.h"
#include "me/fields/formats.h"
#include "video/libav/writing/png_image.h"

namespace tandem {

namespace {

constexpr int zero = 1 << 15, steps_of_pel = 64;

Pels vector_of(const std::uint16_t* rgb) {
    if (rgb[2] == 0) return {};
    const auto pels = [](std::uint16_t value) { return static_cast<float>(value - zero) / steps_of_pel; };
    return {pels(rgb[0]), pels(rgb[1])};
}

class KittiReader : public FieldReader {
  public:
    KittiReader(const std::string& path, const FieldGeometry& wanted, const std::atomic<bool>* stop)
        : path_(path), picture_(read_deep_png(path, stop)),
          geometry_(agree(path, {picture_.width, picture_.height, 0, 0}, wanted)) {}

    std::optional<FieldRecord> read() override {
        if (picture_.rgb.empty()) return std::nullopt;
        MotionField field(geometry_.picture_width, geometry_.picture_height, geometry_.block_width,
                          geometry_.block_height, 1);
        for (int row = 0; row < field.rows(); ++row)
            for (int column = 0; column < field.columns(); ++column)
                take_block(block_rect(field, column, row), field.block(column, row).front());
        picture_.rgb.clear();
        return FieldRecord{std::move(field), 1, -1};
    }

    FieldGeometry geometry() const override { return geometry_; }
    std::span<const Pels> exact_vectors() const override { return exact_; }

  private:
    void take_block(const BlockRect& block, Candidate& candidate) {
        const std::size_t middle =
            static_cast<std::size_t>(block.y + block.height / 2) * static_cast<std::size_t>(geometry_.picture_width) +
            static_cast<std::size_t>(block.x + block.width / 2);
        const Pels vector = vector_of(picture_.rgb.data() + 3 * middle);
        candidate = candidate_from_pels(path_, vector.x, vector.y);
        exact_.push_back(vector);
    }

    std::string path_;
    DeepPicture picture_; ///< Empty once it is read.
    FieldGeometry geometry_;
    std::vector<Pels> exact_;
};

} // namespace

std::unique_ptr<FieldReader> open_kitti_file(const std::string& path, const FieldGeometry& geometry,
                                             const std::atomic<bool>* stop) {
    return std::make_unique<KittiReader>(path, geometry, stop);
}

} // namespace tandem
