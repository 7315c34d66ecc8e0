// SPDX-License-Identifier: BSD-2-Clause
#include "app/encode/encode_devices.h"

#include <utility>

#include "coding/costs/cost_meter.h"
#include "coding/filter/picture_filter.h"
#include "coding/mpeg/mpeg_backend.h"
#include "encoder/encoder.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/reach.h"

namespace tandem {

namespace {

CoprocessorOptions audited_options(const EncodeOptions& options, GpuAudit* audit, Trace* trace) {
    CoprocessorOptions made = coprocessor_options(options.device, options.split, trace);
    if (audit != nullptr) {
        made.audit = [audit](const MotionRequest& request, std::int64_t picture, const MotionField& field,
                             const std::string& backend) { audit->compare(request, picture, field, backend); };
    }
    return made;
}

} // namespace

EncodeDevices::EncodeDevices(const EncodeOptions& options, TaskPool& pool, GpuAudit* audit, Trace* trace)
    : choice_(options.device), verify_(options.verify_gpu) {
    const SearchParams search =
        search_params(options.settings, PictureType::predicted, largest_distance(options.settings));
    const bool are_awaited = !choice_.gpus || choice_.gpus_are_required || verify_;
    std::vector<std::unique_ptr<Estimator>> devices;
    if (are_awaited) {
        devices = open_devices(choice_);
        say_if_left_to_the_cpu(choice_, devices, search);
    }
    motion_ = std::make_unique<Coprocessor>(std::move(devices), make_cpu_estimator(pool, rank_of_searches),
                                            audited_options(options, audit, trace));
    if (are_awaited) return;
    opening_.emplace(choice_, [this, search](std::vector<std::unique_ptr<Estimator>> late) {
        say_if_left_to_the_cpu(choice_, late, search);
        for (std::unique_ptr<Estimator>& device : late)
            motion_->add(std::move(device));
    });
}

CodingDevices EncodeDevices::coding() {
    CodingDevices devices = coding_devices(choice_, verify_);
    if (!opening_ || !devices.make_mpeg) return devices;
    const auto once_open = [this](auto make) {
        return [this, make = std::move(make)](const auto&... what) {
            return opening_->is_done() ? make(what...) : std::nullopt;
        };
    };
    devices.make_mpeg = once_open(std::move(devices.make_mpeg));
    devices.make_costs = once_open(std::move(devices.make_costs));
    devices.make_filter = once_open(std::move(devices.make_filter));
    return devices;
}

} // namespace tandem
