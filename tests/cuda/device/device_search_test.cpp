// SPDX-License-Identifier: BSD-2-Clause
// The GPU's fields equal the CPU's: every search, metric, block size, rule and boundary.
#include <thread>

#include "cuda/cuda_estimator.h"
#include "machine/errors.h"
#include "me/coprocessor/coprocessor.h"
#include "me/search.h"
#include "tests/cuda/device/device_fixture.h"
#include "tests/cuda/random_request.h"
#include "tests/me/pictures.h"

namespace tandem::test {
namespace {

constexpr int most_failures = 5;

class DeviceSearchTest : public DeviceTest {
  protected:
    /// Compares `count` requests that `draw` makes.
    template <class Draw> static void compare(std::uint32_t seed, int count, Draw draw) {
        RandomRequest random(seed);
        for (int i = 0, failures = 0; i < count && failures < most_failures; ++i) {
            MotionRequest request;
            draw(random, request);
            if (!gpu().supports(request.params)) {
                ADD_FAILURE() << "not supported: " << describe(request);
            }
            failures += same_field(request) ? 0 : 1;
        }
    }

    static void draw_block(RandomRequest& random, SearchParams& params) {
        constexpr int sizes[] = {4, 4, 5, 8, 8, 11, 12, 16, 16, 16, 17, 20, 24, 32, 33, 54, 64, 96, 128};
        params.block_width = random.one_of(sizes);
        params.block_height = random.chance(50) ? params.block_width : random.one_of(sizes);
    }

