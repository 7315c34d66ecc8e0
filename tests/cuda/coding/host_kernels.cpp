// SPDX-License-Identifier: BSD-2-Clause
#include "tests/cuda/coding/host_kernels.h"

#include <cstring>

#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/quantiser/slice_quantisers.h"
#include "cuda/coding/coding_tables.h"
#include "cuda/coding/kernels/choose_vectors.h"
#include "cuda/coding/kernels/code_macroblock.h"
#include "cuda/coding/kernels/collect_vectors.h"
#include "cuda/coding/kernels/decide_modes.h"
#include "cuda/coding/kernels/joint_vectors.h"
#include "cuda/coding/kernels/list_modes.h"
#include "cuda/coding/kernels/refine_macroblock.h"
#include "cuda/coding/kernels/settle_modes.h"
#include "cuda/coding/kernels/try_modes.h"

namespace tandem::test {

namespace {

using namespace tandem::cuda;

/// What a device's memory holds before anything is written there.
template <class Element> std::vector<Element> poisoned(std::size_t count) {
    std::vector<Element> made(count);
    std::memset(static_cast<void*>(made.data()), 0xA5, count * sizeof(Element));
    return made;
}

template <class Planes> void set_planes(Planes& planes, Frame& frame) {
    for (int p = 0; p < 3; ++p) {
        planes.plane[p] = frame.plane(p).view().data;
        planes.stride[p] = static_cast<int>(frame.plane(p).stride());
    }
}
void set_planes(SamplePlanes& planes, const Frame& frame) {
    for (int p = 0; p < 3; ++p) {
        planes.plane[p] = frame.plane(p).view().data;
        planes.stride[p] = static_cast<int>(frame.plane(p).stride());
    }
}

/// The arrays of one direction.
struct DirectionMemory {
    std::vector<Candidate> field;
    std::vector<VectorList> lists;
    std::vector<std::uint8_t> cheapest;
    std::vector<ChosenVector> chosen;
    std::vector<std::uint32_t> mean_sad;

    void hold(const MotionField& from, std::size_t macroblocks, DirectionTask& task) {
        field.assign(from.all().begin(), from.all().end());
        lists = poisoned<VectorList>(macroblocks);
        cheapest = poisoned<std::uint8_t>(macroblocks * VectorList::most);
        chosen = poisoned<ChosenVector>(macroblocks);
        task.field = field.data();
        task.lists = lists.data();
        task.cheapest = cheapest.data();
        task.chosen = chosen.data();
        mean_sad = poisoned<std::uint32_t>(macroblocks * VectorList::most);
        task.mean_sad = mean_sad.data();
    }
};

class HostLaunches {
  public:
    HostLaunches(const MpegTools& tools, MpegCodingJob& job, bool backwards)
        : tools_(tools), job_(job), backwards_(backwards), task_(task_of(tools, job)),
          tables_(make_coding_tables(tools)), slice_of_(slices_by_macroblock(job.picture.slices)),
          macroblocks_(slice_of_.size()), codes_(macroblocks_) {
        spread_quantiser(job.quality, job.picture.slices, tools.non_linear_quantiser, codes_);
        ladder_ = quantiser_ladder(tools, codes_);
        hold_input();
        hold_output();
    }

    void run() {
        const int count = static_cast<int>(macroblocks_);
        for (int direction = 0; direction < 2; ++direction) {
            launch<RefineScratch>(count, [&](const Lanes& lanes, int i, RefineScratch& scratch) {
                refine_macroblock(lanes, task_, direction, i, scratch);
            });
        }
        for (int direction = 0; direction < 2; ++direction) {
            launch<CollectScratch>(count, [&](const Lanes& lanes, int i, CollectScratch& scratch) {
                collect_vectors(lanes, task_, direction, i, scratch);
                if (direction == 0 && task_.type != PictureType::intra) measure_deviation(lanes, task_, i);
            });
        }
        for (int direction = 0; direction < 2; ++direction) {
            launch<ChooseScratch>(task_.slices, [&](const Lanes&, int i, ChooseScratch& scratch) {
                choose_vectors(Warps(backwards_), task_, direction, i, scratch);
            });
        }
        decide();
        launch<CodeScratch>(
            count, [&](const Lanes& lanes, int i, CodeScratch& scratch) { code_macroblock(lanes, task_, i, scratch); });
        take_levels();
    }

  private:
    template <class Scratch, class Body> void launch(int groups, const Body& body) {
        for (int i = 0; i < groups; ++i) {
            std::vector<Scratch> scratch = poisoned<Scratch>(1);
            body(Lanes(backwards_), backwards_ ? groups - 1 - i : i, scratch.front());
        }
    }

