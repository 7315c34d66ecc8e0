/* SPDX-License-Identifier: BSD-2-Clause */
/* Picture handles, requests and tickets, from C99. */
#include <stdlib.h>

#include "tests/c/c_pictures.h"

static int says(const char* message, const char* words) {
    if (strstr(message, words) != NULL) return 1;
    fprintf(stderr, "the message is: %s\n", message);
    return 0;
}

typedef struct pair {
    tandem_picture_handle *current, *reference;
} pair;

static tandem_motion_request request_of(const pair* pictures, const tandem_motion_params* params) {
    tandem_motion_request request;
    tandem_motion_request_defaults(&request);
    request.current = pictures->current;
    request.reference = pictures->reference;
    request.params = params;
    return request;
}

/* The one field of a request; NULL where it fails. */
static tandem_field* answer(tandem_estimator* estimator, const tandem_motion_request* request) {
    tandem_ticket* ticket = NULL;
    tandem_field* field = NULL;
    if (tandem_motion_submit(estimator, request, &ticket) != TANDEM_OK) return NULL;
    if (tandem_ticket_wait(ticket) == TANDEM_OK && tandem_ticket_ready(ticket)) {
        CHECK(tandem_ticket_fields(ticket) == 1);
        CHECK(tandem_ticket_take_field(ticket, 0, &field) == TANDEM_OK);
        CHECK(strcmp(tandem_ticket_device(ticket), "cpu") == 0);
    }
    tandem_ticket_free(ticket);
    return field;
}

/* Handles keep their own samples, whatever becomes of the caller's, and live as long as their last owner. */
static void test_handles(tandem_estimator* estimator, const tandem_picture* samples) {
    static uint8_t changing[height * stride];
    tandem_picture mine = *samples, kept;
    tandem_picture_handle *picture = NULL, *shared = NULL;
    memcpy(changing, samples->luma.data, sizeof changing);
    mine.luma.data = changing;
    CHECK(tandem_picture_create(estimator, &mine, &picture) == TANDEM_OK);
    memset(changing, 0, sizeof changing);
    shared = tandem_picture_share(picture);
    CHECK(shared == picture);
    tandem_picture_free(picture);
    kept = tandem_picture_samples(shared);
    CHECK(kept.luma.width == width && kept.luma.height == height && kept.cb.data == NULL && kept.cr.data == NULL);
    int equal = 1;
    for (int y = 0; y < height; ++y)
        equal = equal && memcmp(kept.luma.data + y * kept.luma.stride, samples->luma.data + y * stride, width) == 0;
    CHECK(equal);
    tandem_picture_free(shared);
    mine.luma.width = 0;
    CHECK(tandem_picture_create(estimator, &mine, &picture) == TANDEM_BAD_INPUT && picture == NULL);
    CHECK(says(tandem_estimator_message(estimator), "picture, luma: 0x50 samples"));
    CHECK(tandem_picture_create(estimator, NULL, &picture) == TANDEM_BAD_INPUT);
    CHECK(tandem_picture_create(estimator, samples, NULL) == TANDEM_BAD_INPUT);
    CHECK(tandem_picture_create(NULL, samples, &picture) == TANDEM_BAD_INPUT);
    CHECK(tandem_picture_share(NULL) == NULL && tandem_picture_samples(NULL).luma.data == NULL);
    tandem_picture_free(NULL);
}

/* What is submitted and waited for is what the call that waits gives. */
static void test_tickets(tandem_estimator* estimator, const pair* pictures, const tandem_picture* current,
                         const tandem_picture* reference) {
    enum { requests = 40 }; /* More than wait in the queue at a time. */
    tandem_ticket* tickets[requests];
    tandem_motion_params params;
    tandem_motion_defaults(&params);
    for (int i = 0; i < requests; ++i) {
        params.range_x = params.range_y = i % 8;
        const tandem_motion_request request = request_of(pictures, &params);
        CHECK(tandem_motion_submit(estimator, &request, &tickets[i]) == TANDEM_OK);
    }
    for (int i = requests - 1; i >= 0; --i) { /* Not in their order. */
        tandem_field *field = NULL, *expected = NULL;
        params.range_x = params.range_y = i % 8;
        CHECK(tandem_ticket_wait(tickets[i]) == TANDEM_OK && tandem_ticket_wait(tickets[i]) == TANDEM_OK);
        CHECK(tandem_ticket_ready(tickets[i]) == 1);
        CHECK(tandem_ticket_take_field(tickets[i], 0, &field) == TANDEM_OK);
        if (i < 8) {
            CHECK(tandem_motion_estimate(estimator, current, reference, &params, NULL, &expected) == TANDEM_OK);
            CHECK(same_field(field, expected));
        }
        tandem_field_destroy(field);
        tandem_field_destroy(expected);
        CHECK(tandem_ticket_take_field(tickets[i], 1, &field) == TANDEM_BAD_INPUT && field == NULL);
        CHECK(says(tandem_ticket_message(tickets[i]), "index: 1; the ticket has 1 fields"));
        tandem_ticket_free(tickets[i]);
    }
    CHECK(tandem_ticket_wait(NULL) == TANDEM_BAD_INPUT && tandem_ticket_ready(NULL) == 0);
    tandem_ticket_free(NULL);
}

