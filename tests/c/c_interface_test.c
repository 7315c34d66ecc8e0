/* SPDX-License-Identifier: BSD-2-Clause */
/* The C interface, from C99: a pan's vector, candidates, hints, compensation, and each kind of refusal. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c/tandem_motion.h"
#include "tests/c/c_pictures.h"

static int says(const tandem_estimator* estimator, const char* words) {
    const char* message = tandem_estimator_message(estimator);
    if (strstr(message, words) != NULL) return 1;
    fprintf(stderr, "the message is: %s\n", message);
    return 0;
}

/* What moved by (3, -2) has the vector (-3, 2), in eighths (-24, 16), in each block that sees it whole. */
static void test_pan(tandem_estimator* estimator, const tandem_picture* current, const tandem_picture* reference) {
    int16_t vectors[rows * columns * 3 * 2];
    uint32_t distortions[rows * columns * 3], costs[rows * columns * 3];
    static const int16_t zeros[rows * columns * 2];
    tandem_field* hint = NULL;
    CHECK(tandem_field_create(estimator, width, height, 16, 16, 1, zeros, NULL, NULL, &hint) == TANDEM_OK);
    for (size_t index = 0; tandem_motion_search_name(index) != NULL; ++index) {
        tandem_motion_params params;
        tandem_field* field = NULL;
        tandem_motion_defaults(&params);
        params.search = tandem_motion_search_name(index);
        params.range_x = params.range_y = 7;
        params.candidates = 3;
        const int is_given = strcmp(params.search, "given") == 0;
        const tandem_status status =
            tandem_motion_estimate(estimator, current, reference, &params, is_given ? hint : NULL, &field);
        /* Phase correlation is a search that a build without KissFFT cannot do. */
        if (status == TANDEM_BAD_INPUT && strcmp(params.search, "poc") == 0 &&
            (says(estimator, "KissFFT") || says(estimator, "support"))) {
            continue;
        }
        CHECK(status == TANDEM_OK);
        CHECK(tandem_field_rows(field) == rows && tandem_field_columns(field) == columns);
        CHECK(tandem_field_candidates(field) == 3);
        CHECK(tandem_field_vectors(field, vectors, rows * columns * 3 * 2) == TANDEM_OK);
        CHECK(tandem_field_distortions(field, distortions, rows * columns * 3) == TANDEM_OK);
        CHECK(tandem_field_costs(field, costs, rows * columns * 3) == TANDEM_OK);
        CHECK(tandem_field_costs(field, costs, rows * columns * 3 - 1) == TANDEM_BAD_INPUT);
        CHECK(tandem_field_vectors(field, vectors, rows * columns * 3 * 2 - 1) == TANDEM_BAD_INPUT);
        if (strcmp(params.search, "full") == 0) {
            for (int row = 1; row < 2; ++row) {
                for (int column = 1; column < 4; ++column) {
                    const int block = row * columns + column;
                    CHECK(vectors[block * 6] == -24 && vectors[block * 6 + 1] == 16);
                    CHECK(distortions[block * 3] == 0 && costs[block * 3] == 0);
                    CHECK(distortions[block * 3 + 1] > 0);
                }
            }
        }
        tandem_field_destroy(field);
    }
    tandem_field* field = NULL;
    CHECK(tandem_motion_estimate(estimator, current, reference, NULL, hint, &field) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "hint: there is no use for it with the predictor 'zero'"));
    tandem_field_destroy(hint);
}

