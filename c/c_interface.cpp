// SPDX-License-Identifier: BSD-2-Clause
// Devices, and searches that the caller waits for: each is a request and its ticket.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "c/c_devices.h"
#include "c/c_handles.h"
#include "machine/threads.h"
#include "me/search.h"

#define TANDEM_TEXT_OF(number) #number
#define TANDEM_VERSION_TEXT(major, minor, patch)                                                                       \
    TANDEM_TEXT_OF(major) "." TANDEM_TEXT_OF(minor) "." TANDEM_TEXT_OF(patch)

namespace tandem {
namespace {

void open_devices(tandem_estimator& estimator, const std::string& device, int threads) {
    constexpr int most_threads = 1024;
    if (threads < 0 || threads > most_threads) {
        throw InputError("threads: " + std::to_string(threads) + "; 0 to " + std::to_string(most_threads));
    }
    const int count = threads_or_all(threads);
    const DeviceChoice choice = device_choice(device);
    auto gpus = open_gpus(choice, device);
    auto workers = std::make_unique<Workers>(count);
    const bool with_cpu = !choice.gpus_are_required || choice.cpu_shares;
    CoprocessorOptions options;
    options.fallback_shares = choice.cpu_shares;
    estimator.motion =
        std::make_unique<Coprocessor>(std::move(gpus), with_cpu ? make_cpu_estimator(count) : nullptr, options);
    estimator.workers = std::move(workers);
    estimator.is_automatic = choice.gpus && !choice.gpus_are_required;
}

/// Both pictures as handles that last as long as the call.
struct PicturePair {
    PicturePair(const tandem_picture* current_samples, const tandem_picture* reference_samples)
        : current(picture_handle_of("current", current_samples)),
          reference(picture_handle_of("reference", reference_samples)) {}
    std::unique_ptr<tandem_picture_handle> current, reference;
};

/// What the caller would do with a ticket.
void wait_for_fields(tandem_estimator& estimator, const tandem_motion_request& request, tandem_field** fields) {
    const auto refuse = [](tandem_status status, const std::string& message) {
        if (status == TANDEM_BAD_INPUT) throw InputError(message);
        if (status != TANDEM_OK) throw RunError(message);
    };
    tandem_ticket* made = nullptr;
    const tandem_status submitted = tandem_motion_submit(&estimator, &request, &made);
    const std::unique_ptr<tandem_ticket, void (*)(tandem_ticket*)> ticket(made, tandem_ticket_free);
    refuse(submitted, estimator.message);
    const tandem_status answered = tandem_ticket_wait(made);
    refuse(answered, made->message);
    std::vector<std::unique_ptr<tandem_field>> found;
    for (const auto& field : made->fields)
        found.push_back(field_handle_of(field));
    for (std::size_t i = 0; i < found.size(); ++i)
        fields[i] = found[i].release();
}

tandem_motion_request request_of(const PicturePair& pictures, const tandem_motion_params* params,
                                 const tandem_field* hint) {
    tandem_motion_request request;
    tandem_motion_request_defaults(&request);
    request.current = pictures.current.get();
    request.reference = pictures.reference.get();
    request.params = params;
    request.hint = hint;
    return request;
}

} // namespace
} // namespace tandem

const char* tandem_motion_version(void) {
    return TANDEM_VERSION_TEXT(TANDEM_MOTION_VERSION_MAJOR, TANDEM_MOTION_VERSION_MINOR, TANDEM_MOTION_VERSION_PATCH);
}

const char* tandem_motion_search_name(size_t index) {
    const auto table = tandem::search_table();
    // The table's names are literals, so they end with a zero.
    return index < table.size() ? table[index].name.data() : nullptr;
}

tandem_status tandem_estimator_create(const char* device, int threads, tandem_estimator** estimator) {
    if (estimator == nullptr) return TANDEM_BAD_INPUT;
    *estimator = new (std::nothrow) tandem_estimator;
    if (*estimator == nullptr) return TANDEM_FAILED;
    return tandem::guarded(*estimator, [&] {
        if (device == nullptr) throw tandem::InputError("device: NULL is none of " + std::string(tandem::device_words));
        tandem::open_devices(**estimator, device, threads);
    });
}

void tandem_estimator_destroy(tandem_estimator* estimator) { delete estimator; }

const char* tandem_estimator_message(const tandem_estimator* estimator) {
    return estimator != nullptr ? estimator->message.c_str() : "there is no estimator";
}

tandem_status tandem_motion_estimate(tandem_estimator* estimator, const tandem_picture* current,
                                     const tandem_picture* reference, const tandem_motion_params* params,
                                     const tandem_field* hint, tandem_field** field) {
    if (field != nullptr) *field = nullptr;
    return tandem::guarded(estimator, [&] {
        if (field == nullptr) throw tandem::InputError("field: there is no place for it");
        const tandem::PicturePair pictures(current, reference);
        tandem::wait_for_fields(*estimator, tandem::request_of(pictures, params, hint), field);
    });
}

tandem_status tandem_motion_estimate_sizes(tandem_estimator* estimator, const tandem_picture* current,
                                           const tandem_picture* reference, const tandem_motion_params* params,
                                           const tandem_field* hint, const tandem_block_size* sizes, size_t count,
                                           tandem_field** fields) {
    const bool is_count = count >= 1 && count <= TANDEM_MOST_BLOCK_SIZES;
    if (fields != nullptr && is_count) std::fill_n(fields, count, nullptr);
    return tandem::guarded(estimator, [&] {
        if (fields == nullptr || sizes == nullptr)
            throw tandem::InputError("sizes: they or the fields' places are NULL");
        if (!is_count) throw tandem::InputError("sizes: " + std::to_string(count) + " of them; 1 to 64");
        const tandem::PicturePair pictures(current, reference);
        tandem_motion_request request = tandem::request_of(pictures, params, hint);
        request.sizes = sizes;
        request.size_count = count;
        tandem::wait_for_fields(*estimator, request, fields);
    });
}