    void decide_by_trials() {
        const int count = static_cast<int>(macroblocks_);
        for (int direction = 0; task_.type == PictureType::bidirectional && direction < 2; ++direction)
            launch<MeanScratch>(count, [&](const Lanes& lanes, int i, MeanScratch& scratch) {
                measure_means(lanes, task_, direction, i, scratch);
            });
        if (task_.type == PictureType::bidirectional)
            launch<JointScratch>(count, [&](const Lanes& lanes, int i, JointScratch& scratch) {
                step_jointly(lanes, task_, i, scratch);
            });
        launch<ListScratch>(task_.slices, [&](const Lanes&, int i, ListScratch& scratch) {
            list_modes(Warps(backwards_), task_, i, scratch);
        });
        for (int number = 0; number < ListedModes::most; ++number) {
            launch<TryScratch>(count, [&](const Lanes& lanes, int i, TryScratch& scratch) {
                try_mode(lanes, task_, i, number, scratch);
            });
        }
        if (task_.type == PictureType::predicted)
            launch<int>(count, [&](const Lanes& lanes, int i, int&) { try_still(lanes, task_, i); });
        launch<SettleScratch>(task_.slices, [&](const Lanes&, int i, SettleScratch& scratch) {
            settle_modes(Warps(backwards_), task_, i, scratch);
        });
    }
    void decide() {
        if (task_.by_trials()) return decide_by_trials();
        const bool by_cost = task_.type == PictureType::intra || task_.decision == Decision::cost;
        if (by_cost && task_.type == PictureType::bidirectional)
            launch<int>(static_cast<int>(macroblocks_),
                        [&](const Lanes& lanes, int i, int&) { measure_both(lanes, task_, i); });
        if (by_cost) {
            launch<DecideScratch>(task_.slices, [&](const Lanes& lanes, int i, DecideScratch& scratch) {
                decide_slice(lanes, task_, i, scratch);
            });
        } else {
            launch<int>(static_cast<int>(macroblocks_),
                        [&](const Lanes& lanes, int i, int&) { decide_by_rule(lanes, task_, i); });
        }
    }

    void hold_input() {
        task_.tables = &tables_;
        task_.slice = job_.picture.slices.data();
        task_.slice_of = slice_of_.data();
        task_.wanted_code = codes_.data();
        task_.ladder = ladder_.data();
        task_.ladder_length = static_cast<int>(ladder_.size());
        task_.first_code = ladder_.front().code;
        set_planes(task_.source, static_cast<const Frame&>(*job_.source));
        const std::array<const Reference*, 2> references{job_.references.forward.get(), job_.references.backward.get()};
        for (std::size_t i = 0; i < 2; ++i) {
            if (!task_.direction[i].exists) continue;
            set_planes(task_.direction[i].reference, *references[i]->reconstruction);
            directions_[i].hold(job_.fields[i], macroblocks_, task_.direction[i]);
        }
        if (task_.direction[0].exists && !references[0]->coded_since_intra.empty())
            task_.coded_before = references[0]->coded_since_intra.data();
    }

    void hold_output() {
        both_sad_ = poisoned<std::uint32_t>(macroblocks_);
        deviation_ = poisoned<std::uint32_t>(macroblocks_);
        decided_ = poisoned<std::uint8_t>(macroblocks_);
        packed_ = poisoned<std::int16_t>(macroblocks_ * 384);
        packed_at_ = poisoned<std::uint32_t>(macroblocks_);
        task_.both_sad = both_sad_.data();
        task_.deviation = deviation_.data();
        task_.decided = decided_.data();
        task_.packed = packed_.data();
        task_.packed_at = packed_at_.data();
        task_.packed_count = &packed_count_;
        if (task_.by_trials()) {
            listed_ = poisoned<ListedModes>(macroblocks_);
            joint_ = poisoned<VectorPair>(macroblocks_);
            task_.joint = joint_.data();
            trials_ = poisoned<Trial>(macroblocks_ * ListedModes::most);
            still_error_ = poisoned<std::uint32_t>(macroblocks_);
            steps_ = poisoned<WayStep>(macroblocks_ * most_ways);
            alone_ = poisoned<std::uint8_t>(macroblocks_);
            task_.listed = listed_.data();
            task_.trials = trials_.data();
            task_.still_error = still_error_.data();
            task_.steps = steps_.data();
            task_.alone = alone_.data();
        }
        MpegPicture& picture = job_.picture;
        task_.flags = picture.flags.data();
        task_.pattern = picture.pattern.data();
        task_.code = picture.quantiser_scale_code.data();
        task_.forward = picture.forward.data();
        task_.backward = picture.backward.data();
        task_.nonzero = picture.nonzero.data();
        set_planes(task_.reconstruction, *job_.reconstruction);
        if (job_.made) job_.made->coded_since_intra.resize(macroblocks_);
        task_.coded_since_intra = job_.made ? job_.made->coded_since_intra.data() : nullptr;
    }

    void take_levels() { unpack_levels(std::span(packed_).first(packed_count_), packed_at_, job_.picture); }

    const MpegTools& tools_;
    MpegCodingJob& job_;
    bool backwards_;
    CodingTask task_;
    CodingTables tables_;
    std::vector<std::uint32_t> slice_of_;
    std::size_t macroblocks_;
    std::vector<std::uint8_t> codes_;
    std::vector<Quantisers> ladder_;
    std::array<DirectionMemory, 2> directions_;
    std::vector<std::uint32_t> both_sad_, deviation_, packed_at_;
    std::vector<VectorPair> joint_;
    std::vector<ListedModes> listed_;
    std::vector<Trial> trials_;
    std::vector<std::uint32_t> still_error_;
    std::vector<WayStep> steps_;
    std::vector<std::uint8_t> decided_, alone_;
    std::vector<std::int16_t> packed_;
    std::uint32_t packed_count_ = 0;
};

} // namespace

void code_on_host(const MpegTools& tools, MpegCodingJob& job, bool backwards) {
    HostLaunches(tools, job, backwards).run();
}

} // namespace tandem::test
