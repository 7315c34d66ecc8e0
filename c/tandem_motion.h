/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The C interface of Tandem's motion library: pictures in, motion fields out. C99 and C++.
 *
 *     tandem_estimator* estimator;
 *     tandem_estimator_create("auto", 0, &estimator);
 *     tandem_picture_handle* pictures[2];                      // Read, and brought to a GPU, once.
 *     tandem_picture_create(estimator, &samples[0], &pictures[0]);
 *     tandem_picture_create(estimator, &samples[1], &pictures[1]);
 *     tandem_motion_request request;
 *     tandem_motion_request_defaults(&request);
 *     request.reference = pictures[0];
 *     request.current = pictures[1];
 *     tandem_ticket* ticket;
 *     tandem_motion_submit(estimator, &request, &ticket);
 *     ...                                                      // Something else; further requests.
 *     tandem_field* field;
 *     if (tandem_ticket_wait(ticket) == TANDEM_OK) tandem_ticket_take_field(ticket, 0, &field);
 *     tandem_ticket_free(ticket);
 *
 * A vector (x, y) is in eighths of a luma sample, x to the right and y down:
 * prediction(p) = reference(p + vector). What moved 2.5 samples to the right has x = -20.
 *
 * Functions that can fail return a tandem_status. Why is told by tandem_estimator_message(), where an estimator is
 * among the arguments, or by tandem_ticket_message(). No exception leaves this interface. One estimator or ticket
 * serves one thread at a time, but a ticket may be waited for while its estimator serves another; several may be used
 * side by side. Fields and pictures behind handles never change and may be read by any number of threads.
 */
#ifndef TANDEM_MOTION_H
#define TANDEM_MOTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version that this header belongs to; tandem_motion_version() is that of the library, as "0.1.0". */
#define TANDEM_MOTION_VERSION_MAJOR 0
#define TANDEM_MOTION_VERSION_MINOR 1
#define TANDEM_MOTION_VERSION_PATCH 0
const char* tandem_motion_version(void);

typedef enum tandem_status {
    TANDEM_OK = 0,
    TANDEM_FAILED = 1,   /* a device, or memory */
    TANDEM_BAD_INPUT = 2 /* an argument; the message names the value and the limit */
} tandem_status;

/* 8-bit samples of the caller's, read during a call only. Row y starts at data + y * stride; |stride| >= width. */
typedef struct tandem_plane {
    const uint8_t* data;
    ptrdiff_t stride;
    int32_t width, height; /* 1..16384 */
} tandem_plane;

/* Luma alone (both chroma planes with data NULL) or 4:2:0: each chroma plane is (width + 1) / 2 x (height + 1) / 2. */
typedef struct tandem_picture {
    tandem_plane luma, cb, cr;
} tandem_picture;

/*
 * A picture that the library keeps: its samples are copied once, and brought to a device once, however many requests
 * name it. It may serve with several estimators.
 */
typedef struct tandem_picture_handle tandem_picture_handle;

/* A plane of the caller's, to be written by tandem_motion_compensate(); rows as in tandem_plane. */
typedef struct tandem_target {
    uint8_t* data;
    ptrdiff_t stride;
} tandem_target;

/*
 * How to search. Fill it by tandem_motion_defaults(), then change what you need. The names must live during the call
 * that they are given to. docs/motion-search.md tells more of each search.
 */
