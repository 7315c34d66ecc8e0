// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/coding/picture_in_flight.h"

#include <algorithm>
#include <cstring>

#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/quantiser/slice_quantisers.h"
#include "cuda/coding/coding_kernels.h"
#include "cuda/coding/coding_tables.h"
#include "cuda/device/check.h"
#include "cuda/device/memory_parts.h"

namespace tandem::cuda {

namespace {

template <class Element> void upload(std::span<const Element> from, DeviceBuffer<Element>& to, Stream& stream) {
    copy_to_device(to.reserve(from.size()), from.data(), from.size_bytes(), stream);
}

/// What the host says of a picture.
struct InputParts {
    std::uint8_t* codes;
    Quantisers* ladder;
    std::array<Candidate*, 2> fields;

    InputParts(MemoryParts& parts, std::size_t macroblocks, std::size_t ladder_length,
               const std::array<std::size_t, 2>& candidates)
        : codes(parts.take<std::uint8_t>(macroblocks)),
          ladder(parts.take<Quantisers>(ladder_length)), fields{parts.take<Candidate>(candidates[0]),
                                                                parts.take<Candidate>(candidates[1])} {}
};

/// What kernels hand to one another.
struct BetweenParts {
    struct Direction {
        VectorList* lists;
        std::uint8_t* cheapest;
        ChosenVector* chosen;
        std::uint32_t* mean_sad;
    };
    std::array<Direction, 2> directions;
    std::uint32_t *both_sad, *deviation;
    std::uint8_t* decided;
    // Of trials; null where there are none.
    VectorPair* joint = nullptr;
    ListedModes* listed = nullptr;
    Trial* trials = nullptr;
    std::uint32_t* still_error = nullptr;
    WayStep* steps = nullptr;
    std::uint8_t* alone = nullptr;

    BetweenParts(MemoryParts& parts, std::size_t macroblocks, bool by_trials) {
        for (Direction& direction : directions) {
            direction = {parts.take<VectorList>(macroblocks), parts.take<std::uint8_t>(macroblocks * VectorList::most),
                         parts.take<ChosenVector>(macroblocks), nullptr};
            if (by_trials) direction.mean_sad = parts.take<std::uint32_t>(macroblocks * VectorList::most);
        }
        if (by_trials) {
            joint = parts.take<VectorPair>(macroblocks);
            listed = parts.take<ListedModes>(macroblocks);
            trials = parts.take<Trial>(macroblocks * ListedModes::most);
            still_error = parts.take<std::uint32_t>(macroblocks);
            steps = parts.take<WayStep>(macroblocks * most_ways);
            alone = parts.take<std::uint8_t>(macroblocks);
        }
        both_sad = parts.take<std::uint32_t>(macroblocks);
        deviation = parts.take<std::uint32_t>(macroblocks);
        decided = parts.take<std::uint8_t>(macroblocks);
    }
};

/// What comes down.
struct ResultParts {
    std::uint32_t* packed_count; ///< Zero before.
    std::uint8_t *flags, *pattern, *code, *coded_since_intra;
    Mv *forward, *backward;
    std::uint64_t* nonzero;
    std::uint32_t* packed_at;

