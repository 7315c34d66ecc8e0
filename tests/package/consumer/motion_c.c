/* SPDX-License-Identifier: BSD-2-Clause */
/* The same as motion.cpp through the C interface: the motion of a textured picture that moved by (3, -2). */
#include <stdio.h>

#include "c/tandem_motion.h"

enum { width = 64, height = 48 };

static void draw(uint8_t* samples, int shift_x, int shift_y) {
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const uint32_t column = (uint32_t)(x + shift_x), row = (uint32_t)(y + shift_y);
            samples[y * width + x] = (uint8_t)(((column * 2654435761u) ^ (row * 2246822519u)) >> 24);
        }
}

int main(void) {
    static uint8_t still[height * width], moved[height * width];
    draw(still, 16, 16);
    draw(moved, 19, 14);
    const tandem_picture reference = {{still, width, width, height}, {0}, {0}};
    const tandem_picture current = {{moved, width, width, height}, {0}, {0}};

    tandem_estimator* estimator = NULL;
    tandem_field* field = NULL;
    int16_t vectors[3 * 4 * 2] = {0};
    if (tandem_estimator_create("auto", 1, &estimator) != TANDEM_OK ||
        tandem_motion_estimate(estimator, &current, &reference, NULL, NULL, &field) != TANDEM_OK ||
        tandem_field_vectors(field, vectors, sizeof vectors / sizeof vectors[0]) != TANDEM_OK) {
        fprintf(stderr, "%s\n", tandem_estimator_message(estimator));
        return 1;
    }
    const int16_t* const middle = vectors + 2 * (tandem_field_columns(field) + 1);
    printf("Tandem %s: motion of block (1, 1): %d, %d eighths of a pel\n", tandem_motion_version(), middle[0],
           middle[1]);
    tandem_field_destroy(field);
    tandem_estimator_destroy(estimator);
    return middle[0] == 3 * 8 && middle[1] == -2 * 8 ? 0 : 1;
}