typedef struct tandem_motion_params {
    size_t size;                       /* of this struct in the caller's version; set by tandem_motion_defaults() */
    const char* search;                /* a name of tandem_motion_search_name(); default "full" */
    const char* metric;                /* "sad" (default), "ssd", "satd", "zsad", "ncc" */
    const char* planes;                /* whose samples count: "luma" (default), "all" */
    const char* interpolation;         /* "bilinear" (default), "six-tap", "texture" (GPU) */
    const char* boundary;              /* "inside" the reference (default), or "padded" by its edges */
    const char* predictor;             /* of a vector's bits: "zero" (default), "hint", "neighbours" */
    int32_t block_width, block_height; /* samples, 4..128; default 16 */
    int32_t range_x, range_y;          /* samples, 0..4080; default 16 */
    int32_t precision;                 /* positions per sample: 1 (default), 2, 4, 8 */
    int32_t grid;                      /* of a full search: 1 (default), 2, 4, 8; at most the precision */
    int32_t candidates;                /* kept per block, 1 (default)..16; zero is one from 2 on, predictor from 3 */
    uint32_t lambda_q8;                /* distortion per bit times 256, 0 (default)..2^24 */
    int32_t rate_unit;                 /* eighths per coded step of a vector: 8, 4 (default), 2, 1 */
    uint32_t null_threshold;           /* blocks with no more distortion at zero are not searched; 0 (default): off,
                                          to 2^32 - 2 */
    uint32_t null_gain;                /* what a vector must gain per sample over zero; 0 (default): off, to 65536 */
    int32_t brute_force;               /* not 0: full search without elimination, same result; default 0 */
    int32_t first_step;                /* tss, log: samples, to 4080; 0 (default): as the range needs */
    const char* step_sequence;         /* log: "falling" (default), "halving" */
    uint32_t smpuhex_converged;        /* smpuhex: cost for 256 samples; default 1000 */
    uint32_t smpuhex_wide;             /* smpuhex: the same; default 800 */
    uint32_t smpuhex_wide_small;       /* smpuhex: the same; default 7000 */
    int32_t passes;                    /* smpuhex: 1..4; default 2 */
    const char* block_order;           /* smpuhex: "passes" (default), "raster" */
    int32_t levels;                    /* hier: sizes of the pyramid, 1..5; default 3 */
    int32_t level_candidates;          /* hier: 1..8; default 4 */
    int32_t phase_window;              /* poc: side of the windows, samples: 16, 32 (default), 64, 128, 256 */
    int32_t phase_layers;              /* poc: sizes of the pyramid, 1 (default)..4 */
    int32_t phase_hann;                /* poc: not 0 (default): windows fade to their edges */
    int32_t phase_peaks;               /* poc: highest peaks measured: max(this, candidates); 1..16, default 4 */
    uint32_t null_level;  /* null_threshold per sample of luma (Massanes et al. 2011, eq. 4: 4); 0 (default): off,
                             to 65535 */
    const char* me_start; /* where walks begin: "zero" (default), or "predictors", what a coarse search found */
    int32_t wide_range;   /* predictive: samples about the best vector, 0 (default: off)..4080, within which each block
                             is searched at quarter size */
} tandem_motion_params;

void tandem_motion_defaults(tandem_motion_params* params);

/* The searches' names, in the order of their table; NULL from the table's end on. */
const char* tandem_motion_search_name(size_t index);

typedef struct tandem_estimator tandem_estimator;
typedef struct tandem_field tandem_field;

/*
 * `device`: "cpu"; "gpu": all GPUs, or "gpu:N" or "gpu:0,2": those; "cpu+gpu", "cpu+gpu:0,2": the same, and the CPU
 * takes its share of the requests; "auto": the GPUs where there are any that can do the search, else the CPU. All give
 * the same field, bit for bit (but for "poc" and "texture", docs/cuda.md). A GPU that fails is used no more, and what
 * it had to do is done by the others, and by the CPU where it is one of them; of "gpu" the last one stays and its
 * errors are told. `threads` of the CPU, to 1024; 0: all of the machine. *estimator is yours to destroy, after a
 * failure too: it then has the message and serves for nothing else. NULL only where there is no memory for it. Where
 * there is a GPU, a call may leave another CUDA device current to its thread.
 */
tandem_status tandem_estimator_create(const char* device, int threads, tandem_estimator** estimator);
/* NULL is allowed. Requests under way are dropped: tickets still waiting for them fail. */
void tandem_estimator_destroy(tandem_estimator* estimator);

/* Of the last call that was given this estimator; "" after success. Valid until the next such call. */
const char* tandem_estimator_message(const tandem_estimator* estimator);

/*
 * A picture of the caller's samples, which are read during the call only; sizes as in tandem_picture. *picture is yours
 * to free, and NULL after a failure.
 */
