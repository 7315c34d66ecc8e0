// SPDX-License-Identifier: BSD-2-Clause
#include "cuda/benchmark/coding_case.h"

#include <chrono>
#include <cstdio>
#include <deque>
#include <future>
#include <map>

#include "coding/mpeg/quantiser/quantiser_ladder.h"
#include "coding/mpeg/slice_layout.h"
#include "coding/mpeg/vectors/f_codes.h"
#include "cuda/benchmark/scene.h"
#include "cuda/benchmark/timing.h"
#include "cuda/coding/coding_kernels.h"
#include "cuda/coding/cuda_mpeg_backend.h"
#include "cuda/cuda_estimator.h"

namespace tandem::cuda {

namespace {

constexpr int columns = 120, rows = 68, coded_width = columns * 16, coded_height = rows * 16;

MpegTools tools_of(bool trellis, Decision decision) {
    MpegTools tools;
    tools.columns = columns;
    tools.rows = rows;
    tools.intra_matrix = default_intra_matrix();
    tools.non_intra_matrix = default_non_intra_matrix();
    tools.trellis = trellis;
    tools.decision = decision;
    return tools;
}

/// Sources and fields between them, made once.
class Clip {
  public:
    explicit Clip(const DeviceInfo& device) : estimator_(device) {
        for (int i = 0; i < 4; ++i)
            pictures_.push_back(moving_picture(coded_width, coded_height, i));
    }
    const FramePtr& picture(int number) const { return pictures_[static_cast<std::size_t>(number) % 4]; }
    const MotionField& field(int from, int to) {
        const auto key = std::pair(from % 4, to % 4);
        const auto found = fields_.find(key);
        if (found != fields_.end()) return found->second;
        SearchParams params;
        params.range_x = params.range_y = 32;
        params.candidates = 4;
        params.lambda_q8 = sad_lambda_q8(16);
        return fields_.emplace(key, estimator_.estimate({picture(from), picture(to), params})).first->second;
    }

