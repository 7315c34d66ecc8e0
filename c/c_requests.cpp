// SPDX-License-Identifier: BSD-2-Clause
// Requests and their tickets.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "c/c_handles.h"
#include "c/c_params.h"
#include "me/fields/formats.h"
#include "me/search.h"

namespace tandem {
namespace {

tandem_motion_request checked(const tandem_motion_request* given) {
    if (given == nullptr) throw InputError("request: NULL");
    if (given->size != sizeof(*given)) {
        throw InputError("request: a struct of " + std::to_string(given->size) +
                         " bytes; tandem_motion_request_defaults() sets its size, " + std::to_string(sizeof(*given)));
    }
    if (given->current == nullptr) throw InputError("current: the picture is NULL");
    if (given->reference == nullptr) throw InputError("reference: the picture is NULL");
    if (given->size_count > TANDEM_MOST_BLOCK_SIZES || (given->size_count > 0 && given->sizes == nullptr))
        throw InputError("sizes: " + std::to_string(given->size_count) + " of them; 0 to 64, and a place for them");
    return *given;
}

/// The sizes of the caller's; each makes good parameters.
std::vector<BlockSize> sizes_of(const tandem_motion_request& given, const SearchParams& params) {
    std::vector<BlockSize> sizes;
    for (const tandem_block_size& size : std::span(given.sizes, given.size_count)) {
        SearchParams one = params;
        one.block_width = size.width;
        one.block_height = size.height;
        refuse_invalid(one);
        sizes.push_back({size.width, size.height});
    }
    return sizes;
}

MotionRequest request_of(const tandem_motion_request& given) {
    MotionRequest request;
    std::optional<BlockSize> first;
    if (given.size_count > 0) first = BlockSize{given.sizes[0].width, given.sizes[0].height};
    request.params = search_params(given.params, first);
    request.sizes = sizes_of(given, request.params);
    request.current = given.current->frame;
    request.reference = given.reference->frame;
    request.first_row = given.first_row;
    request.end_row = given.end_row;
    if (request.params.planes == Planes::all && !(given.current->has_chroma && given.reference->has_chroma))
        throw InputError("planes: 'all' wants pictures with chroma");
    return request;
}

/// Of several sizes a hint may have any blocks.
void add_fields(const tandem_motion_request& given, MotionRequest& request) {
    FieldGeometry wanted{request.current->width(), request.current->height(), 0, 0};
    if (given.hint != nullptr && request.params.predictor == Predictor::zero &&
        request.params.algorithm != Algorithm::given)
        throw InputError("hint: there is no use for it with the predictor 'zero'");
    if (given.start != nullptr && !request.sizes.empty())
        throw InputError("start: a field is refined for its own block size, not for several");
    if (request.sizes.empty()) {
        wanted.block_width = request.params.block_width;
        wanted.block_height = request.params.block_height;
    }
    const auto add = [&](const char* name, const tandem_field* field, std::shared_ptr<const MotionField>& to) {
        if (field == nullptr) return;
        agree(name, geometry_of(*field->field), wanted);
        to = field->field;
    };
    add("hint", given.hint, request.hint);
    add("start", given.start, request.start);
}

/// Who asked for whatever there is has done nothing wrong.
[[noreturn]] void throw_no_gpu(bool automatic) {
    const char* const text = "interpolation: 'texture' is done by a GPU, and this estimator has none";
    if (automatic) throw RunError(text);
    throw InputError(text);
}

void refuse_unsupported(const tandem_estimator& estimator, const MotionRequest& request) {
    if (estimator.motion->supports(request.params)) return;
    if (request.params.interpolation == Interpolation::texture && estimator.motion->backend_names().front() == "cpu")
        throw_no_gpu(estimator.is_automatic);
    throw InputError("search: the device does not support '" + std::string(search_row(request.params.algorithm).name) +
                     "' with these parameters");
}

MotionRequest whole_request(const tandem_estimator& estimator, const tandem_motion_request* caller) {
    if (!estimator.motion) throw InputError("this estimator's device could not be opened");
    const tandem_motion_request given = checked(caller);
    MotionRequest request = request_of(given);
    add_fields(given, request);
    if (!request.start) refuse_unsupported(estimator, request);
    return request;
}

/// The answer's fields and who made them, or its error.
void take(tandem_ticket& ticket) {
    ticket.status = guarded(ticket.message, [&] {
        MotionResult result = ticket.answer.get();
        ticket.fields.push_back(std::make_shared<MotionField>(std::move(result.field)));
        for (MotionField& field : result.further)
            ticket.fields.push_back(std::make_shared<MotionField>(std::move(field)));
        ticket.device = std::move(result.backend);
    });
    if (ticket.status != TANDEM_OK) ticket.fields.clear();
}

} // namespace
} // namespace tandem

