// SPDX-License-Identifier: BSD-2-Clause
// A build without libavfilter: the same symbols, each saying so.
#include "machine/errors.h"
#include "video/libav/reading/built_with_filters.h"
#include "video/libav/reading/filter_graph.h"

namespace tandem {

struct FilterGraph::State {};

bool built_with_filters() { return false; }

FilterGraph::FilterGraph(const std::string& chain, const AVFrame&, AVRational, AVRational) {
    throw InputError("the filters \"" + chain + "\": this build has no libavfilter");
}

FilterGraph::~FilterGraph() = default;
void FilterGraph::push(AVFrame*) {}
bool FilterGraph::pull(AVFrame&) { return false; }
AVRational FilterGraph::time_base() const { return {0, 1}; }
AVRational FilterGraph::rate() const { return {0, 1}; }

} // namespace tandem
