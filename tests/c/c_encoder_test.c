/* SPDX-License-Identifier: BSD-2-Clause */
/* The encoder from C99: settings by name, pictures in, packets out. */
#include <stdlib.h>

#include "c/tandem_encoder.h"
#include "tests/c/c_pictures.h"

enum { pictures = 14, most_bytes = 1 << 20 };

static int says(const char* message, const char* words) {
    if (strstr(message, words) != NULL) return 1;
    fprintf(stderr, "the message is: %s\n", message);
    return 0;
}

static tandem_encoder_format format_of_pictures(void) {
    tandem_encoder_format format;
    tandem_encoder_format_defaults(&format);
    format.width = width;
    format.height = height;
    return format;
}

/* A stream, and what its packets said. */
typedef struct stream {
    uint8_t bytes[most_bytes];
    size_t size;
    int packets, keys, of_type[3];
    int64_t shown[pictures], last_dts;
    int is_shown_once, has_good_measures, has_reconstructions;
} stream;

static void take_reconstruction(const tandem_packet* packet, stream* to) {
    tandem_picture_handle* picture = tandem_packet_reconstruction(packet);
    const tandem_picture samples = tandem_picture_samples(picture);
    to->has_reconstructions = to->has_reconstructions && samples.luma.width == width && samples.luma.height == height &&
                              samples.cb.width == (width + 1) / 2;
    tandem_picture_free(picture);
}

static void take_packets(tandem_encoder* encoder, stream* to) {
    tandem_packet* packet = NULL;
    while (tandem_encoder_take(encoder, &packet) == TANDEM_OK && packet != NULL) {
        tandem_packet_info info;
        CHECK(tandem_packet_describe(packet, &info, sizeof info) == TANDEM_OK);
        CHECK(to->size + info.bytes <= most_bytes);
        memcpy(to->bytes + to->size, info.data, info.bytes);
        to->size += info.bytes;
        CHECK(info.pts >= 0 && info.pts < pictures && info.pts >= info.dts);
        CHECK(info.dts == to->last_dts + 1);
        to->last_dts = info.dts;
        to->is_shown_once = to->is_shown_once && to->shown[info.pts]++ == 0;
        to->keys += info.is_key;
        to->of_type[info.type == 'I' ? 0 : info.type == 'P' ? 1 : 2]++;
        to->has_good_measures = to->has_good_measures && info.samples[0] == width * height &&
                                info.samples[2] == 38 * 25 && info.squared_errors[0] > 0 && info.ssim > 0.5;
        take_reconstruction(packet, to);
        ++to->packets;
        tandem_packet_free(packet);
    }
}

static void begin(stream* to, int64_t first_dts) {
    memset(to, 0, sizeof *to);
    to->last_dts = first_dts - 1;
    to->is_shown_once = to->has_good_measures = to->has_reconstructions = 1;
}

/* Codes the texture as it moves; `by_handle`: of pictures that the library has. */
static void encode(const tandem_encode_settings* settings, const tandem_encoder_format* format, int by_handle,
                   stream* to) {
    static uint8_t samples[height * stride];
    tandem_encoder* encoder = NULL;
    tandem_estimator* estimator = NULL;
    CHECK(tandem_estimator_create("cpu", 1, &estimator) == TANDEM_OK);
    CHECK(tandem_encoder_create(settings, format, "cpu", &encoder) == TANDEM_OK);
    CHECK(strcmp(tandem_encoder_message(encoder), "") == 0);
    for (int i = 0; i < pictures; ++i) {
        draw(samples, i, -2 * i);
        const tandem_picture picture = picture_of(samples);
        tandem_picture_handle* handle = NULL;
        if (by_handle) {
            CHECK(tandem_picture_create(estimator, &picture, &handle) == TANDEM_OK);
            CHECK(tandem_encoder_push_handle(encoder, handle) == TANDEM_OK);
            tandem_picture_free(handle);
        } else {
            CHECK(tandem_encoder_push(encoder, &picture) == TANDEM_OK);
        }
        take_packets(encoder, to);
    }
    CHECK(tandem_encoder_finish(encoder) == TANDEM_OK);
    take_packets(encoder, to);
    CHECK(tandem_encoder_finish(encoder) == TANDEM_BAD_INPUT);
    CHECK(says(tandem_encoder_message(encoder), "has finished"));
    tandem_encoder_destroy(encoder);
    tandem_estimator_destroy(estimator);
}

