// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/filter_graph.h"

#include "machine/errors.h"
#include "video/libav/libav_functions.h"
#include "video/libav/libav_log.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/libav/reading/libavfilter_functions.h"

namespace tandem {

namespace {

struct FreeFilters {
    void operator()(AVFilterGraph* graph) const { libavfilter().avfilter_graph_free(&graph); }
    void operator()(AVFilterInOut* ends) const { libavfilter().avfilter_inout_free(&ends); }
};

template <class Object> using Owned = std::unique_ptr<Object, FreeFilters>;

/// An open end of a chain, as the parser wants it.
Owned<AVFilterInOut> end_of(AVFilterContext* filter, const char* name) {
    Owned<AVFilterInOut> end(libavfilter().avfilter_inout_alloc());
    if (!end) throw std::bad_alloc();
    end->name = libav().av_strdup(name);
    end->filter_ctx = filter;
    end->pad_idx = 0;
    return end;
}

std::int64_t duration_of(const AVFrame& frame) {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 30, 100)
    return frame.duration;
#else
    return frame.pkt_duration;
#endif
}

} // namespace

struct FilterGraph::State {
    std::string chain;
    Owned<AVFilterGraph> graph{libavfilter().avfilter_graph_alloc()};
    AVFilterContext* source = nullptr; ///< Owned by the graph, as is the sink.
    AVFilterContext* sink = nullptr;
    std::int64_t end = 0;    ///< Of the last picture, in the time base of what comes in.
    std::int64_t period = 0; ///< From one picture to the next by the rate, in the same; 0: unknown.

    void check(int error, const LibavLogScope& log) const {
        if (error == AVERROR(ENOMEM)) throw std::bad_alloc();
        if (error < 0) throw InputError("the filters \"" + chain + "\" are refused: " + log.explain(error));
    }

    void make_source(const AVFrame& first, AVRational time_base, AVRational rate, const LibavLogScope& log) {
        source =
            libavfilter().avfilter_graph_alloc_filter(graph.get(), libavfilter().avfilter_get_by_name("buffer"), "in");
        AVBufferSrcParameters* parameters = libavfilter().av_buffersrc_parameters_alloc();
        if (source == nullptr || parameters == nullptr) throw std::bad_alloc();
        parameters->format = first.format;
        parameters->time_base = time_base;
        parameters->width = first.width;
        parameters->height = first.height;
        parameters->sample_aspect_ratio = first.sample_aspect_ratio;
        parameters->frame_rate = rate;
#if LIBAVFILTER_VERSION_INT >= AV_VERSION_INT(9, 16, 100)
        parameters->color_space = first.colorspace;
        parameters->color_range = first.color_range;
#endif
        const int error = libavfilter().av_buffersrc_parameters_set(source, parameters);
        libav().av_free(parameters);
        check(error, log);
        check(libavfilter().avfilter_init_dict(source, nullptr), log);
    }

    void connect(const LibavLogScope& log) {
        check(libavfilter().avfilter_graph_create_filter(&sink, libavfilter().avfilter_get_by_name("buffersink"), "out",
                                                         nullptr, nullptr, graph.get()),
              log);
        Owned<AVFilterInOut> inputs = end_of(sink, "out"), outputs = end_of(source, "in");
        AVFilterInOut *left_inputs = inputs.release(), *left_outputs = outputs.release();
        const int error =
            libavfilter().avfilter_graph_parse_ptr(graph.get(), chain.c_str(), &left_inputs, &left_outputs, nullptr);
        inputs.reset(left_inputs);
        outputs.reset(left_outputs);
        check(error, log);
        check(libavfilter().avfilter_graph_config(graph.get(), nullptr), log);
    }
};

bool built_with_filters() { return true; }

FilterGraph::FilterGraph(const std::string& chain, const AVFrame& first, AVRational time_base, AVRational rate)
    : state_(std::make_unique<State>()) {
    const LibavLogScope log;
    if (!state_->graph) throw std::bad_alloc();
    state_->chain = chain;
    // Slices and bands of threads give the same samples; one thread keeps the order of errors, too.
    state_->graph->nb_threads = 1;
    state_->make_source(first, time_base, rate, log);
    state_->connect(log);
    if (rate.num > 0 && rate.den > 0) state_->period = libav().av_rescale_q(1, av_inv_q(rate), time_base);
}

FilterGraph::~FilterGraph() = default;

void FilterGraph::push(AVFrame* frame) {
    const LibavLogScope log;
    if (frame == nullptr) {
        // Filters that change the rate must know how long the last picture stays.
        state_->check(libavfilter().av_buffersrc_close(state_->source, state_->end, AV_BUFFERSRC_FLAG_PUSH), log);
        return;
    }
    state_->end = frame->pts + (duration_of(*frame) > 0 ? duration_of(*frame) : state_->period);
    state_->check(libavfilter().av_buffersrc_add_frame(state_->source, frame), log);
}

bool FilterGraph::pull(AVFrame& frame) {
    const LibavLogScope log;
    const int error = libavfilter().av_buffersink_get_frame(state_->sink, &frame);
    if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return false;
    state_->check(error, log);
    return true;
}

AVRational FilterGraph::time_base() const { return libavfilter().av_buffersink_get_time_base(state_->sink); }
AVRational FilterGraph::rate() const { return libavfilter().av_buffersink_get_frame_rate(state_->sink); }

} // namespace tandem
