// SPDX-License-Identifier: BSD-2-Clause
// The functions of FFmpeg's libraries that Tandem calls, versions 5 to 9. They are not linked: libavformat draws in
// some 160 libraries, which take longer to load than many a command takes that only codes y4m. So they are loaded when
// libav() is first called, and libavfilter when libavfilter() is.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>
#include <libavutil/md5.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include "video/libav/shared_libraries.h"

// clang-format off
// What a stream has beside its packets is kept elsewhere since FFmpeg 6.1.
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
#define TANDEM_SIDE_DATA(FUNCTION) FUNCTION(av_packet_side_data_add) FUNCTION(av_packet_side_data_get)
#else
#define TANDEM_SIDE_DATA(FUNCTION) FUNCTION(av_stream_add_side_data) FUNCTION(av_stream_get_side_data)
#endif
#define TANDEM_LIBAV(FUNCTION)                                                                                   \
    FUNCTION(av_codec_is_encoder) FUNCTION(av_codec_iterate) FUNCTION(av_color_primaries_name)                   \
    FUNCTION(av_color_space_name) FUNCTION(av_color_transfer_name) FUNCTION(av_cpb_properties_alloc)             \
    FUNCTION(av_dict_free) FUNCTION(av_dict_get) FUNCTION(av_dict_set) FUNCTION(av_dict_set_int)                 \
    FUNCTION(av_display_rotation_get) FUNCTION(av_find_best_stream) FUNCTION(av_find_input_format)               \
    FUNCTION(av_frame_alloc) FUNCTION(av_frame_copy_props) FUNCTION(av_frame_free) FUNCTION(av_frame_get_buffer) \
    FUNCTION(av_frame_get_side_data) FUNCTION(av_free) FUNCTION(av_freep) FUNCTION(av_get_picture_type_char)     \
    FUNCTION(av_get_pix_fmt_name) FUNCTION(av_guess_format) FUNCTION(av_guess_frame_rate)                        \
    FUNCTION(av_guess_sample_aspect_ratio) FUNCTION(av_interleaved_write_frame)                                  \
    FUNCTION(av_log_default_callback) FUNCTION(av_log_set_callback) FUNCTION(av_log_set_level)                   \
    FUNCTION(av_malloc) FUNCTION(av_mallocz) FUNCTION(av_md5_alloc) FUNCTION(av_md5_final) FUNCTION(av_md5_init) \
    FUNCTION(av_md5_update) FUNCTION(av_memdup) FUNCTION(av_new_packet) FUNCTION(av_opt_find)                    \
    FUNCTION(av_opt_set_double) FUNCTION(av_opt_set_int) FUNCTION(av_packet_alloc) FUNCTION(av_packet_free)      \
    FUNCTION(av_packet_ref) FUNCTION(av_packet_rescale_ts) FUNCTION(av_packet_unref) FUNCTION(av_parser_close)   \
    FUNCTION(av_parser_init) FUNCTION(av_parser_parse2) FUNCTION(av_pix_fmt_desc_get) FUNCTION(av_read_frame)    \
    FUNCTION(av_realloc_array) FUNCTION(av_rescale_q) FUNCTION(av_strdup) FUNCTION(av_strerror)                  \
    FUNCTION(av_write_frame) FUNCTION(av_write_trailer) FUNCTION(avcodec_alloc_context3)                         \
    FUNCTION(avcodec_descriptor_get_by_name) FUNCTION(avcodec_find_decoder) FUNCTION(avcodec_find_encoder)       \
    FUNCTION(avcodec_find_encoder_by_name) FUNCTION(avcodec_free_context) FUNCTION(avcodec_get_class)            \
    FUNCTION(avcodec_get_name) FUNCTION(avcodec_open2) FUNCTION(avcodec_parameters_copy)                         \
    FUNCTION(avcodec_parameters_from_context) FUNCTION(avcodec_parameters_to_context)                            \
    FUNCTION(avcodec_receive_frame) FUNCTION(avcodec_receive_packet) FUNCTION(avcodec_send_frame)                \
    FUNCTION(avcodec_send_packet) FUNCTION(avcodec_version) FUNCTION(avformat_alloc_context)                     \
    FUNCTION(avformat_alloc_output_context2) FUNCTION(avformat_close_input) FUNCTION(avformat_find_stream_info)  \
    FUNCTION(avformat_free_context) FUNCTION(avformat_get_class) FUNCTION(avformat_index_get_entries_count)      \
    FUNCTION(avformat_index_get_entry) FUNCTION(avformat_new_stream) FUNCTION(avformat_open_input)               \
    FUNCTION(avformat_query_codec) FUNCTION(avformat_version) FUNCTION(avformat_write_header)                    \
    FUNCTION(avio_alloc_context) FUNCTION(avio_close_dyn_buf) FUNCTION(avio_context_free) FUNCTION(avio_feof)    \
    FUNCTION(avio_flush) FUNCTION(avio_open_dyn_buf) FUNCTION(avio_size) FUNCTION(avutil_version)                \
    FUNCTION(sws_alloc_context) FUNCTION(sws_freeContext) FUNCTION(sws_getCoefficients) FUNCTION(sws_getContext) \
    FUNCTION(sws_init_context) FUNCTION(sws_scale) FUNCTION(sws_setColorspaceDetails) FUNCTION(swscale_version)  \
    TANDEM_SIDE_DATA(FUNCTION)
// clang-format on

namespace tandem {

/// Pointers to functions of libavutil, libavcodec, libavformat and libswscale, by their names and with their types.
struct LibavFunctions {
    TANDEM_LIBAV(TANDEM_POINTER)
};

/// All of them, from the libraries whose headers this was compiled with; they stay loaded until the process ends. May
/// be called from any thread. Throws InputError where a library, or a function in it, is not found.
const LibavFunctions& libav();

} // namespace tandem