static void test_packets(stream* first, stream* second) {
    static const uint8_t sequence_header[4] = {0, 0, 1, 0xB3}, sequence_end[4] = {0, 0, 1, 0xB7};
    tandem_encode_settings* settings = NULL;
    tandem_encoder_format format = format_of_pictures();
    format.keeps_reconstructions = format.measures = 1;
    CHECK(tandem_encode_settings_create(&settings) == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, "bframes", "2") == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, "b_adapt", "0") == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, "threads", "2") == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, "scenecut", "0") == TANDEM_OK);
    begin(first, -1);
    encode(settings, &format, 0, first);
    CHECK(first->packets == pictures && first->is_shown_once && first->has_good_measures);
    CHECK(first->has_reconstructions && first->keys == 1);
    CHECK(first->of_type[0] == 1 && first->of_type[1] == 5 && first->of_type[2] == 8);
    CHECK(memcmp(first->bytes, sequence_header, 4) == 0);
    CHECK(memcmp(first->bytes + first->size - 4, sequence_end, 4) == 0);
    CHECK(tandem_encode_settings_set(settings, "threads", "auto") == TANDEM_OK);
    begin(second, -1);
    encode(settings, &format, 1, second);
    CHECK(first->size == second->size && memcmp(first->bytes, second->bytes, first->size) == 0);
    tandem_encode_settings_free(settings);
}

/* Without B pictures nothing is decoded before it is shown, and nothing is kept or measured that nobody asked for. */
static void test_defaults(stream* to) {
    tandem_encode_settings* settings = NULL;
    const tandem_encoder_format format = format_of_pictures();
    CHECK(tandem_encode_settings_create(&settings) == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, "preset", "ultrafast") == TANDEM_OK);
    begin(to, 0);
    encode(settings, &format, 0, to);
    CHECK(to->packets == pictures && to->of_type[2] == 0 && !to->has_good_measures && !to->has_reconstructions);
    tandem_encode_settings_free(settings);
}

static void refuse(const char* name, const char* value, const char* words) {
    tandem_encode_settings* settings = NULL;
    CHECK(tandem_encode_settings_create(&settings) == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, name, value) == TANDEM_BAD_INPUT);
    CHECK(says(tandem_encode_settings_message(settings), words));
    tandem_encode_settings_free(settings);
}

static void refuse_both(const char* one, const char* other, const char* words) {
    tandem_encode_settings* settings = NULL;
    CHECK(tandem_encode_settings_create(&settings) == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, one, "1") == TANDEM_OK);
    CHECK(tandem_encode_settings_set(settings, other, "1") == TANDEM_OK);
    CHECK(tandem_encode_settings_check(settings) == TANDEM_BAD_INPUT);
    CHECK(says(tandem_encode_settings_message(settings), words));
    tandem_encode_settings_free(settings);
}

static void test_refusals(void) {
    refuse("bframe", "1", "--bframe: there is no such setting");
    refuse("bframes", "9", "--bframes 9: must be a whole number from 0 to 8");
    refuse("bframes", "2.5", "--bframes 2.5");
    refuse("ip-factor", "nan", "a number from 0.1 to 10");
    refuse("ip-factor", "", "--ip-factor (empty)");
    refuse("decision", "best", "one of tm5, sm3, cost, rd");
    refuse("threads", "many", "one of auto, or a whole number from 0 to 1024");
    refuse("closed-gop", "yes", "0 or 1");
    refuse("preset", "fastest", "ultrafast");
    refuse_both("qp", "crf", "--qp and --crf exclude each other");
    refuse_both("cbr", "crf", "--cbr needs --bitrate");
    CHECK(tandem_encode_settings_set(NULL, "qp", "1") == TANDEM_BAD_INPUT);
    CHECK(tandem_encode_settings_check(NULL) == TANDEM_BAD_INPUT);
    tandem_encode_settings_free(NULL);
}

static void refuse_format(const tandem_encoder_format* format, const char* device, const char* words) {
    tandem_encoder* encoder = NULL;
    const tandem_picture picture = {{NULL, 0, 0, 0}, {NULL, 0, 0, 0}, {NULL, 0, 0, 0}};
    CHECK(tandem_encoder_create(NULL, format, device, &encoder) == TANDEM_BAD_INPUT);
    CHECK(encoder != NULL && says(tandem_encoder_message(encoder), words));
    CHECK(tandem_encoder_push(encoder, &picture) == TANDEM_BAD_INPUT);
    CHECK(says(tandem_encoder_message(encoder), "could not be made"));
    tandem_encoder_destroy(encoder);
}

