// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/motion_ahead.h"

#include <algorithm>
#include <cmath>

#include "coding/mpeg/transform.h"
#include "encoder/mpeg/sequence.h"

namespace tandem {

int quantiser_code(const Settings& settings, PictureType type) {
    double qp = settings.qp;
    if (type == PictureType::intra) qp /= settings.ip_factor;
    if (type == PictureType::bidirectional) qp *= settings.pb_factor;
    return std::clamp(static_cast<int>(std::lround(qp)), 1, 31);
}

// A uniform quantiser of step 2q is at its best where a bit is worth about 0.85 q^2 of squared error (Sullivan and
// Wiegand 1998), and the root of that in absolute differences. Vectors of noise are dear further on, intra blocks' DC
// is not weighed: measured on real clips, somewhat less is best.
std::uint32_t sad_lambda_q8(int scale) { return static_cast<std::uint32_t>(std::lround(256 * 0.35 * scale)); }

std::uint32_t squared_error_lambda_q6(int scale) {
    return static_cast<std::uint32_t>(std::lround(64 * 0.2 * scale * scale));
}

SearchParams search_params(const Settings& settings, PictureType type, int distance) {
    const SearchParams defaults;
    SearchParams params = settings.search;
    params.block_width = defaults.block_width;
    params.block_height = defaults.block_height;
    set_reach(settings, distance, params);
    params.precision = params.grid;
    params.interpolation = defaults.interpolation;
    params.boundary = defaults.boundary;
    params.predictor = defaults.predictor;
    params.rate_unit = defaults.rate_unit;
    params.null_level = 0; // A macroblock's threshold says it all.
    const int scale = quantiser_scale(quantiser_code(settings, type), settings.non_linear_quantiser);
    params.lambda_q8 = params.metric == Metric::ssd ? 4 * squared_error_lambda_q6(scale) : sad_lambda_q8(scale);
    // They are SADs of luma: by other measures the choice of vectors alone knows them.
    if (params.metric != Metric::sad || params.planes != Planes::luma) params.null_threshold = params.null_gain = 0;
    return params;
}

SearchParams refinement_params(const Settings& settings, PictureType type, int distance) {
    Settings by_sad = settings;
    by_sad.search.metric = Metric::sad;
    by_sad.search.planes = Planes::luma;
    by_sad.search.grid = 1;
    SearchParams params = search_params(by_sad, type, distance);
    params.precision = 2;
    return params;
}

void request_motion(Coprocessor& motion, const Settings& settings, PendingPicture& picture, const FramePtr& forward,
                    const FramePtr& backward) {
    const auto submit = [&](const FramePtr& reference, int distance) {
        MotionRequest request;
        request.current = picture.plan.source;
        request.reference = reference;
        request.params = search_params(settings, picture.plan.type, distance);
        return motion.submit(std::move(request), picture.plan.display_index);
    };
    if (forward) picture.forward = submit(forward, picture.plan.forward_distance);
    if (backward) picture.backward = submit(backward, picture.plan.backward_distance);
}

} // namespace tandem
