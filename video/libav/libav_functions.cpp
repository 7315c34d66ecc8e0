// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/libav_functions.h"

namespace tandem {
namespace {

void find_avutil(LibavFunctions& functions) {
    const SharedLibrary library("libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR));
    TANDEM_AVUTIL(TANDEM_FIND)
}

void find_avcodec(LibavFunctions& functions) {
    const SharedLibrary library("libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR));
    TANDEM_AVCODEC(TANDEM_FIND)
}

void find_avformat(LibavFunctions& functions) {
    const SharedLibrary library("libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR));
    TANDEM_AVFORMAT(TANDEM_FIND)
}

void find_swscale(LibavFunctions& functions) {
    const SharedLibrary library("libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR));
    TANDEM_SWSCALE(TANDEM_FIND)
}

LibavFunctions found() {
    LibavFunctions functions{};
    find_avutil(functions);
    find_avcodec(functions);
    find_avformat(functions);
    find_swscale(functions);
    return functions;
}

} // namespace

const LibavFunctions& libav() {
    static const LibavFunctions functions = found();
    return functions;
}

} // namespace tandem