static void test_batch_of_sizes(tandem_estimator* estimator, const pair* pictures) {
    static const tandem_block_size sizes[] = {{16, 16}, {8, 8}, {4, 8}};
    tandem_motion_request several = request_of(pictures, NULL), alone[3];
    const tandem_motion_request* all[4] = {&several, &alone[0], &alone[1], &alone[2]};
    tandem_motion_params params[3];
    tandem_ticket* tickets[4];
    several.sizes = sizes;
    several.size_count = 3;
    for (int i = 0; i < 3; ++i) {
        tandem_motion_defaults(&params[i]);
        params[i].block_width = sizes[i].width;
        params[i].block_height = sizes[i].height;
        alone[i] = request_of(pictures, &params[i]);
    }
    CHECK(tandem_motion_submit_batch(estimator, all, 4, tickets) == TANDEM_OK);
    for (int i = 0; i < 4; ++i) {
        CHECK(tandem_ticket_wait(tickets[i]) == TANDEM_OK);
        CHECK(tandem_ticket_fields(tickets[i]) == (i == 0 ? 3 : 1));
    }
    for (int i = 0; i < 3; ++i) {
        tandem_field *field = NULL, *expected = NULL;
        CHECK(tandem_ticket_take_field(tickets[0], (size_t)i, &field) == TANDEM_OK);
        CHECK(tandem_ticket_take_field(tickets[1 + i], 0, &expected) == TANDEM_OK);
        CHECK(same_field(field, expected));
        tandem_field_destroy(field);
        tandem_field_destroy(expected);
    }
    for (int i = 0; i < 4; ++i)
        tandem_ticket_free(tickets[i]);
    params[2].block_width = 3;
    CHECK(tandem_motion_submit_batch(estimator, all, 4, tickets) == TANDEM_BAD_INPUT);
    CHECK(tickets[0] == NULL && tickets[3] == NULL);
    CHECK(says(tandem_estimator_message(estimator), "block width is 3"));
}

/* A search to half-pels is a search and a refinement. */
static void test_refinement(tandem_estimator* estimator, const pair* pictures) {
    tandem_motion_params params;
    tandem_motion_defaults(&params);
    params.candidates = 2;
    params.range_x = params.range_y =
        1; /* The motion is larger: the mean of two samples is nearer to noise than one. */
    tandem_motion_request request = request_of(pictures, &params);
    tandem_field* const start = answer(estimator, &request);
    params.precision = 2;
    tandem_field* const whole = answer(estimator, &request);
    request.start = start;
    params.range_x = params.range_y = 0; /* Nothing is searched. */
    tandem_field* const refined = answer(estimator, &request);
    CHECK(start != NULL && whole != NULL && refined != NULL);
    CHECK(same_field(refined, whole));
    CHECK(!same_field(start, whole));
    params.block_width = 8;
    CHECK(answer(estimator, &request) == NULL);
    CHECK(says(tandem_estimator_message(estimator), "start: the fields are of 75x50 in blocks of 16x16"));
    tandem_field_destroy(start);
    tandem_field_destroy(whole);
    tandem_field_destroy(refined);
}

static void test_rows(tandem_estimator* estimator, const pair* pictures) {
    uint32_t costs[rows * columns];
    tandem_motion_request request = request_of(pictures, NULL);
    request.first_row = 1;
    request.end_row = 3;
    tandem_field* const field = answer(estimator, &request);
    CHECK(tandem_field_costs(field, costs, rows * columns) == TANDEM_OK);
    for (int block = 0; block < rows * columns; ++block)
        CHECK((costs[block] != UINT32_MAX) == (block / columns == 1 || block / columns == 2));
    tandem_field_destroy(field);
    request.end_row = 5;
    tandem_ticket* ticket = NULL;
    CHECK(tandem_motion_submit(estimator, &request, &ticket) == TANDEM_OK);
    CHECK(tandem_ticket_wait(ticket) == TANDEM_BAD_INPUT && tandem_ticket_fields(ticket) == 0);
    CHECK(says(tandem_ticket_message(ticket), "rows 1 to 5 in a field of 4"));
    tandem_ticket_free(ticket);
}

