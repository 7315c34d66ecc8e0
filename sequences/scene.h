// SPDX-License-Identifier: BSD-2-Clause
// Pictures whose motion is known exactly, drawn from a texture, a camera and moving objects.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sequences/affine.h"
#include "sequences/texture.h"
#include "video/frame.h"

namespace tandem {

/// What a scene shows; each kind is a set of defaults, and the parameters of one kind work in every other.
enum class SceneKind { pan, zoom, rotation, objects, noise, fade, cut, occlusion, repeats, blur };

std::optional<SceneKind> scene_kind_by_name(std::string_view name);

struct SceneParams {
    SceneKind kind = SceneKind::pan;
    int width = 352;           ///< 1..16384.
    int height = 288;          ///< 1..16384.
    std::int64_t frames = 100; ///< 1..1000000. A fade ends with the last picture, a cut comes in the middle.
    std::uint64_t seed = 1;
    // Left open: the kind's own default.
    std::optional<Point> speed;         ///< Pels that the background moves per picture, -256..256 each way.
    std::optional<double> zoom;         ///< Magnification per picture, 0.5..2; over all pictures 1/64..64.
    std::optional<double> rotation;     ///< Degrees per picture, clockwise, -90..90.
    std::optional<int> objects;         ///< Discs and rectangles over the background, 0..1000.
    std::optional<double> object_speed; ///< Pels an object moves per picture, at most and each way, 0..128.
    std::optional<double> noise;        ///< Standard deviation of the noise added to luma, 0..64 (chroma: half).
    std::optional<double> blur; ///< Pels, 0..16: standard deviation where the picture is least in focus. Pictures 0,
                                ///< 8, 16 .. are in focus, 4, 12 .. the least.
    std::optional<int> repeat;  ///< Pels after which fine texture repeats: 8, 16, 32, 64 or 128; 0: it does not.
};

/// Whether pels that were hidden, or outside of the picture, in the picture before have a true motion.
enum class HiddenPels {
    unknown, ///< They have none: nothing there could be found.
    counted, ///< That of the object or background that they belong to. A pel of an object's soft edge belongs to the
             ///< object where that covers half of it.
};

/// Thread-safe: all functions are const and independent of each other.
class Scene {
  public:
    /// Throws InputError naming the value and the limit.
    explicit Scene(const SceneParams& params);
    ~Scene();

    int width() const { return params_.width; }
    int height() const { return params_.height; }
    std::int64_t frames() const { return params_.frames; }

    /// Picture `index`, 0 or more. Chroma samples lie in the middle of their four luma samples.
    std::unique_ptr<Frame> render(std::int64_t index) const;

    /// The true motion of picture `index` (1 or more) from the picture before: prediction(p) = previous(p + motion).
    /// One vector for each block x block pels in raster order (cut at the right and bottom edge): the motion of the
    /// block's centre. Both components are NaN where there is no one truth: the block's pels belong to more than one
    /// object, were covered or outside of the picture before, or the scene was cut.
    struct Motion {
        float x, y;
    };
    /// With HiddenPels::counted covered pels and those from outside are no reason.
    std::vector<Motion> motion(std::int64_t index, int block, HiddenPels hidden = HiddenPels::unknown) const;

  private:
    struct Object;
    struct Transition;
    /// Where an object's centre is in picture `index`.
    Point place(const Object& object, std::int64_t index) const;
    /// How much of a pel an object covers, 0..256; the point is relative to the object's centre.
    int coverage(const Object& object, Point offset) const;
    /// Picture pels of picture `index` to background pels.
    Affine camera(std::int64_t index) const;
    bool after_cut(std::int64_t index) const;
    Motion pel_motion(const Transition& transition, int x, int y) const;
    Motion block_motion(const Transition& transition, int left, int top, int block) const;
    std::vector<int> layers(std::int64_t index, HiddenPels hidden) const;
    TextureLook look(std::int64_t index) const;
    void render_plane(std::int64_t index, int plane, MutablePlaneView out) const;
    void draw_objects(std::int64_t index, int plane, Texture::Row row, std::vector<std::int32_t>& samples) const;

    SceneParams params_;
    Point speed_;
    double zoom_ = 1, rotation_ = 0, noise_ = 0, blur_ = 0, object_speed_ = 4;
    int repeat_ = 0;
    Texture texture_;
    std::vector<Object> objects_;
};

} // namespace tandem