    ResultParts(MemoryParts& parts, std::size_t macroblocks)
        : packed_count(parts.take<std::uint32_t>(1)), flags(parts.take<std::uint8_t>(macroblocks)),
          pattern(parts.take<std::uint8_t>(macroblocks)), code(parts.take<std::uint8_t>(macroblocks)),
          coded_since_intra(parts.take<std::uint8_t>(macroblocks)), forward(parts.take<Mv>(macroblocks)),
          backward(parts.take<Mv>(macroblocks)), nonzero(parts.take<std::uint64_t>(macroblocks * 6)),
          packed_at(parts.take<std::uint32_t>(macroblocks)) {}
};

std::size_t result_bytes(std::size_t macroblocks) {
    MemoryParts parts;
    const ResultParts results(parts, macroblocks);
    return parts.bytes();
}

} // namespace

StreamTables::StreamTables(const MpegTools& tools, std::span<const SliceExtent> slices, Stream& stream) {
    const CodingTables tables = make_coding_tables(tools);
    const std::vector<std::uint32_t> slice_of = slices_by_macroblock(slices);
    const DrainOnFailure drain(stream);
    upload(std::span<const CodingTables>(&tables, 1), tables_, stream);
    upload(slices, slices_, stream);
    upload(std::span<const std::uint32_t>(slice_of), slice_of_, stream);
    stream.synchronise();
}

void StreamTables::set(CodingTask& task) const {
    task.tables = tables_.data();
    task.slice = slices_.data();
    task.slice_of = slice_of_.data();
}

PictureInFlight::PictureInFlight(const MpegTools& tools, std::shared_ptr<MemoryPool<DeviceMemory>> pool)
    : tools_(tools), macroblocks_(static_cast<std::size_t>(tools.columns) * static_cast<std::size_t>(tools.rows)),
      pool_(std::move(pool)), source_(*pool_, tools.columns, tools.rows) {
    MemoryParts between;
    const BetweenParts sizes(between, macroblocks_, tools.decision == Decision::rd);
    // Kernels load whole records, and all results go to the host, also the parts that nobody wrote.
    check(cudaMemsetAsync(between_.reserve(between.bytes()), 0, between.bytes(), stream_.get()), "clearing memory");
    check(cudaMemsetAsync(results_.reserve(result_bytes(macroblocks_)), 0, result_bytes(macroblocks_), stream_.get()),
          "clearing memory");
    staged_results_.reserve(result_bytes(macroblocks_));
    packed_.reserve(macroblocks_ * 384);
}

void PictureInFlight::upload_input(const MpegCodingJob& job, CodingTask& task) {
    std::vector<std::uint8_t> codes(macroblocks_);
    spread_quantiser(job.quality, job.picture.slices, tools_.non_linear_quantiser, codes);
    const std::vector<Quantisers> ladder = quantiser_ladder(tools_, codes);
    std::array<std::size_t, 2> candidates{};
    for (std::size_t i = 0; i < 2; ++i)
        candidates[i] = task.direction[i].exists ? job.fields[i].all().size() : 0;
    MemoryParts sizes;
    const InputParts unplaced(sizes, macroblocks_, ladder.size(), candidates);
    MemoryParts on_host(staged_input_.reserve(sizes.bytes())), on_device(input_.reserve(sizes.bytes()));
    const InputParts host(on_host, macroblocks_, ladder.size(), candidates);
    const InputParts device(on_device, macroblocks_, ladder.size(), candidates);
    std::memcpy(host.codes, codes.data(), codes.size());
    std::memcpy(static_cast<void*>(host.ladder), ladder.data(), ladder.size() * sizeof(Quantisers));
    for (std::size_t i = 0; i < 2; ++i) {
        if (candidates[i] > 0)
            std::memcpy(static_cast<void*>(host.fields[i]), job.fields[i].all().data(),
                        candidates[i] * sizeof(Candidate));
        task.direction[i].field = device.fields[i];
    }
    copy_to_device(input_.data(), staged_input_.data(), sizes.bytes(), stream_);
    task.wanted_code = device.codes;
    task.ladder = device.ladder;
    task.ladder_length = static_cast<int>(ladder.size());
    task.first_code = ladder.front().code;
}

void PictureInFlight::set_memory(CodingTask& task) {
    MemoryParts parts(between_.data()), result_parts(results_.data());
    const BetweenParts between(parts, macroblocks_, tools_.decision == Decision::rd);
    const ResultParts results(result_parts, macroblocks_);
    fill(results.packed_count, 0, sizeof *results.packed_count, stream_);
    for (std::size_t i = 0; i < 2; ++i) {
        DirectionTask& direction = task.direction[i];
        direction.lists = between.directions[i].lists;
        direction.cheapest = between.directions[i].cheapest;
        direction.chosen = between.directions[i].chosen;
        direction.mean_sad = between.directions[i].mean_sad;
    }
    task.both_sad = between.both_sad;
    task.deviation = between.deviation;
    task.decided = between.decided;
    if (task.by_trials()) {
        task.joint = between.joint;
        task.listed = between.listed;
        task.trials = between.trials;
        task.still_error = between.still_error;
        task.steps = between.steps;
        task.alone = between.alone;
    }
    task.flags = results.flags;
    task.pattern = results.pattern;
    task.code = results.code;
    task.forward = results.forward;
    task.backward = results.backward;
    task.nonzero = results.nonzero;
    task.packed = packed_.data();
    task.packed_at = results.packed_at;
    task.packed_count = results.packed_count;
}

CodingTask PictureInFlight::prepare(const MpegCodingJob& job, const StreamTables& tables,
                                    const std::array<std::shared_ptr<DevicePicture>, 2>& references,
                                    std::shared_ptr<DevicePicture> made) {
    references_ = references;
    made_ = std::move(made);
    const DrainOnFailure drain(stream_);
    CodingTask task = task_of(tools_, job);
    tables.set(task);
    upload_input(job, task);
    set_memory(task);
    upload_planes(*job.source, source_.planes, stream_);
    task.source = constant(source_.planes);
    task.reconstruction = made_->planes;
    task.coded_since_intra = made_->coded_since_intra;
    for (std::size_t i = 0; i < 2; ++i) {
        if (!references_[i]) continue;
        stream_.wait_for(references_[i]->ready);
        task.direction[i].reference = constant(references_[i]->planes);
    }
    if (references_[0] && references_[0]->has_counts) task.coded_before = references_[0]->coded_since_intra;
    return task;
}

void PictureInFlight::begin(const MpegCodingJob& job, const StreamTables& tables,
                            const std::array<std::shared_ptr<DevicePicture>, 2>& references,
                            std::shared_ptr<DevicePicture> made) {
    const DrainOnFailure drain(stream_);
    const CodingTask task = prepare(job, tables, references, std::move(made));
    launch_coding(task, stream_.get());
    made_->ready.record(stream_);
    MemoryParts parts(results_.data()), staged(staged_results_.data());
    const ResultParts results(parts, macroblocks_), host(staged, macroblocks_);
    copy_to_host(staged_results_.data(), results_.data(), parts.bytes(), stream_);
    copy_to_host(host.coded_since_intra, made_->coded_since_intra, macroblocks_, stream_);
    computed_.record(stream_);
}

void PictureInFlight::finish(MpegCodingJob& job) {
    const DrainOnFailure drain(stream_);
    computed_.synchronise();
    MemoryParts parts(staged_results_.data());
    const ResultParts results(parts, macroblocks_);
    const std::size_t count = *results.packed_count;
    // Few of all possible levels are not zero, and page-locked memory is dear: it grows by steps.
    constexpr std::size_t step = std::size_t{1} << 18;
    staged_packed_.reserve((count / step + 1) * step);
    copy_to_host(staged_packed_.data(), packed_.data(), count * sizeof(std::int16_t), stream_);
    download_planes(constant(made_->planes), *job.reconstruction, stream_);
    take_results(job);
    stream_.synchronise();
    unpack_levels({staged_packed_.data(), count}, {results.packed_at, macroblocks_}, job.picture);
    references_ = {};
    made_ = nullptr;
}

void PictureInFlight::take_results(MpegCodingJob& job) const {
    MemoryParts parts(staged_results_.data());
    const ResultParts results(parts, macroblocks_);
    MpegPicture& picture = job.picture;
    std::copy_n(results.flags, macroblocks_, picture.flags.data());
    std::copy_n(results.pattern, macroblocks_, picture.pattern.data());
    std::copy_n(results.code, macroblocks_, picture.quantiser_scale_code.data());
    std::copy_n(results.forward, macroblocks_, picture.forward.data());
    std::copy_n(results.backward, macroblocks_, picture.backward.data());
    std::copy_n(results.nonzero, macroblocks_ * 6, picture.nonzero.data());
    if (job.made)
        job.made->coded_since_intra.assign(results.coded_since_intra, results.coded_since_intra + macroblocks_);
}

} // namespace tandem::cuda