  private:
    CudaEstimator estimator_;
    std::vector<FramePtr> pictures_;
    std::map<std::pair<int, int>, MotionField> fields_;
};

void fill_job(MpegCodingJob& job, const MpegTools& tools, Clip& clip, PictureType type, int number,
              const References& references) {
    job.type = job.picture.type = type;
    job.source = clip.picture(number);
    job.references = references;
    for (std::size_t i = 0; i < 2; ++i) {
        const bool exists = i == 0 ? type != PictureType::intra : type == PictureType::bidirectional;
        if (exists) job.fields[i] = clip.field(number, i == 0 ? number + 3 : number + 1);
        job.f_codes[i] = f_codes_of(job.fields[i], tools.codec);
        job.refinement[i].precision = 2;
        job.refinement[i].candidates = 4;
        job.refinement[i].lambda_q8 = sad_lambda_q8(16);
    }
    job.quality.quantiser = 8;
    job.reconstruction = std::make_shared<Frame>(coded_width, coded_height);
    job.made = type == PictureType::bidirectional ? nullptr : Reference::in_the_making(job.reconstruction);
    if (job.picture.macroblocks() != columns * rows) {
        job.picture.resize(columns, rows);
        job.picture.slices = slice_layout(tools.codec, columns, rows, 0);
    }
}

/// What a decision by trials is made of, for a task whose vectors are chosen.
void print_trials(const CodingTask& task, Stream& stream) {
    const auto time = [&](auto launch) {
        return 1e3 * milliseconds_of(stream, [&](int) { launch(task, stream.get()); });
    };
    const double list = time(launch_list_modes), tries = time(launch_try_modes), settle = time(launch_settle_modes);
    std::printf("%-28s list %.1f, try %.1f, settle %.1f\n", "  of that decide", list, tries, settle);
}

/// Microseconds of each stage's kernels for one picture.
void print_stages(const char* name, const MpegTools& tools, Clip& clip, PictureType type, Stream& stream) {
    const auto pool = std::make_shared<MemoryPool<DeviceMemory>>();
    PictureInFlight place(tools, pool);
    std::array<std::shared_ptr<DevicePicture>, 2> references;
    for (std::size_t i = 0; i < (type == PictureType::intra ? 0U : type == PictureType::predicted ? 1U : 2U); ++i) {
        references[i] = std::make_shared<DevicePicture>(*pool, columns, rows);
        fill(references[i]->coded_since_intra, 0, std::size_t{columns} * rows, stream);
        upload_planes(*clip.picture(i == 0 ? 3 : 1), references[i]->planes, stream);
        references[i]->ready.record(stream);
        stream.synchronise();
    }
    MpegCodingJob job;
    fill_job(job, tools, clip, type, 0, {});
    const StreamTables tables(tools, job.picture.slices, place.stream());
    const auto made = std::make_shared<DevicePicture>(*pool, columns, rows);
    const CodingTask task = place.prepare(job, tables, references, made);
    place.stream().synchronise();
    // Refinement works in place: each call begins at the search's field.
    DeviceBuffer<Candidate> fields;
    const std::size_t candidates = std::size_t{columns} * rows * 4;
    fields.reserve(2 * candidates);
    const auto copy_fields = [&](bool back) {
        for (std::size_t i = 0; i < 2; ++i) {
            if (!task.direction[i].exists) continue;
            Candidate *field = task.direction[i].field, *kept = fields.data() + i * candidates;
            check(cudaMemcpyAsync(back ? field : kept, back ? kept : field, candidates * sizeof(Candidate),
                                  cudaMemcpyDeviceToDevice, stream.get()),
                  "keeping a field");
        }
    };
    copy_fields(false);
    const auto time = [&](auto launch) { return 1e3 * milliseconds_of(stream, [&](int) { launch(); }); };
    double refine = 0, collect = 0, choose = 0;
    if (type != PictureType::intra) {
        const double copies = time([&] { copy_fields(true); });
        refine = time([&] {
                     copy_fields(true);
                     launch_refine_macroblocks(task, stream.get());
                 }) -
                 copies;
        collect = time([&] { launch_collect_vectors(task, stream.get()); });
        choose = time([&] { launch_choose_vectors(task, stream.get()); });
    }
    const double decide = time([&] { launch_decide_modes(task, stream.get()); });
    const double code = time([&] {
        fill(task.packed_count, 0, sizeof *task.packed_count, stream);
        launch_code_macroblocks(task, stream.get());
    });
    std::printf("%-28s %8.1f %8.1f %8.1f %8.1f %8.1f %8.1f\n", name, refine, collect, choose, decide, code,
                refine + collect + choose + decide + code);
    if (task.by_trials()) print_trials(task, stream);
    std::fflush(stdout);
}

/// A chain of P pictures, several in flight.
void print_chain(const char* name, const DeviceInfo& device, const MpegTools& tools, Clip& clip, int pictures) {
    CudaMpegBackend backend(device, tools);
    struct Flying {
        MpegCodingJob job;
        std::promise<void> done;
        std::future<void> coded;
    };
    std::vector<std::unique_ptr<Flying>> spare;
    std::deque<std::unique_ptr<Flying>> flying;
    ReferencePtr last;
    const auto finish_oldest = [&] {
        flying.front()->coded.get();
        spare.push_back(std::move(flying.front()));
        flying.pop_front();
    };
    std::chrono::steady_clock::time_point begin;
    for (int i = -20; i < pictures; ++i) { // The first ones make memory and fields.
        if (i == 0) begin = std::chrono::steady_clock::now();
        if (flying.size() == CudaMpegBackend::most_in_flight) finish_oldest();
        auto next = spare.empty() ? std::make_unique<Flying>() : std::move(spare.back());
        if (!spare.empty()) spare.pop_back();
        next->done = {};
        next->coded = next->done.get_future();
        fill_job(next->job, tools, clip, last ? PictureType::predicted : PictureType::intra, i + 20, {last, nullptr});
        last = next->job.made;
        Flying& now = *next;
        flying.push_back(std::move(next));
        backend.code(now.job, [&now](std::exception_ptr error) {
            std::promise<void> told = std::move(now.done);
            error ? told.set_exception(error) : told.set_value();
        });
    }
    while (!flying.empty())
        finish_oldest();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%-28s %8.0f pictures/s\n", name, pictures / seconds.count());
    std::fflush(stdout);
}

} // namespace

void print_coding(const DeviceInfo& device, Stream& stream) {
    Clip clip(device);
    std::printf("coding, 1080p, quantiser 8, K = 4   us: refine  collect   choose   decide     code      all\n");
    for (const bool trellis : {true, false}) {
        const MpegTools tools = tools_of(trellis, Decision::cost);
        print_stages(trellis ? "I, trellis" : "I", tools, clip, PictureType::intra, stream);
        print_stages(trellis ? "P, trellis" : "P", tools, clip, PictureType::predicted, stream);
        print_stages(trellis ? "B, trellis" : "B", tools, clip, PictureType::bidirectional, stream);
        print_chain(trellis ? "a chain of P, trellis" : "a chain of P", device, tools, clip, 400);
        const MpegTools tried = tools_of(trellis, Decision::rd);
        print_stages(trellis ? "P, trellis, rd" : "P, rd", tried, clip, PictureType::predicted, stream);
        print_stages(trellis ? "B, trellis, rd" : "B, rd", tried, clip, PictureType::bidirectional, stream);
        print_chain(trellis ? "a chain of P, trellis, rd" : "a chain of P, rd", device, tried, clip, 200);
    }
}

} // namespace tandem::cuda