static void test_formats(void) {
    tandem_encoder_format format;
    tandem_encoder_format_defaults(&format);
    refuse_format(&format, "cpu", "width: 0; 1 to 16384");
    refuse_format(NULL, "cpu", "format: NULL");
    format = format_of_pictures();
    refuse_format(&format, "tpu", "device: 'tpu'");
    refuse_format(&format, NULL, "device: NULL");
    format.rate_denominator = 0;
    refuse_format(&format, "cpu", "rate: 25/0");
    format = format_of_pictures();
    format.rate_numerator = 7;
    refuse_format(&format, "cpu", "7");
    format = format_of_pictures();
    format.colour_matrix = 0;
    refuse_format(&format, "cpu", "colour: code point 0");
    CHECK(tandem_colour_code("colorprim", "bt709") == 1 && tandem_colour_code("colormatrix", "fcc") == 4);
    CHECK(tandem_colour_code("transfer", "fcc") == -1 && tandem_colour_code(NULL, "bt709") == -1);
    format.size = 3;
    refuse_format(&format, "cpu", "a struct of 3 bytes");
}

static void test_wrong_pictures(void) {
    static uint8_t samples[height * stride];
    const tandem_encoder_format format = format_of_pictures();
    tandem_encoder* encoder = NULL;
    tandem_packet* packet = NULL;
    tandem_picture picture = picture_of(samples);
    CHECK(tandem_encoder_create(NULL, &format, "cpu", &encoder) == TANDEM_OK);
    picture.luma.width = width - 1;
    CHECK(tandem_encoder_push(encoder, &picture) == TANDEM_BAD_INPUT);
    CHECK(says(tandem_encoder_message(encoder), "74x50 in a video of 75x50"));
    CHECK(tandem_encoder_push_handle(encoder, NULL) == TANDEM_BAD_INPUT);
    CHECK(tandem_encoder_push(encoder, NULL) == TANDEM_BAD_INPUT);
    picture.luma.width = width; /* What was refused did no harm. */
    CHECK(tandem_encoder_push(encoder, &picture) == TANDEM_OK);
    CHECK(tandem_encoder_take(encoder, &packet) == TANDEM_OK && packet == NULL);
    CHECK(tandem_encoder_take(encoder, NULL) == TANDEM_BAD_INPUT);
    CHECK(tandem_packet_describe(NULL, NULL, 0) == TANDEM_BAD_INPUT);
    CHECK(tandem_packet_reconstruction(NULL) == NULL);
    tandem_packet_free(NULL);
    tandem_encoder_destroy(encoder); /* With a picture under way. */
    CHECK(tandem_encoder_create(NULL, &format, "cpu", &encoder) == TANDEM_OK);
    CHECK(tandem_encoder_finish(encoder) == TANDEM_OK); /* Of no picture. */
    CHECK(tandem_encoder_take(encoder, &packet) == TANDEM_OK && packet == NULL);
    tandem_encoder_destroy(encoder);
    tandem_encoder_destroy(NULL);
}

/* Each row's default is a value that it takes, and so are its least and most. */
static void test_table(void) {
    tandem_encode_setting row;
    size_t index = 0;
    int knows_bframes = 0;
    char number[64];
    for (; tandem_encode_setting_at(index, &row) == TANDEM_OK; ++index) {
        tandem_encode_settings* settings = NULL;
        CHECK(tandem_encode_settings_create(&settings) == TANDEM_OK);
        CHECK(strlen(row.help) > 10 && strlen(row.type) > 3);
        if (strlen(row.usual) > 0) CHECK(tandem_encode_settings_set(settings, row.name, row.usual) == TANDEM_OK);
        if (row.least < row.most) {
            snprintf(number, sizeof number, "%.17g", row.least);
            CHECK(tandem_encode_settings_set(settings, row.name, number) == TANDEM_OK);
            snprintf(number, sizeof number, "%.17g", row.most + 1);
            CHECK(tandem_encode_settings_set(settings, row.name, number) == TANDEM_BAD_INPUT);
        }
        if (strcmp(row.name, "bframes") == 0) knows_bframes = strcmp(row.usual, "6") == 0 && row.most == 8;
        tandem_encode_settings_free(settings);
    }
    CHECK(index > 40 && knows_bframes);
    CHECK(tandem_encode_setting_at(0, NULL) == TANDEM_BAD_INPUT);
}

int main(void) {
    stream *first = malloc(sizeof *first), *second = malloc(sizeof *second);
    if (first == NULL || second == NULL) return 1;
    test_packets(first, second);
    test_defaults(second);
    test_refusals();
    test_formats();
    test_wrong_pictures();
    test_table();
    free(first);
    free(second);
    return failures == 0 ? 0 : 1;
}
