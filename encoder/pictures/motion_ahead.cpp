// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/pictures/motion_ahead.h"

#include <algorithm>
#include <cmath>

#include "coding/mpeg/kernels/transform.h"
#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/quantiser/quantiser_scale.h"
#include "encoder/reach.h"
#include "me/coprocessor/coprocessor.h"

namespace tandem {

namespace {

/// Of a quantiser in the codec's unit.
int nearest_code(const Settings& settings, double quantiser) {
    const double code = code_of_quantiser(quantiser, settings.non_linear_quantiser);
    return std::clamp(static_cast<int>(std::lround(code)), 1, 31);
}

std::uint32_t lambda_q8(const Settings& settings, int code) {
    const int scale = quantiser_scale(code, settings.non_linear_quantiser);
    return settings.search.metric == Metric::ssd ? 4 * squared_error_lambda_q6(scale) : sad_lambda_q8(scale);
}

} // namespace

int pictures_ahead(const Settings& settings, const Coprocessor& motion, int threads) {
    constexpr int few = 4, many = 32;
    if (settings.lookahead > 0) return settings.lookahead;
    if (settings.motion_reference == MotionReference::recon) return few;
    if (const int gpus = motion.helpers(); gpus > 0) return std::min(gpus == 1 ? few : 2 * few * gpus, many);
    return std::clamp(3 * threads / 2, few, many);
}

int quantiser_code(const Settings& settings, PictureType type) {
    double quantiser = quantiser_of_code(settings.qp, settings.non_linear_quantiser);
    if (type == PictureType::intra) quantiser /= settings.ip_factor;
    if (type == PictureType::bidirectional) quantiser *= settings.pb_factor;
    return nearest_code(settings, quantiser);
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
    params.lambda_q8 = lambda_q8(settings, quantiser_code(settings, type));
    // They are SADs of luma: by other measures the choice of vectors alone knows them.
    if (params.metric != Metric::sad || params.planes != Planes::luma) params.null_threshold = params.null_gain = 0;
    return params;
}

SearchParams refinement_params(const Settings& settings, PictureType type, int distance, double quantiser) {
    Settings by_sad = settings;
    by_sad.search.metric = Metric::sad;
    by_sad.search.planes = Planes::luma;
    by_sad.search.grid = 1;
    SearchParams params = search_params(by_sad, type, distance);
    params.precision = 2;
    params.lambda_q8 = vector_lambda_q8(by_sad, quantiser);
    return params;
}

std::uint32_t vector_lambda_q8(const Settings& settings, double quantiser) {
    return lambda_q8(settings, nearest_code(settings, quantiser));
}

} // namespace tandem
