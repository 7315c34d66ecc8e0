// SPDX-License-Identifier: BSD-2-Clause
#include "tests/cuda/random_request.h"

#include <sstream>

#include "me/search.h"
#include "tests/me/pictures.h"

namespace tandem::test {

void RandomRequest::draw_pictures(int width, int height, MotionRequest& request) {
    const auto seed = static_cast<std::uint32_t>(random_());
    const std::vector<Content> contents = all_contents();
    const int choice = from(0, static_cast<int>(contents.size()) + 3);
    const PicturePair pair = choice < static_cast<int>(contents.size())
                                 ? make_pair(contents[static_cast<std::size_t>(choice)], width, height, seed)
                                 : make_pan(width, height, from(-9, 9), from(-9, 9), seed);
    request.current = pair.current;
    request.reference = pair.reference;
}

std::shared_ptr<const MotionField> RandomRequest::hint(const MotionRequest& request) {
    auto field = std::make_shared<MotionField>(request.current->width(), request.current->height(),
                                               request.params.block_width, request.params.block_height, from(1, 2));
    for (int row = 0; row < field->rows(); ++row) {
        for (int column = 0; column < field->columns(); ++column) {
            if (chance(15)) continue;
            const int reach = one_of({3, 40, 200, 32767});
            field->block(column, row).front() = {
                {static_cast<std::int16_t>(from(-reach, reach)), static_cast<std::int16_t>(from(-reach, reach))}, 1, 1};
        }
    }
    return field;
}

void RandomRequest::draw_rules(MotionRequest& request) {
    SearchParams& params = request.params;
    params.boundary = chance(50) ? Boundary::inside : Boundary::padded;
    params.lambda_q8 = static_cast<std::uint32_t>(one_of({0, 0, 17, 900, 20000, 1 << 24}));
    params.rate_unit = one_of({1, 2, 4, 8});
    params.candidates = one_of({1, 1, 2, 3, 4, 4, 7, 8, 16});
    const int samples = params.block_width * params.block_height;
    if (chance(20)) params.null_threshold = static_cast<std::uint32_t>(from(0, samples * 100));
    if (chance(20)) params.null_level = static_cast<std::uint32_t>(one_of({1, 4, 60}));
    if (chance(20)) params.null_gain = static_cast<std::uint32_t>(one_of({1, 4, 60}));
    if (chance(50)) {
        params.predictor = Predictor::hint;
        if (chance(90)) request.hint = hint(request);
    }
    if (chance(15)) params.predictor = Predictor::neighbours;
    const int rows = (request.current->height() + params.block_height - 1) / params.block_height;
    if (chance(25)) {
        request.first_row = from(0, rows);
        request.end_row = from(request.first_row, rows);
    }
}

void RandomRequest::draw_search(const Estimator& device, SearchParams& params) {
    const std::vector<Algorithm> searches = searches_on(device);
    params.algorithm = searches[static_cast<std::size_t>(from(0, static_cast<int>(searches.size()) - 1))];
    params.passes = from(1, 4);
    if (chance(40)) params.smpuhex_wide = params.smpuhex_wide_small = 0;
    if (chance(40)) params.smpuhex_converged = 0;
    if (chance(50)) params.wide_range = one_of({1, 8, 30, 64, 200});
    params.levels = from(1, 5);
    params.level_candidates = from(1, 8);
    if (chance(30)) params.first_step = one_of({1, 3, 8, 100});
    if (chance(50)) params.step_sequence = StepSequence::halving;
    if (search_row(params.algorithm).walks && chance(40)) params.start = Start::predictors;
    if (chance(30)) params.farthest_x = one_of({0, 1, 9, 64, 200});
    if (chance(30)) params.farthest_y = one_of({0, 1, 5, 63, 120});
}

std::vector<Algorithm> searches_on(const Estimator& device) {
    std::vector<Algorithm> searches;
    for (const SearchRow& row : search_table()) {
        SearchParams params;
        params.algorithm = row.algorithm;
        const bool exact = row.algorithm != Algorithm::phase; // Its Fourier transform rounds as it likes.
        if (row.algorithm != Algorithm::full && exact && device.supports(params)) searches.push_back(row.algorithm);
    }
    return searches;
}

std::string describe(const MotionRequest& request) {
    const SearchParams& p = request.params;
    std::ostringstream text;
    text << request.current->width() << 'x' << request.current->height() << " in " << p.block_width << 'x'
         << p.block_height << ", " << search_row(p.algorithm).name << " +-" << p.range_x << ',' << p.range_y << " at 1/"
         << p.precision << " grid 1/" << p.grid << (p.start == Start::predictors ? " from predictors" : "")
         << " farthest " << p.farthest_x << ',' << p.farthest_y << " first " << p.first_step << " sequence "
         << static_cast<int>(p.step_sequence) << " passes " << p.passes << " wide " << p.wide_range << " levels "
         << p.levels << " of " << p.level_candidates << ", metric " << static_cast<int>(p.metric)
         << (p.boundary == Boundary::padded ? ", padded" : ", inside") << ", lambda " << p.lambda_q8 << " unit "
         << p.rate_unit << (request.hint ? ", hint" : "")
         << (p.predictor == Predictor::neighbours ? ", neighbours" : "") << ", null " << p.null_threshold << ' '
         << p.null_level << ' ' << p.null_gain << ", K " << p.candidates << ", rows " << request.first_row << ".."
         << request.end_row;
    return text.str();
}

} // namespace tandem::test
