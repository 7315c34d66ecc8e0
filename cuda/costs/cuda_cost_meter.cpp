// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/costs/cuda_cost_meter.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "cuda/costs/measure_costs.h"
#include "cuda/device/memory_parts.h"

namespace tandem::cuda {

/// What goes up.
struct CudaCostMeter::InputParts {
    CostItem* items; ///< Intra, predicted, both.
    std::vector<Candidate*> fields;
    std::vector<PredictedCost*> known;

    InputParts(MemoryParts& parts, const CostWork& work, const std::vector<const PredictedCosts*>& known_costs)
        : items(parts.take<CostItem>(work.intra.size() + work.predicted.size() + work.both.size())) {
        for (const CostWork::Predicted& predicted : work.predicted)
            fields.push_back(parts.take<Candidate>(predicted.field.all().size()));
        for (const PredictedCosts* costs : known_costs)
            known.push_back(parts.take<PredictedCost>(costs->size()));
    }
};

/// What comes down.
struct CudaCostMeter::CostParts {
    std::vector<std::uint32_t*> intra, both;
    std::vector<PredictedCost*> predicted;

    CostParts(MemoryParts& parts, const CostWork& work) {
        for (const CostWork::Intra& each : work.intra)
            intra.push_back(parts.take<std::uint32_t>(each.costs->size()));
        for (const CostWork::Predicted& each : work.predicted)
            predicted.push_back(parts.take<PredictedCost>(each.costs->size()));
        for (const CostWork::Both& each : work.both)
            both.push_back(parts.take<std::uint32_t>(each.costs->size()));
    }
};

namespace {

/// More than a lookahead holds: copies go with their pictures.
constexpr std::size_t most_pictures = 512;
constexpr std::size_t row_alignment = 64;

std::size_t stride_of(const Frame& half) {
    return (static_cast<std::size_t>(half.width()) + row_alignment - 1) / row_alignment * row_alignment;
}

/// Costs that the work refers to and does not measure.
std::vector<const PredictedCosts*> known_costs(const CostWork& work) {
    std::vector<const PredictedCosts*> known;
    const auto add = [&](const PredictedCosts* costs) {
        const bool is_measured =
            std::ranges::find(work.predicted, costs, &CostWork::Predicted::costs) != work.predicted.end();
        if (!is_measured && std::ranges::find(known, costs) == known.end()) known.push_back(costs);
    };
    for (const CostWork::Both& both : work.both) {
        add(both.forward);
        add(both.backward);
    }
    return known;
}

/// Copies within the host's memory, for several threads.
class Copies {
  public:
    template <class Element> void add(std::span<const Element> from, Element* to) {
        copies_.push_back({from.data(), to, from.size_bytes()});
    }
    void run(Workers& workers) const {
        workers.for_each(static_cast<int>(copies_.size()), [this](int item, int) {
            const Copy& copy = copies_[static_cast<std::size_t>(item)];
            std::memcpy(copy.to, copy.from, copy.bytes);
        });
    }

