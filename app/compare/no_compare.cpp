// SPDX-License-Identifier: BSD-2-Clause
// A build without FFmpeg: streams cannot be decoded to be measured.
#include "app/compare/compare.h"
#include "machine/errors.h"

namespace tandem {

int run_compare(const Arguments&) {
    throw InputError("this build has no FFmpeg, so that tandem compare cannot decode what it measures");
}

} // namespace tandem