    static void draw_walk(RandomRequest& random, SearchParams& params) { random.draw_search(gpu(), params); }
};

TEST_F(DeviceSearchTest, FullSearchBySad) {
    compare(1, 260, [](RandomRequest& random, MotionRequest& request) {
        draw_block(random, request.params);
        request.params.range_x = random.one_of({0, 1, 3, 8, 16, 17, 24, 40});
        request.params.range_y = random.chance(60) ? request.params.range_x : random.one_of({0, 2, 7, 16, 31, 45});
        random.draw_pictures(random.side(257), random.side(135), request);
        random.draw_rules(request);
    });
}

TEST_F(DeviceSearchTest, FullSearchOverLongRanges) {
    compare(2, 24, [](RandomRequest& random, MotionRequest& request) {
        draw_block(random, request.params);
        request.params.range_x = random.one_of({0, 5, 64, 130, 4080});
        request.params.range_y = random.one_of({0, 64, 121, 128, 256, 4080});
        if (request.params.range_x > 64 && request.params.range_y > 256) request.params.range_y = 128;
        random.draw_pictures(random.side(97), random.side(80), request);
        random.draw_rules(request);
    });
}

TEST_F(DeviceSearchTest, FullSearchByOtherMetrics) {
    compare(3, 120, [](RandomRequest& random, MotionRequest& request) {
        draw_block(random, request.params);
        request.params.metric = static_cast<Metric>(random.from(1, 3));
        request.params.range_x = random.one_of({0, 1, 5, 9, 20});
        request.params.range_y = random.one_of({0, 2, 7, 18});
        random.draw_pictures(random.side(99), random.side(64), request);
        random.draw_rules(request);
    });
}

/// Where cells of 4x4 samples make up all blocks.
TEST_F(DeviceSearchTest, FullSearchBySatdOfWholeCells) {
    compare(23, 160, [](RandomRequest& random, MotionRequest& request) {
        constexpr int sizes[] = {4, 8, 8, 12, 16, 16, 16, 20, 24, 32, 64, 128};
        request.params.metric = Metric::satd;
        request.params.block_width = random.one_of(sizes);
        request.params.block_height = random.chance(60) ? request.params.block_width : random.one_of(sizes);
        request.params.grid = random.one_of({1, 1, 1, 2, 4});
        request.params.precision = request.params.grid;
        const bool far = request.params.grid == 1 && random.chance(20);
        request.params.range_x = far ? random.one_of({64, 127, 128, 300}) : random.one_of({0, 1, 5, 7, 16, 20});
        request.params.range_y = far ? random.one_of({3, 64, 130}) : random.one_of({0, 2, 7, 15, 18, 33});
        random.draw_pictures(4 * random.side(40), 4 * random.side(30), request);
        random.draw_rules(request);
    });
}

/// Also where sweeps would be faster, and of some blocks and ranges that matrices cannot search.
TEST_F(DeviceSearchTest, FullSearchBySsdOnMatrices) {
    cuda::CudaEstimator by_matrices(cuda::list_devices().devices.front(), cuda::Matrices::everywhere);
    RandomRequest random(13);
    for (int i = 0, failures = 0; i < 200 && failures < most_failures; ++i) {
        MotionRequest request;
        request.params.metric = Metric::ssd;
        request.params.block_width = random.one_of({4, 8, 8, 11, 16, 16, 16, 17});
        request.params.block_height = random.chance(60) ? request.params.block_width : random.one_of({5, 8, 13, 16});
        request.params.range_x = random.one_of({0, 3, 8, 15, 16, 24, 33, 64, 100, 300});
        request.params.range_y =
            random.chance(60) ? std::min(request.params.range_x, 100) : random.one_of({0, 8, 17, 70});
        random.draw_pictures(random.side(257), random.side(135), request);
        random.draw_rules(request);
        failures += same_field(request, by_matrices) ? 0 : 1;
    }
}

TEST_F(DeviceSearchTest, AWholePictureBySsd) {
    MotionRequest request;
    const PicturePair pair = make_pan(720, 486, 9, -3, 79);
    request.current = pair.current;
    request.reference = pair.reference;
    request.params.metric = Metric::ssd;
    request.params.range_x = request.params.range_y = 32;
    request.params.lambda_q8 = 700;
    EXPECT_TRUE(same_field(request));
}

TEST_F(DeviceSearchTest, FullSearchOnFinerGrids) {
    compare(10, 120, [](RandomRequest& random, MotionRequest& request) {
        draw_block(random, request.params);
        request.params.metric = random.chance(70) ? Metric::sad : static_cast<Metric>(random.from(1, 3));
        request.params.grid = random.one_of({2, 2, 2, 4, 8});
        request.params.precision = std::min(8, request.params.grid * random.one_of({1, 1, 2}));
        request.params.range_x = random.one_of({0, 1, 4, 9, 16});
        request.params.range_y = random.one_of({0, 2, 7, 17});
        random.draw_pictures(random.side(66), random.side(50), request);
        random.draw_rules(request);
    });
}

TEST_F(DeviceSearchTest, WalkingSearches) {
    compare(4, 360, [](RandomRequest& random, MotionRequest& request) {
        draw_walk(random, request.params);
        request.params.metric = static_cast<Metric>(random.from(0, 3));
        draw_block(random, request.params);
        request.params.range_x = random.one_of({0, 1, 7, 16, 33, 100, 1024});
        request.params.range_y = random.chance(60) ? request.params.range_x : random.one_of({0, 2, 15, 64});
        if (request.params.range_x > 100) request.params.levels = std::max(request.params.levels, 4);
        random.draw_pictures(random.side(200), random.side(130), request);
        random.draw_rules(request);
    });
}

TEST_F(DeviceSearchTest, SubpelRefinement) {
    compare(5, 240, [](RandomRequest& random, MotionRequest& request) {
        if (random.chance(60)) draw_walk(random, request.params);
        request.params.metric = random.chance(60) ? Metric::sad : static_cast<Metric>(random.from(1, 3));
        request.params.precision = random.one_of({2, 2, 4, 8});
        draw_block(random, request.params);
        request.params.range_x = random.one_of({0, 1, 4, 9, 16});
        request.params.range_y = random.one_of({0, 3, 16});
        random.draw_pictures(random.side(120), random.side(75), request);
        random.draw_rules(request);
    });
}

TEST_F(DeviceSearchTest, AWholePictureAsTheEncoderAsks) {
    RandomRequest random(6);
    for (const int candidates : {1, 4}) {
        MotionRequest request;
        const PicturePair pair = make_pan(1920, 1080, 7, -5, 77);
        request.current = pair.current;
        request.reference = pair.reference;
        request.params.candidates = candidates;
        request.params.lambda_q8 = 700;
        request.params.precision = candidates == 1 ? 1 : 2;
        request.params.predictor = Predictor::hint;
        request.hint = random.hint(request);
        EXPECT_TRUE(same_field(request));
    }
}

/// The table of searches and nothing else says which there are: one that no GPU runs fails here.
TEST_F(DeviceSearchTest, EverySearchOfTheTableButGivenVectorsRuns) {
    for (const SearchRow& row : search_table()) {
        if (!is_built(row) || row.algorithm == Algorithm::phase) continue; // Which needs cuFFT there.
        SearchParams params;
        params.algorithm = row.algorithm;
        EXPECT_EQ(gpu().supports(params), !row.from_hint) << row.name;
        params.start = Start::predictors;
        if (row.walks) {
            EXPECT_TRUE(gpu().supports(params)) << row.name;
        }
    }
}

TEST_F(DeviceSearchTest, AWholePictureByEachSearch) {
    const PicturePair pair = make_pan(1920, 1080, -11, 4, 78);
    for (const Algorithm algorithm : searches_on(gpu())) {
        for (const Start start : {Start::zero, Start::predictors}) {
            MotionRequest request;
            request.current = pair.current;
            request.reference = pair.reference;
            request.params.algorithm = algorithm;
            if (search_row(algorithm).walks) request.params.start = start;
            request.params.range_x = request.params.range_y = 32;
            request.params.candidates = 2;
            request.params.lambda_q8 = 700;
            request.params.precision = 2;
            request.params.predictor = Predictor::neighbours;
            EXPECT_TRUE(same_field(request)) << search_row(algorithm).name;
        }
    }
}

/// Far motion, in pictures of several levels, all of whose cells and blocks are whole or cut.
TEST_F(DeviceSearchTest, SearchesThatBeginAtPredictors) {
    compare(31, 260, [](RandomRequest& random, MotionRequest& request) {
        do {
            random.draw_search(gpu(), request.params);
            if (random.chance(40)) request.params.algorithm = Algorithm::predictive;
        } while (!search_row(request.params.algorithm).walks && request.params.algorithm != Algorithm::predictive);
        const bool walks = search_row(request.params.algorithm).walks;
        request.params.start = walks ? Start::predictors : Start::zero;
        request.params.metric = static_cast<Metric>(random.from(0, 3));
        request.params.precision = random.one_of({1, 1, 2, 4, 8});
        draw_block(random, request.params);
        request.params.range_x = random.one_of({0, 1, 4, 8, 16, 40});
        request.params.range_y = random.chance(40) ? request.params.range_x : random.one_of({0, 2, 4, 15});
        const int width = random.chance(30) ? random.one_of({352, 353, 640, 1000}) : random.side(400);
        const int height = random.chance(30) ? random.one_of({288, 289, 360, 500}) : random.side(300);
        if (random.chance(50)) {
            const PicturePair pair =
                make_pan(width, height, random.from(-width / 3, width / 3), random.from(-height / 3, height / 3),
                         static_cast<std::uint32_t>(random.from(0, 1 << 20)));
            request.current = pair.current;
            request.reference = pair.reference;
        } else {
            random.draw_pictures(width, height, request);
        }
        random.draw_rules(request);
    });
}

/// One row or column of samples, the longest reach, and a field whose every vector costs the same.
TEST_F(DeviceSearchTest, PredictiveSearchAtItsLimits) {
    struct Limits {
        int width, height, range_x, range_y;
    };
    for (const auto& [width, height, range_x, range_y] :
         {Limits{1, 1, 8, 4}, {1, 700, 4080, 4080}, {3000, 1, 8, 4080}, {17, 15, 0, 0}, {4090, 9, 300, 3}}) {
        for (const Boundary boundary : {Boundary::inside, Boundary::padded}) {
            for (const Content content : {Content::black, Content::black_on_white, Content::noise}) {
                const PicturePair pair = make_pair(content, width, height, 5);
                MotionRequest request{pair.current, pair.reference, {}};
                request.params.algorithm = Algorithm::predictive;
                request.params.range_x = boundary == Boundary::padded ? std::min(range_x, 40) : range_x;
                request.params.range_y = boundary == Boundary::padded ? std::min(range_y, 40) : range_y;
                request.params.boundary = boundary;
                request.params.candidates = 16;
                request.params.lambda_q8 = content == Content::noise ? 1 << 24 : 300;
                EXPECT_TRUE(same_field(request)) << width << 'x' << height << ' ' << name_of(content);
            }
        }
    }
}

/// Blocks of 16x16 samples, whose windows are swept four rows at a time where they have as many: wider than a warp,
/// lower than four rows, of no whole number of fours, and of blocks that the picture's edge cuts.
TEST_F(DeviceSearchTest, PredictiveWindowsOfAllShapes) {
    for (const int cut : {0, 4, 5, 8, 12}) {
        const PicturePair pair = make_pan(160 + cut, 96 + cut, 21, -9, static_cast<std::uint32_t>(cut));
        for (const auto& [range_x, range_y] : {std::pair{12, 6}, {40, 25}, {16, 1}, {2, 2}, {31, 3}}) {
            for (const Metric metric : {Metric::sad, Metric::ssd}) {
                MotionRequest request{pair.current, pair.reference, {}};
                request.params.algorithm = Algorithm::predictive;
                request.params.metric = metric;
                request.params.range_x = range_x;
                request.params.range_y = range_y;
                request.params.wide_range = 60;
                request.params.candidates = 4;
                request.params.lambda_q8 = 300;
                EXPECT_TRUE(same_field(request)) << cut << ": " << range_x << 'x' << range_y;
            }
        }
    }
}

/// Every block of a drawing is searched a second time, from what the first one kept, and some of a noisy one.
TEST_F(DeviceSearchTest, DrawnBlocks) {
    for (const int candidates : {1, 2, 3, 16})
        for (const int contrast : {20, 40, 160}) {
            const PicturePair pair = make_shuffled_drawing(325, 101, {150, 30, contrast, candidates}, 1);
            SearchParams params{.algorithm = Algorithm::predictive, .predictor = Predictor::neighbours};
            params.candidates = candidates;
            params.wide_range = 60;
            EXPECT_TRUE(same_field({pair.current, pair.reference, params})) << candidates << ", " << contrast;
        }
}

TEST_F(DeviceSearchTest, ThePictureOfAnEncodeByTheDefaultSearch) {
    const PicturePair pair = make_pan(1920, 1080, 131, -75, 80);
    for (const int candidates : {1, 4}) {
        MotionRequest request{pair.current, pair.reference, {}};
        request.params.algorithm = Algorithm::predictive;
        request.params.range_x = 8;
        request.params.range_y = 4;
        request.params.candidates = candidates;
        request.params.lambda_q8 = 1200;
        EXPECT_TRUE(same_field(request));
    }
}

TEST_F(DeviceSearchTest, WhatItDoesNotRunItSaysAndRefuses) {
    std::vector<SearchParams> refused(7);
    refused[0].algorithm = Algorithm::given;
    refused[1].algorithm = Algorithm::smpuhex;
    refused[1].block_order = BlockOrder::raster;
    refused[2].algorithm = Algorithm::hierarchical;
    refused[2].levels = 1;
    refused[2].range_x = 200;
    refused[3].interpolation = Interpolation::six_tap;
    refused[4].planes = Planes::all;
    refused[5].grid = refused[5].precision = 8;
    refused[5].range_x = refused[5].range_y = 4080;
    refused[6].metric = Metric::ncc;
    RandomRequest random(9);
    MotionRequest request;
    random.draw_pictures(64, 48, request);
    for (const SearchParams& params : refused) {
        ASSERT_TRUE(params.validate().empty());
        EXPECT_FALSE(gpu().supports(params));
        request.params = params;
        request.hint = random.hint(request);
        EXPECT_THROW(gpu().estimate(request), InputError);
    }
    EXPECT_TRUE(gpu().supports(SearchParams{}));
}

TEST_F(DeviceSearchTest, SeveralThreadsShareADevice) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 6; ++thread) {
        threads.emplace_back([thread] {
            const auto alone = make_cpu_estimator(1);
            RandomRequest random(static_cast<std::uint32_t>(100 + thread));
            FramePtr before = make_pair(Content::noise, 176, 144, 1).current;
            for (int i = 0; i < 12; ++i) {
                MotionRequest request;
                random.draw_pictures(176, 144, request);
                request.reference = before;
                before = request.current;
                request.params.candidates = random.from(1, 4);
                request.params.range_x = random.from(0, 24);
                if (gpu().estimate(request) != alone->estimate(request)) ADD_FAILURE() << describe(request);
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
}

TEST_F(DeviceSearchTest, EveryDeviceGivesTheSameField) {
    MotionRequest request;
    RandomRequest random(7);
    random.draw_pictures(352, 288, request);
    request.params.candidates = 4;
    for (const auto& device : devices())
        EXPECT_TRUE(same_field(request, *device)) << device->name();
}

TEST_F(DeviceSearchTest, ACoprocessorOfAllDevices) {
    std::vector<std::string> warnings;
    CoprocessorOptions options;
    options.on_warning = [&](const std::string& warning) { warnings.push_back(warning); };
    RandomRequest random(8);
    std::vector<MotionRequest> requests(24);
    std::vector<std::future<MotionResult>> results;
    {
        Coprocessor motion(make_gpu_estimators(nullptr), make_cpu_estimator(2), options);
        for (MotionRequest& request : requests) {
            random.draw_pictures(200, 120, request);
            request.params.candidates = 3;
            results.push_back(motion.submit(request));
        }
        for (std::size_t i = 0; i < requests.size(); ++i)
            EXPECT_EQ(results[i].get().field, cpu().estimate(requests[i])) << describe(requests[i]);
    }
    EXPECT_TRUE(warnings.empty());
}

/// Few and small: for the sanitizers of CUDA, under which everything takes a hundred times longer.
TEST_F(DeviceSearchTest, SmallCasesOfEverything) {
    compare(9, 80, [](RandomRequest& random, MotionRequest& request) {
        if (random.chance(40)) draw_walk(random, request.params);
        request.params.metric = random.chance(60) ? Metric::sad : static_cast<Metric>(random.from(1, 3));
        request.params.precision = random.one_of({1, 1, 2, 4});
        if (request.params.algorithm == Algorithm::full && random.chance(30))
            request.params.grid = request.params.precision;
        draw_block(random, request.params);
        request.params.range_x = random.one_of({0, 2, 5, 18});
        request.params.range_y = random.one_of({0, 3, 20});
        random.draw_pictures(random.side(66), random.side(50), request);
        random.draw_rules(request);
    });
}

} // namespace
} // namespace tandem::test
