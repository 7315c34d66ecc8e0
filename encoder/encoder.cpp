// SPDX-License-Identifier: BSD-2-Clause
#include "encoder/encoder.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include "coding/mpeg/quantiser/quantiser_scale.h"
#include "encoder/codecs.h"
#include "encoder/lookahead/lookahead_of_settings.h"
#include "encoder/lookahead/lookahead_thread.h"
#include "encoder/pictures/motion_ahead.h"
#include "encoder/pictures/picture_costs.h"
#include "encoder/pictures/picture_job.h"
#include "encoder/pictures/picture_order.h"
#include "encoder/pictures/reference_store.h"
#include "encoder/rate/rate_of_settings.h"
#include "encoder/rate_control.h"
#include "encoder/reach.h"
#include "machine/errors.h"
#include "machine/long_work.h"
#include "machine/threads.h"
#include "machine/workers.h"

namespace tandem {

namespace {

/// The settings, once they are known to fit.
const Settings& checked(const Settings& settings, const VideoFormat& format) {
    std::string message;
    for (const std::string& problem : settings.validate(format))
        message += (message.empty() ? "" : "; ") + problem;
    if (!message.empty()) throw InputError(message);
    return settings;
}

/// Pictures that may still be coded when push() returns, of those that the coder can work at. They add to what the
/// encoder holds back, so they are few where few pictures are looked ahead, and none where it is one.
std::size_t most_in_flight(int at_once, int lookahead) {
    return static_cast<std::size_t>(std::min(at_once, 5 * (lookahead - 1)));
}

bool is_coded(const PictureJob& job) {
    return job.coded.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

constexpr std::size_t most_references = 2;

/// Beside those that B pictures keep from their place in coding order: pictures that come out of the lookahead until it
/// is told the quantiser of one.
constexpr std::int64_t pictures_till_told = 8;

/// The settings, with the quantiser that rate control makes likely where none is given.
Settings settled(Settings settings, const VideoFormat& format) {
    settings.qp = likely_quantiser(settings, format);
    return settings;
}

} // namespace

/// All others wait for plans.
constexpr std::int64_t rank_of_plans = -1;

struct Encoder::State {
    State(const Settings& settings_in, const VideoFormat& format_in, Coprocessor& motion_in, TaskPool* pool_in,
          Output output_in, Trace* trace_in, const CodingDevices& devices)
        : settings(settled(checked(settings_in, format_in), format_in)), format(format_in), motion(motion_in),
          output(std::move(output_in)), trace(trace_in),
          own_pool(pool_in != nullptr ? nullptr : std::make_unique<TaskPool>(threads_or_all(settings.threads))),
          pool(pool_in != nullptr ? *pool_in : *own_pool), planners(pool, rank_of_plans),
          coder(make_picture_coder(settings, format, pool, trace, devices)),
          rate(make_rate_control(settings, format, coder->promise())),
          pattern(settings.keyint, settings.bframes, settings.closed_gop) {
        if (!looks_ahead(settings)) return;
        likely_quantisers.push_back(rate->likely_quantiser());
        LookaheadSettings ahead = lookahead_settings(settings);
        ahead.guess = first_guess(settings, format);
        lookahead.emplace(
            ahead, [this] { return likely_quantiser(); }, motion, planners, devices, pool, rank_of_plans, trace);
    }
    ~State();

    void check(const Frame& picture) const;
    FramePtr at_coded_size(const Frame& picture) const;
    void push(FramePtr source);
    void plan(std::vector<TypedPicture> pictures);
    std::optional<double> likely_quantiser();
    void take(std::vector<PlannedPicture> pictures);
    void request_motion(PictureJob& job);
    void follow_texture(PictureJob& job);
    int foreseen_pictures() const;
    void take_motion(PictureJob& job);
    void measure(PictureJob& job);
    void foresee();
    void begin_front();
    void begin(PictureJob& job);
    void code_until_accepted(PictureJob& job);
    void finish_oldest();
    void span(std::string_view name, const PictureJob& job, Trace::Clock::time_point begin);

