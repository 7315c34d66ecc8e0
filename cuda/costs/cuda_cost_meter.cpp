// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/costs/cuda_cost_meter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cuda/costs/measure_costs.h"
#include "cuda/device/memory_parts.h"

namespace tandem::cuda {

/// What goes up.
struct CudaCostMeter::InputParts {
    CostItem* items; ///< Intra, predicted, both.
    std::vector<Candidate*> fields;

    InputParts(MemoryParts& parts, const CostWork& work)
        : items(parts.take<CostItem>(work.intra.size() + work.predicted.size() + work.both.size())) {
        for (const CostWork::Predicted& predicted : work.predicted)
            fields.push_back(parts.take<Candidate>(predicted.field.all().size()));
    }
};

namespace {

/// More than a lookahead holds: copies go with their pictures.
constexpr std::size_t most_pictures = 512;
constexpr std::size_t row_alignment = 64;

std::size_t stride_of(const Frame& half) {
    return (static_cast<std::size_t>(half.width()) + row_alignment - 1) / row_alignment * row_alignment;
}

/// Where the work's costs go.
std::set<std::shared_ptr<CostMemory>> measured_memory(const CostWork& work) {
    std::set<std::shared_ptr<CostMemory>> measured;
    for (const CostWork::Intra& each : work.intra)
        measured.insert(each.costs->memory());
    for (const CostWork::Predicted& each : work.predicted)
        measured.insert(each.costs->memory());
    for (const CostWork::Both& each : work.both)
        measured.insert(each.costs->memory());
    return measured;
}

} // namespace

/// The lookahead waits for its kernels, which are small.
CudaCostMeter::CudaCostMeter(const DeviceInfo& device)
    : device_(device), freed_memory_(device.ordinal), pictures_(most_pictures),
      stream_(stream_on(device.ordinal, Stream::Priority::urgent)) {}

CudaCostMeter::~CudaCostMeter() { stream_.drain(); }

std::string CudaCostMeter::name() const { return name_of(device_); }

const std::uint8_t* CudaCostMeter::uploaded(const HalfPicture& picture) {
    const auto copy = pictures_.get(picture.frame, [&] {
        const PlaneView luma = picture.frame->luma().view();
        const std::size_t stride = stride_of(*picture.frame);
        auto memory = pool_->take(stride * static_cast<std::size_t>(luma.height));
        copy_rows_to_device(memory->data(), stride, luma.data, static_cast<std::size_t>(luma.stride),
                            static_cast<std::size_t>(luma.width), static_cast<std::size_t>(luma.height), stream_);
        return memory;
    });
    return static_cast<const std::uint8_t*>(copy->data());
}

/// Uninitialised.
const DeviceMemory& CudaCostMeter::make_copy(const std::shared_ptr<CostMemory>& memory) {
    return *(cost_copies_[memory] = pool_->take(memory->bytes()));
}

/// Costs that the work refers to and that the CPU measured before the device was there.
void CudaCostMeter::upload_known(const CostWork& work, const std::set<std::shared_ptr<CostMemory>>& measured) {
    const auto upload = [&](const PredictedCosts& costs) {
        const std::shared_ptr<CostMemory>& memory = costs.memory();
        if (measured.contains(memory) || cost_copies_.contains(memory)) return;
        copy_to_device(make_copy(memory).data(), memory->data(), memory->bytes(), stream_);
    };
    for (const CostWork::Both& both : work.both) {
        upload(*both.forward);
        upload(*both.backward);
    }
}

template <class Cost> Cost* CudaCostMeter::on_device(const CostArray<Cost>& costs) const {
    const std::ptrdiff_t at = reinterpret_cast<const std::uint8_t*>(costs.data()) - costs.memory()->data();
    return reinterpret_cast<Cost*>(static_cast<std::uint8_t*>(cost_copies_.at(costs.memory())->data()) + at);
}

/// Uploads the pictures that are not there yet.
void CudaCostMeter::list_items(const CostWork& work, const InputParts& input, CostItem* next) {
    for (const CostWork::Intra& each : work.intra)
        *next++ = {.picture = uploaded(*each.picture), .costs = on_device(*each.costs)};
    for (std::size_t i = 0; i < work.predicted.size(); ++i) {
        const CostWork::Predicted& each = work.predicted[i];
        *next++ = {.picture = uploaded(*each.picture),
                   .first = uploaded(*each.reference),
                   .field = input.fields[i],
                   .candidates = each.field.candidates(),
                   .predicted = on_device(*each.costs)};
    }
    for (const CostWork::Both& each : work.both)
        *next++ = {.picture = uploaded(*each.picture),
                   .first = uploaded(*each.first),
                   .last = uploaded(*each.last),
                   .forward = on_device(*each.forward),
                   .backward = on_device(*each.backward),
                   .costs = on_device(*each.costs)};
}

/// All items, which are on the device in the order of their kinds.
void CudaCostMeter::launch(const CostWork& work, const CostItem* items) {
    const Frame& half = work.any_picture();
    CostTask task{items, 0, half.width() / half_macroblock, half.height() / half_macroblock,
                  static_cast<int>(stride_of(half))};
    const auto launch_kind = [&](CostKind kind, std::size_t count) {
        task.count = static_cast<int>(count);
        launch_costs(kind, task, stream_.get());
        task.items += count;
    };
    launch_kind(CostKind::intra, work.intra.size());
    launch_kind(CostKind::predicted, work.predicted.size());
    launch_kind(CostKind::both, work.both.size());
}

void CudaCostMeter::measure(const CostWork& work) {
    use_device(device_.ordinal);
    std::erase_if(cost_copies_, [](const auto& copy) { return copy.first.expired(); });
    MemoryParts sizes;
    const InputParts unplaced(sizes, work);
    MemoryParts staged_parts(staged_input_.reserve(sizes.bytes())), parts(input_.reserve(sizes.bytes()));
    const InputParts staged(staged_parts, work), input(parts, work);

    const DrainOnFailure drain(stream_);
    const std::set<std::shared_ptr<CostMemory>> measured = measured_memory(work);
    upload_known(work, measured);
    for (const auto& memory : measured)
        make_copy(memory);
    for (std::size_t i = 0; i < work.predicted.size(); ++i)
        std::ranges::copy(work.predicted[i].field.all(), staged.fields[i]);
    list_items(work, input, staged.items);
    copy_to_device(input_.data(), staged_input_.data(), sizes.bytes(), stream_);
    launch(work, input.items);
    for (const auto& memory : measured)
        copy_to_host(memory->data(), cost_copies_.at(memory)->data(), memory->bytes(), stream_);
    stream_.synchronise();
}

} // namespace tandem::cuda