/* Each size's field is that of its own search. */
static void test_sizes(tandem_estimator* estimator, const tandem_picture* current, const tandem_picture* reference) {
    static const tandem_block_size sizes[] = {{16, 16}, {8, 16}, {4, 4}, {11, 7}}, bad[] = {{16, 16}, {3, 16}};
    tandem_field *fields[4], *alone = NULL, *hint = NULL;
    tandem_motion_params params;
    tandem_motion_defaults(&params);
    params.range_x = params.range_y = 7;
    for (int with_hint = 0; with_hint < 2; ++with_hint) {
        params.predictor = with_hint ? "hint" : "zero";
        params.lambda_q8 = with_hint ? 2000 : 0;
        CHECK(tandem_motion_estimate_sizes(estimator, current, reference, &params, hint, sizes, 4, fields) ==
              TANDEM_OK);
        for (int i = 0; i < 4; ++i) {
            if (!with_hint || i == 0) {
                params.block_width = sizes[i].width;
                params.block_height = sizes[i].height;
                CHECK(tandem_motion_estimate(estimator, current, reference, &params, hint, &alone) == TANDEM_OK);
                CHECK(same_field(fields[i], alone));
                tandem_field_destroy(alone);
            }
        }
        for (int i = with_hint ? 0 : 1; i < 4; ++i)
            tandem_field_destroy(fields[i]);
        if (!with_hint) hint = fields[0];
    }
    params.block_width = 3; /* not used */
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, &params, NULL, sizes, 1, fields) == TANDEM_OK);
    tandem_field_destroy(fields[0]);
    params.block_width = 16;
    fields[0] = fields[1] = hint; /* must be cleared */
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, NULL, NULL, bad, 2, fields) == TANDEM_BAD_INPUT);
    CHECK(fields[0] == NULL && fields[1] == NULL && says(estimator, "block width is 3"));
    CHECK(tandem_motion_estimate_sizes(estimator, current, NULL, NULL, NULL, sizes, 4, fields) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, NULL, NULL, sizes, 0, fields) ==
          TANDEM_BAD_INPUT);
    CHECK(says(estimator, "sizes: 0 of them; 1 to 64"));
    fields[0] = hint; /* must stay: there may be no place for so many */
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, NULL, NULL, sizes, 65, fields) ==
          TANDEM_BAD_INPUT);
    CHECK(says(estimator, "sizes: 65 of them; 1 to 64"));
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, NULL, NULL, sizes, SIZE_MAX, fields) ==
          TANDEM_BAD_INPUT);
    CHECK(fields[0] == hint);
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, NULL, NULL, NULL, 1, fields) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_estimate_sizes(estimator, current, reference, NULL, NULL, sizes, 1, NULL) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_estimate_sizes(NULL, current, reference, NULL, NULL, sizes, 1, fields) == TANDEM_BAD_INPUT);

    params.block_width = params.block_height = 8;
    CHECK(tandem_motion_estimate(estimator, current, reference, &params, hint, &alone) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "hint: the fields are of 75x50 in blocks of 16x16; 75x50 in blocks of 8x8 is wanted"));
    tandem_field_destroy(hint);
}

static void test_compensation(tandem_estimator* estimator, const tandem_picture* current,
                              const tandem_picture* reference) {
    static uint8_t prediction[height * stride];
    const tandem_target none = {NULL, 0}, target = {prediction, stride}, narrow = {prediction, width - 1};
    static const uint8_t grey[((width + 1) / 2) * ((height + 1) / 2)];
    const tandem_plane chroma = {grey, (width + 1) / 2, (width + 1) / 2, (height + 1) / 2};
    tandem_picture coloured;
    int16_t vectors[rows * columns * 2];
    tandem_field* field = NULL;
    int equal = 1;
    for (int block = 0; block < rows * columns; ++block) {
        vectors[2 * block] = -24;
        vectors[2 * block + 1] = 16;
    }
    CHECK(tandem_field_create(estimator, width, height, 16, 16, 1, vectors, NULL, NULL, &field) == TANDEM_OK);
    CHECK(tandem_motion_compensate(estimator, field, reference, "bilinear", target, none, none) == TANDEM_OK);
    for (int y = 0; y < height - 2; ++y)
        for (int x = 3; x < width; ++x)
            equal = equal && prediction[y * stride + x] == current->luma.data[y * stride + x];
    CHECK(equal);
    CHECK(tandem_motion_compensate(estimator, field, reference, "cubic", target, none, none) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "'cubic' is none of bilinear, six-tap"));
    CHECK(tandem_motion_compensate(estimator, field, reference, "bilinear", narrow, none, none) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "distance of 74"));
    coloured.luma = reference->luma;
    coloured.cb = coloured.cr = chroma;
    memset(prediction, 77, stride * height);
    CHECK(tandem_motion_compensate(estimator, field, &coloured, "bilinear", target, none, none) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "cb: the samples are NULL"));
    CHECK(prediction[0] == 77 && prediction[stride + 1] == 77); /* nothing is written before all is checked */
    CHECK(tandem_motion_compensate(estimator, NULL, reference, "bilinear", target, none, none) == TANDEM_BAD_INPUT);
    tandem_field_destroy(field);
    CHECK(tandem_field_create(estimator, width, height, 0, 16, 1, vectors, NULL, NULL, &field) == TANDEM_BAD_INPUT);
    CHECK(field == NULL && says(estimator, "block_width: 0; 1 to 16384"));
    CHECK(tandem_field_create(estimator, width, height, 16, 16, 17, vectors, NULL, NULL, &field) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "candidates: 17"));
    for (int axis = 0; axis < 2; ++axis) {
        const int16_t kept = vectors[axis];
        vectors[axis] = INT16_MIN;
        CHECK(tandem_field_create(estimator, width, height, 16, 16, 1, vectors, NULL, NULL, &field) ==
              TANDEM_BAD_INPUT);
        CHECK(field == NULL && says(estimator, "-32768"));
        vectors[axis] = kept;
    }
}