tandem_status tandem_picture_create(tandem_estimator* estimator, const tandem_picture* samples,
                                    tandem_picture_handle** picture);
/* Another owner, who frees it too: the same pointer. */
tandem_picture_handle* tandem_picture_share(tandem_picture_handle* picture);
/* The last owner's call lets the picture go, or leaves it to requests under way. NULL is allowed. */
void tandem_picture_free(tandem_picture_handle* picture);
/* Its samples where the library has them, for as long as the picture has an owner; not to be written. */
tandem_picture tandem_picture_samples(const tandem_picture_handle* picture);

/*
 * The pictures of a clip, in the order in which they are shown: y4m, raw video whose name tells its size, and, where
 * the library was built with FFmpeg's, whatever those open; brought to 8-bit 4:2:0 where they are not, with their own
 * range of luma. "-" is standard input. *clip is yours to close, after a failure too: it then has the message. One clip
 * serves one thread at a time.
 */
typedef struct tandem_clip tandem_clip;
tandem_status tandem_clip_open(const char* path, tandem_clip** clip);
/* The next picture, yours to free; NULL and TANDEM_OK after the last. */
tandem_status tandem_clip_read(tandem_clip* clip, tandem_picture_handle** picture);
/* Of the last call with this clip; "" after success. */
const char* tandem_clip_message(const tandem_clip* clip);
void tandem_clip_close(tandem_clip* clip); /* NULL is allowed */

/*
 * Both pictures have one size. `params`, or NULL: the defaults. `hint`: a field of pictures of that size in the same
 * blocks, or NULL. The search "given" needs one; the predictors "hint" and "neighbours" begin with its vectors, or with
 * zero where it is NULL; with the predictor "zero" it is bad input. *field is yours to destroy; it is NULL after a
 * failure.
 */
tandem_status tandem_motion_estimate(tandem_estimator* estimator, const tandem_picture* current,
                                     const tandem_picture* reference, const tandem_motion_params* params,
                                     const tandem_field* hint, tandem_field** field);

/* Samples, 4..128. */
typedef struct tandem_block_size {
    int32_t width, height;
} tandem_block_size;
#define TANDEM_MOST_BLOCK_SIZES 64

/*
 * The same for `count` sizes of blocks, 1..64, at once: fields[i] is what tandem_motion_estimate() gives for sizes[i]
 * in the place of params' block size, but what the sizes have in common is measured once. `hint`, or NULL, may have any
 * blocks: each size takes from it what lies at the middles of its own. All fields are yours to destroy; after a failure
 * all are NULL, but another count is refused before anything is written to `fields`.
 */
tandem_status tandem_motion_estimate_sizes(tandem_estimator* estimator, const tandem_picture* current,
                                           const tandem_picture* reference, const tandem_motion_params* params,
                                           const tandem_field* hint, const tandem_block_size* sizes, size_t count,
                                           tandem_field** fields);

/*
 * What is searched, for tandem_motion_submit(). Fill it by tandem_motion_request_defaults(), then name the two
 * pictures. All that it points to must live during the call only.
 */
typedef struct tandem_motion_request {
    size_t size;                          /* of this struct; set by tandem_motion_request_defaults() */
    const tandem_picture_handle* current; /* both of one size */
    const tandem_picture_handle* reference;
    const tandem_motion_params* params; /* NULL (default): the defaults */
    const tandem_field* hint;           /* as for tandem_motion_estimate(); NULL (default): none */
    /* NULL (default), or a field of pictures of this size in the same blocks: nothing is searched, its candidates are
       measured and refined to params' precision, from half of 1 / grid on. A GPU
       does that for "bilinear" and luma, else the CPU. */
    const tandem_field* start;
    const tandem_block_size* sizes; /* so many sizes of blocks in the place of params', a field for each; */
    size_t size_count;              /* 0 (default): those of params, to TANDEM_MOST_BLOCK_SIZES */
    int32_t first_row, end_row;     /* rows of blocks first_row..end_row-1 are searched, others left empty;
                                       defaults 0 and -1: all. Several sizes: all rows only */
} tandem_motion_request;

