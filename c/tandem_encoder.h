/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The C interface of Tandem's encoder: pictures in, packets of an MPEG-1 or MPEG-2 stream out. C99 and C++. Pictures
 * and statuses are those of tandem_motion.h.
 *
 *     tandem_encode_settings* settings;
 *     tandem_encode_settings_create(&settings);
 *     tandem_encode_settings_set(settings, "preset", "fast");
 *     tandem_encode_settings_set(settings, "crf", "23");
 *     tandem_encoder_format format;
 *     tandem_encoder_format_defaults(&format);
 *     format.width = 352;
 *     format.height = 288;
 *     tandem_encoder* encoder;
 *     tandem_encoder_create(settings, &format, "auto", &encoder);
 *     while (...) {
 *         tandem_encoder_push(encoder, &samples);               // in the order in which they are shown
 *         write_packets(encoder);
 *     }
 *     tandem_encoder_finish(encoder);
 *     write_packets(encoder);
 *
 *     // where write_packets() is
 *     tandem_packet* packet;
 *     while (tandem_encoder_take(encoder, &packet) == TANDEM_OK && packet != NULL) {
 *         tandem_packet_info info;
 *         tandem_packet_describe(packet, &info, sizeof info);
 *         fwrite(info.data, 1, info.bytes, file);
 *         tandem_packet_free(packet);
 *     }
 *
 * All packets after each other are the file that `tandem encode -o FILE.m2v` writes for the same pictures and settings,
 * byte for byte. Settings have the names, values and defaults of its options; messages write them so.
 *
 * Functions that can fail return a tandem_status; why is told by tandem_encode_settings_message() or
 * tandem_encoder_message(). No exception leaves this interface. Settings, an encoder and a packet each serve one thread
 * at a time; several may be used side by side.
 */
#ifndef TANDEM_ENCODER_H
#define TANDEM_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "c/tandem_motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A setting as data. Texts live as long as the library. */
typedef struct tandem_encode_setting {
    const char* name;     /* as the command's option, without dashes: "b-adapt" */
    const char* type;     /* "integer", "real", "toggle" (0 or 1), or "choice" (one of the words) */
    const char* words;    /* what the value may be, with | between; a number's beside its range; "" : none */
    double least, most;   /* of a number; both 0 where there are words alone */
    const char* usual;    /* where nothing is given; "" : it follows from others */
    const char* spelling; /* further names, with | between; "" : none */
    const char* help;     /* sentences */
} tandem_encode_setting;

/* The settings in the order of the command's help, from 0; TANDEM_BAD_INPUT from the table's end on. */
tandem_status tandem_encode_setting_at(size_t index, tandem_encode_setting* setting);

/* What is chosen of an encode; all of it has defaults. */
typedef struct tandem_encode_settings tandem_encode_settings;
/* *settings is yours to free, and NULL where there is no memory for it. */
tandem_status tandem_encode_settings_create(tandem_encode_settings** settings);
/*
 * `value`: as on the command line, "23", "0.45", "tm5". The order does not matter: a preset never counts above what is
 * set beside it. The name may have _ for -. After a failure the setting is what it was.
 */
tandem_status tandem_encode_settings_set(tandem_encode_settings* settings, const char* name, const char* value);
/* Whether the settings exclude or need one another; tandem_encoder_create() asks that too, and what the format allows.
 */
tandem_status tandem_encode_settings_check(tandem_encode_settings* settings);
/* Of the last call with these settings; "" after success. */
const char* tandem_encode_settings_message(const tandem_encode_settings* settings);
void tandem_encode_settings_free(tandem_encode_settings* settings); /* NULL is allowed */

/* What holds for all pictures. Fill it by tandem_encoder_format_defaults(), then set the size. */
typedef struct tandem_encoder_format {
    size_t size;                               /* of this struct; set by tandem_encoder_format_defaults() */
    int32_t width, height;                     /* luma samples, 1..16384; default 0: none */
    int64_t rate_numerator, rate_denominator;  /* pictures a second; default 25/1 */
    int64_t aspect_numerator;                  /* width of a sample by its height; */
    int64_t aspect_denominator;                /* default 0/1: unknown */
    int32_t colour_primaries, colour_transfer; /* code points of ISO/IEC 13818-2 tables 6-7 to 6-9; */
    int32_t colour_matrix;                     /* default 2: unspecified */
    int32_t keeps_reconstructions;             /* not 0: packets have the pictures that decoders will show; default 0 */
    int32_t measures;                          /* not 0: packets have squared errors and SSIM; default 0 */
} tandem_encoder_format;

