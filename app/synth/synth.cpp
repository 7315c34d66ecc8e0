// SPDX-License-Identifier: BSD-2-Clause
#include "app/synth/synth.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/encode/records/progress.h"
#include "app/file_clash.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "files/file_name.h"
#include "machine/errors.h"
#include "machine/threads.h"
#include "machine/workers.h"
#include "me/fields/formats.h"
#include "sequences/scene.h"
#include "sequences/truth_file.h"
#include "video/frame_sink.h"

namespace tandem {
namespace {

SceneParams scene_params(const Arguments& arguments) {
    SceneParams params;
    params.kind = scene_kind_by_name(arguments.text("scene")).value();
    std::tie(params.width, params.height) = arguments.size("size");
    params.frames = arguments.integer("frames");
    params.seed = static_cast<std::uint64_t>(arguments.integer("seed"));
    if (arguments.given("speed")) {
        const auto [x, y] = arguments.pair("speed");
        params.speed = Point{x, y};
    }
    if (arguments.given("zoom")) params.zoom = arguments.real("zoom");
    if (arguments.given("rotate")) params.rotation = arguments.real("rotate");
    if (arguments.given("object-speed")) params.object_speed = arguments.real("object-speed");
    if (arguments.given("objects")) params.objects = static_cast<int>(arguments.integer("objects"));
    if (arguments.given("noise")) params.noise = arguments.real("noise");
    if (arguments.given("blur")) params.blur = arguments.real("blur");
    if (arguments.given("repeat")) params.repeat = static_cast<int>(arguments.integer("repeat"));
    return params;
}

/// Pictures drawn at a time, one a thread.
struct Drawn {
    std::unique_ptr<Frame> frame;
    std::vector<Scene::Motion> motion;
};

/// What the truth is to say, where one is wanted.
struct TruthWish {
    bool is_wanted;
    int block; ///< Pels of a side.
    HiddenPels hidden;
};

std::vector<Drawn> draw(const Scene& scene, Workers& workers, std::int64_t first, const TruthWish& truth) {
    const auto count = std::min<std::int64_t>(workers.threads(), scene.frames() - first);
    std::vector<Drawn> drawn(static_cast<std::size_t>(count));
    workers.for_each(static_cast<int>(count), [&](int item, int) {
        Drawn& one = drawn[static_cast<std::size_t>(item)];
        one.frame = scene.render(first + item);
        if (truth.is_wanted && first + item > 0) one.motion = scene.motion(first + item, truth.block, truth.hidden);
    });
    return drawn;
}

} // namespace

int run_synth(const Arguments& arguments) {
    const std::string output = arguments.text("output"), truth_path = arguments.text("truth");
    refuse_shared_files({{"--output", output, true}, {"--truth", truth_path, true}});
    if (arguments.given("hidden") && truth_path.empty()) throw InputError("--hidden says what --truth FILE has");
    if (!truth_path.empty() && lower_case_extension(truth_path) != ".npy")
        throw InputError(
            fmt::format("--truth {}: the true motion is a NumPy array; the extension must be .npy", truth_path));
    const Scene scene(scene_params(arguments));
    VideoFormat format;
    format.width = scene.width();
    format.height = scene.height();
    format.frame_rate = arguments.ratio("fps");
    const int block = static_cast<int>(arguments.integer("block"));
    const int threads = arguments.threads();
    Workers workers(threads_or_all(threads));

    const auto sink = open_frame_sink(output, format);
    std::optional<TruthFile> truth;
    if (!truth_path.empty()) {
        truth.emplace(truth_path, scene.frames() - 1, (scene.height() + block - 1) / block,
                      (scene.width() + block - 1) / block);
    }
    const TruthWish wish{truth.has_value(), block,
                         arguments.text("hidden") == "counted" ? HiddenPels::counted : HiddenPels::unknown};
    spdlog::debug("drawing {} pictures of {}x{}", scene.frames(), scene.width(), scene.height());
    Progress progress(terminal_shows_status() && spdlog::should_log(spdlog::level::info), scene.frames(),
                      format.frame_rate);
    for (std::int64_t n = 0; n < scene.frames();) {
        for (const Drawn& drawn : draw(scene, workers, n, wish)) {
            sink->write(*drawn.frame);
            if (truth && n > 0) truth->write(drawn.motion);
            ++n;
        }
        // A part of a scene is of no use: its parameters say how long it is.
        if (interrupted()) {
            spdlog::warn("interrupted; {} is not written", output);
            return interrupted_exit_code();
        }
        progress.update(n, 0);
    }
    // Both are complete before the first has its name.
    sink->close();
    if (truth) {
        truth->close();
        remove_old_file(NumpyNames(truth_path).pictures);
        truth->finish();
    }
    sink->finish();
    return 0;
}

} // namespace tandem