void tandem_motion_request_defaults(tandem_motion_request* request) {
    if (request == nullptr) return;
    *request = {};
    request->size = sizeof(*request);
    request->end_row = -1;
}

tandem_status tandem_motion_submit(tandem_estimator* estimator, const tandem_motion_request* request,
                                   tandem_ticket** ticket) {
    return tandem_motion_submit_batch(estimator, &request, 1, ticket);
}

tandem_status tandem_motion_submit_batch(tandem_estimator* estimator, const tandem_motion_request* const* requests,
                                         size_t count, tandem_ticket** tickets) {
    if (tickets != nullptr) std::fill_n(tickets, count, nullptr);
    return tandem::guarded(estimator, [&] {
        if (tickets == nullptr || requests == nullptr)
            throw tandem::InputError("requests: they or the tickets' places are NULL");
        std::vector<tandem::MotionRequest> all;
        std::vector<std::unique_ptr<tandem_ticket>> made;
        for (const tandem_motion_request* const request : std::span(requests, count)) {
            all.push_back(tandem::whole_request(*estimator, request));
            made.push_back(std::make_unique<tandem_ticket>());
        }
        auto answers = estimator->motion->submit_batch(std::move(all));
        for (std::size_t i = 0; i < count; ++i) {
            made[i]->answer = std::move(answers[i]);
            tickets[i] = made[i].release();
        }
    });
}

int tandem_ticket_ready(const tandem_ticket* ticket) { return tandem_ticket_ready_within(ticket, 0); }

int tandem_ticket_ready_within(const tandem_ticket* ticket, int32_t milliseconds) {
    if (ticket == nullptr) return 0;
    const std::chrono::milliseconds time(std::max(milliseconds, 0));
    return !ticket->answer.valid() || ticket->answer.wait_for(time) == std::future_status::ready;
}

tandem_status tandem_ticket_wait(tandem_ticket* ticket) {
    if (ticket == nullptr) return TANDEM_BAD_INPUT;
    if (ticket->answer.valid()) tandem::take(*ticket);
    return ticket->status;
}

const char* tandem_ticket_message(const tandem_ticket* ticket) {
    return ticket != nullptr ? ticket->message.c_str() : "there is no ticket";
}

const char* tandem_ticket_device(const tandem_ticket* ticket) {
    return ticket != nullptr ? ticket->device.c_str() : "";
}

size_t tandem_ticket_fields(const tandem_ticket* ticket) { return ticket != nullptr ? ticket->fields.size() : 0; }

tandem_status tandem_ticket_take_field(tandem_ticket* ticket, size_t index, tandem_field** field) {
    if (field != nullptr) *field = nullptr;
    if (ticket == nullptr || field == nullptr) return TANDEM_BAD_INPUT;
    return tandem::guarded(ticket->message, [&] {
        if (index >= ticket->fields.size()) {
            throw tandem::InputError("index: " + std::to_string(index) + "; the ticket has " +
                                     std::to_string(ticket->fields.size()) + " fields");
        }
        *field = tandem::field_handle_of(ticket->fields[index]).release();
    });
}

void tandem_ticket_free(tandem_ticket* ticket) { delete ticket; }