void tandem_encoder_format_defaults(tandem_encoder_format* format);

/* The code point of a name: `option` is "colorprim", "transfer" or "colormatrix", the names are those that the command
 * has for it, "bt709"; -1 where it has none such. */
int32_t tandem_colour_code(const char* option, const char* name);

/*
 * A clip for an encoder with these settings (NULL: the defaults): as tandem_clip_open(), but luma becomes 16 to 235,
 * and pictures at uneven times, or at a rate that the codec cannot say, are repeated and left out so that they come
 * evenly, as `tandem encode` does. Lines of interlaced clips are kept as they are.
 */
tandem_status tandem_clip_open_to_encode(const char* path, const tandem_encode_settings* settings, tandem_clip** clip);
/* Sets the size, rate, aspect and colours of `format` to the clip's. */
tandem_status tandem_clip_format(tandem_clip* clip, tandem_encoder_format* format);

typedef struct tandem_encoder tandem_encoder;
typedef struct tandem_packet tandem_packet;

/*
 * `settings`, which are read during the call only, or NULL: the defaults. `device`: as of tandem_estimator_create(),
 * where motion is searched and, on GPUs, pictures are coded; the stream is the same. *encoder is yours to destroy,
 * after a failure too: it then has the message and serves for nothing else. NULL only where there is no memory for it.
 */
tandem_status tandem_encoder_create(const tandem_encode_settings* settings, const tandem_encoder_format* format,
                                    const char* device, tandem_encoder** encoder);
void tandem_encoder_destroy(tandem_encoder* encoder); /* NULL is allowed */

/* Of the last call with this encoder; "" after success. Valid until the next such call. */
const char* tandem_encoder_message(const tandem_encoder* encoder);
/* What a user should know of the stream or of devices, from 0: sentences; NULL from the end on. Valid until the next
 * call with this encoder. */
const char* tandem_encoder_note(tandem_encoder* encoder, size_t index);

/*
 * The next picture in the order in which they are shown, of the format's size; samples are copied. Luma alone is coded
 * with grey chroma. The second takes a picture that the library has, which is not copied where its sides are multiples
 * of 16. What fails while pictures are coded (memory, a buffer that underflows) ends the encode.
 */
tandem_status tandem_encoder_push(tandem_encoder* encoder, const tandem_picture* picture);
tandem_status tandem_encoder_push_handle(tandem_encoder* encoder, const tandem_picture_handle* picture);
/* Codes what is left; no push after it. The last packet has the bytes that end the stream. */
tandem_status tandem_encoder_finish(tandem_encoder* encoder);
/* The next packet in coding order, yours to free; NULL and TANDEM_OK where none is ready. */
tandem_status tandem_encoder_take(tandem_encoder* encoder, tandem_packet** packet);

/* A coded picture with the headers before it. */
typedef struct tandem_packet_info {
    const uint8_t* data; /* as long as the packet lives */
    size_t bytes;
    int64_t pts, dts; /* when it is shown and decoded, in pictures: times rate_denominator / rate_numerator seconds */
    char type;        /* 'I', 'P' or 'B' */
    int32_t is_key;   /* not 0: decoders can begin here */
    double quantiser; /* the picture's mean; of MPEG quantiser_scale_code, 1..31 */
    int32_t intra, forward, backward, both; /* macroblocks by how they are predicted, without the skipped ones */
    int32_t skipped;
    double mean_length; /* of the macroblocks' vectors, in pels */
    /* Where the format asked to measure, of Y, Cb and Cr: sums of (picture - reconstruction)^2 and how many samples, */
    uint64_t squared_errors[3], samples[3];
    double ssim; /* and SSIM of luma (8x8 windows, every fourth sample); else 0 */
} tandem_packet_info;

/* `size`: sizeof of the caller's struct, of which so much is filled. */
tandem_status tandem_packet_describe(const tandem_packet* packet, tandem_packet_info* info, size_t size);
/* What decoders will show, yours to free; NULL where the format did not ask to keep it. */
tandem_picture_handle* tandem_packet_reconstruction(const tandem_packet* packet);
void tandem_packet_free(tandem_packet* packet); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