void tandem_motion_request_defaults(tandem_motion_request* request);

/* The answer to come. */
typedef struct tandem_ticket tandem_ticket;

/*
 * Hands a request to the estimator's devices and returns, or waits while 32 requests wait there. *ticket is yours to
 * free; it is NULL after a failure. Several at once are answered as each alone, but a GPU searches those together that
 * are alike, which is faster for small pictures; where one is bad input, none is searched.
 */
tandem_status tandem_motion_submit(tandem_estimator* estimator, const tandem_motion_request* request,
                                   tandem_ticket** ticket);
tandem_status tandem_motion_submit_batch(tandem_estimator* estimator, const tandem_motion_request* const* requests,
                                         size_t count, tandem_ticket** tickets);

/* Whether the answer is there, 1 or 0; the second waits for it, so many milliseconds at most. */
int tandem_ticket_ready(const tandem_ticket* ticket);
int tandem_ticket_ready_within(const tandem_ticket* ticket, int32_t milliseconds);
/* Waits for the answer. The status is the search's, and the same at each call. */
tandem_status tandem_ticket_wait(tandem_ticket* ticket);
/* After tandem_ticket_wait(): why it failed, or ""; who answered, as "cpu" or "gpu:0 NVIDIA H200 + gpu:1 NVIDIA H200".
 */
const char* tandem_ticket_message(const tandem_ticket* ticket);
const char* tandem_ticket_device(const tandem_ticket* ticket);
/* How many fields there are, one or one for each size, and one of them, from 0, which is yours to destroy. */
size_t tandem_ticket_fields(const tandem_ticket* ticket);
tandem_status tandem_ticket_take_field(tandem_ticket* ticket, size_t index, tandem_field** field);
/* NULL is allowed, and a ticket whose answer has not come: it is dropped when it does. */
void tandem_ticket_free(tandem_ticket* ticket);

/*
 * Writes the prediction of a picture from the reference by each block's best vector: luma, and cb and cr where the
 * reference has chroma. Their sizes are the reference's. `interpolation` as in tandem_motion_params; the CPU does it,
 * "texture" as "bilinear".
 */
tandem_status tandem_motion_compensate(tandem_estimator* estimator, const tandem_field* field,
                                       const tandem_picture* reference, const char* interpolation, tandem_target luma,
                                       tandem_target cb, tandem_target cr);

/*
 * A field of the caller's, as a hint or to compensate with. Arrays as tandem_field_vectors() and its like give them;
 * distortions and costs may both be NULL: 0. Distortion UINT32_MAX says that there is no candidate: its vector and cost
 * are not looked at, and the field has 0, 0 and UINT32_MAX. A candidate after it in the same block is bad input.
 */
tandem_status tandem_field_create(tandem_estimator* estimator, int32_t picture_width, int32_t picture_height,
                                  int32_t block_width, int32_t block_height, int32_t candidates, const int16_t* vectors,
                                  const uint32_t* distortions, const uint32_t* costs, tandem_field** field);
void tandem_field_destroy(tandem_field* field); /* NULL is allowed */

/* Blocks of a field: ceil(picture height / block height) rows, ceil(picture width / block width) columns. */
int32_t tandem_field_rows(const tandem_field* field);
int32_t tandem_field_columns(const tandem_field* field);
int32_t tandem_field_candidates(const tandem_field* field);

/*
 * Write into the caller's memory, blocks in raster order, each with its candidates, best first: two numbers x, y for
 * each candidate, or one. A candidate that is none has distortion and cost UINT32_MAX. `capacity` counts numbers;
 * TANDEM_BAD_INPUT where it is less than rows * columns * candidates (vectors: times 2), and nothing is written.
 */
tandem_status tandem_field_vectors(const tandem_field* field, int16_t* vectors, size_t capacity);
tandem_status tandem_field_distortions(const tandem_field* field, uint32_t* distortions, size_t capacity);
tandem_status tandem_field_costs(const tandem_field* field, uint32_t* costs, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
