// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/libav_functions.h"

namespace tandem {
namespace {

LibavFunctions found() {
    LibavFunctions functions{};
    const SharedLibraries libraries({"libavutil.so." AV_STRINGIFY(LIBAVUTIL_VERSION_MAJOR),
                                     "libavcodec.so." AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR),
                                     "libavformat.so." AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR),
                                     "libswscale.so." AV_STRINGIFY(LIBSWSCALE_VERSION_MAJOR)});
    TANDEM_LIBAV(TANDEM_FIND)
    return functions;
}

} // namespace

const LibavFunctions& libav() {
    static const LibavFunctions functions = found();
    return functions;
}

} // namespace tandem
