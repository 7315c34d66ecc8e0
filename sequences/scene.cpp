// SPDX-License-Identifier: BSD-2-Clause
#include "sequences/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "machine/errors.h"

namespace tandem {

/// What leads from one picture back to the picture before.
struct Scene::Transition {
    std::vector<int> layers, previous_layers;
    HiddenPels hidden;
    Affine to_background; ///< Pels of the later picture to background pels.
    Affine to_previous;   ///< Background pels to pels of the earlier picture.
};

/// A textured disc or rectangle that moves evenly; what leaves the picture on one side comes back on the other.
struct Scene::Object {
    bool disc = true;
    double half_width = 0, half_height = 0; ///< A disc's radius: half_width.
    Point start, speed;
    std::array<int, 3> shade{}; ///< Added to the samples of Y, Cb, Cr.
    std::uint64_t layer = 0;
};

namespace {

constexpr std::array<std::pair<std::string_view, SceneKind>, 10> kind_names{{{"pan", SceneKind::pan},
                                                                             {"zoom", SceneKind::zoom},
                                                                             {"rotation", SceneKind::rotation},
                                                                             {"objects", SceneKind::objects},
                                                                             {"noise", SceneKind::noise},
                                                                             {"fade", SceneKind::fade},
                                                                             {"cut", SceneKind::cut},
                                                                             {"occlusion", SceneKind::occlusion},
                                                                             {"repeats", SceneKind::repeats},
                                                                             {"blur", SceneKind::blur}}};

struct Defaults {
    Point speed;
    double zoom = 1, rotation = 0, noise = 0;
    int objects = 0;
    double object_speed = 4, blur = 0;
    int repeat = 0;
};

Defaults defaults_of(SceneKind kind) {
    switch (kind) {
    case SceneKind::zoom:
        return {.speed = {0, 0}, .zoom = 1.01};
    case SceneKind::rotation:
        return {.speed = {0, 0}, .rotation = 0.5};
    case SceneKind::objects:
        return {.speed = {0.5, 0}, .objects = 6};
    case SceneKind::noise:
        return {.speed = {1, 0}, .noise = 8};
    case SceneKind::occlusion:
        return {.speed = {2, -1}, .objects = 24, .object_speed = 8};
    case SceneKind::repeats:
        return {.speed = {5.5, -2.75}, .repeat = 8};
    case SceneKind::blur:
        return {.speed = {1.5, 0.75}, .blur = 2};
    default:
        return {.speed = {1.5, 0.75}};
    }
}

void require(bool good, const std::string& name, double value, const std::string& limit) {
    if (good) return;
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    throw InputError("a scene's " + name + " is " + text + ": it must be " + limit);
}

/// Bell-shaped noise of standard deviation 1 in 1/256: the sum of four 16-bit uniform numbers (Irwin-Hall), from one
/// hash.
int unit_noise(std::uint64_t key) {
    const std::uint64_t bits = hash(key);
    const auto sum =
        static_cast<std::int64_t>((bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48));
    // Mean 4 * 65535 / 2, standard deviation 65536 * sqrt(4 / 12).
    return static_cast<int>((sum - 131070) * 256 / 37837);
}

constexpr Scene::Motion no_motion{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::quiet_NaN()};

double unit_interval(std::uint64_t bits) { return static_cast<double>(bits >> 11) / 9007199254740992.0; }

/// To 2^-20 pels, so that rounding errors of the camera's arithmetic do not push a source out of the picture.
double snap(double value) { return std::floor(value * 1048576 + 0.5) / 1048576; }

double wrap(double value, double period) { return value - period * std::floor(value / period); }

} // namespace

std::optional<SceneKind> scene_kind_by_name(std::string_view name) {
    for (const auto& [known, kind] : kind_names)
        if (known == name) return kind;
    return std::nullopt;
}

Scene::Scene(const SceneParams& params) : params_(params), texture_(params.seed) {
    const Defaults defaults = defaults_of(params.kind);
    speed_ = params.speed.value_or(defaults.speed);
    zoom_ = params.zoom.value_or(defaults.zoom);
    rotation_ = params.rotation.value_or(defaults.rotation);
    noise_ = params.noise.value_or(defaults.noise);
    blur_ = params.blur.value_or(defaults.blur);
    repeat_ = params.repeat.value_or(defaults.repeat);
    object_speed_ = params.object_speed.value_or(defaults.object_speed);
    const int objects = params.objects.value_or(defaults.objects);
    require(params.width >= 1 && params.width <= 16384, "width", params.width, "1..16384");
    require(params.height >= 1 && params.height <= 16384, "height", params.height, "1..16384");
    require(params.frames >= 1 && params.frames <= 1000000, "number of pictures", static_cast<double>(params.frames),
            "1..1000000");
    require(std::abs(speed_.x) <= 256, "speed", speed_.x, "-256..256 pels a picture");
    require(std::abs(speed_.y) <= 256, "speed", speed_.y, "-256..256 pels a picture");
    require(zoom_ >= 0.5 && zoom_ <= 2, "zoom", zoom_, "0.5..2 a picture");
    const double magnification = power(zoom_, params.frames - 1);
    require(magnification >= 1.0 / 64 && magnification <= 64, "zoom over all pictures", magnification, "1/64..64");
    require(std::abs(rotation_) <= 90, "rotation", rotation_, "-90..90 degrees a picture");
    require(objects >= 0 && objects <= 1000, "number of objects", objects, "0..1000");
    require(object_speed_ >= 0 && object_speed_ <= 128, "speed of objects", object_speed_, "0..128");
    require(blur_ >= 0 && blur_ <= 16, "blur", blur_, "0..16 pels");
    const bool is_period = repeat_ >= 8 && repeat_ <= 128 && (repeat_ & (repeat_ - 1)) == 0;
    require(repeat_ == 0 || is_period, "period of repeats", repeat_, "0, 8, 16, 32, 64 or 128 pels");
    require(noise_ >= 0 && noise_ <= 64, "noise", noise_, "0..64");

    const double smaller = std::min(params.width, params.height);
    for (int i = 0; i < objects; ++i) {
        std::uint64_t chance = hash(hash(params.seed) + static_cast<std::uint64_t>(i));
        const auto next = [&chance] { return unit_interval(chance = hash(chance)); };
        Object object;
        object.disc = i % 2 == 0;
        object.half_width = smaller * (0.06 + 0.12 * next());
        object.half_height = object.disc ? object.half_width : smaller * (0.06 + 0.12 * next());
        object.start = {params.width * next(), params.height * next()};
        // 129 speeds: sixteenths of a pel where the most is 4.
        object.speed = {std::floor(129 * next() - 64) / 64 * object_speed_,
                        std::floor(129 * next() - 64) / 64 * object_speed_};
        for (int& shade : object.shade)
            shade = static_cast<int>(std::floor(81 * next() - 40));
        object.layer = 16 + static_cast<std::uint64_t>(i) * 4;
        objects_.push_back(object);
    }
}

Scene::~Scene() = default;

TextureLook Scene::look(std::int64_t index) const {
    const auto step = static_cast<int>(index % 8);
    return {blur_ * (step <= 4 ? step : 8 - step) / 4, repeat_};
}

bool Scene::after_cut(std::int64_t index) const {
    return params_.kind == SceneKind::cut && index >= (params_.frames + 1) / 2;
}

Affine Scene::camera(std::int64_t index) const {
    const auto time = static_cast<double>(index);
    const Point centre{(params_.width - 1) / 2.0, (params_.height - 1) / 2.0};
    return inverse(similarity(power(zoom_, index), rotation_ * time, centre, {speed_.x * time, speed_.y * time}));
}

Point Scene::place(const Object& object, std::int64_t index) const {
    const auto time = static_cast<double>(index);
    // An object turns up again only when it, with its soft edge, has left the picture.
    const double margin_x = object.half_width + 2, margin_y = object.half_height + 2;
    return {wrap(object.start.x + margin_x + object.speed.x * time, params_.width + 2 * margin_x) - margin_x,
            wrap(object.start.y + margin_y + object.speed.y * time, params_.height + 2 * margin_y) - margin_y};
}

int Scene::coverage(const Object& object, Point offset) const {
    double inside = 0; // pels from the edge, to first order
    if (object.disc) {
        const double square = offset.x * offset.x + offset.y * offset.y;
        inside = (object.half_width * object.half_width - square) / (2 * object.half_width);
    } else {
        inside = std::min(object.half_width - std::abs(offset.x), object.half_height - std::abs(offset.y));
    }
    return static_cast<int>(256 * std::clamp(inside + 0.5, 0.0, 1.0));
}

void Scene::draw_objects(std::int64_t index, int plane, Texture::Row row, std::vector<std::int32_t>& samples) const {
    const auto kind = plane == 0 ? Texture::Kind::luma : Texture::Kind::chroma;
    const int count = static_cast<int>(samples.size());
    std::vector<std::int32_t> texture;
    for (const Object& object : objects_) {
        const Point centre = place(object, index);
        const double dy = row.y / 2.0 - centre.y;
        if (std::abs(dy) > object.half_height + 1) continue;
        const double first_x = centre.x - object.half_width - 1, last_x = centre.x + object.half_width + 1;
        const int begin = std::clamp(static_cast<int>(std::floor((2 * first_x - row.x) / row.step)), 0, count);
        const int end = std::clamp(static_cast<int>(std::floor((2 * last_x - row.x) / row.step)) + 2, begin, count);
        texture.assign(static_cast<std::size_t>(end - begin), 256 * object.shade[static_cast<std::size_t>(plane)]);
        const FixedAffine map(Affine{1, 0, -centre.x, 0, 1, -centre.y});
        texture_.add_row(kind, object.layer + static_cast<std::uint64_t>(plane), map, 1,
                         {row.x + begin * row.step, row.y, row.step}, texture, look(index));
        for (int i = begin; i < end; ++i) {
            const int covered = coverage(object, {(row.x + i * row.step) / 2.0 - centre.x, dy});
            std::int32_t& sample = samples[static_cast<std::size_t>(i)];
            sample += ((texture[static_cast<std::size_t>(i - begin)] - sample) * covered) >> 8;
        }
    }
}

void Scene::render_plane(std::int64_t index, int plane, MutablePlaneView out) const {
    const auto kind = plane == 0 ? Texture::Kind::luma : Texture::Kind::chroma;
    const FixedAffine map(camera(index));
    const std::uint64_t layer = static_cast<std::uint64_t>(plane) + (after_cut(index) ? 8 : 0);
    const int middle = plane == 0 ? 126 : 128, black = plane == 0 ? 16 : 128;
    const int noise = static_cast<int>(noise_ * 256 + 0.5) / (plane == 0 ? 1 : 2);
    const auto left = static_cast<int>(params_.frames - 1 - std::min(index, params_.frames - 1));
    std::vector<std::int32_t> samples(static_cast<std::size_t>(out.width));
    for (int y = 0; y < out.height; ++y) {
        const Texture::Row row = plane == 0 ? Texture::Row{0, 2 * y, 2} : Texture::Row{1, 4 * y + 1, 4};
        std::fill(samples.begin(), samples.end(), 0);
        texture_.add_row(kind, layer, map, power(zoom_, index), row, samples, look(index));
        draw_objects(index, plane, row, samples);
        const std::uint64_t key = hash(hash(params_.seed ^ hash(static_cast<std::uint64_t>(index * 4 + plane))) +
                                       static_cast<std::uint64_t>(y));
        for (int x = 0; x < out.width; ++x) {
            std::int64_t sample = samples[static_cast<std::size_t>(x)] + middle * 256;
            if (params_.kind == SceneKind::fade && params_.frames > 1)
                sample = black * 256 + (sample - black * 256) * left / (params_.frames - 1);
            if (noise > 0) sample += std::int64_t{unit_noise(key + static_cast<std::uint64_t>(x))} * noise >> 8;
            out.at(x, y) =
                static_cast<std::uint8_t>(std::clamp<std::int64_t>((sample + 128) >> 8, 16, plane == 0 ? 235 : 240));
        }
    }
}

std::unique_ptr<Frame> Scene::render(std::int64_t index) const {
    auto frame = std::make_unique<Frame>(params_.width, params_.height);
    for (int plane = 0; plane < 3; ++plane)
        render_plane(index, plane, frame->plane(plane).view());
    return frame;
}

/// For every pel: 0 the background, i + 1 object i, -1 a mixture at an object's edge, where hidden pels are unknown.
std::vector<int> Scene::layers(std::int64_t index, HiddenPels hidden) const {
    std::vector<int> result(static_cast<std::size_t>(params_.width) * static_cast<std::size_t>(params_.height), 0);
    for (std::size_t i = 0; i < objects_.size(); ++i) {
        const Object& object = objects_[i];
        const Point centre = place(object, index);
        const auto bound = [](double value, int size) {
            return std::clamp(static_cast<int>(std::floor(value)), 0, size);
        };
        const int right = bound(centre.x + object.half_width + 2, params_.width);
        const int bottom = bound(centre.y + object.half_height + 2, params_.height);
        for (int y = bound(centre.y - object.half_height - 1, params_.height); y < bottom; ++y) {
            for (int x = bound(centre.x - object.half_width - 1, params_.width); x < right; ++x) {
                const int covered = coverage(object, {x - centre.x, y - centre.y});
                if (covered == 0 || (hidden == HiddenPels::counted && covered < 128)) continue;
                const bool is_object = covered == 256 || hidden == HiddenPels::counted;
                result[static_cast<std::size_t>(y) * static_cast<std::size_t>(params_.width) +
                       static_cast<std::size_t>(x)] = is_object ? static_cast<int>(i) + 1 : -1;
            }
        }
    }
    return result;
}

/// The motion of one pel, or NaN: its source must lie in the picture before and belong to the same layer there.
Scene::Motion Scene::pel_motion(const Transition& transition, int x, int y) const {
    const auto layer_at = [this](const std::vector<int>& layers, int column, int row) {
        return layers[static_cast<std::size_t>(row) * static_cast<std::size_t>(params_.width) +
                      static_cast<std::size_t>(column)];
    };
    const int layer = layer_at(transition.layers, x, y);
    if (layer < 0) return no_motion;
    const Point here{static_cast<double>(x), static_cast<double>(y)};
    Point source;
    if (layer == 0) {
        source = transition.to_previous(transition.to_background(here));
        source = {snap(source.x), snap(source.y)};
    } else {
        const Point speed = objects_[static_cast<std::size_t>(layer - 1)].speed;
        source = {here.x - speed.x, here.y - speed.y};
    }
    if (transition.hidden == HiddenPels::counted)
        return {static_cast<float>(source.x - here.x), static_cast<float>(source.y - here.y)};
    if (!(source.x >= 0 && source.y >= 0 && source.x <= params_.width - 1 && source.y <= params_.height - 1))
        return no_motion;
    const int left = static_cast<int>(std::floor(source.x)), right = static_cast<int>(std::ceil(source.x));
    const int top = static_cast<int>(std::floor(source.y)), bottom = static_cast<int>(std::ceil(source.y));
    for (const int row : {top, bottom})
        for (const int column : {left, right})
            if (layer_at(transition.previous_layers, column, row) != layer) return no_motion;
    return {static_cast<float>(source.x - here.x), static_cast<float>(source.y - here.y)};
}

Scene::Motion Scene::block_motion(const Transition& transition, int left, int top, int block) const {
    const int right = std::min(left + block, params_.width), bottom = std::min(top + block, params_.height);
    const int width = params_.width;
    const int layer =
        transition
            .layers[static_cast<std::size_t>(top) * static_cast<std::size_t>(width) + static_cast<std::size_t>(left)];
    Motion first{}, last{};
    for (int y = top; y < bottom; ++y) {
        for (int x = left; x < right; ++x) {
            const Motion motion = pel_motion(transition, x, y);
            const std::size_t at =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
            if (std::isnan(motion.x) || transition.layers[at] != layer) return no_motion;
            if (x == left && y == top) first = motion;
            last = motion;
        }
    }
    // Motion is affine in a layer, so the centre's is the mean of two opposite corners'.
    return {(first.x + last.x) / 2, (first.y + last.y) / 2};
}

std::vector<Scene::Motion> Scene::motion(std::int64_t index, int block, HiddenPels hidden) const {
    if (index < 1) throw InputError("a scene's first picture has no motion");
    if (block < 1) throw InputError("blocks of " + std::to_string(block) + " pels: the least is 1");
    const int columns = (params_.width + block - 1) / block, rows = (params_.height + block - 1) / block;
    std::vector<Motion> field(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), no_motion);
    if (after_cut(index) && !after_cut(index - 1)) return field;
    const Transition transition{layers(index, hidden), layers(index - 1, hidden), hidden, camera(index),
                                inverse(camera(index - 1))};
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            field[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                  static_cast<std::size_t>(column)] = block_motion(transition, column * block, row * block, block);
    return field;
}

} // namespace tandem