  private:
    struct Copy {
        const void* from;
        void* to;
        std::size_t bytes;
    };
    std::vector<Copy> copies_;
};

} // namespace

CudaCostMeter::CudaCostMeter(const DeviceInfo& device)
    : device_(device), freed_memory_(device.ordinal), pictures_(most_pictures), stream_(stream_on(device.ordinal)) {}

CudaCostMeter::~CudaCostMeter() { stream_.drain(); }

std::string CudaCostMeter::name() const { return name_of(device_); }

const std::uint8_t* CudaCostMeter::uploaded(const HalfPicture& picture) {
    const auto copy = pictures_.get(picture.frame, [&] {
        const PlaneView luma = picture.frame->luma().view();
        const std::size_t stride = stride_of(*picture.frame);
        auto memory = pool_->take(stride * static_cast<std::size_t>(luma.height));
        const DrainOnFailure drain(stream_);
        copy_rows_to_device(memory->data(), stride, luma.data, static_cast<std::size_t>(luma.stride),
                            static_cast<std::size_t>(luma.width), static_cast<std::size_t>(luma.height), stream_);
        return memory;
    });
    return static_cast<const std::uint8_t*>(copy->data());
}

/// Uploads the pictures that are not there yet.
void CudaCostMeter::list_items(const CostWork& work, const InputParts& input, const CostParts& costs,
                               const DeviceCostsOf& on_device, CostItem* next) {
    for (std::size_t i = 0; i < work.intra.size(); ++i)
        *next++ = {.picture = uploaded(*work.intra[i].picture), .costs = costs.intra[i]};
    for (std::size_t i = 0; i < work.predicted.size(); ++i) {
        const CostWork::Predicted& each = work.predicted[i];
        *next++ = {.picture = uploaded(*each.picture),
                   .first = uploaded(*each.reference),
                   .field = input.fields[i],
                   .candidates = each.field.candidates(),
                   .predicted = costs.predicted[i]};
    }
    for (std::size_t i = 0; i < work.both.size(); ++i) {
        const CostWork::Both& each = work.both[i];
        *next++ = {.picture = uploaded(*each.picture),
                   .first = uploaded(*each.first),
                   .last = uploaded(*each.last),
                   .forward = on_device.at(each.forward),
                   .backward = on_device.at(each.backward),
                   .costs = costs.both[i]};
    }
}

/// What a device measured into the costs of the work.
void CudaCostMeter::fetch(const CostParts& measured, const CostWork& work, Workers& workers) {
    Copies copies;
    const auto add = [&](const auto* from, auto& costs) { copies.add(std::span(from, costs.size()), costs.data()); };
    for (std::size_t i = 0; i < work.intra.size(); ++i)
        add(measured.intra[i], *work.intra[i].costs);
    for (std::size_t i = 0; i < work.predicted.size(); ++i)
        add(measured.predicted[i], *work.predicted[i].costs);
    for (std::size_t i = 0; i < work.both.size(); ++i)
        add(measured.both[i], *work.both[i].costs);
    copies.run(workers);
}

void CudaCostMeter::measure(const CostWork& work, Workers& workers) {
    use_device(device_.ordinal);
    const std::vector<const PredictedCosts*> known = known_costs(work);
    MemoryParts input_sizes, cost_sizes;
    const InputParts unplaced_input(input_sizes, work, known);
    const CostParts unplaced_costs(cost_sizes, work);
    MemoryParts staged_parts(staged_input_.reserve(input_sizes.bytes())),
        input_parts(input_.reserve(input_sizes.bytes())), cost_parts(costs_.reserve(cost_sizes.bytes()));
    staged_costs_.reserve(cost_sizes.bytes());
    const InputParts staged(staged_parts, work, known), input(input_parts, work, known);
    const CostParts costs(cost_parts, work);

    Copies copies;
    DeviceCostsOf on_device;
    for (std::size_t i = 0; i < work.predicted.size(); ++i) {
        copies.add(work.predicted[i].field.all(), staged.fields[i]);
        on_device[work.predicted[i].costs] = costs.predicted[i];
    }
    for (std::size_t i = 0; i < known.size(); ++i) {
        copies.add(std::span<const PredictedCost>(*known[i]), staged.known[i]);
        on_device[known[i]] = input.known[i];
    }
    list_items(work, input, costs, on_device, staged.items);
    copies.run(workers);
    copy_to_device(input_.data(), staged_input_.data(), input_sizes.bytes(), stream_);

    const Frame& half = work.any_picture();
    CostTask task{input.items, 0, half.width() / half_macroblock, half.height() / half_macroblock,
                  static_cast<int>(stride_of(half))};
    const auto launch = [&](CostKind kind, std::size_t count) {
        task.count = static_cast<int>(count);
        launch_costs(kind, task, stream_.get());
        task.items += count;
    };
    launch(CostKind::intra, work.intra.size());
    launch(CostKind::predicted, work.predicted.size());
    launch(CostKind::both, work.both.size());
    copy_to_host(staged_costs_.data(), costs_.data(), cost_sizes.bytes(), stream_);
    stream_.synchronise();
    MemoryParts staged_costs(staged_costs_.data());
    fetch(CostParts(staged_costs, work), work, workers);
}

} // namespace tandem::cuda