static void test_refusals(tandem_estimator* estimator, const pair* pictures) {
    tandem_ticket* ticket = (tandem_ticket*)estimator; /* must be cleared */
    tandem_motion_request request;
#define REFUSED(change, words)                                                                                         \
    do {                                                                                                               \
        request = request_of(pictures, NULL);                                                                          \
        change;                                                                                                        \
        CHECK(tandem_motion_submit(estimator, &request, &ticket) == TANDEM_BAD_INPUT && ticket == NULL);               \
        CHECK(says(tandem_estimator_message(estimator), words));                                                       \
    } while (0)
    REFUSED(request.current = NULL, "current: the picture is NULL");
    REFUSED(request.reference = NULL, "reference: the picture is NULL");
    REFUSED(request.size = 3, "request: a struct of 3 bytes");
    REFUSED(request.size_count = 65, "sizes: 65 of them; 0 to 64");
    REFUSED(request.size_count = 1, "sizes: 1 of them");
#undef REFUSED
    CHECK(tandem_motion_submit(estimator, NULL, &ticket) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_submit(estimator, &request, NULL) == TANDEM_BAD_INPUT);
    CHECK(tandem_motion_submit(NULL, &request, &ticket) == TANDEM_BAD_INPUT);
}

/* Tickets outlive their estimator: they are answered, or they say why not. */
static void test_end(const pair* pictures) {
    tandem_estimator* estimator = NULL;
    tandem_ticket* tickets[8];
    CHECK(tandem_estimator_create("cpu", 1, &estimator) == TANDEM_OK);
    const tandem_motion_request request = request_of(pictures, NULL);
    for (int i = 0; i < 8; ++i)
        CHECK(tandem_motion_submit(estimator, &request, &tickets[i]) == TANDEM_OK);
    tandem_ticket_free(tickets[0]); /* Nobody waits for this one. */
    tandem_estimator_destroy(estimator);
    for (int i = 1; i < 8; ++i) {
        const tandem_status status = tandem_ticket_wait(tickets[i]);
        CHECK(status == TANDEM_OK || says(tandem_ticket_message(tickets[i]), "motion estimation was stopped"));
        tandem_ticket_free(tickets[i]);
    }
}

static void test_devices(const pair* pictures) {
    static const char* const all[] = {"auto", "gpu", "gpu:0", "gpu:0,1", "cpu+gpu", "cpu+gpu:0"};
    static const char* const bad[] = {"", "gpu:", "gpu:0,0", "gpu:-1", "gpu:1,", "cpu+", "cpu+cpu", "gpu+cpu", "CPU"};
    tandem_estimator* estimator = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        const tandem_status status = tandem_estimator_create(all[i], 1, &estimator);
        CHECK(status == TANDEM_OK || (status == TANDEM_FAILED && i > 0));
        if (status != TANDEM_OK) CHECK(says(tandem_estimator_message(estimator), all[i]));
        if (status == TANDEM_OK) {
            tandem_ticket* ticket = NULL;
            const tandem_motion_request request = request_of(pictures, NULL);
            CHECK(tandem_motion_submit(estimator, &request, &ticket) == TANDEM_OK);
            CHECK(tandem_ticket_wait(ticket) == TANDEM_OK);
            tandem_ticket_free(ticket);
        }
        tandem_estimator_destroy(estimator);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        CHECK(tandem_estimator_create(bad[i], 1, &estimator) == TANDEM_BAD_INPUT);
        CHECK(says(tandem_estimator_message(estimator), "is none of auto, cpu, gpu"));
        tandem_estimator_destroy(estimator);
    }
}

int main(void) {
    static uint8_t moved[height * stride], still[height * stride];
    tandem_estimator* estimator = NULL;
    pair pictures = {NULL, NULL};
    draw(moved, 3, -2);
    draw(still, 0, 0);
    const tandem_picture current = picture_of(moved), reference = picture_of(still);
    CHECK(tandem_estimator_create("cpu", 2, &estimator) == TANDEM_OK);
    CHECK(tandem_picture_create(estimator, &current, &pictures.current) == TANDEM_OK);
    CHECK(tandem_picture_create(estimator, &reference, &pictures.reference) == TANDEM_OK);
    test_handles(estimator, &current);
    test_tickets(estimator, &pictures, &current, &reference);
    test_batch_of_sizes(estimator, &pictures);
    test_refinement(estimator, &pictures);
    test_rows(estimator, &pictures);
    test_refusals(estimator, &pictures);
    tandem_estimator_destroy(estimator);
    test_end(&pictures);
    test_devices(&pictures);
    tandem_picture_free(pictures.current);
    tandem_picture_free(pictures.reference);
    if (failures > 0) fprintf(stderr, "%d checks failed\n", failures);
    return failures > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
