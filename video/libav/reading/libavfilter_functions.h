// SPDX-License-Identifier: BSD-2-Clause
// The functions of libavfilter that Tandem calls, loaded apart: few commands have filters.
#pragma once

extern "C" {
#include <libavfilter/avfilter.h>
#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
}

#include "video/libav/shared_libraries.h"

// clang-format off
#define TANDEM_AVFILTER(FUNCTION)                                                                                \
    FUNCTION(av_buffersink_get_frame) FUNCTION(av_buffersink_get_frame_rate)                                     \
    FUNCTION(av_buffersink_get_time_base) FUNCTION(av_buffersrc_add_frame) FUNCTION(av_buffersrc_close)          \
    FUNCTION(av_buffersrc_parameters_alloc) FUNCTION(av_buffersrc_parameters_set) FUNCTION(avfilter_get_by_name) \
    FUNCTION(avfilter_graph_alloc) FUNCTION(avfilter_graph_alloc_filter) FUNCTION(avfilter_graph_config)         \
    FUNCTION(avfilter_graph_create_filter) FUNCTION(avfilter_graph_free) FUNCTION(avfilter_graph_parse_ptr)      \
    FUNCTION(avfilter_init_dict) FUNCTION(avfilter_inout_alloc) FUNCTION(avfilter_inout_free)
// clang-format on

namespace tandem {

/// Pointers to functions of libavfilter, by their names and with their types.
struct LibavfilterFunctions {
    TANDEM_AVFILTER(TANDEM_POINTER)
};

/// All of them, as libav() gives those of the other libraries.
const LibavfilterFunctions& libavfilter();

} // namespace tandem