/* What has no candidate has no vector, and comes last. */
static void test_empty_candidates(tandem_estimator* estimator) {
    static const int16_t vectors[] = {8, -16, 24, INT16_MIN, 40, 48, 56, 64};
    const uint32_t costs[] = {10, 20, 30, 40}, none = UINT32_MAX;
    const uint32_t last[] = {1, none, none, none}, gap[] = {1, none, none, 4};
    int16_t found[8];
    uint32_t found_costs[4];
    tandem_field* field = NULL;
    CHECK(tandem_field_create(estimator, 32, 16, 16, 16, 2, vectors, last, costs, &field) == TANDEM_OK);
    CHECK(tandem_field_vectors(field, found, 8) == TANDEM_OK && found[0] == 8 && found[1] == -16);
    CHECK(tandem_field_costs(field, found_costs, 4) == TANDEM_OK && found_costs[0] == 10);
    for (int i = 1; i < 4; ++i)
        CHECK(found[2 * i] == 0 && found[2 * i + 1] == 0 && found_costs[i] == none);
    tandem_field_destroy(field);
    CHECK(tandem_field_create(estimator, 32, 16, 16, 16, 2, vectors, gap, NULL, &field) == TANDEM_BAD_INPUT);
    CHECK(field == NULL && says(estimator, "distortions: a candidate after an empty one"));
}

static void refused(tandem_estimator* estimator, const tandem_picture* current, const tandem_picture* reference,
                    const tandem_motion_params* params, const char* words, int line) {
    tandem_field* field = (tandem_field*)estimator; /* must be cleared */
    const tandem_status status = tandem_motion_estimate(estimator, current, reference, params, NULL, &field);
    check(status == TANDEM_BAD_INPUT && field == NULL && says(estimator, words), words, line);
}
#define REFUSED(current, reference, params, words) refused(estimator, current, reference, params, words, __LINE__)

/* A caller compiled when the struct had fewer members: those that it had count. */
static void test_older_params(tandem_estimator* estimator, const tandem_picture* current,
                              const tandem_picture* reference) {
    tandem_field *all = NULL, *older = NULL;
    tandem_motion_params params;
    tandem_motion_defaults(&params);
    params.null_gain = 3;
    params.brute_force = 1;
    CHECK(tandem_motion_estimate(estimator, current, reference, &params, NULL, &all) == TANDEM_OK);
    params.size = offsetof(tandem_motion_params, null_level);
    params.null_level = 65535;
    CHECK(tandem_motion_estimate(estimator, current, reference, &params, NULL, &older) == TANDEM_OK);
    CHECK(same_field(all, older));
    params.size = sizeof params;
    tandem_field_destroy(older);
    CHECK(tandem_motion_estimate(estimator, current, reference, &params, NULL, &older) == TANDEM_OK);
    CHECK(!same_field(all, older));
    tandem_field_destroy(all);
    tandem_field_destroy(older);
}

