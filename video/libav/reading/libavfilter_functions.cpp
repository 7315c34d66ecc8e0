// SPDX-License-Identifier: BSD-2-Clause
#include "video/libav/reading/libavfilter_functions.h"

namespace tandem {
namespace {

LibavfilterFunctions found() {
    LibavfilterFunctions functions{};
    const SharedLibraries libraries({"libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR)});
    TANDEM_AVFILTER(TANDEM_FIND)
    return functions;
}

} // namespace

const LibavfilterFunctions& libavfilter() {
    static const LibavfilterFunctions functions = found();
    return functions;
}

} // namespace tandem