    const LongWork work; ///< All of the coding.
    const Settings settings;
    const VideoFormat format;
    Coprocessor& motion;
    Output output;
    Trace* const trace;
    const std::unique_ptr<TaskPool> own_pool; ///< Where none was given.
    TaskPool& pool;
    Workers planners; ///< Of the pool.
    const std::unique_ptr<PictureCoder> coder;
    const std::unique_ptr<RateControl> rate;
    FixedPattern pattern;
    std::optional<LookaheadThread> lookahead; ///< Nothing: types are the pattern's.
    PictureOrder order;
    ReferenceStore references{most_references};
    std::deque<std::unique_ptr<PictureJob>> pending; ///< In coding order; with MotionReference::source their motion is
                                                     ///< under way.
    std::deque<std::unique_ptr<PictureJob>> in_flight;   ///< In coding order; being coded.
    std::int64_t typed = 0;                              ///< Pictures that came out of the lookahead.
    std::deque<std::optional<double>> likely_quantisers; ///< As rate control said them after each of the pictures begun
                                                         ///< last.
    std::int64_t begun = 0;
    std::int64_t coded = 0;
    std::uint64_t stream_bytes = 0; ///< Of all packets so far.
    bool finished = false;
};

/// Pictures under way read what the jobs hold, also where coding was given up.
Encoder::State::~State() {
    for (const std::unique_ptr<PictureJob>& job : in_flight)
        if (job->coded.valid()) job->coded.wait();
}

void Encoder::State::check(const Frame& picture) const {
    if (finished) throw std::logic_error("Encoder::push() after finish()");
    if (picture.width() != format.width || picture.height() != format.height) {
        throw InputError("a picture of " + std::to_string(picture.width()) + "x" + std::to_string(picture.height()) +
                         " in a video of " + std::to_string(format.width) + "x" + std::to_string(format.height));
    }
}

FramePtr Encoder::State::at_coded_size(const Frame& picture) const {
    auto whole = std::make_shared<Frame>(coder->coded_width(), coder->coded_height());
    for (int plane = 0; plane < 3; ++plane)
        copy_and_extend(picture.plane(plane).view(), whole->plane(plane).view());
    return whole;
}

void Encoder::State::push(FramePtr source) {
    if (lookahead) return plan(lookahead->push(std::move(source)));
    take(order.push({std::move(source), pattern.next()}));
}

void Encoder::State::plan(std::vector<TypedPicture> pictures) {
    for (TypedPicture& picture : pictures) {
        ++typed;
        take(order.push(std::move(picture)));
    }
}

/// What the lookahead is told: what rate control said so many pictures ago that the answer is the same however many are
/// under way.
std::optional<double> Encoder::State::likely_quantiser() {
    const std::int64_t pictures = std::max<std::int64_t>(typed - settings.bframes - 1 - pictures_till_told, 0);
    while (begun < pictures)
        begin_front();
    while (begun + 1 - static_cast<std::int64_t>(likely_quantisers.size()) < pictures)
        likely_quantisers.pop_front();
    return likely_quantisers.front();
}

/// Pictures behind the oldest one whose motion is known before that is coded.
int Encoder::State::foreseen_pictures() const {
    const bool has_motion = settings.motion_reference == MotionReference::source;
    return lookahead || !has_motion ? 0 : rate->wants_foreseen();
}

/// Takes planned pictures in, and begins to code the oldest while more wait than are foreseen and, beyond these,
/// pictures_ahead().
void Encoder::State::take(std::vector<PlannedPicture> pictures) {
    const int ahead = pictures_ahead(settings, motion, pool.threads());
    for (PlannedPicture& picture : pictures) {
        auto job = std::make_unique<PictureJob>();
        job->plan = std::move(picture);
        if (settings.motion_reference == MotionReference::source) request_motion(*job);
        pending.push_back(std::move(job));
        while (pending.size() > static_cast<std::size_t>(ahead + foreseen_pictures()))
            begin_front();
    }
}

/// Against source pictures, or against reconstructions, which are then whole.
void Encoder::State::request_motion(PictureJob& job) {
    for (const PlannedReference& reference : job.plan.references) {
        const bool source = settings.motion_reference == MotionReference::source;
        MotionRequest request;
        request.current = job.plan.source;
        request.reference = source ? reference.source : references.at(reference.display_index)->reconstruction;
        request.params = search_params(settings, job.plan.type, job.plan.distance(reference));
        job.motion.push_back(motion.submit(std::move(request), job.plan.display_index));
    }
}

void Encoder::State::take_motion(PictureJob& job) {
    const auto begin = Trace::Clock::now();
    for (std::future<MotionResult>& future : job.motion) {
        MotionResult result = future.get();
        job.stats.motion_us += result.duration.count();
        job.stats.backend = result.backend;
        job.fields.push_back(std::move(result.field));
    }
    if (job.motion.empty()) return;
    job.stats.wait_us = std::chrono::duration_cast<std::chrono::microseconds>(Trace::Clock::now() - begin).count();
    span("wait for motion", job, begin);
}

void Encoder::State::measure(PictureJob& job) {
    if (job.is_measured) return;
    take_motion(job);
    if (rate->wants_costs())
        job.costs = picture_costs(job.plan.source->luma().view(), job.fields, settings.search.metric, planners);
    job.is_measured = true;
}

/// Tells the oldest picture what those behind it cost.
void Encoder::State::foresee() {
    const auto known = std::make_shared<std::vector<ForeseenPicture>>();
    const std::size_t count = std::min(pending.size(), static_cast<std::size_t>(foreseen_pictures()) + 1);
    for (std::size_t i = 0; i < count; ++i) {
        measure(*pending[i]);
        const PictureType type = pending[i]->plan.type;
        const PictureCosts& costs = pending[i]->costs;
        known->push_back({type, type == PictureType::intra ? costs.intra : costs.inter, costs.intra});
    }
    pending.front()->plan.prospect = {known, 0, count == pending.size(), true};
}

/// Of the encoder's own thread, up to now.
void Encoder::State::span(std::string_view name, const PictureJob& job, Trace::Clock::time_point begin) {
    if (trace != nullptr) trace->add(name, "coding", job.plan.display_index, begin, Trace::Clock::now());
}

void Encoder::State::follow_texture(PictureJob& job) {
    if (settings.aq_mode == AqMode::off) return;
    const PlaneView luma = job.plan.source->luma().view();
    AdaptiveFactors factors = adaptive_factors(luma, settings.aq_mode, settings.aq_strength, planners);
    if (!job.plan.importance)
        factors.residual = macroblock_residuals(luma, job.fields, settings.search.metric, planners);
    job.plan.adaptive = std::make_shared<AdaptiveFactors>(std::move(factors));
}

void Encoder::State::begin_front() {
    // Many pictures may wait, each of which takes long.
    work.end_if_told();
    if (settings.motion_reference == MotionReference::recon) {
        while (!in_flight.empty())
            finish_oldest();
        request_motion(*pending.front());
    }
    const std::size_t most =
        most_in_flight(coder->pictures_at_once(), pictures_ahead(settings, motion, pool.threads()));
    const std::size_t delay = rate->delay() < 0 ? most : static_cast<std::size_t>(rate->delay());
    while (in_flight.size() > std::min(most, delay))
        finish_oldest();
    if (foreseen_pictures() > 0) foresee();
    in_flight.push_back(std::move(pending.front()));
    pending.pop_front();
    PictureJob& job = *in_flight.back();
    job.coding_index = begun++;
    measure(job);
    const auto start = Trace::Clock::now();
    follow_texture(job);
    for (const PlannedReference& reference : job.plan.references)
        job.references.push_back(references.at(reference.display_index));
    job.quality = rate->plan(job.plan, job.costs);
    if (lookahead) likely_quantisers.push_back(rate->likely_quantiser());
    begin(job);
    span("plan", job, start);
    if (rate->delay() == 0) code_until_accepted(job);
    if (job.reference) references.add(job.plan.display_index, job.reference);
    while (in_flight.size() > most || (!in_flight.empty() && is_coded(*in_flight.front())))
        finish_oldest();
}

void Encoder::State::begin(PictureJob& job) {
    job.stats.display_index = job.plan.display_index;
    job.stats.coding_index = job.coding_index;
    job.stats.type = job.plan.type;
    coder->begin(job);
}

void Encoder::State::code_until_accepted(PictureJob& job) {
    job.coded.wait();
    while (const auto coarser = rate->accept(job.plan, job.quality, coder->bits(job))) {
        job.quality = *coarser;
        coder->begin(job);
        job.coded.wait();
    }
}

void Encoder::State::finish_oldest() {
    const std::unique_ptr<PictureJob> job = std::move(in_flight.front());
    in_flight.pop_front();
    const auto waiting = Trace::Clock::now();
    job->coded.get();
    span("wait for coding", *job, waiting);
    const auto start = Trace::Clock::now();
    job->stats.quantiser = job->quality.quantiser;
    job->stats.even_quantiser = job->quality.even_quantiser();
    job->stats.qp =
        static_cast<int>(std::lround(code_of_quantiser(job->quality.quantiser, settings.non_linear_quantiser)));
    StreamPlace place{stream_bytes};
    if (const Vbv* buffer = rate->constant_buffer()) {
        place.buffer = buffer;
        place.stuffing_bytes = buffer->stuffing_bytes(coder->bits(*job).all);
    }
    coder->finish(*job, place);
    const std::uint64_t stuffing = 8 * place.stuffing_bytes;
    rate->coded(job->plan, job->quality, job->packet.bit_count() - stuffing, stuffing);
    ++coded;
    EncodedPicture encoded;
    encoded.bytes = job->packet.bytes();
    encoded.key = job->plan.opens_group;
    encoded.source = job->plan.original;
    encoded.reconstruction = job->reconstruction;
    stream_bytes += encoded.bytes.size();
    job->stats.bytes = encoded.bytes.size();
    job->stats.stuffing_bytes = place.stuffing_bytes;
    job->stats.costs = job->costs;
    encoded.stats = std::move(job->stats);
    encoded.decisions = job->decisions;
    output(encoded);
    span("finish", *job, start);
}

Encoder::Encoder(const Settings& settings, const VideoFormat& format, Coprocessor& motion, Output output, Trace* trace)
    : Encoder(std::make_unique<State>(settings, format, motion, nullptr, std::move(output), trace, CodingDevices{})) {}

Encoder::Encoder(const Settings& settings, const VideoFormat& format, Coprocessor& motion, TaskPool& pool,
                 Output output, Trace* trace, const CodingDevices& devices)
    : Encoder(std::make_unique<State>(settings, format, motion, &pool, std::move(output), trace, devices)) {}

Encoder::Encoder(std::unique_ptr<State> state) : state_(std::move(state)) {
    const Settings& settings = state_->settings;
    state_->motion.prepare(search_params(settings, PictureType::predicted, largest_distance(settings)),
                           state_->coder->coded_width(), state_->coder->coded_height());
}

Encoder::~Encoder() = default;

void Encoder::push(std::unique_ptr<Frame> picture) {
    state_->check(*picture);
    picture->grow(state_->coder->coded_width(), state_->coder->coded_height());
    state_->push(std::move(picture));
}

void Encoder::push(FramePtr picture) {
    State& state = *state_;
    state.check(*picture);
    const bool fits =
        picture->width() == state.coder->coded_width() && picture->height() == state.coder->coded_height();
    state.push(fits ? std::move(picture) : state.at_coded_size(*picture));
}

void Encoder::push(const Frame& picture) {
    state_->check(picture);
    state_->push(state_->at_coded_size(picture));
}

std::vector<std::uint8_t> Encoder::finish() {
    State& state = *state_;
    if (state.finished) throw std::logic_error("Encoder::finish() twice");
    state.finished = true;
    if (state.lookahead)
        state.lookahead->finish([&](std::vector<TypedPicture> pictures) { state.plan(std::move(pictures)); });
    state.take(state.order.finish());
    while (!state.pending.empty())
        state.begin_front();
    while (!state.in_flight.empty())
        state.finish_oldest();
    return state.coded == 0 ? std::vector<std::uint8_t>{} : state.coder->end();
}

std::int64_t Encoder::underflows() const { return state_->rate->underflows(); }

StreamPromise Encoder::promise() const { return state_->coder->promise(); }

std::vector<DecisionColumn> Encoder::decision_columns() const { return state_->coder->decision_columns(); }

const std::vector<std::string>& Encoder::notes() const { return state_->coder->notes(); }

} // namespace tandem
