/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the C interface share: a texture that moved, checks that are counted, fields that are compared. */
#ifndef TANDEM_TESTS_C_PICTURES_H
#define TANDEM_TESTS_C_PICTURES_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "c/tandem_motion.h"

enum { width = 75, height = 50, stride = 80, columns = 5, rows = 4 };

static int failures = 0;

static inline void check(int holds, const char* what, int line) {
    if (holds) return;
    fprintf(stderr, "line %d: %s\n", line, what);
    ++failures;
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

/* A texture without repetition: sample (x, y) of a plane moved by (dx, dy) is that of (x - dx, y - dy). */
static inline void draw(uint8_t* samples, int dx, int dy) {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const uint32_t column = (uint32_t)(x - dx + 1000), row = (uint32_t)(y - dy + 1000);
            samples[y * stride + x] = (uint8_t)(((column * 2654435761u) ^ (row * 2246822519u)) >> 24);
        }
    }
}

static inline tandem_picture picture_of(const uint8_t* samples) {
    tandem_picture picture;
    memset(&picture, 0, sizeof picture);
    picture.luma.data = samples;
    picture.luma.stride = stride;
    picture.luma.width = width;
    picture.luma.height = height;
    return picture;
}

static inline int same_field(const tandem_field* a, const tandem_field* b) {
    int16_t vectors[2][2000];
    uint32_t costs[2][1000];
    return tandem_field_vectors(a, vectors[0], 2000) == TANDEM_OK &&
           tandem_field_costs(a, costs[0], 1000) == TANDEM_OK &&
           tandem_field_vectors(b, vectors[1], 2000) == TANDEM_OK &&
           tandem_field_costs(b, costs[1], 1000) == TANDEM_OK && tandem_field_rows(a) == tandem_field_rows(b) &&
           tandem_field_columns(a) == tandem_field_columns(b) &&
           memcmp(vectors[0], vectors[1],
                  sizeof(int16_t) * 2 * (size_t)(tandem_field_rows(a) * tandem_field_columns(a))) == 0 &&
           memcmp(costs[0], costs[1], sizeof(uint32_t) * (size_t)(tandem_field_rows(a) * tandem_field_columns(a))) == 0;
}

#endif