static void test_refusals(tandem_estimator* estimator, const tandem_picture* current, const tandem_picture* reference) {
    tandem_motion_params params;
    tandem_picture broken = *current;
    tandem_field* field = NULL;
#define WITH(change, words)                                                                                            \
    do {                                                                                                               \
        tandem_motion_defaults(&params);                                                                               \
        change;                                                                                                        \
        REFUSED(current, reference, &params, words);                                                                   \
    } while (0)
    WITH(params.search = "fastest", "search: 'fastest' is none of full");
    WITH(params.search = "given", "needs a field");
    WITH(params.phase_window = 17, "17");
    WITH(params.search = NULL, "search: 'NULL'");
    WITH(params.metric = "mad", "metric: 'mad' is none of sad, ssd, satd");
    WITH(params.planes = "all", "planes");
    WITH(params.block_width = 3, "3");
    WITH(params.range_y = -1, "-1");
    WITH(params.candidates = 99, "99");
    WITH(params.size = 8, "8 bytes");
    WITH(params.size = sizeof params + 1, "bytes");
#undef WITH
    REFUSED(NULL, reference, NULL, "current: the picture is NULL");
    broken.luma.data = NULL;
    REFUSED(&broken, reference, NULL, "current, luma: the samples are NULL");
    broken = *current;
    broken.luma.stride = width - 1;
    REFUSED(&broken, reference, NULL, "at a distance of 74");
    broken.luma.stride = 1 - width; /* a negative distance is that of rows from the lowest up */
    REFUSED(&broken, reference, NULL, "at a distance of -74");
    broken.luma.stride = PTRDIFF_MIN; /* has no absolute value */
    REFUSED(&broken, reference, NULL, "at a distance of -");
    broken.luma.stride = PTRDIFF_MAX / 2; /* the third row would have no address */
    REFUSED(&broken, reference, NULL, "at a distance of ");
    broken = *current;
    broken.luma.width = 70000;
    REFUSED(&broken, reference, NULL, "70000x50");
    broken = *current;
    broken.luma.width = 64;
    REFUSED(&broken, reference, NULL, "different sizes");
    broken = *current;
    broken.cb = broken.cr = broken.luma;
    REFUSED(current, &broken, NULL, "reference, Cb: 75x50 samples; 4:2:0 has 38x25");
    CHECK(tandem_motion_estimate(NULL, current, reference, NULL, NULL, &field) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_estimate(estimator, current, reference, NULL, NULL, NULL) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_estimate(estimator, current, reference, NULL, NULL, &field) == TANDEM_OK);
    CHECK(strcmp(tandem_estimator_message(estimator), "") == 0);
    tandem_field_destroy(field);
}

static void test_devices(const tandem_picture* current, const tandem_picture* reference) {
    tandem_estimator* estimator = NULL;
    tandem_field* field = NULL;
    tandem_motion_params params;
    CHECK(tandem_estimator_create("abacus", 1, &estimator) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "'abacus' is none of auto, cpu, gpu, gpu:N[,N...]"));
    CHECK(tandem_motion_estimate(estimator, NULL, NULL, NULL, NULL, NULL) == TANDEM_BAD_INPUT);
    tandem_estimator_destroy(estimator);
    CHECK(tandem_estimator_create("cpu", -1, &estimator) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "threads: -1"));
    tandem_estimator_destroy(estimator);
    CHECK(tandem_estimator_create(NULL, 1, &estimator) == TANDEM_BAD_INPUT);
    tandem_estimator_destroy(estimator);
    CHECK(tandem_estimator_create("cpu", 1, NULL) == TANDEM_BAD_INPUT);
    tandem_motion_defaults(&params);
    params.precision = 2;
    params.interpolation = "texture";
    CHECK(tandem_estimator_create("cpu", 1, &estimator) == TANDEM_OK);
    CHECK(tandem_motion_estimate(estimator, current, reference, &params, NULL, &field) == TANDEM_BAD_INPUT);
    CHECK(says(estimator, "'texture' is done by a GPU, and this estimator has none"));
    tandem_estimator_destroy(estimator);
    CHECK(tandem_estimator_create("auto", 2, &estimator) == TANDEM_OK);
    /* Where there is no GPU that is nobody's mistake. */
    CHECK(tandem_motion_estimate(estimator, current, reference, &params, NULL, &field) != TANDEM_BAD_INPUT);
    tandem_field_destroy(field);
    tandem_estimator_destroy(estimator);
    tandem_estimator_destroy(NULL);
    tandem_field_destroy(NULL);
}

int main(void) {
    static uint8_t moved[height * stride], still[height * stride];
    tandem_estimator* estimator = NULL;
    draw(moved, 3, -2);
    draw(still, 0, 0);
    const tandem_picture current = picture_of(moved), reference = picture_of(still);
    CHECK(strcmp(tandem_motion_version(), TANDEM_PROJECT_VERSION) == 0);
    CHECK(tandem_estimator_create("cpu", 2, &estimator) == TANDEM_OK);
    test_pan(estimator, &current, &reference);
    test_sizes(estimator, &current, &reference);
    test_compensation(estimator, &current, &reference);
    test_empty_candidates(estimator);
    test_older_params(estimator, &current, &reference);
    test_refusals(estimator, &current, &reference);
    tandem_estimator_destroy(estimator);
    test_devices(&current, &reference);
    if (failures > 0) fprintf(stderr, "%d checks failed\n", failures);
    return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
