/* SPDX-License-Identifier: BSD-2-Clause */
/* A stream from C, by the installed library alone. */
#include <string.h>

#include "c/tandem_encoder.h"

enum { width = 48, height = 32, pictures = 3 };

static int count_packets(tandem_encoder* encoder) {
    int count = 0;
    tandem_packet* packet = NULL;
    while (tandem_encoder_take(encoder, &packet) == TANDEM_OK && packet != NULL) {
        ++count;
        tandem_packet_free(packet);
    }
    return count;
}

int main(void) {
    static uint8_t samples[width * height];
    tandem_encoder_format format;
    tandem_encoder* encoder = NULL;
    tandem_picture picture;
    int packets = 0;
    tandem_encoder_format_defaults(&format);
    format.width = width;
    format.height = height;
    if (tandem_encoder_create(NULL, &format, "cpu", &encoder) != TANDEM_OK) return 1;
    memset(&picture, 0, sizeof picture);
    picture.luma.data = samples;
    picture.luma.stride = picture.luma.width = width;
    picture.luma.height = height;
    for (int i = 0; i < pictures; ++i) {
        memset(samples, 40 * i, sizeof samples);
        if (tandem_encoder_push(encoder, &picture) != TANDEM_OK) return 1;
    }
    if (tandem_encoder_finish(encoder) != TANDEM_OK) return 1;
    packets = count_packets(encoder);
    tandem_encoder_destroy(encoder);
    return packets == pictures ? 0 : 1;
}
